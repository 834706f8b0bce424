import { assert } from "@effect/vitest"
import { Effect } from "effect"
import { spawn } from "node:child_process"
import * as fs from "node:fs"
import * as os from "node:os"
import * as path from "node:path"
import * as QueueStoreFile from "../../../src/layers/files/QueueStoreFile.ts"
import { childProgram } from "../../support/children/childProgram.ts"
import { live } from "../../support/run/effects.ts"

const kills = 30
const script = childProgram("appendLoop")

/**
 * Lets a process append until it has acknowledged `lines` and `delay` more milliseconds have passed; gives back what it
 * acknowledged.
 */
const killed = (file: string, from: number, lines: number, delay: number) =>
  Effect.callback<ReadonlyArray<string>>((resume) => {
    const child = spawn(process.execPath, [script, file, String(from)], { stdio: ["ignore", "pipe", "inherit"] })
    let said = ""
    let armed = false
    child.stdout.setEncoding("utf8").on("data", (text: string) => {
      said += text
      if (armed || said.split("\n").length <= lines + 1) return
      armed = true
      setTimeout(() => child.kill("SIGKILL"), delay)
    })
    child.once("close", () => resume(Effect.succeed(said.split("\n").slice(1, -1))))
    return Effect.sync(() => child.kill("SIGKILL"))
  }).pipe(Effect.timeout("30 seconds"))

live(
  "a process that is killed at any instant loses no acknowledged record",
  function* () {
    const dir = yield* Effect.acquireRelease(
      Effect.sync(() => fs.mkdtempSync(path.join(os.tmpdir(), "leap-kill-"))),
      (dir) => Effect.sync(() => fs.rmSync(dir, { recursive: true, force: true }))
    )
    const file = path.join(dir, "queue.ndjson")
    const store = QueueStoreFile.make(QueueStoreFile.files)
    let next = 0
    for (let round = 0; round < kills; round++) {
      const acknowledged = yield* killed(file, next, 1 + ((round * 7) % 23), (round * 1.7) % 9)
      assert.isAbove(acknowledged.length, 0)
      const log = yield* Effect.scoped(store.open(file))
      assert.strictEqual(log.damaged, 0)
      const found = log.records.flatMap((record) => (record._tag === "Accepted" ? [record.message.id] : []))
      // Compaction keeps the last forty: the log's beginning may be missing, nothing else.
      const last = acknowledged.at(-1) ?? ""
      const kept = found.slice(0, found.indexOf(last) + 1)
      assert.deepStrictEqual(kept.slice(-acknowledged.length), acknowledged.slice(-kept.length), `round ${round}`)
      assert.isAtLeast(kept.length, Math.min(acknowledged.length, 40), `round ${round}`)
      // Behind it at most the record that was under way.
      assert.isAtMost(found.length - kept.length, 1)
      const numbers = found.map((id) => Number(id.slice(1)))
      assert.deepStrictEqual(
        numbers,
        numbers.map((_, i) => (numbers[0] ?? 0) + i),
        "in order, none twice"
      )
      next = (numbers.at(-1) ?? -1) + 1
    }
    assert.isAtLeast(next, kills)
  },
  180_000
)
