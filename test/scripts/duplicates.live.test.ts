import { assert, describe, it } from "@effect/vitest"
import * as path from "node:path"
import { filesOf } from "../../scripts/duplicates/files.mjs"
import { findDuplicates, problemsOf } from "../../scripts/duplicates/find.mjs"
import known from "../../scripts/duplicates/known.json" with { type: "json" }
import { longTestPatience } from "../support/run/patience.ts"

describe("what is copied in leap's own code", () => {
  it("is what scripts/duplicates/known.json says, which may only shrink", { timeout: longTestPatience }, async () => {
    const files = filesOf(path.join(import.meta.dirname, "../.."))
    assert.isAbove(files.length, 1_000)
    assert.deepStrictEqual(problemsOf(await findDuplicates(files), known), [])
  })
})
