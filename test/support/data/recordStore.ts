import { Effect, Layer } from "effect"
import * as fs from "node:fs"
import * as os from "node:os"
import * as path from "node:path"
import type { LifeRow, RecordRow } from "../../../src/domain/engine/history/RecordRow.ts"
import * as FileLockSqlite from "../../../src/layers/files/FileLockSqlite.ts"
import * as PathsXdg from "../../../src/layers/files/PathsXdg.ts"
import * as RecordStoreSqlite from "../../../src/layers/files/RecordStoreSqlite.ts"
import * as SystemNode from "../../../src/layers/system/SystemNode.ts"
import { Paths } from "../../../src/services/Paths.ts"
import { RecordStore } from "../../../src/services/RecordStore.ts"
import { begin } from "./recordEvents.ts"

/** The record in a directory, as one process has it. */
export const storeIn = (home: string) =>
  Effect.gen(function* () {
    yield* (yield* Paths).ensureBase
    return yield* RecordStore
  }).pipe(
    Effect.provide(
      RecordStoreSqlite.layer.pipe(
        Layer.provideMerge([
          FileLockSqlite.layer,
          PathsXdg.layerFrom({ HOME: home, LEAP_HOME: home }),
          SystemNode.layerWith({ version: "1.2.3", self: ["true"] })
        ])
      )
    )
  )

/** A directory that is gone with the scope. */
export const temporary = Effect.acquireRelease(
  Effect.sync(() => fs.realpathSync(fs.mkdtempSync(path.join(os.tmpdir(), "leap-record-")))),
  (dir) => Effect.sync(() => fs.rmSync(dir, { recursive: true, force: true }))
)

export const lifeOf = (tag: string, more: Partial<LifeRow> = {}): LifeRow => ({
  tag,
  cli: "demo",
  base: "demo",
  cwd: "/work",
  hostPid: 7,
  version: "1.2.3",
  since: begin,
  ...more
})

/** Rows of a life that is alike for each number: a second of work, and an answer. */
export const turnRows = (i: number): ReadonlyArray<RecordRow> => {
  const since = begin + i * 2_000
  return [
    { _tag: "Interval", n: 2 * i, state: "running", since, reason: "r", asked: null },
    { _tag: "Turn", n: i, since, message: null },
    { _tag: "IntervalEnded", n: 2 * i, until: since + 1_000, answeredBy: null },
    { _tag: "Interval", n: 2 * i + 1, state: "idle", since: since + 1_000, reason: "r", asked: null },
    { _tag: "TurnEnded", n: i, until: since + 1_000, outcome: "completed" },
    { _tag: "Text", kind: "answer", ref: String(i), at: since + 1_000, text: `answer number${i} of the rhubarb` },
    { _tag: "IntervalEnded", n: 2 * i + 1, until: since + 2_000, answeredBy: null }
  ]
}
