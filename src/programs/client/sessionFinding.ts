import { hasNoAddress } from "../../domain/words/session/hostUnreached.ts"
import type { SessionStatus } from "../../domain/words/session/Session.ts"
import { unwiredLine } from "../../domain/words/wording/StateLine.ts"
import type { Finding } from "./wiring.ts"

/** A queue of which messages may be missing. */
export const queueFinding = ({ queueProblem, tag }: SessionStatus): Finding | null => {
  if (!queueProblem) return null
  const { file, kind, message } = queueProblem
  return {
    subject: tag,
    state: kind === "damaged" ? "warning" : "broken",
    detail: message,
    mend: kind === "damaged" ? `rm '${file}'` : kind === "newer" ? `mv '${file}' '${file}.newer'` : null
  }
}

/** What is to be said of a session. `goOn`: the command that goes on after its end; `settings`: the settings file. */
export const sessionFinding = (session: SessionStatus, goOn: string, settings: string): ReadonlyArray<Finding> => {
  const found = stateFinding(session, goOn, settings)
  if (session.state === "exited") return found
  const more = (detail: string | null, mend: string | null): ReadonlyArray<Finding> =>
    detail === null ? [] : [{ subject: session.tag, state: "warning", detail, mend }]
  const because = (what: string, problem: string | null | undefined) => (problem ? `${what}: ${problem}` : null)
  return [
    ...found,
    ...more(unwiredLine(session), null),
    ...more(because("you are not told of it", session.notifyProblem), "leap notify test"),
    ...more(because("it is not recorded", session.recordProblem), null)
  ]
}

const stateFinding = (session: SessionStatus, goOn: string, settings: string): ReadonlyArray<Finding> => {
  const held = session.queue.filter((message) => message.status === "held").length
  const waiting = held === 0 ? "" : `; ${held === 1 ? "1 message is" : `${held} messages are`} held`
  const { hostPid } = session
  const isStuck = session.problem?.kind === "stuck"
  if (session.problem !== null && (session.problem.kind === "crashed" || session.problem.kind === "stuck")) {
    return [
      {
        subject: session.tag,
        state: "broken",
        detail: `${session.problem.message}${waiting}${isStuck ? `; 'leap stop ${session.tag} --force' ends it` : ""}`,
        // one that was stopped (Ctrl+Z, SIGSTOP) goes on; to one that hangs it does no harm
        mend: !isStuck
          ? goOn
          : hostPid === null || hasNoAddress(session)
            ? `leap stop ${session.tag} --force`
            : `kill -CONT ${hostPid}`
      }
    ]
  }
  if (session.layout === "unknown" && session.state !== "exited") {
    return [
      {
        subject: session.tag,
        state: "warning",
        detail:
          `${session.state}; its screen is not known to leap, which types nothing into it${waiting}: type there ` +
          "yourself, or start it in a version that leap was checked with, without NO_COLOR and with no TERM of its " +
          `own; "unknownLayout": "trust" in ${settings} lets messages into what looks like its box`,
        mend: `leap attach ${session.tag}`
      }
    ]
  }
  if (held > 0) {
    const mend = session.state === "exited" ? goOn : `leap queue release ${session.tag}`
    return [{ subject: session.tag, state: "warning", detail: `${session.state}${waiting}`, mend }]
  }
  return session.state === "exited" ? [] : [{ subject: session.tag, state: "ok", detail: session.state, mend: null }]
}
