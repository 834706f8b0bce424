import { assert, it } from "@effect/vitest"
import * as fs from "node:fs"
import * as path from "node:path"
import { exportsNow } from "../../scripts/api/reports.mjs"
import { longTestPatience } from "../support/run/patience.ts"

const root = path.join(import.meta.dirname, "../..")

it(
  "what the library exports is what api and the pages of docs/api say: 'npm run api' writes both anew, and the difference belongs in the review",
  { timeout: longTestPatience },
  () => {
    const { pages, reports } = exportsNow(root)
    assert.deepStrictEqual([reports.length, pages.length], [4, 4])
    for (const { file, text } of [...reports, ...pages]) {
      assert.isAbove(text.length, 300, file)
      assert.strictEqual(fs.readFileSync(file, "utf8"), text, file)
    }
    for (const { file, text } of pages) {
      const silent = [...text.matchAll(/^###? `([^`]+)`\n\n```ts/gm)].map(([, name]) => name)
      assert.deepStrictEqual(silent, [], `${file}: each name has a sentence that says what it promises`)
    }
  }
)
