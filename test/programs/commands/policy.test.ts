import * as NodeServices from "@effect/platform-node/NodeServices"
import { assert, describe, it } from "@effect/vitest"
import { Effect, Exit, Layer, Option, Schema } from "effect"
import { Command } from "effect/cli"
import type { AuditEntry } from "../../../src/domain/engine/approvals/AuditEntry.ts"
import type { ToolRequest } from "../../../src/domain/policy/ToolRequest.ts"
import type { Verdict } from "../../../src/domain/policy/Decision.ts"
import { lintPolicy } from "../../../src/domain/policy/lint.ts"
import { presets } from "../../../src/domain/policy/presets.ts"
import { readSettings } from "../../../src/domain/store/settings/readSettings.ts"
import { defaultSettings, type Settings } from "../../../src/domain/store/settings/Settings.ts"
import { Tag } from "../../../src/domain/words/session/Tag.ts"
import { permitOf } from "../../../src/services/policy/policyPermit.ts"
import { audit } from "../../../src/programs/commands/audit.ts"
import { policy } from "../../../src/programs/commands/policy.ts"
import { describe as told } from "../../../src/programs/exit.ts"
import { AuditLog } from "../../../src/services/AuditLog.ts"
import type { Provider } from "../../../src/services/CLIProvider.ts"
import { System } from "../../../src/services/System.ts"
import { ModesStore } from "../../../src/services/ModesStore.ts"
import { Output } from "../../../src/services/Output.ts"
import { Paths } from "../../../src/services/Paths.ts"
import { Providers } from "../../../src/services/Providers.ts"
import { StatusStore } from "../../../src/services/StatusStore.ts"
import { UserSettings } from "../../../src/services/UserSettings.ts"
import { auditEntry, bash, request } from "../../domain/policy/support.ts"
import { sessionStatus } from "../../support/data/sessionStatus.ts"
import { effect, effectOfEach } from "../../support/run/effects.ts"

const settings: Settings = {
  ...defaultSettings,
  policy: {
    deny: [
      { tool: "Bash", command: "rm -rf *", reason: "use trash" },
      { tag: "ci-*", kind: "fetch" }
    ],
    ask: [{ agent: "Explore" }, { cli: "second", kind: "mcp" }],
    allow: [{ command: "git status*" }, { kind: "edit", path: "./**" }, { path: "" }]
  }
}
const entries = [
  auditEntry(),
  auditEntry({
    verdict: "deny",
    rule: "deny Bash(rm -rf *)",
    request: bash("rm -rf x\n--token=***"),
    why: "refused by a rule of the user's (deny Bash(rm -rf *)): use 'trash'",
    more: "use 'trash'"
  }),
  auditEntry({ verdict: "ask", by: "none", rule: null, why: "the user is asked", told: "no" })
]
const asked = { verdict: "ask", by: "none", rule: null, told: "no" } as const
const logs: Readonly<Record<string, ReadonlyArray<AuditEntry>>> = {
  t: entries,
  more: [
    auditEntry({ ...asked, at: "2026-11-21T08:00:01.000Z", request: bash("curl https://x.example") }),
    auditEntry({ ...asked, at: "2026-11-21T09:00:00.000Z" }),
    auditEntry({ at: "2026-11-21T09:00:05.000Z", event: "screen", by: "user", rule: null, told: "key" }),
    auditEntry({ ...asked, at: "2026-11-21T10:00:00.000Z" }),
    auditEntry({ ...asked, at: "2026-11-21T11:00:00.000Z", request: bash("npm test -- a") })
  ],
  ran: [
    auditEntry({
      ...asked,
      at: "2026-11-21T12:00:00.000Z",
      tag: "ran",
      request: request({ tool: "Read", kind: "read", paths: ["/srv/other/lib/a.ts"], cwd: "/srv/other" })
    })
  ]
}
const once = "; '--least 1' also looks at what was asked once"
const names = ["t", "more", "ran", "quiet"].map((name) => Schema.decodeUnknownSync(Tag)(name))

// only the status is looked for
const session: Paths["Service"]["session"] = (tag) => ({
  dir: "/s",
  log: "/s",
  socket: "/s",
  lock: "/s",
  spool: "/s",
  snapshots: "/s",
  queue: "/s",
  modes: "/s",
  screen: "/s",
  status: tag
})

const layers = Layer.mergeAll(
  NodeServices.layer,
  Layer.mock(System, {
    env: { HOME: "/home/me" },
    cwd: "/srv/app",
    pid: 1,
    version: "0",
    node: "node",
    platform: "linux",
    self: ["leap"],
    // one link: /srv/app/out leads to /etc
    realPath: (path) =>
      Effect.succeed(path.includes("/gone/") ? null : path.replace(/^\/srv\/app\/(?:\.\/)?out/, "/etc"))
  }),
  Layer.mock(Paths, {
    state: "/s",
    config: "/c",
    sessions: "/s",
    hookScript: "/h",
    session,
    tags: Effect.succeed(names)
  }),
  Layer.mock(Providers, {
    all: [
      { id: "demo", bundled: true },
      { id: "first", bundled: false }
    ] as ReadonlyArray<Partial<Provider>> as ReadonlyArray<Provider>
  }),
  Layer.mock(ModesStore, { read: (tag) => Effect.succeed(tag === "free" ? { autoSend: "always" } : null) }),
  Layer.mock(StatusStore, {
    read: (path) =>
      Effect.succeed(path === "ran" ? Option.some(sessionStatus({ cli: "second", cwd: "/srv/other" })) : Option.none())
  }),
  Layer.mock(AuditLog, {
    read: (tag) => Effect.succeed({ entries: logs[tag] ?? [], unreadable: 0 })
  })
)

/** How a command ended: the code, and what it says to the user. */
const failure = (exit: Exit.Exit<unknown, unknown>) =>
  told(Exit.isFailure(exit) ? exit.cause.reasons.find((reason) => reason._tag === "Fail")?.error : undefined)

/** Runs a command and gives back what it printed. */
const run = Effect.fn("run")(function* (
  command: typeof policy | typeof audit,
  args: ReadonlyArray<string>,
  now = settings,
  warnings: ReadonlyArray<string> = []
) {
  const lines: Array<string> = []
  const output = Layer.mock(Output, {
    isTerminal: false,
    inputIsTerminal: false,
    errorIsTerminal: false,
    colour: false,
    columns: Effect.succeed(80),
    line: (text) => Effect.sync(() => void lines.push(text))
  })
  const user = Layer.mock(UserSettings, { file: "/c/settings.json", read: Effect.succeed({ settings: now, warnings }) })
  // each command needs a part of these
  const program = Command.runWith(command as typeof policy, { version: "0" })(args) as Effect.Effect<
    void,
    unknown,
    Layer.Success<typeof layers> | Output | UserSettings
  >
  const exit = yield* Effect.exit(program).pipe(Effect.provide(Layer.mergeAll(layers, output, user)))
  return { exit, text: lines.join("\n") }
})
const json = Effect.fnUntraced(function* (
  command: typeof policy | typeof audit,
  args: ReadonlyArray<string>,
  succeeds = true
) {
  const { exit, text } = yield* run(command, [...args, "--json"])
  assert.strictEqual(Exit.isSuccess(exit), succeeds, args.join(" "))
  return JSON.parse(text)
})

describe("leap policy test", () => {
  const guarded: Settings = {
    ...defaultSettings,
    policy: {
      deny: [{ path: "/etc/**" }],
      ask: [],
      allow: [{ command: "cat *" }, { kind: "read", path: "/srv/app/**" }]
    }
  }
  it.effect.each<
    readonly [flags: ReadonlyArray<string>, asked: Partial<ToolRequest>, verdict: Verdict, unasked?: Verdict]
  >([
    [["--command", "cat out/passwd"], bash("cat out/passwd"), "deny"],
    [["--command", "cat ./out/passwd"], bash("cat ./out/passwd"), "deny"],
    [["--command", "cat readme"], bash("cat readme"), "allow"],
    [
      ["--path", "out/passwd", "--kind", "read"],
      request({ tool: "Read", kind: "read", paths: ["out/passwd"] }),
      "deny"
    ],
    [["--path", "readme", "--kind", "read"], request({ tool: "Read", kind: "read", paths: ["readme"] }), "allow"],
    // where this leads cannot be seen, and nobody is asked by a permit
    [["--path", "gone/x", "--kind", "read"], request({ tool: "Read", kind: "read", paths: ["gone/x"] }), "ask", "deny"]
  ])("says what a request itself is answered, through links: %j", ([flags, asked, verdict, unasked = verdict]) =>
    Effect.gen(function* () {
      const { text } = yield* run(policy, ["test", "--cwd", "/srv/app", ...flags, "--json"], guarded)
      assert.strictEqual(JSON.parse(text).verdict, verdict)
      const permit = permitOf(guarded.policy, yield* System)
      const whole = request({ ...asked, cwd: "/srv/app" })
      const { verdict: permitted } = yield* permit.decide(whole, { cli: "first", base: "first", cwd: "/srv/app" })
      assert.strictEqual(permitted, unasked)
    }).pipe(Effect.provide(layers))
  )
})

describe("leap policy", () => {
  effect("shows the rules in force and what is wrong with them", function* () {
    const { text } = yield* run(policy, [], settings, ["policy.ask[3]: there is no field 'tol'"])
    assert.deepStrictEqual(
      text.split("\n").map((line) => line.split(/ {2,}/)),
      [
        ["deny", "Bash(rm -rf *)", "use trash"],
        ["deny", "fetch [tag=ci-*]"],
        ["ask", "* [agent=Explore]"],
        ["ask", "mcp [cli=second]"],
        ["", "! no CLI is called 'second'; there are demo, first"],
        ["allow", "command(git status*)"],
        ["allow", "edit(./**)"],
        ["allow", "path()"],
        ["", "! the pattern of 'path' is empty: the rule allows nothing"],
        ["! policy.ask[3]: there is no field 'tol'"],
        ["what no rule is about is asked in new sessions (their mode is 'pause')"]
      ]
    )
    const none = yield* run(policy, [], { ...defaultSettings, modes: { autoSend: "always", churn: "wait" } })
    assert.strictEqual(
      none.text,
      "no rules: /c/settings.json has none\nwhat no rule is about is allowed in new sessions (their mode is 'always')"
    )
    assert.isTrue(Exit.isSuccess(none.exit))
    // rules that are broken are no success
    const document = yield* json(policy, [], false)
    assert.deepStrictEqual(document.rules[0], {
      verdict: "deny",
      text: "deny Bash(rm -rf *)",
      rule: settings.policy.deny[0],
      problems: []
    })
    assert.deepStrictEqual(document.problems, [
      "ask mcp [cli=second]: no CLI is called 'second'; there are demo, first",
      "allow path(): the pattern of 'path' is empty: the rule allows nothing"
    ])
  })

  effect("test: the verdict first, then the rule", function* () {
    const { text } = yield* run(policy, ["test", "--command", "cd x && sudo rm -fr /"])
    assert.strictEqual(
      text,
      "deny\nrule   deny Bash(rm -rf *)\nwhy    refused by a rule of the user's (deny Bash(rm -rf *)): use trash\nasked  Bash: cd x && sudo rm -fr /"
    )
  })

  effect("test: judges nothing that nobody asked for", function* () {
    for (const args of [["test"], ["test", "--always", "--agent", "Explore", "--json"]]) {
      const { exit, text } = yield* run(policy, args)
      assert.strictEqual(text, "")
      assert.deepStrictEqual(failure(exit), {
        exitCode: 2,
        message: "what would it ask for? --command, --path, --url, --tool or --kind says it"
      })
    }
  })

  const rows: ReadonlyArray<readonly [args: string, verdict: Verdict, rule: string | null]> = [
    ["--command ls", "ask", null],
    ["--command ls --always", "allow", null],
    ["--command ls --tag free", "allow", null],
    ["--command ls --always --agent Explore", "ask", "ask * [agent=Explore]"],
    ["--tool Shell --command rm", "ask", null],
    ["--path a.ts", "allow", "allow edit(./**)"],
    ["--path a.ts --cwd sub", "allow", "allow edit(./**)"],
    ["--path ../a.ts", "ask", null],
    ["--path out/x", "ask", null],
    ["--path a.ts --kind read", "ask", null],
    ["--url https://x.example --tag ci-1 --always", "deny", "deny fetch [tag=ci-*]"],
    ["--kind mcp --tool mcp__x --always", "allow", null],
    // a session that there is asks from where it runs, as the CLI that it is
    ["--kind mcp --tool mcp__x --always --tag ran", "ask", "ask mcp [cli=second]"],
    ["--kind mcp --tool mcp__x --always --tag ran --cli first", "allow", null],
    ["--path ../other/a.ts --tag ran", "allow", "allow edit(./**)"],
    ["--path ../other/a.ts --tag ran --cwd sub", "ask", null],
    ["--kind mcp --tool mcp__x --always --cli second", "ask", "ask mcp [cli=second]"]
  ]
  effectOfEach(rows.map(([args, verdict, rule]) => ({ args, verdict, rule })))(
    "test $args: $verdict",
    function* ({ args, rule, verdict }) {
      const said = yield* json(policy, ["test", ...args.split(" ")])
      assert.deepStrictEqual([said.verdict, said.rule], [verdict, rule])
    }
  )
})

describe("leap policy preset", () => {
  effect("lists the presets without a name", function* () {
    const { text } = yield* run(policy, ["preset"])
    assert.deepStrictEqual(
      text.split("\n").map((line) => line.split(/ {2,}/)[0]),
      presets.map(({ name }) => name)
    )
    assert.deepStrictEqual(yield* json(policy, ["preset"]), {
      schema: 1,
      presets: presets.map(({ name, says }) => ({ name, says }))
    })
  })

  effectOfEach(presets.map((preset) => ({ preset, name: preset.name })))(
    "$name: the text is settings with the same rules, of which nothing is wrong",
    function* ({ name, preset }) {
      const { exit, text } = yield* run(policy, ["preset", name])
      assert.isTrue(Exit.isSuccess(exit))
      const { settings, warnings } = readSettings(new TextEncoder().encode(text), ["claude"])
      assert.deepStrictEqual(warnings, [])
      assert.deepStrictEqual(settings, { ...defaultSettings, policy: preset.policy })
      assert.deepStrictEqual(
        lintPolicy(settings.policy, { home: "/home/me", directory: "/srv/app", clis: ["claude"] }),
        []
      )
      assert.deepStrictEqual((yield* json(policy, ["preset", name])).policy, preset.policy)
    }
  )

  effect("of an unknown name: exit code 2, and which there are", function* () {
    const { exit, text } = yield* run(policy, ["preset", "no\nsuch"])
    assert.strictEqual(text, "")
    assert.deepStrictEqual(failure(exit), {
      message: "no preset is called 'no such'; there are read-only, development, night-shift",
      exitCode: 2
    })
  })
})

describe("leap policy check", () => {
  effect("tells what is wrong with each rule, with an example and advice, and fails", function* () {
    const { exit, text } = yield* run(policy, ["check"], settings, ["policy.ask[3]: there is no field 'tol'"])
    const lines = text.split("\n")
    assert.include(lines, "ask mcp [cli=second]")
    assert.include(lines, "    mistake: no CLI is called 'second'; there are demo, first")
    assert.strictEqual(lines.filter((line) => line.startsWith("    example: ")).length, 3)
    assert.strictEqual(lines.filter((line) => line.startsWith("    advice: ")).length, 3)
    assert.strictEqual(lines.at(-1), "/c/settings.json: policy.ask[3]: there is no field 'tol'")
    assert.deepStrictEqual(failure(exit), { message: "4 findings in /c/settings.json: see above", exitCode: 1 })
  })

  effect("as JSON, also when it fails", function* () {
    const { exit, text } = yield* run(policy, ["check", "--json"])
    const document = JSON.parse(text)
    assert.deepStrictEqual([document.schema, document.rules, document.findings.length], [1, 7, 3])
    assert.deepStrictEqual(Object.keys(document.findings[0]), [
      "verdict",
      "index",
      "rule",
      "text",
      "kind",
      "says",
      "example",
      "advice"
    ])
    assert.strictEqual(failure(exit).exitCode, 1)
  })

  effect("says that nothing is wrong", function* () {
    const fine = { ...settings, policy: { deny: [{ command: "rm *" }], ask: [], allow: [{ command: "ls *" }] } }
    const { exit, text } = yield* run(policy, ["check"], fine)
    assert.isTrue(Exit.isSuccess(exit))
    assert.strictEqual(text, "2 rules, and nothing wrong")
    assert.strictEqual((yield* run(policy, ["check"], defaultSettings)).text, "no rules: /c/settings.json has none")
  })
})

describe("leap policy suggest", () => {
  effect("tells the rules, what they would have spared, and examples", function* () {
    const { text } = yield* run(policy, ["suggest"])
    assert.deepStrictEqual(text.split("\n"), [
      '{"command":"npm test"}',
      "    would have spared 3 asks, 1 of which you allowed: Bash: npm test",
      '{"command":"npm test *"}',
      "    would have spared 4 asks, 1 of which you allowed: Bash: npm test · Bash: npm test -- a",
      'of 6 asks in all. Nothing is changed: put what you want into "allow" of "policy" in /c/settings.json'
    ])
  })

  effect("of one session, since a moment, of what was asked so often, as JSON", function* () {
    const all = yield* json(policy, ["suggest", "--least", "1"])
    assert.deepStrictEqual([all.schema, all.file, all.since, all.asks], [1, "/c/settings.json", null, 6])
    assert.deepStrictEqual(
      all.suggestions.map(({ rules, spares, width }: Record<string, unknown>) => [width, spares, rules]),
      [
        ["exact", 3, [{ command: "npm test" }]],
        ["exact", 1, [{ command: "npm test -- a" }]],
        // relative to the directory of the session that asked
        ["exact", 1, [{ kind: "read", path: "./lib/a.ts" }]],
        ["family", 4, [{ command: "npm test *" }]]
      ]
    )
    const later = yield* json(policy, ["suggest", "--least", "1", "--since", "2026-11-21T09:00:00Z"])
    assert.deepStrictEqual([later.since, later.asks], ["2026-11-21T09:00:00.000Z", 4])
    assert.strictEqual((yield* json(policy, ["suggest", "ran"])).asks, 1)
    assert.strictEqual((yield* run(policy, ["suggest", "ran"])).text, `1 ask, and no rule to suggest${once}`)
    assert.match((yield* run(policy, ["suggest", "quiet"])).text, /knows of nothing that you were asked/)
  })

  effect("of a session that is not there, or since no time: exit codes 3 and 2", function* () {
    assert.strictEqual(failure((yield* run(policy, ["suggest", "nobody"])).exit).exitCode, 3)
    const { exitCode, message } = failure((yield* run(policy, ["suggest", "--since", "soon"])).exit)
    assert.strictEqual(exitCode, 2)
    assert.match(message, /^'soon' is no time: write 12h/)
  })
})

describe("leap audit", () => {
  effect("shows what was decided, oldest first", function* () {
    const { text } = yield* run(audit, ["t"])
    assert.deepStrictEqual(
      text.split("\n").map((line) => line.split(/ {2,}/)),
      [
        ["TIME (UTC)", "VERDICT", "BY", "TOLD", "WHAT", "RULE OR WHY"],
        ["2026-11-21 08:00:00", "allow", "rule", "hook", "Bash: npm test", "allow Bash(npm *)"],
        [
          "2026-11-21 08:00:00",
          "deny",
          "rule",
          "hook",
          "Bash: rm -rf x --token=***",
          "deny Bash(rm -rf *): use 'trash'"
        ],
        ["2026-11-21 08:00:00", "ask", "-", "-", "Bash: npm test", "the user is asked"]
      ]
    )
    assert.strictEqual(
      (yield* run(audit, ["quiet"])).text,
      "nothing is written down of session 'quiet': without rules, only what leap has answered is"
    )
  })

  effect("as JSON, only what was refused, only the last", function* () {
    assert.deepStrictEqual(yield* json(audit, ["t"]), { schema: 1, tag: "t", entries })
    assert.deepStrictEqual((yield* json(audit, ["t", "--denied"])).entries, [entries[1]])
    assert.deepStrictEqual((yield* json(audit, ["t", "--last", "2"])).entries, entries.slice(1))
  })

  effect("of a session that is not there: exit code 3", function* () {
    const { exit, text } = yield* run(audit, ["nobody"])
    assert.strictEqual(text, "")
    const error = Exit.isFailure(exit) ? exit.cause.reasons.find((reason) => reason._tag === "Fail")?.error : undefined
    assert.deepStrictEqual(told(error), {
      message: "there is no session 'nobody'; 'leap nobody' starts one",
      exitCode: 3
    })
  })
})
