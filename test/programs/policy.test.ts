import * as NodeServices from "@effect/platform-node/NodeServices"
import { assert, describe, it } from "@effect/vitest"
import { Effect, Exit, Layer, Option, Schema } from "effect"
import { Command } from "effect/cli"
import type { Verdict } from "../../src/domain/policy/Decision.ts"
import { defaultSettings, type Settings } from "../../src/domain/settings/Settings.ts"
import { Tag } from "../../src/domain/Tag.ts"
import { audit } from "../../src/programs/commands/audit.ts"
import { policy } from "../../src/programs/commands/policy.ts"
import { describe as told } from "../../src/programs/exit.ts"
import { AuditLog } from "../../src/services/AuditLog.ts"
import type { ProviderRecord } from "../../src/services/CLIProvider.ts"
import { Machine } from "../../src/services/Machine.ts"
import { ModesStore } from "../../src/services/ModesStore.ts"
import { Output } from "../../src/services/Output.ts"
import { Paths } from "../../src/services/Paths.ts"
import { Providers } from "../../src/services/Providers.ts"
import { StatusStore } from "../../src/services/StatusStore.ts"
import { UserSettings } from "../../src/services/UserSettings.ts"
import { auditEntry, bash } from "../domain/policy/support.ts"
import { sessionStatus } from "../support/sessionStatus.ts"

const settings: Settings = {
  ...defaultSettings,
  policy: {
    deny: [{ tool: "Bash", command: "rm -rf *", reason: "use trash" }, { tag: "ci-*", kind: "fetch" }],
    ask: [{ agent: "Explore" }, { cli: "second", kind: "mcp" }],
    allow: [{ command: "git status*" }, { kind: "edit", path: "./**" }, { path: "" }]
  }
}
const entries = [
  auditEntry(),
  auditEntry({
    verdict: "deny", rule: "deny Bash(rm -rf *)", request: bash("rm -rf x\n--token=***"), why: "refused by a rule of the user's (deny Bash(rm -rf *)): use 'trash'"
  }),
  auditEntry({ verdict: "ask", by: "none", rule: null, why: "the user is asked", told: "no" })
]
const names = ["t", "quiet"].map((name) => Schema.decodeUnknownSync(Tag)(name))

// only the status is looked for
const session: Paths["Service"]["session"] = (tag) => ({
  dir: "/s", log: "/s", socket: "/s", lock: "/s", spool: "/s", queue: "/s", modes: "/s", screen: "/s", status: tag
})

const layers = Layer.mergeAll(
  NodeServices.layer,
  Layer.mock(Machine, {
    env: { HOME: "/home/me" }, cwd: "/srv/app", pid: 1, version: "0", node: "node", self: ["leap"],
    // one link: /srv/app/out leads to /etc
    realPath: (path) => Effect.succeed(path.replace(/^\/srv\/app\/out/, "/etc"))
  }),
  Layer.mock(Paths, { state: "/s", config: "/c", hookScript: "/h", session, tags: Effect.succeed(names) }),
  Layer.mock(Providers, { all: [{ id: "demo", bundled: true }, { id: "first", bundled: false }] as ReadonlyArray<Partial<ProviderRecord>> as ReadonlyArray<ProviderRecord> }),
  Layer.mock(ModesStore, { read: (tag) => Effect.succeed(tag === "free" ? { autoSend: "always" } : null) }),
  Layer.mock(StatusStore, { read: (path) => Effect.succeed(path === "ran" ? Option.some(sessionStatus({ cli: "second", cwd: "/srv/other" })) : Option.none()) }),
  Layer.mock(AuditLog, { read: (tag) => Effect.succeed(tag === "t" ? entries : []) })
)

/** Runs a command and gives back what it printed. */
const run = Effect.fn("run")(function*(command: typeof policy | typeof audit, args: ReadonlyArray<string>, now = settings, warnings: ReadonlyArray<string> = []) {
  const lines: Array<string> = []
  const output = Layer.mock(Output, {
    isTerminal: false, inputIsTerminal: false, notesAreSeen: false, colour: false, columns: Effect.succeed(80), line: (text) => Effect.sync(() => void lines.push(text))
  })
  const user = Layer.mock(UserSettings, { file: "/c/settings.json", read: Effect.succeed({ settings: now, warnings }) })
  // each command needs a part of these
  const program = Command.runWith(command as typeof policy, { version: "0" })(args) as Effect.Effect<void, unknown, Layer.Success<typeof layers> | Output | UserSettings>
  const exit = yield* Effect.exit(program).pipe(Effect.provide(Layer.mergeAll(layers, output, user)))
  return { exit, text: lines.join("\n") }
})
const json = Effect.fnUntraced(function*(command: typeof policy | typeof audit, args: ReadonlyArray<string>) {
  const { exit, text } = yield* run(command, [...args, "--json"])
  assert.isTrue(Exit.isSuccess(exit), args.join(" "))
  return JSON.parse(text)
})

describe("leap policy", () => {
  it.effect("shows the rules in force and what is wrong with them", () =>
    Effect.gen(function*() {
      const { text } = yield* run(policy, [], settings, ["policy.ask[3]: there is no field 'tol'"])
      assert.deepStrictEqual(text.split("\n").map((line) => line.split(/ {2,}/)), [
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
      ])
      const none = yield* run(policy, [], { ...defaultSettings, modes: { autoSend: "always", churn: "wait" } })
      assert.strictEqual(none.text, "no rules: /c/settings.json has none\nwhat no rule is about is allowed in new sessions (their mode is 'always')")
      const document = yield* json(policy, [])
      assert.deepStrictEqual(document.rules[0], { verdict: "deny", text: "deny Bash(rm -rf *)", rule: settings.policy.deny[0], problems: [] })
      assert.deepStrictEqual(document.problems, ["ask mcp [cli=second]: no CLI is called 'second'; there are demo, first", "allow path(): the pattern of 'path' is empty: the rule allows nothing"])
    }))

  it.effect("test: the verdict first, then the rule", () =>
    Effect.gen(function*() {
      const { text } = yield* run(policy, ["test", "--command", "cd x && sudo rm -fr /"])
      assert.strictEqual(
        text,
        "deny\nrule   deny Bash(rm -rf *)\nwhy    refused by a rule of the user's (deny Bash(rm -rf *)): use trash\nasked  Bash: cd x && sudo rm -fr /"
      )
    }))

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
  it.effect.each(rows.map(([args, verdict, rule]) => ({ args, verdict, rule })))("test $args: $verdict", ({ args, rule, verdict }) =>
    Effect.gen(function*() {
      const said = yield* json(policy, ["test", ...args.split(" ")])
      assert.deepStrictEqual([said.verdict, said.rule], [verdict, rule])
    }))
})

describe("leap audit", () => {
  it.effect("shows what was decided, oldest first", () =>
    Effect.gen(function*() {
      const { text } = yield* run(audit, ["t"])
      assert.deepStrictEqual(text.split("\n").map((line) => line.split(/ {2,}/)), [
        ["TIME (UTC)", "VERDICT", "BY", "TOLD", "WHAT", "RULE OR WHY"],
        ["2026-11-21 08:00:00", "allow", "rule", "hook", "Bash: npm test", "allow Bash(npm *)"],
        ["2026-11-21 08:00:00", "deny", "rule", "hook", "Bash: rm -rf x --token=***", "deny Bash(rm -rf *): use 'trash'"],
        ["2026-11-21 08:00:00", "ask", "-", "-", "Bash: npm test", "the user is asked"]
      ])
      assert.strictEqual((yield* run(audit, ["quiet"])).text, "no permission was asked for in session 'quiet'")
    }))

  it.effect("as JSON, only what was refused, only the last", () =>
    Effect.gen(function*() {
      assert.deepStrictEqual(yield* json(audit, ["t"]), { schema: 1, tag: "t", entries })
      assert.deepStrictEqual((yield* json(audit, ["t", "--denied"])).entries, [entries[1]])
      assert.deepStrictEqual((yield* json(audit, ["t", "--last", "2"])).entries, entries.slice(1))
    }))

  it.effect("of a session that is not there: exit code 3", () =>
    Effect.gen(function*() {
      const { exit, text } = yield* run(audit, ["nobody"])
      assert.strictEqual(text, "")
      const error = Exit.isFailure(exit) ? exit.cause.reasons.find((reason) => reason._tag === "Fail")?.error : undefined
      assert.deepStrictEqual(told(error), { message: "there is no session 'nobody'; 'leap nobody' starts one", exitCode: 3 })
    }))
})
