import { assert, describe, it } from "@effect/vitest"
import { readDialogAbove, readOverlay } from "../../../../src/domain/providers/gemini/Dialog.ts"

const frame = (rows: ReadonlyArray<string>, indent = "") => [
  `${indent}╭${"─".repeat(70)}╮`,
  ...rows.map((row) => `${indent}│ ${row.padEnd(68)} │`),
  `${indent}╰${"─".repeat(70)}╯`
]
const nested = (rows: ReadonlyArray<string>) => frame(rows).map((row) => row.replace(/ {3,}│$/, " │"))
const overlay = (rows: ReadonlyArray<string>) => readOverlay(rows, rows.length - 1)
const dialog = (rows: ReadonlyArray<string>) => overlay(rows).dialog
const labels = (rows: ReadonlyArray<string>) => dialog(rows)?.options.map(({ label }) => label)
const read = (rows: ReadonlyArray<string>) => {
  const found = dialog(rows)
  return found === null
    ? null
    : [found.kind, found.title, found.options.length, found.options.find(({ selected }) => selected)?.label ?? null]
}

const shell = (command: string, more: ReadonlyArray<string> = []) => [
  "✦ I make it.",
  "",
  ...frame([
    `? Shell  ${command}`,
    ...nested([command]),
    "Allow execution of [Shell]?",
    ...more,
    "",
    "● 1. Allow once",
    "  2. Allow for this session",
    "  3. No, suggest changes (esc)"
  ])
]
const auth = (more: ReadonlyArray<string>) =>
  frame([
    "",
    "? Get started",
    "",
    "  How would you like to authenticate for this project?",
    "",
    "  ● 1. Sign in with Google",
    "    2. Use Gemini API Key",
    "    3. Vertex AI",
    "",
    ...more,
    "  (Use Enter to select)",
    ""
  ])
const question = ["Answer Questions", "", "Which database should the project use?", ""]
const askFooter = "Enter to select · ↑/↓ to navigate · Esc to cancel"

describe("Gemini's dialogs", () => {
  it("a permission of three options", () => {
    assert.deepStrictEqual(dialog(shell("mkdir -p out")), {
      kind: "permission",
      title: "Shell mkdir -p out: Allow execution of [Shell]?",
      subject: "mkdir -p out",
      options: [
        { number: 1, label: "Allow once", selected: true },
        { number: 2, label: "Allow for this session", selected: false },
        { number: 3, label: "No, suggest changes (esc)", selected: false }
      ]
    })
  })

  it("a permission of four options", () => {
    const rows = frame([
      "? Edit  app.js: return a => return b",
      ...nested(["1 - return a", "2 + return b"]),
      "Apply this change?",
      "",
      "  1. Allow once",
      "  2. Allow for this session",
      "● 3. Modify with external editor",
      "  4. No, suggest changes (esc)"
    ])
    assert.deepStrictEqual(read(rows), [
      "permission",
      "Edit app.js: return a => return b: Apply this change?",
      4,
      "Modify with external editor"
    ])
  })

  it("a permission of another tool, the second of two, with a hint and the last key's warning", () => {
    const rows = [
      ...frame([
        "Action Required                                        2 of 2",
        "",
        "?  Enter Plan Mode  A larger change",
        "",
        "Do you want to proceed?",
        "",
        "● 1. Allow once",
        "  2. Allow tool for this session",
        "  3. No, suggest changes (esc)"
      ]),
      "",
      "Press Ctrl+C again to exit."
    ]
    assert.deepStrictEqual(read(rows)?.slice(0, 2), [
      "permission",
      "Enter Plan Mode A larger change: Do you want to proceed?"
    ])
  })

  it("a permission whose heading has scrolled away", () => {
    assert.strictEqual(read(shell("cat big").slice(8))?.[0], "permission")
  })

  it("a question, whose last row takes a text", () => {
    const rows = frame([
      ...question,
      "● 1.  PostgreSQL",
      "      A server with many features",
      "  2.  SQLite",
      "      1. One file",
      "  3.  Enter a custom value",
      "",
      askFooter
    ])
    assert.deepStrictEqual(read(rows), ["question", "Which database should the project use?", 3, "PostgreSQL"])
    assert.deepStrictEqual(labels(rows), ["PostgreSQL", "SQLite", "Enter a custom value"])
  })

  it("a question that takes several answers", () => {
    const rows = frame([
      "Answer Questions",
      "",
      "Which features?",
      "(Select all that apply)",
      "",
      "  1. [x] Login",
      "  2. [ ] Search",
      "  3. [ ] All of the above",
      "  4. [ ] Enter a custom value",
      "●    Done",
      "       Finish selection",
      "",
      askFooter
    ])
    assert.deepStrictEqual(labels(rows), [
      "[x] Login",
      "[ ] Search",
      "[ ] All of the above",
      "[ ] Enter a custom value",
      "Done"
    ])
    assert.strictEqual(read(rows)?.[3], "Done")
    const scrolled = frame([
      "Answer Questions",
      "",
      "Which features?",
      "",
      "▲",
      "● 1. [ ] Login",
      "  2. [ ] Search",
      "▼",
      "",
      askFooter
    ])
    assert.deepStrictEqual(labels(scrolled), ["[ ] Login", "[ ] Search"], "the last row on screen is not the last")
  })

  it("a plan", () => {
    const rows = frame([
      "Ready to start implementation?",
      "",
      "1. Read app.js",
      "2. Change it",
      "",
      "● 1.  Yes, automatically accept edits",
      "  2.  Yes, manually accept edits",
      "  3.  Type your feedback...",
      "",
      askFooter
    ])
    assert.deepStrictEqual(read(rows)?.slice(0, 1), ["plan"])
    assert.deepStrictEqual(labels(rows), [
      "Yes, automatically accept edits",
      "Yes, manually accept edits",
      "Enter a custom value: Type your feedback..."
    ])
  })

  it("the gate at the start", () => {
    const rows = frame(
      [
        "",
        "Do you trust the files in this folder?",
        "",
        "Trusting a folder allows Gemini CLI to load its local configurations.",
        "",
        "  1. Trust folder (project)",
        "  2. Trust parent folder (dev)",
        "● 3. Don't trust",
        ""
      ],
      " "
    )
    assert.deepStrictEqual(read(rows), ["trust", "Do you trust the files in this folder?", 3, "Don't trust"])
    const restarting = [...rows, "", "", " Gemini CLI is restarting to apply the trust changes..."]
    assert.deepStrictEqual(overlay(restarting), { dialog: null, picker: false }, "answered")
  })

  it("a login that the CLI wants, not one that the user opens", () => {
    assert.deepStrictEqual(read(auth(["  No authentication method selected.", ""])), [
      "login",
      "How would you like to authenticate for this project?",
      3,
      "Sign in with Google"
    ])
    assert.deepStrictEqual(overlay(auth([])), { dialog: null, picker: true })

    assert.deepStrictEqual(
      read(frame(["", "⠋ Waiting for authentication... (Press Esc or Ctrl+C to cancel)", ""]))?.slice(0, 2),
      ["login", "Waiting for authentication... (Press Esc or Ctrl+C to cancel)"]
    )
  })

  it.each([
    ["Usage limit reached for all Pro models.", ["● 1. Keep trying", "  2. Stop"]],
    ["Usage limit reached for gemini-2.5-flash.", ["● 1. Switch to gemini-2.5-flash-lite", "  2. Stop"]]
  ])("a limit: %s", (text, options) => {
    const found = read(
      frame(["", text, "Access resets at 4:00 PM PST.", "/model to switch models.", "", ...options, ""])
    )
    assert.deepStrictEqual(found?.slice(0, 3), ["question", text, options.length])
  })

  it("a loop that it believes to see, as version 0.61 draws it, with what can be answered", () => {
    const rows = frame(
      [
        "?  A potential loop was detected",
        "",
        "This can happen due to repetitive tool calls or other model behavior. Do you want to keep loop detection enabled or disable",
        "it for this session?",
        "",
        "● 1. Keep loop detection enabled (esc)",
        "  2. Disable loop detection for this session"
      ],
      " "
    )
    const { dialog, picker } = overlay(rows)
    assert.isFalse(picker)
    assert.deepInclude(dialog, { kind: "question", title: "A potential loop was detected" })
  })

  it("other questions of the CLI's own", () => {
    assert.strictEqual(
      read(
        frame([
          "",
          "  The following files are outside your workspace:",
          "",
          "  Do you want to allow this read?",
          "",
          "  ● 1. Yes",
          "    2. No",
          "",
          "  Enter to select · ↑/↓ to navigate"
        ])
      )?.[0],
      "permission"
    )
    assert.strictEqual(
      read(
        frame(["Admin settings have changed. Please restart the session to apply new settings. Press 'r' to restart"])
      )?.[0],
      "other"
    )
  })

  it("nor is the frame of a tool, whatever it printed", () => {
    for (const mark of ["✓", "⊷", "⊶", "x", "-", "o"]) {
      const rows = [
        "✦ I look.",
        "",
        ...frame([
          `${mark}  Shell cat dialog.txt`,
          "",
          "Allow execution of [Shell]?",
          "● 1. Allow once",
          "  2. No, suggest changes (esc)"
        ])
      ]
      assert.deepStrictEqual(overlay(rows), { dialog: null, picker: false }, mark)
      assert.isNull(readDialogAbove(rows, rows.length - 1), mark)
    }
  })

  it("nor one that the conversation goes on under, or that an answer quotes", () => {
    assert.deepStrictEqual(overlay([...shell("ls"), "✦ Done."]), { dialog: null, picker: false })
    assert.deepStrictEqual(overlay(["✦ Like so:", ...shell("ls").map((row) => `  ${row}`)]), {
      dialog: null,
      picker: false
    })
  })

  it("may stand over a box that stays", () => {
    const rows = [...shell("ls"), "", "", ""]
    assert.strictEqual(readDialogAbove(rows, rows.length - 1)?.kind, "permission")
    assert.isNull(readDialogAbove([...rows, "✦ Done."], rows.length))
  })
})
