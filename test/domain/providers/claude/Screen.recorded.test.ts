import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { readScreen } from "../../../../src/domain/providers/claude/Screen.ts"
import type { DialogKind, ScreenFacts } from "../../../../src/domain/words/session/Screen.ts"
import * as ScreenXterm from "../../../../src/layers/terminal/ScreenXterm.ts"
import { screenAt } from "../../../support/recordings/castScreen.ts"

type Expected = Partial<Omit<ScreenFacts, "box" | "dialog">> & {
  /** The draft, or null for no box. */
  readonly draft?: string | null
  readonly dialog?: readonly [kind: DialogKind, selected: string | null, options: number] | null
}

const rest: Expected = { draft: "", dialog: null, picker: false, working: false, interrupted: false, activity: null }
const overlaid: Expected = { draft: null, dialog: null, picker: true, working: false }
const asks = (kind: DialogKind, selected: string | null, options: number): Expected => ({
  draft: null,
  dialog: [kind, selected, options],
  picker: false,
  working: false
})

const screens: ReadonlyArray<readonly [file: string, seconds: number, expected: Expected]> = [
  ["claude/bash-yes", 2.5, { ...rest, background: 0, title: "rest" }],
  ["claude/bash-yes", 4.6, { ...rest, draft: "make an out folder" }],
  ["claude/bash-yes", 5.6, { ...rest, working: true, activity: "Beaming…", title: "work" }],
  ["claude/bash-yes", 9, asks("permission", "Yes", 4)],
  ["claude/bash-yes", 18.5, { ...rest, background: 0 }],
  ["claude/network-dialog", 13, asks("permission", "Yes", 4)],
  ["claude/ask-single", 14, asks("question", "dayjs", 5)],
  ["claude/ask-tabs-80x24", 40, asks("question", "[✔] Search", 5)],
  ["claude/ask-tabs-80x24", 47, asks("question", "Submit answers", 2)],
  ["claude/plan-approve", 20, asks("plan", "Yes, and use auto mode", 3)],
  ["claude-psp/plan-empty", 8, asks("plan", "Yes, and switch to default (ask each time) for this session", 2)],
  ["claude/trust-dialog", 5, asks("trust", "No, exit", 2)],
  ["claude/trust-dialog", 13.5, asks("trust", "Yes, I trust this folder", 2)],
  ["claude/bypass-mode", 5, asks("trust", "No, exit", 2)],
  ["claude-psp/elicitation", 12, asks("elicitation", null, 0)],
  ["claude-psp/auto-mode-no-check", 7, asks("permission", null, 0)],
  ["claude-psp/auto-mode-no-check", 14, asks("permission", "No", 2)],
  ["claude-psp/resize-dialog", 15, asks("permission", "Yes", 4)],
  ["claude/auto-mode-nudge", 5, overlaid],
  ["claude/picker-config", 12, overlaid],
  ["claude/picker-config-80x24", 12, overlaid],
  ["claude/picker-effort", 12, overlaid],
  ["claude/picker-help", 12, overlaid],
  ["claude/picker-hooks", 12, overlaid],
  ["claude/picker-model-inline", 12, overlaid],
  ["claude/picker-plugin", 12, overlaid],
  ["claude/picker-tasks", 12, overlaid],
  ["claude/picker-theme", 12, overlaid],
  ["claude-psp/picker-rewind", 10, overlaid],
  ["claude-psp/picker-export", 10, overlaid],
  ["claude-psp/onboarding", 3, overlaid],
  ["claude/resume-picker", 8, overlaid],
  ["claude/agents-view", 10, overlaid],
  ["claude/transcript-view", 10, overlaid],
  ["claude/cmd-cost", 12, overlaid],
  ["claude/help-shortcuts", 7, rest],
  ["claude/help-shortcuts", 13, { ...rest, draft: "/", picker: true }],
  ["claude/help-shortcuts", 20, { ...rest, draft: "@", picker: true }],
  ["claude/help-shortcuts", 26, overlaid],
  ["claude/help-shortcuts-inline", 13, { ...rest, draft: "/", picker: true }],
  ["claude/help-shortcuts-inline", 26, { ...rest, picker: true }],
  ["claude/esc-midstream", 12, { ...rest, interrupted: true }],
  ["claude/esc-midstream-inline-80x24", 12, { ...rest, interrupted: true }],
  ["claude/esc-midtool", 14, { ...rest, interrupted: true }],
  ["claude/bash-esc", 14, { ...rest, interrupted: true }],
  ["claude/esc-before-first-token", 14, { ...rest, draft: "a slow question" }],
  ["claude/bg-bash", 20, { ...rest, background: 1, title: "rest" }],
  ["claude/bg-bash", 36, { ...rest, background: 0 }],
  ["claude/monitor", 12, { ...rest, background: 1 }],
  ["claude/subagent-background", 18, { ...rest, background: 1, title: "work" }],
  ["claude/subagent-background", 36, { ...rest, background: 0, title: "rest" }],
  ["claude/retry-529", 9.5, { ...rest, working: true, activity: "API error · retrying in 1s · attempt 2/10" }],
  ["claude/error-403", 10, rest],
  ["claude/cmd-compact", 20, { ...rest, working: true, activity: "Compacting conversation…" }],
  ["claude/cmd-compact", 31, rest],
  ["claude/bash-mode", 4.8, { ...rest, draft: "!sleep 6; ec" }],
  ["claude/bash-mode", 12, { ...rest, working: true }],
  ["claude/multiline-paste", 9, { ...rest, draft: "[Pasted text #1 +59 lines]", background: null }],
  ["claude-psp/typeahead-queued", 12.5, { ...rest, working: true, activity: "Percolating…" }],
  [
    "claude/composing-while-running",
    20,
    { ...rest, draft: "a half written prompt that is not sent", working: true, activity: "Photosynthesizing…" }
  ],
  ["claude/composing-while-running", 30, { ...rest, draft: "a half written prompt that is not sent" }],
  ["claude/quote-dialog", 9, rest],
  ["claude-psp/quote-spinner", 10, rest],
  ["claude-psp/unicode", 9.5, { ...rest, draft: "再写一个没有发送的提示 🎈" }],
  ["claude/exit-ctrlc", 5.3, { ...rest, background: null }]
]

const shown = (facts: ScreenFacts, expected: Expected): Expected => {
  const { box, dialog, ...flat } = facts
  const all: Expected = {
    ...flat,
    draft: box === null ? null : box.draft,
    dialog:
      dialog === null
        ? null
        : [dialog.kind, dialog.options.find(({ selected }) => selected)?.label ?? null, dialog.options.length]
  }
  return Object.fromEntries(Object.entries(all).filter(([name]) => name in expected))
}

describe("Claude's real screens", () => {
  it.effect.each(screens)("%s at %s s", ([file, seconds, expected]) =>
    Effect.gen(function* () {
      const facts = readScreen(yield* screenAt(file, seconds))
      assert.deepStrictEqual(shown(facts, expected), expected)
    }).pipe(Effect.provide(ScreenXterm.layer))
  )
})
