import { Schema } from "effect"
import * as Arbitrary from "effect/Arbitrary"
import type { RecordRow } from "../../../src/domain/engine/history/RecordRow.ts"
import * as SessionFold from "../../../src/domain/engine/history/SessionFold.ts"
import { TurnOutcome } from "../../../src/domain/words/session/Message.ts"
import { type SessionState, SessionState as State } from "../../../src/domain/words/session/Session.ts"
import { auditEntry } from "../../domain/policy/support.ts"
import { accepted } from "./queueFixtures.ts"

/** When recorded lives in tests begin. */
export const begin = Date.UTC(2026, 0, 1)

/** A status of a session that is idle and has said nothing, unless more is given. */
export const seen = (state: SessionState, since: number, more: Partial<SessionFold.StatusSeen> = {}) =>
  ({
    state,
    since,
    reason: `because it is ${state}`,
    asked: null,
    userKeyAt: null,
    problem: null,
    sessionId: "s1",
    prompt: null,
    promptAt: null,
    answer: null,
    answerAt: null,
    lastTurn: null,
    usage: { model: null, tokens: null, usd: null, estimated: false, context: null },
    exit: null,
    ...more
  }) satisfies SessionFold.StatusSeen

/** The event of such a status at the moment it begins. */
export const status = (
  state: SessionState,
  at: number,
  more: Partial<SessionFold.StatusSeen> = {}
): SessionFold.RecordEvent => ({ _tag: "Status", at, status: seen(state, at, more) })

/** Everything that is written of a life with these events: by event, and in all. */
export const recorded = (
  events: ReadonlyArray<SessionFold.RecordEvent>,
  detail: "meta" | "full" = "full",
  resumes = false
) => {
  let [state, rows] = SessionFold.start(begin, detail, resumes)
  const groups = [rows]
  for (const event of events) {
    ;[state, rows] = SessionFold.step(state, event)
    groups.push(rows)
  }
  return { state, groups, rows: groups.flat() }
}

/** The rows of one kind. */
export const only = <Tag extends RecordRow["_tag"]>(rows: ReadonlyArray<RecordRow>, tag: Tag) =>
  rows.filter((row): row is Extract<RecordRow, { readonly _tag: Tag }> => row._tag === tag)

const gap = Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 20_000 }))
const Ops = Schema.Union([
  Schema.Struct({
    op: Schema.Literal("status"),
    state: State,
    gap,
    late: gap,
    lastTurn: Schema.NullOr(TurnOutcome),
    text: Schema.NullOr(Schema.Literals(["one", "two"])),
    used: Schema.NullOr(Schema.Literals([1, 2, 5])),
    session: Schema.NullOr(Schema.Literals(["s1", "s2"]))
  }),
  Schema.Struct({ op: Schema.Literal("accept"), id: Schema.Literals(["a", "b"]), gap }),
  Schema.Struct({
    op: Schema.Literal("step"),
    id: Schema.Literals(["a", "b"]),
    status: Schema.Literals(["typed", "submitted", "started", "done", "failed", "held"]),
    gap
  }),
  Schema.Struct({ op: Schema.Literals(["decide", "answer", "pause", "resume"]), gap })
])

/** Lives as no session would live them, too: states follow each other in any order, some are told late. */
export const Lives = Arbitrary.array(Arbitrary.schema(Ops), { maxLength: 40 }).pipe(
  Arbitrary.map((ops) => {
    let at = begin
    return ops.map((op): SessionFold.RecordEvent => {
      at += op.gap
      switch (op.op) {
        case "status": {
          const { lastTurn, late, session: sessionId, state, text, used } = op
          const usage = { model: "m", tokens: null, usd: used, estimated: true, context: null }
          const texts = { prompt: text, answer: text, answerAt: at, promptAt: at, userKeyAt: at }
          return { _tag: "Status", at, status: seen(state, at - late, { ...texts, lastTurn, sessionId, usage }) }
        }
        case "accept":
          return { _tag: "Queue", at, records: [accepted(op.id)] }
        case "step": {
          const { id, status } = op
          return { _tag: "Queue", at, records: [{ _tag: "StatusChanged", v: 1, at, id, status, why: null }] }
        }
        case "decide":
          return { _tag: "Decided", at, entry: auditEntry() }
        case "answer":
          return { _tag: "Answered", at }
        case "pause":
          return { _tag: "Paused", at }
        case "resume":
          return { _tag: "Resumed", at, detail: "full", lost: 0 }
      }
    })
  })
)
