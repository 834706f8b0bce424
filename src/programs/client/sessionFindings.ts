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

/** The finding about a session. `goOn`: the command that continues after its end; `settings`: the settings file. */
export const sessionFinding = (session: SessionStatus, goOn: string, settings: string): ReadonlyArray<Finding> => {
  const troubles = troublesOf(session).filter(({ what }) => what !== "queue")
  return [
    ...stateFinding(session, goOn, settings),
    ...troubles.map(({ text, what }): Finding => {
      const mend = what === "notices" ? "leap notify test" : null
      return { subject: session.tag, state: "warning", detail: text, mend }
    })
  ]
}

const stateFinding = (session: SessionStatus, goOn: string, settings: string): ReadonlyArray<Finding> => {
  const held = heldText(session.queue)
  const waiting = held === null ? "" : `; ${held}`
  const { hostPid } = session
  const isStuck = session.problem?.kind === "stuck"
  if (session.problem !== null && (session.problem.kind === "crashed" || session.problem.kind === "stuck")) {
    return [
      {
        subject: session.tag,
        state: "broken",
        detail: `${session.problem.message}${waiting}${isStuck ? `; 'leap stop ${session.tag} --force' ends it` : ""}`,
        // a stopped one (Ctrl+Z, SIGSTOP) continues; it does no harm to one that hangs
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
  if (held !== null) {
    const mend = session.state === "exited" ? goOn : `leap queue release ${session.tag}`
    return [{ subject: session.tag, state: "warning", detail: `${session.state}${waiting}`, mend }]
  }
  return session.state === "exited" ? [] : [{ subject: session.tag, state: "ok", detail: session.state, mend: null }]
}
