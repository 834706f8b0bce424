import { assert, describe, it } from "@effect/vitest"
import { helpColumns, type HelpPage, helpText } from "../../../../src/domain/words/arguments/helpText.ts"

const page: HelpPage = {
  description: "Does one thing, and says so in more words than a line has.\nThen another.",
  usage: ["leap do [flags] <tag>"],
  lists: [
    ["ARGUMENTS", [["tag", "string", "The session's name"]]],
    [
      "FLAGS",
      [
        ["--help, -h", "", "Show help information"],
        ["--dangerously-do-everything-at-once", "", "All of it"],
        ["--at", "string", "Not before this time: 06:30, or in so long"]
      ]
    ],
    ["SUBCOMMANDS", [["more", "", ""]]]
  ]
}

describe("a help page", () => {
  it("is broken between words, what it says beside the name or, of a long name, below it", () =>
    assert.strictEqual(
      helpText(page, { colour: false, columns: 40 }),
      `DESCRIPTION
  Does one thing, and says so in more
  words than a line has.
  Then another.

USAGE
  leap do [flags] <tag>

ARGUMENTS
  tag string  The session's name

FLAGS
  --help, -h   Show help information
  --dangerously-do-everything-at-once
               All of it
  --at string  Not before this time:
               06:30, or in so long

SUBCOMMANDS
  more`
    ))

  it("has colours that change nothing else", () => {
    const coloured = helpText(page, { colour: true, columns: 60 })
    // oxlint-disable-next-line no-control-regex -- what colours are
    const plain = coloured.replace(/\x1b\[\d*m/g, "")
    assert.strictEqual(plain, helpText(page, { colour: false, columns: 60 }))
    assert.include(coloured, "\u001b[32m--help, -h\u001b[0m   Show")
    assert.include(coloured, "\u001b[36mmore\u001b[0m")
    assert.include(coloured, "--at\u001b[0m \u001b[2mstring\u001b[0m  Not")
  })

  it("is as wide as the terminal, within what can be read", () =>
    assert.deepStrictEqual([null, 10, 72, 400].map(helpColumns), [80, 40, 72, 100]))
})
