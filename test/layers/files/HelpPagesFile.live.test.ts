import { assert, describe } from "@effect/vitest"
import { Effect } from "effect"
import * as fs from "node:fs"
import * as path from "node:path"
import { pageTitle } from "../../../src/domain/words/arguments/helpPage.ts"
import * as HelpPagesFile from "../../../src/layers/files/HelpPagesFile.ts"
import { HelpPages } from "../../../src/services/HelpPages.ts"
import { effectWith } from "../../support/run/effects.ts"

const read = HelpPages.use(({ all }) => all)

describe("the pages that 'leap help' shows", () => {
  effectWith(HelpPagesFile.layer)("are the documents themselves, each with a title", function* () {
    const pages = yield* read
    const docs = path.join(import.meta.dirname, "../../../docs")
    const names = fs.readdirSync(docs).filter((name) => name.endsWith(".md"))
    assert.deepStrictEqual([...pages.keys()], names.map((name) => name.replace(/\.md$/, "")).toSorted())
    for (const [name, text] of pages) {
      assert.isNotEmpty(pageTitle(text), name)
      assert.strictEqual(text, fs.readFileSync(path.join(docs, `${name}.md`), "utf8"))
    }
  })

  effectWith(HelpPagesFile.layerOf(["/nowhere/docs"]))(
    "are missed in words where they did not come along",
    function* () {
      const error = yield* Effect.flip(read)
      assert.match(error.message, /documents cannot be read \(they are not in \/nowhere\/docs\): install leap again/)
    }
  )
})
