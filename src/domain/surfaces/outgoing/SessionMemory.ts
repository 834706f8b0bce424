import { Schema } from "effect"
import { needKinds } from "../../words/attention/Need.ts"
import { Question, SessionState } from "../../words/session/Session.ts"
import { OutSession } from "./OutEvent.ts"

/** The memory of a session, so that each event is sent once. Times are milliseconds since the epoch. */
export const SessionMemory = Schema.Struct({
  session: OutSession,
  state: SessionState,
  since: Schema.Finite,
  /** The running turn. `answer`: the key of the last answer when the turn began. */
  turn: Schema.NullOr(Schema.Struct({ since: Schema.Finite, answer: Schema.String })),
  /** The ended turn, while its answer may still come. */
  over: Schema.NullOr(
    Schema.Struct({
      since: Schema.Finite,
      until: Schema.Finite,
      outcome: Schema.Literals(["completed", "interrupted", "failed"]),
      answer: Schema.String,
      /** The answer, if it came before the CLI reported how the turn ended. */
      response: Schema.optionalKey(Schema.String)
    })
  ),
  /** The dialog on screen, unchanged since `at`. */
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
  /** The number of dialogs that were sent since the state was entered. */
  asked: Schema.Int,
  /** The key of the last status's problem; empty for none. */
  problem: Schema.String,
  /** Its needs, unchanged since `at`, and the last ones that were sent; absent before the first look. */
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
