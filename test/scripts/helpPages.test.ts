import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import * as fs from "node:fs"
import { file, pageOf, paths, text } from "../../scripts/help-pages.ts"

describe("the help pages that are printed without the parser", () => {
  it.effect("are current: 'node scripts/help-pages.ts' writes them", () =>
    Effect.map(text, (text) => assert.strictEqual(fs.readFileSync(file, "utf8"), text))
  )

  it.effect("differ from those without colours in these alone", () =>
    Effect.gen(function* () {
      const pages = JSON.parse(fs.readFileSync(file, "utf8")) as Readonly<Record<string, string>>
      const all = yield* paths
      assert.isAtLeast(all.length, 60)
      for (const words of all) {
        const plain = yield* pageOf(words, false)
        // oxlint-disable-next-line no-control-regex -- what colours are
        assert.strictEqual((pages[words.join(" ")] ?? "").replace(/\x1b\[[\d;]*m/g, ""), plain)
        assert.notStrictEqual(pages[words.join(" ")], plain)
      }
    })
  )
})
