import { assert, describe, it } from "@effect/vitest"
import { readScreen } from "../../../../src/domain/providers/gemini/Screen.ts"
import { type ScreenView } from "../../../../src/domain/words/session/Screen.ts"
import { screenView } from "../../../support/data/screenView.ts"

const width = 80
const rule = "─".repeat(width)
const upper = "▄".repeat(width)
const lower = "▀".repeat(width)
const manual = " Shift+Tab to accept edits"
const footer = [
  " workspace (/directory)         branch        sandbox                    /model",
  " ~/project                      main          no sandbox         gemini-2.5-pro"
]
const hint = `${" ".repeat(64)}? for shortcuts`
const empty = " >   Type your message or @path/to/file"
const ready = "◇  Ready (project)"
const works = "✦  Working… (project)"

/** A screen of these rows; one that starts with `~` is faint. */
const view = (rows: ReadonlyArray<string>, title = ready, more: Partial<ScreenView> = {}): ScreenView => {
  const lines = rows.map((row) => row.replace(/^~/, ""))
  return screenView(lines, {
    cols: width,
    alternate: false,
    title,
    faint: (y) => ((rows[y] ?? "").startsWith("~") ? (lines[y] ?? "") : ""),
    cursor: { x: 0, y: lines.length, visible: false },
    ...more
  })
}
const read = (rows: ReadonlyArray<string>, title?: string, more?: Partial<ScreenView>) =>
  readScreen(view(rows, title, more))

const prompt = (text: string): ReadonlyArray<string> => [upper, ` > ${text}`, lower]
/** The lower part of the screen while no dialog is open. */
const composer = (
  status = hint,
  box: ReadonlyArray<string> = [empty],
  mode = manual,
  over: ReadonlyArray<string> = []
) => ["", ...over, "", status, rule, mode, upper, ...box, lower, ...footer]
const talk = [...prompt("make an out folder"), "✦ I will do it.", ""]

describe("Gemini's box", () => {
  it("stands between the same edges the other way round up to 0.38, and not over an answer or half drawn", () => {
    const older = (rows: ReadonlyArray<string>) =>
      rows.map((row) => (row === upper ? lower : row === lower ? upper : row))
    assert.deepStrictEqual(read(older([...talk, ...composer()])), read([...talk, ...composer()]))
    assert.strictEqual(read(older([...talk, ...composer(hint, [" > half a"])])).box?.draft, "half a")
    assert.isNull(read(older([...composer(hint, [" > make it"]).slice(0, -2), "✦ I will do it."])).box)
    assert.isNull(read(older([...talk, ...composer().slice(0, -3)])).box)
  })

  it("is none where something else than its footer is below it", () => {
    for (const rows of [["Which one?", "● 1. this", "  2. that"], ["  ❯ 1. Yes", "    2. No"], ["Press Enter"]])
      assert.isNull(read([...talk, ...composer(), ...rows]).box, rows.join())
    assert.isNull(read(["  one", "  two", lower]).box, "without its upper edge")
  })

  it("stands between two edges, under the rule and the mode line", () => {
    const facts = read([...talk, ...composer()])
    assert.deepStrictEqual(facts, {
      box: { draft: "" },
      dialog: null,
      picker: false,
      working: false,
      interrupted: false,
      background: null,
      activity: null,
      title: "rest",
      blank: false,
      resting: true
    })
  })

  it("may be left without rule, mode line and footer", () => {
    assert.deepStrictEqual(read(["✦ Done.", "", upper, empty, lower]).box, { draft: "" })
  })

  it.each([
    ["several rows", [" > first", "   second", "", "     fourth"], "first\nsecond\n\n  fourth"],
    ["nothing in YOLO mode", [" *   Type your message or @path/to/file"], ""],
    ["a shell command", [" ! ls -la"], "!ls -la"],
    ["nothing in shell mode, which is no place for a message", [" !   Type your shell command"], "!"],
    ["nothing in vim mode", [" >   Press 'i' for INSERT mode."], ""],
    ["a row left blank by a resize", [empty, ""], ""]
  ])("holds %s", (_, box, draft) => {
    assert.deepStrictEqual(read([...talk, ...composer(hint, box)]).box, { draft })
  })

  it("knows the mode that searches what was sent before", () => {
    const facts = read([...talk, ...composer(hint, [" (r:) fix"])])
    assert.deepStrictEqual([facts.box, facts.picker], [{ draft: "fix" }, true])
  })

  it.each([
    [
      "over it on the alternate screen",
      [...talk, "", "", hint, rule, " model   Manage model configuration", upper, " > /mo", lower, ...footer],
      true
    ],
    [
      "as long as they get",
      [
        ...talk,
        "",
        "",
        hint,
        rule,
        ...Array.from({ length: 8 }, (_, i) => ` name${i}   What it does`),
        " ▼",
        " (1/42)",
        upper,
        " > /",
        lower,
        ...footer
      ],
      true
    ],
    ["of files", [...talk, ...composer(hint, [" > look at @a"]).slice(0, -2), " app.js", " a.md", ...footer], true],

    [
      "not where nothing calls for one",
      [...talk, ...composer(hint, [" > plain text"]), " a third row of the footer"],
      false
    ],
    ["not for a command that is complete", [...talk, ...composer(hint, [" > /help"])], false]
  ])("may have a menu %s", (_, rows, picker) => {
    assert.strictEqual(read(rows).picker, picker)
  })

  it("is drawn without edges for a screen reader", () => {
    const plain = (status: string, row: string) => [
      "Model:  Done.",
      "gemini-2.5-pro",
      status,
      "Shift+Tab to accept edits",
      row
    ]
    assert.deepStrictEqual(read(plain("? for shortcuts", ">    Type your message or @path/to/file")).box, { draft: "" })
    assert.deepStrictEqual(read(plain("? for shortcuts", ">  fix it")).box, { draft: "fix it" })
    assert.isTrue(
      read(plain("responding Thinking... (esc to cancel, 3s)", ">    Type your message or @path/to/file"), works)
        .working
    )
    assert.isNull(read(["Model:  Like so:", "> quoted", "and no more"]).box)
  })
})

describe("Gemini's scrollbar on the alternate screen", () => {
  it("belongs to no dialog, and to no row of the conversation", () => {
    const cols = 40
    const barred = (rows: ReadonlyArray<string>) => rows.map((row) => `${row.padEnd(cols - 1)}█`)
    const frame = [`╭${"─".repeat(37)}╮`, "│ ? Shell rm out", "│ Allow execution of [Shell]?", "│ ● 1. Allow once"]
    const rows = [...frame, "│   2. No, suggest changes (esc)", `╰${"─".repeat(37)}╯`].map((row) =>
      row.startsWith("│") ? `${row.padEnd(38)}│` : row
    )
    const more = { cols, alternate: true }
    assert.strictEqual(read(rows).dialog?.options.length, 2)
    assert.deepStrictEqual(read(barred(rows), ready, more).dialog, read(rows).dialog)
    const ended = [...barred(["✦ I begin.", "", "ℹ Request cancelled."]), ...composer("? for shortcuts")]
    assert.isTrue(read(ended, ready, more).interrupted)
  })
})

describe("what Gemini asks in its look for a screen reader", () => {
  const bars = ["workspace (/directory)", "~/project branch", "main sandbox", "gemini-2.5-pro"]
  const trust = ["Do you trust the files in this folder?", "(checked) 1. Trust folder (p)", "2. Don't trust"]
  const asked = ["Answer Questions", "Question 1 of 1: Which database?"]
  const model = ["Select Model", "1. Auto", "(checked) 2. Manual", "(Press Esc to close)"]
  const shell = [
    "? Shell rm -f out",
    "Allow execution of [Shell]?",
    "(checked) 1. Allow once",
    "2. No, suggest changes (esc)"
  ]

  it.each<readonly [string, ReadonlyArray<string>, readonly [string, string, number] | null, boolean]>([
    ["a command", [...bars, ...shell], ["permission", "Shell rm -f out: Allow execution of [Shell]?", 2], false],
    ["trust", [...bars, ...trust], ["trust", "Do you trust the files in this folder?", 2], false],
    ["a question, whose choices are not drawn", [...bars, ...asked], ["question", asked[1] ?? "", 0], false],
    ["a list that the user opened", [...bars, ...model], null, true],
    ["a question under an older dialog", [...trust, "User:  go", ...asked], ["question", asked[1] ?? "", 0], false],
    ["nothing after an older dialog", [...trust, "User:  go", ...bars], null, false]
  ])("%s", (_, rows, dialog, picker) => {
    const facts = read(rows)
    const found = facts.dialog === null ? null : [facts.dialog.kind, facts.dialog.title, facts.dialog.options.length]
    assert.deepStrictEqual([facts.box, found, facts.picker], [null, dialog, picker])
  })
})

describe("Gemini's signs of work", () => {
  it.each<readonly [string, string, string | null]>([
    ["a thought", " ⠦ Considering part 3 (esc to cancel, 1m 4s)", "Considering part 3"],

    ["overwritten at 80 columns", "? for shortcutsoks: leap, leap (esc to cancel, 0s)", null],
    ["overwritten and cut", "? for shortcutsoks: leap-a, leap-b, leap-c, leap-d, leap-e, leap-f, leap (esc to c", null],
    ["a silent shell", " ! Shell awaiting input (Tab to focus)", "a silent command runs"]
  ])("status line: %s", (_, status, activity) => {
    const facts = read([...talk, ...composer(status)], works)
    assert.deepStrictEqual([facts.working, facts.activity, facts.resting], [true, activity, undefined])
  })

  it("compression, which the title does not tell", () => {
    const facts = read([...prompt("/compress"), "⠇ Compressing chat history", ...composer()], ready)
    assert.deepStrictEqual(
      [facts.working, facts.activity, facts.resting],
      [true, "Compressing chat history", undefined]
    )
  })

  it("not what an answer quotes", () => {
    const quoted = [
      "✦ It shows a line like:",
      "",
      "    ⠏ Thinking... (esc to cancel, 12s)",
      "",
      "  ⠏ Thinking... (esc to cancel, 1s)",
      ""
    ]
    assert.isFalse(read([...quoted, ...composer()]).working)
    assert.isFalse(read(["✦ ⠏ Thinking... (esc to cancel, 12s)", ...composer()]).working)
    assert.isFalse(read(["✦ Like so:", "", "  Queued (press ↑ to edit):", "    next one", "", ...composer()]).working)
  })

  it("a queued prompt", () => {
    const queued = read(
      [
        ...talk,
        ...composer(hint, [empty], manual, ["~  Queued (press ↑ to edit):", "~    second question", "~    third"])
      ],
      ready
    )
    assert.deepStrictEqual([queued.working, queued.activity], [true, "a prompt is queued"])
    const quoted = read(
      [...talk, ...composer(hint, [empty], manual, ["  Queued (press ↑ to edit):", "    second question"])],
      ready
    )
    assert.isFalse(quoted.working, "not faint")
  })
})

describe("Gemini's marks of a turn's end", () => {
  it("a cancelled request at the end of the conversation", () => {
    assert.isTrue(read([...talk, "ℹ Request cancelled.", "", ...composer()]).interrupted)

    assert.isFalse(read(["✦ It prints:", "", "  ℹ Request cancelled.", ...composer()]).interrupted, "quoted")
  })

  it.each([
    [" Shift+Tab to accept edits                    1 Background process", 1],
    [" YOLO Ctrl+Y      1 GEMINI.md file · 2 Background processes", 2],
    [manual, null]
  ])("background work: %s", (mode, count) =>
    assert.strictEqual(read([...talk, ...composer(hint, [empty], mode)]).background, count)
  )

  it("a blank screen, and one of something else", () => {
    assert.isTrue(read(["", "  ", ""]).blank)
    assert.isTrue(read([]).blank)
    const shell = read(["$ gemini", "Loading…"], "")
    assert.deepStrictEqual([shell.blank, shell.box, shell.dialog, shell.picker], [false, null, null, false])
  })
})
