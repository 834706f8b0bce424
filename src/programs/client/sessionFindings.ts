import { hasNoAddress } from "../../domain/words/session/hostUnreached.ts"
import type { SessionStatus } from "../../domain/words/session/Session.ts"
import { heldText } from "../../domain/words/wording/StateLine.ts"
import { troublesOf } from "../../domain/words/wording/troublesOf.ts"
import type { Finding } from "./wiring.ts"

/** The finding about a queue with missing messages, if any. */
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

/** The findings about a session. `resumeCommand`: continues it after its end; `settings`: the settings file. */
export const sessionFinding = (
  session: SessionStatus,
  resumeCommand: string,
  settings: string
): ReadonlyArray<Finding> => {
  const troubles = troublesOf(session).filter(({ what }) => what !== "queue")
  return [
    ...stateFinding(session, resumeCommand, settings),
    ...troubles.map(({ text, what }): Finding => {
      const mend = what === "notices" ? "leap notify test" : null
      return { subject: session.tag, state: "warning", detail: text, mend }
    })
  ]
}

const stateFinding = (session: SessionStatus, resumeCommand: string, settings: string): ReadonlyArray<Finding> => {
  const held = heldText(session.queue)
  const waiting = held === null ? "" : `; ${held}`
  const { hostPid } = session
  const { problem } = session
  const isStuck = problem?.kind === "stuck"
  if (problem !== null && (isStuck || problem.kind === "crashed")) {
    return [
      {
        subject: session.tag,
        state: "broken",
        detail: `${problem.message}${waiting}${isStuck ? `; 'leap stop ${session.tag} --force' ends it` : ""}`,
        // SIGCONT continues a stopped host. It does not harm a host that hangs.
        mend: !isStuck
          ? resumeCommand
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
          `${session.state}; leap does not recognize its screen and sends it no messages${waiting}. Type there ` +
          "yourself. Or start it in a tested version, with NO_COLOR unset and without a TERM of its own. " +
          `With "unknownLayout": "trust" in ${settings}, leap types into what looks like the prompt`,
        mend: `leap attach ${session.tag}`
      }
    ]
  }
  if (held !== null) {
    const mend = session.state === "exited" ? resumeCommand : `leap queue release ${session.tag}`
    return [{ subject: session.tag, state: "warning", detail: `${session.state}${waiting}`, mend }]
  }
  return session.state === "exited" ? [] : [{ subject: session.tag, state: "ok", detail: session.state, mend: null }]
}
