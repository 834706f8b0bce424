import { Schema } from "effect"
import { needKinds } from "../../words/attention/Need.ts"
import { Question, SessionState } from "../../words/session/Session.ts"
import { OutSession } from "./OutEvent.ts"

/** What is remembered of a session in order to tell each thing once. Times are milliseconds since the epoch. */
export const SessionMemory = Schema.Struct({
  session: OutSession,
  state: SessionState,
  since: Schema.Finite,
  /** The turn under way; `answer` is what the last answer was at its beginning. */
  turn: Schema.NullOr(Schema.Struct({ since: Schema.Finite, answer: Schema.String })),
  /** The turn that is over and waits to be told with its answer, which may come a moment later. */
  over: Schema.NullOr(
    Schema.Struct({
      since: Schema.Finite,
      until: Schema.Finite,
      outcome: Schema.Literals(["completed", "interrupted", "failed"]),
      answer: Schema.String,
      /** The answer, where it came before the CLI told how the turn ended. */
      response: Schema.optionalKey(Schema.String)
    })
  ),
  /** The dialog on screen, as it has looked since `at`. */
  dialog: Schema.NullOr(
    Schema.Struct({
      id: Schema.String,
      since: Schema.Finite,
      at: Schema.Finite,
      title: Schema.String,
      question: Schema.NullOr(Question),
      told: Schema.Boolean
    })
  ),
  /** Dialogs that were told since the state was entered. */
  asked: Schema.Int,
  /** The problem that was told last; empty for none. */
  problem: Schema.String,
  /** What it needs, the same since `at`, and what was told of that last; absent before it was looked at. */
  needs: Schema.optionalKey(
    Schema.Struct({
      at: Schema.Finite,
      now: Schema.Array(
        Schema.Struct({
          kind: Schema.Literals(needKinds),
          since: Schema.String,
          id: Schema.optionalKey(Schema.String),
          until: Schema.NullOr(Schema.String),
          text: Schema.String
        })
      ),
      told: Schema.String
    })
  ),
  ended: Schema.Boolean
})
export type SessionMemory = typeof SessionMemory.Type
