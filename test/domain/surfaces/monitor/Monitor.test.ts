import { assert, describe, it } from "@effect/vitest"
import { Schema } from "effect"
import * as Monitor from "../../../../src/domain/surfaces/monitor/Monitor.ts"
import { view } from "../../../../src/domain/surfaces/monitor/MonitorView.ts"
import { FeedLink } from "../../../../src/domain/words/session/Feed.ts"
import { SessionState } from "../../../../src/domain/words/session/Session.ts"
import { lineWidth } from "../../../../src/domain/surfaces/tui/Paint.ts"
import { message, question } from "../../../support/data/clientKeys.ts"
import { begin, fedSession, key, monitorOf } from "../../../support/data/monitorKeys.ts"

const asking = { state: "needs_permission", question } as const
const held = { state: "exited", queue: [message("AAAAA", "kept", { status: "held" })] } as const

const failed = message("FFFFF", "full", { status: "done", outcome: "failed" })

const of = () =>
  monitorOf([
    fedSession("api", asking),
    fedSession("web", { state: "running", queue: [failed] }),
    fedSession("docs", { state: "idle", cwd: "/home/u/papers", lastResponse: "Done." }),
    fedSession("old", held, "ended")
  ])

describe("the monitor's keys", () => {
  it.each([
    [["enter"], [{ _tag: "Visit", what: "attach", tag: "api" }]],
    [["e"], [{ _tag: "Visit", what: "queue", tag: "api" }]],
    [
      ["down", "c", "r", "t", "r", "t", "t"],
      [null, null, ":turn", ":turn", ":start", null].map((against) => ({ _tag: "Compare", tag: "web", against }))
    ],
    [["E"], [{ _tag: "Visit", what: "editor", tag: "api" }]],
    [
      ["down", "s", "say", " ", "hello", "enter"],
      [{ _tag: "Do", tags: ["web"], call: { _tag: "Send", text: "say hello", images: [], front: false, force: false } }]
    ],
    // an empty text and one that is left send nothing
    [["s", "enter", "escape", "s", "text", "escape"], []],
    [["a", "enter"], [{ _tag: "Do", tags: ["api"], call: { _tag: "Answer", answer: "1", question } }]],
    [["a", "3", "enter"], [{ _tag: "Do", tags: ["api"], call: { _tag: "Answer", answer: "3", question } }]],
    [["a", "down", "enter"], [{ _tag: "Do", tags: ["api"], call: { _tag: "Answer", answer: "2", question } }]],
    // a number only marks: nothing is answered by a slip of the finger
    [["a", "3"], []],
    [
      ["a", "t", "no, later", "enter"],
      [{ _tag: "Do", tags: ["api"], call: { _tag: "Answer", answer: "no, later", question } }]
    ],
    [["i"], [{ _tag: "Do", tags: ["api"], call: { _tag: "Interrupt" } }]],
    [["m", "a"], [{ _tag: "Do", tags: ["api"], call: { _tag: "SetModes", modes: { autoSend: "always" } } }]],
    [["m", "w"], [{ _tag: "Do", tags: ["api"], call: { _tag: "SetModes", modes: { churn: "wait" } } }]],
    [["m", "l"], [{ _tag: "Do", tags: ["api"], call: { _tag: "SetModes", modes: { night: "on" } } }]],
    [
      ["u", "h"],
      [{ _tag: "Do", tags: ["api"], call: { _tag: "SetModes", modes: { mute: "2026-01-01T01:10:00.000Z" } } }]
    ],
    [["u", "m"], [{ _tag: "Do", tags: ["api"], call: { _tag: "SetModes", modes: { mute: "on" } } }]],
    [[" ", " ", "u", "u"], [{ _tag: "Do", tags: ["api", "web"], call: { _tag: "SetModes", modes: { mute: "off" } } }]],
    [["t"], []],
    [["down", "t"], [{ _tag: "Do", tags: ["web"], call: { _tag: "QueueRetry", id: null } }]],
    [[" ", " ", " ", "t"], [{ _tag: "Do", tags: ["web"], call: { _tag: "QueueRetry", id: null } }]],
    [["r"], [{ _tag: "Visit", what: "resume" }]],
    [["x"], []],
    [["x", "n"], []],
    [["x", "y"], [{ _tag: "Do", tags: ["api"], call: { _tag: "Stop", force: false } }]],
    [["x", "k"], [{ _tag: "Do", tags: ["api"], call: { _tag: "Stop", force: true } }]],
    // the same keys on a Russian keyboard
    [["ч", "л"], [{ _tag: "Do", tags: ["api"], call: { _tag: "Stop", force: true } }]],
    [["end", "r"], [{ _tag: "Resume", tags: ["old"] }]],
    [["end", "enter", "y"], [{ _tag: "Resume", tags: ["old"] }]],
    [["end", "f", "y"], [{ _tag: "Forget", tags: ["old"], force: true }]],
    [["down", "down", "y", "d"], [{ _tag: "Copy", text: "/home/u/papers", what: "the directory" }]],
    [["down", "down", "y", "a"], [{ _tag: "Copy", text: "Done.", what: "the last answer" }]],
    [["end", "v"], [{ _tag: "Visit", what: "move", tag: "old" }]],
    [["v"], [{ _tag: "Visit", what: "move", tag: "api" }]]
  ] as const)("%j ask for %j", (keys, commands) => {
    const monitor = of()
    monitor.press(...keys)
    assert.deepStrictEqual(monitor.taken(), commands as never)
  })

  it.each([
    ["down", "a", "web asks nothing now"],
    ["end", "s", "it has ended"],
    ["end", "i", "there is no turn to interrupt"],
    ["end", "x", "it has ended already"],
    [" ", "r", "it runs already"],
    ["home", "f", "it runs: x stops it"]
  ])("%s %s says why not: %s", (move, pressed, why) => {
    const monitor = of()
    monitor.press(move, pressed)
    assert.deepStrictEqual(monitor.taken(), [])
    assert.include(monitor.screen(), why)
  })

  it.each([60, 200])("offers each choice whole at %i columns", (cols) => {
    const monitor = monitorOf([fedSession("api", asking)], { cols, rows: 24 })
    const offered = {
      m: [
        "p permission requests wait for you (current)",
        "a your policy answers permission requests",
        "w messages wait for background work (current)",
        "l continue automatically after a usage limit",
        "o stay stopped at a usage limit (current)"
      ],
      u: ["h no notices for an hour", "m no notices until it is unmuted", "u notices as before", "n no"],
      x: ["y stop", "k kill at once", "n no"]
    }
    for (const [key, choices] of Object.entries(offered)) {
      monitor.press(key)
      for (const choice of choices) assert.include(monitor.screen(), choice)
      monitor.press("escape")
    }
  })

  it("filters as it is typed: by tag, state, directory and branch, and says what fits", () => {
    const monitor = of()
    monitor.tell({ _tag: "GitRead", directory: "/home/u/papers", git: { branch: "feature/x", changed: 0 } })
    const listed = () => monitor.state().list.flatMap((row) => (row._tag === "Session" ? [row.tag] : []))
    for (const [query, tags] of [
      ["w", ["api", "web", "old"]],
      ["we", ["web"]],
      ["needs perm", ["api"]],
      ["PAPERS", ["docs"]],
      ["feature/x", ["docs"]],
      ["ended", ["old"]],
      ["nothing of the kind", []]
    ] as const) {
      monitor.press("escape", "/", query)
      assert.deepStrictEqual(
        listed().toSorted((a, b) => (a < b ? -1 : 1)),
        tags.toSorted((a, b) => (a < b ? -1 : 1)),
        query
      )
    }
    assert.include(monitor.screen(), "no session fits 'nothing of the kind'")
    monitor.press("ctrl+u", "docs", "enter")
    // the filter is kept, and letters are keys again
    monitor.press("s", "hi", "enter")
    assert.deepStrictEqual(monitor.taken(), [
      { _tag: "Do", tags: ["docs"], call: { _tag: "Send", text: "hi", images: [], front: false, force: false } }
    ])
    monitor.press("escape")
    assert.strictEqual(listed().length, 4)
  })

  it("keeps the selection on its session, wherever that goes, and on a neighbour when it is gone", () => {
    const monitor = of()
    monitor.press("down")
    assert.strictEqual(monitor.state().selected, "web")
    monitor.change(fedSession("web", { state: "idle" }))
    assert.strictEqual(monitor.state().selected, "web")
    monitor.press("home", "down", "down")
    assert.strictEqual(monitor.state().selected, "web")
    monitor.feed({ _tag: "Gone", tag: "web" })
    assert.strictEqual(monitor.state().selected, "old")
    monitor.feed({ _tag: "Snapshot", sessions: [] })
    assert.isNull(monitor.state().selected)
    assert.include(monitor.screen(), "no sessions yet")
  })

  it("without any session says what it found, and offers only keys that do something", () => {
    const found = {
      place: "~/app",
      branch: "main",
      clis: [
        { displayName: "Claude Code", version: "2.1.329" },
        { displayName: "Codex", version: null }
      ],
      missing: [{ displayName: "Gemini CLI", hint: "install it with: npm install -g x" }],
      earlier: 3
    }
    const none = { ...found, clis: [], branch: null, earlier: 0 }
    for (const [what, size, says, not] of [
      [
        found,
        { cols: 80, rows: 24 },
        ["n  start a session in ~/app, branch main", "Claude Code 2.1.329 · Codex", "3 earlier", "d  watch the show"],
        "install it"
      ],
      [found, { cols: 120, rows: 40 }, ["n start · r earlier conversations · d show · ? keys · q leave"], "attach"],
      [
        none,
        { cols: 80, rows: 24 },
        ["Gemini CLI        install it with: npm install -g x", "d show · ? keys"],
        "n start"
      ],
      [none, { cols: 30, rows: 6 }, ["no sessions yet"], "n start"]
    ] as const) {
      const monitor = monitorOf([], size)
      assert.isTrue(Monitor.wantsFound(monitor.state()))
      monitor.tell({ _tag: "Found", found: what })
      assert.isFalse(Monitor.wantsFound(monitor.state()))
      for (const text of says) assert.include(monitor.screen(), text)
      assert.notInclude(monitor.screen(), not)
      assert.isTrue(view(monitor.state()).lines.every((line) => lineWidth(line) === size.cols))
      monitor.press("n", "r", "d")
      const visits = monitor.taken().flatMap((one) => (one._tag === "Visit" ? [one.what] : []))
      assert.deepStrictEqual(visits, ["start", "resume", "demo"])
    }
  })

  it("brings back with R what a crash or a reboot ended, and nothing else", () => {
    const monitor = monitorOf([
      fedSession("killed", { state: "exited", exit: { code: null, signal: "SIGKILL" }, cutOff: true }, "ended"),
      fedSession("lost", { state: "exited", problem: { kind: "crashed", message: "", until: null } }, "ended"),
      fedSession("alone", { state: "exited", exit: { code: 1, signal: null }, unexpectedEnd: true }, "ended"),
      fedSession("stopped", { state: "exited", exit: { code: 0, signal: null } }, "ended"),
      fedSession("runs", { state: "idle" })
    ])
    monitor.press("R")
    assert.deepStrictEqual(monitor.taken(), [{ _tag: "Resume", tags: ["alone", "killed", "lost"] }])
    const none = monitorOf([fedSession("runs", { state: "idle" })])
    none.press("R")
    assert.deepStrictEqual(none.taken(), [])
    assert.include(none.screen(), "no session was ended by a crash or a reboot")
  })

  it("answers no dialog that has gone or changed meanwhile", () => {
    for (const [keys, next] of [
      [["a"], { state: "running" }],
      [["a"], { ...asking, question: { ...question, title: "Delete all?" } }],
      [["a", "t", "yes"], { state: "running" }]
    ] as const) {
      const monitor = of()
      monitor.press(...keys)
      monitor.change(fedSession("api", next))
      monitor.press("enter")
      assert.deepStrictEqual(
        monitor.taken().filter(({ _tag }) => _tag === "Do"),
        []
      )
    }
    const monitor = of()
    monitor.press("a")
    monitor.change(fedSession("api", { ...asking, attached: 1 }))
    monitor.press("enter")
    assert.strictEqual(monitor.taken().length, 1, "another change of the session leaves the dialog")
  })

  it("orders by need, by name and by the newest change", () => {
    const at = (minute: number) => ({ since: new Date(begin - minute * 60_000).toISOString() })
    const monitor = monitorOf([
      fedSession("s10", { ...asking, ...at(3) }),
      fedSession("s9", { state: "idle", ...at(1) }),
      fedSession("s2", { state: "running", ...at(2) })
    ])
    const listed = () => monitor.state().list.flatMap((row) => (row._tag === "Session" ? [row.tag] : []))
    assert.deepStrictEqual(listed(), ["s10", "s2", "s9"])
    monitor.press("o")
    assert.deepStrictEqual(listed(), ["s2", "s9", "s10"])
    monitor.press("o")
    assert.deepStrictEqual(listed(), ["s9", "s2", "s10"])
    monitor.press("o")
    assert.deepStrictEqual(listed(), ["s10", "s2", "s9"])
  })

  it("selects what is clicked, and nothing where no session is", () => {
    const monitor = of()
    const y = monitor.rows().findIndex((row) => /○ docs/.test(row))
    monitor.tell({ _tag: "Pressed", key: { key: "click", x: 5, y }, at: begin })
    assert.strictEqual(monitor.state().selected, "docs")
    for (const at of [0, 2, 29]) monitor.tell({ _tag: "Pressed", key: { key: "click", x: 5, y: at }, at: begin })
    assert.strictEqual(monitor.state().selected, "docs")
  })

  it("takes letters that come together for one key after another, and a paste for none", () => {
    const monitor = of()
    monitor.press("jjsay")
    assert.include(monitor.screen(), "› ay")
    const other = of()
    other.tell({ _tag: "Pressed", key: { key: "paste", text: "xyfy" }, at: begin })
    assert.deepStrictEqual(other.taken(), [])
    assert.strictEqual(other.state().mode._tag, "List")
  })

  it("is left by q, Ctrl+C and Ctrl+D, and does nothing afterwards", () => {
    for (const name of ["q", "ctrl+c", "ctrl+d"]) {
      const monitor = of()
      monitor.press(name, "enter")
      assert.isTrue(monitor.state().left)
      assert.deepStrictEqual(monitor.taken(), [])
    }
  })

  it("wants the git of the directories in sight, and the screen of the selected session", () => {
    const monitor = of()
    assert.deepStrictEqual(Monitor.wantsGit(monitor.state()), ["/home/u/work", "/home/u/papers"])
    assert.strictEqual(Monitor.wantsScreen(monitor.state()), "api")
    monitor.press("p")
    assert.isNull(Monitor.wantsScreen(monitor.state()))
  })
})

const keys = [
  ..."jkgGeasimuxfrvyophlqwdtn123 *?/-é漢".split(""),
  ..."enter escape up down page-up page-down home end tab backspace ctrl+l ctrl+u ctrl+w ctrl+j f1 wheel-up wheel-down".split(
    " "
  )
]

describe("properties", () => {
  const Text = Schema.Literals([
    "",
    "short",
    "\x1b[31mred\x1b[m",
    "漢字かな交じり文",
    "a\tb\nc",
    "👩‍👩‍👧‍👦 e\u0301",
    "x".repeat(3000)
  ])
  const Session = Schema.Struct({
    tag: Schema.Literals(["a", "b", "c10", "c9", "d".repeat(200)]),
    link: FeedLink,
    state: SessionState,
    text: Text,
    asks: Schema.Boolean
  })
  const Step = Schema.Union([
    Schema.Struct({ key: Schema.Literals(keys) }),
    Schema.Struct({ click: Schema.Struct({ x: Schema.Int, y: Schema.Int }) }),
    Schema.Struct({ session: Session }),
    Schema.Struct({ gone: Schema.Literals(["a", "b", "c10"]) }),
    Schema.Struct({ size: Schema.Tuple([Schema.Literals([1, 7, 60, 100, 161]), Schema.Literals([1, 5, 24, 40])]) }),
    Schema.Struct({ text: Text })
  ])

  it.prop(
    "whatever is pressed and told, each row has exactly the screen's columns, and nothing throws",
    [Schema.Array(Step)],
    ([steps]) => {
      const monitor = monitorOf([fedSession("a"), fedSession("b", asking)])
      for (const step of steps) {
        if ("key" in step) monitor.tell({ _tag: "Pressed", key: key(step.key), at: begin })
        else if ("click" in step) monitor.tell({ _tag: "Pressed", key: { key: "click", ...step.click }, at: begin })
        else if ("gone" in step) monitor.feed({ _tag: "Gone", tag: step.gone })
        else if ("size" in step) monitor.tell({ _tag: "Resized", size: { cols: step.size[0], rows: step.size[1] } })
        else if ("text" in step) {
          monitor.tell({ _tag: "Said", text: step.text, bad: false })
          monitor.tell({ _tag: "Screened", tag: "a", text: step.text })
          monitor.tell({ _tag: "Pressed", key: { key: "paste", text: step.text }, at: begin })
        } else {
          const { asks, link, state, tag, text } = step.session
          const question = { title: text, subject: text, options: [{ number: 1, label: text }] }
          const texts = {
            message: text,
            reason: text,
            lastResponse: text,
            lastMessage: text,
            cwd: text,
            displayName: text
          }
          monitor.change(fedSession(tag, { state, ...texts, question: asks ? question : null }, link))
        }
        const state = monitor.state()
        const { cursor, lines } = view(state)
        assert.strictEqual(lines.length, state.size.rows)
        for (const line of lines) assert.strictEqual(lineWidth(line), state.size.cols)
        if (cursor !== null) {
          assert.isTrue(cursor.x >= 0 && cursor.x < state.size.cols)
          assert.isTrue(cursor.y >= 0 && cursor.y < state.size.rows)
        }
        if (state.list.some(({ _tag }) => _tag === "Session")) assert.isNotNull(state.selected)
      }
    },
    { arbitrary: { runs: 150 } }
  )
})
