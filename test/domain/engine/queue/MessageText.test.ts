import { assert, describe, it } from "@effect/vitest"
import { Result, Schema } from "effect"
import {
  cleanText,
  deliveredText,
  isPicturePath,
  keysFor,
  maxLength,
  messageKeys,
  showsPictures,
  stripControls
} from "../../../../src/domain/engine/queue/MessageText.ts"

const clean = (raw: string) => Result.getOrThrow(cleanText(raw))
const refused = (raw: string) =>
  Result.isFailure(cleanText(raw)) ? Result.getOrThrow(Result.flip(cleanText(raw))) : "taken"

/** Any text at all, with plenty of what could do harm in it. */
const Nasty = Schema.Array(
  Schema.Union([
    Schema.String,
    Schema.Literals([
      "\u001b",
      "\u001b[201~",
      "\u001b[200~",
      "\u009b201~",
      "[201~",
      "\u001b]0;x\u0007",
      "\u0000",
      "\r",
      "\n",
      "\r\n",
      "\t",
      "\u0003",
      "\u007f",
      "\u0085",
      "\u0090",
      "\u009c",
      "\\",
      "\ud800",
      "漢字",
      "👩‍👧",
      "é",
      "\u202e",
      " "
    ])
  ])
)

describe("the text of a message", () => {
  it.each([
    ["one line", "one line"],
    ["a\r\nb\rc\nd", "a\nb\nc\nd"],
    ["  indented\n\ttabbed  \n\n", "  indented\n\ttabbed"],
    ["漢字 👩‍👧 é \u202e right", "漢字 👩‍👧 é \u202e right"],
    ["\u001b[31mred\u001b[0m text", "red text"],
    ["before \u001b[201~\u001b[200~ after", "before  after"],
    ["\u001b]0;title\u0007body\u001b]8;;http://x\u001b\\link", "bodylink"],
    ["a\u0000b\u0003c\u007fd\u009be", "abcd"],
    ["\u001b\u001b[201~[201~ rm", "[201~ rm"],
    ["a\u2028b\u2029c", "a\nb\nc"],
    ["a | b", "a | b"]
  ])("%j is kept as %j", (raw, kept) => {
    assert.strictEqual(clean(raw).text, kept)
  })

  it("says when something was taken out, and only then", () => {
    assert.isNull(clean("a\r\nb ").note)
    assert.include(clean("a\u001b[31mb").note, "control characters were taken out")
  })

  it("is refused when nothing is left of it, or far too long", () => {
    for (const raw of ["", " \n\t", "\u001b[31m\u0000", "\u3000", "\u200b\ufeff \u00ad", "\u{e0041}"])
      assert.include(refused(raw), "empty", JSON.stringify(raw))
    assert.include(refused("x".repeat(maxLength + 1)), "too long")
    assert.strictEqual(clean("x".repeat(maxLength)).text.length, maxLength)
  })

  it.prop(
    "no control but newline and tab is left of any text, and cleaning again changes nothing",
    [Nasty],
    ([parts]) => {
      const result = cleanText(parts.join(""))
      if (Result.isFailure(result)) return
      const { text } = result.success
      assert.isFalse(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/.test(text))
      assert.isTrue(text.isWellFormed())
      assert.deepStrictEqual(clean(text), { text, note: null })
    },
    { arbitrary: { runs: 500 } }
  )

  it("mentions its images, behind the text", () => {
    assert.strictEqual(
      deliveredText({ id: "A", text: "look", images: ["/a/b.png", "/with space.png"] }),
      'look\n@/a/b.png\n@"/with space.png"'
    )
    assert.strictEqual(deliveredText({ id: "A", text: "", images: ["/a.png"] }), "@/a.png")
    const escaping = { picture: { mention: (path: string) => `@${path.replaceAll(" ", "\\ ")}` } }
    assert.strictEqual(
      deliveredText({ id: "A", text: "look", images: ["/with space.png"] }, escaping),
      "look\n@/with\\ space.png"
    )
  })

  it.each([
    ["/a/b.png", true],
    ["~/b.JPEG", true],
    ["./b.webp", true],
    ["/Screenshot 2026-11-21 at 10.00.png ", true],
    ["/a/b.txt", false],
    ["see /a/b.png", false],
    ["b.png", false],
    ["/a/b.png\nthere", false],
    ["", false]
  ])("%j is the path of a picture and nothing else: %s", (text, expected) =>
    assert.strictEqual(isPicturePath(text), expected)
  )
})

describe("the bytes that type it", () => {
  const bracketed = { bracketedPaste: true }
  const plain = { bracketedPaste: false }

  it("are one paste, whatever the text", () => {
    assert.strictEqual(Result.getOrThrow(keysFor(bracketed, "a\nb\tc")), "\u001b[200~a\nb\tc\u001b[201~")
  })

  it("end in a blank after a backslash, which would turn Enter into a new line", () => {
    assert.strictEqual(Result.getOrThrow(keysFor(bracketed, "a\\")), "\u001b[200~a\\ \u001b[201~")
  })

  it("are the text itself where pastes are not understood, without keys that would do something else", () => {
    assert.strictEqual(Result.getOrThrow(keysFor(plain, "a\tb")), "a    b")
    assert.isTrue(Result.isFailure(keysFor(plain, "a\nb")))
  })

  const paste = (text: string) => `\u001b[200~${text}\u001b[201~`
  const typed = (text: string) => Result.getOrThrow(messageKeys(bracketed, text))

  it.each([
    ["look at @READ", true],
    ["@READ", true],
    ["mail me@example.org", true],
    ['see @"/two words.png"', true],
    ['see @"/two wo', true],
    ["fix #12", true],
    ["two\nlines @", true],
    ["@READ it", false],
    ["a# b", false],
    ["C#", false],
    ["/clear", false]
  ])("end the word that a menu of names would open over: %j", (text, blank) =>
    assert.strictEqual(typed(text), paste(text) + (blank ? " " : ""))
  )

  it("are typed where the CLI takes a pasted command for a text", () => {
    const typing = { ...bracketed, typed: (text: string) => text === "/new" }
    assert.strictEqual(Result.getOrThrow(messageKeys(typing, "/new")), "/new")
    assert.strictEqual(Result.getOrThrow(messageKeys(typing, "/newer")), paste("/newer"))
  })

  const pasting = { ...bracketed, picture: { pasted: (path: string) => (/\s/.test(path) ? `'${path}'` : path) } }
  it.each<readonly [string, ReadonlyArray<string>, string]>([
    ["see this\n@/a.png", ["see this", "/a.png"], ""],
    ['see these\nboth\n@"/two words.png"\n@/b.JPG', ["see these\nboth", "'/two words.png'", "/b.JPG"], ""],
    ["@/a.png", ["/a.png"], ""],
    ["@/a.png\nis it @home", ["/a.png", "is it @home"], " "],
    ["@/a\\ b.png", ["'/a b.png'"], ""],
    ["see @/a.png", ["see @/a.png"], " "],
    ["@/a.txt", ["@/a.txt"], " "],
    ["no picture", ["no picture"], ""]
  ])("are pastes of their own for pictures, where those attach them: %j", (text, pastes, end) =>
    assert.strictEqual(Result.getOrThrow(messageKeys(pasting, text)), pastes.map(paste).join(" ") + end)
  )

  it("put no picture where none can be pasted", () =>
    assert.strictEqual(Result.getOrThrow(messageKeys({ ...pasting, bracketedPaste: false }, "@/a.png")), "@/a.png "))

  it.each<readonly [string, string, boolean]>([
    ["see this [Image #1]", "see this\n@/a.png", true],
    ["see\n[Image #3]\n[Image #4]", "see\n@/a.png\n@/b.png", true],
    ["[Image #1]", "@/a.png", true],
    ["[Image #1]", "/a.png", true],
    ["[Image #2] is it there", "@/a.png\nis it there", true],
    // as it was typed: the CLI took the mention for words
    ["see this\n@/a.png", "see this\n@/a.png", true],
    ["see this [Image #1]", "see this\n@/a.png\n@/b.png", false],
    ["see that [Image #1]", "see this\n@/a.png", false],
    ["see this", "see this\n@/a.png", false],
    ["[Image #1] and more", "/a.png", false],
    ["see [Image #1]", "see [Image #1]", true],
    ["[Image #1]", "see this", false]
  ])("a box that shows %j shows %j: %s", (draft, text, expected) => {
    const same = (a: string, b: string) => a.replaceAll(/\s/g, "") === b.replaceAll(/\s/g, "")
    assert.strictEqual(showsPictures(/\[Image #\d+\]/g, same)(draft, text), expected)
  })

  it.prop(
    "can neither leave the pastes nor press a key, whatever the pictures are called",
    [Nasty],
    ([parts]) => {
      const keys = Result.getOrThrow(messageKeys(pasting, parts.map((part) => `${part}\n@/${part}.png`).join("\n")))
      assert.match(keys, /^\u001b\[200~[^\u001b]*\u001b\[201~(?: \u001b\[200~[^\u001b]*\u001b\[201~)* ?$/)
      for (const [, text = ""] of keys.matchAll(/\u001b\[200~([^\u001b]*)\u001b\[201~/g))
        assert.strictEqual(stripControls(text), text)
    },
    { arbitrary: { runs: 200 } }
  )

  it.prop(
    "can neither leave the paste nor press a key, even for a text that was never cleaned",
    [Nasty],
    ([parts]) => {
      const keys = Result.getOrThrow(keysFor(bracketed, parts.join("")))
      assert.isTrue(keys.startsWith("\u001b[200~") && keys.endsWith("\u001b[201~"))
      assert.strictEqual(stripControls(keys.slice(6, -6)), keys.slice(6, -6))
    },
    { arbitrary: { runs: 500 } }
  )
})
