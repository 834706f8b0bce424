import { assert, describe } from "@effect/vitest"
import { count, denying, holes, seed } from "../../support/policy/shellFuzz.ts"
import { isThorough } from "../../support/run/thorough.ts"
import { live } from "../../support/run/effects.ts"

describe(`generated command lines, from ${seed}`, () => {
  live(
    "what passes a deny rule does not run what it denies",
    function* () {
      const { found, passed, ran } = yield* holes(denying, "always", ([name]) => name === "rm", true)
      assert.deepStrictEqual(found.slice(0, 20), [], `${found.length} of ${passed}`)
      assert.isAbove(passed, count / 60)
      assert.isAbove(ran, passed / 2)
    },
    isThorough ? 3_600_000 : 60_000
  )
})
