import { assert, describe, it } from "@effect/vitest"
import { Effect, Schema } from "effect"
import { width } from "../../src/demoCli/cells.ts"
import { statusRecords, statusReports, title } from "../../src/demoCli/terminal.ts"
import { charWidth } from "../../src/domain/words/text/CharWidth.ts"
import { encodeRow, frame, paint } from "../../src/demoCli/view.ts"
import { DemoModel, drawnOn } from "../support/demo/demoModel.ts"
import { effect } from "../support/run/effects.ts"

const widthOf = charWidth
const between = (minimum: number, maximum: number) => Schema.Int.check(Schema.isBetween({ minimum, maximum }))

const strokes = [
  "hello",
  "漢字🎉",
  "a\u0301e\u200d\x9b31m",
  "a word that is quite long ".repeat(9),
  "write a file",
  "ask me",
  "background",
  "long",
  "\r",
  "\r",
  "\n",
  "\x1b",
  "3",
  "\x1b[A",
  "\x1b[D",
  `\x1b[200~${"pasted\r".repeat(9)}\x1b[201~`,
  `\x1b[200~${"x".repeat(500)}\x1b[201~`,
  "/model",
  "\x03",
  "\x1b[O",
  "RUN",
  "STEP"
] as const

const played = (keys: ReadonlyArray<string>, cols: number, rows: number): DemoModel => {
  const demo = new DemoModel(cols, rows)
  for (const key of keys) {
    if (key === "RUN") demo.run()
    else if (key === "STEP") demo.run(7)
    else demo.type(key)
  }
  return demo
}

const screens = {
  keys: Schema.Array(Schema.Union([Schema.Literals(strokes), Schema.String])),
  cols: between(20, 130),
  rows: between(6, 45),
  seconds: between(0, 5000)
}

describe("frame", () => {
  it.effect.prop(
    "is as high as the screen, and nothing is written outside it at any size",
    screens,
    ({ cols, keys, rows, seconds }) =>
      Effect.gen(function* () {
        const { model, now } = played(keys, cols, rows)
        const shown = frame(model, now + seconds * 1000)
        assert.strictEqual(shown.length, rows)
        for (const row of shown)
          assert.isAtMost(
            row.reduce((cells, { text }) => cells + width(text), 0),
            cols
          )
        const { lines } = yield* drawnOn(model, now + seconds * 1000, 5)
        assert.deepStrictEqual(lines.slice(rows).join(""), "")
        const columns = (line: string) => [...line].reduce((sum, char) => sum + widthOf(char.codePointAt(0) ?? 0), 0)
        for (const line of lines) assert.isAtMost(columns(line.trimEnd()), cols)
      }),
    { arbitrary: { runs: 150 } }
  )

  it.effect.prop(
    "a smaller update leaves the same screen as a whole one",
    { first: screens.keys, then: screens.keys },
    ({ first, then }) =>
      Effect.sync(() => {
        const demo = played(first, 60, 20)
        const before = frame(demo.model, demo.now).map(encodeRow)
        then.forEach((key) => demo.type(key))
        const after = frame(demo.model, demo.now).map(encodeRow)
        const bytes = paint(before, after)
        const rows = [...before]
        // oxlint-disable-next-line no-control-regex
        for (const [, y = "", row = ""] of bytes.matchAll(/\x1b\[(\d+);1H\x1b\[2K(.*?)(?=\x1b\[\d+;1H|\x1b\[\?2026l)/g))
          rows[Number(y) - 1] = row
        assert.deepStrictEqual(rows, after)
        assert.strictEqual(
          bytes === "",
          before.every((row, y) => row === after[y])
        )
      })
  )

  effect("the box is the last to go where a screen is too small for all", function* () {
    const demo = new DemoModel(20, 6).type("long\r").run(9).type("one\rtwo\rthree\rdraft")
    const { lines } = yield* demo.view()
    assert.deepStrictEqual(
      lines.slice(-4, -1).map((line) => line.trimEnd()),
      ["─".repeat(20), "» draft", "─".repeat(20)]
    )
  })

  it("a paint is one synchronized update", () => {
    const demo = new DemoModel()
    const bytes = paint(null, frame(demo.model, 0).map(encodeRow))
    assert.isTrue(bytes.startsWith("\x1b[?2026h") && bytes.endsWith("\x1b[?2026l"))
  })

  effect("draws an emoji of several code points whole in the draft", function* () {
    const { lines } = yield* new DemoModel(40, 12).type("one 👨‍👩‍👧‍👦 two 🇫🇷").view()
    assert.strictEqual(lines.at(-3)?.trimEnd(), "» one 👨‍👩‍👧‍👦 two 🇫🇷")
  })

  effect("keeps the caret in sight in a draft that is larger than the box", function* () {
    const demo = new DemoModel(40, 12).type(Array.from({ length: 20 }, (_, i) => `row ${i}`).join("\n"))
    const { lines } = yield* demo.view()
    assert.deepStrictEqual(
      lines.slice(-5, -2).map((line) => line.trimEnd()),
      ["⋮ row 17", "  row 18", "  row 19"]
    )
    demo.type("\x1b[H")
    assert.deepStrictEqual(
      (yield* demo.view()).lines.slice(-5, -2).map((line) => line.trimEnd()),
      ["» row 0", "  row 1", "  row 2"]
    )
  })
})

describe("status", () => {
  const told = (demo: DemoModel) => [...statusRecords(demo.model).values()]
  const base64 = (text: string) => Buffer.from(text).toString("base64")

  it("says what the CLI does, waits for, and leaves behind", () => {
    const demo = new DemoModel()
    assert.deepStrictEqual(told(demo), ["state=idle:app=leap-demo"])
    demo.type("background, then write a file\r").run()
    assert.deepStrictEqual(told(demo), [
      `state=blocked:kind=permission:msg=${base64("approve Write notes.md?")}:app=leap-demo`,
      `state=working:id=${demo.model.background[0]?.id}:title=${base64("Watch the build")}`
    ])
    demo.type("1")
    assert.include(told(demo)[0], "state=working")
    assert.include(told(demo.run())[0], "state=done")
    assert.include(told(new DemoModel().type("ask me\r").run())[0], "kind=question")
    assert.include(told(new DemoModel().type("fail\r").run())[0], "state=error")
  })

  it("only changes are reported, and what is gone is cleared", () => {
    const before = new Map([
      ["", "state=idle"],
      ["bg1", "state=working:id=bg1"]
    ])
    assert.strictEqual(statusReports(before, before), "")
    assert.strictEqual(
      statusReports(before, new Map([["", "state=done"]])),
      "\x1b]7501;state=clear:id=bg1\x1b\\\x1b]7501;state=done\x1b\\"
    )
  })

  it("the title's glyph moves while the model works, and rests in a dialog", () => {
    const demo = new DemoModel().type("write a file\r")
    assert.notStrictEqual(title(demo.model, demo.now), title(demo.model, demo.now + 1000))
    demo.run()
    assert.strictEqual(title(demo.model, demo.now), title(demo.model, demo.now + 1000))
  })
})
