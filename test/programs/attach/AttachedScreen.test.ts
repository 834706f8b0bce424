import { assert, describe } from "@effect/vitest"
import { Context, Effect, Latch, Layer } from "effect"
import * as TerminalModes from "../../../src/domain/terminal/sequences/TerminalModes.ts"
import { span } from "../../../src/domain/surfaces/tui/Paint.ts"
import { fromLatin1, utf8ToLatin1 } from "../../../src/domain/words/text/Bytes.ts"
import * as ScreenXterm from "../../../src/layers/terminal/ScreenXterm.ts"
import { makeAttachedScreen } from "../../../src/programs/attach/AttachedScreen.ts"
import { UserTerminal } from "../../../src/services/UserTerminal.ts"
import * as Fake from "../../support/fakes/UserTerminalFake.ts"
import { effect, effectWith } from "../../support/run/effects.ts"

const size = { cols: 20, rows: 6 }
const overlay = {
  lines: [[span("── menu ──")], [span(" a answer")]],
  cursor: { x: 3, y: 1 }
}
const repaint = (data: string, reserved = 0) => ({ _tag: "Repaint", data: fromLatin1(data), reserved }) as const
const output = (data: string) => ({ _tag: "Output", data: fromLatin1(data) }) as const

const opened = Effect.gen(function* () {
  const terminal = yield* UserTerminal
  yield* terminal.write(TerminalModes.enterSequence)
  const screen = yield* makeAttachedScreen(terminal, false)
  const fake = yield* Fake.UserTerminalFake
  yield* screen.frame(repaint("\x1b[H\x1b[2Jone\r\ntwo"))
  return { fake, screen }
})
const layer = Fake.layer(size.cols, size.rows).pipe(Layer.provide(ScreenXterm.layer))

describe("the screen of an attached terminal", () => {
  effectWith(layer)("has something over it only where the host leaves room, until it is drawn anew", function* () {
    const { fake, screen } = yield* opened
    yield* screen.overlay(overlay, size)
    assert.strictEqual(fake.screen(), "one\ntwo", "there is no room yet")
    yield* screen.frame(repaint("\x1b[2J\x1b[Hclip", 3))
    assert.strictEqual(fake.screen(), "clip", "nor is that the right one")
    yield* screen.frame(repaint("\x1b[2J\x1b[Hclip", 2))
    assert.strictEqual(fake.screen(), "clip\n\n\n\n── menu ──\n a answer")
    fake.written()
    yield* screen.frame(output("\x1b[2;1Hmore\x1b[?25l"))
    assert.strictEqual(fake.screen(), "clip\nmore\n\n\n── menu ──\n a answer")
    assert.isTrue(fake.written().endsWith("\x1b[6;4H\x1b[?25h"), "the cursor is where the user writes")
    yield* screen.overlay(null, size)
    yield* screen.frame(repaint("\x1b[2J\x1b[Hone\r\ntwo\r\nthree"))
    assert.strictEqual(fake.screen(), "one\ntwo\nthree")
  })

  effectWith(layer)(
    "has a title of leap's before the CLI's own, and nothing in the middle of the CLI's sequences",
    function* () {
      const { fake, screen } = yield* opened
      fake.written()
      yield* screen.title("one: idle")
      assert.strictEqual(fake.written(), "\x1b]0;one: idle\x1b\\")
      yield* screen.frame(output(utf8ToLatin1("\x1b]2;✳ Claude\x07text")))
      assert.isTrue(fake.written().endsWith("\x07text\x1b]0;one: idle — ✳ Claude\x1b\\"))
      yield* screen.frame(output("more"))
      assert.strictEqual(fake.written(), "more", "it is still there")
      for (const taken of ["\x1b_Gi=31,s=1,v=1,a=q,t=d;AAAA\x1b\\", "\x1bkname\x1b\\"]) {
        yield* screen.frame(output(taken))
        const again = `${taken}\x1b]0;one: idle — ✳ Claude\x1b\\`
        assert.strictEqual(fake.written(), again, "some terminals take this for a title")
      }
      yield* screen.frame(output("\x1b]2;cut"))
      yield* screen.aside("\x07")
      yield* screen.title("one: running")
      assert.strictEqual(fake.written(), "\x1b]2;cut", "what would end the CLI's sequence waits")
      yield* screen.frame(output(" off\x07"))
      assert.strictEqual(fake.written(), " off\x07\x07\x1b]0;one: running — cut off\x1b\\")
      yield* screen.frame(repaint("\x1b[H\x1b[2Jone"))
      assert.isTrue(fake.written().includes("\x1b]0;one: running\x1b\\"), "set again after the modes were undone")
      yield* screen.leave
      assert.isTrue(fake.written().includes("\x1b[23;0t"), "the title from before is back")
      assert.deepStrictEqual(fake.left(), [])
    }
  )

  effectWith(layer)("has it over what the CLI drew where the host cannot leave room, and in no sequence", function* () {
    const { fake, screen } = yield* opened
    const over = { lines: [[span("stopped")]], cursor: null, beside: true, over: true } as const
    yield* screen.overlay(over, size)
    assert.strictEqual(fake.screen(), "one\ntwo\n\n\n\nstopped")
    yield* screen.frame(repaint("\x1b[2J\x1b[Hone", 1))
    assert.strictEqual(fake.screen(), "one\n\n\n\n\nstopped", "the host goes on, and leaves it")
    yield* screen.frame(output("\x1b]2;cut"))
    fake.written()
    yield* screen.overlay({ ...over, lines: [[span("again")], [span("two")]] }, size)
    assert.strictEqual(fake.written(), "")
  })

  effectWith(layer)("is left without it, and with all modes undone", function* () {
    const { fake, screen } = yield* opened
    yield* screen.frame(repaint("\x1b[2J\x1b[2;1Hclip\x1b[?1004h\x1b[>1u", 2))
    yield* screen.overlay(overlay, size)
    yield* screen.leave
    assert.strictEqual(fake.screen(), "clip")
    assert.deepStrictEqual(fake.left(), [])
  })

  effectWith(layer)(
    "is left with the cursor below what stays, where undoing origin mode or an older alternate screen moves it",
    function* () {
      for (const [data, left] of [
        ["\x1b[2J\x1b[Hone\r\ntwo\r\n", "one\ntwo\n$"],
        ["\x1b[2J\x1b[Hone\r\ntwo\x1b[1;4r\x1b[?6h\x1b[3;1H", "two\n\n\n\n\n$"],
        ["\x1b[2J\x1b[Hone\r\ntwo\x1b[?1047h\x1b[Hother", "two\n\n\n\n\n$"]
      ] as const) {
        yield* Effect.gen(function* () {
          const terminal = yield* UserTerminal
          const { fake, screen } = yield* opened
          yield* screen.frame(output(data))
          screen.end()
          yield* screen.leave
          yield* terminal.write(fromLatin1("$"))
          assert.strictEqual(fake.screen(), left, JSON.stringify(data))
          assert.deepStrictEqual(fake.left(), [])
        }).pipe(Effect.provide(Layer.fresh(layer)))
      }
    }
  )

  effect("is drawn the same at once, unless something is being written", function* () {
    const frames = [
      output("plain text"),
      output("\x1b[31mred"),
      output("\x1b]2;cut"),
      output(" title\x07\x0e"),
      repaint("\x1b[2J\x1b[Hclip", 2),
      output("more")
    ]
    const written: Array<string> = []
    for (const atOnce of [false, true]) {
      yield* Effect.gen(function* () {
        const { fake, screen } = yield* opened
        yield* screen.overlay(overlay, size)
        yield* screen.title("one")
        for (const frame of frames)
          if (atOnce) assert.isTrue(screen.frameNow(frame))
          else yield* screen.frame(frame)
        yield* screen.leave
        written.push(fake.written())
      }).pipe(Effect.provide(Layer.fresh(layer)))
    }
    assert.strictEqual(written[1], written[0])
    assert.include(written[0], "menu")

    const slow = yield* Latch.make(false)
    const screen = yield* makeAttachedScreen(
      {
        ...(yield* Layer.build(layer).pipe(Effect.map((context) => Context.get(context, UserTerminal)))),
        write: () => slow.await,
        writeNow: () => assert.fail("a write waits")
      },
      false
    )
    yield* Effect.forkScoped(screen.frame(repaint("one")), { startImmediately: true })
    assert.isFalse(screen.frameNow(output("x")))
    yield* slow.open
  })
})
