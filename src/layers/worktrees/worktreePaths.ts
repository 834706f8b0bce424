import { Clock, Effect, Option, Schema } from "effect"
import * as fs from "node:fs"
import * as path from "node:path"
import type { GitOperation } from "../../domain/store/worktrees/Losses.ts"
import { WorktreeFile, type WorktreeRecord } from "../../domain/store/worktrees/WorktreeRecord.ts"
import { saysMissing } from "../../domain/words/reading/Fields.ts"
import { tryOr } from "../../domain/words/reading/tryOr.ts"

/** leap's worktrees on disk: their records and their marks. */

const Document = Schema.fromJsonString(WorktreeFile)
const decode = Schema.decodeUnknownOption(Document)
const encode = Schema.encodeSync(Document)
const ending = ".json"
/** A record is written in milliseconds: an unfinished one of this age, in milliseconds, is abandoned. */
const abandonedAfter = 60_000

/** leap's records, one file each, so that nobody writes another's. */
export const recordsIn = (directory: string) => {
  const fileOf = (id: string): string => path.join(directory, `${id}${ending}`)
  return {
    all: Effect.gen(function* () {
      const names = tryOr(() => fs.readdirSync(directory), []).filter((name) => name.endsWith(ending))
      const records: Array<WorktreeRecord> = []
      for (const name of names.toSorted()) {
        const file = path.join(directory, name)
        const read = yield* Effect.option(Effect.try(() => fs.readFileSync(file, "utf8")))
        const record = Option.flatMap(read, decode)
        if (Option.isSome(record) && record.value.worktree.id === name.slice(0, -ending.length))
          records.push(record.value.worktree)
        else yield* Effect.logWarning(`${file} cannot be read: leap does not know the worktree that it is about`)
      }
      return records
    }),
    write: (worktree: WorktreeRecord) =>
      Effect.try(() => {
        fs.mkdirSync(directory, { recursive: true, mode: 0o700 })
        const file = fileOf(worktree.id)
        fs.writeFileSync(`${file}.new`, `${encode({ schema: 1, worktree })}\n`, { mode: 0o600, flush: true })
        fs.renameSync(`${file}.new`, file)
      }),
    /** Deletes unfinished records of a killed leap. The caller holds the lock of all. */
    sweep: Effect.gen(function* () {
      const now = yield* Clock.currentTimeMillis
      yield* Effect.ignore(
        Effect.try(() => {
          for (const name of fs.readdirSync(directory)) {
            if (!name.endsWith(`${ending}.new`)) continue
            const file = path.join(directory, name)
            if (now - fs.statSync(file).mtimeMs > abandonedAfter) fs.rmSync(file, { force: true })
          }
        })
      )
    }),
    drop: (id: string) => Effect.ignore(Effect.try(() => fs.rmSync(fileOf(id), { force: true })))
  }
}

const textOf = (file: string): string | null => tryOr(() => fs.readFileSync(file, "utf8"), null)

const realOf = (file: string): string | null => tryOr(() => fs.realpathSync.native(file), null)

/** In git's directory of a worktree: the id of leap's record of it. */
const markName = "leap-worktree"

export const writeMark = (admin: string, id: string): Effect.Effect<void, unknown> =>
  Effect.try(() => fs.writeFileSync(path.join(admin, markName), `${id}\n`, { mode: 0o600, flush: true }))

/** Whether nothing has this name; null if this cannot be determined. */
export const isMissing = (file: string): boolean | null => {
  try {
    fs.lstatSync(file)
    return false
  } catch (cause) {
    return saysMissing(cause) ? true : null
  }
}

/**
 * The content of a record's path: leap's worktree, nothing, something else, or unknown. It is leap's if its files name
 * git's directory, that directory names it, and it contains leap's mark.
 */
export const identityOf = ({ admin, id, path: place }: WorktreeRecord): "own" | "gone" | "other" | null => {
  const missing = isMissing(place)
  // the disk may not be mounted
  if (missing === true) return isMissing(path.dirname(place)) === null ? null : "gone"
  if (missing === null) return null
  if (admin === null) return "other"
  const named = /^gitdir: (.+)$/m.exec(textOf(path.join(place, ".git")) ?? "")?.[1]
  if (named === undefined || realOf(path.resolve(place, named.trim())) !== realOf(admin)) return "other"
  const back = textOf(path.join(admin, "gitdir"))?.trim()
  if (back === undefined || realOf(path.dirname(path.resolve(admin, back))) !== realOf(place)) return "other"
  return textOf(path.join(admin, markName))?.trim() === id && realOf(place) === place ? "own" : "other"
}

/** git's directories of work trees that claim this path. */
export const adminsOf = (common: string, place: string): ReadonlyArray<string> => {
  const all = path.join(common, "worktrees")
  return tryOr(() => fs.readdirSync(all), [])
    .map((name) => path.join(all, name))
    .filter((admin) => textOf(path.join(admin, "gitdir"))?.trim() === path.join(place, ".git"))
}

/** git's unfinished operation, by the files that it leaves. */
const operations: ReadonlyArray<readonly [file: string, name: GitOperation]> = [
  ["rebase-merge", "a rebase"],
  ["rebase-apply", "a rebase"],
  ["MERGE_HEAD", "a merge"],
  ["CHERRY_PICK_HEAD", "a cherry-pick"],
  ["REVERT_HEAD", "a revert"],
  ["sequencer", "a cherry-pick or revert"],
  ["BISECT_LOG", "a bisection"]
]

export const operationIn = (admin: string): GitOperation | false | null => {
  for (const [file, name] of operations) {
    const missing = isMissing(path.join(admin, file))
    if (missing === null) return null
    if (!missing) return name
  }
  return false
}

/** The future directory with links followed, and the missing directories of its path, the innermost first. */
export const wayTo = (directory: string): { readonly real: string; readonly missing: ReadonlyArray<string> } => {
  const missing: Array<string> = []
  let there = directory
  for (; isMissing(there) === true && path.dirname(there) !== there; there = path.dirname(there)) missing.push(there)
  return { real: path.join(fs.realpathSync.native(there), path.relative(there, directory)), missing }
}

/** Creates the directory and its missing parents, or none; returns those that it created, the innermost first. */
export const makeWay = (directory: string): ReadonlyArray<string> => {
  const made: Array<string> = []
  const make = (at: string): void => {
    if (isMissing(at) !== true) return
    make(path.dirname(at))
    fs.mkdirSync(at)
    made.unshift(at)
  }
  try {
    make(directory)
  } catch (cause) {
    for (const one of made) fs.rmdirSync(one)
    throw cause
  }
  return made
}

/** Removes empty directories, the innermost first. */
export const takeEmpty = (directories: ReadonlyArray<string>): Effect.Effect<void> =>
  Effect.ignore(
    Effect.try(() => {
      // a killed leap may not have created all of them
      for (const directory of directories) if (fs.existsSync(directory)) fs.rmdirSync(directory)
    })
  )
