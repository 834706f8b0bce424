import { assert, describe } from "@effect/vitest"
import { Effect } from "effect"
import * as fs from "node:fs"
import * as path from "node:path"
import { endsWell, makeRoom, startDemo } from "../support/processes/Room.ts"
import { openWindow, inWindows } from "../support/processes/Window.ts"
import { lookingAgain } from "../support/run/patience.ts"

/** A room with a herdr that notes how it was called, and takes its time. */
const roomInPane = Effect.gen(function* () {
  const room = yield* makeRoom("0.1")
  const calls = path.join(room.dir, "calls")
  const herdr = path.join(room.dir, "herdr")
  fs.writeFileSync(herdr, `#!/bin/sh\nprintf '%s\\037' "$@" >>'${calls}'; echo >>'${calls}'; sleep 0.2\n`, {
    mode: 0o755
  })
  fs.writeFileSync(calls, "")
  const told = () => {
    const lines = fs.readFileSync(calls, "utf8").split("\n")
    return lines.filter((line) => line !== "").map((line) => line.split("\x1f").slice(0, -1))
  }
  const until = (test: () => boolean) =>
    Effect.suspend(() => (test() ? Effect.void : Effect.fail("not yet"))).pipe(
      Effect.retry(lookingAgain(20)),
      Effect.catch(() => Effect.die(new Error(JSON.stringify(told()))))
    )
  return { room, told, until, env: { HERDR_ENV: "1", HERDR_PANE_ID: "w1:p2", HERDR_BIN_PATH: herdr } }
})

describe("a pane of herdr", () => {
  inWindows("is told by its own command what the session does, and that nobody reports any more", function* () {
    const { env, room, told, until } = yield* roomInPane
    yield* startDemo(room, "one")
    const window = yield* openWindow(room, ["attach", "one"], undefined, env)
    const states = () => told().map((words) => words[words.indexOf("--state") + 1])
    yield* until(() => states().at(-1) === "idle")
    yield* endsWell(room.leap(["send", "one", "/permission"]))
    yield* until(() => states().at(-1) === "blocked")
    const seq = (words: ReadonlyArray<string>) => Number(words.at(-1))
    const blocked = told().at(-1) ?? []
    assert.deepStrictEqual(
      blocked.slice(0, -1),
      ["pane", "report-agent", "w1:p2", "--source", "leap", "--agent", "leap", "--state", "blocked"].concat([
        "--message",
        "one: needs you",
        "--seq"
      ])
    )
    yield* window.type("\x1c")
    assert.strictEqual((yield* window.exit).code, 0)
    const last = told().at(-1) ?? []
    assert.deepStrictEqual(last.slice(0, -1), [
      "pane",
      "release-agent",
      "w1:p2",
      "--source",
      "leap",
      "--agent",
      "leap",
      "--seq"
    ])
    const seqs = told().map(seq)
    assert.deepStrictEqual(
      seqs,
      [...new Set(seqs)].toSorted((a, b) => a - b)
    )
  })

  inWindows("is told nothing where the terminal reads program status, or where it is none", function* () {
    const { env, room, told } = yield* roomInPane
    yield* startDemo(room, "one")
    const reads = (output: string) =>
      Effect.succeed(
        `${output.includes("\x1b]7501;?") ? "\x1b]7501;version=1\x1b\\" : ""}${output.includes("\x1b[c") ? "\x1b[?62c" : ""}`
      )
    for (const [given, answer] of [
      [env, reads],
      [{ ...env, HERDR_ENV: "" }, undefined],
      [{ ...env, HERDR_PANE_ID: "" }, undefined]
    ] as const) {
      const window = yield* openWindow(room, ["attach", "one"], undefined, given, answer)
      yield* window.shows("ask anything")
      yield* window.type("\x1c")
      assert.strictEqual((yield* window.exit).code, 0)
      assert.deepStrictEqual(told(), [])
    }
    // a herdr that is not there is nobody's failure
    const missing = yield* openWindow(room, ["attach", "one"], undefined, {
      ...env,
      HERDR_BIN_PATH: "/nowhere/herdr"
    })
    yield* missing.shows("ask anything")
    yield* missing.type("\x1c")
    assert.strictEqual((yield* missing.exit).code, 0)
  })
})
