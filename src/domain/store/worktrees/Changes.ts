import { Schema } from "effect"
import { kinds } from "./changeKinds.ts"
import { WorktreeState } from "./Finished.ts"
import { splitPatch } from "./patchLines.ts"

/**
 * A file that differs; `from`: its former name. Counts of lines are null if it is no text. A name that ends with "/" is
 * a repository of its own, which git knows nothing of.
 */
export const ChangedFile = Schema.Struct({
  path: Schema.String,
  from: Schema.NullOr(Schema.String),
  kind: Schema.Literals(Object.values(kinds)),
  added: Schema.NullOr(Schema.Int),
  removed: Schema.NullOr(Schema.Int)
})
export type ChangedFile = typeof ChangedFile.Type

/** What differs in a work tree from a commit or a moment, in the index or not, including untracked files. */
export const Changes = Schema.Struct({
  /** The top of the work tree. */
  directory: Schema.String,
  /** The name of what it is compared with, and the commit; null if there is none yet. */
  against: Schema.Struct({ name: Schema.String, commit: Schema.NullOr(Schema.String) }),
  files: Schema.Array(ChangedFile),
  /** git's patch of the files, without long ones: no more than somebody reads. */
  patch: Schema.String,
  /** How many files the list, and how many the patch, leaves out. */
  unlisted: Schema.Int,
  unshown: Schema.Int,
  /**
   * It is compared with a moment of the session: when its files were noted, in how many milliseconds after that moment,
   * and how many were too large for it, and are not compared.
   */
  noted: Schema.optionalKey(Schema.Struct({ at: Schema.String, late: Schema.Finite, left: Schema.Int })),
  /** In a linked worktree: its state. */
  worktree: Schema.optionalKey(WorktreeState)
})
export type Changes = typeof Changes.Type

/** Files in a list, lines and characters in a patch: more is read in an editor. */
export const listMost = 1_000
const linesMost = 10_000
/** Characters of the names in a call for a patch: the system bounds a command line. */
const namesMost = 200_000
export const patchMost = 1 << 20

/** The files of `git diff --raw --numstat -z`: first the raw record of each, with its kind, then the lines of each. */
export const readChangedFiles = (text: string): ReadonlyArray<ChangedFile> => {
  const parts = text.split("\0")
  const found = new Map<string, ChangedFile>()
  const count = (digits: string): number | null => (/^\d+$/.test(digits) ? Number(digits) : null)
  for (let i = 0; i < parts.length; i++) {
    const part = parts[i]!
    if (part.startsWith(":")) {
      const letter = part.split(" ").at(-1)?.[0] ?? ""
      const first = parts[++i] ?? ""
      const isMoved = letter === "R" || letter === "C"
      const path = isMoved ? (parts[++i] ?? "") : first
      const kind = Object.hasOwn(kinds, letter) ? kinds[letter as keyof typeof kinds] : "changed"
      // An unmerged file has two records.
      if (!found.has(path)) found.set(path, { path, from: isMoved ? first : null, kind, added: null, removed: null })
      continue
    }
    const [, added = "", removed = "", name = ""] = /^(\d+|-)\t(\d+|-)\t(.*)$/s.exec(part) ?? []
    if (added === "") continue
    // A renamed file has its former and its new name in the next fields.
    if (name === "") i += 2
    const path = name === "" ? (parts[i] ?? "") : name
    const file = found.get(path)
    if (file !== undefined) found.set(path, { ...file, added: count(added), removed: count(removed) })
  }
  return [...found.values()]
}

/** The files whose patch is shown: a long one is left out, those behind it are not. */
export const shownFiles = (files: ReadonlyArray<ChangedFile>): ReadonlyArray<ChangedFile> => {
  let lines = 0
  let characters = 0
  return files.filter(({ added, from, path, removed }) => {
    const [allLines, allCharacters] = [
      lines + (added ?? 0) + (removed ?? 0),
      characters + path.length + (from?.length ?? 0)
    ]
    if (allLines > linesMost || allCharacters > namesMost) return false
    ;[lines, characters] = [allLines, allCharacters]
    return true
  })
}

/**
 * The files' patches, of at most `patchMost` characters together: a long one is left out, those behind it are not.
 * `isWhole`: the last one has its end. `shown`: how many files are in it.
 */
export const cutPatch = (patch: string, isWhole: boolean): { readonly patch: string; readonly shown: number } => {
  let length = 0
  const kept = splitPatch(patch).filter((part, n, parts) => {
    if (length + part.length > patchMost || !(isWhole || n < parts.length - 1)) return false
    length += part.length
    return true
  })
  // A file with a new type has two patches.
  return { patch: kept.join(""), shown: new Set(kept.map((part) => part.slice(0, part.indexOf("\n")))).size }
}
