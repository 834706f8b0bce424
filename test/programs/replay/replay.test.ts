import { assert, describe, it } from "@effect/vitest"
import { Deferred, Effect, Layer, Option, Queue, Schema, Stream } from "effect"
import { limits, settling } from "../../../src/domain/engine/tracker/stateRules/limits.ts"
import * as ProvidersBuiltin from "../../../src/layers/providers/ProvidersBuiltin.ts"
import * as ScreenXterm from "../../../src/layers/terminal/ScreenXterm.ts"
import { replay, replayText } from "../../../src/programs/replay/replay.ts"
import { cut } from "../../support/data/streams.ts"
import { effect } from "../../support/run/effects.ts"
import { each, rowsOf } from "../../support/data/fields.ts"

const live = Layer.mergeAll(ProvidersBuiltin.layer, ScreenXterm.layer)

interface Answer {
  readonly t: number
  readonly state: string
  readonly ready: boolean
  readonly dialog: boolean
  readonly reason: string
  readonly tick?: boolean
  readonly decision?: Readonly<Record<string, unknown>>
}

const header = { version: 2, width: 60, height: 12, timestamp: 1_795_000_000, leap: { provider: "claude" } }
const rule = "─".repeat(60)
/** Clears the screen and draws these rows. */
const draw = (...rows: ReadonlyArray<string>) => `\u001b[2J\u001b[H${rows.join("\r\n")}`
const atRest = draw("● Hello.", "", rule, "❯ ", rule, "  ⏸ manual mode on")
const busy = draw("● Hello.", "", "✻ Thinking… (1s)", "", rule, "❯ ", rule, "  ⏸ manual mode on · esc to interrupt")
const typed = draw("● Hello.", "", rule, "❯ fix it", rule, "  ⏸ manual mode on")
const asks = draw(
  rule,
  " Bash command",
  " ls",
  " Do you want to proceed?",
  " ❯ 1. Yes",
  "   2. No",
  "",
  " Esc to cancel · Tab to amend"
)

/** Lines of a recording: output, input, a marker, a size, a tick. */
const line = (code: string) => (t: number, data: string) => [t, code, data]
const [o, input, m, r] = [line("o"), line("i"), line("m"), line("r")] as const
const k = (t: number) => [t, "k", ""]

const run = (
  lines: ReadonlyArray<unknown>,
  options: { readonly provider?: string; readonly noHooks?: boolean; readonly header?: unknown } = {}
) =>
  replay(
    { provider: Option.fromUndefinedOr(options.provider), noHooks: options.noHooks ?? false },
    Stream.fromIterable(
      [options.header ?? header, ...lines].map((line) => (typeof line === "string" ? line : JSON.stringify(line)))
    )
  ).pipe(
    Stream.map((line): Answer => JSON.parse(line)),
    Stream.runCollect,
    Effect.provide(live)
  )

/** When it was in which state. */
const states = (answers: ReadonlyArray<Answer>) => answers.map(({ state, t }) => `${t} ${state}`)

describe("replay", () => {
  effect("answers at once, and when something changes", function* () {
    const answers = yield* run([o(0.5, atRest), o(0.6, atRest), o(3, busy)])
    assert.deepStrictEqual(rowsOf(answers, "t", "state", "ready"), [
      [0, "starting", false],
      [0.5, "idle", false],
      [0.5 + settling.start / 1000, "idle", true],
      [3, "running", false]
    ])
    assert.deepStrictEqual(Object.keys(answers[0] ?? {}), ["t", "state", "ready", "dialog", "reason"])
  })

  effect("fires each timer at its own time, and none after the last line", function* () {
    const quick = yield* run([o(0.5, atRest), m(1, "note:x")])
    assert.deepStrictEqual(each(quick, "t"), [0, 0.5])
    const slow = yield* run([o(0.5, atRest), m(3600, "note:x")])
    assert.deepStrictEqual(each(slow, "t"), [0, 0.5, 2.5])
  })

  effect("answers each tick with one line", function* () {
    const answers = yield* run([o(0.5, atRest), k(1), k(1), k(2.5), k(9)])
    assert.deepStrictEqual(
      answers.map(({ ready, t, tick }) => [t, ready, tick === true]),
      [
        [0, false, false],
        [0.5, false, false],
        [1, false, true],
        [1, false, true],
        [2.5, true, false],
        [2.5, true, true],
        [9, true, true]
      ]
    )
  })

  effect("hears hooks, the status file, bare signals and program-status reports", function* () {
    const answers = yield* run([
      o(0.5, atRest),
      m(3, `hook:UserPromptSubmit {"prompt":"go"}`),
      o(3.1, `${busy}\u001b]7501;state=working:msg=UmVhZGluZw==\u001b\\`),
      m(4, `hook:Stop {"last_assistant_message":"ok","background_tasks":[]}`),
      o(4.1, `\u001b]7501;state=done\u001b\\${atRest}`)
    ])
    assert.deepStrictEqual(states(answers), ["0 starting", "0.5 idle", "2.5 idle", "3 running", "4.1 idle"])
    assert.match(answers[3]?.reason ?? "", /hook UserPromptSubmit/)
    const byFile = yield* run([o(0.5, atRest), m(3, `session:{"status":"busy"}`), m(4, "session:gone"), k(5)])
    assert.deepStrictEqual(states(byFile.slice(3)), ["3 running", "4 idle", "5 idle"])
    const bySignal = yield* run([
      m(0.5, "signal:needs_permission"),
      k(1),
      m(2, "signal:idle"),
      m(3, "signal:nonsense"),
      k(4)
    ])
    assert.deepStrictEqual(
      each(
        bySignal.filter(({ tick }) => tick),
        "state"
      ),
      ["needs_permission", "idle"]
    )
  })

  effect("drops all of them when asked to, and keeps input, screen and title", function* () {
    const answers = yield* run(
      [
        o(0.5, atRest),
        m(3, `hook:UserPromptSubmit {"prompt":"go"}`),
        m(3.1, `session:{"status":"busy"}`),
        o(3.2, "\u001b]7501;state=working\u001b\\"),
        m(3.3, "signal:needs_input"),
        o(6, typed),
        input(7, "\r"),
        o(8, busy),
        o(12, atRest),
        k(12.5)
      ],
      { noHooks: true }
    )
    assert.deepStrictEqual(states(answers), [
      "0 starting",
      "0.5 idle",
      "2.5 idle",
      "6 idle",
      "7 running",
      `${12 + limits.quiet / 1000} idle`,
      "12.5 idle"
    ])
    const byTitle = yield* run([o(0.5, atRest), o(3, "\u001b]0;◐ Work\u0007"), o(4, "\u001b]0;✳ Work\u0007"), k(4.5)], {
      noHooks: true
    })
    assert.deepStrictEqual(each(byTitle.slice(3), "state"), ["running", "idle", "idle"])
  })

  effect("says whose the arrow keys are", function* () {
    const answers = yield* run([o(0.5, atRest), o(3, asks), input(4, "\u001b[B"), k(5)])
    assert.deepStrictEqual(rowsOf(answers.slice(3), "state", "dialog", "ready"), [
      ["needs_permission", true, false],
      ["needs_permission", true, false]
    ])
  })

  effect("takes the terminal's own replies for no keys", function* () {
    const replies = [
      "\u001b[I",
      "\u001b[O",
      "\u001b[<35;10;5M",
      "\u001b[12;1R",
      "\u001b]7501;?\u001b\\",
      "\u001b[?62;22c"
    ]
    const answers = yield* run([o(0.5, atRest), ...replies.map((reply, i) => input(4 + i / 10, reply)), k(5)])
    assert.isTrue(answers.at(-1)?.ready)
    const keys = yield* run([o(0.5, atRest), input(4.9, "\u001b[A"), k(5)])
    assert.isFalse(keys.at(-1)?.ready)
  })

  effect("hears that leap is about to type, and that the CLI ended", function* () {
    const answers = yield* run([o(0.5, atRest), m(4, "send"), m(5, "exit"), o(6, atRest), k(7)])
    assert.deepStrictEqual(states(answers.slice(3)), ["4 running", "5 exited", "7 exited"])
  })

  const bash = (command: string) => ({
    tool: "Bash",
    kind: "command",
    command,
    paths: [],
    url: null,
    agent: null,
    cwd: "/p"
  })
  const approval = (event: object) => `approval:${JSON.stringify(event)}`
  const allowed = { verdict: "allow", rule: null, why: "no rule is against it, and the session's mode is always" }
  const requested = (id: number, command: string) =>
    approval({
      _tag: "PermissionRequested",
      id,
      event: "PermissionRequest",
      request: bash(command),
      heeds: ["allow", "deny"],
      inspected: true
    })

  effect("replays decisions on permissions, each in a line of its own", function* () {
    const recording: ReadonlyArray<unknown> = [
      m(0, 'modes:{"autoSend":"always","churn":"wait"}'),
      m(0, approval({ _tag: "PolicyChanged", rules: false, auditable: true })),
      m(0, approval({ _tag: "PermissionDecided", id: null, decision: allowed })),
      o(0.5, atRest),
      o(1, busy),
      // one that the hook was told in time
      m(2, requested(1, "npm test")),
      m(2, approval({ _tag: "PermissionDecided", id: 1, decision: allowed })),
      m(2.1, approval({ _tag: "PermissionReplied", id: 1, outcome: "taken" })),
      o(19.5, busy.replace("1s", "9s")),
      // and one that its dialog was told, since the hook had given up
      m(20, requested(2, "ls")),
      m(20, approval({ _tag: "PermissionDecided", id: 2, decision: allowed })),
      m(20.1, approval({ _tag: "PermissionReplied", id: 2, outcome: "late" })),
      o(21, asks),
      m(25, approval({ _tag: "DialogAnswered", why: null })),
      o(25.1, busy),
      k(26)
    ]
    const decisions = (answers: ReadonlyArray<Answer>) =>
      answers.flatMap(({ decision, state, t }) =>
        decision === undefined ? [] : [[t, state, decision["verdict"], decision["told"], decision["event"]]]
      )
    const answers = yield* run(recording)
    assert.deepStrictEqual(decisions(answers), [
      [2.1, "running", "allow", "hook", "PermissionRequest"],
      [20.1, "running", "allow", "no", "PermissionRequest"],
      [25, "needs_permission", "allow", "key", "screen"]
    ])
    const told = answers.find(({ decision }) => decision !== undefined)
    assert.deepInclude(told?.decision, { by: "mode", rule: null, why: allowed.why, request: bash("npm test") })
    // without what hooks tell nothing is known of any decision
    assert.deepStrictEqual(decisions(yield* run(recording, { noHooks: true })), [])
  })

  effect("knows by a decision that the dialog is about to go", function* () {
    const states = (more: ReadonlyArray<unknown>) =>
      Effect.map(
        run([
          o(0.5, atRest),
          o(1, busy),
          m(1.1, 'hook:UserPromptSubmit {"prompt":"x"}'),
          m(2, requested(1, "ls")),
          ...more,
          o(2.2, asks),
          o(2.7, busy),
          k(2.8)
        ]),
        (answers) => answers.map(({ state }) => state)
      )
    const decided = [
      m(2, approval({ _tag: "PermissionDecided", id: 1, decision: allowed })),
      m(2.1, approval({ _tag: "PermissionReplied", id: 1, outcome: "taken" }))
    ]
    assert.include(yield* states([]), "needs_permission")
    assert.notInclude(yield* states(decided), "needs_permission")
  })

  effect("passes over markers about permissions that it does not understand", function* () {
    const odd = ["approval:", "approval:null", "approval:[]", 'approval:{"_tag":"Nothing"}', "approval:{", "modes:{}"]
    const answers = yield* run([o(0.5, atRest), ...odd.map((label) => m(1, label)), k(2)])
    const plain = yield* run([o(0.5, atRest), k(2)])
    assert.deepStrictEqual(answers, plain)
  })

  effect("follows a resize", function* () {
    const wide = "─".repeat(100)
    const answers = yield* run([
      r(0.5, "100x12"),
      o(0.6, draw(wide, "❯ ", wide, "  ⏸ manual mode on")),
      r(1, "nonsense"),
      k(9)
    ])
    assert.isTrue(answers.at(-1)?.ready)
  })

  effect("gives the same answers wherever the output is cut", function* () {
    const output = [atRest, busy, asks, busy, atRest].map((frame) => `\u001b[?2026h${frame}\u001b[?2026l`)
    const whole = yield* run([...output.map((frame, i) => o(1 + i * 3, frame)), k(20)])
    const sizes = [100, 333, 501, 502, 503, 900]
    const pieces = yield* run([
      ...output.flatMap((frame, i) => cut(frame, sizes).map((piece) => o(1 + i * 3, piece))),
      k(20)
    ])
    assert.deepStrictEqual(pieces, whole)
  })

  effect("names the line that is to blame", function* () {
    const error = yield* Effect.flip(run([o(0.5, atRest), "", "# comment", "[1,"]))
    assert.strictEqual(error.message, "line 5 of the recording cannot be replayed: it is not JSON")
    const headless = yield* Effect.flip(run([], { header: o(0, "x") }))
    assert.match(headless.message, /^line 1 .*not an asciicast v2 header/)
  })

  effect("takes the provider from the option, else from the header, else says so", function* () {
    const { leap: _, ...bare } = header
    const none = yield* Effect.flip(run([], { header: bare }))
    assert.match(none.message, /--provider/)
    const unknown = yield* Effect.flip(run([], { provider: "nonesuch" }))
    assert.match(unknown.message, /no CLI is called 'nonesuch'/)
    assert.strictEqual((yield* run([], { header: bare, provider: "claude" })).length, 1)
    assert.strictEqual((yield* run([], { header: { ...bare, leap: { cli: "claude" } } })).length, 1)
    const ofDemo = yield* run([o(0.5, atRest), k(9)], { provider: "demo" })
    assert.isFalse(ofDemo.at(-1)?.ready, "the demo CLI has another screen")
  })

  effect("tolerates a byte order mark, other codes and times that go back", function* () {
    const answers = yield* run([o(0.5, atRest), [5, "z", "x"], k(1)], { header: `\uFEFF${JSON.stringify(header)}` })
    assert.deepStrictEqual([answers.at(-1)?.t, answers.at(-1)?.ready], [5, true])
  })

  effect("takes bare states, each by its name", function* () {
    const turn = [o(0.5, atRest), input(3, "x"), o(3, typed), input(4, "\r"), o(4.1, busy)]
    const after = (state: string) =>
      Effect.map(run([...turn, m(5, `signal:${state}`), o(5.1, draw("● Hello.")), k(6.5)]), (all) => all.at(-1)?.state)
    assert.strictEqual(yield* after("needs_permission"), "needs_permission")
    assert.strictEqual(yield* after("needs_input"), "needs_input")
    assert.strictEqual(yield* after("has_question"), "needs_input")
    assert.strictEqual(yield* after(" interrupted\n"), "interrupted")
    // no bare state, and nothing that is no state, says anything
    for (const state of ["running", "churning", "", "Idle", "null", '{"state":"idle"}', "idle running"]) {
      assert.deepStrictEqual(yield* after(state), yield* after("no such state"), state)
    }
    const rested = yield* run([...turn, m(5, "signal:idle"), o(5.1, atRest), k(6.5)])
    assert.strictEqual(rested.at(-1)?.state, "idle")
    const stopped = yield* run([o(0.5, atRest), m(5, "signal:interrupted"), k(9)])
    assert.deepStrictEqual(
      [stopped.at(-1)?.state, stopped.at(-1)?.ready],
      ["idle", true],
      "nothing ran that could have been stopped"
    )
  })

  effect("answers a tick with one line whatever falls on its moment", function* () {
    const answers = yield* run([
      o(0.5, atRest),
      [2.5, "k"],
      o(2.5, busy),
      [2.5, "k", null],
      [1, "k", "x"],
      m(3, "exit"),
      k(3),
      k(9)
    ])
    assert.deepStrictEqual(
      answers.slice(2).map(({ state, t, tick }) => [t, state, tick === true]),
      [
        [2.5, "idle", false],
        [2.5, "idle", true],
        [2.5, "running", false],
        [2.5, "running", true],
        [2.5, "running", true],
        [3, "exited", false],
        [3, "exited", true],
        [9, "exited", true]
      ]
    )
  })

  effect("begins at 0 whatever the first line's time is", function* () {
    for (const t of [-5, 0, 12.5]) {
      const answers = yield* run([k(t)])
      assert.deepStrictEqual(
        answers.map(({ t, tick }) => [t, tick === true]),
        [
          [0, false],
          [Math.max(0, t), true]
        ]
      )
    }
    const both = yield* run([o(0, atRest), k(0)])
    assert.deepStrictEqual(states(both), ["0 starting", "0 idle", "0 idle"])
  })

  effect("keeps its times when the header's own is beyond all clocks", function* () {
    for (const timestamp of [1e300, -1e300, 1e17, null, "yesterday"]) {
      const answers = yield* run([o(0.5, atRest), k(9)], { header: { ...header, timestamp } })
      assert.deepStrictEqual(
        rowsOf(answers, "t", "ready"),
        [
          [0, false],
          [0.5, false],
          [2.5, true],
          [9, true]
        ],
        String(timestamp)
      )
    }
  })

  effect("passes over comments, blank lines and Windows' line ends", function* () {
    const answers = yield* run(
      ["# a comment\r", "\r", `${JSON.stringify(o(0.5, atRest))}\r`, "", `${JSON.stringify(k(9))} \r`],
      { header: `${JSON.stringify(header)}\r` }
    )
    assert.deepStrictEqual([answers.length, answers.at(-1)?.ready], [4, true])
  })

  effect("says that there is nothing in an empty recording", function* () {
    for (const lines of [[], [""], ["# only a comment", ""]]) {
      const error = yield* Effect.flip(
        replay({ provider: Option.some("claude"), noHooks: false }, Stream.fromIterable(lines)).pipe(
          Stream.runDrain,
          Effect.provide(live)
        )
      )
      assert.match(error.message, /it ends before its header/)
    }
    assert.strictEqual((yield* run([])).length, 1, "a header alone is answered")
  })

  effect("draws no screen that no terminal has", function* () {
    const answers = yield* run([
      o(0.5, atRest),
      ...["0x0", "1x0", "99999x99999", "10000x10000", "-5x3", "12", "60x12x1", "6e1x12", ""].map((size, i) => [
        1 + i / 100,
        "r",
        size
      ]),
      k(9)
    ])
    assert.deepStrictEqual([answers.length, answers.at(-1)?.ready], [4, true])
    const tiny = yield* run([o(0.5, atRest), r(3, "1x1"), o(4, atRest), k(9)])
    assert.isFalse(tiny.at(-1)?.ready, "one that is too small shows no box")
  })

  effect("puts characters together that were cut in two", function* () {
    // a wide character that falls apart would move the box's lower rule
    const frame = draw("🎉".repeat(30), rule, "❯ 🎉👩‍👩‍👧‍👦", rule, "  ⏸ manual mode on")
    const whole = yield* run([o(1, frame), k(9)])
    const pieces = yield* run([...frame.split("").map((unit) => o(1, unit)), k(9)])
    assert.deepStrictEqual(pieces.at(-1), whole.at(-1))
    const lone = yield* run([o(1, "\ud83d"), o(1, atRest), o(1, "\udc00"), o(2, atRest), k(9)])
    assert.isTrue(lone.at(-1)?.ready)
  })

  effect("leaves out every word of the CLI's when asked to, wherever it is cut", function* () {
    const plain = [o(0.5, atRest), o(6, typed), input(7, "\r"), o(8, busy), o(12, atRest), k(15)] as const
    const report = "\u001b]7501;state=blocked:kind=permission\u001b\\"
    const spoken = [
      m(0.6, `hook:UserPromptSubmit {"prompt":"go"}`),
      m(0.7, `session:{"status":"busy"}`),
      m(0.8, "signal:needs_input"),
      [
        0.9,
        "m",
        `transcript:{"type":"user","timestamp":"2026-11-21T00:00:00Z","message":{"content":"[Request interrupted by user]"}}`
      ],
      ...report.split("").map((unit) => o(1, unit))
    ]
    const alone = yield* run(plain, { noHooks: true })
    const told = yield* run([plain[0], ...spoken, ...plain.slice(1)], { noHooks: true })
    assert.deepStrictEqual(told, alone)
    assert.notDeepEqual(yield* run([plain[0], ...spoken, ...plain.slice(1)]), alone)
  })

  effect("takes very long lines", function* () {
    const long = "x".repeat(2_000_000)
    const answers = yield* run([
      o(0.5, `${long}\r\n`),
      input(0.6, long),
      m(0.7, `hook:Stop {"last_assistant_message":"${long}"}`),
      o(0.8, `\u001b]0;${long}\u0007`),
      o(3, atRest),
      k(9)
    ])
    assert.isTrue(answers.at(-1)?.ready)
  })

  const text = (pieces: ReadonlyArray<string>, limit?: number) => {
    const answers: Array<string> = []
    return replayText({ provider: Option.none(), noHooks: false }, Stream.fromIterable(pieces), limit).pipe(
      Stream.runForEach((line) => Effect.sync(() => answers.push(line))),
      Effect.provide(live),
      Effect.match({
        onFailure: ({ message }) => ({ answers, message }),
        onSuccess: () => ({ answers, message: null })
      })
    )
  }
  const whole = [header, o(0.5, atRest), o(3, busy), k(9)].map((line) => JSON.stringify(line)).join("\n")

  effect("reads a text wherever it is cut", function* () {
    const expected = yield* text([whole])
    assert.isNull(expected.message)
    assert.match(expected.answers.at(-1) ?? "", /"t":9,.*"tick":true/)
    for (const size of [1, 7, 333]) {
      const pieces = Array.from({ length: Math.ceil(whole.length / size) }, (_, i) =>
        whole.slice(i * size, (i + 1) * size)
      )
      assert.deepStrictEqual(yield* text(pieces), expected, String(size))
    }
    assert.deepStrictEqual(yield* text([`${whole}\n`]), expected)
  })

  effect("answers what is before a line that is too long, and reads no further", function* () {
    const begun = [header, o(0.5, atRest)].map((line) => JSON.stringify(line)).join("\n")
    const limit = Math.max(...begun.split("\n").map(({ length }) => length))
    const expected = yield* text([begun], limit)
    assert.isNull(expected.message)
    for (const pieces of [
      [`${begun}\n[1,"o","${"x".repeat(limit)}"]\n[9,"k",""]\n`],
      [`${begun}\n[1,"o","`, "x".repeat(limit), "never ended"]
    ]) {
      const { answers, message } = yield* text(pieces, limit)
      assert.deepStrictEqual(answers, expected.answers)
      assert.strictEqual(
        message,
        `line 3 of the recording cannot be replayed: it is longer than the ${limit} characters that a line may have`
      )
    }
  })

  effect("draws what one long line holds as if it had come in many", function* () {
    // the frame's characters lie across every border of the pieces that it is drawn in
    const frame = draw("🎉é".repeat(20), rule, "❯ 🎉👩‍👩‍👧‍👦", rule, "  ⏸ manual mode on")
    const last = (yield* run([o(1, frame), k(9)])).at(-1)
    for (const before of [65_535, 65_536, 65_537, 131_060]) {
      const answers = yield* run([o(1, `${"x".repeat(before)}${frame}`), k(9)])
      assert.deepStrictEqual(answers.at(-1), last, String(before))
    }
  })

  effect("answers as the lines come", function* () {
    const lines = yield* Queue.unbounded<string>()
    const answered = yield* Deferred.make<string>()
    yield* replay({ provider: Option.none(), noHooks: false }, Stream.fromQueue(lines)).pipe(
      Stream.runForEach((line) => (line.includes('"tick"') ? Deferred.succeed(answered, line) : Effect.void)),
      Effect.provide(live),
      Effect.forkScoped
    )
    yield* Queue.offer(lines, JSON.stringify(header))
    yield* Queue.offer(lines, JSON.stringify(k(1)))
    // the stream is still open
    assert.match(yield* Deferred.await(answered), /"t":1,"state":"starting"/)
  })

  it.effect.prop(
    "takes any lines of the right form",
    {
      lines: Schema.Array(
        Schema.Tuple([
          Schema.Finite.check(Schema.isBetween({ minimum: -10, maximum: 1e9 })),
          Schema.Literals(["o", "i", "r", "m", "k", "?"]),
          Schema.String
        ])
      )
    },
    ({ lines }) =>
      Effect.gen(function* () {
        const answers = yield* run([...lines, k(1e9)])
        assert.strictEqual(
          answers.filter(({ tick }) => tick).length,
          1 + lines.filter(([, code]) => code === "k").length
        )
        const times = answers.map(({ t }) => t)
        assert.deepStrictEqual(
          times,
          times.toSorted((a, b) => a - b)
        )
      }),
    { arbitrary: { runs: 40 } }
  )
})
