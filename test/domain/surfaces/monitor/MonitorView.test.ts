import { assert, describe, it } from "@effect/vitest"
import type { Changes } from "../../../../src/domain/store/worktrees/Changes.ts"
import { moments } from "../../../../src/domain/store/worktrees/moments.ts"
import { defaultModes } from "../../../../src/domain/words/session/Session.ts"
import { unreachable } from "../../../../src/domain/words/session/hostUnreached.ts"
import { width } from "../../../../src/domain/surfaces/tui/Cells.ts"
import { view } from "../../../../src/domain/surfaces/monitor/MonitorView.ts"
import { asking, message, question } from "../../../support/data/clientKeys.ts"
import { begin, fedSession, monitorOf } from "../../../support/data/monitorKeys.ts"

const minutesAgo = (minutes: number): string => new Date(begin - minutes * 60_000).toISOString()

const sessions = [
  fedSession("api", {
    state: "needs_permission",
    question,
    since: minutesAgo(4),
    lastMessage: "write the notes",
    cost: { usd: 1.5, estimated: false, turnUsd: 0.2 },
    context: { usedTokens: 190_000, window: 200_000, percent: 95 },
    queue: [message("AAAAA", "then test"), message("BBBBB", "kept", { status: "held" })]
  }),
  fedSession("web-app", { state: "running", message: "Reading files", since: minutesAgo(1) }),
  fedSession("docs", {
    state: "idle",
    reason: "the prompt is empty",
    since: minutesAgo(125),
    lastResponse: "All is written.",
    modes: { autoSend: "always", churn: "send" },
    cwd: "/home/u/docs"
  }),
  fedSession("old", { state: "exited", exit: { code: 3, signal: null } }, "ended"),
  { link: "silent", status: unreachable(fedSession("hung", { state: "running" }).status) } as const
]

const sizes = [
  { cols: 60, rows: 24 },
  { cols: 100, rows: 30 },
  { cols: 200, rows: 50 }
]

describe("the monitor's screen", () => {
  it("shows what failed, why, and what the queue waits for, and counts it apart", () => {
    const pause = { kind: "context", since: minutesAgo(1), until: null, text: "the conversation is full" } as const
    const queue = [
      message("AAAAA", "too long", { status: "done", outcome: "failed", why: "its turn failed: refused" }),
      message("BBBBB", "next", { status: "held", outcome: "failed", why: "its turn failed: full" })
    ]
    const screen = monitorOf([fedSession("api", { queue, pause })], { cols: 140, rows: 40 }).screen()
    assert.match(screen, /^.* api .*1h\+1f.*the conversation is full/m)
    assert.match(screen, /^! AAAAA too long \(its turn failed: refused\)/m)
    assert.match(screen, /^‖ BBBBB next \(its turn failed: full\)/m)
    assert.include(screen, "t try again")
  })

  it.each([
    ["unknown", "failed"],
    ["rate_limited", "at limit"],
    ["overloaded", "failed"]
  ] as const)("a problem of kind %s is called %s", (kind, word) => {
    const failing = fedSession("api", { problem: { kind, message: "no", until: null } })
    assert.match(monitorOf([failing], { cols: 140, rows: 40 }).screen(), new RegExp(`^.* ! api +${word} `, "m"))
  })

  it.each(sizes)("at $cols columns: each row has exactly them, and all sessions are on it", ({ cols, rows }) => {
    const monitor = monitorOf(sessions, { cols, rows })
    const lines = monitor.rows()
    assert.strictEqual(lines.length, rows)
    for (const line of lines) assert.strictEqual(width(line), cols, line)
    const screen = monitor.screen()
    for (const { status } of sessions)
      assert.match(screen, new RegExp(`^. . ?. ?${status.tag} |[!?▶○×~] ${status.tag} `, "m"))
    assert.include(screen, "2 need you")
  })

  it.each(sizes)("at $cols columns: says at once that two sessions write the same file, in both rows", (size) => {
    const writes = (path: string, minutes: number) => [{ path, at: minutesAgo(minutes) }]
    const monitor = monitorOf(
      [...sessions, fedSession("one", { state: "running", writes: writes("/p/main.ts", 3) })],
      size
    )
    assert.notInclude(monitor.screen(), "≠")
    const two = fedSession("two", { state: "running", writes: writes("/p/main.ts", 0) })
    monitor.tell({ _tag: "Fed", events: [{ _tag: "Changed", session: two }], at: begin })
    assert.include(monitor.screen(), "one and two write the same file: /p/main.ts")
    assert.match(monitor.screen(), /▶ one .*≠ main\.ts \(two\)/)
    assert.match(monitor.screen(), /▶ two .*≠ main\.ts \(one\)/)
    // it is no news for ever
    monitor.tell({ _tag: "TimePassed", at: begin + 11 * 60_000 })
    assert.notInclude(monitor.screen(), "≠ main.ts")
  })

  it("says how many sessions are above and below what is shown, and shows no header that stands over nothing", () => {
    const many = ["a1", "a2", "a3"].map((tag) => fedSession(tag, { state: "running" }))
    const resting = Array.from({ length: 9 }, (_, i) => fedSession(`b${i}`, { state: "idle" }))
    for (let rows = 12; rows < 24; rows++) {
      const monitor = monitorOf([...many, ...resting], { cols: 60, rows })
      for (let pressed = 0; pressed < 12; pressed++) {
        const shown = monitor.rows().filter((row) => /^. . ?. ?[ab]\d |^[ ❯].[▶○] [ab]\d /.test(row)).length
        const screen = monitor.screen()
        const above = Number(/ ↑ (\d+) more$/m.exec(screen)?.[1] ?? 0)
        const below = Number(/ ↓ (\d+) more$/m.exec(screen)?.[1] ?? 0)
        assert.strictEqual(above + shown + below, 12, screen)
        assert.notMatch(screen, /── (?:working|at rest) \(\d\) +\n(?:──| *↓)/, screen)
        monitor.press("down")
      }
    }
  })

  it.each([24, 30, 50])("in %d rows: a dialog has its edit above its options, as far as there is room", (rows) => {
    const lines = ["+a", "-b", "@", " c", ...Array.from({ length: 60 }, (_, n) => `+line ${n}`)]
    const file = { path: "src/a.ts", from: null, kind: "changed", added: 61, removed: 1, lines } as const
    const proposal = { command: null, edit: { files: [file], unshown: 40, unlisted: 0 } }
    const screen = monitorOf([fedSession("api", { ...asking, proposal })], { cols: 100, rows }).screen()
    assert.match(screen, /^src\/a\.ts \+61 −1 *\n\+a *\n-b *\n/m)
    const shown = screen.match(/^\+line \d+ *$/gm)?.length ?? 0
    assert.include(screen, `… and ${rows === 24 ? 102 : 100 - shown} more lines left out: its screen has them`)
    assert.match(screen, /left out: its screen has them *\n +1 Yes/)
    assert.match(screen, /^ +3 No/m)
    const long = Array.from({ length: 40 }, (_, n) => `echo ${n}`).join("\n")
    const command = monitorOf([fedSession("api", { ...asking, proposal: { command: long, edit: null } })], {
      cols: 100,
      rows
    }).screen()
    assert.include(command, "  echo 0")
    assert.match(command, /^ +3 No/m)
    assert.notInclude(command, "  notes.md")
  })

  it("in 20 columns: nothing is cut without a sign, and an answer has no empty row", () => {
    const options = [1, 2].map((number) => ({ number, label: `option ${number}` }))
    const monitor = monitorOf([fedSession("api", { ...asking, question: { title: "So?", options } })], {
      cols: 20,
      rows: 5
    })
    assert.match(monitor.screen(), /^leap monitor · 1 se…$/m)
    monitor.press("a")
    assert.match(monitor.screen(), /^── api asks: So\? *\n❯ 1 option 1 *\n {2}2 option 2 *$/m)
    monitor.press("escape", "?")
    for (let at = 0; at < 300; at++) {
      assert.notInclude(monitor.screen().split("\n").slice(1).join("\n"), "…\n")
      monitor.press("down")
    }
  })

  it.each([60, 80, 120, 200])("at %i columns: each key of the footer is whole", (cols) => {
    const monitor = monitorOf(sessions, { cols, rows: 24 })
    monitor.press("home")
    const footer = monitor.rows().at(-1)?.trimEnd() ?? ""
    assert.match(footer, /^Enter attach · \? keys · q leave · n new(?: · [^·…]+)*$/)
  })

  it("at 60 columns: the tag, the state and since when, the queue, the context, and why", () => {
    const { screen } = monitorOf(sessions, { cols: 60, rows: 24 })
    assert.match(screen(), /^ {2}! api +permission +4m 1\+1h 95%! +Write notes\.md/m)
    // at rest what was said last tells more than why nothing happens
    assert.match(screen(), /^ {2}○ docs +idle +2h05 +– +All is written\./m)
    assert.match(screen(), /^ {2}× old +ended .*exit code 3/m)
    assert.match(screen(), /^❯ ~ hung +no answer/m)
  })

  it("at 200 columns: modes, cost, branch with changed files, directory, and the screen beside the list", () => {
    const monitor = monitorOf(sessions, { cols: 200, rows: 50 })
    monitor.press("down")
    monitor.tell({ _tag: "GitRead", directory: "/home/u/docs", git: { branch: "main", changed: 3 } })
    monitor.tell({ _tag: "Screened", tag: "api", text: "the CLI's own\nscreen" })
    const screen = monitor.screen()
    assert.match(screen, /TAG +STATE +CLI +MODES +Q +CTX +COST +BRANCH +WHY +PROMPT/)
    assert.match(screen, /○ docs +idle +2h05 demo +auto\+send +– +main\*3 +All is written\./)
    assert.match(screen, /\$1\.50/)
    assert.match(screen, /│ the CLI's own$/m)
    assert.match(screen, /│ context 95% \(190k of 200k tokens\) · cost \$1\.50, last turn \$0\.20/)
    assert.match(screen, /│ {3}1 Yes/)
    assert.match(screen, /│ ‖ BBBBB kept/)
  })

  it.each([80, 100, 120, 140, 170, 200])(
    "at %i columns: the last prompt of each session, but where it needs you",
    (cols) => {
      const prompted = [
        fedSession("api", { state: "running", message: "Reading files", lastMessage: "mend the parser" }),
        fedSession("docs", { lastMessage: "write it down", lastResponse: "All is written." }),
        fedSession("new", {}),
        fedSession("old", { noContext: true })
      ]
      const screen = monitorOf(prompted, { cols, rows: 30 }).screen()
      assert.match(screen, /^.*▶ api .*› mend/m)
      assert.match(screen, /^.*▶ api .*Reading/m)
      assert.match(screen, /^.*○ docs .*› write/m)
      assert.match(screen, /^.*○ docs .*All is/m)
      assert.notMatch(screen, /^.*○ new .*›/m)
    }
  )

  it("shows a mute session as that until it is no more", () => {
    const until = new Date(begin + 60_000).toISOString()
    const monitor = monitorOf([fedSession("api", { modes: { ...defaultModes, night: "on", mute: until } })], {
      cols: 200,
      rows: 50
    })
    assert.match(monitor.screen(), /○ api .* demo +night\+mu/)
    assert.include(monitor.screen(), "modes night+mute")
    monitor.tell({ _tag: "TimePassed", at: begin + 60_000 })
    assert.notInclude(monitor.screen(), "night+mu")
  })

  it("has groups, those that need the user first, who has waited longest before the others", () => {
    const monitor = monitorOf([...sessions, fedSession("ask", { state: "needs_input", since: minutesAgo(9) })])
    const names = monitor
      .screen()
      .split("\n")
      .filter((line) => /^(── |[❯ ].\S )/.test(line) || line.startsWith("  "))
      .flatMap((line) => line.match(/^── (.+) \(\d+\)/)?.[1] ?? line.match(/^[❯ ][+ ][!?▶○×~] (\S+)/)?.[1] ?? [])
    assert.deepStrictEqual(names, [
      "needs you",
      "hung",
      "ask",
      "api",
      "working",
      "web-app",
      "at rest",
      "docs",
      "ended",
      "old"
    ])
  })

  it("tells each state by a sign and a word, not by its colour alone", () => {
    const states = [
      "starting",
      "idle",
      "running",
      "needs_permission",
      "needs_input",
      "interrupted",
      "churning",
      "exited"
    ]
    const monitor = monitorOf(states.map((state, i) => fedSession(`s${i}`, { state: state as "idle" })))
    const shown = monitor.rows().flatMap(
      (line) =>
        line
          .match(/^[❯ ] (\S) s\d +([a-z]+)/)
          ?.slice(1, 3)
          .join(" ") ?? []
    )
    assert.strictEqual(new Set(shown.map((text) => text.split(" ")[0])).size, states.length)
    assert.strictEqual(new Set(shown.map((text) => text.split(" ")[1])).size, states.length)
  })

  it("neutralises what models, titles, paths and branches bring", () => {
    const evil = "\x1b]52;c;ZXZpbA==\x07\x1b[2J\u202egnp.\u200btxt\x9b31m\r\n"
    const monitor = monitorOf(
      [
        fedSession("api", {
          state: "needs_permission",
          message: evil,
          reason: evil,
          cwd: `/tmp/${evil}`,
          displayName: evil,
          cli: evil,
          lastMessage: evil,
          lastResponse: evil,
          problem: { kind: "model", message: evil, until: null },
          question: { title: evil, subject: evil, options: [{ number: 1, label: evil }] },
          proposal: {
            command: evil,
            edit: {
              files: [
                { path: evil, from: evil, kind: "renamed", added: 1, removed: 0, lines: [`+${evil}`, `@ ${evil}`] }
              ],
              unshown: 0,
              unlisted: 0
            }
          },
          queue: [message("AAAAA", evil)]
        })
      ],
      { cols: 200, rows: 50 }
    )
    monitor.tell({ _tag: "GitRead", directory: `/tmp/${evil}`, git: { branch: evil, changed: 1 } })
    monitor.tell({ _tag: "Screened", tag: "api", text: evil })
    monitor.tell({ _tag: "Said", text: evil, bad: true })
    for (const keys of [[], ["a"], ["escape", "/", evil], ["enter", "escape", "s", evil], ["escape", "escape", "y"]]) {
      monitor.press(...keys)
      for (const row of monitor.rows()) {
        assert.notMatch(row, /[\p{Cc}\u200b\u202a-\u202e\u2066-\u2069]/u)
        assert.strictEqual(width(row), 200)
      }
    }
  })

  it("keeps the selected session in sight among hundreds, and says how many there are", () => {
    const many = Array.from({ length: 500 }, (_, i) => fedSession(`s${i}`, { state: i % 3 === 0 ? "running" : "idle" }))
    const monitor = monitorOf(many, { cols: 100, rows: 30 })
    assert.match(monitor.screen(), /^leap monitor · 500 sessions: 167 working · 333 at rest/)
    for (const [keys, tag] of [
      [["end"], "s499"],
      [["up", "page-up"], null],
      [["home"], "s0"],
      [["wheel-down"], "s9"]
    ] as const) {
      monitor.press(...keys)
      const selected = monitor.state().selected
      if (tag !== null) assert.strictEqual(selected, tag)
      assert.match(monitor.screen(), new RegExp(`^❯ . ${selected} `, "m"))
    }
  })

  it("gives a small terminal what fits, the list before all else", () => {
    for (const size of [
      { cols: 1, rows: 1 },
      { cols: 10, rows: 3 },
      { cols: 30, rows: 6 },
      { cols: 2000, rows: 2 }
    ]) {
      const monitor = monitorOf(sessions, size)
      for (const keys of [[], ["a"], ["escape", "s", "text"], ["escape", "?"]]) {
        monitor.press(...keys)
        const rows = monitor.rows()
        assert.strictEqual(rows.length, size.rows)
        for (const row of rows) assert.strictEqual(width(row), size.cols)
      }
    }
    assert.include(monitorOf(sessions, { cols: 40, rows: 4 }).screen(), "❯ ")
  })

  it("shows the cursor where something is written, and nowhere else", () => {
    const monitor = monitorOf(sessions)
    assert.isNull(view(monitor.state()).cursor)
    monitor.press("s", "hello")
    const { cursor } = view(monitor.state())
    assert.strictEqual(monitor.rows()[cursor!.y]?.slice(0, cursor!.x), "› hello")
    monitor.press("escape", "/", "web")
    assert.deepStrictEqual(view(monitor.state()).cursor, { x: 12, y: 0 })
  })
})

describe("what a session has changed", () => {
  const lines = Array.from({ length: 60 }, (_, n) => `+line ${n + 1}`)
  const changes: Changes = {
    directory: "/home/u/work",
    against: { name: "main", commit: "0123456789abcdef" },
    files: [
      { path: "a.txt", from: null, kind: "changed", added: 1, removed: 1 },
      { path: "src/b.ts", from: null, kind: "added", added: 60, removed: 0 }
    ],
    patch: [
      "diff --git a/a.txt b/a.txt",
      "--- a/a.txt",
      "+++ b/a.txt",
      "@@ -1,2 +1,2 @@",
      " same\there",
      "-before",
      `+${"after 漢字 ".repeat(20)}END\u001b[31m\u202e`,
      "diff --git a/src/b.ts b/src/b.ts",
      "new file mode 100644",
      "--- /dev/null",
      "+++ b/src/b.ts",
      "@@ -0,0 +1,60 @@",
      ...lines,
      ""
    ].join("\n"),
    unlisted: 0,
    unshown: 1
  }

  it.each([
    { cols: 30, rows: 8 },
    { cols: 80, rows: 24 },
    { cols: 120, rows: 40 }
  ])("is read file by file at $cols columns, and looked at again", ({ cols, rows }) => {
    const monitor = monitorOf(sessions.slice(0, 2), { cols, rows })
    const has = (text: RegExp): void => assert.match(monitor.screen(), text)
    monitor.press("c")
    has(/── api · looking/)
    // what came late, for another session, is not shown
    monitor.tell({ _tag: "Compared", tag: "web-app", against: null, found: "no" })
    has(/looking/)
    monitor.tell({ _tag: "Compared", tag: "api", against: null, found: changes })
    has(/── api · 2 files differ from/)
    if (cols >= 120) has(/left out: it is too long/)
    has(/a\.txt +\+1 −1/)
    has(/^(?:.*│)? +1  same {4}here/m)
    has(/^(?:.*│)? +2 -before/m)
    assert.notInclude(monitor.screen(), "END")
    for (let n = 0; n < 26; n++) monitor.press("right")
    has(/END\n/)
    assert.notMatch(monitor.screen(), /[\u001b\u202e]/)
    for (let n = 0; n < 9; n++) for (const row of monitor.rows()) assert.strictEqual(width(row), cols, row)
    monitor.press("tab")
    has(/b\.ts +\+60 −0/)
    has(/1 \+line 1$/m)
    monitor.press("end")
    has(/60 \+line 60\n/)
    has(/── api · \d+–62 of 62/)
    if (cols >= 120) has(/❯ src\/b\.ts/)
    monitor.press("tab")
    has(/before/)
    monitor.press("r")
    has(/looking/)
    monitor.tell({ _tag: "Compared", tag: "api", against: null, found: "it is in no git work tree" })
    has(/it is in no git/)
    // what came late, of another comparison, is not shown
    monitor.press("t")
    monitor.tell({ _tag: "Compared", tag: "api", against: null, found: changes })
    has(/── api · looking/)
    monitor.tell({
      _tag: "Compared",
      tag: "api",
      against: ":turn",
      found: { ...changes, against: { name: moments[":turn"], commit: null } }
    })
    has(/── api · 2 files differ from/)
    if (cols >= 80) has(/from the beginning of its last turn[^]*t since session start/)
    monitor.press("escape")
    has(/^❯ ! api/m)
  })
})
