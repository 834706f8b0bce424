import { Effect, Layer } from "effect"
import { spawn } from "node:child_process"
import * as path from "node:path"
import { FileLock } from "../../services/FileLock.ts"
import { Paths } from "../../services/Paths.ts"
import { RecordStore } from "../../services/RecordStore.ts"
import { System } from "../../services/System.ts"
import type { Damage } from "./recordDatabase.ts"

/** The database is loaded at its first use. A host's session has begun by then, and does not wait for it. */
const writing = Effect.promise(() => import("./recordDatabase.ts"))

const make = Effect.gen(function* () {
  const system = yield* System
  const lock = yield* FileLock
  const file = path.join((yield* Paths).state, "record.db")
  const damage: Damage = { found: null }
  const reading = Effect.promise(() => import("./recordReading.ts").then(({ readersOf }) => readersOf(file)))
  return RecordStore.of({
    file,
    open: (life) =>
      Effect.gen(function* () {
        const { openWriter } = yield* writing
        const writer = yield* openWriter(file, lock, damage, life)
        if (writer.setAside !== null)
          yield* Effect.logWarning(`the record was damaged: it is kept as ${writer.setAside}, and a new one was begun`)
        return writer
      }),
    // Deletions and syncs take long, so no host does them itself.
    upkeep: (days, megabytes) =>
      Effect.sync(() => {
        const [command = process.execPath, ...args] = system.self
        const child = spawn(command, [...args, "__record-upkeep", file, String(days), String(megabytes)], {
          detached: true,
          cwd: "/",
          env: { ...system.env },
          stdio: "ignore"
        })
        child.on("error", () => {})
        child.unref()
      }),
    report: (spans) => Effect.flatMap(reading, ({ report }) => report(spans)),
    spent: (span) => Effect.flatMap(reading, ({ spent }) => spent(span)),
    course: (from) => Effect.flatMap(reading, ({ course }) => course(from)),
    log: (query) => Effect.flatMap(reading, ({ log }) => log(query)),
    said: (query) => Effect.flatMap(reading, ({ said }) => said(query)),
    after: (from, known) => Effect.flatMap(reading, ({ after }) => after(from, known)),
    search: (query, words) => Effect.flatMap(reading, ({ search }) => search(query, words)),
    check: Effect.flatMap(writing, ({ check }) => check(file))
  })
})

/** The record in an SQLite database of the state directory. */
export const layer: Layer.Layer<RecordStore, never, FileLock | Paths | System> = Layer.effect(RecordStore, make)
