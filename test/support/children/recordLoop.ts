// Writes turns of a life to the record in a directory: so many, or until it is killed. Says on stdout, one line each,
// how many are written, or why one is not.
import { Effect, Schedule, type Scope } from "effect"
import * as fs from "node:fs"
import { begin } from "../data/recordEvents.ts"
import { lifeOf, storeIn, turnRows } from "../data/recordStore.ts"
import type { StoreError } from "../../../src/services/StoreError.ts"

const [home = "", tag = "", count = "Infinity"] = process.argv.slice(2)

Effect.runFork(
  Effect.gen(function* () {
    const store = yield* storeIn(home)
    const patient = <A>(effect: Effect.Effect<A, StoreError, Scope.Scope>) =>
      Effect.retry(effect, { while: ({ reason }) => reason === "busy", schedule: Schedule.spaced("2 millis") })
    const writer = yield* patient(store.open(lifeOf(tag)))
    for (let i = 0; i < Number(count); i++) {
      yield* patient(writer.write(turnRows(i), begin + (i + 1) * 2_000))
      fs.writeSync(1, `${i + 1}\n`)
    }
  }).pipe(
    Effect.catch((error) =>
      Effect.sync(() => fs.writeSync(1, `${error._tag === "StoreError" ? error.reason : ""}: ${error.message}\n`))
    ),
    Effect.scoped
  )
)
