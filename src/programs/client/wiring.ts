import type { Provider } from "../../services/CLIProvider.ts"
import { type HookState, type HookStatus } from "../../services/HookInstaller.ts"

/** Whether a session may be started with a CLI wired like this, perhaps with a note for the user; if not, why. */
export type Gate =
  | { readonly _tag: "Open"; readonly note: string | null }
  | { readonly _tag: "Shut"; readonly why: string }

/** The command that wires a CLI, or updates its wiring. */
export const wireCommand = ({ id }: Pick<Provider, "id">): string => `leap hooks install --cli ${id}`

const open = (note: string | null = null): Gate => ({ _tag: "Open", note })
const shut = (why: string): Gate => ({ _tag: "Shut", why })

/**
 * Shut only while leap would receive no events from the CLI and the user can change that: where the settings cannot be
 * written, the session starts without, and says so. An upgrade of leap that wants more wiring than is there does not
 * prevent a start.
 */
export const gateOf = (provider: Pick<Provider, "id" | "displayName">, status: HookStatus): Gate => {
  const gate = gateByState(provider, status)
  if (gate._tag === "Open" || status.state === "refused" || status.writable !== false) return gate
  return open(
    `${provider.displayName} is not wired to leap (${status.detail}), and ${status.file ?? "its settings"} cannot be ` +
      "written here: leap goes by what it shows on the screen, and no deny or ask rule of yours holds; " +
      `'${wireCommand(provider)} --print' says what to write where`
  )
}

const gateByState = (
  provider: Pick<Provider, "id" | "displayName">,
  { detail, file, others, receivesEvents, state }: HookStatus
): Gate => {
  const name = provider.displayName
  const command = wireCommand(provider)
  switch (state) {
    case "installed":
    case "unsupported":
      return open()
    case "refused":
      return shut(
        `${name} skips its settings, yours included, as leap is wired into them (${detail}): run '${command}'`
      )
    case "unreadable":
      return receivesEvents
        ? open(`${file}, ${detail}: ${name} may not read it either`)
        : shut(`${name} is not wired to leap: ${file}, ${detail}; mend the file, then run '${command}'`)
    case "foreign":
      return shut(
        `${name} is wired to another installation of leap${others === undefined ? "" : ` (${others.join(", ")})`}: ` +
          `run '${command}', which takes its entries over`
      )
    case "disabled":
      return open(
        `${name} runs no hooks here (${detail}): leap goes by what it shows on the screen, and no deny or ask rule ` +
          "of yours holds"
      )
    case "missing":
    case "outdated":
    case "partly":
      if (!receivesEvents) return shut(`${name} is not wired to leap (${detail}): run '${command}'`)
      return open(
        `${name} is wired ${state === "partly" ? "in part" : "as by another version of leap"} (${detail}): ` +
          `run '${command}'`
      )
  }
}

/**
 * One finding of `leap doctor`. `mend`: the command that repairs it; null when there is nothing to repair or no command
 * does.
 */
export interface Finding {
  readonly subject: string
  readonly state: "ok" | "warning" | "broken" | "absent"
  readonly detail: string
  readonly mend: string | null
}

/** The state of the wiring as the text that follows the CLI's path. */
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

/** The finding on a CLI's wiring. No command repairs what the user has switched off, or a file that cannot be read. */
export const wiringFinding = (
  provider: Pick<Provider, "id">,
  path: string,
  status: HookStatus
): Omit<Finding, "subject"> => {
  const { detail, file, state } = status
  const summary = `${path}, ${wiringText[state]}`
  switch (state) {
    case "unsupported":
      return { state: "ok", detail: summary, mend: null }
    case "installed":
      return detail === ""
        ? { state: "ok", detail: summary, mend: null }
        : { state: "warning", detail: `${summary}; ${detail}`, mend: wireCommand(provider) }
    case "disabled":
      return { state: "warning", detail: `${summary}: ${detail}`, mend: null }
    case "refused":
      return { state: "broken", detail: `${summary}: ${detail}`, mend: wireCommand(provider) }
    case "unreadable":
      return {
        state: "broken",
        detail: `${summary}: ${file}, ${detail}; mend it, then run '${wireCommand(provider)}'`,
        mend: null
      }
    default: {
      const others = status.others === undefined ? "" : ` (${status.others.join(", ")})`
      return { state: "warning", detail: `${summary}: ${detail}${others}`, mend: wireCommand(provider) }
    }
  }
}
