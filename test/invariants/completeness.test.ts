import { assert, describe, it } from "@effect/vitest"
import * as fs from "node:fs"
import * as path from "node:path"

/** Invariants that say nothing of leap as it is, and why. */
const void_: Readonly<Record<string, string>> = {}

const numbers = Array.from({ length: 44 }, (_, i) => `V${i + 1}`)
const named = new Set(fs.readdirSync(import.meta.dirname).filter((file) => file.endsWith(".test.ts")).flatMap((file) =>
  [...fs.readFileSync(path.join(import.meta.dirname, file), "utf8").matchAll(/^\s*it(?:\.effect)?(?:\.prop)?\("((?:V\d+ )+)/gm)].flatMap((match) => match[1]!.trim().split(" "))))

describe("the invariants of the state machine", () => {
  it.each(numbers)("%s has a test that names it, or a reason why it has none", (number) => {
    assert.isTrue(named.has(number) !== number in void_, number)
  })
})
