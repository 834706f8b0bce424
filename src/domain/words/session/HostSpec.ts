import { Schema } from "effect"
import { StartWords } from "./StartWords.ts"

/** The arguments of a host: the session that it runs. */
export const HostSpec = Schema.Struct({
  tag: Schema.String,
  cli: Schema.String,
  cwd: Schema.String,
  args: Schema.Array(Schema.String),
  cols: Schema.Int,
  rows: Schema.Int,
  /** The CLI's output waits (for a bounded time) for the first viewer, whose terminal answers the first queries. */
  waitForViewer: Schema.Boolean,
  /** Names of variables that tell a process in which CLI it runs. The hosted CLI does not get them. */
  inside: Schema.optionalKey(Schema.Array(Schema.String)),
  /** The arguments of the session, which are stored with its conversations. */
  words: Schema.optionalKey(StartWords),
  /** The words of the tag and of the resumed conversation before this start, restored if the CLI does not come up. */
  wordsBefore: Schema.optionalKey(Schema.Struct({ tag: StartWords, conversation: StartWords })),
  /** Flags that leap would add, but that the installed CLI does not know: they are left out. */
  withoutFlags: Schema.optionalKey(Schema.Array(Schema.String)),
  /** Why the CLI's hooks do not call leap, as found at the start; absent if nothing is known. */
  hooksOff: Schema.optionalKey(Schema.Array(Schema.String)),
  /** The tag of the session whose conversation, begun in another CLI, goes on in this one. */
  continues: Schema.optionalKey(Schema.String),
  /** The earlier session that the arguments make the CLI resume. Some CLIs report its id only with the next prompt. */
  resumes: Schema.optionalKey(Schema.Struct({ sessionId: Schema.String, transcriptPath: Schema.NullOr(Schema.String) }))
})
export type HostSpec = typeof HostSpec.Type

/** The standard input of a host's process, as JSON: its arguments, and the file of its log. */
export const HostOrder = Schema.Struct({ spec: HostSpec, log: Schema.String })
export type HostOrder = typeof HostOrder.Type
