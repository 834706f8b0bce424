import { Effect } from "effect"
import * as LinkText from "../../domain/relocation/LinkText.ts"
import { join, parentOf } from "../../domain/relocation/Names.ts"
import type { Piece, Plan } from "../../domain/relocation/Plan.ts"
import { type Entry, isSameFile, type Snapshot } from "../../domain/relocation/Snapshot.ts"
import { type FileSeen, RelocationFileError, type RelocationFiles } from "../../services/RelocationFiles.ts"
import { RelocationRefusedError } from "../../services/Relocator.ts"

export type Files = RelocationFiles["Service"]
export type Io<A = void, E = never> = Effect.Effect<A, RelocationFileError | E>

export const refused = (plan: Plan, reason: RelocationRefusedError["reason"], path: string, why: string) =>
  new RelocationRefusedError({ sessionId: plan.sessionId, reason, path, why })

/** Does nothing about failures of these codes: what they say is what was wanted. */
export const unless = (...codes: ReadonlyArray<string>) => (effect: Io): Io =>
  Effect.catchIf(effect, ({ code }) => codes.includes(code), () => Effect.void)

/** The text that a symbolic link of the piece has at the other end. */
export const linkThere = (text: string, names: { readonly from: string; readonly to: string }, path: string): string => {
  const cut = path.lastIndexOf("/")
  return LinkText.moved(text, names, path === "" ? null : cut < 0 ? "" : path.slice(0, cut))
}

/** Everything there is of a piece, parents before children; null when it is not there. */
export const walk = Effect.fnUntraced(function*(files: Files, root: string) {
  const found: Array<Entry & { readonly uid: number }> = []
  const waiting = [""]
  for (let path = waiting.pop(); path !== undefined; path = waiting.pop()) {
    const full = join(root, path)
    const seen: FileSeen | null = yield* files.stat(full)
    // Between the list and the look it went. Who compares two walks sees that.
    if (seen === null) continue
    const { kind } = seen
    if (kind === "other") {
      return yield* new RelocationFileError({
        operation: "move", path: full, code: "ESPECIAL", why: "it is neither a file nor a directory nor a link"
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

/** Directories that must be made before the path can be, outermost first. */
export const missingParents = Effect.fnUntraced(function*(files: Files, path: string) {
  const missing: Array<string> = []
  for (let directory = parentOf(path); directory !== "/"; directory = parentOf(directory)) {
    if ((yield* files.stat(directory)) !== null) return { missing: missing.reverse(), nearest: directory }
    missing.push(directory)
  }
  return { missing: missing.reverse(), nearest: "/" }
})

/** Whether two names lead to one entry of one directory: links above it, or a file system that ignores case. */
const isSamePlace = Effect.fnUntraced(function*(files: Files, { from, to }: Piece, source: FileSeen, destination: FileSeen) {
  if (!isSameFile(source.stamp, destination.stamp)) return false
  return source.kind === "directory" || (yield* files.realPath(parentOf(from))) === (yield* files.realPath(parentOf(to)))
})

/**
 * The source's entries with what each is at the destination, if both are the same, whole: what an earlier tool copied and
 * did not delete. Null when they differ.
 */
const adopt = Effect.fnUntraced(function*(files: Files, piece: Piece, source: ReadonlyArray<Entry>) {
  const there = new Map(((yield* walk(files, piece.to)) ?? []).map((entry) => [entry.path, entry]))
  if (there.size !== source.length) return null
  const same: Array<Entry> = []
  for (const entry of source) {
    const twin = there.get(entry.path)
    if (twin?.kind !== entry.kind) return null
    if (entry.kind === "link" && twin.target !== linkThere(entry.target ?? "", piece, entry.path)) return null
    let hash: string | null = null
    if (entry.kind === "file" && !isSameFile(entry.at, twin.at)) {
      if (entry.at.size !== twin.at.size) return null
      hash = (yield* files.digest(join(piece.from, entry.path), entry.at.size)).hash
      if (hash !== (yield* files.digest(join(piece.to, entry.path), twin.at.size)).hash) return null
    }
    same.push({ ...entry, hash, there: twin.at })
  }
  return same
})

/** What a move finds before it begins. */
export interface Look {
  /** The plan without the pieces that are where they should be under another name. */
  readonly plan: Plan
  readonly parents: ReadonlyArray<string>
  readonly adopted: ReadonlyArray<number>
  readonly pieces: ReadonlyArray<Snapshot>
}

/** Looks at both ends and refuses what cannot or must not be moved. Changes nothing. */
export const look = Effect.fnUntraced(function*(files: Files, plan: Plan) {
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
      return yield* refused(plan, "source-missing", piece.from, "it is not there, or not where this version of the CLI keeps it")
    }
    const wanted = piece.kind === "file" ? "file" : "directory"
    if (source !== null && source.kind !== "link" && source.kind !== wanted) {
      return yield* refused(plan, "source-kind", piece.from, `it is no ${wanted}`)
    }
    const found = yield* walk(files, piece.from).pipe(
      Effect.catchIf(({ code }) => code === "ESPECIAL", ({ path, why }) => refused(plan, "source-kind", path, why))
    )
    const foreign = found?.find(({ uid }) => files.user !== null && uid !== files.user)
    if (foreign !== undefined) {
      return yield* refused(plan, "not-yours", join(piece.from, foreign.path), "it belongs to another user, who must move it")
    }
    if (found !== null && !(yield* files.isWritable(parentOf(piece.from)))) {
      return yield* refused(plan, "not-writable", parentOf(piece.from), "nothing can be taken out of this directory: its permissions or its disk forbid it")
    }
    const entries = found?.map(({ at, hash, kind, mode, path, target, there }): Entry => ({ path, kind, mode, at, target, hash, there })) ?? null
    if (destination !== null) {
      const same: ReadonlyArray<Entry> | null = entries === null ? null : yield* adopt(files, piece, entries)
      if (same === null) {
        return yield* refused(plan, "destination-exists", piece.to, "there is something at the destination already, and it is never overwritten: move it away or delete it")
      }
      adopted.push(pieces.length)
      pieces.push(same)
      continue
    }
    pieces.push(entries)
    if (entries === null) continue
    const { missing, nearest } = yield* missingParents(files, piece.to)
    if (!(yield* files.isWritable(nearest))) {
      return yield* refused(plan, "not-writable", nearest, "nothing can be put into this directory: its permissions or its disk forbid it")
    }
    for (const directory of missing) parents.add(directory)
  }
  return { plan: { ...plan, pieces: left }, parents: [...parents], adopted, pieces } satisfies Look
})
