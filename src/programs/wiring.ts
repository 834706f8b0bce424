import type { ProviderRecord } from "../services/CLIProvider.ts"
import type { HookState, HookStatus } from "../services/HookInstaller.ts"

/** Whether a session may be started with a CLI wired like this: with a line for the user, or not at all, and why. */
export type Gate =
  | { readonly _tag: "Open"; readonly note: string | null }
  | { readonly _tag: "Shut"; readonly why: string }

/** The command that wires a CLI, or brings its wiring up to date. */
export const wireCommand = ({ id }: Pick<ProviderRecord, "id">): string => `leap hooks install --cli ${id}`

const open = (note: string | null = null): Gate => ({ _tag: "Open", note })
const shut = (why: string): Gate => ({ _tag: "Shut", why })

/**
 * Shut only while leap would hear nothing from the CLI. An upgrade of leap that wants more than is wired locks nobody out.
 */
export const gateOf = (provider: Pick<ProviderRecord, "id" | "displayName">, { detail, file, heard, state }: HookStatus): Gate => {
  const name = provider.displayName
  const command = wireCommand(provider)
  switch (state) {
    case "installed":
    case "unsupported":
      return open()
    case "unreadable":
      return heard
        ? open(`${file}, ${detail}: ${name} may not read it either`)
        : shut(`${name} is not wired to leap: ${file}, ${detail}; mend the file, then run '${command}'`)
    case "foreign":
      return shut(`${name} is wired to another installation of leap: run '${command}'`)
    case "disabled":
      return open(`${name} runs no hooks (${detail}): leap goes by what it shows on the screen`)
    case "missing":
    case "outdated":
    case "partly":
      if (!heard) return shut(`${name} is not wired to leap (${detail}): run '${command}'`)
      return open(`${name} is wired ${state === "partly" ? "in part" : "as by another version of leap"} (${detail}): run '${command}'`)
  }
}

/** One finding of `leap doctor`. `mend`: the command that mends it; null when there is nothing to mend or no command does. */
export interface Finding {
  readonly subject: string
  readonly state: "ok" | "warning" | "broken" | "absent"
  readonly detail: string
  readonly mend: string | null
}

/** How a state of the wiring reads behind the CLI's path. */
const wiredAs: Readonly<Record<HookState, string>> = {
  installed: "wired",
  unsupported: "it has no hooks",
  disabled: "wired, but it runs no hooks",
  partly: "wired in part",
  outdated: "wired as by another version of leap",
  foreign: "wired to another installation of leap",
  missing: "not wired",
  unreadable: "its settings cannot be read"
}

/** What is said of a CLI's wiring. No command mends what the user has switched off, or a file that cannot be read. */
export const wiringFinding = (provider: Pick<ProviderRecord, "id">, path: string, { detail, file, state }: HookStatus): Omit<Finding, "subject"> => {
  const said = `${path}, ${wiredAs[state]}`
  switch (state) {
    case "unsupported":
      return { state: "ok", detail: said, mend: null }
    case "installed":
      return detail === "" ? { state: "ok", detail: said, mend: null } : { state: "warning", detail: `${said}; ${detail}`, mend: wireCommand(provider) }
    case "disabled":
      return { state: "warning", detail: `${said}: ${detail}`, mend: null }
    case "unreadable":
      return { state: "broken", detail: `${said}: ${file}, ${detail}; mend it, then run '${wireCommand(provider)}'`, mend: null }
    default:
      return { state: "warning", detail: `${said}: ${detail}`, mend: wireCommand(provider) }
  }
}
