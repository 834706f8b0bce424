import { assert, describe, it } from "@effect/vitest"
import { readScreen } from "../../../../src/domain/providers/copilot/Screen.ts"
import { type ScreenView } from "../../../../src/domain/words/session/Screen.ts"
import { screenView } from "../../../support/data/screenView.ts"

const tabs = "[Current]  Sessions   Issues   Pull requests   Gists"
const model = "          gpt-5.4 · Medium"
const idle = ` ← open sidebar · Interactive · Manual Approval · / commands · ? help · tab next tab${model}`
const typed = ` Interactive · Manual Approval · @ files · # issues${model}`
const hints = "↑/↓ to navigate · enter to select · esc to cancel"

const view = (lines: ReadonlyArray<string>, more: Partial<ScreenView> = {}) =>
  screenView(lines, { cols: 100, rows: 30, title: "GitHub Copilot", cursor: { x: 2, y: 0, visible: true }, ...more })
const read = (lines: ReadonlyArray<string>, more?: Partial<ScreenView>) => readScreen(view(lines, more))
const rule = (cols = 100) => "─".repeat(cols)

interface Parts {
  readonly prompt?: ReadonlyArray<string>
  readonly footer?: string
  readonly said?: ReadonlyArray<string>
  readonly notice?: string
  readonly below?: ReadonlyArray<string>
  readonly cols?: number
}
/** A whole screen with its box. */
const screen = ({
  below = [],
  cols = 100,
  footer = idle,
  notice = "",
  prompt = ["❯"],
  said = []
}: Parts = {}): ReadonlyArray<string> => [
  tabs,
  "",
  ...said,
  "",
  notice,
  " ~/project [⎇ main]",
  rule(cols),
  ...prompt,
  rule(cols),
  footer,
  ...below
]
/** The same with the cursor behind the text of its first prompt row. */
const typing = (parts: Parts, x: number) => {
  const lines = screen(parts)
  return read(lines, { cursor: { x, y: lines.indexOf(rule()) + 1, visible: true } })
}

describe("a draft that begins with a slash", () => {
  it.each<readonly [string, number, string]>([
    ["❯ /tmp/foo.txt is what I mean", 2, "/tmp/foo.txt is what I mean"],
    ["❯ /tmp/foo.txt is what I mean", 6, "/tmp/foo.txt is what I mean"],
    ["❯ /clear", 4, "/c"]
  ])("%s, with the cursor in column %i, is %s", (row, x, draft) => {
    assert.strictEqual(typing({ prompt: [row], footer: typed }, x).box?.draft, draft)
  })
})
const panel = (rows: ReadonlyArray<string>, cols = 100): ReadonlyArray<string> => [
  `╭${"─".repeat(cols - 2)}╮`,
  ...rows.map((row) => `│ ${row.padEnd(cols - 4)} │`),
  `╰${"─".repeat(cols - 2)}╯`
]

describe("Copilot's box", () => {
  it("may have a menu of files over it", () => {
    const lines = [tabs, "", "    @README.md", "  ❯ @/home/dev/project/", "", "", rule(), "❯ look at @", rule(), typed]
    assert.isTrue(read(lines).picker)
    // the rows of what no longer fits stay empty
    assert.isTrue(read([tabs, "", "  ❯ @app.js", "", "", "", "", "", rule(), "❯ look at @app", rule(), typed]).picker)
  })

  it.each([
    [" ctrl+c again to exit", false],
    [" esc again to rewind", false],
    [" esc again to clear input", false],
    [" copied to clipboard", false]
  ])("is there with the footer %j, which says that it rests: %s", (footer, resting) => {
    const facts = read(screen({ footer }))
    assert.deepStrictEqual(
      [facts.box, facts.working, facts.picker, facts.resting],
      [{ draft: "" }, false, false, resting]
    )
  })

  it.each([
    " any key close help",
    " / commands · ctrl+e text editor",
    " search · ↑↓ navigate · esc close",
    " -- NORMAL -- · Interactive · Manual Approval",
    " → focus timeline · ? sidebar help"
  ])("has not the keys with the footer %j", (footer) => assert.isTrue(read(screen({ footer })).picker))

  it("takes a shell's commands behind a mark, and opens a terminal where that is a dollar alone", () => {
    const draftOf = (prompt: string, footer: string) => read(screen({ prompt: [prompt], footer })).box?.draft
    assert.strictEqual(draftOf("! ls", " Shell · / commands"), "!ls")
    const opens = " enter open an interactive shell here · ⌫ cancel                    gpt-5.4"
    const edges = [`╻${"▄".repeat(99)}`, `╹${"▀".repeat(99)}`] as const
    assert.strictEqual(read([tabs, "", " ~/project", edges[0], "┃ $", edges[1], opens]).box?.draft, "!$")
  })

  it("stands right of the sidebar", () => {
    const left = (row: string) => `${row.padEnd(36)}│`
    const bare = screen({ cols: 63, footer: " ← use sidebar · → close sidebar · ? sidebar help     gpt-5.4" })
    const facts = read(bare.map((row, y) => left(y === 3 ? "  ●  Session 1" : "") + row))
    assert.deepStrictEqual([facts.box, facts.picker, facts.working], [{ draft: "" }, true, false])
    const works = read(
      screen({ cols: 63, footer: " ◎ Working · 141 B esc esc interrupt" }).map((row) => left("") + row)
    )
    assert.isTrue(works.working)
  })
})

describe("Copilot's signs of work", () => {
  it.each([
    [" ◉ Working esc esc edit prompt", "Working"],
    [" ◎ Working · 141 B esc esc interrupt", "Working"],
    [" ○ Working · 1.3 KiB esc again to interrupt", "Working"],
    [" ◉ Exploring the parser · 2 KiB (Esc to cancel)", "Exploring the parser"],
    [" ∙ Reading…  gpt-5.4 · Medium", "Reading…"]
  ])("the footer %j: %s", (footer, activity) => {
    const facts = read(screen({ footer: footer + model }))
    assert.deepStrictEqual(
      [facts.working, facts.activity, facts.box, facts.resting],
      [true, activity, { draft: "" }, false]
    )
  })

  it("none where a circle is only a mark", () => {
    const facts = read(screen({ footer: " ← open sidebar · Interactive · Manual Approval · ● a mark · / commands" }))
    assert.deepStrictEqual([facts.working, facts.resting], [false, true])
  })

  it.each([" ● Loading: 15 hooks, 2 skills", " ○ Loading: 2 skills — still waiting on mcp; ide"])(
    "none while it loads: %j",
    (footer) => {
      const facts = read(screen({ footer }))
      assert.deepStrictEqual([facts.working, facts.resting, facts.box], [false, false, { draft: "" }])
    }
  )

  it("tasks in the background", () => {
    assert.strictEqual(read(screen({ footer: " 2 background /tasks · Interactive · Manual Approval" })).background, 2)
    assert.isNull(read(screen({ footer: " esc again to stop agents" })).background)
  })

  it("a prompt that is queued", () => {
    const said = [
      " ● Paragraph 1.",
      " ❯ second question, typed early and",
      "   wrapped            08:18 ┃",
      "   └ [pending · ↑ recall]   ┃"
    ]
    const facts = read(screen({ said }))
    assert.deepStrictEqual([facts.working, facts.activity, facts.resting], [true, "a prompt is queued", false])
    assert.isFalse(read(screen({ said, footer: " ◎ Cancelling" })).working, "while the turn is being stopped")
  })
})

describe("an older Copilot, whose conversation is marked in the first column", () => {
  const footer = ` / commands · ? help${model}`
  const old = (above: ReadonlyArray<string>, row = footer) => read(["", ...above, rule(), "❯", rule(), row])
  const directory = " ~/project [⎇ main]"

  it("rests under notices and replies", () => {
    for (const said of [
      ["● 💡 No copilot instructions found. Run /init to generate one.", "", "● Environment loaded: 1 skill", "", ""],
      ["● No copilot-instructions.md found. Run /init to generate.", ""],
      ["❯ say something", "", "● Paragraph 1. The parser reads one token at a time.", ""]
    ]) {
      const facts = old([...said, directory])
      assert.deepStrictEqual([facts.working, facts.resting, facts.activity], [false, true, null], said[0])
    }
  })

  it("works while the row on the directory's can be cancelled, whatever its footer says", () => {
    for (const row of ["◎ Thinking (Esc to cancel · 30 B)", "● Thinking (Esc to cancel)"]) {
      const facts = old(["❯ say something", "", row, directory])
      assert.deepStrictEqual([facts.working, facts.resting, facts.activity], [true, false, "Thinking"], row)
    }
    assert.isTrue(old(["◎ Thinking (Esc to cancel)", ""]).working, "without the directory's row")
    assert.isTrue(old(["● Compacting (Esc to cancel)", "", "● a notice below it", directory]).working)
  })

  it("does not say that it rests while it takes prompts for its queue", () => {
    const facts = old(["❯ go", "", directory], ` / commands · ? help · ctrl+q enqueue${model}`)
    assert.deepStrictEqual([facts.working, facts.resting], [false, false])
  })

  it("was stopped", () => {
    assert.isTrue(old(["❯ go", "", "● Operation cancelled by user", "", directory]).interrupted)
    assert.isFalse(
      old(["● Operation cancelled by user", "", "❯ go", "", "● Gone.", "", directory]).interrupted,
      "again"
    )
  })
})

describe("Copilot's marks of a turn's end", () => {
  it("a turn that was stopped", () => {
    const cancelling = read(screen({ footer: " ◎ Cancelling" }))
    assert.deepStrictEqual([cancelling.interrupted, cancelling.stopping], [true, true])

    assert.isFalse(
      read(screen({ said: [" ● It says:", "", "   ● Operation cancelled by user"] })).interrupted,
      "quoted"
    )
  })

  it("a login that is missing", () => {
    assert.isTrue(read(screen({ notice: "Please use /login to sign in to use Copilot" })).loggedOut)
    assert.isFalse(read(screen({ said: [" ● Please use /login to sign in to use Copilot"] })).loggedOut)
  })
})

describe("Copilot's dialogs", () => {
  const shell = [
    "Create a folder",
    "─".repeat(96),
    "╭──────╮",
    "│ echo '❯ 1. No' && mkdir out │",
    "╰──────╯",
    "",
    "Do you want to run this command?",
    ""
  ]
  const choices = [
    "❯ 1. Yes",
    "  2. Yes, and don't ask again for `mkdir` in this repo (~/project)",
    "  3. No, and tell Copilot what to do differently (Esc to stop)",
    "",
    hints
  ]

  it("a permission, of which Enter may leave the last choice open", () => {
    assert.deepStrictEqual(read([tabs, " ● I make it.", "", ...panel([...shell, ...choices])]).dialog, {
      kind: "permission",
      title: "Create a folder: Do you want to run this command?",
      subject: "echo '❯ 1. No' && mkdir out",
      options: [
        { number: 1, label: "Yes", selected: true },
        { number: 2, label: "Yes, and don't ask again for `mkdir` in this repo (~/project)", selected: false },
        { number: 3, label: "No, and tell Copilot what to do differently (Esc to stop)", selected: false, open: true }
      ]
    })
  })

  it("its top may be above the screen, its choices wrapped, a status line under it", () => {
    const rows = panel(
      [
        "",
        "❯ 1. Yes",
        "  2. Yes, and don't ask again for",
        "  `mkdir` in this repo",
        " 3. No, and tell Copilot what to do",
        " differently (Esc to stop)",
        "",
        hints
      ],
      40
    ).slice(1)
    const { dialog } = read([tabs, ...rows, "[x] ❯"], { cols: 40 })
    assert.deepStrictEqual(
      [dialog?.kind, dialog?.options.map(({ label, number }) => [number, label])],
      [
        "permission",
        [
          [1, "Yes"],
          [2, "Yes, and don't ask again for `mkdir` in this repo"],
          [3, "No, and tell Copilot what to do differently (Esc to stop)"]
        ]
      ]
    )
  })

  it("an answer that is typed into its last choice", () => {
    const { dialog } = read([
      tabs,
      ...panel([
        ...shell,
        "  1. Yes",
        "  2. Yes, always",
        "❯3. use the name build instead, please (Esc to",
        "     keep the others                   stop)",
        "",
        hints
      ])
    ])
    assert.deepStrictEqual(
      dialog?.options.map(({ selected }) => selected),
      [false, false, true]
    )
  })

  it.each<readonly [string, ReadonlyArray<string>, string, number]>([
    [
      "a switch of models after a limit",
      ["Switch to auto mode?", "You've been rate limited.", "", "❯ 1. Yes", "  2. Yes (always)", "  3. No (Esc)"],
      "other",
      3
    ]
  ])("%s", (_, rows, kind, options) => {
    const { box, dialog, picker } = read([tabs, ...panel([...rows, "", hints])])
    assert.deepStrictEqual([dialog?.kind, dialog?.options.length, dialog?.options[0]?.selected, box, picker], [
      kind,
      options,
      true,
      null,
      false
    ] as never)
  })

  const form = (rows: ReadonlyArray<string>, footer = " ↑/↓ select · enter accept · ctrl+d decline · esc cancel") => [
    rule(),
    ...rows,
    "",
    footer,
    rule()
  ]
  const choice = [
    " Copilot needs information.",
    " Which database?",
    "",
    " Database:",
    "   PostgreSQL with a long",
    " description",
    " ❯ SQLite",
    "   Other (type your answer)"
  ]

  it("a question, which an interrupt key only declines", () => {
    assert.deepStrictEqual(read([tabs, "", ...form(choice)]).dialog, {
      kind: "question",
      title: "Which database?",
      options: [
        { number: null, label: "PostgreSQL with a long description", selected: false },
        { number: null, label: "SQLite", selected: true },
        { number: null, label: "Other (type your answer)", selected: false }
      ],
      declines: true
    })
  })

  it("a question for a text, or for several answers", () => {
    const field = [
      " Copilot needs information.",
      " What name?",
      "",
      " Name",
      ` ${"─".repeat(98)}`,
      " ❯ bright",
      ` ${"─".repeat(98)}`
    ]
    assert.deepStrictEqual(read([tabs, ...form(field)]).dialog?.options, [
      { number: null, label: "(your answer)", selected: true, open: true }
    ])
  })

  // a screen of few rows has the tabs in the place of the upper rule, and the form's first rows out of sight
  it.each<readonly [string, ReadonlyArray<string>, ReadonlyArray<string>]>([
    [
      "all above its field",
      choice.slice(3),
      ["PostgreSQL with a long description", "SQLite", "Other (type your answer)"]
    ],
    ["some of its options", choice.slice(5), []],
    ["all but options that are not pointed at", ["   Option 22", "   Option 23"], []]
  ])("a question that lacks %s", (_, rows, options) => {
    const { dialog } = read([tabs, "", ...form(rows).slice(1)])
    assert.deepStrictEqual([dialog?.kind, dialog?.options.map(({ label }) => label)], ["question", options])
  })

  it("none that a reply quotes", () => {
    const quoted = [...panel([...shell, ...choices], 90), rule(90), " ❯", rule(90), ...form(choice)].map(
      (row) => `   ${row}`
    )
    const facts = read(screen({ said: [" ● Like so:", "", ...quoted] }))
    assert.deepStrictEqual([facts.dialog, facts.picker, facts.box, facts.working], [null, false, { draft: "" }, false])
    const works = read(
      screen({ said: [" ● Like so:", "", ...quoted, idle], footer: " ◎ Working · 9 B esc esc interrupt" })
    )
    assert.deepStrictEqual([works.dialog, works.working, works.resting], [null, true, false])
  })
})

describe("Copilot's screen in a terminal that told its colours", () => {
  const named = "  Current   Sessions   Issues   Pull requests   Gists"
  const edges = ["╻" + "▄".repeat(99), "╹" + "▀".repeat(99)] as const
  const prompt = (row: string) => [` ${"▄".repeat(96)} ┃`, `  ❯ ${row}            13:54   ┃`, ` ${"▀".repeat(96)} ┃`]
  const framed = ({
    footer = idle,
    said = [],
    typed = [""]
  }: {
    readonly footer?: string
    readonly said?: ReadonlyArray<string>
    readonly typed?: ReadonlyArray<string>
  } = {}) => [
    named,
    "",
    ...said,
    "",
    "",
    " ~/project [⎇ main]",
    edges[0],
    ...typed.map((row) => `┃ ${row}`),
    edges[1],
    footer
  ]

  it("marks a queued prompt behind it", () => {
    assert.isTrue(read(framed({ said: [" ● Text.", ...prompt("second (pending · ↑ recall)")] })).working)
    assert.isFalse(read(framed({ said: [...prompt("second"), " ● It is (pending · ↑ recall)"] })).working)
    const wrapped = (last: string) => [
      " " + "▄".repeat(96),
      `  ❯ a prompt that is wrapped${" ".repeat(50)}9:54 PM`,
      "    before its mark",
      `    ${last}`,
      " " + "▀".repeat(96)
    ]
    for (const last of ["(pending · ↑ recall)", "so long (pending)", "second row"]) {
      assert.strictEqual(
        read(framed({ said: [" ● Text.", ...wrapped(last)] })).activity,
        last === "second row" ? null : "a prompt is queued",
        last
      )
    }
    const cut = [" " + "▄".repeat(96), "  ❯ second (pending ·            13:54", "    ↑ recall)", " " + "▀".repeat(96)]
    assert.isTrue(read(framed({ said: cut })).working, "the mark itself is wrapped")
    assert.isFalse(read(framed({ said: cut, footer: " ◎ Cancelling" })).working, "while the turn is being stopped")
  })

  it("asks for a text in a frame too, and is read before its lower rule is drawn", () => {
    const lines = [
      named,
      "",
      rule(),
      " Copilot needs information.",
      " What name?",
      "",
      " Name",
      ` ${"▄".repeat(98)}`,
      "  ❯ otter",
      ` ${"▀".repeat(98)}`,
      "",
      " enter accept · esc cancel"
    ]
    for (const form of [lines, [...lines, rule()]])
      assert.deepStrictEqual(
        read(form).dialog?.options.map(({ label }) => label),
        ["(your answer)"]
      )
  })

  it("stands right of the sidebar as well", () => {
    const lines = [
      " ←   +".padEnd(36) + "│" + named,
      ...[" ~/project", "╻" + "▄".repeat(62), "┃ hi", "╹" + "▀".repeat(62), " Interactive · Manual Approval"].map(
        (row) => `${"".padEnd(36)}│${row}`
      )
    ]
    assert.deepStrictEqual(read(lines).box, { draft: "hi" })
  })

  it("has another tab open when the conversation's has no colour of its own", () => {
    const back = { chip: "48;2;20;27;34", open: "48;2;9;105;218" }
    const runs = (open: number) => () =>
      ["Current", "Sessions", "Gists"].flatMap((name, index) => [
        { x: index * 12, text: " ", foreground: "", background: "" },
        { x: index * 12 + 1, text: ` ${name} `, foreground: "", background: index === open ? back.open : back.chip }
      ])
    const lines = [named, "", "   Something to read"]
    assert.deepStrictEqual(
      [0, 1, 2].map((open) => read(lines, { runs: runs(open) }).picker),
      [false, true, true]
    )
    assert.isFalse(read([" Another first row", ...lines], { runs: runs(1) }).picker, "no tabs")
    assert.isFalse(read(framed(), { runs: runs(1) }).picker, "its box is on screen")
  })

  it("asks to visit an address in its frame, in place of the box", () => {
    const visit = (...rows: ReadonlyArray<string>) => [
      named,
      "",
      " ● I ask.",
      "",
      edges[0],
      ...rows.map((row) => `┃ ${row}`),
      edges[1]
    ]
    const { box, dialog } = read(
      visit(
        " github wants you to visit",
        " Log in, please.",
        "",
        " https://example.com",
        "",
        " enter open · esc cancel"
      )
    )
    assert.deepStrictEqual([box, dialog?.kind, dialog?.title], [null, "elicitation", "Log in, please."])
    assert.isNotNull(
      read(visit(" Opened in browser.", " Log in, please.", "", " https://example.com", "", " any key dismiss")).dialog
    )
    const typed = read([...visit(" github wants you to visit"), idle])
    assert.deepStrictEqual(
      [typed.box, typed.dialog],
      [{ draft: "github wants you to visit" }, null],
      "typed by the user"
    )
    assert.isNull(read(visit("a draft, esc cancel")).dialog, "a frame that is half drawn")
    assert.isNull(read([...screen({ prompt: ["❯ x wants you to visit"], footer: "" })]).dialog, "between rules")
  })
})

describe("Copilot's screen for a screen reader", () => {
  const home = " Home: current tab: Current, Sessions, Issues, Pull requests, Gists"
  const talk = ["", "  please", "", "  Shell Make a folder", "   mkdir out", ""]
  const boxed = (prompt: ReadonlyArray<string>, footer = idle, above = " ~/project [⎇ main]") =>
    [home, ...talk, above, rule(), ...prompt, rule(), footer] as const
  /** With the cursor so far into the box. */
  const at = (lines: ReadonlyArray<string>, x: number, y = 0) =>
    read(lines, { cursor: { x, y: lines.indexOf(rule()) + 1 + y, visible: true } })

  it.each<readonly [string, ReadonlyArray<string>, number, string]>([
    ["nothing", ["Start of Prompt Indicator"], 25, ""],
    [
      "rows",
      ["Start of Prompt Indicatorone", "                         two", "", "                           three"],
      31,
      "one\ntwo\n\n  three"
    ],
    [
      "a text beside the words that it has wrapped",
      ["Start of Prompt      a text that", "Indicator            goes on"],
      28,
      "a text that\ngoes on"
    ],
    ["a command's arguments as a hint", ["Start of Prompt Indicator/model [plan|auto]"], 31, "/model"]
  ])("a box with %s", (_, prompt, x, draft) => {
    const lines = boxed(prompt)
    assert.deepStrictEqual(at(lines, x).box, { draft })
  })

  it.each<readonly [string, boolean]>([
    ["  Working · 244 B esc esc interrupt", true],
    [" Plan · Manual Approval ·  Working esc esc edit prompt", true],
    [idle, false],
    [" Interactive · Manual Approval · @ files", false]
  ])("the footer %s", (footer, working) => {
    const facts = at(boxed(["Start of Prompt Indicator"], footer), 25)
    assert.deepStrictEqual([facts.box, facts.working], [{ draft: "" }, working])
  })

  it("suggestions, and another tab", () => {
    const menu = boxed(["Start of Prompt Indicator/mo"], typed, "Current selection: /model   Set the model")
    assert.isTrue(at(menu, 28).picker)
    assert.isFalse(at(boxed(["Start of Prompt Indicator/mo"], typed), 28).picker)
    assert.isTrue(read([" Home: current tab: Sessions, Current, Issues", "", "  No sessions"]).picker)
  })

  const inset = ["╭" + "─".repeat(98) + "╮", `│ mkdir out${" ".repeat(88)}│`, "╰" + "─".repeat(98) + "╯"]
  const panel = (head: string, subject: ReadonlyArray<string>, question: string, options: ReadonlyArray<string>) => [
    home,
    ...talk,
    head,
    ...subject,
    "",
    question,
    "",
    ...options,
    "",
    hints
  ]
  const three = (chosen: number) =>
    ["Yes", "Yes, and don't ask again", "No, and tell Copilot what to do differently (Esc to stop)"].map(
      (label, n) => `${n === chosen ? "Current selection: " : "  "}${n + 1}. ${label}`
    )
  it.each<readonly [string, ReadonlyArray<string>, string, string | undefined, string, number]>([
    [
      "a file",
      panel("Create file", ["a.md +1 -0", "/p", "", "1 +   - one"], "Do you want to create /p/a.md?", three(0)),
      "Create file: Do you want to create /p/a.md?",
      "/p/a.md",
      "Yes",
      3
    ],
    [
      "a narrow screen, where the words at its option are wrapped beside it",
      panel("Run it", inset, "Do you want to run this command?", [
        "  1. Yes",
        "  2. Yes, and don't ask again for `touch` in this repo",
        "  (~/project)",
        "Current       3. No, and tell Copilot what to do  (Esc to",
        "selection:       differently                     stop)"
      ]),
      "Run it: Do you want to run this command?",
      "mkdir out",
      "No, and tell Copilot what to do differently (Esc to stop)",
      3
    ],
    [
      "a narrower one, where its words are cut as well",
      panel("Run it", inset, "Do you want to run this command?", [
        "  1. Yes",
        " 2. Yes, and don't ask again for `touch`",
        "  in this repo (~/project)",
        "Current    3.No, and tell Copil (Esc to",
        "selection:    what to do       stop)",
        "             differently"
      ]),
      "Run it: Do you want to run this command?",
      "mkdir out",
      "No, and tell Copil what to do differently (Esc to stop)",
      3
    ],
    [
      "a narrow screen, where a text is typed into that option",
      panel("Run it", inset, "Do you want to run this command?", [
        "  1. Yes",
        "  2. Yes, and don't ask again",
        "Current       3. Not now, please, but when the        (Esc to",
        "selection:       tests have run, and the whole of it  stop)",
        "                 is green"
      ]),
      "Run it: Do you want to run this command?",
      "mkdir out",
      "Not now, please, but when the tests have run, and the whole of it is green (Esc to stop)",
      3
    ]
  ])("a permission for %s", (_, lines, title, subject, chosen, count) => {
    const { box, dialog, picker } = read(lines)
    assert.deepStrictEqual(
      [box, picker, dialog?.kind, dialog?.title, dialog?.subject],
      [null, false, "permission", title, subject]
    )
    const options = dialog?.options ?? []
    assert.deepStrictEqual([options.find(({ selected }) => selected)?.label, options.length], [chosen, count])
  })

  it("the question whether a folder is trusted, with older rows far above", () => {
    const { dialog } = read([
      home,
      "Check for mistakes.",
      "",
      "",
      "Confirm folder trust",
      ...inset,
      "",
      "Do you trust the files in this folder?",
      "",
      "  1. Yes",
      "Current selection: 2. Yes, and remember this folder for future sessions",
      "  3. No (Esc)",
      "",
      hints
    ])
    assert.deepStrictEqual(
      [dialog?.kind, dialog?.options.map(({ selected }) => selected)],
      ["trust", [false, true, false]]
    )
    const low = ["Current selection: 1. Yes", "  2. Yes, allow it", "  3. No, and tell Copilot what to do", "", hints]
    // in few rows, where nothing but the options has room below the tabs, which are wrapped
    for (const [lines, count] of [
      [[" Home: current tab: Current, Sessions,", " Issues", "", ...low], 3],
      [[" Home: current tab: Current, Sessions,", " Issues", "", "", ...low], 3],
      [[" Home: current tab: Current, Sessions,", " Issues", "", ...low.slice(1)], undefined]
    ] as const)
      assert.strictEqual(read(lines).dialog?.options.length, count)
    const list = read([home, "", "Select model", "", "Current selection: 1. Auto", "  2. gpt-5.4", "", hints])
    assert.deepStrictEqual([list.dialog, list.picker], [null, true], "a list that the user opened")
  })
})

describe("Copilot's other screens", () => {
  it.each<readonly [string, ReadonlyArray<string>]>([
    ["another tab, without hints", [" Current   Sessions  [Issues]  Pull requests   Gists", "", " Nothing here"]],
    [
      "models",
      [
        tabs,
        rule(),
        "",
        " ❯ gpt-5.4 (default) ✓",
        ` ${rule(98)}`,
        " ❯  Search models…",
        ` ${rule(98)}`,
        " ↑/↓ to navigate · enter to select · esc to",
        " cancel"
      ]
    ],

    [
      "a question aside",
      [tabs, ...panel(["/ask what is it", "", "An answer.", "", "esc to dismiss · ctrl+e to expand"])]
    ],
    ["changes", ["No changes compared to the main branch.", "", "b local edits · w hide whitespace · esc exit"]]
  ])("%s owns the keys and is no dialog", (_, lines) => {
    const facts = read(lines)
    assert.deepStrictEqual([facts.picker, facts.dialog, facts.box, facts.working], [true, null, null, false])
  })
})
