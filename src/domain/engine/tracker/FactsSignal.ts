import { isBusy } from "../../words/session/states.ts"
import { type Facts, rootRecord } from "./Facts.ts"
import { dated, unknownProblem } from "../../words/problems/ProblemText.ts"
import type { SessionState } from "../../words/session/Session.ts"
import type { Signal } from "../../words/session/Signal.ts"
import { limits } from "./stateRules/limits.ts"
import { concernsOtherSession, withSignal } from "./SessionsSeen.ts"
import { turnStartOf } from "./TurnFacts.ts"

/** No CLI has more unanswered questions at once. */
const mostQuestions = 100

const newConversation: ReadonlySet<string> = new Set(["startup", "resume", "clear"])

export const foldSignal = (before: Facts, signal: Signal, source: string, now: number, state: SessionState): Facts => {
  const sessions = withSignal(before.sessions, signal)
  const facts = sessions === before.sessions ? before : { ...before, sessions }
  if (concernsOtherSession(sessions, signal)) return facts
  const from = { ...facts, lastHook: source }
  switch (signal._tag) {
    case "SessionStarted":
      return {
        // A new conversation has no turn and no stop. `compact` continues the old one and `turn` only names it again:
        // neither is evidence of the state.
        ...(newConversation.has(signal.source) ? { ...from, turnStartedAt: null, stop: null } : facts),
        sessionId: signal.sessionId ?? facts.sessionId,
        transcriptPath: signal.transcriptPath ?? facts.transcriptPath,
        directory: signal.directory ?? facts.directory
      }
    case "SessionEnded":
      return from
    case "TurnStarted": {
      const stopped = stoppedPromptAt(facts, now)
      return {
        ...from,
        turnStartedAt: stopped ?? now,
        failedRequest: null,
        openQuestions: [],
        workedAt: now,
        stop: stopped === null ? null : facts.stop,
        problem: null,
        problemAt: null,
        lastPrompt: signal.own ? facts.lastPrompt : (signal.prompt ?? facts.lastPrompt)
      }
    }
    case "ToolStarted":
    case "ToolEnded":
      return {
        ...from,
        failedRequest: signal.agent === null ? null : facts.failedRequest,
        toolEndedAt: signal._tag === "ToolEnded" ? now : facts.toolEndedAt,
        // A subagent's tools are no evidence of the session's own turn.
        stop: signal.agent === null && facts.stop !== null && now > facts.stop.at + limits.stopGrace ? null : facts.stop
      }
    case "Asked":
      return {
        ...from,
        lastQuestion: { at: now, kind: signal.kind, message: signal.message },
        openQuestions:
          signal.id === undefined
            ? facts.openQuestions
            : [
                ...facts.openQuestions.filter(({ id }) => id !== signal.id),
                { id: signal.id, at: now, kind: signal.kind, message: signal.message }
              ].slice(-mostQuestions)
      }
    case "Answered":
      return {
        ...from,
        answeredAt: now,
        openQuestions: facts.openQuestions.filter(({ id }) => id !== signal.id),
        // From here on the status is a new report, even if it is the same.
        ownStatus:
          signal.id === undefined || facts.ownStatus === null ? facts.ownStatus : { ...facts.ownStatus, since: now }
      }
    case "TurnEnded":
      return {
        ...from,
        turnEndedAt: now,
        openQuestions: [],
        failedRequest: null,
        turnTasks: signal.background,
        ...(signal.response === null ? {} : { lastResponse: signal.response, respondedAt: now })
      }
    case "TurnFailed":
      return {
        ...from,
        turnFailedAt: now,
        failedRequest: null,
        turnTasks: null,
        problem: dated(signal.problem ?? unknownProblem(signal.message), now, facts.zone),
        problemAt: now
      }
    case "RequestFailed":
      return {
        ...from,
        failedRequest: {
          at: now,
          problem: dated(signal.problem ?? unknownProblem(signal.message), now, facts.zone)
        }
      }
    case "Responded":
      return { ...from, failedRequest: null, lastResponse: signal.text, respondedAt: now }
    case "Interrupted": {
      // leap may have seen no key for this stop. A stop that is reported late, after the next prompt, belongs to the
      // turn before.
      const since = Math.max(facts.turnStartedAt ?? 0, facts.submitted?.at ?? 0, facts.sendAt ?? 0)
      if ((signal.at ?? now) < since || (facts.stop === null && (!isBusy(state) || signal.at === since))) return facts
      return {
        ...from,
        openQuestions: [],
        stop: { at: facts.stop?.at ?? now, during: facts.stop?.during ?? state, confirmed: true }
      }
    }
    case "CompactStarted":
      return { ...from, compactStartedAt: now, workedAt: now }
    case "CompactEnded":
      return { ...from, compactEndedAt: now }
    case "OwnStatus": {
      const { background, phase, sessionId, waitingFor, word } = signal
      const previous = facts.ownStatus
      const same =
        previous !== null &&
        previous.phase === phase &&
        previous.waitingFor === waitingFor &&
        previous.background === background
      return {
        ...facts,
        ownStatus: { since: same ? previous.since : now, source, phase, waitingFor, background, word },
        openQuestions: phase === "rest" || phase === "gone" ? [] : facts.openQuestions,
        workedAt: phase === "work" ? now : facts.workedAt,
        hasWorked: facts.hasWorked || phase === "work",
        reportedRestAt: !same && phase === "rest" && rootRecord(facts.records) === null ? now : facts.reportedRestAt,
        sessionId: sessionId ?? facts.sessionId,
        directory: signal.directory ?? facts.directory
      }
    }
    case "ToolRan":
    case "ModelActed":
    case "Ignored":
      return facts
  }
}

/** The Enter of a prompt that was stopped before its late `TurnStarted`; null if another turn starts now. */
const stoppedPromptAt = (facts: Facts, now: number): number | null => {
  const { answerKeyAt, stop, submitted, turnStartedAt } = facts
  const since = submitted === null || submitted.command ? null : turnStartOf(submitted)
  if (since === null || stop === null || stop.at < since || now > stop.at + limits.stopGrace) return null
  // A stop without a key was reported by the CLI, and belongs to the turn before.
  if (answerKeyAt === null || answerKeyAt < stop.at) return null
  return turnStartedAt === null || turnStartedAt < since ? since : null
}
