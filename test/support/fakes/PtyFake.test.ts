import { assert, layer } from "@effect/vitest"
import { Effect, Stream } from "effect"
import { Pty } from "../../../src/services/Pty.ts"
import * as PtyFake from "./PtyFake.ts"
import { suite } from "../../suites/PtySuite.ts"

const options = { command: "fake", args: [], cwd: "/", env: {}, size: { cols: 80, rows: 24 } }

suite(
  "PtyFake",
  PtyFake.layer,
  Effect.gen(function* () {
    const fake = yield* PtyFake.PtyFake
    const of = (pid: number) => fake.children().find((child) => child.pid === pid)!
    return {
      options,
      print: (child, text) => of(child.pid).print(text),
      exit: (child, code) => of(child.pid).exit(code)
    }
  })
)

layer(PtyFake.layer)("PtyFake's controls", (it) => {
  it.effect("tell what was done to a child", () =>
    Effect.gen(function* () {
      const fake = yield* PtyFake.PtyFake
      const handle = yield* (yield* Pty).spawn(options)
      const child = yield* fake.next
      yield* handle.write(new TextEncoder().encode("é"))
      yield* handle.write(new TextEncoder().encode("b"))
      yield* handle.resize({ cols: 10, rows: 5 })
      assert.deepStrictEqual(child.writes(), ["\xc3\xa9", "b"])
      assert.strictEqual(child.written(), "\xc3\xa9b")
      assert.deepStrictEqual(child.sizes(), [
        { cols: 80, rows: 24 },
        { cols: 10, rows: 5 }
      ])
      assert.deepStrictEqual(yield* child.input.pipe(Stream.take(2), Stream.runCollect), ["\xc3\xa9", "b"])
      assert.isFalse(child.released())
    }).pipe(Effect.scoped)
  )

  it.effect("fail a spawn, and ignore signals but for a kill", () =>
    Effect.gen(function* () {
      const fake = yield* PtyFake.PtyFake
      const pty = yield* Pty
      yield* fake.failNext("no such thing")
      const error = yield* Effect.flip(pty.spawn(options))
      assert.strictEqual(error.message, "could not start fake: no such thing")
      yield* fake.ignoreSignals(["SIGHUP"])
      const handle = yield* Effect.scoped(pty.spawn(options))
      assert.deepStrictEqual(yield* handle.exit, { code: null, signal: "SIGKILL" })
      const child = fake.children().at(-1)!
      assert.deepStrictEqual([child.signals(), child.released()], [["SIGHUP", "SIGKILL"], true])
    }).pipe(Effect.scoped)
  )
})
