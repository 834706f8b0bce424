import { has, type Since } from "../../words/reading/Version.ts"
import { withoutColours } from "./versionText.ts"

/** A flag that leap adds to a CLI's command line, and without which a session runs less well but does run. */
export interface OwnFlag extends Since {
  readonly flag: string
}

/** The flags that a CLI does not know, by its version; by the flags in its help where the version is not known. */
export const flagsToLeaveOut = (
  flags: ReadonlyArray<OwnFlag>,
  version: string | null,
  help: ReadonlySet<string> | null
): ReadonlyArray<string> =>
  flags.filter((own) => (version === null ? help?.has(own.flag) !== true : !has(version, own))).map(({ flag }) => flag)

/** The long flags that a program's help names. */
export const flagsIn = (help: string): ReadonlySet<string> =>
  new Set(Array.from(withoutColours(help).matchAll(/(?<![\w-])--[a-z][a-z0-9-]*/g), ([flag]) => flag))

/** A CLI that was started with flags of leap's, and has ended. */
export interface EarlyEnd {
  readonly code: number | null
  /** Milliseconds after its start. */
  readonly after: number
  /** The beginning of what it printed. */
  readonly output: string
}

/** A CLI that does not know a flag says so before it does anything else. */
const earlyMillis = 10_000

/** The first of the flags over which the CLI ended; null where it ended for another reason. */
export const flagRefused = (flags: ReadonlyArray<string>, { after, code, output }: EarlyEnd): string | null =>
  code === null || code === 0 || after > earlyMillis
    ? null
    : (flags.find((flag) => new RegExp(`(?<![\\w-])${flag}(?![\\w-])`).test(withoutColours(output))) ?? null)
