import { began, type Facts, rootRecord, stopGrace } from "./Facts.ts"
import { dated } from "./ProblemText.ts"
import type { SessionState } from "./Session.ts"
import { isAside, seen } from "./SessionsSeen.ts"
import type { Signal } from "./Signal.ts"

/** No CLI asks for more at once. */
const askingLimit = 100

const turning: ReadonlySet<SessionState> = new Set(["running", "needs_permission", "needs_input"])
const fresh: ReadonlySet<string> = new Set(["startup", "resume", "clear"])

/** Takes the word of a hook, a plugin, a transcript or a status file in; `source` names it. */
export const foldSignal = (before: Facts, signal: Signal, source: string, now: number, state: SessionState): Facts => {
  const sessions = seen(before.sessions, signal)
  const facts = sessions === before.sessions ? before : { ...before, sessions }
  if (isAside(sessions, signal)) return facts
  const from = { ...facts, hook: source }
  switch (signal._tag) {
    case "SessionStarted":
      return {
        // To be named again says nothing of the state.
        ...fresh.has(signal.source) ? from : facts,
        // A new conversation has no turn and nothing stopped; `compact` goes on with the old one, `turn` only names it again.
        turnStartedAt: fresh.has(signal.source) ? null : facts.turnStartedAt,
        stop: fresh.has(signal.source) ? null : facts.stop,
        sessionId: signal.sessionId ?? facts.sessionId,
        transcriptPath: signal.transcriptPath ?? facts.transcriptPath
      }
    case "SessionEnded":
      return from
    case "TurnStarted": {
      const stopped = stoppedBefore(facts, now)
      return {
        ...from,
        turnStartedAt: stopped ?? now,
        failedRequest: null,
        asking: [],
        workedAt: now,
        stop: stopped === null ? null : facts.stop,
        problem: null,
        problemAt: null,
        lastPrompt: signal.own ? facts.lastPrompt : signal.prompt ?? facts.lastPrompt
      }
    }
    case "ToolStarted":
    case "ToolEnded":
      return {
        ...from,
        failedRequest: signal.agent === null ? null : facts.failedRequest,
        toolEndedAt: signal._tag === "ToolEnded" ? now : facts.toolEndedAt,
        // A subagent's tools say nothing of the session's own turn.
        stop: signal.agent === null && facts.stop !== null && now > facts.stop.at + stopGrace ? null : facts.stop
      }
    case "Asked":
      return {
        ...from,
        asked: { at: now, kind: signal.kind, message: signal.message },
        asking: signal.id === undefined ? facts.asking : [
          ...facts.asking.filter(({ id }) => id !== signal.id),
          { id: signal.id, at: now, kind: signal.kind, message: signal.message }
        ].slice(-askingLimit)
      }
    case "Answered":
      return {
        ...from,
        answeredAt: now,
        asking: facts.asking.filter(({ id }) => id !== signal.id),
        // what it says from here on is news
        own: signal.id === undefined || facts.own === null ? facts.own : { ...facts.own, since: now }
      }
    case "TurnEnded":
      return {
        ...from,
        turnEndedAt: now,
        asking: [],
        failedRequest: null,
        turnTasks: signal.background,
        ...signal.response === null ? {} : { lastResponse: signal.response, respondedAt: now }
      }
    case "TurnFailed":
      return {
        ...from,
        turnFailedAt: now,
        failedRequest: null,
        turnTasks: null,
        problem: signal.problem === null ? null : dated(signal.problem, now, facts.zone),
        problemAt: now
      }
    case "RequestFailed":
      return { ...from, failedRequest: { at: now, problem: signal.problem === null ? null : dated(signal.problem, now, facts.zone) } }
    case "Responded":
      return { ...from, failedRequest: null, lastResponse: signal.text, respondedAt: now }
    case "Interrupted": {
      // a stop that leap did not see; one written down late, after the next prompt, is of the turn before
      const since = Math.max(facts.turnStartedAt ?? 0, facts.submitted?.at ?? 0, facts.sendAt ?? 0)
      if ((signal.at ?? now) < since || facts.stop === null && (!turning.has(state) || signal.at === since)) return facts
      return { ...from, asking: [], stop: { at: facts.stop?.at ?? now, during: facts.stop?.during ?? state, told: true } }
    }
    case "CompactStarted":
      return { ...from, compactStartedAt: now, workedAt: now }
    case "CompactEnded":
      return { ...from, compactEndedAt: now }
    case "OwnStatus": {
      const { background, phase, sessionId, waitingFor, word } = signal
      const was = facts.own
      const same = was !== null && was.phase === phase && was.waitingFor === waitingFor && was.background === background
      return {
        ...facts,
        own: { since: same ? was.since : now, source, phase, waitingFor, background, word },
        asking: phase === "rest" || phase === "gone" ? [] : facts.asking,
        workedAt: phase === "work" ? now : facts.workedAt,
        hasWorked: facts.hasWorked || phase === "work",
        restedAt: !same && phase === "rest" && rootRecord(facts.records) === null ? now : facts.restedAt,
        sessionId: sessionId ?? facts.sessionId
      }
    }
    case "Ignored":
      return facts
  }
}

/**
 * When the prompt was sent whose turn the user has stopped before the CLI's word of its beginning has come: hooks take their time.
 * Null when the turn that begins is another.
 */
const stoppedBefore = (facts: Facts, now: number): number | null => {
  const { chosenAt, stop, submitted, turnStartedAt } = facts
  const since = submitted === null || submitted.command ? null : began(submitted)
  if (since === null || stop === null || stop.at < since || now > stop.at + stopGrace) return null
  // By a key: what the CLI said of a stop is of the turn before.
  if (chosenAt === null || chosenAt < stop.at) return null
  return turnStartedAt === null || turnStartedAt < since ? since : null
}
