import { assert, describe, layer } from "@effect/vitest"
import { Clock, Effect, Fiber, Layer } from "effect"
import { slowSyncs } from "../support/data/slowSyncs.ts"
import { makeRoom, startDemo } from "../support/processes/Room.ts"
import { openWindow, windows } from "../support/processes/Window.ts"
import { isThorough } from "../support/run/thorough.ts"

const syncs = [0, 150, 1_000]
const rounds = 8
const letters = "abcdefghijklmnopqrstuvwxyz"

const median = (of: ReadonlyArray<number>): number => of.toSorted((a, b) => a - b)[Math.floor(of.length / 2)] ?? 0

describe.skipIf(!isThorough)("a disk whose syncs take their time", () => {
  layer(Layer.mergeAll(...windows), { excludeTestServices: true })((it) => {
    it.effect("keeps no key from its echo, while messages are stored", (context) =>
      Effect.gen(function* () {
        const room = yield* makeRoom("0.1", { hosts: "apart" })
        const disk = slowSyncs(room.dir)
        if (disk === null) return context.skip()
        const { hostPid } = yield* startDemo(room, "slow", disk.env)
        const client = yield* room.connect("slow")
        const window = yield* openWindow(room, ["attach", "slow"], { cols: 100, rows: 20 }, disk.env)
        // a draft of the user's own: what is sent waits behind it
        yield* window.type("draft ")
        yield* window.shows("draft")
        const told = syncs.map((ms) => ({ ms, echoes: [] as Array<number>, stored: [] as Array<number> }))
        let draft = "draft "
        for (let round = 0; round < rounds; round++)
          // interleaved, each time from another one on: what else goes on here meets all of them
          for (const [n] of told.entries()) {
            const lane = told[(n + round) % told.length]!
            disk.take(lane.ms)
            const begun = yield* Clock.currentTimeMillis
            const storing = yield* Effect.forkChild(
              Effect.andThen(
                client.Send({ text: `message ${round}.${n}`, images: [], front: false, force: false }),
                Clock.currentTimeMillis
              )
            )
            yield* Effect.sleep(20)
            const typed = yield* Clock.currentTimeMillis
            draft += letters[(round * syncs.length + n) % letters.length]
            yield* window.type(draft.at(-1) ?? "")
            yield* Effect.sleep(2).pipe(
              Effect.repeat({ until: () => window.screen().includes(draft.trim()), times: 3_000 })
            )
            assert.include(window.screen(), draft.trim())
            lane.echoes.push((yield* Clock.currentTimeMillis) - typed)
            lane.stored.push((yield* Fiber.join(storing)) - begun)
          }
        disk.take(0)
        for (const pid of [hostPid, window.pid])
          assert.deepStrictEqual(disk.inFirstThread(pid), [], "the thread that passes keys on syncs nothing")
        for (const { echoes, ms, stored } of told)
          process.stderr.write(
            `syncs of ${ms} ms: echo ${median(echoes)} ms (at most ${Math.max(...echoes)}), stored in ${median(stored)} ms\n`
          )
        for (const { echoes, ms, stored } of told) {
          // it is the disk that is slow, and a message is on it before it is said to be
          assert.isAtLeast(Math.min(...stored), ms)
          // the slowest machine's echo is no sync
          if (ms === 1_000) assert.isBelow(median(echoes), ms / 2)
        }
      }).pipe(Effect.scoped)
    )

    it.effect.each([100, 700, 1_500])("types what was sent when it has written it: syncs of %i ms", (ms, context) =>
      Effect.gen(function* () {
        const room = yield* makeRoom("0.1", { hosts: "apart" })
        const disk = slowSyncs(room.dir)
        if (disk === null) return context.skip()
        yield* startDemo(room, "slow", disk.env)
        const window = yield* openWindow(room, ["attach", "slow"], { cols: 100, rows: 20 }, disk.env)
        yield* window.shows("ask anything")
        disk.take(ms)
        for (const text of ["tool 20", "behind it"]) yield* room.leap(["send", "slow", text])
        // the second is stored so late that the first one's turn may be over by then
        const isBegun = ({ queue }: { readonly queue: ReadonlyArray<{ readonly status: string }> }) =>
          ["started", "done"].includes(queue[0]?.status ?? "")
        const { queue } = yield* room.until("slow", isBegun, "a turn")
        assert.deepStrictEqual(
          queue.map(({ text }) => text),
          ["tool 20", "behind it"]
        )
        yield* room.until("slow", ({ queue }) => queue.length === 0, "both are done")
        disk.take(0)
      }).pipe(Effect.scoped)
    )
  })
})
