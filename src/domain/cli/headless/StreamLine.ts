import { Schema } from "effect"
import { AgentEvent } from "./AgentEvent.ts"
import { AgentResult } from "./AgentResult.ts"

/** The version of a line's form: fields and events may be added; none changes its meaning. */
export const lineVersion = 1

/** A line of `leap exec --output stream-json` without `schema` ({@link lineVersion}) and `at` (ISO 8601). */
export const StreamLine = Schema.Union([
  AgentEvent,
  Schema.Struct({
    _tag: Schema.Literal("Result"),
    ...AgentResult.fields,
    incomplete: Schema.optionalKey(Schema.String)
  }),
  Schema.Struct({
    _tag: Schema.Literal("Error"),
    error: Schema.Struct({
      tag: Schema.String,
      message: Schema.String,
      exitCode: Schema.optionalKey(Schema.Int),
      sessionId: Schema.optionalKey(Schema.NullOr(Schema.String)),
      text: Schema.optionalKey(Schema.String)
    })
  })
]).annotate({ title: "A line of leap exec --output stream-json" })
