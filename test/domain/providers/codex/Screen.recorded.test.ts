import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { readScreen } from "../../../../src/domain/providers/codex/Screen.ts"
import type { DialogKind, ScreenFacts } from "../../../../src/domain/words/session/Screen.ts"
import * as ScreenXterm from "../../../../src/layers/terminal/ScreenXterm.ts"
import { screenAt } from "../../../support/recordings/castScreen.ts"

type Expected = Partial<Omit<ScreenFacts, "box" | "dialog">> & {
  /** The draft, or null for no box. */
  readonly draft?: string | null
  readonly dialog?: readonly [kind: DialogKind, selected: string | null, options: number] | null
}

const rest: Expected = {
  draft: "",
  dialog: null,
  picker: false,
  working: false,
  interrupted: false,
  activity: null,
  title: "rest"
}
const streams: Expected = { ...rest, title: "work" }
const works: Expected = {
  draft: "",
  dialog: null,
  picker: false,
  working: true,
  interrupted: false,
  activity: "Working",
  title: "work"
}
const loads: Expected = { draft: null, dialog: null, picker: false, working: false }
const overlaid: Expected = { draft: null, dialog: null, picker: true, working: false }
const asks = (kind: DialogKind, selected: string | null, options: number): Expected => ({
  draft: null,
  dialog: [kind, selected, options],
  picker: false,
  working: false
})

const screens: ReadonlyArray<readonly [file: string, seconds: number, expected: Expected]> = [
  ["codex/simple-reply", 5, loads],
  ["codex/simple-reply", 9.8, { ...rest, picker: false }],
  ["codex/simple-reply", 10.56, { ...rest, draft: "say hello" }],
  ["codex/simple-reply", 10.97, works],
  ["codex/simple-reply", 14, rest],
  ["codex/inline-simple", 4.7, loads],
  ["codex/inline-simple", 9.5, rest],
  ["codex/approve-yes", 13.7, { ...asks("permission", "Yes, proceed (y)", 3), title: "ask" }],
  ["codex/patch-yes", 12, asks("permission", "Yes, proceed (y)", 3)],
  ["codex/inline-approve", 10.6, asks("permission", "Yes, proceed (y)", 3)],
  ["codex/inline-approve", 15, streams],
  ["codex/inline-approve", 19, { ...rest, interrupted: true }],
  ["codex/question-plan", 19.4, asks("question", "SQLite (Recommended)", 4)],
  ["codex-more/question-plan-text", 19, asks("question", "None of the above", 4)],
  ["codex-more/question-plan-80x24", 30.6, asks("question", "SQLite (Recommended)", 4)],
  ["codex/plan-approve", 18.4, asks("plan", "Yes, implement this plan", 3)],
  ["codex/onboarding-trust", 20, asks("trust", "Back to Agent Command Center", 2)],
  ["codex-more/hooks-review", 10, asks("trust", "Review hooks", 3)],
  ["codex-more/onboarding-login", 19.8, asks("login", "Sign in another way", 3)],
  ["codex/startup-model-upgrade", 22.4, asks("question", "Use existing model", 2)],
  ["codex/resume-other-cwd", 12, asks("question", "Use current directory (/home/dev/elsewhere)", 4)],
  ["codex/resume-picker", 10, overlaid],
  ["codex/resume-picker", 10.56, loads],
  ["codex/picker-model", 15, overlaid],
  ["codex/picker-others", 15.5, overlaid],
  ["codex/picker-others", 27, overlaid],
  ["codex/picker-others", 39.4, overlaid],
  ["codex/picker-hooks-skills", 15, overlaid],
  ["codex/picker-hooks-skills", 26.6, overlaid],
  ["codex/picker-hooks-skills", 38.2, overlaid],
  ["codex/picker-hooks-skills", 29, { ...rest, draft: "/statusline", picker: true }],
  ["codex-more/picker-slash-popup", 21.6, { ...rest, draft: "@app", picker: true }],
  ["codex-more/agents-center", 10, overlaid],
  ["codex-more/x-backtrack", 12, { ...rest, draft: "" }],
  ["codex-more/x-backtrack", 16, overlaid],
  ["codex/local-commands", 48, overlaid],
  ["codex/interrupt-ctrl-c-back", 18.4, { ...overlaid, title: "work" }],
  ["codex/interrupt-ctrl-c-back", 39.3, streams],
  ["codex/interrupt-esc-tool", 25.6, { ...rest, draft: "short answer please", interrupted: true, background: null }],
  ["codex/interrupt-esc-tool", 28.2, rest],
  ["codex-more/x-interrupt-draft-nodaemon", 5.2, { ...streams, draft: "half a thought" }],
  ["codex-more/x-interrupt-draft-nodaemon", 8, { ...rest, draft: "half a thought", interrupted: true }],
  ["codex/error-400-fatal", 16, rest],
  ["codex/error-429-retry", 17.8, { ...works, activity: "Server is busy, reconnecting 2/3" }],
  ["codex/error-cut-stream", 13.1, { ...works, activity: "Reconnecting... 3/4" }],
  ["codex/question-async", 17, { ...works, title: "ask" }],
  ["codex/shell-escape", 8.3, { ...rest, draft: "!sleep 5; ls" }],
  ["codex/shell-escape", 13.4, works],
  ["codex/paste-multiline", 8.1, { ...rest, draft: "one\ntwo\nthree" }],
  ["codex/silent-tool-40s", 46.3, works],
  ["codex/quote-dialog", 20, rest],
  ["codex-more/quote-dialog-80x24", 25, rest],
  ["codex-more/x-quote-working", 14, rest],
  ["codex/numbered-list", 12, rest],
  ["codex-more/background-terminal", 15, { ...rest, background: null }],
  ["codex-more/x-approve-long-80x24", 8, asks("permission", "Yes, proceed (y)", 2)],
  ["codex-more/x-approve-heredoc-nodaemon", 6, asks("permission", "Yes, proceed (y)", 2)],
  ["codex-more/narrow", 14.2, asks("permission", "Yes, proceed (y)", 3)]
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

describe("Codex's real screens", () => {
  it.effect.each(screens)("%s at %s s", ([file, seconds, expected]) =>
    Effect.gen(function* () {
      const facts = readScreen(yield* screenAt(file, seconds))
      assert.deepStrictEqual(shown(facts, expected), expected)
    }).pipe(Effect.provide(ScreenXterm.layer))
  )
})
