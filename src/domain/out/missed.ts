import { type LogSource, logEntries } from "../record/LogEntry.ts"
import { dialogGrace, eventId, eventsOf } from "./outFold.ts"
import type { OutEvent, OutSession } from "./OutEvent.ts"
import type { SessionMemory } from "./SessionMemory.ts"

/** From when on the record is read for what happened since `seenAt`: what was open then may have ended meanwhile. */
export const readFrom = (sessions: Iterable<SessionMemory>, seenAt: number, longest: number): number => {
  let from = seenAt
  for (const { dialog, over, turn } of sessions)
    from = Math.min(from, dialog?.since ?? from, over?.since ?? from, turn?.since ?? from)
  return Math.max(from, seenAt - longest)
}

/**
 * What the record tells of the time in which nobody told of it: turns, dialogs that are over, problems, beginnings and
 * ends, in the order in which they happened. What was told already has the same id here.
 */
export const missed = (source: LogSource, seenAt: number): ReadonlyArray<OutEvent> => {
  const lives = [...source.lives].sort((a, b) => a.since - b.since)
  const sessionAt = (tag: string, at: number): OutSession | null => {
    const life = lives.findLast((one) => one.tag === tag && one.since <= at)
    if (life === undefined) return null
    return { tag, cli: life.cli, cwd: life.cwd, startedAt: new Date(life.since).toISOString() }
  }
  const events: Array<OutEvent> = []
  // what still runs has no end: the sessions themselves tell it
  for (const entry of logEntries(source, 0, () => true)) {
    const session = sessionAt(entry.tag, entry.at)
    if (session === null) continue
    const tell = eventsOf(session)
    switch (entry.kind) {
      case "started":
        if (entry.at > seenAt) events.push(tell.started())
        break
      case "ended":
        if (entry.at > seenAt) events.push(tell.ended({ code: entry.code, signal: entry.signal }, entry.at))
        break
      case "turn": {
        const { at, outcome, until } = entry
        if (until === null || until <= seenAt) break
        events.push(tell.turn(at, until, outcomes.find((one) => one === outcome) ?? "completed", entry.answer))
        break
      }
      case "dialog": {
        const { asked, at, until } = entry
        if (until === null || until <= seenAt || until < at + dialogGrace) break
        const id = eventId("dialog", session.tag, at)
        const seen = { id, since: at, at, title: asked ?? "", question: null, told: true }
        if (at > seenAt) events.push(tell.opened(seen))
        events.push(tell.closed(id, until))
        break
      }
      case "problem":
        if (entry.at > seenAt)
          events.push({
            schema: 1,
            id: eventId("problem", session.tag, entry.at),
            type: "session.problem",
            timestamp: new Date(entry.at).toISOString(),
            session,
            data: { kind: null, message: entry.text, until: null }
          })
        break
    }
  }
  return events.sort((a, b) => a.timestamp.localeCompare(b.timestamp))
}

const outcomes = ["completed", "interrupted", "failed", "ended"] as const
