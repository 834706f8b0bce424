import type { Provider } from "../../services/CLIProvider.ts"
import { type HookState, type HookStatus } from "../../services/HookInstaller.ts"

/** Why a CLI's settings lack leap's hooks, and what adds them. */
export interface Unwired {
  readonly why: string
  /** The remedy, as the end of a sentence. */
  readonly remedy: string
  /** Whether the wiring command would add them. */
  readonly addable: boolean
}

/** How a session starts with its wiring: with hooks, perhaps with a note; without hooks, if allowed; or not at all. */
export type Gate =
  | { readonly _tag: "Open"; readonly note: string | null }
  | ({ readonly _tag: "Unwired" } & Unwired)
  | { readonly _tag: "Shut"; readonly why: string }

export const wireCommand = ({ id }: Pick<Provider, "id">): string => `leap hooks install --cli ${id}`

const open = (note: string | null = null): Gate => ({ _tag: "Open", note })

/** `Unwired` while no events arrive. Wiring that an upgrade extends gets a note; harmful wiring is `Shut`. */
export const gateOf = (
  provider: Pick<Provider, "id" | "displayName">,
  { detail, file, others, receivesEvents, state, writable }: HookStatus
): Gate => {
  const name = provider.displayName
  const command = wireCommand(provider)
  const unwired = (why: string, remedy: string, addable = true): Gate =>
    writable === false
      ? {
          _tag: "Unwired",
          why: `${why}, and ${file ?? "its settings"} cannot be written here`,
          remedy: `'${command} --print' says what to write where`,
          addable: false
        }
      : { _tag: "Unwired", why, remedy, addable }
  switch (state) {
    case "installed":
    case "unsupported":
      return open()
    case "refused":
      return {
        _tag: "Shut",
        why: `${name} skips its settings, yours included, as leap is wired into them (${detail}): run '${command}'`
      }
    case "unreadable":
      return receivesEvents
        ? open(`${file}, ${detail}: ${name} may not read it either`)
        : unwired(`${file}, ${detail}`, `mend the file, then run '${command}'`, false)
    case "foreign":
      return unwired(
        `it is wired to another installation of leap${others === undefined ? "" : `, ${others.join(", ")}`}`,
        `'${command}' takes its entries over`
      )
    case "disabled":
      return open(
        `${name} runs no hooks here (${detail}): leap goes by what it shows on the screen, and no deny or ask rule ` +
          "of yours holds"
      )
    case "missing":
    case "outdated":
    case "partly":
      if (!receivesEvents) return unwired(detail, `'${command}' adds them`)
      return open(
        `${name} is wired ${state === "partly" ? "in part" : "as by another version of leap"} (${detail}): ` +
          `run '${command}'`
      )
  }
}

export const unwiredNote = ({ displayName }: Pick<Provider, "displayName">, { remedy, why }: Unwired): string =>
  `${displayName} runs without leap's hooks (${why}), so its cost, context and last message are not known; ${remedy}`

const firstOf = ([first, ...more]: ReadonlyArray<string>): string =>
  `'${first}'${more.length === 0 ? "" : ` (and ${more.length} more of your rules)`}`

/** A note on rules that a CLI without hooks cannot enforce. */
export const voidRules = (rules: ReadonlyArray<string>): string =>
  `${firstOf(rules)} cannot hold here: this program has no hooks that would ask leap`

/** Why a CLI does not start without leap's hooks: rules need them (`inDoubt`: perhaps), or the user requires them. */
export const unwiredRefusal = (
  { displayName }: Pick<Provider, "displayName">,
  { remedy, why }: Unwired,
  rules: ReadonlyArray<string>,
  inDoubt = false
): string => {
  const cause =
    rules.length === 0
      ? "is not to be started without leap's hooks"
      : `is not started: ${firstOf(rules)} cannot hold without leap's hooks`
  const doubt = inDoubt ? "; leap's settings cannot all be read: 'leap settings check' says where" : ""
  return `${displayName} ${cause} (${why}); ${remedy}${doubt}`
}

/** One finding of `leap doctor`, also in its JSON. `mend`: the command that fixes it; null for none. */
export interface Finding {
  readonly subject: string
  readonly state: "ok" | "warning" | "broken" | "absent"
  readonly detail: string
  readonly mend: string | null
}

export const finding = (
  subject: string,
  state: Finding["state"],
  detail: string,
  mend: string | null = null
): Finding => ({ subject, state, detail, mend })

/** All findings in one line: leap is ready, and with which CLIs; or how much is to be done, and the first of it. */
export const verdictOf = (findings: ReadonlyArray<Finding>, ready: ReadonlyArray<string>): string => {
  const install = findings.find(({ state }) => state === "absent")
  const due = [
    ...findings.filter(({ state }) => state === "broken"),
    ...findings.filter(({ mend, state }) => state === "warning" && mend !== null),
    ...(ready.length === 0 && install !== undefined ? [install] : [])
  ]
  const [first] = due
  if (first === undefined) return `ready${ready.length === 0 ? "" : `: ${ready.join(", ")}`}`
  const count = due.length === 1 ? "1 thing" : `${due.length} things`
  return `${count} to do: ${first.subject}: ${first.mend ?? first.detail}`
}

const wiringText: Readonly<Record<HookState, string>> = {
  installed: "wired",
  unsupported: "it has no hooks",
  disabled: "wired, but it runs no hooks here",
  partly: "wired in part",
  outdated: "wired as by another version of leap",
  refused: "skips its settings, yours included, as leap is wired into them",
  foreign: "wired to another installation of leap",
  missing: "not wired",
  unreadable: "its settings cannot be read"
}

/** The finding on a CLI's wiring. No command repairs hooks that the user disabled, or a file that cannot be read. */
export const wiringFinding = (provider: Pick<Provider, "id">, path: string, status: HookStatus): Finding => {
  const { detail, file, state } = status
  const summary = `${path}, ${wiringText[state]}`
  const command = wireCommand(provider)
  const found = (how: Finding["state"], detail: string, mend?: string) => finding(provider.id, how, detail, mend)
  switch (state) {
    case "unsupported":
      return found("ok", summary)
    case "installed":
      return detail === "" ? found("ok", summary) : found("warning", `${summary}; ${detail}`, command)
    case "disabled":
      return found("warning", `${summary}: ${detail}`)
    case "refused":
      return found("broken", `${summary}: ${detail}`, command)
    case "unreadable":
      return found("broken", `${summary}: ${file}, ${detail}; mend it, then run '${command}'`)
    default: {
      const others = status.others === undefined ? "" : ` (${status.others.join(", ")})`
      return found("warning", `${summary}: ${detail}${others}`, command)
    }
  }
}
