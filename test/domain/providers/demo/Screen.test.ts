import { assert, describe, it } from "@effect/vitest"
import { Effect, Schema } from "effect"
import { demoInput } from "../../../../src/domain/providers/demo/Input.ts"
import { readScreen } from "../../../../src/domain/providers/demo/Screen.ts"
import { blankFacts, type ScreenFacts } from "../../../../src/domain/words/session/Screen.ts"
import { DemoModel } from "../../../support/demo/demoModel.ts"
import { screenView } from "../../../support/data/screenView.ts"
import { effect } from "../../../support/run/effects.ts"

const between = (minimum: number, maximum: number) => Schema.Int.check(Schema.isBetween({ minimum, maximum }))
const read = (demo: DemoModel): Effect.Effect<ScreenFacts> => Effect.map(demo.view(), readScreen)
const idle: ScreenFacts = { ...blankFacts, blank: false, box: { draft: "" }, background: 0 }

const screen = (lines: ReadonlyArray<string>, cols = 40) => screenView(lines, { cols, rows: lines.length })

describe("readScreen", () => {
  effect("idle: an empty box, whatever its placeholder says", function* () {
    assert.deepStrictEqual(yield* read(new DemoModel()), idle)
    assert.deepStrictEqual((yield* read(new DemoModel().type("ask anything"))).box, { draft: "ask anything" })
  })

  effect("working: the spinner of this turn, with prompts typed ahead below it", function* () {
    const demo = new DemoModel().type("hello\r").run(1)
    assert.deepStrictEqual(yield* read(demo), { ...idle, working: true, activity: "Thinking" })
    const ahead = yield* read(demo.type("two\rthree\rdraft"))
    assert.deepStrictEqual(ahead, { ...idle, working: true, activity: "Thinking", box: { draft: "draft" } })
  })

  effect("interrupted: until the next prompt", function* () {
    const demo = new DemoModel().type("long\r").run(30).type("\x1b")
    assert.isTrue((yield* read(demo)).interrupted)
    assert.isFalse((yield* read(demo.type("again\r"))).interrupted)
    assert.isFalse((yield* read(demo.run())).interrupted)
  })

  effect("a permission, with its options and the selected one", function* () {
    const facts = yield* read(new DemoModel().type("write a file\r").run().type("\x1b[B"))
    assert.deepStrictEqual(facts, {
      ...blankFacts,
      blank: false,
      dialog: {
        kind: "permission",
        title: "Write notes.md?",
        subject: "notes.md",
        options: [
          { number: 1, label: "Yes", selected: false },
          { number: 2, label: "Yes, and don't ask again for Write", selected: true },
          { number: 3, label: "No", selected: false }
        ]
      }
    })
  })

  effect("a question, with what was typed into its free row", function* () {
    const { box, dialog } = yield* read(new DemoModel().type("ask me\r").run().type("3").type("my own way"))
    assert.isNull(box)
    assert.strictEqual(dialog?.kind, "question")
    assert.deepStrictEqual(dialog?.options.at(-1), { number: 3, label: "Something else: my own way", selected: true })
  })

  effect("a picker is no dialog", function* () {
    assert.deepStrictEqual(yield* read(new DemoModel().type("/model\r")), {
      ...blankFacts,
      blank: false,
      picker: true
    })
  })

  effect("background work, from the footer", function* () {
    assert.deepStrictEqual(yield* read(new DemoModel().type("background\r").run()), { ...idle, background: 1 })
  })

  effect("a conversation that quotes the CLI's own rows changes nothing", function* () {
    const demo = new DemoModel(80, 40)
    const { lines } = yield* new DemoModel(80, 20).type("write a file\r").run().view()
    const { lines: working } = yield* new DemoModel(80, 20).type("x\r").run(1).view()
    const quoted = [...lines, ...working, "⊘ Interrupted", "» x"].filter((line) => line !== "").join("\n")
    // The words that ask for a permission would open a real one.
    demo.type(`\x1b[200~${quoted.replace("write a file", "go on").replace("permission", "question")}\x1b[201~\r`).run()
    assert.include((yield* demo.view()).lines.join("\n"), " Enter to choose")
    assert.deepStrictEqual(yield* read(demo), idle)
  })

  it("a screen that is not the CLI's tells nothing", () => {
    assert.deepStrictEqual(readScreen(screen(["", "", ""])), blankFacts)
    assert.deepStrictEqual(readScreen(screen(["$ ls", "» a", "1. Yes"])), { ...blankFacts, blank: false })
    assert.deepStrictEqual(readScreen(screen([])), blankFacts)
  })

  it("the title tells work from rest", () => {
    assert.deepStrictEqual(
      ["◈ leap demo", "◆ leap demo", "◇ leap demo", "zsh"].map((title) => readScreen({ ...screen([""]), title }).title),
      ["work", "work", "rest", null]
    )
  })

  effect("a draft of which only blank rows are on screen is not empty", function* () {
    const { box } = yield* read(new DemoModel(20, 6).type("text\n\n\n\n"))
    assert.deepStrictEqual(box, { draft: "…" })
  })

  it.effect.prop(
    "a text in the box is recognised at any size, typed or pasted",
    {
      text: Schema.Union([
        Schema.String,
        Schema.String.check(Schema.isMinLength(30), Schema.isMaxLength(900)),
        Schema.Literals(["漢字🎉 ".repeat(90), "one\ntwo\n\nthree", "a\n".repeat(30), "» 1. Yes", "─".repeat(300), " "])
      ]),
      cols: between(20, 120),
      rows: between(6, 40)
    },
    ({ cols, rows, text }) =>
      Effect.gen(function* () {
        const clean = text.replaceAll(/[\p{Cc}\p{Cs}]/gu, (char) => (char === "\n" ? char : "")).trimEnd()
        const { box } = yield* read(new DemoModel(cols, rows).type(`\x1b[200~${clean}\x1b[201~`))
        assert.isNotNull(box)
        assert.isTrue(demoInput.showsPasted(box?.draft ?? "", clean), JSON.stringify(box))
        assert.strictEqual((yield* read(new DemoModel(cols, rows))).box?.draft, "")
      }),
    { arbitrary: { runs: 150 } }
  )
})
