import { assert, describe } from "@effect/vitest"
import { Effect, Layer, Option, Result, Stream } from "effect"
import { readSettings } from "../../../src/domain/store/settings/readSettings.ts"
import { noWords, type StartWords } from "../../../src/domain/words/session/StartWords.ts"
import type { HostSpec } from "../../../src/domain/words/session/HostSpec.ts"
import * as ProvidersBuiltin from "../../../src/layers/providers/ProvidersBuiltin.ts"
import * as ProvidersConfigured from "../../../src/layers/providers/ProvidersConfigured.ts"
import { describe as told } from "../../../src/programs/exit.ts"
import { type StartOptions, startSession, type UnwiredStart } from "../../../src/programs/starting/start.ts"
import { cliEnvironment } from "../../../src/programs/host/CliCommand.ts"
import { HookInstaller, type HookState } from "../../../src/services/HookInstaller.ts"
import { HostLauncher } from "../../../src/services/HostLauncher.ts"
import { NoProgramError, System } from "../../../src/services/System.ts"
import { Paths } from "../../../src/services/Paths.ts"
import { QueueStore } from "../../../src/services/QueueStore.ts"
import { SessionRecords } from "../../../src/services/SessionRecords.ts"
import { StatusStore } from "../../../src/services/StatusStore.ts"
import { UserSettings } from "../../../src/services/UserSettings.ts"
import { builtinOf } from "../../support/providers.ts"
import { sessionStatus } from "../../support/data/sessionStatus.ts"
import { tag } from "../../support/processes/Room.ts"
import { versionsOf } from "../../support/wiring/versions.ts"
import { effect, effectOfEach } from "../../support/run/effects.ts"

const builtin = ProvidersBuiltin.registrations.map(({ identity }) => identity.id)
const files = {
  dir: "/s",
  socket: "/s/s",
  lock: "/s/l",
  queue: "/s/q",
  modes: "/s/m",
  status: "/s/st",
  screen: "/s/sc",
  spool: "/s/sp",
  snapshots: "/s/snapshots",
  log: "/s/log"
}

interface Place {
  readonly env?: Readonly<Record<string, string>>
  readonly settings?: string
  /** Programs that are not there. */
  readonly absent?: ReadonlyArray<string>
  readonly wired?: HookState
  readonly version?: string | null
  readonly help?: ReadonlyArray<string> | null
  /** What the session was started with before; absent where there was none. */
  readonly before?: StartWords
}

/**
 * Starts a session on a machine where no host comes up: gives what one would have been started with, or how it was
 * refused.
 */
const start = Effect.fnUntraced(function* (
  given: Partial<StartOptions> & { readonly cli: Option.Option<string> },
  { absent = [], before, env = {}, help = null, settings = "{}", version = null, wired = "installed" }: Place = {}
) {
  const launched: Array<HostSpec> = []
  const started: Array<StartWords> = []
  const installed: Array<string | null | undefined> = []
  const read = Effect.succeed(readSettings(new TextEncoder().encode(settings), builtin))
  const settingsLayer = Layer.succeed(UserSettings, {
    file: "/settings.json",
    read,
    change: () => Effect.die("no change"),
    changes: Effect.succeed(Stream.empty)
  })
  const layer = Layer.mergeAll(
    settingsLayer,
    ProvidersConfigured.layerOf(ProvidersBuiltin.registrations).pipe(Layer.provide(settingsLayer)),
    Layer.mock(System, {
      env,
      cwd: "/home/u/a",
      pid: 1,
      version: "0",
      node: "24",
      platform: "linux",
      self: ["leap"],
      directory: (path) => Effect.succeed(path.startsWith("/home") ? Option.some(path) : Option.none()),
      hidden: () => Effect.succeed(null),
      which: (command) =>
        absent.includes(command)
          ? new NoProgramError({ command, file: null, found: false })
          : Effect.succeed(`/bin/${command}`)
    }),
    Layer.mock(Paths, {
      state: "/s",
      config: "/c",
      sessions: "/s",
      hookScript: "/s/hook",
      session: () => files,
      ensureSession: () => Effect.succeed(files)
    }),
    Layer.mock(StatusStore, {
      read: () =>
        before === undefined
          ? Effect.succeedNone
          : Effect.succeedSome(sessionStatus({ cli: Option.getOrElse(given.cli, () => "gemini") }))
    }),
    Layer.mock(SessionRecords, {
      wordsOf: (_, cli) => Effect.succeed(Option.contains(given.cli, cli) ? (before ?? null) : null),
      started: (_, __, words) => Effect.sync(() => void started.push(words))
    }),
    Layer.mock(QueueStore, {
      damage: () => Effect.succeed(null),
      recover: () => Effect.succeed({ records: [], problem: null })
    }),
    versionsOf(version, help),
    Layer.mock(HookInstaller, {
      refreshScripts: Effect.void,
      install: (_, options) =>
        Effect.sync(() => ({ file: "/settings", changed: installed.push(options?.version) > 0 })),
      status: () =>
        Effect.sync(() => ({
          state: installed.length > 0 ? "installed" : wired,
          file: "/settings",
          detail: "a detail",
          receivesEvents: wired === "installed",
          files: []
        }))
    }),
    Layer.succeed(HostLauncher, { start: (spec) => Effect.sync(() => void launched.push(spec)) })
  )
  const exit = yield* startSession({
    tag: tag("one"),
    cwd: Option.some("/home/u/b"),
    args: [],
    size: { cols: 80, rows: 24 },
    waitForViewer: false,
    resumes: null,
    ...given
  }).pipe(Effect.provide(layer), Effect.result)
  return {
    spec: launched[0],
    launched: launched.length,
    started: started[0],
    warnings: Result.isSuccess(exit) ? exit.success.warnings : [],
    installed,
    chosen: Result.isSuccess(exit) ? exit.success.chosen : null,
    note: Result.isSuccess(exit) ? exit.success.note : null,
    refused: Result.isFailure(exit) ? told(exit.failure) : null
  }
})

const resumes = { sessionId: "7c0e-1", transcriptPath: "/t.jsonl" }

describe("a session that goes on with an earlier one", () => {
  effectOfEach([
    { cli: "claude", args: ["--resume=7c0e-1", "--model", "x", "--own"] },
    { cli: "codex", args: ["-C", "/home/u/b", "resume", "7c0e-1", "--model", "x", "--own"] },
    { cli: "gemini", args: ["--resume", "7c0e-1", "--model", "x", "--own"] },
    { cli: "cursor-agent", args: ["--resume", "7c0e-1", "--model", "x", "--own"] },
    { cli: "copilot", args: ["--resume=7c0e-1", "--model", "x", "--own"] },
    { cli: "opencode", args: ["-s", "7c0e-1", "--model", "x", "--own"] }
  ])("$cli gets its own words for it in front of default flags and the user's", function* ({ args, cli }) {
    const settings = JSON.stringify({ clis: { [cli]: { flags: "--model x" } } })
    const { refused, spec } = yield* start({ cli: Option.some(cli), resumes, args: ["--own"] }, { settings })
    assert.isNull(refused)
    assert.deepStrictEqual(spec?.args, args)
    assert.strictEqual(spec?.cwd, "/home/u/b")
    // the host knows which it is before the CLI says so
    assert.deepStrictEqual(spec?.resumes, resumes)
  })

  effect("nothing is handed over by the environment, and nothing that lies in it is taken for an order", function* () {
    const env = { LEAP_RESUME_SESSION_ID: "other", LEAP_RESUME_CLI: "codex", HOME: "/home/u" }
    const fresh = yield* start({ cli: Option.some("claude") }, { env })
    assert.deepStrictEqual(fresh.spec?.args, [])
    assert.notProperty(fresh.spec, "resumes")
    const { spec } = yield* start({ cli: Option.some("claude"), resumes })
    assert.isDefined(spec)
    const cli = cliEnvironment({ HOME: "/home/u" }, spec, "/spool", { command: "claude", args: [], env: {} })
    assert.deepStrictEqual(
      Object.values(cli).filter((value) => value.includes(resumes.sessionId)),
      []
    )
  })

  effectOfEach([
    { why: "a CLI that cannot resume", cli: "demo", place: {}, code: 5, says: "cannot go on with an earlier session" },
    { why: "an unknown CLI", cli: "vim", place: {}, code: 2, says: "vim" },
    { why: "an empty name", cli: "", place: {}, code: 2, says: "" }
  ])("$why starts nothing", function* ({ cli, code, place, says }) {
    const { launched, refused } = yield* start({ cli: Option.some(cli), resumes }, place)
    assert.strictEqual(refused?.exitCode, code)
    assert.include(refused?.message, says)
    assert.strictEqual(launched, 0)
  })

  const others = ["gemini", "copilot", "opencode", "cursor-agent"]
  effectOfEach<readonly [why: string, named: string | null, place: Place, runs: string | null, says: string | null]>([
    ["the first of those that are installed, and says so", null, {}, "claude", "Claude Code, the first of 6 CLIs"],
    ["the only one that is installed", null, { absent: ["claude", ...others] }, "codex", null],
    ["the first by the user's order", null, { settings: '{"order":["opencode"]}' }, "opencode", "OpenCode, the first"],
    ["the one that LEAP_CLI names", null, { env: { LEAP_CLI: "codex" } }, "codex", null],
    ["the one that it is told", "copilot", { env: { LEAP_CLI: "codex" } }, "copilot", null],
    ["the one that it ran before", null, { env: { LEAP_CLI: "codex" }, before: noWords }, "gemini", null],
    ["none, where LEAP_CLI names nothing", null, { env: { LEAP_CLI: "vim" } }, null, "LEAP_CLI: "]
  ])("a session runs %s", function* ([, named, place, runs, says]) {
    const { chosen, refused, spec } = yield* start({ cli: Option.fromNullishOr(named) }, place)
    assert.strictEqual(spec?.cli ?? null, runs)
    if (says === null) assert.isNull(chosen)
    else assert.include(chosen ?? refused?.message, says)
  })

  effectOfEach<{ readonly why: string; readonly cli: string; readonly place: Place; readonly code: number | null }>([
    { why: "not installed", cli: "claude", place: { absent: ["claude"] }, code: 7 },
    { why: "not wired", cli: "claude", place: { wired: "missing" }, code: null },
    {
      why: "not wired, where the user wants none so",
      cli: "claude",
      place: { wired: "missing", settings: '{"unwired":"refuse"}' },
      code: 6
    },
    {
      why: "not wired, where the user wants it so and no other",
      cli: "claude",
      place: { wired: "missing", settings: '{"unwired":"refuse","clis":{"claude":{"unwired":"start"}}}' },
      code: null
    },
    {
      why: "a variant whose base's program is not there",
      cli: "work",
      place: { absent: ["claude"], settings: '{"clis":{"work":{"base":"claude"}}}' },
      code: 7
    },
    {
      why: "a variant with a program of its own",
      cli: "work",
      place: { absent: ["claude"], settings: '{"clis":{"work":{"base":"claude","command":"mine"}}}' },
      code: null
    },
    {
      why: "a variant whose base is not wired",
      cli: "work",
      place: { wired: "missing", settings: '{"clis":{"work":{"base":"claude","unwired":"refuse"}}}' },
      code: 6
    }
  ])("the gate, for $why", function* ({ cli, code, place }) {
    for (const session of [null, resumes]) {
      const { launched, refused } = yield* start({ cli: Option.some(cli), resumes: session }, place)
      assert.strictEqual(refused?.exitCode ?? null, code)
      assert.strictEqual(launched, code === null ? 1 : 0)
    }
  })

  effectOfEach(["claude", "codex", "gemini", "copilot", "cursor-agent", "opencode"])(
    "%s is not started without hooks where a rule of the user's needs them, and only there",
    function* (cli) {
      const needs = builtinOf(cli).permissions.decisions.length > 0
      for (const [policy, rule] of [
        [{ deny: [{ command: "rm *" }] }, "deny command(rm *)"],
        [{ ask: [{ tag: "one", tool: "Bash" }] }, "ask Bash [tag=one]"],
        [{ deny: [{ tag: "two", command: "rm *" }], allow: [{ command: "ls" }] }, null],
        [{ deny: [{ cli: "other-cli", command: "rm *" }] }, null]
      ] as const) {
        const place: Place = { wired: "missing", settings: JSON.stringify({ policy }) }
        const { launched, note, refused, spec } = yield* start({ cli: Option.some(cli) }, place)
        if (needs && rule !== null) {
          assert.strictEqual(refused?.exitCode, 6)
          assert.include(refused?.message, `'${rule}' cannot hold without leap's hooks`)
          assert.include(refused?.message, `leap hooks install --cli ${cli}`)
          assert.strictEqual(launched, 0)
        } else {
          assert.isNull(refused)
          assert.match(note ?? "", /runs without leap's hooks \(a detail\)/)
          assert.deepStrictEqual(spec?.hooksOff, ["it is not wired: a detail"])
        }
      }
    }
  )

  effect("the user is asked about a CLI without hooks once, unless they have said it for good", function* () {
    const asked: Array<UnwiredStart> = []
    const ask = (answer: "added" | "without") => (it: UnwiredStart) => Effect.sync(() => (asked.push(it), answer))
    const run = (answer: "added" | "without", place: Place, more: Partial<StartOptions> = {}) => {
      asked.length = 0
      return start({ cli: Option.some("claude"), askUnwired: ask(answer), ...more }, { wired: "missing", ...place })
    }
    const without = yield* run("without", {})
    assert.deepStrictEqual([asked.length, without.launched, asked[0]?.refusal], [1, 1, null])
    assert.include(without.note, "runs without leap's hooks")
    for (const more of [{ requireHooks: true }, {}]) {
      const place = { settings: more.requireHooks ? "{}" : '{"policy":{"deny":[{"command":"rm *"}]}}' }
      const refused = yield* run("without", place, more)
      assert.deepStrictEqual([asked.length, refused.refused?.exitCode], [1, 6])
      assert.include(refused.refused?.message, asked[0]?.refusal ?? "nothing was asked")
    }
    for (const settings of ['{"unwired":"start"}', '{"clis":{"claude":{"unwired":"start"}}}']) {
      const unasked = yield* run("added", { settings })
      assert.deepStrictEqual([asked.length, unasked.launched], [0, 1])
    }
    const nobody = yield* start({ cli: Option.some("claude"), requireHooks: true }, { wired: "missing" })
    assert.strictEqual(nobody.refused?.exitCode, 6)
  })

  effectOfEach<readonly [version: string | null, help: ReadonlyArray<string> | null, without: ReadonlyArray<string>]>([
    ["0.130.0", null, ["--no-daemon"]],
    ["0.169.0", null, []],
    [null, ["--no-daemon"], []],
    [null, ["--search"], ["--no-daemon"]],
    [null, null, ["--no-daemon"]]
  ])(
    "is started without the flags that its CLI does not know: version %s, help %j",
    function* ([version, help, without]) {
      const { spec } = yield* start({ cli: Option.some("codex") }, { version, help })
      assert.deepStrictEqual(spec?.withoutFlags ?? [], without)
      assert.notProperty((yield* start({ cli: Option.some("gemini") }, { version, help })).spec, "withoutFlags")
    }
  )

  effect(
    "takes out of the CLI's settings at its start what its version would not read them with, and says so",
    function* () {
      const { installed, launched, note } = yield* start(
        { cli: Option.some("claude") },
        { version: "2.1.80", wired: "refused" }
      )
      assert.deepStrictEqual([launched, installed], [1, ["2.1.80"]])
      assert.match(note ?? "", /^took out of \/settings what Claude Code 2\.1\.80 .*a detail/)
    }
  )

  const narrowed: StartWords = {
    args: ["--permission-mode", "plan", "--disallowedTools", "Bash"],
    flags: null,
    leftOut: ["--continue", "the prompt"]
  }
  const given = [
    "with its arguments of before: --permission-mode plan --disallowedTools Bash (a lone -- starts it without)",
    "not given again, because it was for that start only: --continue, the prompt"
  ]
  const replaced = ["its arguments of before are not given again: --permission-mode plan --disallowedTools Bash"]

  effectOfEach<{
    readonly what: string
    readonly args: ReadonlyArray<string> | null
    readonly spec: ReadonlyArray<string>
    readonly words: StartWords
    readonly warnings: ReadonlyArray<string>
    readonly env?: Readonly<Record<string, string>>
    readonly before?: StartWords
  }>([
    { what: "given again", args: null, spec: narrowed.args, words: { ...narrowed, leftOut: [] }, warnings: given },
    { what: "replaced by none", args: [], spec: [], words: noWords, warnings: replaced },
    {
      what: "replaced as a whole",
      args: ["--model", "opus", "say hello"],
      spec: ["--model", "opus", "say hello"],
      words: { args: ["--model", "opus"], flags: null, leftOut: ["the prompt"] },
      warnings: replaced
    },
    { what: "said again", args: narrowed.args, spec: narrowed.args, words: { ...narrowed, leftOut: [] }, warnings: [] },
    {
      what: "given again with the flags that the environment had",
      args: null,
      before: { ...noWords, flags: ["--restricted"] },
      spec: ["--restricted"],
      words: { ...noWords, flags: ["--restricted"] },
      warnings: ["with its arguments of before: --restricted (a lone -- starts it without)"]
    },
    {
      what: "given again behind the flags that the environment has now",
      args: null,
      env: { LEAP_CLAUDE_FLAGS: "--verbose" },
      before: { ...narrowed, flags: ["--restricted"], leftOut: [] },
      spec: ["--verbose", ...narrowed.args],
      words: { ...narrowed, flags: ["--verbose"], leftOut: [] },
      warnings: given.slice(0, 1)
    }
  ])(
    "a session's arguments of before are $what",
    function* ({ args, before = narrowed, env = {}, spec, warnings, words }) {
      for (const session of [null, resumes]) {
        const ran = yield* start({ cli: Option.some("claude"), args, resumes: session }, { before, env })
        assert.deepStrictEqual(ran.spec?.args, [...(session === null ? [] : ["--resume=7c0e-1"]), ...spec])
        assert.deepStrictEqual([ran.started, ran.spec?.words], [words, words])
        assert.deepStrictEqual(ran.warnings, warnings)
      }
    }
  )

  effect("an agent starts no session again that its user gave arguments", function* () {
    const own = { cli: Option.some("claude"), args: null, byAgent: true }
    const { launched, refused } = yield* start(own, { before: narrowed })
    assert.deepStrictEqual([launched, refused?.exitCode], [0, 5])
    assert.include(refused?.message, "'leap one' starts it again")
    assert.strictEqual((yield* start(own, { before: noWords })).launched, 1)
    assert.strictEqual((yield* start(own)).launched, 1)
  })

  effect("is not started in a directory that is not there", function* () {
    const { launched, refused } = yield* start({ cli: Option.some("claude"), cwd: Option.some("/gone"), resumes })
    assert.strictEqual(refused?.exitCode, 2)
    assert.strictEqual(launched, 0)
  })
})

describe("a session of a program that leap has no rules for", () => {
  const generic = { cli: Option.some("generic") }
  const mine = JSON.stringify({
    clis: { odd: { base: "generic", command: "odd", flags: "-q", screen: { box: "> {draft}" } } }
  })

  effectOfEach<
    readonly [
      what: string,
      args: ReadonlyArray<string>,
      place: Place,
      launched: ReadonlyArray<string>,
      note: RegExp | null
    ]
  >([
    [
      "is started though nothing is wired, with a word on what leap cannot do",
      ["odd", "--x"],
      { wired: "missing" },
      ["odd", "--x"],
      /send --force/
    ],
    [
      "gets its default flags behind its name",
      ["odd", "--x"],
      { env: { LEAP_GENERIC_FLAGS: "-q 'a b'" } },
      ["odd", "-q", "a b", "--x"],
      /send --force/
    ],
    ["has patterns where leap ships some", ["/opt/bin/qwen"], {}, ["/opt/bin/qwen"], null],
    [
      "is told which rules cannot hold in it",
      ["/opt/bin/qwen"],
      { settings: JSON.stringify({ policy: { deny: [{ command: "rm *" }], ask: [{ path: "/**" }] } }) },
      ["/opt/bin/qwen"],
      /^'deny command\(rm \*\)' \(and 1 more of your rules\) cannot hold here: this program has no hooks/
    ],
    [
      "is told nothing of rules for other CLIs",
      ["/opt/bin/qwen"],
      { settings: JSON.stringify({ policy: { deny: [{ command: "rm *", cli: "claude" }] } }) },
      ["/opt/bin/qwen"],
      null
    ]
  ])("%s", function* ([, args, place, launched, note]) {
    const started = yield* start({ ...generic, args }, place)
    assert.deepStrictEqual(started.spec?.args, launched)
    if (note === null) assert.isNull(started.note)
    else assert.match(started.note ?? "", note)
  })

  effect("of the user's is started by its own program", function* () {
    const { note, spec } = yield* start({ cli: Option.some("odd"), args: ["--x"] }, { settings: mine })
    assert.deepStrictEqual([spec?.cli, spec?.args, note], ["odd", ["-q", "--x"], null])
  })

  effectOfEach<readonly [args: ReadonlyArray<string>, code: number, says: RegExp]>([
    [[], 2, /names? one behind --/],
    [["odd"], 7, /'odd' is no program/]
  ])("is refused without a program that can be run: %j", function* ([args, code, says]) {
    const { launched, refused } = yield* start({ ...generic, args }, { absent: ["odd"] })
    assert.strictEqual(launched, 0)
    assert.strictEqual(refused?.exitCode, code)
    assert.match(refused?.message ?? "", says)
  })
})
