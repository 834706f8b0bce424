import { assert, describe } from "@effect/vitest"
import { Effect, Layer, Stream } from "effect"
import { TestClock } from "effect/testing"
import * as LinePromptTerminal from "../../../src/layers/terminal/LinePromptTerminal.ts"
import { LinePrompt } from "../../../src/services/LinePrompt.ts"
import * as Fake from "../../support/fakes/UserTerminalFake.ts"
import { effectWith } from "../../support/run/effects.ts"

const due = Effect.andThen(TestClock.adjust("200 millis"), Effect.repeat(Effect.yieldNow, { times: 60 }))

/** A prompt at work: what is on the screen, and what was entered since this was asked last. */
const open = Effect.gen(function* () {
  const terminal = yield* Fake.UserTerminalFake
  const line = yield* (yield* LinePrompt).open
  const taken: Array<string> = []
  let over = false
  yield* line.entries.pipe(
    Stream.runForEach((text) => Effect.sync(() => void taken.push(text))),
    Effect.andThen(Effect.sync(() => (over = true))),
    Effect.forkScoped
  )
  return {
    ...terminal,
    ...line,
    isOver: () => over,
    entered: () => taken.splice(0),
    press: (keys: string) => Effect.andThen(terminal.type(keys), due)
  }
})
const layers = (cols = 80, rows = 24) => LinePromptTerminal.layer.pipe(Layer.provideMerge(Fake.layer(cols, rows)))

describe("the prompt of lines", () => {
  effectWith(layers())("shows what is printed above it, and takes what is entered", function* () {
    const { entered, press, print, prompt, screen } = yield* open
    yield* prompt("state\n› ")
    yield* press("helo\x1b[Dl")
    assert.strictEqual(screen(), "state\n› hello")
    yield* print("one")
    yield* prompt("\x1b[32mother state\x1b[m\n› ")
    yield* print("two")
    assert.strictEqual(screen(), "one\ntwo\nother state\n› hello")
    yield* press("\x05!\r")
    assert.deepStrictEqual(entered(), ["hello!"])
    // who takes it shows it
    assert.strictEqual(screen(), "one\ntwo")
    yield* prompt("other state\n› ")
    yield* press(" \r")
    assert.deepStrictEqual(entered(), [" "])
    assert.strictEqual(screen(), "one\ntwo\nother state\n›")
    yield* press("x\r")
    // what is typed meanwhile stands there as soon as the prompt does
    yield* press("next")
    assert.strictEqual(screen(), "one\ntwo")
    yield* prompt("other state\n› ")
    assert.strictEqual(screen(), "one\ntwo\nother state\n› next")
  })

  effectWith(layers(60))("leaves nothing of its text where its terminal becomes narrow", function* () {
    const { press, print, prompt, resize, screen } = yield* open
    yield* print("printed")
    yield* prompt("a state\n> ")
    yield* press(`${"one two three four five ".repeat(4)}end`)
    for (const cols of [25, 60, 15]) {
      yield* resize(cols, 24)
      yield* due
      const rows = screen().split("\n")
      assert.strictEqual(rows.filter((row) => /^a state|^> |^printed/.test(row)).length, 3, screen())
      assert.strictEqual(rows.join(" ").split("five").length, 5)
    }
  })

  effectWith(layers(20))("keeps its rows however long they are", function* () {
    const { entered, press, print, prompt, resize, screen } = yield* open
    yield* prompt("\x1b[1ma state of more than one row\x1b[m\n> ")
    yield* press("words that need three rows of this screen")
    const rows = ["a state of more than", " one row", "> words that need", "  three rows of", "  this screen"]
    assert.deepStrictEqual(
      screen()
        .split("\n")
        .map((row) => row.trimEnd()),
      rows
    )
    yield* press("\x1b[H")
    yield* print("printed")
    assert.deepStrictEqual(
      screen()
        .split("\n")
        .map((row) => row.trimEnd()),
      ["printed", ...rows]
    )
    yield* resize(60, 24)
    yield* due
    assert.strictEqual(screen(), "printed\na state of more than one row\n> words that need three rows of this screen")
    yield* resize(20, 24)
    yield* due
    assert.strictEqual(
      screen()
        .split("\n")
        .filter((row) => row.startsWith("> ")).length,
      1
    )
    yield* press("日本\x1b[F\r")
    assert.strictEqual(screen(), "printed")
    assert.deepStrictEqual(entered(), ["日本words that need three rows of this screen"])
  })

  effectWith(layers())("has lines, pastes, and what was entered before", function* () {
    const { entered, press, prompt, screen } = yield* open
    const enter = (keys: string) => Effect.andThen(press(keys), prompt("> "))
    yield* prompt("> ")
    yield* enter("one\x1b\rtwo\n3\r")
    yield* enter("\x1b[200~a\r\nb\tc\x1b[201~\r")
    assert.deepStrictEqual(entered(), ["one\ntwo\n3", "a\nb\tc"])
    yield* press("draft\x1b[A")
    assert.strictEqual(screen(), "> a\n  b c")
    yield* press("\x1b[B")
    assert.strictEqual(screen(), "> draft")
    yield* press("\x15")
    const long = "line\n".repeat(50)
    yield* press(`\x1b[200~${long}\x1b[201~`)
    assert.strictEqual(screen(), "> [pasted text, 51 lines]")
    yield* enter("\r")
    assert.deepStrictEqual(entered(), [long])
  })

  for (const keys of ["\x03", "\x04", "text\x03\x03", "text\x15\x04"])
    effectWith(layers())(`ends at ${JSON.stringify(keys)}, and the terminal is as it was`, function* () {
      const prompt = yield* Effect.scoped(
        Effect.gen(function* () {
          const opened = yield* open
          yield* opened.prompt("> ")
          assert.isAbove(opened.left().length, 0)
          yield* opened.press(keys.slice(0, -1))
          assert.isFalse(opened.isOver())
          yield* opened.press(keys.slice(-1))
          assert.isTrue(opened.isOver())
          return opened
        })
      )
      assert.deepStrictEqual([prompt.left(), prompt.screen(), prompt.entered()], [[], "", []])
    })

  effectWith(layers())("ends with its terminal", function* () {
    const { hangUp, isOver } = yield* open
    yield* hangUp
    yield* due
    assert.isTrue(isOver())
  })
})
