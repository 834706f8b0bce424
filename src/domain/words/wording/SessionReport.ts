import { currentLine } from "../attention/needWords.ts"
import { needOf, needsOf } from "../attention/needsOf.ts"
import { shownNeeds } from "../attention/shownNeeds.ts"
import type { StatusReport } from "../session/ProgramStatus.ts"
import type { SessionStatus } from "../session/Session.ts"
import { type Share, shareNow, shownStates } from "../session/states.ts"

type Report = Pick<StatusReport, "state" | "kind" | "message">

/** The session's state for a terminal that reads program status; `worked`: a turn has run in it, uninterrupted. */
export interface SessionReport {
  readonly worked: boolean
  readonly report: StatusReport
}

const stateOf = (status: SessionStatus, worked: boolean): Report => {
  const { background, problem, question, reason, state } = status
  const message = currentLine(status)
  const need = needOf(status)
  switch (state) {
    case "starting":
    case "exited":
      return { state: "clear", kind: null, message: null }
    case "running":
      return { state: "working", kind: null, message: message ?? reason }
    case "churning":
      return {
        state: "working",
        kind: null,
        message: message ?? (background.map(({ title }) => title).join(", ") || reason)
      }
    case "needs_permission":
    case "needs_input": {
      const kind = problem?.kind === "auth" ? "auth" : state === "needs_permission" ? "permission" : "question"
      return { state: "blocked", kind, message: message ?? question?.title ?? reason }
    }
    case "interrupted":
    case "idle":
      // a held message waits for the user, as a question does
      if (need !== null)
        return { state: shownNeeds[need.kind].notice === "needs" ? "blocked" : "error", kind: null, message: need.text }
      return { state: worked ? "done" : "idle", kind: null, message: message ?? reason }
  }
}

/**
 * The root record that describes this session to a terminal, after the previous one: `done` at the end of a turn,
 * `idle` if none has run. `clear` removes it while the session starts, and after its end.
 */
export const sessionReport = (before: SessionReport | null, status: SessionStatus): SessionReport => {
  const { state } = status
  const worked =
    state === "running" ||
    state === "churning" ||
    (before?.worked === true && state !== "starting" && state !== "interrupted")
  const told = stateOf(status, worked)
  const named = told.state !== "clear"
  return {
    worked,
    report: {
      ...told,
      id: "",
      progress: null,
      app: named ? status.baseCli : null,
      title: named ? status.tag : null
    }
  }
}

/** A session in the title of a terminal: `my-feature: needs you`. */
export const sessionTitle = (status: SessionStatus): string => {
  const need = needOf(status)
  return `${status.tag}: ${need === null ? shownStates[status.state].phrase : shownNeeds[need.kind].title}`
}

/** The states of herdr; it derives "done" itself. */
const paneStates: Readonly<Record<Share, string>> = {
  working: "working",
  waiting: "blocked",
  resting: "idle",
  over: "idle"
}

/** A session for herdr, which lists the agents of a terminal's panes. */
export const paneReport = (status: SessionStatus): { readonly state: string; readonly message: string } => ({
  state: paneStates[shareNow({ state: status.state, needs: needsOf(status) })],
  message: sessionTitle(status)
})
