import { Data, Effect } from "effect"
import * as fs from "node:fs"
import { copyFile, lstat, readlink, symlink } from "node:fs/promises"
import * as path from "node:path"
import { isGarbled } from "../../domain/store/worktrees/GitText.ts"
import { type Git, namesIn } from "./git.ts"
import { tryOr } from "../../domain/words/reading/tryOr.ts"

/** Names the ignored files that are copied into worktrees, in the syntax of a .gitignore. */
export const includeFile = ".worktreeinclude"

/** The number of files of one worktree that are copied concurrently. */
const together = 8

/** A file could not be copied. */
export class CopyError extends Data.TaggedError("CopyError")<{ readonly message: string }> {}

const isFile = (file: string): boolean => fs.statSync(file, { throwIfNoEntry: false })?.isFile() === true

/** The list of a work tree, or of another one for it; null for none. */
export const includeListOf = (...tops: ReadonlyArray<string | null>): string | null =>
  tops.flatMap((top) => (top === null ? [] : [path.join(top, includeFile)])).find(isFile) ?? null

/**
 * The files of a work tree that the list names and that git ignores; null if git fails. A repository within the work
 * tree is not one of its files.
 */
export const includedIn = Effect.fn("worktrees.includedIn")(function* (git: Git, top: string, list: string) {
  const named = yield* git.read(top, ["ls-files", "-z", "--others", "--ignored", `--exclude-from=${list}`])
  if (named.code !== 0) return null
  const all = namesIn(named.out).filter((name) => !name.endsWith("/"))
  // git cannot be asked about these by their names
  const garbled = all.filter(isGarbled)
  const files = all.filter((name) => !isGarbled(name))
  if (files.length === 0) return garbled
  const ignored = yield* git.read(top, ["check-ignore", "-z", "--stdin"], files.map((name) => `${name}\0`).join(""))
  // 1: none of them
  return ignored.code === 0 ? [...namesIn(ignored.out), ...garbled] : ignored.code === 1 ? garbled : null
})

const codeOf = (cause: unknown): string | undefined => (cause as NodeJS.ErrnoException | null)?.code

/**
 * Creates the directories of a file's path in the worktree; false if something else is there: a link of the branch's
 * would lead out of it.
 */
const wayTo = (root: string, name: string, known: Set<string>): boolean => {
  let at = root
  for (const part of path.dirname(name).split("/")) {
    if (part === ".") continue
    at = path.join(at, part)
    if (known.has(at)) continue
    const stat = fs.lstatSync(at, { throwIfNoEntry: false })
    if (stat === undefined) fs.mkdirSync(at)
    else if (!stat.isDirectory()) return false
    known.add(at)
  }
  return true
}

/** Copies a file, or a link as a link; false for anything else. */
const copyOne = (from: string, to: string): Promise<boolean> =>
  lstat(from).then((stat) => {
    if (stat.isSymbolicLink())
      return readlink(from)
        .then((target) => symlink(target, to))
        .then(() => true)
    if (!stat.isFile()) return false
    return copyFile(from, to, fs.constants.COPYFILE_EXCL | fs.constants.COPYFILE_FICLONE).then(() => true)
  })

/**
 * Copies files of a work tree into a worktree, and returns their number. Names that are not files, are gone or exist
 * already are skipped.
 */
export const copyInto = Effect.fn("worktrees.copyInto")(function* (
  top: string,
  root: string,
  names: ReadonlyArray<string>
) {
  const known = new Set<string>()
  const copied = yield* Effect.forEach(
    names,
    (name) =>
      Effect.tryPromise({
        try: () =>
          wayTo(root, name, known) ? copyOne(path.join(top, name), path.join(root, name)) : Promise.resolve(false),
        catch: (cause) => cause
      }).pipe(
        Effect.catchIf(
          (cause) => codeOf(cause) === "EEXIST" || codeOf(cause) === "ENOENT",
          () => Effect.succeed(false)
        ),
        Effect.mapError(
          (cause) => new CopyError({ message: `${name}: ${cause instanceof Error ? cause.message : ""}` })
        )
      ),
    { concurrency: together }
  )
  return copied.filter(Boolean).length
})

/** The same bytes, or links to the same. */
const isSame = (one: string, other: string): boolean => {
  const [a, b] = [one, other].map((file) => fs.lstatSync(file, { throwIfNoEntry: false }))
  if (a === undefined || b === undefined) return a === b
  if (a.isSymbolicLink() && b.isSymbolicLink()) return fs.readlinkSync(one) === fs.readlinkSync(other)
  return a.isFile() && b.isFile() && a.size === b.size && fs.readFileSync(one).equals(fs.readFileSync(other))
}

/** The files in a worktree that differ from their originals. */
export const differing = (root: string, from: string, names: ReadonlyArray<string>): ReadonlyArray<string> | null =>
  tryOr(() => names.filter((name) => isGarbled(name) || !isSame(path.join(root, name), path.join(from, name))), null)

/**
 * The files that were written after `at`; changing a file's times does not hide a write. A file with an unreadable name
 * was never copied, so it is the user's.
 */
export const writtenSince = (root: string, names: ReadonlyArray<string>, at: number): ReadonlyArray<string> =>
  names.filter(
    (name) => isGarbled(name) || (fs.lstatSync(path.join(root, name), { throwIfNoEntry: false })?.ctimeMs ?? 0) > at
  )
