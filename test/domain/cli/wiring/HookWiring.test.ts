import { assert, describe, it } from "@effect/vitest"
import { Schema } from "effect"
import { combineStatuses } from "../../../../src/domain/cli/wiring/HookWiring.ts"

describe("combineStatuses", () => {
  const said = (...states: ReadonlyArray<Parameters<typeof combineStatuses>[0][number]["state"]>) =>
    combineStatuses(states.map((state) => ({ state, details: [state] }))).state
  it.each([
    [["installed", "installed"], "installed"],
    [["missing", "missing"], "missing"],
    [["installed", "missing"], "partly"],
    [["installed", "partly"], "partly"],
    [["installed", "outdated", "missing"], "outdated"],
    [["installed", "disabled"], "disabled"],
    [["partly", "disabled"], "partly"],
    [["missing", "disabled"], "partly"],
    [["installed", "foreign"], "foreign"],
    [["outdated", "foreign"], "foreign"],
    [["installed", "refused"], "refused"],
    [["refused", "foreign"], "refused"],
    [["outdated", "unreadable"], "unreadable"]
  ] as const)("%j are %s", (states, state) => assert.strictEqual(said(...states), state))

  it.prop("tells every reason once", [Schema.Array(Schema.Literals(["a", "b", "c"]))], ([reasons]) => {
    const { details } = combineStatuses(reasons.map((reason) => ({ state: "partly", details: [reason] })))
    assert.deepStrictEqual([...details].sort(), [...new Set(reasons)].sort())
  })
})
