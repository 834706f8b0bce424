import { assert } from "@effect/vitest"
import { Effect, Layer } from "effect"
import type { SessionState } from "../../src/domain/words/session/Session.ts"
import type { KeyKind } from "../../src/domain/words/session/SessionEvent.ts"
import * as Claude from "../../src/layers/providers/claude/Provider.ts"
import * as ScreenXterm from "../../src/layers/terminal/ScreenXterm.ts"
import { type ListedRows, numbered, type ScenarioRow } from "./support/scenarioTable.ts"
import { makeTypedSession, type TypedStep } from "../support/TypedSession.ts"
import { atRest, box, busy, interrupted, modelPicker, permission } from "../support/session/claudeScreens.ts"

/** What the terminal sends or the CLI does, and what became of it; fields left out are not looked at. */
export interface Act {
  readonly does: ReadonlyArray<TypedStep>
  readonly toCli?: ReadonlyArray<string>
  readonly heard?: ReadonlyArray<KeyKind>
  readonly state?: SessionState
  readonly ready?: boolean
  /** The arrow keys are the CLI's. */
  readonly dialog?: boolean
  readonly stopped?: boolean
  readonly message?: string | null
}

const live = Layer.mergeAll(ScreenXterm.layer)

/**
 * Plays acts in a session of Claude Code, its status file included, from the terminal's bytes to the machine's word.
 */
export const acts =
  (...all: ReadonlyArray<Act>) =>
  () =>
    Effect.gen(function* () {
      const session = yield* makeTypedSession(Claude.provider)
      all.forEach(({ does, ...expected }, i) => {
        const {
          heard,
          stopped,
          toCli,
          view: { dialog, message, ready, state }
        } = session.play(does)
        const found = { toCli, heard, state, ready, dialog, stopped, message }
        const asked = Object.keys(expected) as Array<keyof typeof expected>
        assert.deepStrictEqual(Object.fromEntries(asked.map((key) => [key, found[key]])), expected, `act ${i + 1}`)
      })
    }).pipe(Effect.scoped, Effect.provide(live))

const up = "\u001b[A"
const down = "\u001b[B"
const pasted = (text: string) => `\u001b[200~${text}\u001b[201~`

export const resting: ReadonlyArray<TypedStep> = [
  { show: atRest, title: "✳ Claude Code" },
  { status: { status: "idle" } },
  { wait: 10_000 }
]
export const running: ReadonlyArray<TypedStep> = [
  ...resting,
  { show: box(["● Hello."], "fix it") },
  { wait: 100 },
  { type: "\r" },
  { hook: "UserPromptSubmit", payload: { prompt: "fix it" } },
  { status: { status: "busy" } },
  { show: busy(), title: "◐ Fix it" },
  { wait: 5_000 }
]
export const asking: ReadonlyArray<TypedStep> = [
  ...running,
  { hook: "PermissionRequest", payload: { tool_name: "Bash", tool_input: { command: "mkdir -p out" } } },
  { status: { status: "waiting", waitingFor: "permission prompt" } },
  { show: permission, title: "✳ Fix it" },
  { wait: 5_000 }
]

const recall =
  "where a CLI brings its history back itself, as this one does, the arrow is its own; what it puts into the box counts as unsent text"
const capture =
  "messages are begun in the attach program (test/domain/surfaces/overlay), which is not played here: every key is the CLI's"

/** The ids of the input filter's table. */
export const ids = numbered("K", 19)

export const listed: ReadonlyArray<ListedRows> = [
  { ids: ["K-12"], why: `${capture}, so Esc and Ctrl+C always mean the CLI` }
]

export const rows: ReadonlyArray<ScenarioRow> = [
  {
    id: "K-01",
    says: "an arrow in a permission dialog goes to the CLI and answers nothing",
    check: acts(
      { does: asking, state: "needs_permission", dialog: true },
      {
        does: [{ type: up }, { wait: 5_000 }],
        toCli: [up],
        heard: ["navigate"],
        state: "needs_permission",
        dialog: true
      }
    )
  },
  {
    id: "K-02",
    says: "an arrow while a dialog or a picker is on screen goes to the CLI",
    check: acts(
      { does: [...running, { show: permission }], state: "running", dialog: true },
      { does: [{ type: up }], toCli: [up] },
      { does: [{ show: busy() }, { wait: 1_000 }], dialog: false },
      { does: [{ show: modelPicker }, { wait: 100 }], state: "running", dialog: true },
      { does: [{ type: down }], toCli: [down], state: "running" }
    )
  },
  {
    id: "K-03",
    says: "an arrow at the box is no dialog's, and what it brings into the box is unsent text",
    differs: recall,
    check: acts(
      { does: resting, state: "idle", dialog: false, ready: true },
      {
        does: [{ type: up }, { show: box(["● Hello."], "what I said before") }, { wait: 60_000 }],
        toCli: [up],
        heard: ["navigate"],
        state: "idle",
        dialog: false,
        ready: false
      },
      { does: [...running, { type: up }], state: "running", dialog: false }
    )
  },
  {
    id: "K-04",
    says: "text and an arrow in one chunk are heard in their order",
    differs: recall,
    check: acts({ does: resting }, { does: [{ type: `abc${up}` }], toCli: [`abc${up}`], heard: ["text", "navigate"] })
  },
  {
    id: "K-05",
    says: "an arrow goes to the CLI where leap has no history",
    check: acts(
      { does: resting },
      {
        does: [{ type: `${up}${down}\u001bOA\u001b[1;2B` }],
        toCli: [`${up}${down}\u001bOA\u001b[1;2B`],
        heard: ["navigate", "navigate", "navigate", "navigate"]
      }
    )
  },
  {
    id: "K-06",
    says: "an arrow inside a paste is part of it",
    check: acts(
      { does: resting },
      { does: [{ type: pasted(`a${up}b`) }], toCli: [pasted(`a${up}b`)], heard: ["paste"] }
    )
  },
  {
    id: "K-07",
    says: "focus and mouse reports go to the CLI, and nobody pressed a key",
    check: acts(
      { does: resting, ready: true },
      ...["\u001b[I", "\u001b[O", "\u001b[<0;5;5M", "\u001b[<35;10;5m", "\u001b[M !!"].map(
        (type) =>
          ({
            does: [{ type }],
            toCli: [type],
            heard: [],
            state: "idle",
            ready: true
          }) as const
      ),
      {
        does: [...asking, { type: "\u001b[I\u001b[<0;5;5M" }],
        heard: ["enter"],
        state: "needs_permission",
        stopped: false
      }
    )
  },
  {
    id: "K-08",
    says: "a paste with a line break goes through as it is, submits nothing, and its placeholder is unsent text",
    check: acts(
      { does: resting },
      {
        does: [{ type: pasted("one\rtwo\nthree") }],
        toCli: [pasted("one\rtwo\nthree")],
        heard: ["paste"],
        state: "idle"
      },
      {
        does: [{ show: box(["● Hello."], "[Pasted text #1 +2 lines]") }, { wait: 60_000 }],
        state: "idle",
        ready: false
      }
    )
  },
  {
    id: "K-09",
    says: "a paste whose end marker is cut is whole again, and Enter after it submits",
    check: acts(
      { does: resting },
      {
        does: [
          { type: "\u001b[200~hello\u001b[20" },
          { wait: 50 },
          { type: "1~" },
          { show: box(["● Hello."], "hello") },
          { wait: 50 }
        ],
        heard: ["paste", "paste"],
        state: "idle"
      },
      { does: [{ type: "\r" }], toCli: ["\r"], heard: ["enter"], state: "running" }
    )
  },
  {
    id: "K-10",
    says: "Ctrl+C in the keyboard protocol's form is an interrupt",
    check: acts(
      { does: running, state: "running", stopped: false },
      { does: [{ type: "\u001b[99;5u" }], toCli: ["\u001b[99;5u"], heard: ["ctrl-c"], stopped: true },
      {
        does: [{ status: { status: "idle" } }, { show: interrupted, title: "✳ Fix it" }, { wait: 5_000 }],
        state: "interrupted",
        ready: false
      }
    )
  },
  {
    id: "K-11",
    says: "two carets and a text reach the CLI as any other text",
    differs: `${capture}; 'leap send' queues from another terminal`,
    check: acts(
      { does: running },
      { does: [{ type: "^^later" }], toCli: ["^^later"], heard: ["text"], state: "running", stopped: false }
    )
  },
  {
    id: "K-13",
    says: "keys pressed while leap types a message are held, and follow it",
    differs: "they follow right behind the message, not with the next key (G-18), and Ctrl+C is never held",
    check: acts(
      { does: [...resting, { hold: true }] },
      { does: [{ type: "x" }, { type: "\r" }], toCli: [], heard: [] },
      { does: [{ type: "\u001b[I" }], toCli: ["\u001b[I"], heard: [] },
      { does: [{ hold: false }], toCli: ["x\r"], heard: ["text", "enter"] },
      { does: [{ hold: true }, { type: "y" }, { type: "\u0003" }], toCli: ["\u0003"], heard: ["ctrl-c"] },
      { does: [{ hold: false }], toCli: ["y"], heard: ["text"] }
    )
  },
  {
    id: "K-14",
    says: "a digit in a permission dialog goes to the CLI and may answer it",
    check: acts(
      { does: asking },
      { does: [{ type: "1" }], toCli: ["1"], heard: ["text"], state: "needs_permission" },
      { does: [{ wait: 200 }, { status: { status: "busy" } }], state: "running" }
    )
  },
  {
    id: "K-15",
    says: "text and Enter in one chunk begin a turn",
    check: acts(
      { does: resting },
      { does: [{ type: "hi\r" }], toCli: ["hi\r"], heard: ["text", "enter"], state: "running" }
    )
  },
  {
    id: "K-16",
    says: "a single caret is text",
    differs: `${capture}, so it is written and heard at once instead of after 0.2 s`,
    check: acts({ does: resting }, { does: [{ type: "^" }], toCli: ["^"], heard: ["text"] })
  },
  {
    id: "K-17",
    says: "a caret and a letter are text",
    check: acts(
      { does: resting },
      { does: [{ type: "^" }, { type: "x" }], toCli: ["^", "x"], heard: ["text", "text"], state: "idle" }
    )
  },
  {
    id: "K-18",
    says: "an arrow after an interrupt is no dialog's",
    differs: recall,
    check: acts(
      {
        does: [
          ...running,
          { type: "\u001b" },
          { status: { status: "idle" } },
          { show: interrupted, title: "✳ Fix it" },
          { wait: 5_000 }
        ],
        state: "interrupted",
        dialog: false
      },
      {
        does: [{ type: up }, { wait: 5_000 }],
        toCli: [up],
        heard: ["navigate"],
        state: "interrupted",
        dialog: false,
        ready: false
      }
    )
  },
  {
    id: "K-19",
    says: "an arrow is the CLI's where a hook says that it asks, whatever the screen shows",
    check: acts(
      {
        does: [
          ...resting,
          { status: "gone" },
          { type: "fix it\r" },
          { hook: "UserPromptSubmit", payload: { prompt: "fix it" } },
          { show: [] },
          { wait: 1_000 },
          { hook: "PermissionRequest", payload: { tool_name: "Bash", tool_input: { command: "ls" } } },
          { wait: 1_000 }
        ],
        state: "needs_permission",
        dialog: true
      },
      { does: [{ type: up }], heard: ["navigate"], state: "needs_permission" }
    )
  }
]
