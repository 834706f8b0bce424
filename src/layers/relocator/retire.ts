import { Effect } from "effect"
import { join } from "../../domain/store/relocation/Names.ts"
import { isLineFile, type Plan } from "../../domain/store/relocation/Plan.ts"
import { type SnapshotEntry, isSameFile, isUnchanged } from "../../domain/store/relocation/Snapshot.ts"
import type { FileInfo, RelocationFilesService } from "../../services/RelocationFiles.ts"
import type { LeftoverFile } from "../../services/Relocator.ts"
import { type Io, linkThere, missingParents } from "./inspectMove.ts"
import { unless } from "../../services/FileFault.ts"
import { parentOf } from "../../domain/words/text/paths.ts"

/** Errors of a link that mean "not here" or "not this file"; a copy is made instead. */
const cannotLink = ["EXDEV", "EPERM", "ENOTSUP", "EOPNOTSUPP", "ENOSYS", "EMLINK"]

/** Gives a file a second name. Null: done; otherwise the code of an error for which a copy is made. */
export const link = (files: RelocationFilesService, from: string, to: string): Io<string | null> =>
  files.link(from, to).pipe(
    Effect.as(null),
    Effect.catchIf(
      ({ code }) => cannotLink.includes(code),
      ({ code }) => Effect.succeed(code)
    )
  )

/** One end of a move that is to be deleted, and the other end, which stays. */
export interface Retiring {
  readonly plan: Plan
  /** The entry to delete, under a name that only this move knows. */
  readonly root: string
  /** The entry that stays. */
  readonly keep: string
  /** The names of the two ends in the plan: `from` is deleted, `to` stays. */
  readonly names: { readonly from: string; readonly to: string }
  /** The entries of the deleted end, as far as the move knows them. */
  readonly entries: ReadonlyMap<string, SnapshotEntry>
  /** Which stamp of an entry belongs to the deleted end. */
  readonly side: "at" | "there"
  /** What the other end gets first if only the deleted end has it: all, or what was added after the inspection. */
  readonly bring: "all" | "added"
}

/**
 * Deletes one end of a move without losing a byte. An entry is deleted if the other end has all of it. It is copied
 * first if the other end lacks it or has only its beginning (of a file that grows by lines). Otherwise it stays.
 * Returns what stayed.
 */
export const retire = (files: RelocationFilesService, it: Retiring): Io<ReadonlyArray<LeftoverFile>> => {
  const stay = (path: string, why: string): ReadonlyArray<LeftoverFile> => [{ path: join(it.names.from, path), why }]

  const isAdded = (path: string, seen: FileInfo): boolean => {
    const known = it.entries.get(path)?.[it.side] ?? null
    return known === null || !isUnchanged(known, seen.stamp)
  }

  const makeRoom = Effect.fnUntraced(function* (path: string) {
    const { missing } = yield* missingParents(files, path)
    for (const directory of missing) yield* files.makeDirectory(directory, 0o700)
  })

  const bringFile = Effect.fnUntraced(function* (path: string, kept: string, { mode, stamp }: FileInfo) {
    yield* makeRoom(kept)
    if ((yield* link(files, path, kept)) !== null) {
      yield* files.copy(path, kept, { size: stamp.size, mode, mtimeNs: stamp.mtimeNs })
      yield* files.sync([kept])
    }
    yield* files.syncDirectory(parentOf(kept))
  })

  const file = Effect.fnUntraced(function* (
    relative: string,
    path: string,
    kept: string,
    seen: FileInfo,
    other: FileInfo | null
  ) {
    if (other === null) {
      if (it.bring === "all" || isAdded(relative, seen)) yield* bringFile(path, kept, seen)
      yield* files.unlink(path)
      return []
    }
    if (other.kind !== "file") return stay(relative, "the other end has something else of that name")
    if (!isSameFile(seen.stamp, other.stamp) && isAdded(relative, seen)) {
      const shared = Math.min(seen.stamp.size, other.stamp.size)
      if (!(yield* files.compare(path, kept, shared))) return stay(relative, "it was changed, and so was the other end")
      if (seen.stamp.size > shared) {
        if (!isLineFile(it.plan, join(it.names.from, relative)))
          return stay(relative, "it was changed after it had been copied")
        yield* files.append(path, kept, shared, seen.stamp.size)
      }
    }
    yield* files.unlink(path)
    return []
  })

  const symlink = Effect.fnUntraced(function* (relative: string, path: string, kept: string, other: FileInfo | null) {
    const text = linkThere(yield* files.readLink(path), it.names, relative)
    if (other === null) {
      if (it.bring === "all" || !it.entries.has(relative)) {
        yield* makeRoom(kept)
        yield* files.symlink(text, kept)
        yield* files.syncDirectory(parentOf(kept))
      }
    } else if (other.kind !== "link" || (yield* files.readLink(kept)) !== text) {
      return stay(relative, "the other end has something else of that name")
    }
    yield* files.unlink(path)
    return []
  })

  const retireEntry = (relative: string): Io<ReadonlyArray<LeftoverFile>> =>
    Effect.gen(function* () {
      const path = join(it.root, relative)
      const kept = join(it.keep, relative)
      const seen = yield* files.stat(path)
      if (seen === null) return []
      const other = yield* files.stat(kept)
      if (seen.kind === "other") return stay(relative, "it is neither a file nor a directory nor a link")
      if (seen.kind === "link") return yield* symlink(relative, path, kept, other)
      if (seen.kind === "file") return yield* file(relative, path, kept, seen, other)
      if (other !== null && other.kind !== "directory")
        return stay(relative, "the other end has something else of that name")
      if (other === null && (it.bring === "all" || !it.entries.has(relative))) {
        yield* makeRoom(kept)
        yield* files.makeDirectory(kept, seen.mode | 0o700)
      }
      if ((seen.mode & 0o700) !== 0o700) yield* files.setMode(path, seen.mode | 0o700)
      const stayed: Array<LeftoverFile> = []
      const names = yield* files.list(path)
      for (const name of names) stayed.push(...(yield* retireEntry(relative === "" ? name : `${relative}/${name}`)))
      if (stayed.length > 0) return stayed
      // A process that works in the directory may add something until the last moment; then the directory stays.
      yield* files.removeDirectory(path).pipe(unless("ENOTEMPTY", "EEXIST"))
      return (yield* files.stat(path)) === null ? [] : stay(relative, "something was put into it")
    })

  return retireEntry("")
}

/** Deletes something that only this move knows. */
export const discard = (files: RelocationFilesService, path: string): Io =>
  Effect.gen(function* () {
    const seen = yield* files.stat(path)
    if (seen === null) return
    if (seen.kind !== "directory") return yield* files.unlink(path)
    if ((seen.mode & 0o700) !== 0o700) yield* files.setMode(path, 0o700)
    const names = yield* files.list(path)
    for (const name of names) yield* discard(files, join(path, name))
    yield* files.removeDirectory(path)
  })
