/** The facts about a CLI that need none of its code: enough to list it, to apply settings, and to look it up. */
export interface CliIdentity {
  /** Name in commands and files: `claude`. */
  readonly id: string
  /** The id of the built-in CLI of which this is a variant; its own id for a built-in one. */
  readonly base: string
  readonly displayName: string
  /** The program looked up on PATH. */
  readonly binary: string
  /** One line: how to get it. Printed with exit code 7. */
  readonly installHint: string
  /** The newest version of the CLI against which leap's rules were checked; null where none was. */
  readonly checkedVersion: string | null
  /** The oldest version they were checked against, null for the same; a version that cannot be read counts as it. */
  readonly oldestVersion: string | null
  /** Arguments with which the program prints its version and exits. */
  readonly versionArgs: ReadonlyArray<string>
  /** Default flags from the user's settings, in shell words; null for none. */
  readonly flags: string | null
  readonly hidden: boolean
  /** Part of leap itself: wired and started by `leap demo`, and ignored by commands that act on all CLIs. */
  readonly bundled: boolean
  /** It has no program of its own: the first of the user's arguments names it. */
  readonly takesCommand: boolean
  /** The CLI sets these variables for what it starts, to say that this runs inside it. No session is to have them. */
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
