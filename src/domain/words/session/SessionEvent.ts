import { Schema } from "effect"
import { ExitStatus, Modes } from "./Session.ts"
import { ScreenFacts } from "./Screen.ts"
import { Signal } from "./Signal.ts"
import { StatusReport } from "./ProgramStatus.ts"

/** The kind of a key that reached the CLI, by `InputBytes.classify`. Replies, focus and mouse are not keys. */
export const KeyKind = Schema.Literals([
  "text",
  "paste",
  "enter",
  "escape",
  "ctrl-c",
  "ctrl-d",
  "edit",
  "navigate",
  "other"
])
export type KeyKind = typeof KeyKind.Type

/** Everything that can happen to a session. `at`: milliseconds since the epoch, never decreasing. */
export const SessionEvent = Schema.TaggedUnion({
  /** Output arrived. `screen`: the screen after it; null if the frame is not complete yet. */
  Output: { at: Schema.Finite, screen: Schema.NullOr(ScreenFacts) },
  /**
   * Keys reached the CLI. `by`: a person at a terminal, or leap itself. `continues`: they begin with the rest of a
   * sequence whose first byte was mistaken for the Escape key. `answer`: leap typed this text to answer a dialog.
   */
  Input: {
    at: Schema.Finite,
    keys: Schema.Array(KeyKind),
    by: Schema.Literals(["user", "leap"]),
    continues: Schema.optionalKey(Schema.Boolean),
    answer: Schema.optionalKey(Schema.String)
  },
  /** A signal came. `source` is its name in reasons ("hook Stop", "session file"). */
  Signal: { at: Schema.Finite, source: Schema.String, signal: Signal },
  /** A program-status report (OSC 7501) came. */
  Reported: { at: Schema.Finite, report: StatusReport },
  /** leap is about to type a message. */
  Send: { at: Schema.Finite },
  Resize: { at: Schema.Finite, cols: Schema.Int, rows: Schema.Int },
  /** The CLI has received leap's answer to its permission request, and is about to close its dialog. */
  Decided: { at: Schema.Finite },
  /**
   * Why the CLI's own settings keep its hooks from running (`off`, in words). With `by` the spool: why leap cannot give
   * them the rules.
   */
  HooksFound: {
    at: Schema.Finite,
    off: Schema.Array(Schema.String),
    by: Schema.optionalKey(Schema.Literal("spool"))
  },
  ModesChanged: { at: Schema.Finite, modes: Modes },
  /** Time passed. */
  Tick: { at: Schema.Finite },
  Exited: { at: Schema.Finite, exit: ExitStatus }
})
export type SessionEvent = typeof SessionEvent.Type
