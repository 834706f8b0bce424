import { Schema } from "effect"
import { needKinds } from "../../words/attention/Need.ts"
import { ExitStatus, ProblemKind, SessionState } from "../../words/session/Session.ts"

/** The session that an event is about. Times are ISO 8601. */
export const OutSession = Schema.Struct({
  tag: Schema.String,
  cli: Schema.String,
  cwd: Schema.String,
  startedAt: Schema.String
})
export type OutSession = typeof OutSession.Type

const text = Schema.NullOr(Schema.String)

/** The events of sessions by the names under which they are sent, with the data of each. Unknown is null. */
const kinds = {
  "session.started": Schema.Struct({}),
  /** `reason`: why leap sees the state. */
  "session.state": Schema.Struct({ state: SessionState, before: Schema.NullOr(SessionState), reason: text }),
  "dialog.opened": Schema.Struct({
    title: text,
    subject: text,
    options: Schema.Array(Schema.Struct({ number: Schema.NullOr(Schema.Int), label: Schema.String }))
  }),
  /** The dialog was answered or disappeared. `dialog` is the id of the event that opened it. */
  "dialog.closed": Schema.Struct({ dialog: Schema.String }),
  /** `response`: the CLI's answer, if it is reported and differs from the previous one. `ended`: the session ended. */
  "turn.ended": Schema.Struct({
    outcome: Schema.Literals(["completed", "interrupted", "failed", "ended"]),
    startedAt: Schema.String,
    response: text
  }),
  "session.problem": Schema.Struct({ kind: Schema.NullOr(ProblemKind), message: text, until: text }),
  /** All present needs of the session, the most urgent first. Sent at each change. */
  "session.needs": Schema.Struct({
    needs: Schema.Array(Schema.Struct({ kind: Schema.Literals(needKinds), since: Schema.String, until: text, text }))
  }),
  /** `lost`: its host died without a report. */
  "session.ended": Schema.Struct({ exit: Schema.NullOr(ExitStatus), lost: Schema.Boolean }),
  /** leap's data about the session was deleted. */
  "session.forgotten": Schema.Struct({}),
  /** How many events were dropped before this one, because the receiver accepted none for too long. */
  "events.dropped": Schema.Struct({ count: Schema.Int }),
  /** Sent by `leap out test`. */
  test: Schema.Struct({})
} as const

const event = <K extends keyof typeof kinds, F extends Schema.Struct.Fields>(type: K, extra: F) =>
  Schema.Struct({
    schema: Schema.Literal(1),
    ...extra,
    /** The same for each attempt to send the event, and if the event is found again. */
    id: Schema.String,
    type: Schema.Literal(type),
    timestamp: Schema.String,
    /** Null for an event without a session. */
    session: Schema.NullOr(OutSession),
    data: kinds[type]
  })

const union = <F extends Schema.Struct.Fields>(extra: F) =>
  Schema.Union([
    event("session.started", extra),
    event("session.state", extra),
    event("dialog.opened", extra),
    event("dialog.closed", extra),
    event("turn.ended", extra),
    event("session.problem", extra),
    event("session.needs", extra),
    event("session.ended", extra),
    event("session.forgotten", extra),
    event("events.dropped", extra),
    event("test", extra)
  ])

/** One event, stored until all receivers have it. */
export const OutEvent = union({})
export type OutEvent = typeof OutEvent.Type

/** The event with its growing number, as a receiver gets it. The same number means the same event again. */
export const OutBody = union({ sequence: Schema.Int })
export type OutBody = typeof OutBody.Type

/** An event with its place in the order of sending. */
export interface OutEntry {
  readonly sequence: number
  readonly event: OutEvent
}

/** The body of a request that delivers an event. */
export const bodyOf = ({ event, sequence }: OutEntry): string => {
  const { schema, ...rest } = event
  return JSON.stringify({ schema, sequence, ...rest })
}

/** An event without texts of the screen, for receivers that must not get them. */
export const withoutTexts = (event: OutEvent): OutEvent => {
  switch (event.type) {
    case "session.state":
      return { ...event, data: { ...event.data, reason: null } }
    case "dialog.opened": {
      const options = event.data.options.map(({ number }) => ({ number, label: "" }))
      return { ...event, data: { title: null, subject: null, options } }
    }
    case "turn.ended":
      return { ...event, data: { ...event.data, response: null } }
    case "session.problem":
      return { ...event, data: { ...event.data, message: null } }
    case "session.needs":
      return { ...event, data: { needs: event.data.needs.map((need) => ({ ...need, text: null })) } }
    default:
      return event
  }
}

/** Reports to a receiver that all events up to number `upTo` (inclusive) were dropped. */
export const droppedEvent = (receiver: string, upTo: number, count: number, at: string): OutEvent => ({
  schema: 1,
  id: `dropped_${receiver}_${upTo}`,
  type: "events.dropped",
  timestamp: at,
  session: null,
  data: { count }
})
