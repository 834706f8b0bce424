import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import * as SystemNode from "../../../src/layers/system/SystemNode.ts"
import { count, holesOf, tried } from "../../support/policy/programFuzz.ts"
import { seed } from "../../support/run/seed.ts"

const system = SystemNode.layerWith({ version: "0", self: [] })

describe(`generated options of the programs that are installed here, from ${seed}`, () => {
  it.live.each(tried)(
    "$name",
    (one) =>
      Effect.gen(function* () {
        const { ended, found, passed, programs } = yield* holesOf(one)
        assert.deepStrictEqual(found.slice(0, 20), [], `${found.length} of ${passed}`)
        assert.isAbove(passed, count / 10)
        assert.isAbove(ended, passed * 0.9)
        assert.isAbove(programs.length, 30)
      }).pipe(Effect.scoped, Effect.provide(system)),
    3_600_000
  )
})
