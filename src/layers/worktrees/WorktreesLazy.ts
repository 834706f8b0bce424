import { Effect, Layer } from "effect"
import * as fs from "node:fs"
import * as path from "node:path"
import { tryOr } from "../../domain/words/reading/tryOr.ts"
import type { FileLock } from "../../services/FileLock.ts"
import { Paths } from "../../services/Paths.ts"
import type { ProcessTable } from "../../services/ProcessTable.ts"
import type { System } from "../../services/System.ts"
import { Worktrees } from "../../services/Worktrees.ts"

type Needs = FileLock | Paths | ProcessTable | System

/** Worktrees, loaded on first use: most commands never need them. */
export const layer: Layer.Layer<Worktrees, never, Needs> = Layer.effect(
  Worktrees,
  Effect.gen(function* () {
    const context = yield* Effect.context<Needs>()
    const loaded = yield* Effect.cached(
      Effect.flatMap(
        Effect.promise(() => Promise.all([import("./WorktreesGit.ts"), import("../system/OpenFilesNode.ts")])),
        ([git, files]) =>
          Effect.provide(Worktrees, git.layer.pipe(Layer.provide([files.layer, Layer.succeedContext(context)])))
      )
    )
    const records = path.join((yield* Paths).state, "worktrees")
    return Worktrees.of({
      // a user without worktrees waits for nothing; an unreadable directory is reported by later readers
      all: Effect.suspend(() =>
        tryOr(() => fs.statSync(records, { throwIfNoEntry: false }) === undefined, false)
          ? Effect.succeed([])
          : Effect.flatMap(loaded, ({ all }) => all)
      ),
      make: (request, tell) => Effect.flatMap(loaded, ({ make }) => make(request, tell)),
      undo: (record) => Effect.flatMap(loaded, ({ undo }) => undo(record)),
      remove: (record, users, agreed) => Effect.flatMap(loaded, ({ remove }) => remove(record, users, agreed)),
      finish: (directory, wish) => Effect.flatMap(loaded, ({ finish }) => finish(directory, wish))
    })
  })
)
