import { assert, describe, it } from "@effect/vitest"
import { pageText, pageTitle } from "../../../src/domain/wording/helpPage.ts"

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
})
