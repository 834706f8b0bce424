import { assert, describe, it } from "@effect/vitest"
import { Effect, Layer, Result } from "effect"
import { Tag } from "../../../src/domain/words/session/Tag.ts"
import { savedMessages } from "../../../src/programs/attach/attachedActions.ts"
import { Paths } from "../../../src/services/Paths.ts"
import { SharedFile } from "../../../src/services/SharedFile.ts"

const outside = Effect.sync(() => {
  const files = new Map<string, Uint8Array>()
  return Layer.mergeAll(
    Layer.succeed(Paths, { state: "/state", session: (tag: string) => ({ dir: `/state/${tag}` }) } as never),
    Layer.mock(SharedFile, {
      read: (path) => Effect.sync(() => files.get(path) ?? null),
      change: (path, change) =>
        Effect.sync(() => {
          const changed = change(files.get(path) ?? null)
          if (Result.isSuccess(changed) && changed.success !== null) files.set(path, changed.success)
          return files.get(path) ?? null
        }) as never
    })
  )
})

describe("the messages that come back", () => {
  it.effect("are those that were left or saved last, and behind them those that all sessions share", () =>
    Effect.gen(function* () {
      const one = yield* savedMessages(Tag.make("one"))
      const two = yield* savedMessages(Tag.make("two"))
      assert.deepStrictEqual(yield* one.add("saved"), ["saved"])
      assert.deepStrictEqual(yield* one.keep("left"), ["saved", "left"])
      assert.deepStrictEqual(yield* one.add("saved later"), ["saved", "left", "saved later"])
      assert.deepStrictEqual(yield* one.keep("saved"), ["left", "saved later", "saved"], "each once")
      assert.deepStrictEqual(yield* two.read, ["saved", "saved later"], "what was left is its session's")
      yield* one.sent("left")
      assert.deepStrictEqual(yield* one.read, ["saved later", "saved"])
      yield* one.sent("saved later")
      assert.deepStrictEqual(yield* one.read, ["saved later", "saved"], "what is saved stays saved")
      for (let i = 0; i < 25; i++) yield* one.keep(`left ${i}`)
      const all = yield* one.read
      assert.deepStrictEqual([all.length, all.at(-1), all[2]], [22, "left 24", "left 5"])
    }).pipe((program) => Effect.flatMap(outside, (layer) => Effect.provide(program, layer)))
  )
})
