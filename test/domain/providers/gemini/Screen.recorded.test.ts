import { readScreen } from "../../../../src/domain/providers/gemini/Screen.ts"
import type { DialogKind, ScreenFacts } from "../../../../src/domain/words/session/Screen.ts"
import { type Expected, recordedScreens, rest as quiet } from "../../../support/recordings/recordedScreens.ts"

const rest: Expected = { ...quiet, title: "rest" }
const asks = (
  kind: DialogKind,
  selected: string | null,
  options: number,
  title: ScreenFacts["title"] = "ask"
): Expected => ({ draft: null, dialog: [kind, selected, options], picker: false, title })
const overlaid: Expected = { draft: null, dialog: null, picker: true, title: "rest" }
const works: Expected = { draft: "", dialog: null, picker: false, working: true, title: "work" }

recordedScreens("Gemini", readScreen, [
  ["gemini/simple-reply", 5.5, { ...rest, draft: "what is in this project?" }],
  [
    "gemini/simple-reply",
    7,
    { ...works, activity: "Executing Hooks: lab-SessionStart, lab-BeforeAgent, lab-PreCompress" }
  ],
  ["gemini/simple-reply", 8, rest],
  ["gemini/shell-once-80x24", 20, asks("permission", "Allow once", 3)],
  ["gemini/shell-once-80x24", 23.5, works],
  ["gemini/shell-once-80x24", 25, rest],
  ["gemini/dialog-long-command-80x24", 15, works],
  ["gemini/dialog-navigate", 11.5, asks("permission", "Allow for this session", 3)],
  ["gemini/edit-once", 8, asks("permission", "Allow once", 4)],
  ["gemini/edit-once", 13, rest],
  ["gemini/ask-choice", 8, asks("question", "PostgreSQL", 3)],
  ["gemini/ask-text-80x24", 15, asks("question", "Type an answer: for example, my-app", 1)],
  ["gemini/ask-text", 18, asks("question", "Type an answer: bright-otter", 1)],
  ["gemini/trust-dialog", 14, asks("trust", "Trust folder (project)", 3, "rest")],
  ["gemini/trust-dialog", 26, { draft: null, dialog: null, picker: false, title: null }],
  ["gemini/trust-dialog", 34, rest],
  ["gemini/onboarding-auth", 8, asks("login", "Sign in with Google", 3, "rest")],
  ["gemini/onboarding-auth", 18, asks("login", null, 0, "rest")],
  ["gemini/picker-auth", 8, overlaid],
  ["gemini/picker-model", 8, overlaid],
  ["gemini/picker-model-80x24", 8, overlaid],
  ["gemini/picker-theme", 8, overlaid],
  ["gemini/picker-settings", 8, overlaid],
  ["gemini/slash-menu", 15, { ...rest, draft: "/", picker: true }],
  ["gemini/yolo", 18, rest],
  ["gemini/yolo", 22, works],
  ["gemini/shell-mode", 8, { ...rest, draft: "!" }],
  ["gemini/shell-mode", 10.3, { ...rest, draft: "!echo from the shell; sleep 3; echo end" }],
  ["gemini/shell-mode", 12, { ...works, draft: "!" }],
  ["gemini/esc-midstream", 9, { ...rest, interrupted: true }],
  ["gemini/ask-esc", 20, { ...rest, interrupted: true }],
  ["gemini/error-400", 9, rest],
  ["gemini/tool-sleep-40", 40, works],
  ["gemini/tool-sleep-40", 45, { ...works, activity: "a silent command runs" }],
  ["gemini/multiline-paste", 13, { ...rest, draft: "[Pasted Text: 14 lines]" }],
  ["gemini/composing-while-running", 31, { ...rest, draft: "a thought that is not sent yet" }],
  ["gemini/typeahead-queued", 25, works],
  ["gemini/quote-spinner", 24, rest],
  ["gemini/shell-once-alt", 15, asks("permission", "Allow once", 3)],
  ["gemini/shell-once-alt", 20, works],
  ["gemini-more/ask-multi", 12.5, asks("question", "Submit answers", 1)],
  ["gemini-more/ask-ticks", 17.5, asks("question", "[x] Login", 3)],
  ["gemini-more/quota-429-80x24", 16, asks("question", "Keep trying", 2, "work")],
  ["gemini-more/plan-mode-80x24", 10, asks("permission", "Allow once", 3)],
  ["gemini-more/screen-reader", 5, rest],
  ["gemini-more/screen-reader", 8.5, asks("permission", "Allow once", 3)],
  [
    "gemini-more/cmd-compress-80x24",
    15,
    { draft: "", working: true, activity: "Compressing chat history", title: "rest" }
  ],
  ["gemini-more/picker-resume-80x24", 20, overlaid]
])
