import { assert, describe, it } from "@effect/vitest"
import { readScreen } from "../../../../src/domain/providers/opencode/Screen.ts"
import { atFoot, type Row, runningFoot, session, view } from "./screens.ts"

const answer = ["", "  ┃", "  ┃  say hello", "  ┃", "", "     Hello.", "", "     ▣  Build · Lab Large · 28.8s"]
const home = (text: string, x: number, more: ReadonlyArray<string> = []) => {
  const left = " ".repeat(22)
  const rows = [
    ...Array.from({ length: 18 - more.length }, () => ""),
    ...more,
    `${left}┃`,
    `${left}┃  ${text}`,
    `${left}┃`,
    `${left}┃  Build · Lab Large Lab`,
    `${left}╹${"▀".repeat(74)}`,
    `${" ".repeat(70)}tab agents  ctrl+p commands`,
    "",
    "  ~/project:main"
  ]
  return readScreen(view(rows, { cursor: { x: 22 + 3 + x, y: 19, visible: true } }))
}

describe("the home screen", () => {
  it("has a placeholder in its box", () => {
    assert.deepStrictEqual(
      home(`Ask anything… "Fix broken tests"`, 5).box,
      { draft: `Ask anything… "Fix broken tests"` },
      "typed"
    )
    assert.deepStrictEqual(home("say hello", 9).box, { draft: "say hello" })
    assert.deepStrictEqual(home("say hello", 0).box, { draft: "say hello" }, "with the cursor before it")
  })

  it("has its lowest rows over the box in a small terminal, and its placeholder wrapped", () => {
    const rows = [
      " █▀▀█ █▀▀█ █▀▀█ █▀▀▄ █▀▀▀ █▀▀█ █▀▀█ █▀▀█",
      " █  █ █  █ █▀▀▀ █  █ █    █  █ █  █ █▀▀▀",
      " ▀▀▀▀ █▀▀▀ ▀▀▀▀ ▀▀▀▀ ▀▀▀▀ ▀▀▀▀ ▀▀▀▀ ▀▀▀▀",
      "",
      "  ┃",
      `  ┃  Ask anything… "Fix a TODO in`,
      `  ┃  the codebase"`,
      "  ┃",
      "  ┃  Build · Lab Large Lab",
      "  ~/project:main▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀1.18.33",
      "           tab agents  ctrl+p commands"
    ]
    const small = (x: number, y: number, text = rows) => {
      const { box, picker } = readScreen(view(text, { cols: 40, rows: 12, cursor: { x, y, visible: true } }))
      return [box, picker]
    }
    assert.deepStrictEqual(small(5, 5), [{ draft: "" }, false])
    assert.deepStrictEqual(small(8, 5, rows.with(5, "  ┃  fix").with(6, "  ┃")), [{ draft: "fix" }, false])
  })
})

describe("a session at rest", () => {
  it("has a draft of several rows", () => {
    assert.deepStrictEqual(readScreen(session({ above: answer, draft: ["first", "", "  third ┃ x"] })).box, {
      draft: "first\n\n  third ┃ x"
    })
  })

  it("has its box beside the sidebar in a low window", () => {
    const rows = (draft: string) => [
      "     Hello.",
      "",
      "  ┃".padEnd(110) + "1,220 tokens",
      `  ┃  ${draft}`.padEnd(110) + "1% used",
      "  ┃".padEnd(110) + "$0.00 spent",
      "  ┃  Build · Lab Large Lab".padEnd(110) + "~/project:main",
      `  ╹${"▀".repeat(100)}`,
      "   /home/dev/project                        1.2K (1%)  ctrl+p commands".padEnd(110) + "• OpenCode 1.18.33"
    ]
    for (const draft of ["", "say hello"])
      assert.deepStrictEqual(
        readScreen(view(rows(draft), { cols: 140, rows: 8, cursor: { x: 5 + draft.length, y: 3, visible: true } })).box,
        { draft }
      )
  })

  it("shows the shell's mark, empty too", () => {
    const foot = "   /home/dev/project                                        esc exit shell mode"
    assert.deepStrictEqual(readScreen(session({ draft: ["ls -la"], mode: "Shell", foot })).box, { draft: "!ls -la" })
    assert.deepStrictEqual(readScreen(session({ mode: "Shell", foot })).box, { draft: "!" })
    assert.deepStrictEqual(
      readScreen(
        session({ draft: [`Run a command… "ls -la"`], mode: "Shell", foot, cursor: { x: 5, y: 34, visible: true } })
      ).box,
      { draft: "!" }
    )
  })
})

describe("a turn that runs", () => {
  it.each<readonly [string, string | ReadonlyArray<string>]>([
    ["the bar without its key, cut by a narrow window", "   ⬝⬝⬝⬝⬝⬝⬝⬝"],
    ["without animations", "   [⋯]  esc interrupt       ctrl+p commands"]
  ])("%s", (_, foot) => {
    const facts = readScreen(session({ above: answer, foot }))
    assert.deepStrictEqual([facts.working, facts.resting], [true, false])
  })

  it("says what it tries again", () => {
    const foot = ["   ■⬝⬝⬝⬝⬝⬝⬝  Overloaded, please", "   wait [retrying in 5s attempt #2]      esc interrupt"]
    assert.strictEqual(readScreen(session({ foot })).activity, "Overloaded, please wait [retrying in 5s attempt #2]")
    assert.isNull(readScreen(session({ foot: runningFoot })).activity)
  })

  it("is not what an answer quotes, nor a directory's name", () => {
    const quoted = [
      ...answer,
      "",
      "     ■■■⬝⬝⬝⬝⬝  esc interrupt       ctrl+p commands",
      "     [⋯]  esc again to interrupt",
      "     ▣  Build · Lab Large · 2.5s"
    ]
    assert.isFalse(readScreen(session({ above: quoted })).working)
  })
})

const keysRow: Row = [
  "  ┃   Allow once  ",
  [" Allow always "],
  "  Reject                                 ctrl+f fullscreen  ⇆ select  enter confirm"
]
const permission: ReadonlyArray<Row> = [
  "  ┃",
  "  ┃  △ Permission required",
  "  ┃    # Shell command",
  "  ┃",
  "  ┃  $ touch made.txt",
  "  ┃",
  "  ┃",
  keysRow,
  "  ┃"
]

describe("a permission", () => {
  it("is read with its choice, which only its colour tells", () => {
    const facts = readScreen(view(atFoot(permission, answer)))
    assert.deepStrictEqual(facts.dialog, {
      kind: "permission",
      title: "Shell command: touch made.txt",
      subject: "touch made.txt",
      options: [
        { number: null, label: "Allow once", selected: false },
        { number: null, label: "Allow always", selected: true },
        { number: null, label: "Reject", selected: false, endsTurn: true }
      ]
    })
    assert.deepStrictEqual([facts.box, facts.working, facts.picker], [null, false, false])
  })

  it("takes a word with a subagent's rejection", () => {
    const rows = [
      "  ┃",
      "  ┃  △ Reject permission",
      "  ┃",
      "  ┃  Tell OpenCode what to do differently",
      "  ┃",
      "  ┃",
      "  ┃  use another name                          enter confirm  esc cancel",
      "  ┃"
    ]
    assert.deepStrictEqual(readScreen(view(atFoot(rows, answer), { cursor: { x: 20, y: 37, visible: true } })).dialog, {
      kind: "permission",
      title: "Reject permission: Tell OpenCode what to do differently",
      options: []
    })
  })

  it("is not read off a frame beside which a side bar stands", () => {
    const beside = permission.map((row, y): Row => [
      ...(typeof row === "string" ? [row] : row),
      " ".repeat(10),
      ...(y === 6 ? ["~/project"] : [])
    ])
    const edged = atFoot(beside, answer)
    const wide = view(edged)
    const dialog = readScreen({
      ...wide,
      runs: (y) => [
        ...wide.runs(y).filter(({ x }) => x < 110),
        { x: 110, text: "sidebar   ", foreground: "", background: "48;2;9;9;9" }
      ]
    }).dialog
    assert.strictEqual(dialog?.title, "Shell command: touch made.txt")
    assert.lengthOf(dialog?.options ?? [], 3)
  })

  it("is none where it is quoted", () => {
    const quote = permission.map((row) =>
      typeof row === "string" ? row.replace("  ┃", "     ") : `     ${row.flat().join("").slice(3)}`
    )
    assert.isNull(readScreen(session({ above: [...answer, ...quote] })).dialog, "in an answer")
    const pasted = readScreen(session({ above: [...answer, "", ...permission, ""] }))
    assert.deepStrictEqual([pasted.dialog, pasted.box], [null, { draft: "" }], "in a prompt")
  })
})

const options = [
  "  ┃  1. SQLite",
  "  ┃     No server to run",
  "  ┃  2. PostgreSQL",
  "  ┃     Needs a server",
  "  ┃  3. Type your own answer"
]
const lit = (rows: ReadonlyArray<string>, index: number): ReadonlyArray<Row> =>
  rows.map((row, y): Row => (y === index ? [row.slice(0, 5), [row.slice(5)]] : row))
const question = (rows: ReadonlyArray<Row>, keys = "↑↓ select  enter submit  esc dismiss") =>
  atFoot(["  ┃", ...rows, "  ┃", `  ┃  ${keys}`, "  ┃"], answer)

describe("a question", () => {
  it.each([
    [options, "↑↓       enter       esc", "select   submit      dismiss"],
    [[...options, "  ┃     mine"], "enter       esc", "save        cancel"]
  ])("has what its keys do below them in a narrow window", (rows, keys, words) => {
    const low = atFoot(["  ┃", "  ┃  Which?", "  ┃", ...rows, "  ┃", `  ┃  ${keys}`, `  ┃  ${words}`, "  ┃"], answer)
    const { dialog } = readScreen(view(low, { cursor: { x: 8, y: 34, visible: true } }))
    assert.deepStrictEqual([dialog?.kind, dialog?.options.length], ["question", 3])
  })

  it("may be numbered itself", () => {
    const dialog = readScreen(view(question(["  ┃  1. or 2.?", "  ┃  1. this way", "  ┃", ...lit(options, 0)]))).dialog
    assert.deepStrictEqual(
      dialog?.options.map(({ label }) => label),
      ["SQLite", "PostgreSQL", "Type your own answer"]
    )
  })

  it("shows an answer that is being typed", () => {
    const rows = (text: string) => question(["  ┃  Which?", "  ┃", ...options, `  ┃     ${text}`])
    const read = (text: string) =>
      readScreen(view(rows(text), { cursor: { x: 8, y: 35, visible: true } })).dialog?.options[2]?.label
    assert.strictEqual(read("Type your own answer"), "Type your own answer: ")
    assert.strictEqual(read("DuckDB"), "Type your own answer: DuckDB")
  })

  it("is none where it is quoted", () => {
    const quoted = [
      "     Which?",
      "",
      "     1. SQLite",
      "     2. PostgreSQL",
      "",
      "     ↑↓ select  enter submit  esc dismiss"
    ]
    assert.isNull(readScreen(session({ above: [...answer, ...quoted] })).dialog)
  })
})

describe("a permission on a narrow screen", () => {
  it("has its last choice in the margin", () => {
    const rows = [
      "  ┃  △ Permission required",
      "  ┃    # Shell command",
      "  ┃",
      "  ┃   Allow once   Allow always   Reject",
      "  ┃"
    ]
    const narrow = view(atFoot(rows, [], 30), { cols: 40, rows: 30 })
    // the panel's own background ends before
    const runs = (y: number) =>
      [0, 37].map((x, n) => ({
        x,
        text: (narrow.lines[y] ?? "").padEnd(40).slice(x, n === 0 ? 37 : 40),
        foreground: "",
        background: n === 0 ? "panel" : ""
      }))
    assert.deepStrictEqual(
      readScreen({ ...narrow, runs }).dialog?.options.map(({ label }) => label),
      ["Allow once", "Allow always", "Reject"]
    )
  })
})

describe("what owns the keys", () => {
  const row = (text: string, width = 60, cols = 120) => " ".repeat(Math.floor((cols - width) / 2)) + text
  const list = (title: string, cols = 120, height = 40, width = 60): ReadonlyArray<string> => {
    const y = Math.round(height / 4) + 1
    return [
      ...Array.from({ length: y }, () => ""),
      row(`    ${title}${" ".repeat(width - 11 - title.length)}esc    `, width, cols),
      "",
      row("    Search", width, cols)
    ]
  }

  it.each([
    [80, 24, 60],
    [200, 60, 88],
    [120, 40, 116],
    [40, 30, 38]
  ])("is a list over the home screen in %d columns", (cols, height, width) => {
    assert.isTrue(readScreen(view(list("Connect a provider", cols, height, width), { cols, rows: height })).picker)
  })

  it("is whatever has the cursor", () => {
    assert.isTrue(readScreen(session({ cursor: { x: 5, y: 10, visible: true } })).picker)
    assert.isTrue(readScreen(session({ cursor: { x: 5, y: 35, visible: false } })).picker)
    assert.isFalse(readScreen(session({})).picker)
  })

  it("is a popup of files or commands on the box", () => {
    const popup = `  ┃ app.js${" ".repeat(108)}┃`
    const facts = readScreen(session({ over: [popup, `  ┃ README.md${" ".repeat(105)}┃`], draft: ["look at @app"] }))
    assert.deepStrictEqual([facts.picker, facts.box], [true, { draft: "look at @app" }])
    assert.notProperty(facts, "offered")
  })

  it("is a subagent's conversation, which may not be over", () => {
    const foot = ["  ┃", "  ┃  General (1 of 2)                        Parent up  Prev left  Next right", "  ┃"]
    const read = (last: string) => readScreen(view(atFoot(foot, [...answer.slice(0, -1), last])))
    const facts = read("     ▣  General · Lab Large")
    assert.deepStrictEqual([facts.box, facts.dialog, facts.picker, facts.working], [null, null, true, true])
    assert.deepStrictEqual(
      [read("     ▣  General · Lab Large · 6.0s").picker, read("     ▣  General · Lab Large · 6.0s").working],
      [true, false]
    )
  })
})

const status = (left: string) => ` BUILD  ${left.padEnd(100)}ctrl+p cmd`
const mini = (
  above: ReadonlyArray<Row>,
  draft: ReadonlyArray<string>,
  foot: string,
  x = (draft.at(-1) ?? "").length
) => {
  const rows = [...above, "", ...draft, "", foot]
  return readScreen(view(rows, { alternate: false, cursor: { x, y: rows.length - 3, visible: true } }))
}

describe("the inline interface", () => {
  const said = ["› say hello", "", "Hello.", "", "▣ Build · Model default · 4.4s"]

  it("has its text over the status row", () => {
    assert.deepStrictEqual(mini(said, [""], status("")).box, { draft: "" })
    assert.deepStrictEqual(mini(said, [`Ask anything... "Fix a TODO"`], status(""), 0).box, { draft: "" })
    assert.deepStrictEqual(mini(said, ["one", "two"], status("")).box, { draft: "one\ntwo" })
    assert.deepStrictEqual(mini(said, ["ls"], " SHELL  Shell mode").box, { draft: "!ls" })
    assert.isFalse(mini(said, [""], status("")).picker)
  })

  it("was interrupted", () => {
    assert.isTrue(mini([...said, "Aborted"], [""], status("")).interrupted, "told after it")
    assert.isFalse(mini(["› why does it say", "", "Aborted"], [""], status("")).interrupted)
    assert.isFalse(mini(said, [""], status("")).interrupted)
  })

  it("is not taken in by a quotation", () => {
    assert.isNull(readScreen(view([...said, "  △ Permission required", "$ "], { alternate: false })).dialog)
  })

  it("says that a second key ends it", () => {
    assert.isTrue(mini(said, [""], " EXIT  Press ctrl+c again to exit").picker)
  })
})
