import { Effect, Layer } from "effect"
import * as path from "node:path"
import { FileLock } from "../../services/FileLock.ts"
import { OutJournal } from "../../services/OutJournal.ts"
import { Paths } from "../../services/Paths.ts"
import { StoreError } from "../../services/StoreError.ts"

/** Only `leap out` loads the database. */
const load = Effect.promise(() => import("./outDatabase.ts"))

/** The journal in an SQLite database of the state directory. */
export const layer: Layer.Layer<OutJournal, never, FileLock | Paths> = Layer.effect(
  OutJournal,
  Effect.gen(function* () {
    const lock = yield* FileLock
    const { ensureBase, state } = yield* Paths
    const file = path.join(state, "out.db")
    return OutJournal.of({
      file,
      open: Effect.andThen(
        Effect.mapError(
          ensureBase,
          ({ message }) => new StoreError({ store: "out", reason: "failed", file, why: message })
        ),
        Effect.flatMap(load, ({ openJournal }) => openJournal(file, lock))
      ),
      receivers: Effect.flatMap(load, ({ readReceivers }) => readReceivers(file))
    })
  })
)
