import { assert, describe, it } from "@effect/vitest"
import { Schema } from "effect"
import type { Key } from "../../../../src/domain/surfaces/tui/Keys.ts"
import * as Editor from "../../../../src/domain/surfaces/tui/Editor.ts"
import { clip, width } from "../../../../src/domain/surfaces/tui/Cells.ts"
import { cursorOf, labelOf, layOut, shownLine } from "../../../../src/domain/surfaces/tui/Editor.ts"
import { graphemes } from "../../../../src/domain/surfaces/tui/EditorText.ts"
import { each } from "../../../support/data/fields.ts"

const typed = (text: string): Key => ({ key: "text", text })
const pasted = (text: string): Key => ({ key: "paste", text })
const wide = 40

/** The editor after some keys: `|` is the cursor. Names of keys stand in angle brackets. */
const after = (keys: string, cols = wide): Editor.Editor => {
  let editor = Editor.empty
  for (const [, name, text] of keys.matchAll(/<([^>]+)>|([^<]+)/g)) {
    const key = name === undefined ? typed(text ?? "") : { key: name }
    editor = Editor.press(editor, key, cols) ?? editor
  }
  return editor
}
const shown = ({ cursor, text }: Editor.Editor): string => `${text.slice(0, cursor)}|${text.slice(cursor)}`

describe("an editor", () => {
  it.each<readonly [string, string]>([
    ["abc<left><left>X", "aX|bc"],
    ["one two<alt+left>X", "one X|two"],
    ["one two<home><alt+right>X", "oneX| two"],
    ["one<ctrl+j>two<ctrl+a>X", "one\nX|two"],
    ["one<alt+enter>two<up><ctrl+e>X", "oneX|\ntwo"],
    ["one two<ctrl+u><ctrl+y><ctrl+y>", "one twoone two|"],
    ["one<ctrl+j>two<ctrl+u><ctrl+u><ctrl+u>", "|"],
    ["one two<home><ctrl+k>", "|"],
    ["abc<backspace><ctrl+h><delete>", "a|"],
    ["grüße 👩‍👩‍👧<left><backspace>", "grüße|👩‍👩‍👧"],
    // a column is kept over a shorter line
    ["a long line<ctrl+j>x<ctrl+j>another line<up><up>X", "a long lineX|\nx\nanother line"],
    ["<f2>a", "a|"]
  ])("%s gives %s", (keys, expected) => assert.strictEqual(shown(after(keys)), expected))

  it("keeps pictures apart from the text", () => {
    const editor = Editor.insert(Editor.attach(Editor.insert(Editor.empty, "look at "), "/tmp/shot.png"), " please")
    assert.deepStrictEqual(Editor.contentOf(editor), { text: "look at  please", images: ["/tmp/shot.png"] })
    assert.strictEqual(labelOf(editor.pieces[0]), "[image shot.png]")
  })

  it("breaks rows between words, and long words where the row ends", () => {
    const rows = (text: string, cols: number) =>
      layOut(Editor.insert(Editor.empty, text), cols).map(({ cells }) => cells.map(({ text }) => text).join(""))
    assert.deepStrictEqual(rows("one two three four", 10), ["one two ", "three four"])
    assert.deepStrictEqual(rows("abcdefghijklm", 5), ["abcde", "fghij", "klm"])
    assert.deepStrictEqual(rows("日本語日本", 5), ["日本", "語日", "本"])
    assert.deepStrictEqual(rows("a\n\nb", 5), ["a", "", "b"])
    const folded = Editor.paste(Editor.insert(Editor.empty, "word x"), "long ".repeat(200))
    assert.deepStrictEqual(
      layOut(folded, 12).map(({ cells }) => cells.map(({ text }) => text).join("")),
      ["word ", "x", "[pasted tex…"]
    )
  })
})

describe("a text of one line", () => {
  it.each<readonly [string, Key, string | null]>([
    ["a", typed("b c"), "ab c|"],
    ["a", pasted(" one\n\ttwo\n"), "aone two|"],
    ["", pasted("\u202ex\u200b\x9by"), "x|"],
    ["", { key: "backspace" }, "|"],
    ["one two  ", { key: "ctrl+w" }, "one |"],
    ["one two", { key: "ctrl+shift+left" }, "one |two"],
    ["one", { key: "shift+left" }, "on|e"],
    ["one", { key: "up" }, null],
    ["one", { key: "enter" }, null],
    ["one", { key: "ctrl+j" }, null],
    ["one", { key: "alt+enter" }, null]
  ])("%j and %j make %j", (text, key, expected) => {
    const made = Editor.pressLine(Editor.of(text), key)
    assert.strictEqual(made === null ? null : shown(made), expected)
  })

  it("takes so many characters and no more, none of them cut", () => {
    const most = "🎉".repeat(Editor.maxLineLength - 1)
    assert.strictEqual(Editor.pressLine(Editor.of(most), typed("🚀🚀"))?.text, `${most}🚀`)
  })

  it.each<readonly [string, number, string]>([
    ["one two", 10, "one two|"],
    ["one two<home>", 10, "|one two"],
    ["one two three", 6, "…three|"],
    ["one two three<alt+left>", 6, "…two |…"],
    ["one two<left>", 6, "…e tw|o"],
    ["one two three<home>", 6, "|one t…"],
    ["one two three<home><right><right>", 6, "on|e t…"],
    ["日本語<left>", 6, "日本|語"],
    ["日本語", 5, "…本語|"]
  ])("%s is shown in %i columns as %s", (keys, cols, expected) => {
    const { text, x } = shownLine(after(keys), cols)
    assert.isAtMost(width(text), cols)
    assert.strictEqual(`${clip(text, x)}|${text.slice(clip(text, x).length)}`, expected)
  })
})

const Keys = Schema.Array(
  Schema.Union([
    Schema.Struct({
      key: Schema.Literal("text"),
      text: Schema.Literals(["a", "word ", "日本", "👩‍👩‍👧", "e\u0301", "  ", "ü"])
    }),
    Schema.Struct({
      key: Schema.Literal("paste"),
      text: Schema.Literals(["x\ny", "l\n".repeat(8), "long ".repeat(200), "\u{100001}"])
    }),
    Schema.Struct({
      key: Schema.Literals([
        "left",
        "right",
        "up",
        "down",
        "home",
        "end",
        "alt+left",
        "alt+right",
        "backspace",
        "delete",
        "ctrl+w",
        "ctrl+u",
        "ctrl+k",
        "ctrl+y",
        "ctrl+j",
        "ctrl+_",
        "alt+d"
      ])
    })
  ])
)
/** No narrower than the widest character, a family. */
const Cols = Schema.Int.check(Schema.isBetween({ minimum: 6, maximum: 60 }))

describe("any keys", () => {
  it.prop(
    "leave a cursor between characters, rows that hold all of the text and fit, and a cursor on them",
    [Keys, Cols],
    ([keys, cols]) => {
      const editor = keys.reduce((editor, key) => Editor.press(editor, key, cols) ?? editor, Editor.empty)
      const borders = new Set([...graphemes(editor.text).map(({ index }) => index), editor.text.length])
      assert.isTrue(borders.has(editor.cursor), `${editor.cursor} of ${JSON.stringify(editor.text)}`)
      const rows = layOut(editor, cols)
      const cells = rows.flatMap((row) => row.cells)
      assert.deepStrictEqual(
        each(cells, "at"),
        graphemes(editor.text).flatMap(({ index, segment }) => (segment === "\n" ? [] : [index]))
      )
      for (const row of rows) {
        const width = row.cells.reduce((sum, cell) => sum + cell.width, 0)
        assert.isTrue(width <= cols, `${width} of ${cols}`)
      }
      const at = cursorOf(rows, editor.cursor)
      assert.isTrue(at.y >= 0 && at.y < rows.length && at.x <= cols)
      const { text } = Editor.contentOf(editor)
      assert.notMatch(text, /[\u{100000}-\u{10fffd}]/u)
    }
  )
})
