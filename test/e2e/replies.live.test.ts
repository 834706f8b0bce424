import { assert, describe } from "@effect/vitest"
import { Effect } from "effect"
import { makeRoom, startDemo } from "../support/processes/Room.ts"
import { openSlowTerminal } from "../support/processes/SlowTerminal.ts"
import { inWindows } from "../support/processes/Window.ts"
import { isThorough } from "../support/run/thorough.ts"

/** In steps of 50 ms, before the real CLIs: `test/real/replies.real.ts`. */
const delays = isThorough ? Array.from({ length: 11 }, (_, i) => i * 200) : [0, 350, 1000, 2000]

describe("a terminal whose answers come late", () => {
  inWindows("types none of them into the CLI, nor into the shell after it", function* () {
    const room = yield* makeRoom()
    yield* startDemo(room, "one")
    const client = yield* room.connect("one")
    yield* Effect.forEach(
      delays.flatMap((delay) => [
        { delay, stays: false, pieces: 1 },
        { delay, stays: true, pieces: 3 }
      ]),
      ({ delay, pieces, stays }) =>
        Effect.gen(function* () {
          const what = `${delay} ms${stays ? ", detached when it had come" : ""}`
          const { command, dir, env } = room
          const terminal = yield* openSlowTerminal([...command, "attach", "one"], { cwd: dir, env, delay, pieces })
          yield* terminal.shows("ask anything")
          // some come while the CLI is shown, some when it is being left
          if (stays) yield* Effect.sleep(delay + 200)
          yield* terminal.type("\x1c")
          yield* terminal.left
          yield* Effect.sleep(stays ? 200 : delay + 200)
          assert.strictEqual(terminal.stray(), "", `into the shell, at ${what}`)
          assert.notMatch((yield* client.Screen()).text, /62;22|rgb:|7501/, `into the box, at ${what}`)
        }).pipe(Effect.scoped),
      { concurrency: 3 }
    )
    const { text } = yield* client.Draft()
    assert.include(["", null], text, "the box is empty")
  })
})
