import { assert, describe } from "@effect/vitest"
import { allowing, count, covered, holes, seed } from "../../support/policy/shellFuzz.ts"
import { isThorough } from "../../support/run/thorough.ts"
import { live } from "../../support/run/effects.ts"

describe(`generated command lines, from ${seed}`, () => {
  live(
    "what is allowed runs nothing that no rule covers, and writes no file",
    function* () {
      const allowed = new Set(covered)
      const { found, passed, ran } = yield* holes(allowing, "pause", ([name = ""]) => !allowed.has(name), false)
      assert.deepStrictEqual(found.slice(0, 20), [], `${found.length} of ${passed}`)
      assert.isAbove(passed, count / 60)
      assert.isAbove(ran, passed / 2)
    },
    isThorough ? 3_600_000 : 60_000
  )
})
