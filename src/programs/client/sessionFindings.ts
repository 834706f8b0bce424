import type { Need, NeedKind } from "../../domain/words/attention/Need.ts"
import { needsOf } from "../../domain/words/attention/needsOf.ts"
import { needLine } from "../../domain/words/attention/needWords.ts"
import { hasNoAddress } from "../../domain/words/session/hostUnreached.ts"
import type { SessionStatus } from "../../domain/words/session/Session.ts"
import { runs } from "../../domain/words/session/states.ts"
import { troublesOf } from "../../domain/words/wording/troublesOf.ts"
import { type Finding, finding } from "./wiring.ts"

/** The finding about a queue with missing messages, if any. */
export const queueFinding = ({ queueProblem, tag }: SessionStatus): Finding | null => {
  if (!queueProblem) return null
  const { file, kind, message } = queueProblem
  if (kind === "damaged") return finding(tag, "warning", message, `rm '${file}'`)
  return finding(tag, "broken", message, kind === "newer" ? `mv '${file}' '${file}.newer'` : null)
}

/** The findings about a session. `resumeCommand`: continues it after its end; `settings`: the settings file. */
export const sessionFinding = (
  session: SessionStatus,
  resumeCommand: string,
  settings: string
): ReadonlyArray<Finding> => {
  const troubles = troublesOf(session).filter(({ what }) => what !== "queue")
  return [
    ...stateFindings(session, resumeCommand, settings),
    ...troubles.map(({ text, what }) =>
      finding(session.tag, "warning", text, what === "notices" ? "leap notify test" : null)
    )
  ]
}

/** The weight of a need here. A dialog is no fault: its session goes on with the answer. */
const weights = {
  permission: "ok",
  question: "ok",
  stuck: "broken",
  failed: "warning",
  held: "warning",
  unknown_screen: "warning",
  limit: "warning",
  ended: "broken"
} as const satisfies Record<NeedKind, Finding["state"]>

/** What is to be done about a screen that is not known. */
const unknownAdvice = (settings: string): string =>
  "leap does not recognize its screen and sends it no messages. Type there yourself. Or start it in a tested " +
  `version, with NO_COLOR unset and without a TERM of its own. With "unknownLayout": "trust" in ${settings}, leap ` +
  "types into what looks like the prompt"

/** The command that acts on a need; null if only time or an answer ends it. */
const mendOf = (session: SessionStatus, { kind, offers }: Need, resumeCommand: string): string | null => {
  const { hostPid, tag } = session
  switch (kind) {
    case "stuck":
      // SIGCONT continues a stopped host. It does not harm a host that hangs.
      return hostPid === null || hasNoAddress(session) ? `leap stop ${tag} --force` : `kill -CONT ${hostPid}`
    case "ended":
      return resumeCommand
    case "unknown_screen":
      return `leap attach ${tag}`
    default: {
      const [offer] = offers
      if (offer?.operation === "retry") return `leap queue retry ${tag} all`
      return offer?.operation === "release" ? `leap queue release ${tag}` : null
    }
  }
}

/** What the session needs of its user, as all surfaces tell it; else its state. */
const stateFindings = (session: SessionStatus, resumeCommand: string, settings: string): ReadonlyArray<Finding> => {
  const { layout, state, tag } = session
  const needs = needsOf(session)
  const isUnknown = layout === "unknown" && runs(session)
  const found = needs.map((need) => {
    const detail = [
      needLine(need),
      ...(need.kind === "unknown_screen" ? [unknownAdvice(settings)] : []),
      ...(need.kind === "stuck" ? [`'leap stop ${tag} --force' ends it`] : [])
    ].join("; ")
    return finding(tag, weights[need.kind], detail, mendOf(session, need, resumeCommand))
  })
  if (isUnknown && needs.every(({ kind }) => kind !== "unknown_screen" && kind !== "stuck"))
    found.push(finding(tag, "warning", `${state}; ${unknownAdvice(settings)}`, `leap attach ${tag}`))
  return found.length > 0 || !runs(session) ? found : [finding(tag, "ok", state)]
}
