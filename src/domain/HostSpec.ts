import { Schema } from "effect"

/** What a host is started with; passed to it as JSON on its standard input. */
export const HostSpec = Schema.Struct({
  tag: Schema.String,
  cli: Schema.String,
  cwd: Schema.String,
  args: Schema.Array(Schema.String),
  cols: Schema.Int,
  rows: Schema.Int,
  /** Wait for the first viewer (bounded) before the CLI starts, so that the user's terminal answers its first queries. */
  waitForViewer: Schema.Boolean,
  /** The earlier session that the arguments make the CLI go on with. Some CLIs name it again with their next prompt only. */
  resumes: Schema.optionalKey(Schema.Struct({ sessionId: Schema.String, transcriptPath: Schema.NullOr(Schema.String) }))
})
export type HostSpec = typeof HostSpec.Type

/** The one line a host writes on its standard output: it is up, or why it is not. */
export const HostReady = Schema.Union([
  Schema.Struct({ ready: Schema.Literal(true), pid: Schema.Int }),
  Schema.Struct({ ready: Schema.Literal(false), message: Schema.String, exitCode: Schema.Int })
])
export type HostReady = typeof HostReady.Type
