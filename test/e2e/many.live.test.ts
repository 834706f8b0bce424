import { assert } from "@effect/vitest"
import { Effect } from "effect"
import { makeRoom, startDemo } from "../support/processes/Room.ts"
import { live } from "../support/run/effects.ts"

live(
  "tags, patterns and --all: one line for each session, and the worst exit code; one tag as it always was",
  function* () {
    const room = yield* makeRoom("0.1")
    yield* Effect.all([startDemo(room, "web-1"), startDemo(room, "web-2"), startDemo(room, "api")], {
      concurrency: "unbounded",
      discard: true
    })
    const ran = (...args: ReadonlyArray<string>) => room.leap(args)

    const one = yield* ran("wait", "api")
    assert.deepStrictEqual([one.code, one.stdout], [0, "idle\n"])
    const some = yield* ran("wait", "web-*", "nobody")
    assert.deepStrictEqual([some.code, some.stdout], [3, "web-1  idle\nweb-2  idle\n"])
    assert.match(some.stderr, /^leap: nobody: there is no session 'nobody'/)
    assert.match((yield* ran("stop", "x-*")).stderr, /no session fits 'x-\*'/)

    const sent = yield* ran("send", "web-?", "hello", "--wait")
    assert.deepStrictEqual([sent.code, sent.stderr], [0, ""])
    assert.match(sent.stdout, /^web-1 {2}.*That is my answer/m)
    assert.strictEqual(room.log().filter(({ event, text }) => event === "submitted" && text === "hello").length, 2)

    const modes = JSON.parse((yield* ran("mode", "--all", "--churn", "send", "--json")).stdout) as {
      results: ReadonlyArray<{ tag: string; exitCode: number; modes: { churn: string } }>
    }
    assert.deepStrictEqual(
      modes.results.map(({ exitCode, modes, tag }) => [tag, exitCode, modes.churn]),
      ["api", "web-1", "web-2"].map((tag) => [tag, 0, "send"])
    )
    assert.strictEqual((yield* ran("keys", "--tags", "web-*,api", "C-u")).stdout.split("\n").length, 4)
    assert.strictEqual((yield* ran("keys", "api", "--all", "C-u")).code, 2)

    const stopped = yield* ran("stop", "--all", "--force")
    assert.deepStrictEqual([stopped.code, stopped.stdout.split("\n").length], [0, 4])
    assert.strictEqual((yield* ran("forget", "web-*", "api")).code, 0)
    assert.match((yield* ran("status")).stdout, /no sessions/)
  }
)
