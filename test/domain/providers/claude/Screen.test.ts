import { assert, describe, it } from "@effect/vitest"
import { claudeInput } from "../../../../src/domain/providers/claude/Input.ts"
import { readScreen } from "../../../../src/domain/providers/claude/Screen.ts"
import type { ScreenFacts, ScreenView } from "../../../../src/domain/words/session/Screen.ts"
import { screenView } from "../../../support/data/screenView.ts"

const wide = "─".repeat(80)
const heavy = "▔".repeat(80)
const mode = "  ⏸ manual mode on"

/** A screen of these rows; a row that starts with `~` is faint but for the cell under the caret. */
const view = (rows: ReadonlyArray<string>, more: Partial<ScreenView> = {}): ScreenView => {
  const at = rows.findIndex((row) => row.startsWith("~"))
  const lines = rows.map((row) => row.replace(/^~/, ""))
  return screenView(lines, {
    title: "✳ Claude Code",
    faint: (y) => (y === at ? `   ${(lines[y] ?? "").slice(3)}` : ""),
    cursor: { x: 2, y: Math.max(at, 0), visible: false },
    ...more
  })
}
const box = (draft = "", footer = mode, above: ReadonlyArray<string> = []): ReadonlyArray<string> => [
  ...above,
  wide,
  `❯${draft === "" ? "" : ` ${draft}`}`,
  wide,
  "",
  footer
]
const read = (rows: ReadonlyArray<string>, more?: Partial<ScreenView>) => readScreen(view(rows, more))

describe("Claude's box", () => {
  it("is between two rules", () => {
    assert.deepStrictEqual(read(box()).box, { draft: "" })
    assert.isNull(read(["❯ said before", "", mode]).box)
    assert.isNull(read([wide, "❯", "", mode]).box, "without its lower rule")
    assert.isNull(read(["❯", wide, "", mode]).box, "without its upper rule")
    assert.isNull(read(["  ─────", "  ❯", "  ─────"]).box, "quoted")
    const { box: none, dialog, picker } = read(["Something that cannot be read.", "It has no prompt."])
    assert.deepStrictEqual([none, dialog, picker], [null, null, false], "other text")
    // rows of any length are read in the time that their length takes: this would not end otherwise
    const numbers = Array.from({ length: 200 }, (_, i) => `  ${i}. ${" 1. word".repeat(2000)}`)
    assert.isNull(read(box("", mode, numbers)).dialog)
  })

  it("holds no hint about a command's arguments, which stands in a colour of its own behind the cursor", () => {
    const row = "❯ /compact  <optional custom summarization instructions>"
    const run = (x: number, foreground: string) => ({ x, text: row.slice(x), foreground, background: "" })
    const at = (x: number, foreground: string) => ({
      cursor: { x, y: 1, visible: false },
      runs: () => [{ x: 0, text: row.slice(0, 12), foreground: "", background: "" }, run(12, foreground)]
    })
    const draftAt = (x: number, foreground: string) => read(box(row.slice(2)), at(x, foreground)).box?.draft
    assert.strictEqual(draftAt(11, "38;2;153;153;153"), "/compact")
    assert.strictEqual(draftAt(11, ""), row.slice(2), "the user's own words")
    assert.strictEqual(draftAt(2, "38;2;153;153;153"), row.slice(2), "the cursor is elsewhere")
  })

  it.each([
    `${"─".repeat(60)} my-session ──`,
    `${"─".repeat(72)} work ─`,
    `── ${"a name of many words ".repeat(4)}─`,
    ` ${"a name that is longer than the screen is wide".slice(0, 36)}… ─`
  ])("may have a badge in its upper rule: %s", (badge) => {
    assert.deepStrictEqual(read([badge, "❯ hi", wide, mode]).box, { draft: "hi" })
  })

  it("is not below a text", () => {
    assert.isNull(read([`─ ${"a long sentence that is no badge ".repeat(2)}─`, "❯ hi", wide, mode]).box)
  })

  it("holds a draft that is longer than it is high", () => {
    const down = `─── ↓ 2 more ${"─".repeat(60)}`
    const up = `─── ↑ 5 more ${"─".repeat(60)}`

    assert.deepStrictEqual(read([up, "  line 6", down, mode]).box, { draft: "line 6" })
    assert.deepStrictEqual(read([wide, "❯ line 1", "  line 2", down, mode]).box, { draft: "line 1\nline 2" })
    assert.isNull(read([`  ${up}`, "  line 6", "  ─────", mode]).box, "quoted")
  })

  it("takes a placeholder for nothing", () => {
    assert.deepStrictEqual(read([wide, "~❯ Press up to edit queued messages", wide, mode]).box, { draft: "" })
  })

  it("takes it for nothing without colours too, by the footer's hint, which goes with the first letter", () => {
    const run = (foreground: string) => () => [{ x: 0, text: wide, foreground, background: "" }]
    const draft = (footer: string, foreground = "", mark = "❯", text = 'Try "fix lint errors"') =>
      read([wide, `${mark} ${text}`, wide, footer], { runs: run(foreground) }).box?.draft
    assert.strictEqual(draft("  ? for shortcuts"), "")
    assert.strictEqual(draft("  ? for shortcuts             ◐ medium · /effort"), "")
    assert.strictEqual(draft("  ⏸ manual mode on · ? for shortcuts · ← for agents"), "")
    assert.strictEqual(draft(mode), 'Try "fix lint errors"')
    assert.strictEqual(draft("  my status: ? for shortcuts"), 'Try "fix lint errors"', "a status line of the user's")
    assert.strictEqual(draft("  ? for shortcuts", "136;136;136"), 'Try "fix lint errors"', "colours tell")
    assert.strictEqual(draft("  ? for shortcuts", "", "!"), '!Try "fix lint errors"')
    assert.strictEqual(draft("  ? for shortcuts", "", "❯", "fix it"), "fix it")
  })

  it("takes one letter that was typed for text", () => {
    assert.deepStrictEqual(
      read([wide, "❯ x", wide, mode], { cursor: { x: 2, y: 1, visible: false } }).box,
      { draft: "x" },
      "caret before it"
    )
  })

  it("may have a menu over or under it", () => {
    assert.isTrue(read(box("/mo", mode, ["  ❯ /model      Set the AI model", "    /monitor    Watch"])).picker)
    assert.isTrue(read(box("@re", mode, ["    + README.md"])).picker)
    assert.isTrue(read([wide, "❯ /", wide, "  ❯ /add-dir    Add a working directory"]).picker)
    assert.isFalse(read(box("", mode, ["❯ /model", "  ⎿  Set model to Opus", ""])).picker)
  })

  it("is none in the agents view", () => {
    const rows = [
      "❯ ✻ current session",
      "",
      wide,
      "~❯ describe a task for a new session",
      wide,
      "  enter to return · space to reply"
    ]
    assert.deepStrictEqual([read(rows, { title: "" }).box, read(rows, { title: "" }).picker], [null, true])
    assert.isTrue(read(box(), { title: "1 awaiting input · claude agents" }).picker)
  })

  it("searches prompts in the classic renderer", () => {
    assert.isTrue(read([wide, "❯", wide, "  search prompts:   ⏸ manual mode on"]).picker)
  })
})

describe("Claude's signs of work", () => {
  it.each([
    "✻ Pondering…",
    "· Beaming… (running PreToolUse hook · 1s · ↓ 3 tokens)",
    "✽ Compacting conversation… (5s)",
    "* Percolating… (3s)",
    "✻ API error · retrying in 1s · attempt 2/10",
    "✻ API error · Retrying in 1s",
    "✻ 500 Internal server error · retrying in 4s · attempt 4/10"
  ])("spinner: %s", (row) => {
    assert.isTrue(read(box("", mode, ["● Text.", "", row, ""])).working)
  })

  it("names what it does", () => {
    assert.strictEqual(read(box("", mode, ["✽ Compacting conversation… (5s)"])).activity, "Compacting conversation…")
  })

  it.each([
    "✻ Cooked for 6s · done 7:39 AM",
    "✻ Churned for 7s · done 7:43 AM · 1 shell still running",
    "✻ Waiting for 1 background agent to finish",
    "    ✻ Pondering (12s, ↓ 300 tokens, esc to interrupt later)",
    "  ✻ Pondering… (12s)",
    "❯ ✻ Pondering…",
    "● ✻ Pondering…"
  ])("no spinner: %s", (row) => {
    assert.isFalse(read(box("", mode, ["● Text.", "", row, ""])).working)
  })

  it("the mode line", () => {
    assert.isTrue(read(box("", `${mode} · esc to interrupt · ← for agents`)).working)
    assert.isTrue(read(box("", "  ⏵⏵ accept edits on (shift+tab to cycle) · esc to interrupt")).working)
  })

  it("a queued prompt", () => {
    const facts = read(box("", mode, ["● Text.", "", "❯ next one", "  ⎿  Queued · ctrl+x ctrl+s to send now", ""]))
    assert.deepStrictEqual([facts.working, facts.activity], [true, "a prompt is queued"])
  })

  it("a shell command that runs", () => {
    assert.isTrue(
      read(box("", mode, ["! sleep 6", "  ⎿  Running… (5s)", "     (ctrl+b to run in background)"])).working
    )
    assert.isFalse(read(box("", mode, ["! sleep 6", "  ⎿  direct", ""])).working)
  })

  it("the title", () => {
    assert.strictEqual(read(box(), { title: "◐ Fix the login" }).title, "work")
    assert.strictEqual(read(box(), { title: "⠐ Fix the login" }).title, "work", "an older wheel")
    assert.strictEqual(read(box(), { title: "✳ Fix the login" }).title, "rest")
    assert.isNull(read(box(), { title: "Claude Code" }).title)
  })
})

describe("Claude's marks of a turn's end", () => {
  const line = "  ⎿  Interrupted · What should Claude do instead?"
  it("the interrupt line under the last turn", () => {
    assert.isTrue(read(box("", mode, ["● Half a", line, "", ""])).interrupted)
    assert.isFalse(read(box("", mode, ["● Half a", line, "", "❯ go on", "", "● Done."])).interrupted)
    assert.isFalse(read(box("", mode, ["● Half a", line, "  and yet it went on"])).interrupted)
    assert.isFalse(read(box("", mode, ["● It says Interrupted", "  Interrupted · as it were"])).interrupted)
    // on a narrow screen
    assert.isTrue(
      read(box("", mode, ["● Half a", "  ⎿  Interrupted · What should Claude", "     do instead?", ""])).interrupted
    )

    assert.isFalse(read(box("", mode, ["● Ran it", "  ⎿  Interrupted system call", "     in line 3"])).interrupted)
  })

  it.each([
    ["✻ Brewed for 1m 2s · done 7:47 AM · 1 shell still running · 2 monitors still running", 3],
    ["✻ Cooked for 2s · done 7:47 AM", null],
    ["✻ Brewed for 1m 2s · 2 local agents still running", 2],
    ["● Tea for two · 2 monitors still running", null]
  ])("background work by the turn's end, while a hint has the mode line's place: %s", (row, count) => {
    assert.strictEqual(read(box("", "  Press Ctrl-C again to exit", ["● Started.", "", row, ""])).background, count)
    assert.strictEqual(read(box("", mode, ["● Started.", "", row, ""])).background, 0, "the mode line knows better")
  })

  it("background agents that are waited for, under a status line of the user's own", () => {
    const row = "✻ Waiting for 2 background agents to finish"
    assert.strictEqual(read(box("", "  main | 12 %", ["● Started.", "", row, ""])).background, 2)
  })
})

describe("Claude's dialogs", () => {
  const permission = [
    wide,
    " Bash command",
    " Make a folder",
    "╌".repeat(80),
    " mkdir out",
    "╌".repeat(80),
    " Do you want to proceed?",
    " ❯ 1. Yes",
    "   2. Yes, and don't ask again for mkdir out",
    "   3. No",
    "",
    " Esc to cancel · Tab to amend"
  ]
  it("a permission", () => {
    assert.deepStrictEqual(read(["● I make it.", ...permission]).dialog, {
      kind: "permission",
      title: "Bash command: Do you want to proceed?",
      subject: "mkdir out",
      options: [
        { number: 1, label: "Yes", selected: true },
        { number: 2, label: "Yes, and don't ask again for mkdir out", selected: false },
        { number: 3, label: "No", selected: false }
      ]
    })
  })

  it.each<readonly [string, ReadonlyArray<string>]>([
    ["a name", [`${"─".repeat(72)} work ─`]],
    ["a name on a narrow screen", [`${"─".repeat(32)} work ─`]],
    ["no name", [wide]]
  ])("has the box's upper rule below it, with %s in it", (_, below) => {
    const question = [
      wide,
      " ☐ Database ",
      "Which database?",
      "❯ 1. SQLite",
      "  2. Type something.",
      wide,
      "  3. Chat about this",
      "",
      "Enter to select · ↑/↓ to navigate · Esc to cancel"
    ]
    const asked = [permission, question, [wide, " Plan", " Would you like to proceed?", " ❯ 1. Yes", "   2. No"]]
    const opened = [wide, "  Select model", "  ❯ 1. Default", "    2. Opus", "  Enter to save · Esc to cancel"]
    for (const rows of [...asked, opened, ["● I make it.", ...permission]])
      assert.deepStrictEqual(read([...rows, ...below]), read(rows))
    assert.deepStrictEqual(
      asked.map((rows) => read([...rows, ...below]).dialog?.options.length),
      [3, 3, 2]
    )
  })

  it("one that a reply quotes is none", () => {
    const quoted = permission.map((row) => `  ${row}`)
    const facts = read(["● Like so:", ...quoted, "", "✻ Cooked for 2s · done 7:39 AM", ...box()])
    assert.deepStrictEqual([facts.dialog, facts.picker, facts.box], [null, false, { draft: "" }])
  })

  it("auto mode that cannot check", () => {
    const rows = [
      wide,
      "  Auto mode can't check actions in this session",
      "",
      "  You can stay in auto mode.",
      "",
      "  Enter to stay in auto mode · Esc to cancel"
    ]
    assert.deepStrictEqual(read(rows).dialog, {
      kind: "permission",
      title: "Auto mode can't check actions in this session",
      options: []
    })
  })

  it("tabbed questions and their review", () => {
    const tabs = [
      wide,
      "←  ☒ Database  ☐ Features  ✔ Submit  →",
      "",
      "Which features?",
      "",
      "❯ 1. [✔] Login",
      "  2. [ ] Search",
      "",
      "Enter to select · Tab/Arrow keys to navigate · Esc to cancel"
    ]
    assert.deepStrictEqual(read(tabs).dialog?.options[0], { number: 1, label: "[✔] Login", selected: true })
    const review = [
      wide,
      "←  ☒ Database  ✔ Submit  →",
      "",
      "Review your answers",
      "",
      " ● Which database?",
      "   → SQLite",
      "",
      "❯ 1. Submit answers",
      "  2. Cancel"
    ]
    assert.deepStrictEqual([read(review).dialog?.kind, read(review).dialog?.title], ["question", "Review your answers"])
  })

  it("the gates at the start", () => {
    const login = [
      " Select login method:",
      "",
      " ❯ 1. Claude account with subscription",
      "   2. Anthropic Console account"
    ]
    assert.deepStrictEqual([read(login).dialog?.kind, read(login).dialog?.options.length], ["login", 2])
    const bypass = [
      wide,
      "  WARNING: Claude Code running in Bypass Permissions mode",
      "",
      "  ❯ No, exit",
      "    Yes, I accept",
      "",
      "  Enter to confirm · Esc to cancel"
    ]
    assert.strictEqual(read(bypass).dialog?.kind, "trust")
  })

  it.each([
    [[heavy, "  Select model", "", "  ❯ 1. Opus", "    2. Sonnet", "", "  Enter to save · Esc to cancel"]],
    [[heavy, "  Something new"]],
    [[wide, "  Make auto mode your default permission mode?", "", "  ❯ Yes, set auto mode", "    No, keep manual mode"]]
  ])("a picker is no dialog: %j", (rows) => {
    assert.deepStrictEqual([read(rows).picker, read(rows).dialog, read(rows).box], [true, null, null])
  })
})

describe("what stands below an older box of Claude's", () => {
  const older = box("", mode, ["● Started.", ""])
  const rows = ["─".repeat(44), " Bash command", "", "   mkdir -p out", "", " Do you want to", " proceed?"]
  const options = [" ❯ 1. Yes", "   2. No", "", " Esc to cancel · Tab to amend"]

  it("is a dialog where options have a pointer", () => {
    for (const under of [[...rows, ...options], rows.slice(1).concat(options)]) {
      const facts = read([...older, ...under])
      assert.deepStrictEqual([facts.box, facts.dialog?.kind, facts.dialog?.options.length], [null, "permission", 2])
    }
    const plan = [" Ready to go? Would you like to", " proceed?", ...options]
    assert.strictEqual(read([...older, ...plan]).dialog?.kind, "plan")
    assert.strictEqual(read([...older, "  Pick one", ...options.slice(0, 2)]).dialog?.kind, "other")
  })

  it("takes the keys where it is no footer", () => {
    for (const under of [[" Something new"], ["─".repeat(44), "  Settings"], ["Press a key"]]) {
      const facts = read([...older, ...under])
      assert.deepStrictEqual([facts.box, facts.dialog, facts.picker], [null, null, true], under[0])
    }
  })
})

describe("Claude's mode line and the end of its turns", () => {
  const done = ["❯ hi", "", "● Hello.", "", "✻ Cooked for 6s · done 2:18 PM", ""]
  const vim = (mode: string, rest = "") => `  -- ${mode} -- ⏸ manual mode on${rest}`

  it("says that it rests when a turn's end is the last thing said", () => {
    assert.strictEqual(read(box("", mode, done)).resting, true)
    assert.strictEqual(read(box("half a thought", mode, done)).resting, true)
    assert.strictEqual(read(box("", mode, ["✻ Baked for 1m 12s", ""])).resting, true, "an older version")

    assert.strictEqual(
      read(box("", mode, [...done, `${" ".repeat(60)}draft restored`])).resting,
      true,
      "with a note over the box"
    )
  })

  it("says nothing of it otherwise", () => {
    for (const above of [
      [],
      ["● Hello.", ""],
      [...done, "❯ next", ""],
      [...done, "  ⎿  a line of a command", ""],
      ["✻ Thought for 6s", ""],
      ["✻ Baked for 6s and went on", ""],
      ["  ✻ Cooked for 6s · done 2:18 PM", ""]
    ]) {
      assert.isUndefined(read(box("", mode, above)).resting, above.join("|"))
    }
  })

  it("has vim's mode in front, and then hides that it works", () => {
    const insert = read(box("", vim("INSERT", " · ← for agents · 2 shells"), ["● Hello.", ""]))
    assert.deepStrictEqual([insert.mute, insert.background, insert.box], [true, 2, { draft: "" }])
    assert.strictEqual(read(box("", vim("VISUAL LINE"))).mute, true)
    assert.isUndefined(read(box()).mute)
    assert.isUndefined(read(box("", "  -- hidden -- by a status line")).mute)
  })

  it("stands below a status line of the user's own, whatever that looks like", () => {
    const mimic = ["❯ main ✻ Opus…", "  ⏸ custom on · esc to interrupt · 3 shells", "  -- INSERT --"]
    const facts = read([wide, "❯", wide, ...mimic, mode])
    assert.deepStrictEqual([facts.working, facts.background, facts.mute], [false, 0, undefined])
    assert.isTrue(read([wide, "❯", wide, ...mimic, `${mode} · esc to interrupt`, "", "  ● main"]).working)
  })

  it("has no room below a status line in few rows: the cursor in the box tells whose rows these are", () => {
    const rows = [wide, "❯ go", wide, "  one ── 1. Yes", "  ❯ 2. No, and (esc)"]
    const facts = (y: number) => read(rows, { cursor: { x: 4, y, visible: true } })
    assert.deepStrictEqual([facts(1).box, facts(1).dialog], [{ draft: "go" }, null])
    assert.deepStrictEqual([facts(4).box, facts(4).dialog?.kind], [null, "other"])
  })

  it("tells in the transcript that it works", () => {
    const transcript = (footer: string) => read(["❯ explain", "", "● Paragraph 1.", wide, footer])
    const working = transcript("  working · Showing detailed transcript · ctrl+o to toggle")
    assert.deepStrictEqual([working.picker, working.working], [true, true])
    const resting = transcript("  Showing detailed transcript · ctrl+o to toggle")
    assert.deepStrictEqual([resting.picker, resting.working], [true, false])
  })
})

describe("a question whose options have pictures beside them", () => {
  it.each([
    ["  Chat about this", [true, false]],
    ["❯ Chat about this", [false, false]]
  ] as const)("has its options without those, above %j", (chat, selected) => {
    const { dialog } = read([
      "● Let me ask.",
      wide,
      " ☐ Library",
      "",
      "Which library?",
      "",
      `${selected[0] ? "❯" : " "} 1. alpha      ┌────────────┐`,
      "  2. beta       │ ┌────────┐ │",
      "     in two     │ │ 1. Yes │ │",
      "                │ └────────┘ │",
      "                └────────────┘",
      "",
      "                Notes: press n to add notes",
      "",
      wide,
      chat,
      "",
      "Enter to select · ↑/↓ to navigate · n to add notes · Esc to cancel"
    ])
    assert.deepStrictEqual(
      [dialog?.kind, dialog?.title, dialog?.options],
      [
        "question",
        "Which library?",
        ["alpha", "beta"].map((label, n) => ({ number: n + 1, label, selected: selected[n] === true }))
      ]
    )
  })
})

it("a permission of which a small screen shows the options alone is one", () => {
  const { dialog } = read([
    " ❯ 1. Yes",
    "   2. Yes, and don't ask again for",
    "      mkdir out in this project",
    "   3. No",
    " ↑ 11 more lines",
    " Esc to cancel · Tab to amend"
  ])
  assert.deepStrictEqual(
    [dialog?.kind, dialog?.title, dialog?.options.map(({ number }) => number)],
    ["permission", "a dialog", [1, 2, 3]]
  )
})

describe("a question on a small screen", () => {
  it("has an arrow at the option behind which its list goes on", () => {
    const { dialog } = read([
      " ☐ Library",
      "",
      "Which library?",
      "",
      "❯ 1. alpha",
      "↓ 2. beta",
      wide,
      "  4. Chat about this",
      "",
      "Enter to select · ↑/↓ to navigate · Esc to cancel"
    ])
    assert.deepStrictEqual(
      dialog?.options.map(({ label, selected }) => [label, selected]),
      [
        ["alpha", true],
        ["beta", false]
      ]
    )
  })

  it("keeps its numbers when the first option has scrolled away, and no number answers it then", () => {
    const rows = [
      "❯ 3. moment",
      "     Use moment",
      "  4. Type something.",
      "─".repeat(40),
      "  5. Chat about this",
      "",
      "Enter to select · ↑/↓ to navigate · Esc to cancel"
    ]
    const { dialog } = read(rows, { cols: 60, rows: 9 })

    assert.strictEqual(dialog === null || dialog === undefined ? "" : claudeInput.answer(dialog, "1")._tag, "Refused")
  })
})

describe("what Claude asks before its first prompt", () => {
  const mcp = [
    "  New MCP server found in this project: lab",
    "",
    "  MCP servers may execute code or access system resources.",
    "",
    "    Use this MCP server",
    "  ❯ Continue without using this MCP server",
    "",
    "  Enter to confirm · Esc to cancel"
  ]

  it("is a matter of trust", () => {
    const one = read([wide, ...mcp]).dialog
    assert.deepStrictEqual([one?.kind, one?.title], ["trust", "New MCP server found in this project: lab"])

    const several = read([
      wide,
      "  2 new MCP servers found in this project",
      "",
      "  ❯ [✔] lab",
      "    [✔] two",
      "",
      "       Enable selected",
      "",
      " Space to select · Esc to reject all"
    ]).dialog
    assert.deepStrictEqual([several?.kind, several?.options.length], ["trust", 2])
    const onButton = read([
      wide,
      "  2 new MCP servers found in this project",
      "",
      "    [✔] lab",
      "    [✔] two",
      "",
      "  ❯    Enable selected",
      "",
      " Space to select · Esc to reject all"
    ]).dialog
    assert.strictEqual(onButton?.kind, "trust")
    const settings = read([
      "  Files with errors are skipped entirely.",
      "  ❯ 1. Fix with Claude",
      "    2. Exit and fix manually",
      "",
      "  Enter to confirm · Esc to cancel"
    ]).dialog
    assert.deepStrictEqual([settings?.kind, settings?.options.length], ["trust", 2], "its head scrolled off")
  })

  it("is not what a command of the user's asks before it does its work, whose options have no numbers", () => {
    const opened = (options: ReadonlyArray<string>, footer = "Enter to confirm · Esc to cancel") =>
      read([
        heavy,
        `  ${wide.slice(4)}`,
        "   Moving to a new directory:",
        "",
        "   /home/me/other",
        "",
        "   This session hasn't worked here before. Is this a directory you created or one you trust?",
        "",
        ...options,
        "",
        `   ${footer}`
      ])
    const asks = opened(["   ❯ No, stay put", "     Yes, move here"])
    assert.deepStrictEqual(
      [asks.dialog, asks.picker, asks.box],
      [
        {
          kind: "other",
          title: "Moving to a new directory:",
          options: [
            { number: null, label: "No, stay put", selected: true },
            { number: null, label: "Yes, move here", selected: false }
          ],
          declines: true,
          opened: true
        },
        false,
        null
      ]
    )
    assert.strictEqual(opened(["   ❯ 1. No", "     2. Yes"]).dialog?.kind, "other", "with numbers")
    const list = opened(["   ❯ No, stay put", "     Yes, move here"], "Enter to save · Esc to cancel")
    assert.deepStrictEqual([list.dialog, list.picker], [null, true])
  })
})

describe("Claude without a login", () => {
  const note = `${" ".repeat(50)}Not logged in · run /login`
  it("says so beside its box", () => {
    assert.strictEqual(read(box("", mode, ["● Hello.", "", note])).loggedOut, true)
    assert.strictEqual(read(box("", `${mode}${note}`)).loggedOut, true)
    assert.strictEqual(read(box("", mode, [note, " ".repeat(60) + "◐ medium · /effort"])).loggedOut, true)
  })

  it("says so under a prompt that it did not take", () => {
    assert.strictEqual(read(box("", mode, ["❯ hello", "  ⎿  Not logged in · Please run /login", ""])).loggedOut, true)
  })

  it("does not when it is said in the conversation", () => {
    assert.isUndefined(read(box("", mode, ["● It said:", "  Not logged in · Please run /login", ""])).loggedOut)

    assert.isUndefined(read(box("", mode, [note, "", "● Hello.", ""])).loggedOut)
    assert.isUndefined(read(box()).loggedOut)
  })
})

describe("Claude's own continuation after a limit", () => {
  const below = (...rows: ReadonlyArray<string>) => [...box().slice(0, 3), ...rows, `${mode} on · ? for shortcuts`]
  const warning = "  ⚠ Usage limit reached · limit resets 1:57pm"

  it.each<readonly [string, string]>([
    ["    Continuing automatically at 1:57pm · Esc to cancel", "at 1:57pm"],
    ["    Continuing shortly · Esc to cancel", "shortly"]
  ])("is told below the box: %s", (row, when) => {
    const facts = read(below(warning, row))
    assert.strictEqual(facts.continues, when)
    assert.deepStrictEqual(facts.box, { draft: "" })
  })
})

describe("Claude's look for a screen reader", () => {
  const talk = ["[Screen Reader Mode: on via flag]", "Claude Code v2.1.329", "~/p", "you: do it", "claude: I will."]
  const choose = (n: number, more = "") =>
    `Select with numbers [1-${n}]${more}. Then Enter to submit or Escape to cancel:`
  const asking = ["Permission Required: Bash command", "> Make a folder", "> mkdir out", "Do you want to proceed?"]
  const three = ["1. Yes", "2. Yes, and don't ask again for mkdir", "3. Yes, and auto — · it handles these", "4. No"]
  const reads = (rows: ReadonlyArray<string>, cursor?: Partial<ScreenView["cursor"]>) =>
    read(rows, { cursor: { x: 3, y: rows.length - 1, visible: true, ...cursor } })

  it.each<readonly [string, ReadonlyArray<string>, string]>([
    ["nothing", ["manual mode on", "$"], ""],
    ["a text under hints and the name", ["manual mode on", "effort: medium · /effort", " work", "$  fix it"], "fix it"],
    ["a text that is wrapped", ["manual mode on", "$  fix this,", "and that"], "fix this,\nand that"],
    ["a shell command", ["! for shell mode", "ctrl+y to paste deleted text", "ls -la"], "!ls -la"]
  ])("a box with %s", (_, rows, draft) => {
    const { dialog, picker, working, ...facts } = reads([...talk, "", ...rows])
    assert.deepStrictEqual([facts.box, dialog, picker, working], [{ draft }, null, false, false])
  })

  it("an empty box below which something is announced", () => {
    const rows = [...talk, "plan mode on (shift+tab to cycle)", "$", "[plan mode on]"]
    assert.deepStrictEqual(reads(rows, { x: 1, y: rows.length - 2 }).box, { draft: "" })
  })

  it.each<readonly [string, ReadonlyArray<string>, Partial<ScreenFacts>]>([
    ["work over a draft", ["Imagining…", "manual mode on", "$  and"], { working: true, activity: "Imagining…" }],
    ["an end", ["Cooked for 1s · done 1:13 PM", "manual mode on", "$"], { working: false, resting: true }],
    ["an interruption", ["Interrupted · What should Claude do instead?", "manual mode on", "$"], { interrupted: true }],
    ["background work", ["manual mode on  ·  2 shells", "$"], { background: 2, working: false }],
    ["suggestions", ["/model     Switch model", "/mobile    Show QR code", "", "", "$  /mo"], { picker: true }],
    ["no login", ["Not logged in · Run /login", "manual mode on", "$"], { loggedOut: true }]
  ])("%s", (_, rows, expected) => {
    const facts = reads([...talk, ...rows])
    const found = Object.fromEntries(Object.entries(facts).filter(([name]) => name in expected))
    assert.deepStrictEqual([found, facts.box !== null], [{ ...expected }, true])
  })

  const option = (number: number | null, label: string) => ({ number, label, selected: false })
  const yes = [
    option(1, "Yes"),
    option(2, "Yes, and don't ask again for mkdir"),
    option(3, "Yes, and auto"),
    option(4, "No")
  ]
  it.each<readonly [string, ReadonlyArray<string>, Partial<NonNullable<ScreenFacts["dialog"]>>]>([
    [
      "a permission",
      [...asking, ...three, choose(4), "Esc to cancel", " work"],
      { kind: "permission", title: "Bash command: Do you want to proceed?", options: yes, typed: "" }
    ],
    [
      "a field for a text that is longer than its row",
      [
        "Question: Database",
        "> Which one?",
        "1. A",
        "2. Other",
        "Enter text for option 2 (Other): the one that is",
        "big"
      ],
      { kind: "question", typed: "the one that isbig" }
    ],
    [
      "one in which a number is typed, after a wrong one, wrapped",
      [
        ...asking,
        "1. Yes",
        "2. Yes, and don't ask again",
        "for mkdir",
        ...three.slice(2),
        '"9" isn\'t an option.',
        choose(4)
      ],
      { kind: "permission", options: yes }
    ],
    [
      "one for a file",
      ["Permission Required: Create file", "Do you want to create a.md?", "1. Yes", "2. No", `${choose(2)} 1`],
      { title: "Create file: Do you want to create a.md?", subject: "a.md", typed: "1" }
    ],
    [
      "a question",
      ["Question: Database", "> Which one?", "1. PostgreSQL — the big one", "2. Other", choose(2)],
      { kind: "question", title: "Which one?", options: [option(1, "PostgreSQL"), option(2, "Other")] }
    ],
    [
      "a review",
      ["Questions: Database (answered)", "Review your answers", "> Which one?", "Enter y/n:"],
      {
        kind: "question",
        title: "Review your answers",
        options: [option(null, "Submit answers"), option(null, "Cancel")]
      }
    ]
  ])("%s", (_, rows, expected) => {
    const facts = reads([...talk, ...rows])
    const found = Object.fromEntries(Object.entries(facts.dialog ?? {}).filter(([name]) => name in expected))
    assert.deepStrictEqual([found, facts.box], [{ ...expected }, null])
  })

  it("a list that the user opened, and a dialog that is over", () => {
    const list = reads([...talk, "you: /model", "Select model", "1. (selected) Default", "2. Opus", choose(2)])
    assert.deepStrictEqual([list.dialog, list.picker], [null, true])
    const over = reads([
      ...talk,
      ...asking,
      ...three,
      choose(4),
      "tool: Bash (mkdir out)",
      "Done",
      "manual mode on",
      "$"
    ])
    assert.deepStrictEqual([over.dialog, over.box], [null, { draft: "" }])
    assert.isNull(reads(["$ ls", "a.txt", "$ "]).box, "a shell")
  })

  it.each<readonly [string, ReadonlyArray<string> | null]>([
    ["1, 2", ["1, 2", "\r"]],
    ["MariaDB", ["3", "\r", "MariaDB", "\r"]],
    ["3", null],
    ["7", null]
  ])("is answered with %s", (text, writes) => {
    const rows = ["Question: Database", "> Which one?", "1. PostgreSQL", "2. SQLite", "3. Other", choose(3)]
    const dialog = reads([...talk, ...rows]).dialog ?? assert.fail("no dialog")
    const keys = claudeInput.answer(dialog, text)
    assert.deepStrictEqual(keys._tag === "Keys" ? keys.writes : null, writes)
  })

  it("is reviewed with yes or no", () => {
    const rows = ["Questions: A (answered)", "Review your answers", "> Which one?", "Enter y/n:"]
    const dialog = reads([...talk, ...rows]).dialog ?? assert.fail("no dialog")
    const writes = ["1", "cancel"].map((text) => {
      const keys = claudeInput.answer(dialog, text)
      return keys._tag === "Keys" ? keys.writes : null
    })
    assert.deepStrictEqual(writes, [
      ["y", "\r"],
      ["n", "\r"]
    ])
  })
})
