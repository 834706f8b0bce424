import { assert, describe, it } from "@effect/vitest"
import { Schema } from "effect"
import { textOf } from "../../src/demoCli/draft.ts"
import { DemoModel } from "../support/demo/demoModel.ts"
import { each } from "../support/data/fields.ts"

const esc = "\x1b"
const paste = (text: string) => `\x1b[200~${text}\x1b[201~`

describe("a turn", () => {
  it("tells its hooks in order and ends with the answer", () => {
    const demo = new DemoModel().type("hello\r").run()
    assert.deepStrictEqual(demo.hooks(), ["UserPromptSubmit", "Stop"])
    assert.deepStrictEqual(demo.log(), ["submitted: hello", "turn_started: hello", "turn_ended: hello"])
    assert.strictEqual(demo.model.entries.at(-1)?.text, "You asked “hello”. That is my answer.")
    assert.strictEqual(demo.model.restStatus, "done")
    assert.strictEqual(demo.type("x").model.restStatus, "idle")
  })

  it("takes prompts that were typed ahead, one after another", () => {
    const demo = new DemoModel().type("one\r").run(2).type("two\rthree\r")
    assert.deepStrictEqual(demo.model.queued, ["two", "three"])
    assert.deepStrictEqual(
      demo
        .run()
        .log()
        .filter((line) => line.startsWith("turn")),
      [
        "turn_started: one",
        "turn_ended: one",
        "turn_started: two",
        "turn_ended: two",
        "turn_started: three",
        "turn_ended: three"
      ]
    )
  })

  it("Esc interrupts it with no Stop hook and puts back what was typed ahead; late answers are stale", () => {
    const demo = new DemoModel().type("a long one\r").run(20).type("ahead\rdraft").type(esc).run()
    assert.isNull(demo.model.turn)
    assert.strictEqual(demo.model.entries.at(-1)?.kind, "interrupted")
    assert.strictEqual(textOf(demo.model.draft), "ahead\ndraft")
    assert.deepStrictEqual(demo.model.queued, [])
    assert.notInclude(demo.hooks(), "Stop")
    assert.strictEqual(demo.log().at(-1), "turn_interrupted: a long one")
  })

  it("does what several directives ask for, in their order", () => {
    const demo = new DemoModel().type("tool 3 then background 5 then fail\r").run()
    assert.deepStrictEqual(demo.hooks(), ["UserPromptSubmit", "PreToolUse", "PostToolUse", "StopFailure"])
    assert.isTrue(demo.commands.some((command) => command.type === "wait" && command.ms === 3000))
    assert.isTrue(demo.commands.some((command) => command.type === "background" && command.ms === 5000))
    assert.strictEqual(demo.model.restStatus, "error")
  })

  it("floods its terminal with as much as was asked for, then ends its turn", () => {
    const demo = new DemoModel().type("flood 300\r").run()
    assert.deepStrictEqual(
      demo.commands.flatMap((command) => (command.type === "flood" ? [command.kilobytes] : [])),
      [300]
    )
    assert.strictEqual(demo.log().at(-1), "turn_ended: flood 300")
  })

  it("background work that ends wakes an idle session, and only tells a busy one", () => {
    const demo = new DemoModel().type("background\r").run()
    const id = demo.model.background[0]?.id ?? ""
    demo.event({ type: "backgroundEnded", id, at: demo.now })
    assert.include(demo.model.turn?.prompt, "<task-notification>")
    const busy = new DemoModel().type("background and long\r").run(30)
    busy.event({ type: "backgroundEnded", id: busy.model.background[0]?.id ?? "", at: busy.now })
    assert.strictEqual(busy.model.turn?.prompt, "background and long")
    assert.include(each(busy.run().model.entries, "kind"), "note")
    assert.deepStrictEqual(busy.model.background, [])
  })
})

describe("a permission", () => {
  const asked = () => new DemoModel().type("write a file\r").run()

  it("holds the turn until it is answered", () => {
    const demo = asked()
    assert.strictEqual(demo.model.dialog?.kind, "permission")
    assert.deepStrictEqual(demo.hooks(), ["UserPromptSubmit", "PreToolUse", "PermissionRequest"])
    demo.type("1").run()
    assert.deepStrictEqual(demo.hooks().slice(3), ["PostToolUse", "Stop"])
    assert.include(demo.log(), "dialog_answered: Yes")
  })

  it("digits, arrows and Enter choose; the second is for good; No goes on without the tool", () => {
    assert.deepStrictEqual(asked().type("\x1b[B\r").run().model.allowedTools, ["Write"])
    const again = asked().type("2").run().type("write a file\r").run()
    assert.isNull(again.model.dialog)
    assert.strictEqual(again.hooks().filter((hook) => hook === "PostToolUse").length, 2)
    const no = asked().type("3").run()
    assert.notInclude(no.hooks(), "PostToolUse")
    assert.include(no.hooks(), "Stop")
  })

  it("text and pastes are no answer, and are known to have come while it was up", () => {
    const demo = asked().type(`${paste("1")}yes\r`)
    assert.isTrue(demo.log().includes("key_in_dialog: yes"))
    const log = asked().type(`${paste("1")}yes`)
    assert.isNotNull(log.model.dialog)
    assert.deepStrictEqual(log.log().slice(-2), ["key_in_dialog: 1", "key_in_dialog: yes"])
  })

  it("Esc interrupts the turn", () => {
    const demo = asked().type(esc).run()
    assert.strictEqual(demo.model.entries.at(-1)?.kind, "interrupted")
    assert.notInclude(demo.hooks(), "Stop")
  })

  it("a hook may decide; one that comes late does not", () => {
    const token = (demo: DemoModel) => demo.model.dialog?.token ?? -1
    const allowed = asked()
    allowed.event({ type: "decided", token: token(allowed), decision: "allow", at: 1 }).run()
    assert.include(allowed.hooks(), "PostToolUse")
    const denied = asked()
    denied.event({ type: "decided", token: token(denied), decision: "deny", at: 1 }).run()
    assert.notInclude(denied.hooks(), "PostToolUse")
    assert.include(denied.hooks(), "Stop")
    const late = asked()
    const old = token(late)
    late.type("3").run().type("write a file\r").run().event({ type: "decided", token: old, decision: "allow", at: 1 })
    assert.isNotNull(late.model.dialog)
  })

  it("is not asked for in accept mode", () => {
    const demo = new DemoModel().type("\x1b[Zwrite a file\r").run()
    assert.include(demo.hooks(), "PostToolUse")
    assert.notInclude(demo.hooks(), "PermissionRequest")
  })
})

describe("a question", () => {
  const asked = () => new DemoModel().type("ask me\r").run()

  it("takes a number or a text of the user's own", () => {
    assert.include(asked().type("2").run().log(), "dialog_answered: The scenic way")
    const own = asked().type("3").type("1 or 2, 漢字").type("\r").run()
    assert.include(own.log(), "dialog_answered: 1 or 2, 漢字")
    assert.include(own.hooks(), "Stop")
  })

  it("an empty text is no answer", () => {
    assert.isNotNull(asked().type("3\r").model.dialog)
  })
})

describe("the box", () => {
  it("keeps line breaks, folds long pastes, and submits them whole", () => {
    const lines = Array.from({ length: 12 }, (_, i) => `line ${i}`).join("\n")
    const demo = new DemoModel().type(`a\nb${paste(lines.replaceAll("\n", "\r"))}c`)
    assert.strictEqual(demo.model.draft.atoms.map((atom) => atom.displayed).join(""), "a\nb[pasted 12 lines]c")
    assert.deepStrictEqual(demo.type("\r").log()[0], `submitted: a\nb${lines}c`)
  })

  it("steps over characters as people see them", () => {
    const family = "👨‍👩‍👧"
    assert.strictEqual(textOf(new DemoModel().type(`a${family}`).type("\x7f").model.draft), "a")
    assert.strictEqual(textOf(new DemoModel().type(`a${family}`).type("\x1b[D\x1b[Db").model.draft), `ba${family}`)
    assert.strictEqual(textOf(new DemoModel().type("abc\x15d").model.draft), "d")
  })

  it("a paste with line ends does not submit", () => {
    assert.deepStrictEqual(new DemoModel().type(paste("one\r\ntwo\r")).log(), [])
  })

  it("Ctrl+C empties it, twice quits; Ctrl+D and /exit quit, after the last hook", () => {
    const cleared = new DemoModel().type("text\x03")
    assert.strictEqual(textOf(cleared.model.draft), "")
    assert.isFalse(cleared.model.leaving)
    const exits = (demo: DemoModel) => demo.commands.some((command) => command.type === "exit")
    for (const keys of ["\x03\x03", "\x04", "/exit\r"]) {
      const demo = new DemoModel().type(keys)
      assert.strictEqual(demo.hooks().at(-1), "SessionEnd")
      assert.isFalse(exits(demo))
      assert.isTrue(exits(demo.run()), keys)
    }
    const busy = new DemoModel().type("long\r").run(5).type("\x04")
    assert.isFalse(exits(busy.run(1)), "what the turn waited for does not end the program")
    assert.isTrue(exits(busy.run()))
    const slow = new DemoModel().type("\x03")
    slow.now += 10_000
    assert.isFalse(slow.type("\x03").model.leaving)
    assert.isFalse(new DemoModel().type("x\x04").model.leaving)
  })

  it("/help names every word that makes something happen, and each does", () => {
    const help = new DemoModel().type("/help\r").model.entries.at(-1)?.text ?? ""
    const words = help
      .slice(help.indexOf(":") + 1)
      .split("·")
      .map((word) =>
        word
          .replace(/\(.*\)/, "")
          .replace("N", "3")
          .trim()
      )
    assert.lengthOf(words, 11)
    const plain = new DemoModel().type("hello\r").run().commands.length
    for (const word of words)
      assert.isAbove(Math.abs(new DemoModel().type(`${word}\r`).run().commands.length - plain), 0, word)
  })

  it("/model opens a picker that owns the keys", () => {
    const demo = new DemoModel().type("/model\r")
    assert.isNotNull(demo.model.picker)
    assert.strictEqual(textOf(demo.type("text").model.draft), "")
    assert.strictEqual(demo.type("\x1b[A\r").model.modelName, "demo-swift")
    assert.isNull(demo.model.picker)
    assert.isNull(new DemoModel().type("/model\r").type(esc).model.picker)
  })
})

const strokes = [
  "hello",
  "write a file",
  "ask me",
  "long",
  "fail",
  "\r",
  "\r",
  "\r",
  esc,
  "1",
  "3",
  "\x1b[A",
  "\x1b[B",
  "\x03",
  paste("a\nb"),
  "/model",
  "RUN",
  "STEP"
] as const

describe("whatever is typed", () => {
  it.prop(
    "every prompt is taken at most once, in order, and none while a dialog is up",
    { keys: Schema.Array(Schema.Literals(strokes)) },
    ({ keys }) => {
      const demo = new DemoModel()
      for (const key of keys) {
        const before = demo.model.dialog
        const count = demo.log().filter((line) => line.startsWith("submitted")).length
        if (key === "RUN") demo.run()
        else if (key === "STEP") demo.run(3)
        else demo.type(key)
        if (before !== null && key !== "RUN") {
          assert.strictEqual(demo.log().filter((line) => line.startsWith("submitted")).length, count)
        }
      }
      const texts = (event: string) =>
        demo
          .log()
          .filter((line) => line.startsWith(event))
          .map((line) => line.slice(event.length))
      const submitted = texts("submitted: ")
      let at = 0
      for (const started of texts("turn_started: ")) {
        at = submitted.indexOf(started, at) + 1
        assert.isAbove(at, 0, `never submitted, or out of order: ${started}`)
      }
      const ended = demo.log().filter((line) => /^turn_(ended|failed|interrupted)/.test(line)).length
      if (!demo.model.leaving)
        assert.strictEqual(texts("turn_started: ").length, ended + (demo.model.turn === null ? 0 : 1))
    }
  )
})
