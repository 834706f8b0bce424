import { Schema } from "effect"
import { StartWords } from "./StartWords.ts"

/** The arguments of a host: what session it is to run. */
export const HostSpec = Schema.Struct({
  tag: Schema.String,
  cli: Schema.String,
  cwd: Schema.String,
  args: Schema.Array(Schema.String),
  cols: Schema.Int,
  rows: Schema.Int,
  /**
   * What the CLI prints waits for the first viewer (bounded), so that its terminal answers the CLI's first queries.
   */
  waitForViewer: Schema.Boolean,
  /** Variables by which CLIs tell what they start that it runs inside them. */
  inside: Schema.optionalKey(Schema.Array(Schema.String)),
  /** What of the arguments belongs to the session, and is kept with its conversations. */
  words: Schema.optionalKey(StartWords),
  /** What the tag, and the conversation that goes on, had before: that holds again where the CLI does not come up. */
  wordsBefore: Schema.optionalKey(Schema.Struct({ tag: StartWords, conversation: StartWords })),
  /** Flags of leap's own that the CLI does not know. */
  withoutFlags: Schema.optionalKey(Schema.Array(Schema.String)),
  /** What keeps the CLI's hooks from calling leap there, as was seen at the start; absent for nothing known. */
  hooksOff: Schema.optionalKey(Schema.Array(Schema.String)),
  /** The earlier session that the arguments make the CLI resume. Some CLIs report its id only with the next prompt. */
  resumes: Schema.optionalKey(Schema.Struct({ sessionId: Schema.String, transcriptPath: Schema.NullOr(Schema.String) }))
})
export type HostSpec = typeof HostSpec.Type

/** What a host's process gets, as JSON on its standard input: its arguments, and the file of its log. */
export const HostOrder = Schema.Struct({ spec: HostSpec, log: Schema.String })
export type HostOrder = typeof HostOrder.Type
