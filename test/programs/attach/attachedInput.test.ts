import { assert, describe, it } from "@effect/vitest"
import { Effect, Queue, Schema } from "effect"
import { TestClock } from "effect/testing"
import type { OverlayDoing, OverlayRows } from "../../../src/domain/surfaces/overlay/Overlay.ts"
import { attachedInput, type AttachedEvent } from "../../../src/programs/attach/attachedInput.ts"
import type { AttachSettings } from "../../../src/domain/store/settings/Settings.ts"
import { attachKeys } from "../../../src/programs/attach/attachedKeys.ts"
import { makeTerminalReplies } from "../../../src/programs/attach/TerminalReplies.ts"
import { nextOf } from "../../../src/programs/attach/attachedActions.ts"
import { Pieces } from "../../support/data/inputs.ts"
import { cut, Cuts } from "../../support/data/streams.ts"
import { sessionStatus } from "../../support/data/sessionStatus.ts"
import { effect } from "../../support/run/effects.ts"

const standard: AttachSettings = { commandKey: "ctrl-]", capture: "^^", suspendKey: "ctrl-z", recall: "auto" }

const terminal = Effect.fnUntraced(function* (settings = standard) {
  const { keys, names } = attachKeys(settings, "ctrl-\\", { write: true, suspend: true }, { can: true, itself: false })!
  const events = yield* Queue.unbounded<AttachedEvent>()
  const done: Array<string> = []
  const drafts: Array<string> = []
  let rows: OverlayRows | null = null
  let captures = 0
  let asked = ""
  const replies = yield* makeTerminalReplies({ write: (data) => Effect.sync(() => void (asked += String(data))) })
  let pass: (data: string) => boolean = () => assert.fail("nobody said how bytes are passed on at once")
  yield* attachedInput(events, {
    keys,
    context: { tag: "one", readOnly: false, names, captureKey: keys.capture },
    size: { cols: 60, rows: 20 },
    screen: {
      frame: () => Effect.void,
      frameNow: () => true,
      overlay: (now) => Effect.sync(() => void (rows = now)),
      aside: () => Effect.void,
      title: () => Effect.void,
      end: () => {},
      leave: Effect.void
    },
    forward: (data) => void done.push(data),
    straight: (given) => {
      pass = given
    },
    resize: (size, reserved) => Effect.sync(() => void done.push(`<${size.cols}x${size.rows} -${reserved}>`)),
    recall: ({ data }) => void done.push(`<arrow ${data}>`),
    draft: (text) => Effect.sync(() => void drafts.push(text)),
    capturing: Effect.sync(() => void captures++),
    opened: Effect.sync(() => void done.push("<opened>")),
    replies,
    act: (doing: OverlayDoing) => Effect.sync(() => void done.push(`<${JSON.stringify(doing)}>`))
  }).pipe(Effect.forkScoped({ startImmediately: true }))
  const tell = (event: AttachedEvent, then = 1) => Effect.andThen(Queue.offer(events, event), TestClock.adjust(then))
  return {
    replies,
    /** What leap has asked the terminal. */
    written: () => asked,
    tell,
    type: (data: string, then = 1) => tell({ _tag: "Bytes", data }, then),
    /** The same by the straight way, where that is free. */
    press: (data: string, then = 1) =>
      Effect.suspend(() => (pass(data) ? TestClock.adjust(then) : tell({ _tag: "Bytes", data }, then))),
    pass: (data: string) => pass(data),
    take: () => done.splice(0),
    drafts: () => drafts.splice(0),
    shown: () => rows?.lines.map((line) => line.map(({ text }) => text).join("")).join("\n") ?? null,
    isOver: () => rows?.over === true,
    captures: () => captures
  }
})

describe("an attached terminal", () => {
  effect("passes keys on at once, an Escape after a moment, and what it holds when nothing more comes", function* () {
    const { take, type } = yield* terminal()
    yield* type("ab")
    assert.deepStrictEqual(take(), ["ab"])
    yield* type("\x1b")
    assert.deepStrictEqual(take(), [])
    yield* TestClock.adjust(30)
    assert.deepStrictEqual(take(), ["\x1b"])
    yield* type("^", 10)
    assert.deepStrictEqual(take(), [])
    yield* TestClock.adjust(200)
    assert.deepStrictEqual(take(), ["^"])
    yield* type("\x1b[", 20)
    yield* type("A")
    assert.deepStrictEqual(take(), ["\x1b[A"])
  })

  effect("opens its menu, takes the keys, and gives them back", function* () {
    const { shown, take, tell, type } = yield* terminal()
    yield* type("a\x1dy")
    assert.deepStrictEqual(take(), ["<opened>", "a", "<60x20 -3>"])
    assert.include(shown(), "detach")
    yield* tell({ _tag: "Status", status: sessionStatus({ tag: "one", state: "running" }) })
    assert.include(shown(), "running")
    yield* type("\x1b", 30)
    assert.deepStrictEqual(take(), ["<60x20 -0>"])
    assert.isNull(shown())
    yield* type("b")
    assert.deepStrictEqual(take(), ["b"])
    yield* type("\x1d")
    yield* type("\x1d")
    assert.deepStrictEqual(take(), ["<60x20 -3>", "\x1d", "<60x20 -0>"], "twice it is the CLI's")
    yield* type("\x1dd")
    assert.deepStrictEqual(take().slice(0, 1), ['<{"_tag":"Detach"}>'])
  })

  effect("says that its host is stopped over the screen, as its menu does then; keys go on to the CLI", function* () {
    const { isOver, shown, take, tell, type } = yield* terminal()
    yield* tell({ _tag: "Stopped", text: "stopped: kill -CONT 42" })
    assert.strictEqual(shown(), "stopped: kill -CONT 42")
    assert.isTrue(isOver())
    yield* type("a")
    yield* type("\x1d")
    assert.match(shown() ?? "", /d detach/)
    assert.isTrue(isOver())
    yield* type("\x1b", 1_000)
    assert.strictEqual(shown(), "stopped: kill -CONT 42")
    yield* tell({ _tag: "Stopped", text: null })
    assert.isNull(shown())
    assert.deepInclude(take(), "a")
  })

  effect("writes a message behind what was typed, and before what comes after", function* () {
    const { shown, take, tell, type } = yield* terminal()
    yield* type("x^")
    yield* type("^")
    assert.deepStrictEqual(take(), ["x^", "^"], "typed behind another it is text")
    yield* TestClock.adjust(500)
    yield* type("^", 50)
    yield* type("^", 50)
    yield* type("hello\rtail")
    const did = take()
    assert.deepStrictEqual(did.slice(-3), ['<{"_tag":"Send","text":"hello","force":false}>', "tail", "<60x20 -0>"])
    yield* tell({ _tag: "Failed", back: { _tag: "Menu", note: "the host says no" } })
    assert.include(shown(), "the host says no")
    yield* tell({ _tag: "Size", size: { cols: 10, rows: 1 } })
    assert.strictEqual(shown(), " the host…", "as much as there is room for")
  })

  effect(
    "tells of a message that is written until it is left; one that is sent is the queue's to tell of",
    function* () {
      const { captures, drafts, shown, take, tell, type } = yield* terminal()
      yield* type("^", 50)
      yield* type("^", 50)
      assert.strictEqual(captures(), 1)
      yield* tell({ _tag: "Saved", saved: ["older", "cut off"], left: true })
      assert.include(shown(), "when a terminal closed")
      yield* type("ab")
      yield* type("\x1b[A")
      yield* type("\x1b[A")
      assert.include(shown(), "older")
      assert.deepStrictEqual(drafts(), ["ab"], "a saved message is in no danger")
      yield* type("\x1b", 30)
      assert.deepStrictEqual(drafts(), [""])
      assert.include(take(), '<{"_tag":"Keep","text":"ab"}>', "it can be brought back")
      yield* type("^", 50)
      yield* type("^", 50)
      assert.strictEqual(captures(), 2)
      assert.notInclude(shown(), "when a terminal closed")
      yield* type("go")
      yield* type("\r")
      assert.deepStrictEqual(drafts(), ["go"])
      yield* type("^", 50)
      yield* type("^", 50)
      yield* type("kept")
      yield* tell({ _tag: "Size", size: { cols: 10, rows: 1 } })
      assert.strictEqual(shown(), " ❯ kept", "in the one row that there is")
    }
  )

  effect("takes over what stood in the CLI's box into the message, or gives it back where that is left", function* () {
    const { drafts, shown, take, tell, type } = yield* terminal()
    yield* type("^", 50)
    yield* type("^", 50)
    yield* type("more")
    yield* tell({ _tag: "Taken", text: "in the box" })
    assert.include(shown(), "in the box more")
    assert.deepStrictEqual(drafts(), ["more", "in the box more"])
    take()
    yield* type("\x1b", 30)
    assert.deepStrictEqual(take(), [
      '<{"_tag":"Keep","text":"in the box more"}>',
      '<{"_tag":"PutBack","text":"in the box"}>',
      "<60x20 -0>"
    ])
    yield* tell({ _tag: "Taken", text: "too late" })
    assert.deepStrictEqual(take(), ['<{"_tag":"PutBack","text":"too late"}>'])
  })

  effect("has no keys of its own where they are switched off", function* () {
    const off = yield* terminal({ commandKey: "off", capture: "off", suspendKey: "off", recall: "off" })
    yield* off.type("\x1d^^")
    assert.deepStrictEqual(off.take(), ["\x1d^^"])
  })

  effect("has the keys in a terminal of any size, and draws what fits", function* () {
    for (const rows of [5, 4, 3, 2, 1])
      for (const cols of [20, 12, 8, 7, 3, 2, 1]) {
        const what = `${cols}x${rows}`
        const { shown, take, tell, type } = yield* terminal()
        yield* tell({ _tag: "Size", size: { cols, rows } })
        take()
        yield* type("^^")
        assert.isNotNull(shown(), what)
        yield* type("2\r", 300)
        const sent = take().filter((one) => !one.startsWith(`<${what}`) && one !== "<opened>")
        assert.deepStrictEqual(sent, ['<{"_tag":"Send","text":"2","force":false}>'], what)
        assert.isNull(shown(), what)
        yield* type("\x1d")
        for (const row of shown()!.split("\n")) assert.isAtMost(row.length, cols, what)
        assert.isAtMost(shown()!.split("\n").length, Math.max(1, rows - 1), what)
        yield* type("y1\r\x1b[B")
        yield* type("\x1b", 100)
        assert.deepStrictEqual(
          take().filter((one) => !one.startsWith(`<${what}`)),
          [],
          `nothing is the CLI's at ${what}`
        )
      }
  })

  effect("gives the carets that began a message to the CLI where that was not meant", function* () {
    const { shown, take, tell, type } = yield* terminal()
    yield* type("^", 50)
    yield* type("^", 50)
    assert.include(shown(), "⌫ types ^^")
    take()
    yield* type("\x7f")
    assert.deepStrictEqual(take(), ["^^", "<60x20 -0>"])
    yield* TestClock.adjust(1000)
    yield* type("\x1b[54:94;2u\x1b[54:94;2u", 50)
    yield* type("\x1b[127u")
    assert.include(take(), "\x1b[54:94;2u\x1b[54:94;2u", "as they came")
    yield* type("^^")
    yield* tell({ _tag: "Taken", text: "great job " })
    yield* type("\x7f")
    assert.include(take(), '<{"_tag":"PutBack","text":"great job ^^"}>', "behind what stood in the box")
    yield* type("^^")
    yield* type("x")
    yield* type("\x7f")
    assert.isNotNull(shown(), "after another key it is an ordinary key")
  })

  effect("has a picture in a message, and sends it with it", function* () {
    const { shown, take, tell, type } = yield* terminal()
    yield* type("^^")
    yield* type("see ")
    take()
    yield* type("\x16")
    assert.deepStrictEqual(take(), ['<{"_tag":"TakeImage"}>'])
    yield* tell({ _tag: "Pictured", path: "/tmp/images/a.png" })
    assert.include(shown(), "see [image a.png]")
    yield* type("\r")
    assert.include(take(), '<{"_tag":"Send","text":"see ","force":false,"images":["/tmp/images/a.png"]}>')
  })

  effect(
    "has an arrow in its place where what was typed may come back, and the CLI's own ones elsewhere",
    function* () {
      const { pass, take, type } = yield* terminal({ ...standard, recall: "on" })
      assert.isFalse(pass("a\x1b[A"), "not in the moment: what comes behind it waits")
      yield* type("a\x1b[Ab\x1bOB\x1b[C")
      assert.deepStrictEqual(take(), ["a", "<arrow \x1b[A>", "b", "<arrow \x1bOB>", "\x1b[C"])
      yield* type("\x1d\x1b[A")
      assert.deepStrictEqual(
        take().filter((one) => one.includes("arrow")),
        [],
        "the menu's"
      )
      for (const recall of ["auto", "off"] as const) {
        const { take, type } = yield* terminal({ ...standard, recall })
        yield* type("\x1b[A\x1b[B")
        assert.deepStrictEqual(take(), ["\x1b[A\x1b[B"], recall)
      }
    }
  )

  effect(
    "passes on in the moment what is nothing but the CLI's, and nothing while anything else is under way",
    function* () {
      const { pass, take, tell, type } = yield* terminal()
      assert.isTrue(pass("hi\x1b[A"))
      assert.deepStrictEqual(take(), ["hi\x1b[A"])
      assert.isTrue(pass("^"), "it is within a text")
      yield* TestClock.adjust(1000)
      take()
      for (const other of ["\x1b", "^", "^^", "\x1c", "a\x1d", "\x1a", "\x1b["])
        assert.isFalse(pass(other), JSON.stringify(other))
      assert.deepStrictEqual(take(), [], "it has done nothing")
      yield* type("^", 10)
      assert.isFalse(pass("a"), "one is held before it")
      yield* TestClock.adjust(300)
      assert.isTrue(pass("a"))
      assert.deepStrictEqual(take(), ["^", "a"])
      yield* type("\x1d")
      assert.isFalse(pass("a"), "the menu takes the keys")
      yield* type("\x1b", 100)
      take()
      assert.isTrue(pass("a"))
      yield* Effect.forkScoped(tell({ _tag: "Bytes", data: "b" }, 0), { startImmediately: true })
      assert.deepStrictEqual(take(), ["a"])
      assert.isFalse(pass("c"), "something is before it")
    }
  )

  effect("keeps the terminal's late answers to leap from the CLI, and from what lies over its screen", function* () {
    const { pass, replies, take, type } = yield* terminal()
    for (const delay of Array.from({ length: 41 }, (_, i) => i * 50)) {
      yield* replies.ask("")
      yield* type("ls", delay)
      yield* type("\x1b[?62;", 40)
      yield* type("22;52c", 10)
      assert.deepStrictEqual(take(), ["ls"], `${delay} ms`)
    }
    yield* replies.ask("")
    yield* type("\x1b", 60)
    yield* type("[?62c\x1b[A", 10)
    assert.deepStrictEqual(take(), ["\x1b[A"], "its first byte is no Escape")
    yield* replies.ask("")
    yield* type("\x1b", 60)
    yield* type("x", 10)
    assert.deepStrictEqual(take(), ["\x1bx"], "but one that nothing follows is")
    assert.isFalse(pass("\x1b[?62c"), "not in the moment")
    yield* type("\x1d", 10)
    yield* type("\x1b[?62c", 10)
    yield* type("\x1b", 40)
    assert.deepStrictEqual(
      take().filter((one) => one.includes("62")),
      []
    )
    assert.isTrue(pass("\x1b[?62c"), "the CLI has asked for this one")
  })

  effect(
    "gives the terminal back at once where the CLI has had its answers, and waits for no more than leap asks",
    function* () {
      const asking = ["\x1b[c", "\x1b[?u\x1b[c", "\x1b]11;?\x1b\\\x1b[c", "\x1b[6n", "\x1b[c\x1b[c"]
      for (const asked of asking) {
        for (const delay of [0, 300, 2000]) {
          const { press, replies, take, written } = yield* terminal()
          const answers = (to: string) => "\x1b[?62;22c".repeat(to.split("\x1b[c").length - 1)
          replies.shown(asked)
          yield* TestClock.adjust(delay)
          if (answers(asked) !== "") yield* press(answers(asked))
          assert.deepStrictEqual(take().join(""), answers(asked), "the CLI gets its own")
          const leaving = yield* Effect.forkChild(replies.settled, { startImmediately: true })
          const own = answers(written())
          if (own !== "") yield* press(own)
          yield* TestClock.adjust(1)
          assert.isDefined(leaving.pollUnsafe(), `${JSON.stringify(asked)}, ${delay} ms`)
          assert.deepStrictEqual(take(), [])
        }
      }
    }
  )

  effect("passes nothing on that comes behind the key that leaves it", function* () {
    for (const key of ["\x1c", "\x1a", "\x1dd"]) {
      const { pass, take, type } = yield* terminal()
      yield* type(`a${key}rm -r .\r`)
      assert.notInclude(take().join(""), "rm", JSON.stringify(key))
      assert.isFalse(pass("b"))
      yield* type("b\r")
      assert.deepStrictEqual(take(), [])
    }
  })

  it.effect.prop(
    "does the same by the straight way as by events",
    { pieces: Pieces, cuts: Cuts, gap: Schema.Literals([0, 20, 300]) },
    ({ cuts, gap, pieces }) =>
      Effect.gen(function* () {
        const [one, two] = [yield* terminal(), yield* terminal()]
        for (const piece of cut(["^", ...pieces, "^^"].join(""), cuts)) {
          yield* one.type(piece, gap)
          yield* two.press(piece, gap)
        }
        yield* TestClock.adjust(3000)
        assert.strictEqual(two.take().join(""), one.take().join(""))
      }).pipe(Effect.scoped),
    { arbitrary: { runs: 100 } }
  )

  it.effect.prop(
    "passes all bytes on, in order, whenever they come and however they are cut",
    { pieces: Pieces, cuts: Cuts, gap: Schema.Literals([0, 20, 300]) },
    ({ cuts, gap, pieces }) =>
      Effect.gen(function* () {
        const { take, type } = yield* terminal({ commandKey: "off", capture: "^^", suspendKey: "off", recall: "on" })
        const text = pieces.join("").replaceAll("\x1c", "")
        for (const piece of cut(text, cuts)) yield* type(piece, gap)
        yield* TestClock.adjust(3000)
        // an arrow is passed on, too, by the host
        const out = take()
          .map((one) => /^<arrow ([^]*)>$/.exec(one)?.[1] ?? one)
          .join("")
        assert.isTrue(text.startsWith(out), JSON.stringify(out))
        // an unfinished paste or reply may wait for its end
        if (!/\x1b/.test(text)) assert.strictEqual(out, text)
      }).pipe(Effect.scoped),
    { arbitrary: { runs: 150 } }
  )
})

describe("the next session", () => {
  it("is the one after this in the order of lists, and after the last the first", () => {
    const sessions = ["a10", "a2", "b", "x"].map((tag) => ({ tag, state: tag === "x" ? "exited" : "idle" }) as const)
    assert.deepStrictEqual(
      ["a2", "a10", "b", "none"].map((tag) => nextOf(sessions, tag, undefined)),
      ["a10", "b", "a2", "a2"]
    )
    assert.strictEqual(nextOf(sessions, "a10", "b"), "a2", "not the one that this terminal is inside of")
    assert.isNull(nextOf([{ tag: "a", state: "idle" }], "a", undefined))
  })
})
