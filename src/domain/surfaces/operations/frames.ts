import { Schema } from "effect"
import { Notice } from "../notify/Notice.ts"
import { ExitStatus } from "../../words/session/Session.ts"

/** One part of an attached viewer's display. `data`: base64 of bytes for the terminal. */
export const AttachFrame = Schema.TaggedUnion({
  /** Draws the whole screen except the reserved rows at its bottom, and replaces all earlier output. */
  Repaint: { data: Schema.String, reserved: Schema.optionalKey(Schema.Int) },
  Output: { data: Schema.String },
  /** Only viewers that asked for notices get it. */
  Notice: { notice: Notice },
  Exited: { exit: ExitStatus }
})
export type AttachFrame = typeof AttachFrame.Type

/** One event of a session in the form of an asciicast line; `at` is milliseconds since the epoch. */
const RecordedLine = Schema.Struct({
  at: Schema.Finite,
  code: Schema.Literals(["o", "i", "r", "m"]),
  data: Schema.String
})

/** A recording: first the values of its header, then its lines. */
export const RecordFrame = Schema.TaggedUnion({
  Begun: { cols: Schema.Int, rows: Schema.Int, cli: Schema.String, version: Schema.String, at: Schema.Finite },
  Lines: { lines: Schema.Array(RecordedLine) }
})
export type RecordFrame = typeof RecordFrame.Type

/** Whether the text was taken out of the CLI's box. `doubt`: the box was not seen empty. */
export const TakenDraft = Schema.Literals(["taken", "left", "doubt"])
export type TakenDraft = typeof TakenDraft.Type
