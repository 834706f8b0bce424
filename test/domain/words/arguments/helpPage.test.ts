import { assert, describe, it } from "@effect/vitest"
import * as fs from "node:fs"
import * as path from "node:path"
import { columnsOf } from "../../../../src/domain/words/text/columns.ts"
import { pageText, pageTitle, wrapPage } from "../../../../src/domain/words/arguments/helpPage.ts"

describe("a page of the documents at a terminal", () => {
  it("has its title, without marks", () => {
    assert.strictEqual(pageTitle("\n# In an editor: `leap acp`\n\n# Other"), "In an editor: leap acp")
    assert.strictEqual(pageTitle("no heading"), "")
  })

  it("says how a linked page is read there, and leaves the rest as it was written", () => {
    const page = `# Rules

![a picture](pictures/rules.png)

See [security](security.md#keys), [the example](../examples/policy.ts), [their site](https://example.invalid/x), [leap help docs web](web.md).

| a | b |
| --- | --- |
| \`deny\` | [acp](acp.md) |
`
    assert.strictEqual(
      pageText(page),
      `# Rules

See security (leap help docs security), the example, their site (https://example.invalid/x), leap help docs web.

| a | b |
| --- | --- |
| \`deny\` | acp (leap help docs acp) |`
    )
  })

  it("has its paragraphs and lists broken between words, and its tables and code as they are", () =>
    assert.strictEqual(
      wrapPage(
        `# A heading that is longer than the lines are

One paragraph of
<two> lines, with \`leap send w\` in it.

- an item
  that goes on
  - and one in it, which is long
12. last
> said
> by others

| a table | stays as it is, however wide |

\`\`\`sh
leap   send w "what is longer than a line"
\`\`\`

    code without a fence`,
        20
      ),
      `# A heading that is longer than the lines are

One paragraph of
<two> lines, with
\`leap send w\` in it.

- an item that goes
  on
  - and one in it,
    which is long
12. last
> said by others

| a table | stays as it is, however wide |

\`\`\`sh
leap   send w "what is longer than a line"
\`\`\`

    code without a fence`
    ))

  it("says the same as before, and fits, for each page that there is", () => {
    const docs = path.join(import.meta.dirname, "../../../../docs")
    const words = (text: string) => text.replaceAll(/\s+/g, " ")
    for (const name of fs.readdirSync(docs).filter((name) => name.endsWith(".md"))) {
      const page = pageText(fs.readFileSync(path.join(docs, name), "utf8"))
      const wrapped = wrapPage(page, 80)
      assert.strictEqual(words(wrapped), words(page), name)
      assert.strictEqual(wrapPage(wrapped, 80), wrapped, name)
      let code = false
      for (const line of wrapped.split("\n")) {
        if (/^\s*```/.test(line)) code = !code
        else if (!code && !/^\s*\||^#/.test(line) && line.trim().includes(" ") && !/^\s*`\S*`:?$/.test(line))
          assert.isAtMost(columnsOf(line), 80, `${name}: ${line}`)
      }
    }
  })
})
