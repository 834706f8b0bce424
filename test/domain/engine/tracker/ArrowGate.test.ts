import { assert, describe, it } from "@effect/vitest"
import { Schema } from "effect"
import {
  arrowsBelongToCLI,
  isIdlePromptVisible,
  screenShowsSelectionDialog
} from "../../../../src/domain/engine/tracker/ArrowGate.ts"
import { claudeDetection } from "../../../../src/domain/providers/claude/Detection.ts"
import { codexDetection } from "../../../../src/domain/providers/codex/Detection.ts"
import { copilotDetection } from "../../../../src/domain/providers/copilot/Detection.ts"
import { cursorAgentDetection } from "../../../../src/domain/providers/cursor-agent/Detection.ts"
import { demoDetection } from "../../../../src/domain/providers/demo/Detection.ts"
import type { Detection } from "../../../../src/domain/cli/provider/Detection.ts"
import { geminiDetection } from "../../../../src/domain/providers/gemini/Detection.ts"
import { opencodeDetection } from "../../../../src/domain/providers/opencode/Detection.ts"
import { blankFacts, ScreenFacts, type ScreenView } from "../../../../src/domain/words/session/Screen.ts"
import { SessionState } from "../../../../src/domain/words/session/Session.ts"
import { SessionEvent } from "../../../../src/domain/words/session/SessionEvent.ts"
import * as Tracker from "../../../../src/domain/engine/tracker/Tracker.ts"
import { everything } from "../../../support/session/trace.ts"

const facts = (more: Partial<ScreenFacts>): ScreenFacts => ({ ...blankFacts, blank: false, ...more })
const dialog = { kind: "permission", title: "?", options: [] } as const
const box = { draft: "" } as const

describe("the arrow gate", () => {
  it.each<
    readonly [
      string,
      Partial<ScreenFacts>,
      { readonly dialog: boolean; readonly prompt: boolean; readonly seen: boolean; readonly unseen: boolean }
    ]
  >([
    ["a dialog", { dialog }, { dialog: true, prompt: false, seen: true, unseen: true }],
    ["a picker", { picker: true }, { dialog: true, prompt: false, seen: true, unseen: true }],
    ["a menu over the box", { box, picker: true }, { dialog: true, prompt: false, seen: true, unseen: true }],
    ["a dialog beside the box", { box, dialog }, { dialog: true, prompt: false, seen: true, unseen: true }],
    ["the box", { box }, { dialog: false, prompt: true, seen: false, unseen: false }],
    ["the box while it works", { box, working: true }, { dialog: false, prompt: true, seen: false, unseen: false }],
    ["the box with a draft", { box: { draft: "x" } }, { dialog: false, prompt: true, seen: false, unseen: false }],
    ["something else", {}, { dialog: false, prompt: false, seen: true, unseen: false }],
    ["nothing", { blank: true }, { dialog: false, prompt: false, seen: false, unseen: false }]
  ])("%s", (_, more, expected) => {
    const screen = facts(more)
    assert.deepStrictEqual(
      {
        dialog: screenShowsSelectionDialog(screen),
        prompt: isIdlePromptVisible(screen),
        seen: arrowsBelongToCLI("idle", screen, true),
        unseen: arrowsBelongToCLI("idle", screen, false)
      },
      expected
    )
  })

  it.each<readonly [SessionState, boolean]>([
    ["needs_permission", true],
    ["needs_input", true],
    ["starting", false],
    ["idle", false],
    ["running", false],
    ["interrupted", false],
    ["churning", false],
    ["exited", false]
  ])("over the box, in the state %s: %s", (state, belongs) => {
    assert.strictEqual(arrowsBelongToCLI(state, facts({ box }), true), belongs)
    assert.strictEqual(arrowsBelongToCLI(state, facts({ dialog }), true), state !== "exited")
  })

  it.prop(
    "never gives an arrow to the history while something is to be chosen",
    { screen: ScreenFacts, state: SessionState, seen: Schema.Boolean },
    ({ screen, seen, state }) => {
      const belongs = arrowsBelongToCLI(state, screen, seen)
      if (state === "exited") return assert.isFalse(belongs)
      if (screenShowsSelectionDialog(screen)) assert.isTrue(belongs)
      if (state === "needs_permission" || state === "needs_input") assert.isTrue(belongs)
      if (isIdlePromptVisible(screen) && state !== "needs_permission" && state !== "needs_input")
        assert.isFalse(belongs)
      assert.isFalse(isIdlePromptVisible(screen) && screenShowsSelectionDialog(screen))
    },
    { arbitrary: { runs: 500 } }
  )

  it.prop(
    "is what a session's view says, whatever happens",
    { events: Schema.Array(SessionEvent) },
    ({ events }) => {
      const track = Tracker.track({ capabilities: everything })
      let memory = Tracker.start(0, { churn: "wait", autoSend: "pause" })
      for (const event of events) {
        memory = track(memory, event)
        const { facts, view } = memory
        assert.strictEqual(view.dialog, arrowsBelongToCLI(view.state, facts.screen, facts.firstBoxAt !== null))
        if (view.ready) assert.isFalse(view.dialog)
      }
    },
    { arbitrary: { runs: 200 } }
  )
})

const readers: ReadonlyArray<readonly [string, Detection["readScreen"]]> = [
  ["claude", claudeDetection.readScreen],
  ["codex", codexDetection.readScreen],
  ["gemini", geminiDetection.readScreen],
  ["copilot", copilotDetection.readScreen],
  ["cursor-agent", cursorAgentDetection.readScreen],
  ["opencode", opencodeDetection.readScreen],
  ["demo", demoDetection.readScreen]
]
const view = (lines: ReadonlyArray<string>): ScreenView => ({
  cols: 80,
  rows: 24,
  lines,
  faint: () => "",
  runs: () => [],
  cursor: { x: 0, y: 0, visible: true },
  alternate: true,
  title: "",
  whole: true
})

describe("every CLI's screen", () => {
  const parts = [
    "❯ ",
    "› ",
    "→ ",
    "▶ ",
    "> ",
    "● ",
    "┃ ",
    "1. ",
    "2. ",
    "Yes",
    "No (esc)",
    "(y)",
    "Esc to cancel",
    "Enter to select",
    "↑/↓ to navigate",
    "─".repeat(60),
    "╭",
    "│",
    "╰",
    "▄▄▄▄▄▄▄▄",
    "⠋ ",
    "esc to interrupt",
    "Interrupted",
    "?",
    " ",
    "  ",
    "\u00a0",
    "🎉",
    "é"
  ] as const
  it.prop(
    "is read with a verdict on arrows, and one that is blank shows nothing to choose and no prompt",
    {
      rows: Schema.Array(Schema.Array(Schema.Literals(parts))),
      empty: Schema.Array(Schema.Literals(["", " ", "\u00a0"]))
    },
    ({ empty, rows }) => {
      for (const [name, read] of readers) {
        const screen = read(view(rows.map((row) => row.join(""))))
        assert.isBoolean(arrowsBelongToCLI("running", screen, true), name)
        assert.isFalse(isIdlePromptVisible(screen) && screenShowsSelectionDialog(screen), name)
        const nothing = read(view(empty.map(() => "")))
        assert.deepStrictEqual(
          [screenShowsSelectionDialog(nothing), isIdlePromptVisible(nothing), nothing.blank],
          [false, false, true],
          name
        )
      }
    },
    { arbitrary: { runs: 300 } }
  )

  // Hand-made, as in CursorScreen.test.ts: of the others there are recordings.
  it("is told apart: a choice, a prompt, a quotation (cursor-agent)", () => {
    const read = (rows: ReadonlyArray<string>) => cursorAgentDetection.readScreen(view(rows))
    const choice = [" Run this command?", "  → Run (once) (y)", "    Skip (esc or n)"]
    assert.isTrue(screenShowsSelectionDialog(read(choice)))
    const prompt = [` ${"▄".repeat(60)}`, "  → Add a follow-up", ` ${"▀".repeat(60)}`, "  Auto", "  ~/app"]
    assert.isTrue(isIdlePromptVisible(read(prompt)))
    assert.isFalse(screenShowsSelectionDialog(read([...choice, "", ...prompt])))
  })
})
