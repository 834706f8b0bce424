import { Cause, Effect, Layer } from "effect"
import { randomBytes } from "node:crypto"
import { openText } from "../../domain/store/relocation/openFiles.ts"
import * as Journals from "../../domain/store/relocation/Journal.ts"
import { journalPath, keyOf, keyOfJournal, lockPath } from "../../domain/store/relocation/Names.ts"
import { fault, isSameMove, type Plan } from "../../domain/store/relocation/Plan.ts"
import { recover } from "../../domain/store/relocation/recover.ts"
import type { SnapshotEntry, Snapshot } from "../../domain/store/relocation/Snapshot.ts"
import { FileLock } from "../../services/FileLock.ts"
import { OpenFiles } from "../../services/OpenFiles.ts"
import { Paths } from "../../services/Paths.ts"
import { RelocationFiles } from "../../services/RelocationFiles.ts"
import {
  type SessionRegistries,
  type LeftoverFile,
  type Moved,
  type Recovered,
  Relocator,
  RelocationError
} from "../../services/Relocator.ts"
import { inspectMove, refused } from "./inspectMove.ts"
import {
  destinations,
  finishMove,
  inspectPieces,
  removeParents,
  rollForward,
  syncAll,
  type Tools,
  undoMove
} from "./settleMove.ts"
import { transfersOf, place, recheck, stage, unplace, unstage, verify } from "./stage.ts"
import { errorTextOf } from "../../domain/words/reading/Fields.ts"
import { isBusy, type StoreError } from "../../services/StoreError.ts"
import { unless } from "../../services/FileFault.ts"
import { parentOf } from "../../domain/words/text/paths.ts"

/**
 * The engine's needs besides the files: the directory of its journals, and an effect that makes sure that it is safe.
 */
export interface RelocatorOptions {
  readonly directory: string
  readonly ensure: Effect.Effect<void, StoreError>
}

/** The outcome of a move whose mover died. `plan`: that of a finished move, else null. */
interface Settled extends Omit<Recovered, "key"> {
  readonly plan: Plan | null
  readonly path: string
}

const settled = (outcome: Settled["outcome"], path: string, more: Partial<Settled> = {}): Settled => ({
  outcome,
  path,
  plan: null,
  why: "",
  leftovers: [],
  ...more
})

/** The engine over given file operations; tests use ones that fail, wait or die. */
export const make = Effect.fnUntraced(function* ({ directory, ensure }: RelocatorOptions) {
  const files = yield* RelocationFiles
  const { holders } = yield* OpenFiles
  const locks = yield* FileLock
  const tools: Tools = { files, holders }
  /** Sessions that this process is moving: the kernel's lock works only between processes. */
  const held = new Set<string>()

  const ready = Effect.gen(function* () {
    yield* ensure
    yield* files.makeDirectory(directory, 0o700).pipe(unless("EEXIST"))
  })

  /** Locks the session against other movers until the scope ends, and then deletes the lock's file. */
  const hold = Effect.fnUntraced(function* (key: string, sessionId: string) {
    const busy = new RelocationError({ sessionId, reason: "busy", path: "", why: "" })
    const path = lockPath(directory, key)
    yield* Effect.acquireRelease(
      Effect.suspend(() => (held.has(key) ? Effect.fail(busy) : Effect.sync(() => held.add(key)))),
      () => Effect.sync(() => held.delete(key))
    )
    yield* locks.acquire(path).pipe(
      Effect.catchIf(isBusy, () => Effect.fail(busy)),
      // The file is deleted while the lock is held; a process that gets the lock of a deleted file tries again.
      Effect.andThen(Effect.addFinalizer(() => Effect.exit(files.unlink(path)))),
      Effect.uninterruptible
    )
  })

  const closeJournal = (path: string) =>
    Effect.andThen(files.unlink(path).pipe(unless("ENOENT")), files.syncDirectory(directory))

  /** Settles the journal of a mover that died; null: there is none. The caller holds the session's lock. */
  const settle = Effect.fnUntraced(function* (key: string, registries: SessionRegistries) {
    const path = journalPath(directory, key)
    const text = yield* files.read(path)
    if (text === null) return null
    const read = Journals.parse(text)
    if (read._tag === "empty") {
      yield* closeJournal(path)
      return null
    }
    if (read._tag !== "Journal") {
      const why =
        read._tag === "newer"
          ? "a newer leap wrote it; use that version"
          : "this record of it is damaged; see whether the session is complete where it was or where it went, " +
            "then delete the record"
      return settled("refused", path, { why })
    }
    const { journal } = read
    const decision = recover(journal, yield* inspectPieces(tools, journal))
    switch (decision._tag) {
      case "Refuse":
        return settled("refused", journal.plan.pieces[decision.piece]?.from ?? "", { why: decision.why })
      case "Undo":
        yield* undoMove(tools, journal, registries, closeJournal(path))
        return settled("undone", path)
      case "Finish": {
        const leftovers = yield* finishMove(tools, journal, registries, closeJournal(path))
        return settled("finished", path, { plan: journal.plan, leftovers })
      }
    }
  })

  /** The move itself. The scope undoes every step before the commit, and none after it. */
  const carryOut = Effect.fnUntraced(function* (
    requested: Plan,
    registries: SessionRegistries,
    undone: { failure: string | null }
  ) {
    const inspection = yield* inspectMove(files, requested)
    const { adopted, parents, plan } = inspection
    const path = journalPath(directory, keyOf(plan))
    const id = randomBytes(16).toString("hex")
    const pieces: Array<Snapshot> = [...inspection.pieces]
    const own = transfersOf(id, plan).filter(({ n }) => pieces[n] !== null && !adopted.includes(n))
    let committed = false
    /** Registered before its step begins, so that an interrupted step is undone too. */
    const undoing = <E extends { readonly message: string }>(effect: Effect.Effect<void, E>) =>
      Effect.addFinalizer(() =>
        committed
          ? Effect.void
          : Effect.suspend(() => effect).pipe(
              Effect.catchCause((cause) =>
                Effect.sync(() => {
                  const failure = Cause.squash(cause)
                  undone.failure ??= errorTextOf(failure)
                })
              )
            )
      )

    yield* undoing(Effect.suspend(() => (undone.failure === null ? closeJournal(path) : Effect.void)))
    yield* files.create(path, Journals.format({ schema: 1, phase: "begun", id, plan, parents, adopted }))
    yield* files.syncDirectory(directory)
    yield* files.syncDirectory(parentOf(directory))

    yield* undoing(removeParents(files, parents))
    for (const parent of parents) yield* files.makeDirectory(parent, 0o700).pipe(unless("EEXIST"))

    const entriesOf = (n: number): ReadonlyArray<SnapshotEntry> => pieces[n] ?? []
    for (const it of own) {
      yield* undoing(Effect.suspend(() => unstage(files, it, pieces[it.n] ?? null)))
      pieces[it.n] = yield* verify(files, it, yield* stage(files, holders, it, entriesOf(it.n)))
    }
    const recheckAll = Effect.fnUntraced(function* (root: "staging" | "to") {
      for (const it of transfersOf(id, plan)) {
        const copy = adopted.includes(it.n) ? null : root === "staging" ? it.staging : it.piece.to
        pieces[it.n] = yield* recheck(files, it, pieces[it.n] ?? null, copy)
      }
    })
    yield* recheckAll("staging")
    yield* files.extend(path, Journals.format({ phase: "staged", pieces }))

    for (const it of own) {
      yield* undoing(Effect.suspend(() => unplace(files, it, pieces[it.n] ?? null)))
      yield* place(files, it, entriesOf(it.n))
    }
    yield* syncAll(files, destinations({ plan, parents }))

    yield* undoing(registries.revert(plan))
    yield* registries.apply(plan)
    yield* recheckAll("to")
    for (const it of own) {
      const copied = entriesOf(it.n).filter(({ hash }) => hash !== null)
      const why = openText(copied.length === 0 ? [] : yield* holders(copied.map(({ at }) => at)))
      if (why !== null)
        return yield* refused(plan, "in-use", it.piece.from, `${why}, and the destination is on another disk`)
    }

    return yield* Effect.uninterruptible(
      Effect.gen(function* () {
        yield* files.extend(path, Journals.format({ phase: "committed" }))
        committed = true
        const all = own.flatMap(({ n }) => entriesOf(n)).filter(({ kind }) => kind === "file")
        const copied = all.filter(({ hash }) => hash !== null).length
        const moved = (leftovers: ReadonlyArray<LeftoverFile>, pending: string | null): Moved => ({
          linked: all.length - copied,
          copied,
          leftovers,
          pending
        })
        return yield* rollForward(
          tools,
          { id, plan, parents, adopted, phase: "committed", pieces },
          closeJournal(path)
        ).pipe(
          Effect.match({
            onSuccess: (leftovers) => moved(leftovers, null),
            onFailure: ({ message }) => moved([], message)
          })
        )
      })
    )
  })

  const failed = (sessionId: string, why: string, undone: boolean) =>
    new RelocationError({ sessionId, reason: undone ? "failed" : "not-undone", path: "", why })

  const unsettledBy = (key: string, sessionId: string, path: string, why: string) =>
    new RelocationError({ sessionId, reason: "unsettled", path, why, journal: journalPath(directory, key) })

  const moveBy = Effect.fn("Relocator.moveBy")(function* <E, R>(
    session: Pick<Plan, "cli" | "sessionId">,
    planned: Effect.Effect<Plan, E, R>,
    registries: SessionRegistries
  ) {
    const emptyPlan: Plan = {
      cli: session.cli,
      sessionId: session.sessionId,
      pieces: [],
      lineFiles: [],
      tidy: [],
      edits: []
    }
    const check = (plan: Plan) => {
      const bad = keyOf(plan) === keyOf(session) ? fault(plan) : { path: "", why: "it is a plan for another session" }
      return bad === null ? Effect.void : refused(emptyPlan, "bad-plan", bad.path, bad.why)
    }
    yield* check(emptyPlan)
    const key = keyOf(session)
    const { sessionId } = session
    const asFailure =
      (undone: boolean) =>
      ({ message }: { readonly message: string }) =>
        failed(sessionId, message, undone)
    yield* ready.pipe(Effect.mapError(asFailure(true)))
    yield* hold(key, sessionId).pipe(
      Effect.mapError((error) => (error._tag === "RelocationError" ? error : failed(sessionId, error.message, true)))
    )
    const former = yield* settle(key, registries).pipe(
      Effect.mapError(({ message }) =>
        failed(sessionId, `what an earlier move may have left could not be settled: ${message}`, false)
      )
    )
    if (former?.outcome === "refused") {
      return yield* unsettledBy(key, sessionId, former.path, former.why)
    }
    const plan = yield* planned
    yield* check(plan)
    if (former !== null && former.plan !== null && plan.pieces.length > 0 && isSameMove(former.plan, plan)) {
      yield* registries.apply(plan).pipe(Effect.mapError(asFailure(true)))
      return { linked: 0, copied: 0, leftovers: former.leftovers, pending: null } satisfies Moved
    }
    const undone: { failure: string | null } = { failure: null }
    return yield* Effect.scoped(carryOut(plan, registries, undone)).pipe(
      Effect.mapError((error) => {
        if (undone.failure !== null)
          return failed(sessionId, `${error.message}; undoing it failed: ${undone.failure}`, false)
        return error instanceof RelocationError ? error : failed(sessionId, error.message, true)
      })
    )
  }, Effect.scoped)

  const move = Effect.fn("Relocator.move")(function* (plan: Plan, registries: SessionRegistries) {
    const bad = fault(plan)
    if (bad !== null) return yield* refused(plan, "bad-plan", bad.path, bad.why)
    return yield* moveBy(plan, Effect.succeed(plan), registries)
  })

  const recoverOne = Effect.fnUntraced(function* (key: string, registries: SessionRegistries) {
    const sessionId = key.slice(key.indexOf(".") + 1)
    yield* hold(key, sessionId)
    const former = yield* settle(key, registries).pipe(
      Effect.catch(({ message }) => Effect.succeed(settled("refused", journalPath(directory, key), { why: message })))
    )
    if (former === null) return []
    const { leftovers, outcome, path, why } = former
    const message = outcome === "refused" ? unsettledBy(key, sessionId, path, why).message : ""
    return [{ key, outcome, why: message, leftovers } satisfies Recovered]
  }, Effect.scoped)

  /** Sessions that have a journal or a lock: a lock's file outlives its journal only if its mover died. */
  const keys = Effect.map(
    files.list(directory),
    (names) =>
      new Set(names.map((name) => keyOfJournal(name.replace(/\.lock$/, ".journal"))).filter((key) => key !== null))
  )

  const unsettled = Effect.gen(function* () {
    if ((yield* files.stat(directory)) === null) return []
    const found: Array<string> = []
    for (const key of yield* keys) {
      const isLeft = hold(key, key).pipe(
        Effect.andThen(files.stat(journalPath(directory, key))),
        Effect.map((journal) => journal !== null),
        Effect.scoped,
        Effect.catchTag("RelocationError", () => Effect.succeed(false))
      )
      if (yield* isLeft) found.push(key.slice(key.indexOf(".") + 1))
    }
    return found
  }).pipe(Effect.mapError(({ message }) => failed("", message, true)))

  const recoverAll = Effect.fn("Relocator.recoverAll")(
    function* (registries: SessionRegistries) {
      yield* ready
      const recovered: Array<Recovered> = []
      for (const key of yield* keys) {
        recovered.push(
          ...(yield* recoverOne(key, registries).pipe(
            // Its mover is alive, or another leap is settling it.
            Effect.catchTag("RelocationError", () => Effect.succeed([])),
            Effect.catchTag("StoreError", ({ message }) =>
              Effect.succeed([{ key, outcome: "refused" as const, why: message, leftovers: [] }])
            )
          ))
        )
      }
      return recovered
    },
    Effect.mapError(({ message }) => failed("", message, true))
  )

  return Relocator.of({ move, moveBy, unsettled, recoverAll })
})

/** The engine with its journals in leap's own directory. */
export const layer: Layer.Layer<Relocator, never, RelocationFiles | OpenFiles | FileLock | Paths> = Layer.effect(
  Relocator,
  Effect.flatMap(Paths, (paths) => make({ directory: `${paths.state}/relocations`, ensure: paths.ensureBase }))
)
