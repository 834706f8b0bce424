import { has, type Since } from "../../words/reading/Version.ts"
import { withoutColours } from "../../words/text/printable.ts"

/** A flag that leap adds to a CLI's command line; a session also runs without it, less well. */
export interface OwnFlag extends Since {
  readonly flag: string
}

/** The flags that a CLI may not know: by its version, else by its help, and all flags if both are unknown. */
export const flagsToLeaveOut = (
  flags: ReadonlyArray<OwnFlag>,
  version: string | null,
  help: ReadonlySet<string> | null
): ReadonlyArray<string> =>
  flags.filter((own) => (version === null ? help?.has(own.flag) !== true : !has(version, own))).map(({ flag }) => flag)

export const flagsIn = (help: string): ReadonlySet<string> =>
  new Set(Array.from(withoutColours(help).matchAll(/(?<![\w-])--[a-z][a-z0-9-]*/g), ([flag]) => flag))

export interface EarlyEnd {
  readonly code: number | null
  /** Milliseconds after its start. */
  readonly after: number
  readonly output: string
}

/** A CLI that does not know a flag reports that first. */
const earlyMillis = 10_000

/** The flag that ended the CLI; null: another reason. */
export const flagRefused = (flags: ReadonlyArray<string>, { after, code, output }: EarlyEnd): string | null =>
  code === null || code === 0 || after > earlyMillis
    ? null
    : (flags.find((flag) => new RegExp(`(?<![\\w-])${flag}(?![\\w-])`).test(withoutColours(output))) ?? null)
