import { Effect } from "effect"
import type { Journal } from "../../domain/store/relocation/Journal.ts"
import { movedLinkText } from "../../domain/store/relocation/LinkText.ts"
import { join } from "../../domain/store/relocation/Names.ts"
import type { Piece, Plan } from "../../domain/store/relocation/Plan.ts"
import { copiedHash, type SnapshotEntry, isSameFile, type Snapshot } from "../../domain/store/relocation/Snapshot.ts"
import type { FileInfo, RelocationFilesService } from "../../services/RelocationFiles.ts"
import { FileFault } from "../../services/FileFault.ts"
import { RelocationError } from "../../services/Relocator.ts"
import { parentOf } from "../../domain/words/text/paths.ts"

export type Io<A = void, E = never> = Effect.Effect<A, FileFault | E>

export const refused = (plan: Plan, reason: RelocationError["reason"], path: string, why: string) =>
  new RelocationError({ sessionId: plan.sessionId, reason, path, why })

/** The text of the piece's symbolic link at the other end of the move. */
export const linkThere = (
  text: string,
  names: { readonly from: string; readonly to: string },
  path: string
): string => {
  const cut = path.lastIndexOf("/")
  return movedLinkText(text, names, path === "" ? null : cut < 0 ? "" : path.slice(0, cut))
}

/** All entries of a piece, parents before children; null: it is missing. */
export const walk = Effect.fnUntraced(function* (files: RelocationFilesService, root: string) {
  const found: Array<SnapshotEntry & { readonly uid: number }> = []
  const waiting = [""]
  for (let path = waiting.pop(); path !== undefined; path = waiting.pop()) {
    const full = join(root, path)
    const seen: FileInfo | null = yield* files.stat(full)
    // It was deleted after it was listed; a comparison of two walks shows this.
    if (seen === null) continue
    const { kind } = seen
    if (kind === "other") {
      return yield* new FileFault({
        operation: "move",
        path: full,
        code: "ESPECIAL",
        why: "it is neither a file nor a directory nor a link"
      })
    }
    const target = kind === "link" ? yield* files.readLink(full) : null
    found.push({ path, kind, mode: seen.mode, at: seen.stamp, target, hash: null, there: null, uid: seen.uid })
    if (kind === "directory") {
      const names = yield* files.list(full)
      for (const name of names.toReversed()) waiting.push(path === "" ? name : `${path}/${name}`)
    }
  }
  return found.length === 0 ? null : found
})

/** Directories that must be made before the path, outermost first. */
export const missingParents = Effect.fnUntraced(function* (files: RelocationFilesService, path: string) {
  const missing: Array<string> = []
  for (let directory = parentOf(path); directory !== "/"; directory = parentOf(directory)) {
    if ((yield* files.stat(directory)) !== null) return { missing: missing.reverse(), nearest: directory }
    missing.push(directory)
  }
  return { missing: missing.reverse(), nearest: "/" }
})

/** Whether two names lead to one entry of one directory, through links above it or a file system that ignores case. */
const isSamePlace = Effect.fnUntraced(function* (
  files: RelocationFilesService,
  { from, to }: Piece,
  source: FileInfo,
  destination: FileInfo
) {
  if (!isSameFile(source.stamp, destination.stamp)) return false
  return (
    source.kind === "directory" || (yield* files.realPath(parentOf(from))) === (yield* files.realPath(parentOf(to)))
  )
})

/**
 * The source's entries with the state of each at the destination, if both ends are identical because an earlier tool
 * copied without deleting. Null: they differ.
 */
const adopt = Effect.fnUntraced(function* (
  files: RelocationFilesService,
  piece: Piece,
  source: ReadonlyArray<SnapshotEntry>
) {
  const there = new Map(((yield* walk(files, piece.to)) ?? []).map((entry) => [entry.path, entry]))
  if (there.size !== source.length) return null
  const same: Array<SnapshotEntry> = []
  for (const entry of source) {
    const twin = there.get(entry.path)
    if (twin?.kind !== entry.kind) return null
    if (entry.kind === "link" && twin.target !== linkThere(entry.target ?? "", piece, entry.path)) return null
    let hash: string | null = null
    if (entry.kind === "file" && !isSameFile(entry.at, twin.at)) {
      if (entry.at.size !== twin.at.size) return null
      if (!(yield* files.compare(join(piece.from, entry.path), join(piece.to, entry.path), twin.at.size))) return null
      hash = copiedHash
    }
    same.push({ ...entry, hash, there: twin.at })
  }
  return same
})

/**
 * The findings of a move before it changes anything. The plan is without the pieces that are already at their
 * destination under another name.
 */
export type Inspection = Pick<Journal, "plan" | "parents" | "adopted" | "pieces">

/** Inspects both ends, and refuses to move what cannot or must not be moved. Changes nothing. */
export const inspectMove = Effect.fnUntraced(function* (files: RelocationFilesService, plan: Plan) {
  const left: Array<Piece> = []
  const pieces: Array<Snapshot> = []
  const adopted: Array<number> = []
  const parents = new Set<string>()
  for (const piece of plan.pieces) {
    const source = yield* files.stat(piece.from)
    const destination = yield* files.stat(piece.to)
    if (source !== null && destination !== null && (yield* isSamePlace(files, piece, source, destination))) continue
    left.push(piece)
    if (source === null && !piece.optional) {
      return yield* refused(
        plan,
        "source-missing",
        piece.from,
        "it is not there, or not where this version of the CLI keeps it"
      )
    }
    const wanted = piece.kind === "file" ? "file" : "directory"
    if (source !== null && source.kind !== "link" && source.kind !== wanted) {
      return yield* refused(plan, "source-kind", piece.from, `it is no ${wanted}`)
    }
    const found = yield* walk(files, piece.from).pipe(
      Effect.catchIf(
        ({ code }) => code === "ESPECIAL",
        ({ path = "", why }) => refused(plan, "source-kind", path, why)
      )
    )
    const foreign = found?.find(({ uid }) => files.user !== null && uid !== files.user)
    if (foreign !== undefined) {
      return yield* refused(
        plan,
        "not-yours",
        join(piece.from, foreign.path),
        "it belongs to another user, who must move it"
      )
    }
    if (found !== null && !(yield* files.isWritable(parentOf(piece.from)))) {
      return yield* refused(
        plan,
        "not-writable",
        parentOf(piece.from),
        "nothing can be taken out of this directory: its permissions or its disk forbid it"
      )
    }
    const entries =
      found?.map(({ at, hash, kind, mode, path, target, there }): SnapshotEntry => ({
        path,
        kind,
        mode,
        at,
        target,
        hash,
        there
      })) ?? null
    if (destination !== null) {
      const same: ReadonlyArray<SnapshotEntry> | null = entries === null ? null : yield* adopt(files, piece, entries)
      if (same === null) {
        return yield* refused(
          plan,
          "destination-exists",
          piece.to,
          "there is something at the destination already, and it is never overwritten: move it away or delete it"
        )
      }
      adopted.push(pieces.length)
      pieces.push(same)
      continue
    }
    pieces.push(entries)
    if (entries === null) continue
    const { missing, nearest } = yield* missingParents(files, piece.to)
    if (!(yield* files.isWritable(nearest))) {
      return yield* refused(
        plan,
        "not-writable",
        nearest,
        "nothing can be put into this directory: its permissions or its disk forbid it"
      )
    }
    for (const directory of missing) parents.add(directory)
  }
  return { plan: { ...plan, pieces: left }, parents: [...parents], adopted, pieces } satisfies Inspection
})
