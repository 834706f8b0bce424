import { assert } from "@effect/vitest"
import { Effect } from "effect"
import * as InputBytes from "../../src/domain/terminal/sequences/InputBytes.ts"
import * as ScreenXterm from "../../src/layers/terminal/ScreenXterm.ts"
import { limits } from "../../src/domain/engine/tracker/rules/limits.ts"
import * as ProvidersBuiltin from "../../src/layers/providers/ProvidersBuiltin.ts"
import { Providers } from "../../src/services/Providers.ts"
import { Screen } from "../../src/services/Screen.ts"
import { type Beat, exit, hook, is, keys, play, type Scene, send, show, signal } from "./support/replayScene.ts"
import { numbered, type ScenarioRow } from "./support/scenarioTable.ts"
import {
  atRest,
  box,
  busy,
  compacting,
  interrupted,
  modelPicker,
  permission,
  question,
  trust
} from "../support/session/claudeScreens.ts"

/** The ids of the table: scenarios that the original gets wrong, or that nothing there tests. */
export const ids = [...numbered("X", 12), "X-13a", "X-13b", "X-13c", "X-13d", ...numbered("X", 36, 14)]

const claude =
  (...scene: Scene) =>
  () =>
    play("claude", scene)

/** Claude at its prompt, for long enough to be ready. */
const rest: Scene = [
  [0.5, show(atRest)],
  [9, is("idle", { ready: true })]
]
const prompt: Beat = hook("UserPromptSubmit", { prompt: "fix it" })
const stop: Beat = hook("Stop", { last_assistant_message: "Done.", background_tasks: [] })
const asks: Beat = hook("PermissionRequest", { tool_name: "Bash", tool_input: { command: "mkdir -p out" } })
/** leap types a message and the turn begins: from `at` on. */
const turn = (at: number): Scene => [
  [at, send, keys("\u001b[200~fix it\u001b[201~")],
  [at + 0.1, show(box(["● Hello."], "fix it"))],
  [at + 0.2, keys("\r")],
  [at + 0.3, prompt, show(busy())],
  [at + 0.5, is("running", { ready: false })]
]
/** The turn's end, by its hook and the screen. */
const end = (at: number, rows = box(["● Done."])): Scene => [[at, stop, show(rows)]]

/** What keys become, fed in chunks that come this many milliseconds apart. */
const heard = (apart: number, ...chunks: ReadonlyArray<string>) => {
  let state = InputBytes.start
  return chunks.flatMap((chunk, i) => {
    const sorted = InputBytes.classify(state, chunk, i * apart)
    state = sorted.state
    return sorted.parts.flatMap((part) => (part._tag === "Keys" ? [part.kind] : []))
  })
}

const text = (from: number, seconds: number): Scene =>
  Array.from(
    { length: seconds },
    (_, i) => [from + i, show(busy(`✻ Pondering… (${i}s)`, "", ["❯ fix it", "", `● Paragraph ${i}.`, ""]))] as const
  )

/** Rows of Claude Code and of the terminal. */
export const rows: ReadonlyArray<ScenarioRow> = [
  {
    id: "X-02",
    says: "a picker left open is never ready",
    check: claude(
      ...rest,
      [10, keys("/model")],
      [10.1, show(box(["● Hello."], "/model"))],
      [10.2, keys("\r")],
      [10.4, show(modelPicker)],
      [11, is("idle", { ready: false, dialog: true })],
      [70, is("idle", { ready: false, dialog: true })],
      [7000, is("idle", { ready: false, dialog: true })]
    )
  },
  {
    id: "X-03",
    says: "from the answer to the end hook it runs, then it rests at once",
    check: claude(
      ...rest,
      ...turn(10),
      [12, asks, show(permission)],
      [13, is("needs_permission", { ready: false, dialog: true })],
      [14, keys("1")],
      [14.1, show(busy())],
      [14.6, is("running")],
      [15, show(busy("✻ Pondering… (5s)"))],
      [15.5, is("running")],
      ...end(16),
      [16.4, is("idle")],
      [18, is("idle", { ready: true })]
    )
  },
  {
    id: "X-04",
    says: "a dialog that comes up at rest stays one, whatever keys move in it",
    check: claude(
      ...rest,
      ...turn(10),
      ...end(12),
      [14, is("idle")],
      [15, show(question)],
      [16, is("needs_input", { ready: false, dialog: true })],
      [17, keys("\t")],
      [17.5, is("needs_input", { ready: false, dialog: true })],
      [400, is("needs_input", { ready: false, dialog: true })]
    )
  },
  {
    id: "X-05",
    says: "a dialog that comes up under the user's typing stays one",
    check: claude(
      ...rest,
      ...turn(10),
      ...end(12),
      [14, is("idle")],
      [15, keys("a")],
      [15.1, show(permission)],
      [16, is("needs_permission", { ready: false, dialog: true })],
      [400, is("needs_permission", { ready: false, dialog: true })]
    )
  },
  {
    id: "X-06",
    says: "a question with the cursor hidden is never ready",
    check: claude(
      ...rest,
      ...turn(10),
      [12, show(question)],
      [13, is("needs_input", { ready: false })],
      [71, is("needs_input", { ready: false })],
      [80, is("needs_input", { ready: false, dialog: true })],
      [7000, is("needs_input", { ready: false, dialog: true })]
    )
  },
  {
    id: "X-08",
    says: "the last turn's end, told once more in the next turn, does not end that",
    check: claude(
      ...rest,
      ...turn(10),
      ...end(12),
      [12.4, ...turn(0).flatMap(([, ...beats]) => beats)],
      [12.6, show(busy("✻ Pondering… (1s)")), stop],
      [12.7, is("running", { ready: false })],
      [14, show(busy("✻ Pondering… (2s)"))],
      [15, is("running", { ready: false })]
    )
  },
  {
    id: "X-09",
    says: "a permission hook that comes once more after the answer asks nothing",
    check: claude(
      ...rest,
      ...turn(10),
      [12, asks, show(permission)],
      [13, is("needs_permission")],
      [14, keys("\r")],
      [14.1, show(busy()), asks],
      [14.2, is("running")],
      [16, show(busy("✻ Pondering… (7s)"))],
      [17, is("running")]
    )
  },
  {
    id: "X-10",
    says: "compaction that stands still on screen holds nothing for ever",
    check: claude(
      ...rest,
      [10, send],
      [10.3, prompt, show(compacting)],
      [15, is("running")],
      [20, is("running")],
      [200, is("idle")],
      [1100, is("idle")],
      [100_100, is("idle")]
    )
  },
  {
    id: "X-11",
    says: "what a CLI writes down wrongly says nothing, and nothing fails",
    check: () =>
      Effect.gen(function* () {
        const all = yield* Providers.use(({ load }) => load(() => true)).pipe(Effect.provide(ProvidersBuiltin.layer))
        const broken: ReadonlyArray<unknown> = [
          [],
          null,
          1,
          "x",
          {},
          { state: [] },
          { type: [], payload: [] },
          { type: "user", message: [[]] }
        ]
        for (const { detection } of all) {
          for (const record of broken) {
            assert.deepStrictEqual(detection.readTranscript(record), [])
            assert.deepStrictEqual(
              detection.readOwnStatus(record).filter(({ _tag }) => _tag !== "OwnStatus"),
              []
            )
            assert.deepStrictEqual(
              detection.readHook("nonesuch", record).filter(({ _tag }) => _tag !== "Ignored"),
              []
            )
          }
        }
        yield* play("claude", [
          ...rest,
          ...turn(10),
          [11, signal("[]"), signal("\u00ff\u00fe"), signal('{"state":[]}')],
          [11.5, is("running")]
        ])
      })
  },
  {
    id: "X-13a",
    says: "Ctrl+C in a form that is cut after its parameters is one",
    check: () => assert.deepStrictEqual(heard(10, "\u001b[27;5", ";99~"), ["ctrl-c"])
  },
  {
    id: "X-13b",
    says: "an arrow in application mode that is cut moves, and answers nothing",
    differs:
      "no byte waits for what may be the rest of a sequence: it is heard as Alt+O, then as the arrow, marked as its continuation",
    check: () =>
      Effect.gen(function* () {
        assert.deepStrictEqual(heard(10, "\u001bO", "A"), ["text", "navigate"])
        assert.isTrue(
          InputBytes.classify(InputBytes.classify(InputBytes.start, "\u001bO", 0).state, "A", 10).parts[0]?.continues
        )
        yield* play("claude", [
          ...rest,
          ...turn(10),
          [12, keys("\u001bO"), keys("A")],
          [13, is("running")],
          [14, asks, show(permission)],
          [15, keys("\u001bO"), keys("A")],
          [17, is("needs_permission", { dialog: true })]
        ])
      })
  },
  {
    id: "X-13c",
    says: "an arrow cut behind its Escape at rest changes nothing",
    check: claude(
      ...rest,
      [10, keys("\u001b")],
      [10.05, keys("[A")],
      [10.2, is("idle", { dialog: false })],
      [14, is("idle", { ready: true })]
    )
  },
  {
    id: "X-13d",
    says: "an Alt key cut behind its Escape while a turn runs",
    differs: "ambiguous by nature: it counts as Escape and a letter, and a turn that goes on takes the stop back",
    check: claude(
      ...rest,
      ...turn(10),
      [12, keys("\u001b")],
      [12.05, keys("b")],
      [12.2, show(busy("✻ Pondering… (1s)", "b"))],
      [12.5, is("running")],
      [14, show(busy("✻ Pondering… (4s)"))],
      [15, is("running")],
      ...end(16),
      [17, is("idle")]
    )
  },
  {
    id: "X-15",
    says: "an old interrupt line and a new Escape are no interrupt while the turn goes on",
    check: claude(
      ...rest,
      ...turn(10),
      [12, keys("\u001b")],
      [12.3, show(interrupted)],
      [13, is("interrupted", { ready: false })],
      ...turn(20),
      [22, keys("\u001b")],
      [
        22.1,
        show(
          busy("✻ Pondering… (2s)", "", [
            "● Half of the",
            "  ⎿  Interrupted · What should Claude do instead?",
            "",
            "❯ go on",
            ""
          ])
        )
      ],
      [23, is("running")],
      [24, show(busy("✻ Pondering… (4s)"))],
      ...end(25, box(["  ⎿  Interrupted · What should Claude do instead?", "", "❯ go on", "", "● Done."])),
      [26, is("idle")]
    )
  },
  {
    id: "X-19",
    says: "an arrow behind Ctrl+C does not take it back",
    check: claude(
      ...rest,
      ...turn(10),
      [12, keys("\u0003")],
      [12.1, keys("\u001b")],
      [12.15, keys("[A")],
      [12.3, show(box(["❯ fix it", "", "● Half of the"]))],
      // no line on screen confirms it: the end of the turn is awaited for a moment
      [14, is("interrupted", { ready: false })]
    )
  },
  {
    id: "X-20",
    says: "an Escape that stopped the turn out of a dialog is no answer to the interrupt prompt",
    check: claude(
      ...rest,
      ...turn(10),
      [12, asks, show(permission)],
      [13, is("needs_permission")],
      [14, keys("\u001b")],
      [14.2, show(interrupted)],
      [15, is("interrupted", { ready: false })],
      [15.5, stop],
      [16, is("interrupted", { ready: false })],
      [400, is("interrupted", { ready: false })]
    )
  },
  {
    id: "X-21",
    says: "a stop that the screen confirms beats the end hook",
    differs: "the CLI's own line confirms it, not the word in an answer",
    check: claude(
      ...rest,
      ...turn(10),
      [12, keys("\u001b")],
      [12.1, show(interrupted), stop],
      [13, is("interrupted", { ready: false })],
      // the word in prose confirms nothing: the CLI did not take the key
      ...turn(20),
      [22, show(busy("✻ Pondering… (2s)", "", ["● It says Interrupted on one row.", ""]))],
      [22.5, keys("\u001b")],
      ...end(23, box(["● It says Interrupted on one row."])),
      [24.5, is("idle")]
    )
  },
  {
    id: "X-22",
    says: "a dialog that comes up after an interrupt is one; a hook without it is not",
    check: claude(
      ...rest,
      ...turn(10),
      [12, keys("\u001b")],
      [12.2, show(interrupted)],
      [13, is("interrupted")],
      [14, asks],
      [15, is("interrupted", { ready: false })],
      [16, show(permission)],
      [17, is("needs_permission", { ready: false, dialog: true })]
    )
  },
  {
    id: "X-23",
    says: "work after an interrupt is work, whatever file is left",
    check: claude(
      ...rest,
      ...turn(10),
      [12, keys("\u001b")],
      [12.2, show(interrupted)],
      [13, is("interrupted")],
      [14, keys("h")],
      [14.1, show(busy())],
      [14.6, is("running")],
      [15, is("running")]
    )
  },
  {
    id: "X-24",
    says: "a message that was sent and never answered holds for five seconds",
    check: claude(...rest, [10, send], [14.9, is("running", { ready: false })], [15.01, is("idle")])
  },
  {
    id: "X-25",
    says: "Enter in the keyboard protocol's form is Enter",
    check: claude(
      ...rest,
      [10, keys("hi")],
      [10.1, show(box(["● Hello."], "hi"))],
      [10.2, keys("\u001b[13u")],
      [10.3, is("running")]
    )
  },
  {
    id: "X-26",
    says: "the oldest form of mouse report is no key",
    check: claude(...rest, [10, keys("\u001b[M !!")], [10.1, is("idle", { ready: true })])
  },
  {
    id: "X-27",
    says: "background work ends with the process",
    check: claude(
      ...rest,
      [10, show(box(["● Started."], "", "  ⏸ manual mode on · 1 shell · ← for agents"))],
      [11, is("churning", { ready: false })],
      ...turn(12),
      [13, exit],
      [13.1, is("exited", { ready: false, dialog: false })],
      [14, show(box(["● Started."], "", "  ⏸ manual mode on · 1 shell"))],
      [15, is("exited", { ready: false })]
    )
  },
  {
    id: "X-29",
    says: "a turn whose output never stops runs",
    check: claude(...rest, ...turn(10), ...text(12, 100), [112, is("running", { ready: false })])
  },
  {
    id: "X-30",
    says: "trust asked for at the start is waited for without end",
    check: claude(
      [0.5, show(trust)],
      [1.5, is("needs_permission", { ready: false, dialog: true })],
      [10_000, is("needs_permission", { ready: false, dialog: true })]
    )
  },
  {
    id: "X-31",
    says: "text and Enter while a turn runs change nothing of it",
    check: claude(
      ...rest,
      ...turn(10),
      [13, keys("hi")],
      [13.1, show(busy("✻ Pondering… (3s)", "hi"))],
      [13.2, keys("\r")],
      [13.3, show(busy("✻ Pondering… (4s)"))],
      [14, is("running", { ready: false })]
    )
  },
  {
    id: "X-32",
    says: "the emulator shows what the user's terminal shows",
    differs:
      "a real terminal's alternate screen, reset and shrinking instead of the original's: the emulator is never reset, and a row with text is not dropped for a blank one",
    check: () =>
      Effect.gen(function* () {
        const screen = yield* (yield* Screen).make({ cols: 80, rows: 50, scrollback: 0 })
        const feed = (data: string) => screen.feed(new TextEncoder().encode(data))
        feed("text\u001b[?1049h\u001b[Halt")
        assert.deepStrictEqual([screen.text(), screen.view().alternate], ["alt", true])
        feed("\u001b[?1049l")
        assert.strictEqual(screen.text(), "text")
        feed("\u001b[2J\u001b[Ha\nb\r\nc")
        assert.strictEqual(screen.text(), "a\n b\nc")
        feed("\u001b[?25l")
        assert.isFalse(screen.view().cursor.visible)
        feed("\u001bc")
        assert.deepStrictEqual([screen.view().cursor.visible, screen.text()], [true, ""])
        feed("top")
        screen.resize(80, 3)
        assert.strictEqual(screen.text(), "top")
      }).pipe(Effect.scoped, Effect.provide(ScreenXterm.layer))
  },
  {
    id: "X-33",
    says: "each doubt ends at its own bound",
    differs:
      "leap's bounds are its own, not the original's 5, 8, 10 and 60 s of silence: rules/limits.ts, each held at its edges in the tests of the tracker",
    check: () =>
      Effect.gen(function* () {
        const seconds = (limit: keyof typeof limits) => limits[limit] / 1000
        // a running indicator that stands still; a turn that a hook began, with nothing on screen; a message that never
        // showed
        yield* play("claude", [
          ...rest,
          [10, send, show(compacting)],
          [9.99 + seconds("indicator"), is("running")],
          [10.01 + seconds("indicator"), is("idle")]
        ])
        yield* play("claude", [
          ...rest,
          [10, prompt, show(["One."])],
          [9.99 + seconds("silence"), is("running")],
          [10.01 + seconds("silence"), is("idle", { ready: false })]
        ])
        yield* play("claude", [
          ...rest,
          [10, send],
          [9.99 + seconds("sending"), is("running")],
          [10.01 + seconds("sending"), is("idle")]
        ])
      })
  },
  {
    id: "X-34",
    says: "an arrow and a word move in a permission dialog answer nothing",
    differs: "Alt+B only moves, as an arrow does: text, Enter, Escape and Ctrl+C may answer",
    check: claude(
      ...rest,
      ...turn(10),
      [12, asks, show(permission)],
      [13, is("needs_permission")],
      [14, keys("\u001b[A"), keys("\u001bb")],
      [14.5, stop],
      [16, is("needs_permission", { ready: false })]
    )
  },
  {
    id: "X-35",
    says: "text without the input box is not ready, and the arrows are the CLI's",
    check: claude(
      ...rest,
      [10, send],
      [10.2, show(["One.", "Two.", "Three.", "Four.", "Five."], { cursor: true })],
      [10.5, is("running", { dialog: true })],
      [15.4, is("idle", { ready: false, dialog: true })],
      [7000, is("idle", { ready: false, dialog: true })]
    )
  },
  {
    id: "X-36",
    says: "a small dialog that nothing tells of is not ready, on four rows or on five",
    check: claude(
      ...rest,
      ...turn(10),
      ...[
        ["Pick one", "  1. This", "❯ 2. That", "Enter to confirm · Esc to cancel"],
        ["A small UI", "Pick one", "  1. This", "❯ 2. That", "Enter to confirm · Esc to cancel"]
      ].flatMap((rows, i): Scene => [
        [20 + i * 20, show(rows, { cursor: true })],
        [25.2 + i * 20, is("running", { ready: false, dialog: true })],
        [39 + i * 20, is("running", { ready: false, dialog: true })]
      ]),
      [7000, is(["running", "idle"], { ready: false, dialog: true })]
    )
  }
]
