import type { Signal } from "../../words/session/Signal.ts"

/** The sessions within one CLI that signals have named: a subagent may have its own, and some CLIs keep several. */
export interface SessionsSeen {
  readonly children: ReadonlyArray<string>
  /** The others that have a turn under way. */
  readonly working: ReadonlyArray<string>
}

export const noSessions: SessionsSeen = { children: [], working: [] }

/** No CLI has more subagents at once; older ones send no more signals. */
const remembered = 200

const sessionOf = (signal: Signal): string | null =>
  signal._tag === "SessionStarted" ? signal.sessionId : "session" in signal ? (signal.session ?? null) : null

export const withSignal = (sessions: SessionsSeen, signal: Signal): SessionsSeen => {
  const id = sessionOf(signal)
  if (id === null) return sessions
  if (signal._tag === "SessionStarted") {
    return (signal.parent ?? null) === null || sessions.children.includes(id)
      ? sessions
      : {
          children: [...sessions.children, id].slice(-remembered),
          working: sessions.working.filter((other) => other !== id)
        }
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
 * Whether a signal is no evidence of the state of the whole session: a subagent's signal, or the rest of one session
 * while another works (perhaps a subagent that was not announced). A question counts whichever session asks it.
 */
export const concernsOtherSession = ({ children, working }: SessionsSeen, signal: Signal): boolean => {
  const id = sessionOf(signal)
  if (id === null) return false
  if (children.includes(id)) return true
  const rests =
    ends.has(signal._tag) || (signal._tag === "OwnStatus" && signal.phase !== "work" && signal.phase !== "wait")
  return rests && working.some((other) => other !== id)
}
