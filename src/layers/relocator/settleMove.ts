import { Effect } from "effect"
import { openText } from "../../domain/store/relocation/openFiles.ts"
import type { Journal } from "../../domain/store/relocation/Journal.ts"
import type { SnapshotEntry, Snapshot } from "../../domain/store/relocation/Snapshot.ts"
import type { PieceState } from "../../domain/store/relocation/recover.ts"
import type { OpenFiles } from "../../services/OpenFiles.ts"
import type { RelocationFilesService } from "../../services/RelocationFiles.ts"
import type { SessionRegistries, LeftoverFile, RelocationError } from "../../services/Relocator.ts"
import { type Io, missingParents } from "./inspectMove.ts"
import { discard, retire } from "./retire.ts"
import { type Transfer, transfersOf, isOurs, place, putBack, unplace, unstage } from "./stage.ts"
import { type FileFault, unless } from "../../services/FileFault.ts"
import type { StoreError } from "../../services/StoreError.ts"
import { parentOf } from "../../domain/words/text/paths.ts"

export interface Tools {
  readonly files: RelocationFilesService
  readonly holders: OpenFiles["Service"]["holders"]
}

const snapshotOf = (journal: Journal, n: number): Snapshot => journal.pieces[n] ?? null

export const inspectPieces = Effect.fnUntraced(function* ({ files }: Tools, journal: Journal) {
  const states: Array<PieceState> = []
  for (const it of transfersOf(journal.id, journal.plan)) {
    const entries = snapshotOf(journal, it.n)
    const source = (yield* files.stat(it.piece.from)) !== null
    const aside = (yield* files.stat(it.aside)) !== null
    const there = yield* files.stat(it.piece.to)
    const staged = yield* files.stat(it.staging)
    const root = entries?.[0]
    const ours = there !== null && (journal.adopted.includes(it.n) || (yield* isOurs(files, it, entries, there)))
    const whole =
      staged !== null && root !== undefined && (root.kind === "link" || root.there?.ino === staged.stamp.ino)
    states.push({
      source,
      aside,
      destination: there === null ? "absent" : ours ? "ours" : "other",
      staging: staged === null ? "absent" : whole ? "whole" : "partial",
      missing: it.piece.optional && (journal.phase === "begun" ? !source && staged === null : entries === null)
    })
  }
  return states
})

/** Makes the names in these directories durable, if the directories exist. */
export const syncAll = Effect.fnUntraced(function* (files: RelocationFilesService, directories: Iterable<string>) {
  for (const directory of new Set(directories)) {
    if ((yield* files.stat(directory)) !== null) yield* files.syncDirectory(directory)
  }
})

/** The directories in which a move makes names at its destination. */
export const destinations = (journal: Pick<Journal, "plan" | "parents">): ReadonlyArray<string> => [
  ...journal.plan.pieces.map(({ to }) => parentOf(to)),
  ...journal.parents.toReversed().map(parentOf)
]

/** Deletes a piece's source. It is set aside first, so that exactly the compared content is deleted. */
const retireSource = Effect.fnUntraced(function* (
  { files, holders }: Tools,
  it: Transfer,
  entries: ReadonlyArray<SnapshotEntry>
) {
  const { aside, piece, plan } = it
  const copied = entries.filter(({ hash }) => hash !== null)
  const stayed: Array<LeftoverFile> = []
  // Twice: for content set aside before a crash, and for content added since.
  for (let round = 0; round < 2; round++) {
    if ((yield* files.stat(aside)) === null) {
      if ((yield* files.stat(piece.from)) === null) return stayed
      yield* files.rename(piece.from, aside)
    }
    const why = openText(copied.length === 0 ? [] : yield* holders(copied.map(({ at }) => at)))
    const left: ReadonlyArray<LeftoverFile> =
      why !== null
        ? [{ path: piece.from, why }]
        : yield* retire(files, {
            plan,
            root: aside,
            keep: piece.to,
            names: piece,
            entries: new Map(entries.map((entry) => [entry.path, entry])),
            side: "at",
            bring: "all"
          })
    if (left.length > 0) {
      const back = yield* putBack(files, aside, piece.from)
      stayed.push(...(back ? left : left.map(({ why }) => ({ path: aside, why }))))
      return stayed
    }
  }
  if ((yield* files.stat(piece.from)) !== null) stayed.push({ path: piece.from, why: "somebody keeps creating it" })
  return stayed
})

/** Rolls a committed move forward: deletes the source, then the journal. Returns what stayed at the source. */
export const rollForward = Effect.fnUntraced(function* (tools: Tools, journal: Journal, closeJournal: Io) {
  const { files } = tools
  const stayed: Array<LeftoverFile> = []
  for (const it of transfersOf(journal.id, journal.plan)) {
    // Content that was at the destination before the move is compared byte by byte, not trusted.
    stayed.push(
      ...(yield* retireSource(tools, it, journal.adopted.includes(it.n) ? [] : (snapshotOf(journal, it.n) ?? [])))
    )
    // A second name of the destination's content, or of the content that it replaced.
    yield* discard(files, it.staging)
  }
  for (const directory of journal.plan.tidy) {
    yield* files.removeDirectory(directory).pipe(unless("ENOTEMPTY", "EEXIST", "ENOENT", "EACCES", "EPERM"))
  }
  yield* syncAll(
    files,
    journal.plan.pieces.map(({ from }) => parentOf(from))
  )
  yield* syncAll(files, journal.plan.tidy.map(parentOf))
  yield* closeJournal
  return stayed
})

/** Completes an interrupted move: places the missing pieces, changes the registries, and deletes the source. */
export const finishMove = Effect.fnUntraced(function* (
  tools: Tools,
  journal: Journal,
  registries: SessionRegistries,
  closeJournal: Io
) {
  const { files } = tools
  for (const it of transfersOf(journal.id, journal.plan)) {
    const entries = snapshotOf(journal, it.n)
    if (entries === null || (yield* files.stat(it.piece.to)) !== null || (yield* files.stat(it.staging)) === null)
      continue
    const { missing } = yield* missingParents(files, it.piece.to)
    for (const directory of missing) yield* files.makeDirectory(directory, 0o700)
    yield* place(files, it, entries)
  }
  yield* syncAll(files, destinations(journal))
  yield* registries.apply(journal.plan)
  return yield* rollForward(tools, journal, closeJournal)
})

/** Removes directories that the move made, if nothing else was added to them. */
export const removeParents = Effect.fnUntraced(function* (
  files: RelocationFilesService,
  parents: ReadonlyArray<string>
) {
  for (const directory of parents.toReversed()) {
    yield* files.removeDirectory(directory).pipe(unless("ENOTEMPTY", "EEXIST", "ENOENT"))
    yield* syncAll(files, [parentOf(directory)])
  }
})

/** Undoes an interrupted move: restores the source and the registries, and removes what the move has made. */
export const undoMove = Effect.fnUntraced(function* (
  { files }: Tools,
  journal: Journal,
  registries: SessionRegistries,
  closeJournal: Io
): Effect.fn.Return<void, FileFault | StoreError | RelocationError> {
  for (const it of transfersOf(journal.id, journal.plan)) yield* putBack(files, it.aside, it.piece.from)
  if (journal.phase !== "begun") yield* registries.revert(journal.plan)
  for (const it of transfersOf(journal.id, journal.plan).toReversed()) {
    const entries = snapshotOf(journal, it.n)
    if (!journal.adopted.includes(it.n)) yield* unplace(files, it, entries)
    yield* unstage(files, it, entries)
  }
  yield* removeParents(files, journal.parents)
  yield* closeJournal
})
