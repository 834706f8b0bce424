import { assert, describe } from "@effect/vitest"
import { Context, Effect, Layer } from "effect"
import * as ScreenXterm from "../../../src/layers/terminal/ScreenXterm.ts"
import * as CliOutput from "../../../src/programs/host/CliOutput.ts"
import { Outbox } from "../../../src/programs/host/Outbox.ts"
import * as SessionScreen from "../../../src/programs/host/SessionScreen.ts"
import * as Terminal from "../../../src/programs/host/Terminal.ts"
import { Viewers } from "../../../src/programs/host/Viewers.ts"
import { contextOf, RuntimeFake } from "../../support/host/parts.ts"
import { effect } from "../../support/run/effects.ts"

/** The terminal with viewers that only note what they get. */
const session = Effect.fnUntraced(function* (hasPrimary: boolean) {
  const runtime = new RuntimeFake()
  const written: Array<string> = []
  const shown: Array<string> = []
  const context = yield* Layer.build(
    Terminal.layer.pipe(
      Layer.provideMerge([SessionScreen.layer, CliOutput.layer]),
      Layer.provide([
        contextOf(),
        runtime.layer,
        ScreenXterm.layer,
        Layer.mock(Outbox, {
          write: (data, by) => void written.push(`${by} ${data}`),
          type: () => assert.fail("no message is typed here"),
          waiting: () => 0
        }),
        Layer.mock(Viewers, {
          hasPrimary: () => hasPrimary,
          output: (segments) =>
            void shown.push(...segments.map((segment) => `${segment._tag} ${"data" in segment ? segment.data : ""}`)),
          text: (bytes) => void shown.push(`Text ${Buffer.from(bytes).toString("latin1")}`),
          attach: () => assert.fail("nobody attaches here"),
          report: () => assert.fail("leap says nothing here"),
          notice: () => assert.fail("nothing is told here"),
          input: () => assert.fail("nobody types here"),
          resize: () => {},
          readsStatus: () => {},
          exited: () => {}
        })
      ])
    )
  )
  const terminal = Context.get(context, Terminal.Terminal)
  return {
    end: terminal.end,
    events: () => runtime.take(),
    print: (text: string) => terminal.output(Buffer.from(text)),
    screen: Context.get(context, SessionScreen.SessionScreen),
    shown,
    written
  }
})

describe("the terminal that the CLI writes to", () => {
  effect("answers a query from the screen as it was then, while no viewer's terminal can", function* () {
    const { print, written } = yield* session(false)
    print("ab\x1b[6ncd\x1b[6n")
    assert.deepStrictEqual(written, ["leap \x1b[1;3R", "leap \x1b[1;5R"])
  })

  effect("leaves queries to the viewer's terminal where there is one, but for program status", function* () {
    const { print, shown, written } = yield* session(true)
    print("\x1b]7501;?\x1b\\\x1b[c")
    assert.deepStrictEqual(written, ["leap \x1b]7501;?\x1b\\"])
    assert.deepStrictEqual(shown.at(-1), "Query \x1b[c")
  })

  effect("passes program status on to the machine, and on to viewers as it came", function* () {
    const { events, print, shown } = yield* session(true)
    print("x\x1b]7501;state=working:app=a\x1b\\y")
    const [event] = events()
    assert.strictEqual(event?._tag, "Reported")
    assert.deepStrictEqual(shown, ["Text x", "Report \x1b]7501;state=working:app=a\x1b\\", "Text y"])
  })

  effect("gives out the beginning of a sequence when no more comes", function* () {
    const { end, print, screen, shown } = yield* session(true)
    print("text\x1b]0;tit")
    end()
    assert.strictEqual(shown.join("|"), "Text text|Text \x1b]0;tit")
    assert.strictEqual(screen.text(), "text")
  })

  effect(
    "gives viewers and its own screen the same bounded counts, in whichever form and pieces they come",
    function* () {
      const { end, print, screen, shown } = yield* session(true)
      const { cols, rows } = screen.size()
      print("ab\x1b[21474")
      print("83647S\x1b[2147483647;1Lc\xc2\x9b99999T".replace("\xc2\x9b", "\u009b"))
      print("x\x1b[2147483647b")
      print("\x1b[9")
      end()
      const most = { rows: Math.max(rows, 200), cells: cols * rows }
      assert.deepStrictEqual(
        shown.map((it) => it.slice("Text ".length)).join(""),
        [`ab\x1b[${most.rows}S\x1b[${most.rows};1Lc\xc2\x9b${most.rows}Tx\x1b[${most.cells}b\x1b[9`].join("")
      )
    }
  )
})
