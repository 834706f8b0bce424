import { assert, describe } from "@effect/vitest"
import { Effect, Fiber } from "effect"
import { eventually, kill, makeRoom, startDemo } from "../support/processes/Room.ts"
import { live } from "../support/run/effects.ts"

describe("leap send --wait tells how the turn ended", () => {
  live(
    "0 and the answer; 8, a line and what had been said where it was interrupted, failed, or ended with its CLI",
    function* () {
      const room = yield* makeRoom("0.1")
      const { pid } = yield* startDemo(room, "w")
      const wait = (text: string, ...more: ReadonlyArray<string>) =>
        room.leap(["send", "w", text, "--wait", "--force", ...more])

      const client = yield* room.connect("w")

      const done = yield* wait("hello")
      assert.strictEqual(done.code, 0, done.stderr)
      assert.include(done.stdout, "That is my answer.")

      const interrupting = yield* Effect.forkChild(wait("a long one"), { startImmediately: true })
      // far enough for something to have been said
      yield* eventually(
        () => room.log().some(({ event, text }) => event === "turn_started" && text === "a long one"),
        "its turn"
      )
      yield* room.untilScreen("w", (text) => text.includes("Part 2"), "the second part")
      // over a connection that is there: a command takes its time to start, and the turn does not wait
      yield* client.Interrupt()
      const interrupted = yield* Fiber.join(interrupting)
      assert.strictEqual(interrupted.code, 8, interrupted.stderr)
      assert.match(interrupted.stderr, /^leap: message \w+: its turn was interrupted$/m)
      assert.include(interrupted.stdout, "Part 1")
      assert.notInclude(interrupted.stdout, "That is my answer.")

      assert.match(
        (yield* room.leap(["status", "w"])).stdout,
        /^message interrupted +\w+ +a long one +\(its turn was interrupted\)$/m
      )
      yield* room.leap(["send", "w", "later"])
      const released = yield* room.leap(["queue", "release", "w"])
      assert.match(released.stderr, /0 messages released\nleap: what is queued waits since you interrupted/)
      assert.match((yield* room.leap(["queue", "list", "w"])).stdout, /queued +later/)
      yield* room.leap(["queue", "clear", "w"])

      const asking = yield* Effect.forkChild(wait("please write a file"), { startImmediately: true })
      yield* room.until("w", ({ state }) => state === "needs_permission", "its dialog")
      yield* room.leap(["answer", "w", "1"])
      const asked = yield* Fiber.join(asking)
      assert.match(asked.stderr, /^leap: message \w+ waits: 'w' asks .*'leap answer w /m)
      assert.strictEqual(asked.code, 0, asked.stderr)

      const failed = yield* wait("fail", "--json")
      assert.strictEqual(failed.code, 8, failed.stderr)
      assert.match(failed.stderr, /its turn failed: the scripted model failed/)
      assert.match(failed.stderr, /it stays in the queue \('leap queue w'\)$/m)
      const { id, outcome, response, status, why } = JSON.parse(failed.stdout) as Record<string, unknown>
      assert.deepStrictEqual([status, outcome, response], ["held", "failed", null])
      assert.match(String(why), /its turn failed/)
      const pause = "the last turn failed; messages wait for your word"
      const hint = "('leap queue retry w all', 'leap queue release w')"
      const behind = yield* room.leap(["send", "w", "behind"])
      assert.strictEqual(behind.stderr, `leap: held; ${pause} ${hint}\n`)
      // said by the whole program as by the quick way
      for (const list of [
        ["queue", "w"],
        ["queue", "list", "w"]
      ]) {
        const listed = yield* room.leap(list)
        assert.match(listed.stdout, /^\w+ +held +fail +\(its turn failed: .*\)\n\w+ +held +behind +\(it waits behind/)
        assert.strictEqual(listed.stderr, `leap: the queue waits: ${pause} ${hint}\n`)
      }
      assert.strictEqual((yield* room.leap(["wait", "w"])).code, 0, "nothing is to come by itself")
      yield* room.leap(["queue", "edit", "w", String(id), "works"])
      const retried = yield* room.leap(["queue", "retry", "w", "all"])
      assert.match(
        retried.stderr,
        /^1 message is sent again\n.*“works”\n1 message that waited behind is sent too\n.*“behind”/
      )
      yield* room.until("w", ({ queue }) => queue.filter(({ outcome }) => outcome === "completed").length >= 2, "both")
      yield* room.leap(["wait", "w"])
      assert.notMatch((yield* room.leap(["status", "w"])).stdout, /queue waits/)

      const cutting = yield* Effect.forkChild(wait("tool 60"), { startImmediately: true })
      yield* room.until("w", ({ queue }) => queue.some(({ status }) => status === "started"), "a turn without words")
      yield* client.Interrupt()
      const wordless = yield* Fiber.join(cutting)
      assert.match(wordless.stderr, /its turn was interrupted; what it had said .* 'leap screen w' shows/)
      assert.deepStrictEqual([wordless.code, wordless.stdout], [8, ""])

      const ending = yield* Effect.forkChild(wait("tool 60"), { startImmediately: true })
      yield* room.until("w", ({ queue }) => queue.some(({ status }) => status === "started"), "the last turn")
      kill(pid!)
      const ended = yield* Fiber.join(ending)
      assert.strictEqual(ended.code, 8, ended.stderr)
      assert.match(ended.stderr, /the CLI exited during its turn|ended before its turn was over/)
      yield* room.leap(["wait", "w", "--until", "exited"])
      const late = yield* room.leap(["send", "w", "hello"])
      assert.deepStrictEqual([late.code, late.stderr], [3, "leap: session 'w' has ended: 'leap w' starts it again\n"])
    }
  )
})
