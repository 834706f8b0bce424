/** The facts about a CLI that need none of its code: enough to list it, to apply settings, and to find it. */
export interface CliIdentity {
  readonly id: string
  /** The id of the built-in CLI of which this is a variant; a built-in one has its own id. */
  readonly base: string
  readonly displayName: string
  /** The program, looked up on PATH. */
  readonly binary: string
  /** One line: how to get it. Printed with exit code 7. */
  readonly installHint: string
  /** The newest version of the CLI against which leap's rules were checked; null: none. */
  readonly checkedVersion: string | null
  /** The oldest checked version, as which an unreadable one counts; null: `checkedVersion`. */
  readonly oldestVersion: string | null
  /** Arguments with which the program prints its version and exits. */
  readonly versionArgs: ReadonlyArray<string>
  /** Default flags from the user's settings, in shell words; null: none. */
  readonly flags: string | null
  readonly hidden: boolean
  /** Part of leap: wired and started by `leap demo`. Commands for all CLIs ignore it, except `leap hooks remove`. */
  readonly bundled: boolean
  /** It has no program of its own: the user's first argument names it. */
  readonly takesCommand: boolean
  /** The CLI sets these variables for its children to mark that they run inside it. No session may inherit them. */
  readonly inside: ReadonlyArray<string>
}

/** The identity of a built-in CLI, with the most common values as defaults. */
export const identify = (
  identity: Pick<CliIdentity, "id" | "displayName" | "binary" | "installHint"> & Partial<CliIdentity>
): CliIdentity => ({
  base: identity.id,
  checkedVersion: null,
  oldestVersion: null,
  versionArgs: ["--version"],
  flags: null,
  hidden: false,
  bundled: false,
  takesCommand: false,
  inside: [],
  ...identity
})
