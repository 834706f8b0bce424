import { assert } from "@effect/vitest"
import { Effect, Schema } from "effect"
import { readOnce } from "../../../src/domain/cli/provider/ScreenReading.ts"
import { ScreenFacts } from "../../../src/domain/words/session/Screen.ts"
import { Signal } from "../../../src/domain/words/session/Signal.ts"
import { fromLatin1, utf8ToLatin1 } from "../../../src/domain/words/text/Bytes.ts"
import { CLIProvider } from "../../../src/services/CLIProvider.ts"
import { Screen } from "../../../src/services/Screen.ts"
import { examined, type It } from "./examined.ts"
import { Json, Output, Shown, Size, viewOf } from "./values.ts"

const isFacts = Schema.is(ScreenFacts)
/** Values of their schema; of a box and a dialog one alone takes the keys, and rest is told under a box. */
const areSound = (facts: ScreenFacts): void => {
  assert.isTrue(isFacts(facts), JSON.stringify(facts))
  assert.isFalse(facts.dialog !== null && facts.box !== null && facts.title !== "ask", JSON.stringify(facts))
  if (facts.resting === true) assert.isNotNull(facts.box)
}
const isSignal = Schema.is(Signal)
const few = Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 12 }))
const Spoil = Schema.Struct({ above: few, below: few, left: few, n: Schema.Int, by: Output })

/** What it reads off the screen: any screen, however it came about. */
export const screens = (it: It, real: ReadonlyArray<ReadonlyArray<string>>) => {
  it.effect("reads nothing off a blank screen", () =>
    Effect.gen(function* () {
      const { detection } = yield* CLIProvider
      const screen = yield* (yield* Screen).make({ cols: 80, rows: 24, scrollback: 0 })
      const { blank, box, dialog, picker, working } = detection.readScreen(screen.view())
      assert.deepStrictEqual(
        { blank, box, dialog, picker, working },
        {
          blank: true,
          box: null,
          dialog: null,
          picker: false,
          working: false
        }
      )
    }).pipe(Effect.scoped)
  )

  it.effect.prop(
    "reads a screen off whatever bytes were written to the terminal, and the same twice",
    { from: Size, to: Size, before: Output, after: Output },
    ({ after, before, from, to }) =>
      Effect.gen(function* () {
        const { detection } = yield* CLIProvider
        const screen = yield* (yield* Screen).make({ ...from, scrollback: 0 })
        const read = readOnce(detection.readScreen)
        for (const part of [before.join(""), after.join("")]) {
          screen.feed(fromLatin1(utf8ToLatin1(part)))
          const view = screen.view()
          const facts = detection.readScreen(view)
          areSound(facts)
          assert.deepStrictEqual(read(view), facts)
          assert.strictEqual(read(view), read(view))
          if (facts.blank) assert.strictEqual(screen.text().trim(), "")
          screen.resize(to.cols, to.rows)
        }
      }).pipe(Effect.scoped)
  )

  it.effect.prop("reads any screen that there could be", { shown: Shown }, ({ shown }) =>
    examined(({ detection }) => {
      const view = viewOf(shown)
      const facts = detection.readScreen(view)
      areSound(facts)
      assert.deepStrictEqual(detection.readScreen(view), facts)
      for (const option of facts.dialog?.options ?? []) assert.isFalse(/[\r\n]/.test(option.label), option.label)
    })
  )

  if (real.length === 0) return
  it.effect.prop(
    "reads what is left of its own screens, cut and written over anywhere",
    { n: Schema.Int, shown: Shown, spoil: Spoil, whole: Schema.Boolean },
    ({ n, shown, spoil, whole }) =>
      examined(({ detection }) => {
        const rows = real[Math.abs(n) % real.length] ?? []
        const lines = (whole ? rows.slice(0, rows.length - spoil.below) : spoilt(rows, spoil)).map((row) => [row])
        const cols = Math.max(shown.size.cols, whole ? 0 : 20, ...(whole ? rows.map((row) => row.length) : []))
        const view = viewOf({ ...shown, lines, size: { cols, rows: Math.max(1, lines.length) } })
        const facts = detection.readScreen(view)
        areSound(facts)
      }),
    { arbitrary: { runs: 300 } }
  )
}

/** Rows of a screen, after a program or another size has cut them and written over them. */
const spoilt = (
  rows: ReadonlyArray<string>,
  { above, below, by, left, n }: typeof Spoil.Type
): ReadonlyArray<string> => {
  const kept = rows.slice(above, Math.max(above, rows.length - below))
  const y = Math.abs(n) % Math.max(1, kept.length)
  return kept.map((row, at) => (at === y ? by.join("") : row).slice(left))
}

/** What it is told: hooks, its own status, its transcript. */
export const signals = (it: It) => {
  it.effect("is told of each of its events by a hook that it reads, and of none that it does not know", () =>
    examined(({ detection, hooks }) => {
      for (const said of detection.readHook("NoSuchEvent", {})) assert.strictEqual(said._tag, "Ignored")
      const { capabilities } = detection
      assert.isTrue(!capabilities.turnHooks || (hooks?.events ?? []).length > 0)
    })
  )

  it.effect.prop(
    "reads hooks of any payload",
    { n: Schema.Int, payload: Json, odd: Schema.String },
    ({ n, odd, payload }) =>
      examined(({ detection, hooks }) => {
        const events = [...(hooks?.events.map(({ event }) => event) ?? []), "StatusLine", odd, "constructor", ""]
        const event = events[Math.abs(n) % events.length] ?? ""
        for (const value of [
          payload,
          { session_id: "s", sessionId: "s", ...(typeof payload === "object" ? payload : {}) }
        ])
          assert.deepStrictEqual(
            detection.readHook(event, value).filter((signal) => !isSignal(signal)),
            [],
            event
          )
      }),
    { arbitrary: { runs: 400 } }
  )

  it.effect.prop("reads any status file and transcript", { content: Json, file: Schema.String }, ({ content, file }) =>
    examined(({ detection, ownStatus }) => {
      for (const value of [content, null, "gone"]) {
        for (const signal of detection.readOwnStatus(value)) assert.isTrue(isSignal(signal), JSON.stringify(signal))
        for (const signal of detection.readTranscript(value)) assert.isTrue(isSignal(signal), JSON.stringify(signal))
        if (ownStatus === null) {
          assert.isEmpty(detection.readOwnStatus(value))
          assert.isFalse(detection.capabilities.ownStatus)
          continue
        }
        const process = { pid: 7, cwd: "/w", startedAt: 1_000, sessionId: null }
        for (const name of [file, "7.json"]) {
          assert.isBoolean(ownStatus.belongs(name, value, process, false))
          const runs = ownStatus.runs(name, value)
          if (runs !== null) assert.isAbove(runs.process.pid, 0)
        }
      }
    })
  )
}
