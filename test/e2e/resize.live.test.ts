import { assert, describe } from "@effect/vitest"
import { Effect, Stream } from "effect"
import * as fs from "node:fs"
import * as path from "node:path"
import { kill, makeRoom, startDemo } from "../support/processes/Room.ts"
import { testPatience } from "../support/run/patience.ts"
import { rowsOf } from "../support/data/fields.ts"
import { live } from "../support/run/effects.ts"

/** Loaded into the CLI: at SIGUSR2 it reads and draws nothing for a while, as one that computes. */
const busy = `
process.on("SIGUSR2", () => void Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 2500))
`

describe("a session's terminal", () => {
  live(
    "is resized as a message stands in the box, and the CLI draws anew seconds later: it is sent, once",
    function* () {
      const room = yield* makeRoom()
      const preload = path.join(room.dir, "busy.cjs")
      fs.writeFileSync(preload, busy)
      const { pid } = yield* startDemo(room, "sized", { NODE_OPTIONS: `--require=${preload}` })
      const client = yield* room.connect("sized")
      yield* client
        .Attach({ viewer: "v", cols: 100, rows: 30, readOnly: false, programStatus: false })
        .pipe(Stream.runDrain, Effect.forkScoped)
      yield* room.until("sized", ({ attached, ready }) => attached === 1 && ready, "attached")
      const text = "two lines\nof größer 日本"
      const typed = client.Watch().pipe(
        Stream.filter(({ queue }) => queue[0]?.status === "typed"),
        Stream.runHead
      )
      yield* Effect.all([typed, client.Send({ text, images: [], front: false, force: false })], { concurrency: 2 })
      kill(pid!, "SIGUSR2")
      yield* client.Resize({ viewer: "v", cols: 64, rows: 20 })
      const { queue } = yield* room.until(
        "sized",
        ({ queue }) => queue[0]?.status === "done" || queue[0]?.status === "held",
        "sent, or not"
      )
      assert.deepStrictEqual(rowsOf(queue, "status", "why"), [["done", null]])
      assert.deepStrictEqual(
        room.log().flatMap(({ event, text }) => (event === "submitted" ? [text] : [])),
        [text]
      )
    },
    testPatience
  )
})
