import { Effect } from "effect"
import { join, parentOf } from "../../domain/relocation/Names.ts"
import { isLineFile, type Plan } from "../../domain/relocation/Plan.ts"
import { type Entry, isSameFile, isUnchanged } from "../../domain/relocation/Snapshot.ts"
import type { FileSeen } from "../../services/RelocationFiles.ts"
import type { Leftover } from "../../services/Relocator.ts"
import { type Files, type Io, linkThere, missingParents, unless } from "./look.ts"

/** Link errors that say "not here" or "not this one", where a copy will do. */
export const cannotLink = ["EXDEV", "EPERM", "ENOTSUP", "EOPNOTSUPP", "ENOSYS", "EMLINK"]

/** One end of a move that is to go, and the end that is to stay. */
export interface Retiring {
  readonly plan: Plan
  /** What is to go, under the name at which only this move knows it. */
  readonly root: string
  /** What stays. */
  readonly keep: string
  /** The names of the two ends as the plan has them: `from` that goes, `to` that stays. */
  readonly names: { readonly from: string; readonly to: string }
  /** What the move knows of what is to go. */
  readonly entries: ReadonlyMap<string, Entry>
  /** Which stamp of an entry is that of what is to go. */
  readonly side: "at" | "there"
  /** What is brought over when only the end that is to go has it: everything, or what came there after the move had looked. */
  readonly bring: "all" | "news"
}

/**
 * Deletes one end of a move without losing a byte: an entry goes when the other end has all of it, is carried over when
 * the other end lacks it or has only its beginning (of a file that grows by lines), and stays otherwise. Gives what stayed.
 */
export const retire = (files: Files, it: Retiring): Io<ReadonlyArray<Leftover>> => {
  const stay = (path: string, why: string): ReadonlyArray<Leftover> => [{ path: join(it.names.from, path), why }]

  const isNews = (path: string, seen: FileSeen): boolean => {
    const known = it.entries.get(path)?.[it.side] ?? null
    return known === null || !isUnchanged(known, seen.stamp)
  }

  const makeRoom = Effect.fnUntraced(function*(path: string) {
    const { missing } = yield* missingParents(files, path)
    for (const directory of missing) yield* files.makeDirectory(directory, 0o700)
  })

  const bringFile = Effect.fnUntraced(function*(path: string, kept: string, { mode, stamp }: FileSeen) {
    yield* makeRoom(kept)
    yield* files.link(path, kept).pipe(
      Effect.catchIf(({ code }) => cannotLink.includes(code), () =>
        files.copy(path, kept, { size: stamp.size, mode, mtimeNs: stamp.mtimeNs }))
    )
    yield* files.syncDirectory(parentOf(kept))
  })

  const file = Effect.fnUntraced(function*(relative: string, path: string, kept: string, seen: FileSeen, other: FileSeen | null) {
    if (other === null) {
      if (it.bring === "all" || isNews(relative, seen)) yield* bringFile(path, kept, seen)
      yield* files.unlink(path)
      return []
    }
    if (other.kind !== "file") return stay(relative, "the other end has something else of that name")
    if (!isSameFile(seen.stamp, other.stamp) && isNews(relative, seen)) {
      const shared = Math.min(seen.stamp.size, other.stamp.size)
      const [mine, theirs] = [yield* files.digest(path, shared), yield* files.digest(kept, shared)]
      if (mine.hash !== theirs.hash) return stay(relative, "it was changed, and so was the other end")
      if (seen.stamp.size > shared) {
        if (!isLineFile(it.plan, join(it.names.from, relative))) return stay(relative, "it was changed after it had been copied")
        yield* files.append(path, kept, shared, seen.stamp.size)
      }
    }
    yield* files.unlink(path)
    return []
  })

  const link = Effect.fnUntraced(function*(relative: string, path: string, kept: string, other: FileSeen | null) {
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

  const one = (relative: string): Io<ReadonlyArray<Leftover>> =>
    Effect.gen(function*() {
      const path = join(it.root, relative)
      const kept = join(it.keep, relative)
      const seen = yield* files.stat(path)
      if (seen === null) return []
      const other = yield* files.stat(kept)
      if (seen.kind === "other") return stay(relative, "it is neither a file nor a directory nor a link")
      if (seen.kind === "link") return yield* link(relative, path, kept, other)
      if (seen.kind === "file") return yield* file(relative, path, kept, seen, other)
      if (other !== null && other.kind !== "directory") return stay(relative, "the other end has something else of that name")
      if (other === null && (it.bring === "all" || !it.entries.has(relative))) {
        yield* makeRoom(kept)
        yield* files.makeDirectory(kept, seen.mode | 0o700)
      }
      if ((seen.mode & 0o700) !== 0o700) yield* files.setMode(path, seen.mode | 0o700)
      const stayed: Array<Leftover> = []
      const names = yield* files.list(path)
      for (const name of names) stayed.push(...yield* one(relative === "" ? name : `${relative}/${name}`))
      if (stayed.length > 0) return stayed
      // Somebody who has it as a working directory may put something in to the last; then that stays.
      yield* files.removeDirectory(path).pipe(unless("ENOTEMPTY", "EEXIST"))
      return (yield* files.stat(path)) === null ? [] : stay(relative, "something was put into it")
    })

  return one("")
}

/** Deletes what nobody but this move knows of. */
export const discard = (files: Files, path: string): Io =>
  Effect.gen(function*() {
    const seen = yield* files.stat(path)
    if (seen === null) return
    if (seen.kind !== "directory") return yield* files.unlink(path)
    if ((seen.mode & 0o700) !== 0o700) yield* files.setMode(path, 0o700)
    const names = yield* files.list(path)
    for (const name of names) yield* discard(files, join(path, name))
    yield* files.removeDirectory(path)
  })
