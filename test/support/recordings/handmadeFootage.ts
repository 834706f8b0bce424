import { utf8ToLatin1 } from "../../../src/domain/words/text/Bytes.ts"
import { encodeRow, frame, paint } from "../../../src/demoCli/view.ts"
import { DemoModel } from "../demo/demoModel.ts"
import type { Footage, Shows, Still } from "./footage.ts"

const still = (name: string, shows: Shows, drawn: string, lines: ReadonlyArray<string>): Still => ({
  name,
  shows,
  cols: 80,
  rows: 24,
  paint: utf8ToLatin1(drawn),
  lines
})
const hooksOf = (events: ReadonlyArray<string>): Footage["hooks"] => events.map((event) => ({ event, payload: {} }))

// ---- Cursor Agent: there is no recording of it; drawn after public descriptions of what its versions of 2026 show

const bar = (half: string) => ` ${half.repeat(78)}`
const under = ["  Composer 2 Fast · 3.9%", "  ~/app · main"]
const box = (row: string, above: ReadonlyArray<string> = ["  Done.", ""]) => [
  ...above,
  bar("▄"),
  row,
  bar("▀"),
  ...under
]
const choices = (pointed: number) =>
  [
    "Run (once) (y)",
    "Add Shell(wc) to allowlist? (tab)",
    "Run Everything (shift+tab)",
    "Skip & tell the agent what to do instead (esc or n)"
  ].map((text, at) => `${at === pointed ? "  → " : "    "}${text}`)
const rows = (name: string, shows: Shows, lines: ReadonlyArray<string>) =>
  still(`cursor-agent, by hand: ${name}`, shows, `\u001b[2J\u001b[H${lines.join("\r\n")}`, lines)

const cursor: ReadonlyArray<Still> = [
  rows("at rest", "rest", box("  → Add a follow-up")),
  rows("without a frame", "rest", ["  Done.", "", "", "  → Add a follow-up", "", "", ...under]),
  rows("a draft", "draft", box("  → fix the bug")),
  rows("a draft of two rows", "draft", ["", bar("▄"), "  → first", "    second", bar("▀"), ...under]),
  rows("working", "work", box(`  → ${"Add a follow-up".padEnd(56)}ctrl+c to stop`, ["  Reading.", ""])),
  rows("a spinner", "work", box("  → Add a follow-up", [" ⠠⠛ Running  43 tokens", ""])),
  ...[0, 2, 3].map((at) =>
    rows(`approval, ${at}`, "dialog", [
      " $  wc -l notes.txt in .",
      " Run this command?",
      " Not in allowlist: wc",
      ...choices(at)
    ])
  ),
  rows("a list of commands", "picker", [
    ...box("  → /m").slice(0, -2),
    "  → /model      Select a model",
    "    /mcp        Manage servers",
    "    ↓ more below",
    ...under
  ]),
  rows("another view", "picker", ["  /skills", "   → + Create new skill", "   ↓ more below", "   Esc to close"])
]

// ---- the demo CLI: its own core draws it

const demoAt = (name: string, shows: Shows, model: DemoModel) =>
  still(`demo: ${name}`, shows, paint(null, frame(model.model, model.now).map(encodeRow)), [])
const demo = (): ReadonlyArray<Still> => [
  demoAt("at rest", "rest", new DemoModel()),
  demoAt("after a turn", "rest", new DemoModel().type("hello\r").run()),
  demoAt("a draft", "draft", new DemoModel().type("half a thought")),
  demoAt("working", "work", new DemoModel().type("hello\r").run(1)),
  demoAt("a permission", "dialog", new DemoModel().type("write a file\r").run()),
  demoAt("a permission, second choice", "dialog", new DemoModel().type("write a file\r").run().type("\u001b[B")),
  demoAt("a question", "dialog", new DemoModel().type("ask me\r").run()),
  demoAt(
    "a question with a text of one's own",
    "dialog",
    new DemoModel().type("ask me\r").run().type("3").type("my own way")
  ),
  demoAt("a picker", "picker", new DemoModel().type("/model\r"))
]

const whole = (cli: string, stills: ReadonlyArray<Still>, events: ReadonlyArray<string>): Footage => ({
  cli,
  stills,
  hooks: hooksOf(events),
  statuses: [],
  reports: ["working", "done", "idle", "blocked:kind=permission", "error"].map(
    (state) => `\u001b]7501;state=${state}\u001b\\`
  ),
  clips: stills.flatMap((from, i) => {
    const to = stills[(i + 1) % stills.length]!
    return [{ from, to, chunks: [{ wait: 100, bytes: `\u001b[0m${to.paint}` }] }]
  })
})

/** Frames of CLIs that no recording shows. */
export const handmade: Readonly<Record<string, () => Footage>> = {
  "cursor-agent": () =>
    whole("cursor-agent", cursor, [
      "sessionStart",
      "beforeSubmitPrompt",
      "preToolUse",
      "beforeShellExecution",
      "afterShellExecution",
      "afterAgentResponse",
      "stop"
    ]),
  demo: () =>
    whole("demo", demo(), [
      "SessionStart",
      "UserPromptSubmit",
      "PreToolUse",
      "PermissionRequest",
      "PostToolUse",
      "Notification",
      "Stop",
      "StopFailure"
    ])
}
