import { assert, describe, it } from "@effect/vitest"
import {
  noRefusals,
  recordRefusal,
  type UnmatchedRefusals,
  withoutReason
} from "../../../../src/domain/cli/headless/Refusals.ts"

const by = (side: keyof UnmatchedRefusals, tool: string, why: string) => ({ side, tool, why })

describe("a tool that was refused", () => {
  it.each<[string, ReadonlyArray<ReturnType<typeof by>>, ReadonlyArray<boolean>]>([
    ["by leap, then told by the CLI", [by("leap", "t", "no"), by("cli", "t", "hook: no!")], [true, false]],
    ["told by the CLI first", [by("cli", "t", "hook: no!"), by("leap", "t", "no")], [true, false]],
    ["told without a reason", [by("leap", "t", "no"), by("cli", "t", withoutReason)], [true, false]],
    [
      "twice",
      [by("leap", "t", "no"), by("leap", "t", "no"), by("cli", "t", "no"), by("cli", "t", "no")],
      [true, true, false, false]
    ],
    ["by leap, and another by the CLI itself", [by("leap", "t", "no"), by("cli", "t", "it is off here")], [true, true]],
    ["another tool", [by("leap", "t", "no"), by("cli", "u", "no")], [true, true]],
    ["by the CLI alone", [by("cli", "t", withoutReason), by("cli", "t", withoutReason)], [true, true]]
  ])("%s", (_, refusals, told) => {
    let state = noRefusals
    const isNew = refusals.map(({ side, ...one }) => {
      const [next, isAnother] = recordRefusal(side, state, one)
      state = next
      return isAnother
    })
    assert.deepStrictEqual(isNew, [...told])
  })
})
