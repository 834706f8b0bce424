import { assert, describe } from "@effect/vitest"
import { Effect, Fiber } from "effect"
import * as TerminalModes from "../../../src/domain/terminal/sequences/TerminalModes.ts"
import { Pty } from "../../../src/services/Pty.ts"
import { Screen } from "../../../src/services/Screen.ts"
import { childProgram } from "../../support/children/childProgram.ts"
import { lookingAgain, patience } from "../../support/run/patience.ts"
import { inWindows } from "../../support/processes/Window.ts"

const child = childProgram("pickerChild")

/** A shell in a terminal that runs the picker and tells the terminal's settings before and after it. */
const open = Effect.fnUntraced(function* (what: string, size = { cols: 80, rows: 24 }) {
  const screen = yield* (yield* Screen).make({ ...size, scrollback: 0 })
  const terminal = yield* (yield* Pty).spawn({
    command: "sh",
    args: [
      "-c",
      `echo before=$(stty -g)=; "$0" "$1" "$2"; echo code=$? after=$(stty -g)=`,
      process.execPath,
      child,
      what
    ],
    cwd: process.cwd(),
    env: { PATH: process.env["PATH"] ?? "", TERM: "xterm-256color" },
    size
  })
  let text = ""
  const reading = yield* terminal
    .follow((chunk) => {
      text += Buffer.from(chunk).toString("utf8")
      screen.feed(chunk)
    })
    .pipe(Effect.forkScoped)
  return {
    screen: screen.text,
    type: (keys: string) => terminal.write(new TextEncoder().encode(keys)),
    resize: (cols: number, rows: number) =>
      Effect.andThen(
        Effect.sync(() => screen.resize(cols, rows)),
        terminal.resize({ cols, rows })
      ),
    pid: () => Number(/BEFORE (\d+)/.exec(text)?.[1]),
    shows: (wanted: string | RegExp) =>
      Effect.suspend(() =>
        (typeof wanted === "string" ? screen.text().includes(wanted) : wanted.test(screen.text()))
          ? Effect.void
          : Effect.fail("no")
      ).pipe(
        Effect.retry(lookingAgain(20)),
        Effect.catch(() => Effect.die(new Error(`never showed ${String(wanted)}:\n${screen.text()}`)))
      ),
    /** Its exit code, once it has ended and the terminal is as it was. */
    ended: Effect.gen(function* () {
      yield* Effect.timeout(Fiber.join(reading), patience)
      const [, before, code, after] = /before=(\S+)=[\s\S]*code=(\d+) after=(\S+)=/.exec(text) ?? []
      assert.isDefined(before)
      assert.strictEqual(after, before)
      assert.strictEqual(
        TerminalModes.restoreSequence(screen.modes()),
        TerminalModes.restoreSequence(TerminalModes.start)
      )
      assert.isTrue(screen.view().cursor.visible)
      assert.match(screen.text(), /^before=/)
      return code
    })
  }
})

describe("the picker on a terminal", () => {
  inWindows("is opened, searched, pasted into, resized, and picked from", function* () {
    const { ended, resize, screen, shows, type } = yield* open("200")
    yield* shows("Resume › type to search")
    yield* shows("• All of 00000000-0000-4000-8000-000000000000 is well.")
    yield* type("q\x7fleap")
    yield* shows(/^Resume › leap /)
    yield* type("\x1b[200~ 1\n\x1b[201~")
    yield* shows(/^Resume › leap1 /)
    yield* type("\x17leap-1\x1b")
    yield* type("OB")
    yield* shows("❯ leap-1 ")
    yield* resize(30, 8)
    yield* shows(/^› leap-1 +\d+\/200\n/)
    assert.strictEqual(screen().split("\n").length, 8)
    yield* resize(200, 50)
    yield* shows(/│ leap-1 · Gamma/)
    yield* resize(80, 24)
    yield* type("\r")
    assert.strictEqual(yield* ended, "0")
    assert.match(screen(), /PICKED=leap-1 [0-9a-f]{8}-0000-4000-8000-\d+=/)
  })

  inWindows("is cancelled by Ctrl+C", function* () {
    const { ended, screen, shows, type } = yield* open("5")
    yield* shows("5 of 5")
    yield* type("web\x03")
    assert.strictEqual(yield* ended, "0")
    assert.include(screen(), "PICKED=none")
  })

  for (const [signal, code] of [
    ["SIGTERM", "130"],
    ["SIGHUP", "129"]
  ] as const) {
    inWindows(`gives the terminal back at ${signal}`, function* () {
      const { ended, pid, screen, shows } = yield* open("5")
      yield* shows("5 of 5")
      process.kill(pid(), signal)
      assert.strictEqual(yield* ended, code)
      assert.notInclude(screen(), "PICKED")
    })
  }

  inWindows("asks for a tag until one can be used", function* () {
    const { ended, screen, shows, type } = yield* open("tag")
    yield* shows("New tag for the session:")
    yield* type("busy\r")
    yield* shows("  session 'busy' runs already")
    yield* type("-2\r")
    assert.strictEqual(yield* ended, "0")
    assert.match(screen(), /New tag for the session: busy-2\nTAG=busy-2=\ncode=0/)
  })
})
