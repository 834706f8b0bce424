import { Effect, Result } from "effect"
import { openText } from "../../domain/store/relocation/openFiles.ts"
import { asidePath, join, stagingPath } from "../../domain/store/relocation/Names.ts"
import { isLineFile, type Piece, type Plan } from "../../domain/store/relocation/Plan.ts"
import {
  changes,
  copiedHash,
  describe,
  type SnapshotEntry,
  isSameFile,
  isUnchanged,
  type Snapshot
} from "../../domain/store/relocation/Snapshot.ts"
import type { OpenFiles } from "../../services/OpenFiles.ts"
import type { FileInfo, RelocationFilesService } from "../../services/RelocationFiles.ts"
import { type Io, linkThere, refused, walk } from "./inspectMove.ts"
import { discard, link, retire } from "./retire.ts"
import { FileFault, insteadOf, unless } from "../../services/FileFault.ts"
import type { RelocationError } from "../../services/Relocator.ts"
import { parentOf } from "../../domain/words/text/paths.ts"

/** One piece of a plan with the names that its move gives it. */
export interface Transfer {
  readonly n: number
  readonly piece: Piece
  readonly plan: Plan
  readonly staging: string
  readonly aside: string
}

export const transfersOf = (id: string, plan: Plan): ReadonlyArray<Transfer> =>
  plan.pieces.map((piece, n) => ({
    n,
    piece,
    plan,
    staging: stagingPath(id, n, piece.to),
    aside: asidePath(id, n, piece.from)
  }))

/**
 * The mode of a directory by which a move claims a name; nothing else has it. The directory is replaced immediately, or
 * found by a recovery.
 */
const claimMode = 0o300

const mismatch = (path: string, why: string) => new FileFault({ operation: "verify", path, code: "EVERIFY", why })

/** Fails if another process has a copied file open: it would continue to write to the deleted file. */
export const refuseOpen = Effect.fnUntraced(function* (
  holders: OpenFiles["Service"]["holders"],
  { piece, plan }: Transfer,
  entries: ReadonlyArray<SnapshotEntry>
) {
  const why = openText(yield* holders(entries.filter(({ kind }) => kind === "file").map(({ at }) => at)))
  if (why !== null)
    return yield* refused(plan, "in-use", piece.from, `${why}, and the destination is on another disk: try again later`)
})

/**
 * Assembles the piece beside its destination, from hard links where the file system allows, and returns its entries
 * with their hashes.
 */
export const stage = Effect.fnUntraced(function* (
  files: RelocationFilesService,
  holders: OpenFiles["Service"]["holders"],
  it: Transfer,
  entries: ReadonlyArray<SnapshotEntry>
) {
  const { piece, staging } = it
  const made: Array<SnapshotEntry> = []
  /** Disks without links to the destination: trying one for each of a thousand files takes longer than copying. */
  const unlinkable = new Set<string>()
  const copied: Array<string> = []
  for (const entry of entries) {
    const from = join(piece.from, entry.path)
    const to = join(staging, entry.path)
    let hash: string | null = null
    if (entry.kind === "directory") yield* files.makeDirectory(to, 0o700)
    else if (entry.kind === "link") {
      yield* files.symlink(linkThere(entry.target ?? "", piece, entry.path), to)
      yield* files.setTime(to, entry.at.mtimeNs)
    } else {
      const unlinked = unlinkable.has(entry.at.dev) ? "EXDEV" : yield* link(files, from, to)
      if (unlinked === "EXDEV") unlinkable.add(entry.at.dev)
      if (unlinked !== null) {
        if (copied.length === 0) yield* refuseOpen(holders, it, entries)
        yield* files.copy(from, to, { size: entry.at.size, mode: entry.mode, mtimeNs: entry.at.mtimeNs })
        copied.push(to)
        hash = copiedHash
      }
    }
    made.push({ ...entry, hash })
  }
  if (copied.length > 0) yield* files.sync(copied)
  for (const { kind, path, mode, at } of made.toReversed()) {
    if (kind !== "directory") continue
    const directory = join(staging, path)
    yield* files.syncDirectory(directory)
    yield* files.setMode(directory, mode)
    yield* files.setTime(directory, at.mtimeNs)
  }
  return made
})

/**
 * Whether a copy has the source's bytes. Also true if the source has changed since it was inspected: then nothing
 * tells, and `recheck` decides.
 */
const isCopy = Effect.fnUntraced(function* (
  files: RelocationFilesService,
  from: string,
  to: string,
  { at }: SnapshotEntry,
  twin: SnapshotEntry
) {
  if (twin.at.size !== at.size) return false
  const compared = yield* Effect.result(files.compare(from, to, at.size))
  if (Result.isSuccess(compared) && compared.success) return true
  const now = yield* files.stat(from)
  return now === null || !isUnchanged(now.stamp, at) || (yield* Effect.fromResult(compared))
})

/**
 * Reads back the staged entries and compares them with the source's, both ways; returns them with their stamps there.
 */
export const verify = Effect.fnUntraced(function* (
  files: RelocationFilesService,
  { piece, staging }: Transfer,
  entries: ReadonlyArray<SnapshotEntry>
) {
  const found = new Map(((yield* walk(files, staging)) ?? []).map((entry) => [entry.path, entry]))
  if (found.size !== entries.length)
    return yield* mismatch(staging, `it has ${found.size} entries and should have ${entries.length}`)
  const verified: Array<SnapshotEntry> = []
  for (const entry of entries) {
    const twin = found.get(entry.path)
    const path = join(staging, entry.path)
    if (twin?.kind !== entry.kind) return yield* mismatch(path, "it is not what was copied")
    if (entry.kind === "link" && twin.target !== linkThere(entry.target ?? "", piece, entry.path))
      return yield* mismatch(path, "the link leads elsewhere")
    if (entry.kind === "file" && entry.hash === null && !isSameFile(entry.at, twin.at))
      return yield* mismatch(path, "the source was replaced meanwhile")
    if (entry.hash !== null && !(yield* isCopy(files, join(piece.from, entry.path), path, entry, twin))) {
      return yield* mismatch(
        path,
        "what can be read of the copy is not what was written: the disk or its memory is faulty"
      )
    }
    verified.push({ ...entry, there: twin.at })
  }
  return verified
})

const rounds = 5
const newLine = 10

/**
 * Compares the source with the copy. If a copied file of lines has grown by complete lines, they are appended to the
 * copy at `root`, a bounded number of times; any other change refuses the move. Returns the present entries.
 */
export const recheck = Effect.fnUntraced(function* (
  files: RelocationFilesService,
  { piece, plan }: Transfer,
  entries: Snapshot,
  root: string | null
) {
  const catchUp = Effect.fnUntraced(function* (entry: SnapshotEntry, now: SnapshotEntry, root: string) {
    const from = join(piece.from, entry.path)
    const to = join(root, entry.path)
    if (!(yield* files.compare(from, to, entry.at.size))) {
      return yield* refused(
        plan,
        "source-changed",
        from,
        "it was rewritten while it was moved: end what writes to it and try again"
      )
    }
    if ((yield* files.byteAt(from, now.at.size - 1)) !== newLine) {
      // A line is being written.
      yield* Effect.sleep("20 millis")
      return entry
    }
    yield* files.append(from, to, entry.at.size, now.at.size)
    if (!(yield* files.compare(from, to, now.at.size)))
      return yield* mismatch(to, "the lines added to the copy are not those of the source")
    yield* files.setTime(to, now.at.mtimeNs)
    const there = yield* files.stat(to)
    return { ...entry, at: now.at, there: there?.stamp ?? null }
  })

  let current: Snapshot = entries
  for (let round = 0; round < rounds; round++) {
    const now = yield* walk(files, piece.from)
    const changed = changes(current, now)
    if (changed.length === 0) return current
    const grown = new Map<string, SnapshotEntry>()
    for (const change of changed) {
      if (change._tag !== "Grown" || root === null || !isLineFile(plan, join(piece.from, change.entry.path))) {
        return yield* refused(
          plan,
          "source-changed",
          piece.from,
          `it changed while it was moved (${describe(changed)}): end what writes to it and try again`
        )
      }
      grown.set(change.entry.path, change.now)
    }
    const next: Array<SnapshotEntry> = []
    for (const entry of current ?? []) {
      const now = grown.get(entry.path)
      next.push(now === undefined || root === null ? entry : yield* catchUp(entry, now, root))
    }
    current = next
  }
  return yield* refused(plan, "source-changed", piece.from, "somebody keeps writing to it: end what does and try again")
})

const destinationTaken = ({ piece, plan }: Transfer) =>
  refused(
    plan,
    "destination-exists",
    piece.to,
    "something came to be at the destination meanwhile, and it is never overwritten"
  )

/**
 * Gives the piece its name at the destination, unless the name is taken. A file gets it by a second link, which never
 * replaces. Node has no rename that does not replace, but renaming a directory replaces only an empty one: the one
 * replaced here was made just before, as a claim, by a call that fails if anything is there. On a file system without
 * hard links a file is renamed after a check: the only place with a gap, of two calls.
 */
export const place = Effect.fnUntraced(function* (
  files: RelocationFilesService,
  it: Transfer,
  entries: ReadonlyArray<SnapshotEntry>
) {
  const { piece, staging } = it
  const kind = entries[0]?.kind
  const exists =
    (codes: ReadonlyArray<string>) =>
    <A>(effect: Io<A>): Io<A, RelocationError> =>
      Effect.catchIf(
        effect,
        ({ code }) => codes.includes(code),
        () => destinationTaken(it)
      )
  if (kind === "directory") {
    yield* files.makeDirectory(piece.to, claimMode).pipe(exists(["EEXIST"]))
    return yield* files.rename(staging, piece.to).pipe(exists(["ENOTEMPTY", "EEXIST", "ENOTDIR"]))
  }
  if (kind === "link") {
    yield* files.symlink(yield* files.readLink(staging), piece.to).pipe(exists(["EEXIST"]))
    return yield* files.unlink(staging)
  }
  if ((yield* link(files, staging, piece.to).pipe(exists(["EEXIST"]))) === null) return yield* files.unlink(staging)
  if ((yield* files.stat(piece.to)) !== null) return yield* destinationTaken(it)
  yield* files.rename(staging, piece.to)
})

/** Whether what is at the destination is what the move put there. */
export const isOurs = Effect.fnUntraced(function* (
  files: RelocationFilesService,
  { piece }: Transfer,
  entries: Snapshot,
  there: FileInfo
) {
  const root = entries?.[0]
  if (root?.kind !== there.kind) return false
  return root.kind === "link"
    ? (yield* files.readLink(piece.to)) === linkThere(root.target ?? "", piece, "")
    : root.there !== null && isSameFile(root.there, there.stamp)
})

/** Restores a former name, unless it is taken by now. False if it could not. */
export const putBack = Effect.fnUntraced(function* (files: RelocationFilesService, from: string, to: string) {
  const seen = yield* files.stat(from)
  if (seen === null || (yield* files.stat(to)) !== null) return false
  if (seen.kind !== "file") {
    yield* files.rename(from, to)
    return true
  }
  const unlinked = yield* link(files, from, to).pipe(insteadOf("EEXIST", "EEXIST"))
  if (unlinked === "EEXIST") return false
  yield* unlinked === null ? files.unlink(from) : files.rename(from, to)
  return true
})

const mergeBack = (
  files: RelocationFilesService,
  { piece, plan, staging }: Transfer,
  entries: ReadonlyArray<SnapshotEntry>
) =>
  retire(files, {
    plan,
    root: staging,
    keep: piece.from,
    names: { from: piece.to, to: piece.from },
    entries: new Map(entries.map((entry) => [entry.path, entry])),
    side: "there",
    bring: "added"
  })

/** Undoes `place` and nothing else: content added at the destination meanwhile is copied to the source. */
export const unplace = Effect.fnUntraced(function* (files: RelocationFilesService, it: Transfer, entries: Snapshot) {
  const { piece, staging } = it
  const there = yield* files.stat(piece.to)
  if (there === null || entries === null) return
  const staged = yield* files.stat(staging)
  if (!(yield* isOurs(files, it, entries, there))) {
    if (staged !== null && there.kind === "directory" && there.mode === claimMode) {
      yield* files.removeDirectory(piece.to).pipe(unless("ENOTEMPTY", "EEXIST"))
    }
    return
  }
  if ((yield* files.stat(piece.from)) === null) {
    return yield* mismatch(
      piece.from,
      `the source is gone, and the copy at ${JSON.stringify(piece.to)} may be the last`
    )
  }
  // The two names of a file are one file, and renaming one to the other would do nothing.
  if (staged !== null) yield* files.unlink(piece.to)
  else {
    yield* files.rename(piece.to, staging)
    const captured = yield* files.stat(staging)
    // Something else was put there between the check and the rename. It does not belong to the move.
    if (captured !== null && captured.kind !== "link" && !isSameFile(captured.stamp, there.stamp)) {
      yield* putBack(files, staging, piece.to)
      return
    }
    const stayed = yield* mergeBack(files, it, entries)
    if (stayed[0] !== undefined) {
      yield* putBack(files, staging, piece.to)
      return yield* mismatch(stayed[0].path, `${stayed[0].why}; it is not deleted`)
    }
  }
  yield* files.syncDirectory(parentOf(piece.to))
})

/** Undoes `stage`. A former destination of an interrupted undo may contain entries that were added there. */
export const unstage = Effect.fnUntraced(function* (files: RelocationFilesService, it: Transfer, entries: Snapshot) {
  const { piece, staging } = it
  if ((yield* files.stat(staging)) === null) return
  if (entries !== null && (yield* files.stat(piece.from)) === null) {
    return yield* mismatch(piece.from, `the source is gone; what was made of it is ${JSON.stringify(staging)}`)
  }
  if ((entries?.[0]?.there ?? null) === null) return yield* discard(files, staging)
  const stayed = yield* mergeBack(files, it, entries ?? [])
  if (stayed[0] !== undefined) return yield* mismatch(staging, `${stayed[0].why}; it is not deleted`)
})
