import { readScreen } from "../../../../src/domain/providers/opencode/Screen.ts"
import { asks, type Expected, overlaid, recordedScreens, rest } from "../../../support/recordings/recordedScreens.ts"

const works: Expected = { ...rest, working: true }

recordedScreens("OpenCode", readScreen, [
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
  ["opencode/permission-once", 69, asks("permission", "Allow once", 3, "Shell command: touch made.txt")],
  ["opencode/permission-always", 161.2, asks("permission", "Allow always", 3, "Shell command: touch made.txt")],
  [
    "opencode/permission-always",
    163,
    asks("permission", "Confirm", 2, "Always allow: This will allow the following patterns until OpenCode is restarted")
  ],
  ["opencode/permission-esc", 48, rest],
  ["opencode/external-directory", 75, asks("permission", "Allow once", 3, "Access external directory ~/other")],
  ["opencode/subagent-permission", 68.3, asks("permission", "Allow once", 3, "Shell command: touch made.txt")],
  ["opencode/question", 78, asks("question", "PostgreSQL", 3, "Which database should the project use?")],
  ["opencode/picker-models", 62.7, { ...rest, draft: "/model", picker: true, offered: "/models" }],
  ["opencode/picker-models", 66.2, overlaid],
  ["opencode/onboarding-no-provider", 42.5, { ...rest, draft: "/connect", picker: true, offered: "/connect" }],
  ["opencode/onboarding-no-provider", 46, overlaid],
  ["opencode/mix-replies", 95, rest],
  ["opencode/ctrl-c", 61.8, { draft: null, dialog: null, picker: false, working: false }],
  ["opencode-more/permission-once-80x24", 12.8, asks("permission", "Allow once", 3, "Shell command: touch made.txt")],
  ["opencode-more/narrow-permission", 66, asks("permission", "Allow once", 3, "Shell command: touch made.txt")],
  ["opencode-more/permission-reject", 19.5, asks("permission", "Reject", 3, "Shell command: touch made.txt")],
  ["opencode-more/edit-permission", 24, asks("permission", "Allow once", 3, "Edit README.md")],
  ["opencode-more/always-cancel", 60.5, asks("permission", "Allow once", 3, "Shell command: touch made.txt")],
  [
    "opencode-more/subagent-reject",
    36,
    asks("permission", null, 0, "Reject permission: Tell OpenCode what to do differently")
  ],
  ["opencode-more/subagent-view", 87, { ...overlaid, working: true }],
  ["opencode-more/question-200x60", 12.8, asks("question", "SQLite", 3, "Which database should the project use?")],
  [
    "opencode-more/question-tabs",
    36.8,
    asks("question", "[ ] Lint", 3, "Which checks should run? (select all that apply)")
  ],
  ["opencode-more/question-tabs", 38.8, asks("question", "Submit", 1, "Review Database: SQLite Checks: Lint")],
  [
    "opencode-more/question-text",
    28.7,
    asks("question", "Type your own answer: DuckDB, because it is fast", 3, "Which database should the project use?")
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
  ["opencode-more/mini-simple-80x24", 22, asks("permission", "Allow once", 3, "Shell command: touch made.txt")],
  ["opencode-more/mini-simple-80x24", 34.5, { ...rest, interrupted: true }],
  ["opencode-more/mini-question", 15, asks("question", "SQLite", 3, "Which database should the project use?")],
  ["opencode-more/mini-question", 26, { draft: null, dialog: null, working: false }]
])
