import { assert, describe, it } from "@effect/vitest"
import { Effect, Exit, Layer, Scope } from "effect"
import { TestClock } from "effect/testing"
import { readDrafts } from "../../../src/domain/overlay/drafts.ts"
import { Tag } from "../../../src/domain/session/Tag.ts"
import { keptDrafts } from "../../../src/programs/attach/keptDrafts.ts"
import { Paths } from "../../../src/services/Paths.ts"
import { ProcessTable } from "../../../src/services/ProcessTable.ts"
import { SharedFile } from "../../../src/services/SharedFile.ts"
import { System } from "../../../src/services/System.ts"

/** A machine with one file; attached terminals by their pids. */
const machine = () => {
  let content: Uint8Array | null = null
  const alive = new Set<number>()
  let writes = 0
  const terminal = Effect.fnUntraced(function* (pid: number) {
    alive.add(pid)
    const scope = yield* Scope.make()
    const kept = yield* keptDrafts(Tag.make("one")).pipe(
      Effect.provide(
        Layer.mergeAll(
          Layer.mock(System, { env: {}, cwd: "/", pid, version: "0", node: "24", self: [] }),
          Layer.mock(Paths, {
            state: "/",
            config: "/",
            sessions: "/",
            hookScript: "/hook",
            session: () => ({ dir: "/s" }) as never
          }),
          Layer.mock(ProcessTable, {
            ancestry: (pid) => Effect.succeed([{ pid, birth: `b${pid}` } as never]),
            signal: ({ pid }) => Effect.sync(() => alive.has(pid))
          }),
          Layer.mock(SharedFile, {
            read: () => Effect.sync(() => content),
            change: (_file, edit) =>
              Effect.map(Effect.fromResult(edit(content)), (to) => {
                writes++
                return (content = to)
              })
          })
        )
      ),
      Scope.provide(scope)
    )
    const left: Array<string> = []
    return {
      ...kept,
      close: Scope.close(scope, Exit.void),
      kill: Effect.sync(() => void alive.delete(pid)),
      left: Effect.andThen(
        kept.takeLeft((text) => Effect.sync(() => left.push(text))),
        Effect.sync(() => left.splice(0))
      )
    }
  })
  return { terminal, texts: () => readDrafts(content).map(({ text }) => text), writes: () => writes }
}

describe("a message that is being written", () => {
  it.effect("is on the disk at once, then now and then, and gone when it is left or sent", () =>
    Effect.gen(function* () {
      const { terminal, texts, writes } = machine()
      const one = yield* terminal(1)
      yield* TestClock.adjust(0)
      assert.strictEqual(writes(), 0, "nothing is written for nothing")
      yield* one.keep("h")
      yield* TestClock.adjust(0)
      assert.deepStrictEqual(texts(), ["h"])
      for (const text of ["he", "hel", "hell", "hello"]) yield* one.keep(text)
      assert.deepStrictEqual(texts(), ["h"])
      yield* TestClock.adjust(250)
      assert.deepStrictEqual([texts(), writes()], [["hello"], 2])
      yield* one.sent("another")
      yield* TestClock.adjust(250)
      assert.deepStrictEqual(texts(), ["hello"])
      yield* one.sent("hello")
      yield* TestClock.adjust(250)
      assert.deepStrictEqual(texts(), [])
      yield* one.close
      assert.strictEqual(writes(), 3)
    })
  )

  it.effect("has what comes out of the CLI's box before it comes, and once", () =>
    Effect.gen(function* () {
      const { terminal, texts } = machine()
      const one = yield* terminal(1)
      yield* one.coming("in the box")
      assert.deepStrictEqual(texts(), ["in the box"])
      yield* one.keep("in the box, and more")
      yield* TestClock.adjust(250)
      assert.deepStrictEqual(texts(), ["in the box, and more"])
      yield* one.coming("another")
      yield* one.keep("")
      yield* TestClock.adjust(250)
      assert.deepStrictEqual(texts(), ["another"])
      yield* one.coming("")
      assert.deepStrictEqual(texts(), [])
    })
  )

  it.effect("is what the next terminal gets of one that has died, or was closed, once; not of one that lives", () =>
    Effect.gen(function* () {
      const { terminal, texts } = machine()
      const [one, two, three] = [yield* terminal(1), yield* terminal(2), yield* terminal(3)]
      yield* one.keep("of a dead one")
      yield* two.keep("of a closed one")
      yield* three.keep("of another")
      yield* TestClock.adjust(0)
      assert.deepStrictEqual(yield* three.left, [])
      yield* one.kill
      yield* two.keep("of a closed one, to the last key")
      yield* two.close
      assert.deepStrictEqual(yield* three.left, ["of a dead one", "of a closed one, to the last key"])
      assert.deepStrictEqual(yield* three.left, [])
      assert.deepStrictEqual(texts(), ["of another"])
    })
  )
})
