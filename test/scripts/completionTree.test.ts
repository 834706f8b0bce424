import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import * as fs from "node:fs"
import { file, text } from "../../scripts/completion-tree.ts"

describe("what shells complete", () => {
  it.effect("is current: 'node scripts/completion-tree.ts' writes it", () =>
    Effect.map(text, (text) => assert.strictEqual(fs.readFileSync(file, "utf8"), text))
  )
})
