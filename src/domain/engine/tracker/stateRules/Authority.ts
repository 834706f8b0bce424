import type { StateReason } from "../../../words/session/StateReason.ts"
import { type Facts, rootRecord } from "../Facts.ts"

/** The CLI's program status, else its status file or events. It outranks hooks, title and screen, but not a dialog. */
export interface Authority {
  readonly phase: "work" | "rest" | "wait"
  /** What it waits for, in phase `wait`; null if unknown, and in other phases. */
  readonly waitingFor: "permission" | "question" | "dialog" | null
  readonly since: number
  /** The rest is the regular end of a turn, not an interrupt. */
  readonly finished: boolean
  readonly reason: StateReason
  readonly message: string | null
}

export const authority = (facts: Facts): Authority | null => {
  const root = rootRecord(facts.records)
  if (root !== null) {
    const { kind, message, state } = root
    // Blocked by a missing login, but with its box on screen, the CLI takes input: a problem, and no dialog.
    const loggedOut = kind === "auth" && facts.visibleSince.box !== null
    const phase = state === "working" ? "work" : state === "blocked" && !loggedOut ? "wait" : "rest"
    const waitingFor = phase !== "wait" ? null : kind === "permission" ? "permission" : "question"
    return {
      phase,
      waitingFor,
      since: facts.reportedSince ?? facts.at,
      finished: state === "done" || state === "error" || loggedOut,
      reason: { _tag: "ProgramStatus", state, message },
      message
    }
  }
  const { ownStatus } = facts
  if (ownStatus === null || ownStatus.phase === "gone") return null
  const question = ownStatus.phase === "work" ? facts.openQuestions[0] : undefined
  if (question !== undefined) {
    return {
      phase: "wait",
      waitingFor: question.kind === "permission" ? "permission" : "question",
      since: question.at,
      finished: false,
      reason: { _tag: "ToldQuestion", source: facts.lastHook ?? ownStatus.source, message: question.message },
      message: question.message
    }
  }
  return {
    phase: ownStatus.phase,
    waitingFor: ownStatus.waitingFor,
    since: ownStatus.since,
    finished: false,
    reason: { _tag: "OwnStatus", source: ownStatus.source, word: ownStatus.word },
    message: null
  }
}
