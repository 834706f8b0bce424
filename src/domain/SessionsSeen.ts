import type { Signal } from "./Signal.ts"

/** The sessions within one CLI that have spoken: some CLIs give a subagent a session of its own, or keep several at once. */
export interface SessionsSeen {
  /** Those that belong to another one: subagents. The latest last. */
  readonly children: ReadonlyArray<string>
  /** Those with a turn of their own under way, subagents left out. */
  readonly working: ReadonlyArray<string>
}

export const noSessions: SessionsSeen = { children: [], working: [] }

/** No CLI has more subagents at once; older ones have no more to say. */
const remembered = 200

/** The session that a signal is about, where the CLI names it. */
const sessionOf = (signal: Signal): string | null =>
  signal._tag === "SessionStarted" ? signal.sessionId : "session" in signal ? signal.session ?? null : null

/** Remembers who speaks. */
export const seen = (sessions: SessionsSeen, signal: Signal): SessionsSeen => {
  const id = sessionOf(signal)
  if (id === null) return sessions
  if (signal._tag === "SessionStarted") {
    return (signal.parent ?? null) === null || sessions.children.includes(id)
      ? sessions
      : { children: [...sessions.children, id].slice(-remembered), working: sessions.working.filter((other) => other !== id) }
  }
  if (signal._tag !== "OwnStatus" || sessions.children.includes(id)) return sessions
  const works = sessions.working.includes(id)
  if (signal.phase === "work" || signal.phase === "wait") {
    return works ? sessions : { ...sessions, working: [...sessions.working, id].slice(-remembered) }
  }
  return works ? { ...sessions, working: sessions.working.filter((other) => other !== id) } : sessions
}

const ends: ReadonlySet<Signal["_tag"]> = new Set(["TurnEnded", "TurnFailed", "Interrupted"])

/**
 * Whether a signal says nothing of the session as a whole: a subagent's own business, or the rest of one session while
 * another (a subagent that nobody announced, say) still works. What asks the user counts wherever it comes from.
 */
export const isAside = ({ children, working }: SessionsSeen, signal: Signal): boolean => {
  const id = sessionOf(signal)
  if (id === null) return false
  if (children.includes(id)) return true
  const rests = ends.has(signal._tag) || signal._tag === "OwnStatus" && signal.phase !== "work" && signal.phase !== "wait"
  return rests && working.some((other) => other !== id)
}
