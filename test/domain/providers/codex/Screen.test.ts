import { assert, describe, it } from "@effect/vitest"
import { Schema } from "effect"
import { readScreen } from "../../../../src/domain/providers/codex/Screen.ts"
import type { ScreenFacts, ScreenView } from "../../../../src/domain/words/session/Screen.ts"
import { screenView } from "../../../support/data/screenView.ts"

/**
 * A screen of these rows. `~` before a row: its text is faint and its mark is not (a placeholder); `^`: only its mark
 * is (a prompt that was sent). The cursor is behind the first `▏`, and hidden where there is none.
 */
const view = (rows: ReadonlyArray<string>, more: Partial<ScreenView> = {}): ScreenView => {
  const plain = rows.map((row) => row.replace(/^[~^]/, ""))
  const y = plain.findIndex((row) => row.includes("▏"))
  const lines = plain.map((row) => row.replace("▏", "").trimEnd())
  return screenView(lines, {
    title: "project",
    faint: (at) => {
      const line = lines[at] ?? ""
      const row = rows[at] ?? ""
      return row.startsWith("~") ? ` ${line.slice(1)}` : row.startsWith("^") ? line.slice(0, 1) : ""
    },
    cursor: { x: y < 0 ? 0 : (plain[y] ?? "").indexOf("▏"), y: Math.max(y, 0), visible: y >= 0 },
    ...more
  })
}
const read = (rows: ReadonlyArray<string>, more?: Partial<ScreenView>) => readScreen(view(rows, more))

const status = "  GPT-6.1-Sol default · ~/project"
const hintsRow = "  ← for agents · ? for shortcuts                    ⚠ 1 warning · f2 to view"
const placeholder = "~› ▏Ask Codex to do anything"
const head = ["", "  >_ OpenAI Codex (v0.169.0)", "     ~/project", ""]
/** The composer at the bottom, and what stands above it. */
const box = (
  above: ReadonlyArray<string> = [],
  input: ReadonlyArray<string> = [placeholder],
  below: ReadonlyArray<string> = [status, hintsRow]
) => [...above, "", "", ...input, "", ...below]
/** A dialog in the composer's place. */
const over = (
  dialog: ReadonlyArray<string>,
  above: ReadonlyArray<string> = [...head, "^› do it", "", "• Running make"]
) => [...above, "", "", ...dialog]

describe("Codex's composer", () => {
  it("has no menu over it where a warning stands above it", () => {
    for (const warning of [
      "⚠ 5h limit: only <1% left · resets at 21:20 · /status",
      "⚠ 5h limit: only <1% left · /status"
    ]) {
      const above = ["■ You’ve hit your usage limit.", "", "", `${" ".repeat(60)}${warning}`]
      const facts = read([...above, "", "› fix it▏", "", status, hintsRow])
      assert.deepStrictEqual([facts.box, facts.picker], [{ draft: "fix it" }, false])
    }
    const menu = read(["• fine", "", "", "  /model  choose what model to use", "", "› /mo▏", "", status, hintsRow])
    assert.isTrue(menu.picker)
  })

  it("is where the cursor is", () => {
    assert.deepStrictEqual(read(box()).box, { draft: "" })
    assert.deepStrictEqual(read(box([], ["› fix it▏"])).box, { draft: "fix it" })
    assert.isNull(read(box([], ["› fix it"])).box, "no cursor: something else has the keys")

    assert.isNull(read(["^› said▏ before", "", "  > quoted"]).box, "a prompt that was sent")
  })

  it("holds drafts of any shape", () => {
    const draft = (...rows: ReadonlyArray<string>) => read(box(["• Text."], rows)).box?.draft
    assert.strictEqual(draft("› one", "  two▏"), "one\ntwo")
    assert.strictEqual(draft("› one", "", "  three▏"), "one\n\nthree")
    assert.strictEqual(draft("› on▏e", "  two"), "one\ntwo", "the cursor on its first row")
    assert.strictEqual(draft("› ends with a break", "  ▏"), "ends with a break")
    assert.strictEqual(draft("›", "  ▏"), "\n", "breaks alone")
    assert.strictEqual(draft("!  ls -la▏"), "! ls -la", "a command for the shell")
    assert.strictEqual(draft("! ▏"), "!")
    assert.strictEqual(draft("› [Pasted Content 1500 chars]▏"), "[Pasted Content 1500 chars]")
  })

  it("may fill the screen, its status rows pushed out", () => {
    const rows = Array.from({ length: 20 }, (_, i) => `  row ${i}`)
    assert.strictEqual(
      read(["", "", "› first", ...rows, "  last▏"]).box?.draft,
      `first\n${rows.map((row) => row.trim()).join("\n")}\nlast`
    )
  })

  it("is empty under its placeholder, whatever stands in the status rows", () => {
    for (const below of [[status, hintsRow], [status], [hintsRow], ["  tab to queue message   Plan mode"], []]) {
      assert.deepStrictEqual(read(box(["• Text."], [placeholder], below)).box, { draft: "" })
    }
  })

  it("is none while it loads: keys may be lost to dialogs of the start", () => {
    const facts = read([...head, "", placeholder, "", "  ? for shortcuts"])
    assert.deepStrictEqual([facts.box, facts.picker, facts.dialog, facts.blank], [null, false, null, false])
    assert.isNotNull(
      read([...head, "", "› typed too early▏", "", "  ? for shortcuts"]).box,
      "text in it is a draft all the same"
    )
  })

  it("is none where rows of another kind stand below", () => {
    assert.isNull(read(["› text▏", "", "• An answer."]).box)
  })
})

describe("Codex's signs of work", () => {
  it.each<readonly [string, string]>([
    ["• Working (0s • esc to interrupt)", "Working"],
    ["◦ Working (1m 04s • esc to interrupt)", "Working"],
    // without animations
    ["Working (0s • esc to interrupt)", "Working"],

    ["• Working (3s • esc to interrupt) · Running hooks", "Working"],
    ["• Compacting context (1s • esc to interrupt)", "Compacting context"],
    ["• Reconnecting... 1/5 (0s • esc to interrupt)", "Reconnecting... 1/5"],
    ["• Server is busy, reconnecting 2/3 (4s • esc to interrupt)", "Server is busy, reconnecting 2/3"]
  ])("%s", (row, activity) => {
    for (const below of [
      [],
      ["  └ Exceeded retry limit, last status: 429"],
      ["  └ Tip: press esc", "", "• Queued follow-up inputs", "  ↳ and then a summary"]
    ]) {
      const facts = read(box(["• Text.", "", row, ...below]))
      assert.deepStrictEqual([facts.working, facts.activity], [true, activity])
    }
    assert.isTrue(read(box([row], ["› half a draft▏"])).working, "under a draft")
  })

  it.each<readonly [string, ReadonlyArray<string>]>([
    ["the end of the turn", ["• Working (12s • esc to interrupt)", "", "  Worked for 4s • 07:25"]],
    ["a later answer", ["• Working (12s • esc to interrupt)", "", "• Done."]],
    ["a quotation within an answer", ["• It shows:", "", "  • Working (12s • esc to interrupt)"]],
    ["another bracket", ["• Working (on it • esc to interrupt)"]],
    ["a prompt", ["^› • Working (12s • esc to interrupt)"]],
    ["a streamed answer", ["• Half of an ans"]]
  ])("not: %s", (_, above) => {
    const facts = read(box(above))
    assert.deepStrictEqual([facts.working, facts.background], [false, null])
  })

  it("a prompt that waits for the turn's end", () => {
    const facts = read(
      box([
        "• Half an answ",
        "",
        "• Queued follow-up inputs",
        "  ↳ and then a summary",
        "    shift+← edit last queued message"
      ])
    )
    assert.deepStrictEqual([facts.working, facts.activity], [true, "a prompt is queued"])
  })

  it.each<readonly [string, ScreenFacts["title"]]>([
    ["⠋ project", "work"],
    ["⠼ ", "work"],
    ["[ ! ] Action Required | project", "ask"],
    ["[ . ] Action Required | project", "ask"],
    ["project", "rest"],
    ["Action Required", "rest"],
    ["", null]
  ])("the title %j", (title, said) => {
    assert.strictEqual(read(box(), { title }).title, said)
    assert.strictEqual(read([], { title }).title, said)
  })
})

const approval = [
  "  Would you like to run the following command?",
  "",
  "  Environment: local",
  "",
  "  Reason: Do you want to allow this?",
  "",
  "  $ touch a.txt",
  "",
  "",
  "› 1. Yes, proceed (y)",
  "  2. Yes, and don't ask again for commands that start with `touch a.txt` (p)",
  "  3. No, and tell Codex what to do differently (esc)",
  "",
  "  Press enter to confirm or esc to cancel"
]
const asked = [
  "  Question 1/2 (2 unanswered)",
  "  Which database should the project use?",
  "",
  "  › 1. SQLite (Recommended)  No server to run.",
  "    2. PostgreSQL            Needs a server.",
  "    3. None of the above     Optionally, add details in notes (tab)",
  ""
]

describe("Codex's dialogs", () => {
  it("a question that a narrow screen has wrapped", () => {
    const [count = "", , ...options] = asked
    const rows = [count, "  Which database should the project", "  use?", ...options]
    assert.deepStrictEqual(read(over(rows)).dialog, read(over(asked)).dialog)
  })

  it("an approval of a command", () => {
    const facts = read(over(approval))
    assert.deepStrictEqual(facts.dialog, {
      kind: "permission",
      title: "Would you like to run the following command? $ touch a.txt",
      subject: "touch a.txt",
      options: [
        { number: 1, label: "Yes, proceed (y)", selected: true },
        {
          number: 2,
          label: "Yes, and don't ask again for commands that start with `touch a.txt` (p)",
          selected: false
        },
        { number: 3, label: "No, and tell Codex what to do differently (esc)", selected: false, endsTurn: true }
      ]
    })
    assert.deepStrictEqual([facts.box, facts.picker], [null, false])
  })

  it("an approval whose every text is broken into rows", () => {
    const narrow = [
      "  Would you like to run the following",
      "  command?",
      "",
      "  Environment: local",
      "",
      "  Reason: Do you want to allow this",
      "  rather long command?",
      "",
      "  [… 11 lines] ^a view all",
      "› 1. Yes, proceed (y)",
      "  2. Yes, and don't ask again for",
      "     commands that start with `touch /",
      "  Press enter to confirm or esc to",
      "  cancel"
    ]
    const { dialog } = read(over(narrow))
    assert.deepStrictEqual(
      [dialog?.kind, dialog?.title],
      ["permission", "Would you like to run the following command?"]
    )
    // its foot alone tells, where the question has no room
    assert.strictEqual(read(over(narrow.slice(8))).dialog?.kind, "permission")
  })

  it.each<readonly [string, ReadonlyArray<string>, ReadonlyArray<number>, string]>([
    ["the first", ["› 1. Yes, proceed (y)", "  2. Yes, and don't ask again", "↓"], [1, 2], "Yes, proceed (y)"],
    ["the last", ["↑", "› 3. No, and tell Codex what to do differently", "     (esc)", ""], [3], "No, and"],
    ["those without a mark", ["  2. Yes, and don't ask again", "› 3. No, and tell (esc)"], [2, 3], "Yes, and"],
    ["one between marks", ["↑", "› 2. Yes, and don't ask again", "↓"], [2], "Yes, and"]
  ])("an approval in a small terminal that has room for a part of its options: %s", (_, options, numbers, first) => {
    const { box, dialog, picker } = read(over([...approval.slice(0, 8), ...options, approval.at(-1) ?? ""]))
    assert.deepStrictEqual(
      [dialog?.kind, dialog?.options.map(({ number }) => number), dialog?.subject, box, picker],
      ["permission", numbers, "touch a.txt", null, false]
    )
    assert.isTrue(dialog?.options[0]?.label.startsWith(first))
  })

  it("an approval whose command looks like a dialog", () => {
    const command = ["  $ cat <<'EOF'", "  1. Yes, the first", "  2. No, the second", "  Implement this plan?", "  EOF"]
    const { dialog } = read(over([...approval.slice(0, 6), ...command, ...approval.slice(7)]))
    assert.deepStrictEqual(
      [dialog?.kind, dialog?.options.length, dialog?.options[0]?.label],
      ["permission", 3, "Yes, proceed (y)"]
    )
  })

  it("a question that is not worded as one", () => {
    const { dialog } = read(
      over([...asked.with(1, "  Choose a database."), "  tab to add notes | enter to submit answer | esc to interrupt"])
    )
    assert.deepStrictEqual([dialog?.kind, dialog?.title, dialog?.options.length], ["question", "Choose a database.", 3])
  })

  it("an approval whose option goes on with a number", () => {
    const { dialog } = read(
      over(
        approval
          .with(10, "  2. Yes, and don't ask again for commands that start with `head -n")
          .toSpliced(11, 0, "     7. a.txt` (p)")
      )
    )
    assert.deepStrictEqual(
      dialog?.options.map(({ label }) => label),
      [
        "Yes, proceed (y)",
        "Yes, and don't ask again for commands that start with `head -n 7. a.txt` (p)",
        "No, and tell Codex what to do differently (esc)"
      ]
    )
  })

  const cheaper = [
    "  Approaching rate limits",
    "  Switch to gpt-6-luna for lower credit usage?",
    "",
    "› 1. Switch to gpt-6-luna                   Fast and affordable model for easier tasks.",
    "  2. Keep current model",
    "  3. Keep current model (never show again)  Hide future rate limit reminders about switching models",
    "",
    "  enter select · esc back"
  ]

  it("what it suggests behind a usage limit, which a key closes without changing anything", () => {
    const { dialog } = read(over(cheaper))
    assert.deepStrictEqual(
      [dialog?.kind, dialog?.title, dialog?.suggests, dialog?.options.length],
      ["question", "Switch to gpt-6-luna for lower credit usage?", true, 3]
    )
    const narrow = cheaper.toSpliced(1, 1, "  Switch to gpt-6-luna for lower", "  credit usage?")
    assert.isTrue(read(over(narrow)).dialog?.suggests)
    // what only looks like it is a question as any other
    const others = [
      cheaper.with(1, "  Switch to gpt-6-luna for all that follows?"),
      cheaper.with(4, "  2. Delete the project"),
      cheaper.toSpliced(5, 1)
    ]
    for (const rows of others) {
      const { dialog } = read(over(rows))
      assert.strictEqual(dialog?.kind, "question")
      assert.isUndefined(dialog?.suggests)
    }
  })

  it("where a command's conversation is to run: the command opened it, and nothing else that it asks", () => {
    const where = [
      "  Where should the new conversation run?",
      "",
      "› 1. Use current Git worktree  Keep using the current working directory",
      "  2. Create new Git worktree   Create a separate checkout of this repository in another directory",
      "",
      "  enter select · esc back"
    ]
    const { dialog } = read(over(where))
    assert.deepStrictEqual(
      [dialog?.kind, dialog?.title, dialog?.opened],
      ["question", "Where should the new conversation run?", true]
    )
    for (const rows of [cheaper, approval, asked]) assert.isUndefined(read(over(rows)).dialog?.opened)
  })

  it("any other question that the CLI asks", () => {
    const { dialog } = read(
      over(["  Submit with unanswered questions?", "", "› 1. Proceed", "  2. Go back", "", "  enter select · esc back"])
    )
    assert.deepStrictEqual([dialog?.kind, dialog?.title], ["question", "Submit with unanswered questions?"])
  })

  it("is none in what an answer quotes", () => {
    const quoted = [
      "• It asks:",
      "",
      ...approval.map((row) => (row.startsWith("›") ? `  ${row}` : row)),
      "",
      ...asked,
      "",
      "  Worked for 2s • 07:38"
    ]
    const facts = read(box(quoted))
    assert.deepStrictEqual(
      [facts.dialog, facts.picker, facts.box, facts.working, facts.interrupted],
      [null, false, { draft: "" }, false, false]
    )
  })

  it("is none in a prompt that quotes it", () => {
    assert.isNull(
      read(box(["^› why does it say: Would you like to run the following command?", "", "• Because."])).dialog
    )
  })
})

describe("Codex's other views", () => {
  const talk = [...head, "^› say hello", "", "• Hello.", "", "  Worked for <1s • 07:29"]
  it.each<readonly [string, ReadonlyArray<string>]>([
    [
      "a text to write, with the cursor in it",
      over(
        [
          "  Custom review instructions",
          "",
          "  ▌ Type instructions▏",
          "",
          "  Press enter to confirm or esc to go back"
        ],
        talk
      )
    ],
    ["the end", [...head, "", "› Shutting down...", "", status]]
  ])("%s", (_, rows) => {
    const facts = read(rows)
    assert.deepStrictEqual([facts.picker, facts.box, facts.dialog], [true, null, null])
  })

  it("nothing at all", () => {
    assert.deepStrictEqual([read([]).blank, read(["", "  "]).blank, read(box()).blank], [true, true, false])
  })
})

describe("readScreen", () => {
  const row = Schema.Literals([
    "",
    "› ",
    "› x▏",
    placeholder,
    "! ls▏",
    "  text",
    "• text",
    "• Working (3s • esc to interrupt)",
    "  Worked for 4s • 07:25",
    "■ Conversation interrupted - use",
    status,
    hintsRow,
    "  ? for shortcuts",
    ...approval,
    ...asked,
    "> 1. Sign in with ChatGPT",
    "^› said",
    "  >_ OpenAI Codex (v0.169.0)"
  ])
  it.prop("a dialog at the bottom is one, whatever stands above it", { above: Schema.Array(row) }, ({ above }) => {
    const facts = readScreen({
      ...view([...above.map((line) => line.replace("▏", "")), "", "• Running make", "", ...approval])
    })
    assert.deepStrictEqual([facts.dialog?.kind, facts.dialog?.options.length, facts.box], ["permission", 3, null])
  })
})
