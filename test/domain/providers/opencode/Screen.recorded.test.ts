import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { readScreen } from "../../../../src/domain/providers/opencode/Screen.ts"
import type { DialogKind, ScreenFacts } from "../../../../src/domain/words/session/Screen.ts"
import * as ScreenXterm from "../../../../src/layers/terminal/ScreenXterm.ts"
import { screenAt } from "../../../support/recordings/castScreen.ts"

type Expected = Partial<Omit<ScreenFacts, "box" | "dialog">> & {
  /** The draft, or null for no box. */
  readonly draft?: string | null
  readonly dialog?: readonly [kind: DialogKind, title: string, selected: string | null, options: number] | null
}

const rest: Expected = { draft: "", dialog: null, picker: false, working: false, interrupted: false, activity: null }
const works: Expected = { ...rest, working: true }
const asks = (kind: DialogKind, title: string, selected: string | null, options: number): Expected => ({
  draft: null,
  dialog: [kind, title, selected, options],
  picker: false,
  working: false
})
const overlaid: Expected = { draft: null, dialog: null, picker: true, working: false }

const screens: ReadonlyArray<readonly [file: string, seconds: number, expected: Expected]> = [
  ["opencode/simple-reply", 24, rest],
  ["opencode/simple-reply", 26, { ...rest, draft: "say hello" }],
  ["opencode/simple-reply", 60, works],
  ["opencode/simple-reply", 70, { ...rest, draft: "and again" }],
  ["opencode/idle", 3, { blank: true, draft: null }],
  ["opencode/auto-approve", 75, works],
  ["opencode/compose-while-running", 86.3, { ...works, draft: "the next thing I want is" }],
  ["opencode/compose-while-running", 91.3, { ...rest, draft: "the next thing I want is", resting: true }],
  ["opencode/interrupt-esc-stream", 78.7, works],
  ["opencode/interrupt-esc-stream", 82, { ...rest, interrupted: true }],
  ["opencode/permission-once", 69, asks("permission", "Shell command: touch made.txt", "Allow once", 3)],
  ["opencode/permission-always", 161.2, asks("permission", "Shell command: touch made.txt", "Allow always", 3)],
  [
    "opencode/permission-always",
    163,
    asks("permission", "Always allow: This will allow the following patterns until OpenCode is restarted", "Confirm", 2)
  ],
  ["opencode/permission-esc", 48, rest],
  ["opencode/external-directory", 75, asks("permission", "Access external directory ~/other", "Allow once", 3)],
  ["opencode/subagent-permission", 68.3, asks("permission", "Shell command: touch made.txt", "Allow once", 3)],
  ["opencode/question", 78, asks("question", "Which database should the project use?", "PostgreSQL", 3)],
  ["opencode/picker-models", 62.7, { ...rest, draft: "/model", picker: true }],
  ["opencode/picker-models", 66.2, overlaid],
  ["opencode/onboarding-no-provider", 42.5, { ...rest, draft: "/connect", picker: true }],
  ["opencode/onboarding-no-provider", 46, overlaid],
  ["opencode/mix-replies", 95, rest],
  ["opencode/ctrl-c", 61.8, { draft: null, dialog: null, picker: false, working: false }],
  ["opencode-more/permission-once-80x24", 12.8, asks("permission", "Shell command: touch made.txt", "Allow once", 3)],
  ["opencode-more/narrow-permission", 66, asks("permission", "Shell command: touch made.txt", "Allow once", 3)],
  ["opencode-more/permission-reject", 19.5, asks("permission", "Shell command: touch made.txt", "Reject", 3)],
  ["opencode-more/edit-permission", 24, asks("permission", "Edit README.md", "Allow once", 3)],
  ["opencode-more/always-cancel", 60.5, asks("permission", "Shell command: touch made.txt", "Allow once", 3)],
  [
    "opencode-more/subagent-reject",
    36,
    asks("permission", "Reject permission: Tell OpenCode what to do differently", null, 0)
  ],
  ["opencode-more/subagent-view", 87, { ...overlaid, working: true }],
  ["opencode-more/question-200x60", 12.8, asks("question", "Which database should the project use?", "SQLite", 3)],
  [
    "opencode-more/question-tabs",
    36.8,
    asks("question", "Which checks should run? (select all that apply)", "[ ] Lint", 3)
  ],
  ["opencode-more/question-tabs", 38.8, asks("question", "Review Database: SQLite Checks: Lint", "Submit", 1)],
  [
    "opencode-more/question-text",
    28.7,
    asks("question", "Which database should the project use?", "Type your own answer: DuckDB, because it is fast", 3)
  ],
  [
    "opencode-more/error-overloaded-retry",
    34,
    { ...works, activity: "The engine is currently overloaded [retrying in 6s attempt #2]" }
  ],
  ["opencode-more/error-fatal", 26, rest],
  ["opencode-more/compact", 24, works],
  ["opencode-more/paste-multiline", 20, { ...rest, draft: "[Pasted ~6 lines]" }],
  ["opencode-more/paste-multiline", 34, { ...rest, draft: "one\ntwo" }],
  ["opencode-more/shell-escape", 8.5, { ...rest, draft: "!sleep 5; ls" }],
  ["opencode-more/shell-escape", 11, works],
  ["opencode-more/typeahead", 20, works],
  ["opencode-more/picker-palette", 12, overlaid],
  ["opencode-more/picker-palette", 34, { ...rest, draft: "@app", picker: true }],
  ["opencode-more/picker-others-80x24", 22, overlaid],
  ["opencode-more/resize-stream", 106, works],
  ["opencode-more/resize-stream", 110, works],
  ["opencode-more/mini-simple-80x24", 8.4, rest],
  ["opencode-more/mini-simple-80x24", 15, works],
  ["opencode-more/mini-simple-80x24", 22, asks("permission", "Shell command: touch made.txt", "Allow once", 3)],
  ["opencode-more/mini-simple-80x24", 34.5, { ...rest, interrupted: true }],
  ["opencode-more/mini-question", 15, asks("question", "Which database should the project use?", "SQLite", 3)],
  ["opencode-more/mini-question", 26, { draft: null, dialog: null, working: false }]
]

describe("OpenCode's recorded screens", () => {
  it.effect.each(screens)("%s at %s s", ([file, seconds, expected]) =>
    Effect.gen(function* () {
      const { box, dialog, ...facts } = readScreen(yield* screenAt(file, seconds))
      const read: Record<string, unknown> = {
        ...facts,
        draft: box === null ? null : box.draft,
        dialog:
          dialog === null
            ? null
            : [
                dialog.kind,
                dialog.title,
                dialog.options.find(({ selected }) => selected)?.label ?? null,
                dialog.options.length
              ]
      }
      assert.deepStrictEqual(Object.fromEntries(Object.keys(expected).map((key) => [key, read[key]])), expected)
    }).pipe(Effect.provide(ScreenXterm.layer))
  )
})
