import { readScreen } from "../../../../src/domain/providers/copilot/Screen.ts"
import {
  asks,
  type Expected,
  overlaid,
  recordedScreens,
  rest as quiet
} from "../../../support/recordings/recordedScreens.ts"

const rest: Expected = { ...quiet, resting: true, background: 0 }
const works = (activity = "Working"): Expected => ({
  draft: "",
  dialog: null,
  picker: false,
  working: true,
  activity,
  resting: false
})

recordedScreens("Copilot", readScreen, [
  ["copilot/shell-esc", 3, rest],
  ["copilot/shell-esc", 4, { ...rest, draft: "make a" }],
  ["copilot/shell-esc", 5.2, works()],
  ["copilot/shell-esc", 7, asks("permission", "Yes", 3)],
  ["copilot/shell-esc", 14, { ...rest, interrupted: true }],
  ["copilot/dialog-long-command", 9, asks("permission", "Yes", 2)],
  ["copilot/edit-once-80x24", 14, asks("permission", "Yes", 3)],
  ["copilot/outside-path", 13, { draft: null, picker: false }],
  ["copilot/trust-dialog-80x24", 8, asks("trust", "Yes", 3)],
  ["copilot/ask-choice-80x24", 17, asks("question", "SQLite", 3)],
  ["copilot/ask-custom", 25.5, asks("question", "Other (type your answer below)", 3)],
  ["copilot/ask-form", 12, asks("question", "PostgreSQL", 3)],
  ["copilot-more/ask-text", 12, asks("question", "(your answer)", 1)],
  ["copilot-more/many-choices-80x24", 12, asks("question", null, 0)],
  [
    "copilot-more/plan-approve",
    21,
    asks(
      "plan",
      "Accept plan and continue in Interactive execution mode (Manual Approval for this session; future defaults unchanged) (recommended)",
      4
    )
  ],
  ["copilot/typeahead-queued", 14, works()],
  ["copilot/cmd-compact", 20, works("Compacting conversation history")],
  ["copilot/shell-mode", 4.3, { draft: "!", working: false }],
  ["copilot/shell-mode", 7.5, works("Executing")],
  ["copilot/login-needed", 20, { ...rest, loggedOut: true }],
  ["copilot/at-menu", 8, { draft: "look at @", picker: true }],
  ["copilot/at-menu", 12.2, { draft: "look at @", resting: false }],
  ["copilot-more/slash-menu-80x24", 7, { draft: "/", picker: true }],
  ["copilot/picker-model", 12, overlaid],
  ["copilot/picker-theme", 8, overlaid],
  ["copilot-more/picker-permissions", 9, overlaid],
  ["copilot-more/picker-settings", 9, overlaid],
  ["copilot/picker-resume", 20, overlaid],
  ["copilot-more/tab-bar", 12, overlaid],
  ["copilot-more/shortcuts-help", 6, { draft: "", picker: true }],
  ["copilot-more/status-line", 8, rest],
  ["copilot-more/tool-background", 20, { ...rest, background: 1 }],
  ["copilot-more/tool-background", 34, works()],
  ["copilot/unicode-80x24", 14, { ...rest, draft: "再写一个没有发送的提示 🎈" }],
  ["copilot/quote-dialog", 24, rest],
  // the same where the terminal answers what it is asked, in the dark and in the light
  ["copilot-replies/first-idle", 9, rest],
  ["copilot-replies/modes", 12, { ...rest, resting: true }],
  ["copilot-replies/shell-mode", 7.5, { draft: "!", working: false, resting: true }],
  ["copilot-replies/shell-mode", 10.5, works("Executing")],
  ["copilot-replies/shell-mode-light", 6.9, { draft: "!", working: false, resting: true }],
  ["copilot-replies/slash-menu-80x24", 12, { draft: "/", picker: true }],
  ["copilot-replies/slash-menu-light", 12, { draft: "/", picker: true }],
  ["copilot-replies/at-menu", 12, { draft: "look at @", picker: true }],
  ["copilot-replies/shell-once-80x24", 14, asks("permission", "Yes", 3)],
  ["copilot-replies/shell-once-light", 14, asks("permission", "Yes", 3)],
  ["copilot-replies/ask-text", 17, asks("question", "(your answer)", 1)],
  ["copilot-replies/many-choices-80x24", 17, asks("question", null, 0)],
  ["copilot-replies/composing-while-running-light", 13, { ...works(), draft: "a thought that is not sent yet" }],
  ["copilot-replies/tab-bar-light", 15, overlaid],
  ["copilot-replies/picker-model", 13, overlaid],
  ["copilot-replies/shortcuts-help", 9, { draft: "", picker: true }]
])
