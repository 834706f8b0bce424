import { Effect, Layer } from "effect"
import { createHash } from "node:crypto"
import * as path from "node:path"
import { FileLock } from "../../services/FileLock.ts"
import type { OpenFiles } from "../../services/OpenFiles.ts"
import { Paths } from "../../services/Paths.ts"
import type { ProcessTable } from "../../services/ProcessTable.ts"
import { System } from "../../services/System.ts"
import { WorktreeError, Worktrees } from "../../services/Worktrees.ts"
import { finishWorktree } from "./finishWorktree.ts"
import { gitAt } from "./git.ts"
import { failed } from "./inspectRepository.ts"
import { makeWorktree, type Maker } from "./makeWorktree.ts"
import { recordsIn } from "./worktreePaths.ts"
import { removeHalf, removeWorktree } from "./removeWorktree.ts"
import { takeBack } from "./takeBack.ts"

/** The limit for another leap to make, finish or remove a worktree, without its setup. */
const timeout = "1 minute"

const make = Effect.gen(function* () {
  const paths = yield* Paths
  const system = yield* System
  const locks = yield* FileLock
  const context = yield* Effect.context<OpenFiles | ProcessTable>()
  const records = recordsIn(path.join(paths.state, "worktrees"))
  const git = system.which("git", system.env).pipe(
    Effect.map((program) => gitAt(program, system.env)),
    Effect.mapError(
      ({ why }) =>
        new WorktreeError({ kind: "notInstalled", message: `worktrees need git, which cannot be run: ${why}` })
    )
  )
  const making = new Set<string>()
  const alone = <A, E, R>(effect: Effect.Effect<A, E, R>) =>
    paths.ensureBase.pipe(
      Effect.andThen(Effect.interruptible(locks.acquire(path.join(paths.state, "worktrees.lock"), timeout))),
      Effect.mapError(({ message }) => failed(message)),
      Effect.andThen(records.sweep),
      Effect.andThen(effect),
      Effect.scoped
    ) as Effect.Effect<A, E | WorktreeError, R>
  return Worktrees.of({
    all: records.all,
    make: Effect.fnUntraced(function* (request, tell) {
      const maker: Maker = {
        git: yield* git,
        env: system.env,
        pid: system.pid,
        records,
        newId: system.newId,
        making,
        alone
      }
      return yield* makeWorktree(maker, request, tell)
    }, Effect.provide(context)),
    undo: (record) =>
      Effect.gen(function* () {
        const kept = yield* takeBack(yield* git, record, false)
        if (kept.length === 0) yield* records.drop(record.id)
        return kept
      }).pipe(
        Effect.provide(context),
        Effect.catch(({ message }) => Effect.succeed([message]))
      ),
    finish: Effect.fnUntraced(
      function* (directory, wish) {
        // hooks may take long, and another repository does not wait for them
        const lockOf = (common: string) => `worktrees.finish.${createHash("sha256").update(common).digest("hex")}.lock`
        return yield* finishWorktree(yield* git, directory, wish, (common) =>
          paths.ensureBase.pipe(
            Effect.andThen(locks.acquire(path.join(paths.state, lockOf(common)), timeout)),
            Effect.mapError(({ message }) => failed(message))
          )
        )
      },
      Effect.scoped,
      Effect.provide(context)
    ),
    remove: (record, users, agreed) =>
      alone(
        Effect.gen(function* () {
          const found = yield* git
          const removed =
            record.readyAt === null
              ? yield* removeHalf(found, { making, pid: system.pid }, record)
              : yield* removeWorktree(found, record, users, agreed)
          yield* records.drop(record.id)
          return removed
        }).pipe(Effect.provide(context), Effect.uninterruptible)
      )
  })
})

export const layer: Layer.Layer<Worktrees, never, FileLock | OpenFiles | Paths | ProcessTable | System> = Layer.effect(
  Worktrees,
  make
)
