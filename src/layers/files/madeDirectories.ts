import { Effect } from "effect"
import * as crypto from "node:crypto"
import * as fs from "node:fs"
import * as path from "node:path"
import { isMissing } from "./lookAt.ts"
import { tryOr } from "../../domain/words/reading/tryOr.ts"

const isCode = (cause: unknown, code: string): boolean => (cause as NodeJS.ErrnoException).code === code

/**
 * Makes a directory with its missing parents; an existing one stays as it is. Node's own recursive form loops for ever
 * if the system reports a directory as missing whose parent exists, as /proc does.
 */
export const makeDirectory = (dir: string, mode: number): void => {
  try {
    fs.mkdirSync(dir, { mode })
  } catch (cause) {
    if (isCode(cause, "EEXIST") && fs.statSync(dir, { throwIfNoEntry: false })?.isDirectory() === true) return
    if (isCode(cause, "EEXIST")) throw Object.assign(new Error("something else is in its place"), { code: "EEXIST" })
    const above = path.dirname(dir)
    if (!isCode(cause, "ENOENT") || above === dir || fs.existsSync(above)) throw cause
    makeDirectory(above, mode)
    makeDirectory(dir, mode)
  }
}

/** Remembers the directories that leap made for CLIs' settings, to remove them if nobody else uses them. */
export interface MadeDirectories {
  /** The missing directories on the path to this one, which are about to be made. */
  readonly missing: (dir: string) => Effect.Effect<ReadonlyArray<string>>
  /** Remembers them. One that cannot be remembered stays for ever, which is harmless. */
  readonly remember: (dirs: ReadonlyArray<string>) => Effect.Effect<void>
  /** Removes this directory and its parents, if leap made them and they are empty. */
  readonly takeAway: (dir: string) => Effect.Effect<void>
}

/** The identity of a directory: another one of the same name has a different one. */
const identityOf = (dir: string): string | null => {
  const stat = fs.lstatSync(dir, { bigint: true, throwIfNoEntry: false })
  return stat?.isDirectory() === true ? `${stat.dev}:${stat.ino}` : null
}

const ignoring = (run: () => void): Effect.Effect<void> => Effect.ignore(Effect.try(run))

/** `notes`: the directory with a note for each; no two processes write the same one. */
export const make = (notes: string): MadeDirectories => {
  const noteOf = (dir: string): string => path.join(notes, crypto.createHash("sha256").update(dir).digest("hex"))
  const textOf = (dir: string): string => `${identityOf(dir)} ${dir}\n`
  const isMade = (dir: string): boolean => tryOr(() => fs.readFileSync(noteOf(dir), "utf8") === textOf(dir), false)
  return {
    missing: (dir) =>
      Effect.sync(() => {
        const found: Array<string> = []
        for (let at = dir; isMissing(at) === true && path.dirname(at) !== at; at = path.dirname(at)) found.push(at)
        return found
      }),
    remember: (dirs) =>
      Effect.forEach(
        dirs,
        (dir) =>
          ignoring(() => {
            makeDirectory(notes, 0o700)
            fs.writeFileSync(noteOf(dir), textOf(dir), { mode: 0o600 })
          }),
        { discard: true }
      ),
    takeAway: (dir) =>
      ignoring(() => {
        for (let at = dir; isMade(at); at = path.dirname(at)) {
          fs.rmdirSync(at)
          fs.rmSync(noteOf(at), { force: true })
        }
      })
  }
}
