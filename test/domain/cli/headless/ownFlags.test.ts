import { assert, it } from "@effect/vitest"
import { withoutRepeated } from "../../../../src/domain/cli/headless/cliOptions.ts"

it.each<[string, string, string, string]>([
  ["nothing in common", "--a 1 --b", "--c", "--a 1 --b"],
  ["the same name in another form", "--model opus", "--model=sonnet", ""],
  ["a value with a dash is a flag of its own", "--model -x", "--model y", "-x"],
  ["a longer name", "--model-fallback x", "--model y", "--model-fallback x"],
  ["none", "", "--model y", ""]
])("the user's flags without what the run gives: %s", (_, flags, args, kept) => {
  const words = (text: string) => text.split(" ").filter((word) => word !== "")
  assert.deepStrictEqual(withoutRepeated(words(flags), words(args)), words(kept))
})
