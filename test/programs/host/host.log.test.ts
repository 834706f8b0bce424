import { assert, describe } from "@effect/vitest"
import { Effect, Exit, Fiber } from "effect"
import { TestClock } from "effect/testing"
import { provider as demo } from "../../../src/layers/providers/demo/Provider.ts"
import type { SessionStatus } from "../../../src/domain/words/session/Session.ts"
import { DiskFake } from "../../support/host/DiskFake.ts"
import { hosted } from "../../support/host/hosted.ts"
import { hostDemo, passing, until } from "../../support/host/stage.ts"

const fates = (status: SessionStatus | undefined) => status?.queue.map((message) => [message.text, message.status])

describe("a session that ends while its queue's log is slow", () => {
  for (const [when, fate] of [
    ["is typed", "held"],
    ["is worked at", "failed"]
  ] as const)
    hosted(`tells its end, on disk too, with what becomes of the message that ${when}`, function* () {
      const disk = yield* DiskFake
      const { child, cli, end, paths, send, status } = yield* hostDemo()
      disk.faults.add("queue slow")
      yield* passing(send("tool 100"))
      yield* until(() => child.written().includes("tool 100"), "it is typed")
      // what reports this is being written when the CLI exits
      if (fate === "failed") yield* until(() => cli.texts("submitted").length === 1, "it is sent")
      yield* child.exit(1)
      yield* until(() => status.last()?.state === "exited", "its end")
      const stored = disk.queues.get(paths.queue)?.at(-1)
      assert.deepInclude(stored, { _tag: "StatusChanged", status: fate }, "told before it is on disk")
      yield* end
      const told = status.seen().filter(({ state }) => state === "exited")
      assert.deepStrictEqual([told[0]?.exit?.code, fates(told[0])], [1, [["tool 100", fate]]])
      const written = disk.statuses.get(paths.status)
      assert.deepStrictEqual([written?.durable, fates(written?.status)], [true, [["tool 100", fate]]])
    })

  hosted("does not wait for a message that is to be stored once the user's keys are let go", function* () {
    const disk = yield* DiskFake
    // the text is never seen in the box: the keys are held for as long as leap waits for it
    const provider = { ...demo, input: { ...demo.input, showsPasted: () => false } }
    const { child, end, paths, send, status } = yield* hostDemo({}, { provider })
    disk.faults.add("queue slow")
    yield* passing(send("one"))
    yield* until(() => child.written().includes("one"), "it is typed")
    const sending = yield* Effect.forkChild(Effect.exit(send("two")), { startImmediately: true })
    yield* TestClock.adjust(10)
    yield* child.exit(1)
    yield* until(() => status.last()?.exit != null, "its end")
    assert.deepStrictEqual(fates(status.last()), [["one", "held"]])
    assert.strictEqual(status.last()?.queue[0]?.why, "the CLI exited while it was being typed; it may have been sent")
    const stored = disk.queues.get(paths.queue) ?? []
    assert.deepStrictEqual(
      stored.map(({ _tag }) => _tag),
      ["Accepted", "Attempted", "StatusChanged"]
    )
    yield* end
    assert.isTrue(Exit.isFailure(yield* Fiber.join(sending)), "who sent the other one is told that it is not stored")
  })
})
