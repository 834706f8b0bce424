import { assert, describe, it } from "@effect/vitest"
import { readScreen } from "../../../../src/domain/providers/cursor-agent/Screen.ts"
import { type ScreenView } from "../../../../src/domain/words/session/Screen.ts"
import { screenView } from "../../../support/data/screenView.ts"

/*
 * HAND-MADE SCREENS. There is no recording of Cursor Agent: these rows are drawn after public descriptions of what its
 * versions of 2026 show, not copied from a session.
 */

const view = (lines: ReadonlyArray<string>, more: Partial<ScreenView> = {}) =>
  screenView(lines, { alternate: false, title: "Cursor Agent", cursor: { x: 4, y: 0, visible: false }, ...more })
const read = (rows: ReadonlyArray<string>, more?: Partial<ScreenView>) => readScreen(view(rows, more))

const bar = (half: string) => ` ${half.repeat(78)}`
const stop = (text: string) => `  → ${text.padEnd(56)}ctrl+c to stop`
const status = ["  Composer 2 Fast · 3.9%", "  ~/app · main"]
/** The prompt of today's versions: between half blocks, the model and the directory under it. */
const prompt = (
  row = "  → Add a follow-up",
  above: ReadonlyArray<string> = ["  Done.", ""],
  below: ReadonlyArray<string> = []
) => [...above, bar("▄"), row, bar("▀"), ...below, ...status]
/** Older ones: no frame. */
const bare = (row = "  → Add a follow-up", above: ReadonlyArray<string> = ["  Done.", ""]) => [
  ...above,
  "",
  row,
  "",
  "",
  ...status
]
/** Others: a box of lines. */
const boxed = (text = "→ Plan, search, build anything") => [
  "",
  ` ┌${"─".repeat(76)}┐`,
  ` │ ${text.padEnd(75)}│`,
  ` └${"─".repeat(76)}┘`,
  ...status
]

const choices = (pointed = 0, last = "Skip & tell the agent what to do instead (esc or n)") =>
  ["Run (once) (y)", "Add Shell(wc) to allowlist? (tab)", "Run Everything (shift+tab)", last].map(
    (text, at) => `${at === pointed ? "  → " : "    "}${text}`
  )
const approval = [" $  wc -l notes.txt in .", " Run this command?", " Not in allowlist: wc", ...choices()]

describe("Cursor's prompt", () => {
  it.each([
    ["bare", bare()],
    ["boxed", boxed()],
    ["ask mode", prompt("  → Ask anything")]
  ])("is empty with a placeholder: %s", (_, rows) => {
    assert.deepStrictEqual(read(rows), {
      box: { draft: "" },
      dialog: null,
      picker: false,
      working: false,
      interrupted: false,
      background: 0,
      activity: null,
      title: null,
      blank: false
    })
  })

  it("takes any faint text for a placeholder", () => {
    const rows = prompt("  → Something new here")
    const faint = (y: number) => (y === 3 ? "     omething new here" : "")
    assert.deepStrictEqual(read(rows, { faint }).box, { draft: "" })
    assert.deepStrictEqual(read(rows).box, { draft: "Something new here" })
  })

  it("holds a draft of several rows", () => {
    assert.deepStrictEqual(
      read(["", bar("▄"), "  → first", "    second", "", "    fourth (y)", bar("▀"), ...status]).box,
      { draft: "first\nsecond\n\nfourth (y)" }
    )
  })

  it("is not empty in shell mode, where a text would be run", () => {
    assert.deepStrictEqual(read(prompt("  → Run a command — e.g., git status")).box, { draft: "!" })
  })

  it("is none without the rows under it", () => {
    assert.isNull(read(["  Done.", "  → "]).box)
    assert.isNull(read(["▄".repeat(40), " → half drawn"]).box)
    assert.isNull(read(["  Cursor Agent", "  v2026.09.18"]).box)
    assert.isNull(read(["  → said before", ...Array.from({ length: 20 }, (_, at) => `  row ${at}`)]).box)
  })

  it("is the lowest of those on screen", () => {
    assert.deepStrictEqual(
      read(prompt("  → mine", ["  Like so:", bar("▄"), "  → Add a follow-up", bar("▀"), "  and it is sent."])).box,
      { draft: "mine" }
    )
    assert.deepStrictEqual(
      read(bare("  → mine", ["  Like so:", " ┌────────┐", " │ → Add a follow-up │", " └────────┘", ""])).box,
      { draft: "mine" }
    )
  })

  it("may have a list under it", () => {
    const list = ["  → /model      Select a model", "    /mcp        Manage servers", "    ↓ more below"]
    assert.deepStrictEqual(
      [read(prompt("  → /m", undefined, list)).picker, read(prompt("  → /m", undefined, list)).box],
      [true, { draft: "/m" }]
    )
    assert.isTrue(read(["  /skills", "   → + Create new skill", "   ↓ more below", "   Esc to close"]).picker)
    assert.isNull(read(["  /skills", "   → + Create new skill", "   ↓ more below", "   Esc to close"]).box)
    assert.isFalse(read(prompt("  → Add a follow-up", ["  Press Esc to close it.", ""])).picker)
  })
})

describe("Cursor's signs of work", () => {
  it.each([
    ["the key that stops it", prompt(stop("Add a follow-up"), ["  Reading."])],
    ["a spinner over a tip", prompt("  → also this", [" ⠘⠤ Thinking", "    Tip: Use /config to change settings."])],
    ["a hexagon", bare("  → also this", ["  ⬢ Generating.", ""])],
    [
      "prompts in its queue",
      prompt("  → Add a follow-up", [
        " ┌─ follow-ups ────────┐",
        " │ and then the docs   │",
        " │ enter steer · ↑ select/edit · esc cancel │",
        " └─────────────────────┘"
      ])
    ]
  ])("%s", (_, rows) => {
    assert.isTrue(read(rows).working)
    assert.isNull(read(rows).dialog)
  })

  it("reads the draft beside the key that stops it", () => {
    assert.deepStrictEqual(read(prompt(stop("and the docs"))).box, { draft: "and the docs" })
  })

  it("names what it does", () => {
    assert.strictEqual(read(prompt(stop("Add a follow-up"), [" ⠠⠛ Running  43 tokens"])).activity, "Running")
    assert.strictEqual(
      read(prompt(stop("Add a follow-up"), [" ⠘⠆ Reconnecting (attempt 1, 1s)"])).activity,
      "Reconnecting"
    )
    assert.isNull(read(prompt()).activity)
  })

  it.each([
    ["a quoted one", prompt("  → Add a follow-up", ["  It shows:", "   ⠠⠛ Running  43 tokens", "  while it works."])],
    ["a finished tool", prompt("  → Add a follow-up", ["  ⬢ Thought 3s", "  ⬢ Read 2 files"])],
    ["the key in a draft", prompt("  → press ctrl+c to stop it")]
  ])("not %s", (_, rows) => {
    assert.isFalse(read(rows).working)
  })

  it.each([
    ["  1 task", 1],
    ["  3 background tasks", 3],
    ["  1 background task finished", 0]
  ])("beside the turn: %s", (row, count) => {
    assert.strictEqual(read(prompt(undefined, undefined, [row])).background, count)
  })

  it("says nothing of tasks where nothing is under the prompt", () => {
    assert.isNull(read(["  Done.", bar("▄"), "  → Add a follow-up", bar("▀")]).background)
  })
})

describe("Cursor's mark of a stopped turn", () => {
  it.each([
    "  Interrupted",
    "  ■ Interrupted by user",
    "  Conversation stopped",
    "  Interrupted. Conversation stopped - tell the agent what is next"
  ])("%s", (row) => {
    assert.isTrue(read(prompt("  → Add a follow-up", ["  Half a", "", row, ""])).interrupted)
    assert.isFalse(read(prompt(stop("Add a follow-up"), [row])).interrupted, "it works again")
  })
})

describe("Cursor's approvals", () => {
  it("a command", () => {
    assert.deepStrictEqual(
      read(["  I count the rows.", "─".repeat(80), ...approval, "", `${" ".repeat(40)}ctrl+r to review changed files`]),
      {
        box: null,
        picker: false,
        working: false,
        interrupted: false,
        background: null,
        activity: null,
        title: null,
        blank: false,
        dialog: {
          kind: "permission",
          declines: true,
          title: "$  wc -l notes.txt in .: Run this command?",
          subject: "wc -l notes.txt",
          options: [
            { number: 1, label: "Run (once) (y)", selected: true },
            { number: 2, label: "Add Shell(wc) to allowlist? (tab)", selected: false },
            { number: 3, label: "Run Everything (shift+tab)", selected: false },
            { number: 4, label: "Skip & tell the agent what to do instead (esc or n)", selected: false }
          ]
        }
      }
    )
  })

  it.each([
    [
      "all in a box",
      [
        " ┌──────────────────────────────────────────┐",
        " │ Run this command?                        │",
        " │ Not in allowlist: wc                     │",
        " │  → Run (once) (y) (enter)                │",
        " │    Add Shell(wc) to allowlist? (tab)     │",
        " │    Skip (esc or n)                       │",
        " └──────────────────────────────────────────┘",
        "  Waiting for approval..."
      ]
    ],
    [
      "a narrow window",
      [
        " Run this command?",
        " Not in allowlist:",
        " wc",
        "  → Run (once) (y)",
        "    Add Shell(wc) to",
        "    allowlist? (tab)",
        "    Run Everything",
        "    (shift+tab)",
        "    Skip & tell the agent",
        "    what to do instead",
        "    (esc or n)"
      ]
    ],
    ["its head out of sight", choices()],
    [
      "the prompt waits for it",
      prompt("  → Waiting for decision (y/n/p)...", [...approval, "", " ⠠⠛ Running  43 tokens"])
    ]
  ])("%s", (_, rows) => {
    const { box, dialog } = read(rows)
    assert.deepStrictEqual(
      [box, dialog?.kind, dialog?.options.filter(({ selected }) => selected).length],
      [null, "permission", 1]
    )
  })

  it("reads choices over two rows, and which the arrow is on", () => {
    const { dialog } = read([
      " Run this command?",
      "    Run (once) (y)",
      "  → Skip & tell the agent what to do",
      "    instead (esc or n)"
    ])
    assert.deepStrictEqual(dialog?.options, [
      { number: 1, label: "Run (once) (y)", selected: false },
      { number: 2, label: "Skip & tell the agent what to do instead (esc or n)", selected: true }
    ])
  })

  it.each([
    ["under a prompt", prompt("  → Add a follow-up", approval)],
    ["under a prompt with a draft", prompt("  → and now? (y)", approval)],
    ["under a bare prompt", bare("  → Add a follow-up", approval)]
  ])("a quoted one is none: %s", (_, rows) => {
    assert.isNull(read(rows).dialog)
    assert.isNotNull(read(rows).box)
  })

  it.each([
    ["code", ["  Should I?", "  let v = take(n)", "  return f(y)"]],
    ["one choice", [" Run this command?", "  → Run (once) (y)"]],
    ["no question and no arrow", ["  first (y)", "  second (n)"]]
  ])("%s is none", (_, rows) => {
    assert.isNull(read(rows).dialog)
  })

  it("the prompt tells that it waits, whatever is over it", () => {
    assert.deepStrictEqual(read(prompt("  → Waiting for decision (y/n/p)...")).dialog, {
      kind: "permission",
      title: "Waiting for decision",
      options: [],
      declines: true
    })
    assert.strictEqual(read(prompt("  → Approve mode switch (y/n)")).dialog?.kind, "permission")
  })

  it("a refusal asks what to do instead", () => {
    for (const text of [
      "Tell the agent what to do instead (Enter to submit, Esc to cancel)",
      "Describe how to revise the plan (Enter to submit)",
      "Reason for rejection: Enter to submit, Ctrl+C to skip"
    ]) {
      assert.strictEqual(read(prompt(`  → ${text}`)).dialog?.kind, "elicitation", text)
    }
    const pending = [
      "  $ wc -l notes.txt Waiting for approval...",
      ` ┌${"─".repeat(40)}┐`,
      " │ $  wc -l notes.txt in .                │",
      ` └${"─".repeat(40)}┘`
    ]
    assert.strictEqual(
      read(prompt("  → use cat instead", pending)).dialog?.kind,
      "elicitation",
      "typed over its placeholder"
    )
    assert.isNull(read(prompt("  → use cat instead", [...pending, "  Done."])).dialog)
    assert.isNull(read(prompt("  → use cat instead", pending.slice(1))).dialog, "a box alone")
  })
})

describe("Cursor's other questions", () => {
  const plan = (title: string) => [
    ` ┌─ ${title} ${"─".repeat(40)}┐`,
    " │ 1. Read app.js                       │",
    " │                                      │",
    " │ Ready to build?                      │",
    " │  → 1. Yes, build locally (b)         │",
    " │    2. No, propose changes (p or Esc) │",
    ` └${"─".repeat(44)}┘`
  ]
  it("a plan", () => {
    assert.strictEqual(read(plan("Suggested Plan")).dialog?.kind, "plan")
    assert.strictEqual(
      read(prompt("  → Add a follow-up", plan("Suggested Plan"))).dialog?.kind,
      "plan",
      "over the prompt"
    )
    assert.isNull(read(prompt("  → Add a follow-up", plan("Plan"))).dialog, "an accepted one stays")
  })

  it("questions", () => {
    const rows = [
      " ┌─ Clarifying Questions ──────────┐",
      " │ Question 1 of 2                 │",
      " │ Which library?                  │",
      " │  → 1. dayjs                     │",
      " │    2. luxon                     │",
      " │ ↑/↓ option · Enter next/submit · Esc to skip │",
      " └─────────────────────────────────┘"
    ]
    const expected = {
      kind: "question",
      title: "Which library?",
      options: [
        { number: 1, label: "1. dayjs", selected: true },
        { number: 2, label: "2. luxon", selected: false }
      ],
      declines: true
    }
    assert.deepStrictEqual<unknown>(read(rows).dialog, expected)
    assert.deepStrictEqual<unknown>(
      read(prompt("  → Answer questions (Enter to select/next, Esc to skip)", rows)).dialog,
      expected
    )
    assert.isNull(read(prompt("  → Add a follow-up", rows.slice(1))).dialog, "quoted")
  })

  const trust = (arrow: string) => [
    " ╭─────────────────────────────────────────────╮",
    " │ ⚠ Workspace Trust Required                  │",
    " │ Do you trust the contents of this directory? │",
    " │ /home/me/app                                 │",
    ` │ ${arrow} [a] Trust this workspace                   │`,
    " │   [q] Quit                                   │",
    " │ Use arrow keys to navigate, Enter to select  │",
    " ╰─────────────────────────────────────────────╯"
  ]
  it("the trust of a folder", () => {
    assert.deepStrictEqual(read(trust("▶")).dialog, {
      kind: "trust",
      title: "Do you trust the contents of this directory?",
      options: [
        { number: 1, label: "[a] Trust this workspace", selected: true },
        { number: 2, label: "[q] Quit", selected: false }
      ]
    })
    assert.isNull(read(trust(" ")).dialog, "answered, and still drawn")
    assert.isNull(read(prompt("  → Add a follow-up", trust("▶"))).dialog, "left over the prompt")
  })

  it("the login", () => {
    assert.strictEqual(
      read(["       Cursor Agent", "       v2026.08.25", "       Press any key to log in..."]).dialog?.kind,
      "login"
    )
    assert.isNull(read(prompt("  → Add a follow-up", ["  Press any key to log in...", ""])).dialog)
  })
})
