import { assert, describe, it } from "@effect/vitest"
import * as fs from "node:fs"
import * as path from "node:path"
import { pagesNow, reportsNow } from "../../scripts/api/reports.mjs"
import { longTestPatience } from "../support/run/patience.ts"

const root = path.join(import.meta.dirname, "../..")

describe("what the library exports", () => {
  it(
    "is what api says: 'npm run api' writes it anew, and its difference belongs in the review",
    { timeout: longTestPatience },
    () => {
      const reports = reportsNow(root)
      assert.strictEqual(reports.length, 4)
      for (const { file, text } of reports) {
        assert.isAbove(text.length, 300, file)
        assert.strictEqual(fs.readFileSync(file, "utf8"), text, file)
      }
    }
  )

  it("is what the pages of docs/api say of it, with what its comments promise", { timeout: longTestPatience }, () => {
    const pages = pagesNow(root)
    assert.strictEqual(pages.length, 4)
    for (const { file, text } of pages) {
      assert.isAbove(text.length, 600, file)
      const silent = [...text.matchAll(/^###? `([^`]+)`\n\n```ts/gm)].map(([, name]) => name)
      assert.deepStrictEqual(silent, [], "each name has a sentence that says what it promises")
      assert.strictEqual(fs.readFileSync(file, "utf8"), text, file)
    }
  })
})
