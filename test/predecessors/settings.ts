import { assert } from "@effect/vitest"
import { Effect, Layer, Option, type Scope } from "effect"
import * as jsonc from "jsonc-parser"
import { execFileSync } from "node:child_process"
import * as fs from "node:fs"
import * as path from "node:path"
import { entriesIn } from "../../src/domain/cli/wiring/HookEntries.ts"
import * as Toml from "../../src/domain/words/text/TomlEdit.ts"
import { layerOf } from "../support/providers.ts"
import * as Claude from "../../src/layers/providers/claude/Provider.ts"
import * as Codex from "../../src/layers/providers/codex/Provider.ts"
import * as Copilot from "../../src/layers/providers/copilot/Provider.ts"
import * as CursorAgent from "../../src/layers/providers/cursor-agent/Provider.ts"
import * as Gemini from "../../src/layers/providers/gemini/Provider.ts"
import * as OpenCode from "../../src/layers/providers/opencode/Provider.ts"
import { hooksInstall } from "../../src/programs/setup/hooks.ts"
import type { Provider } from "../../src/services/CLIProvider.ts"
import { HookInstaller } from "../../src/services/HookInstaller.ts"
import { System } from "../../src/services/System.ts"
import { filesBelow, makeHome } from "../support/wiring/homes.ts"
import { trialOf, versionsOf } from "../support/wiring/versions.ts"
import { type ListedRows, numbered, type ScenarioRow } from "./support/scenarioTable.ts"

export const ids = [...numbered("G", 14), ...numbered("Q", 35, 29)]

const claudeFile = ".claude/settings.json"
const codexFile = ".codex/hooks.json"
const codexToml = ".codex/config.toml"
const geminiFile = ".gemini/settings.json"
const cursorFile = ".cursor/hooks.json"
const cursorConfig = ".cursor/cli-config.json"
const copilotFile = ".copilot/hooks/leap.json"
const copilotSettings = ".copilot/settings.json"

/** The four whose hooks the rows speak of, with the file that names them. */
const four = [
  [Claude.provider, claudeFile],
  [Codex.provider, codexFile],
  [CursorAgent.provider, cursorFile],
  [Gemini.provider, geminiFile]
] as const
/** All whose hooks stand in JSON. */
const five = [...four, [Copilot.provider, copilotFile]] as const
const all = [...five.map(([record]) => record), OpenCode.provider]

type Home = Effect.Success<ReturnType<typeof makeHome>>

/** A check in a home of its own. */
const inHome =
  (
    files: Readonly<Record<string, string>>,
    check: (home: Home) => Effect.Effect<void, unknown, Scope.Scope>
  ): ScenarioRow["check"] =>
  () =>
    Effect.scoped(Effect.flatMap(makeHome(files), check))

const stateOf = ({ installer }: Home, record: Provider) => Effect.map(installer.status(record), ({ state }) => state)
const parsed = (text: string) => jsonc.parse(text, [], { allowTrailingComma: true })
const commandIn = (text: string): unknown => parsed(text)?.statusLine?.command
const line = (command: string) => ({ type: "command", command, padding: 3, refreshInterval: 10 })

/** What stands in a file's hooks under leap's name, and what else. */
const hooksOf = (text: string) => {
  const root = jsonc.parseTree(text, [], { allowTrailingComma: true })
  const entries = root === undefined ? [] : entriesIn(root)
  return {
    own: entries.filter(({ leap }) => leap),
    others: entries.filter(({ leap }) => !leap).map(({ hook }) => jsonc.getNodeValue(hook))
  }
}

const notHere =
  "leap keeps its scripts in its own directory, not in the CLI's, and there they stay after a removal: a CLI that runs now may still call them"

export const rows: ReadonlyArray<ScenarioRow> = [
  {
    id: "G-01",
    says: "an empty home: not installed",
    check: inHome({}, (home) =>
      Effect.gen(function* () {
        for (const record of all) assert.strictEqual(yield* stateOf(home, record), "missing", record.id)
      })
    )
  },
  {
    id: "G-02",
    says: "configured: installed",
    check: inHome({}, (home) =>
      Effect.gen(function* () {
        for (const record of all) {
          yield* home.installer.install(record)
          assert.strictEqual(yield* stateOf(home, record), "installed", record.id)
        }
      })
    )
  },
  {
    id: "G-03",
    says: "script or settings gone, or settings garbage: not installed, and no failure",
    check: inHome({}, (home) =>
      Effect.gen(function* () {
        for (const [record, file] of five) {
          yield* home.installer.install(record)
          const sound = home.read(file)
          home.write(file, "garbage {{{")
          assert.strictEqual(yield* stateOf(home, record), "unreadable", record.id)
          fs.rmSync(path.join(home.home, file))
          assert.notStrictEqual(yield* stateOf(home, record), "installed", record.id)
          assert.isFalse((yield* home.installer.status(record)).receivesEvents, record.id)
          home.write(file, sound)
          fs.rmSync(path.join(home.dir, "my leap/hooks/leap-hook.sh"))
          assert.strictEqual(yield* stateOf(home, record), "outdated", record.id)
        }
      })
    )
  },
  {
    id: "G-04",
    says: "odd shapes: not installed, and no failure",
    check: inHome(
      {
        [claudeFile]: '{"hooks":{"Stop":[{"hooks":[{"type":"command","command":42}]}]}}',
        [codexFile]: '{"hooks":{"Stop":[{"hooks":"x"}]}}',
        [cursorFile]: '{"version":1,"hooks":{"stop":[{"command":null}]}}',
        [geminiFile]: '{"hooks":[]}'
      },
      (home) =>
        Effect.gen(function* () {
          for (const [record, file] of four) {
            const before = home.read(file)
            assert.notStrictEqual(yield* stateOf(home, record), "installed", record.id)
            assert.isFalse((yield* home.installer.status(record)).receivesEvents, record.id)
            assert.strictEqual(home.read(file), before)
          }
        })
    )
  },
  {
    id: "G-05",
    says: "Codex without its flag for hooks: told of",
    differs:
      "today's Codex runs hooks unless features.hooks is off, and only those it is told to trust: that is what leap writes and looks at",
    check: inHome({}, (home) =>
      Effect.gen(function* () {
        yield* home.installer.install(Codex.provider)
        const trusted = home.read(codexToml)
        home.write(codexToml, `${trusted}\n[features]\nhooks = false\n`)
        assert.strictEqual(yield* stateOf(home, Codex.provider), "disabled")
        home.write(codexToml, 'model = "x"\n')
        assert.isFalse((yield* home.installer.status(Codex.provider)).receivesEvents)
      })
    )
  },
  {
    id: "G-06",
    says: "the base of each built-in is itself",
    check: () => {
      for (const record of all) assert.strictEqual(record.base, record.id)
    }
  },
  {
    id: "G-07",
    says: "Claude: exactly one entry for PermissionRequest, and one that waits for an answer; twice is once",
    differs:
      "no argument of the command decides: what is allowed is the host's to say when it is asked, so the entry names the event and no more",
    check: inHome({}, (home) =>
      Effect.gen(function* () {
        for (let times = 0; times < 2; times++) {
          yield* home.installer.install(Claude.provider)
          const asked = hooksOf(home.read(claudeFile)).own.filter(({ event }) => event === "PermissionRequest")
          assert.strictEqual(asked.length, 1)
          assert.match(
            String(parsed(home.read(claudeFile)).hooks.PermissionRequest[0].hooks[0].command),
            /leap-hook\.sh' PermissionRequest$/
          )
        }
        assert.isTrue(Claude.provider.hooks?.events.find(({ event }) => event === "PermissionRequest")?.canAnswer)
      })
    )
  },
  {
    id: "G-08",
    says: "its matcher takes every tool that a permission may be asked for",
    differs:
      "questions come through as well, since they tell that the user is asked something; that nobody answers them but the user is the host's rule, not the matcher's",
    check: () => {
      const { matcher } = Claude.provider.hooks?.events.find(({ event }) => event === "PermissionRequest") ?? {
        matcher: "none"
      }
      const takes = (tool: string) => matcher === null || matcher === "*" || new RegExp(matcher).test(tool)
      for (const tool of [
        "Bash",
        "Edit",
        "Write",
        "Read",
        "MultiEdit",
        "Task",
        "Grep",
        "Glob",
        "WebFetch",
        "WebSearch",
        "TodoWrite",
        "ExitPlanMode",
        "NotebookEdit",
        "mcp__notes__add",
        "AskUserQuestionX",
        "MyAskUserQuestion"
      ])
        assert.isTrue(takes(tool), tool)
    }
  },
  {
    id: "G-09",
    says: "Cursor's and Gemini's files never name PermissionRequest",
    differs: "today's Codex has a hook of that name, which decides: it is wired there",
    check: inHome({}, (home) =>
      Effect.gen(function* () {
        for (const [record, file] of four) {
          yield* home.installer.install(record)
          const asks = home.read(file).includes("PermissionRequest")
          assert.strictEqual(asks, record === Claude.provider || record === Codex.provider, record.id)
        }
      })
    )
  },
  {
    id: "G-10",
    says: "Cursor's hooks with junk in them: what is the user's stays, leap's is added",
    differs:
      "what is of the wrong type is the user's to mend: the file is left as it is, and they are told where; junk beside hooks is theirs too, and stays",
    check: inHome({ [cursorFile]: "[]" }, (home) =>
      Effect.gen(function* () {
        for (const wrong of ["[]", '{"hooks":"x"}']) {
          home.write(cursorFile, wrong)
          const error = yield* Effect.flip(home.installer.install(CursorAgent.provider))
          assert.match(error.message, /hooks\.json:1:\d+: .*; the file was left as it is: mend it/)
          assert.strictEqual(home.read(cursorFile), wrong)
        }
        home.write(cursorFile, '{"version":1,"hooks":{"stop":[7,null,{"command":"mine"}]}}')
        yield* home.installer.install(CursorAgent.provider)
        assert.strictEqual(yield* stateOf(home, CursorAgent.provider), "installed")
        assert.deepStrictEqual(parsed(home.read(cursorFile)).hooks.stop.slice(0, 3), [7, null, { command: "mine" }])
      })
    )
  },
  {
    id: "G-11",
    says: "Claude's status line: the user's runs through leap, other settings stay; twice is once; odd settings are no failure; installed does not depend on it",
    differs:
      "a user without one gets one only when they ask, for any at all takes a row of the screen; what was there stays in the settings, within leap's command, and needs no file to be kept in",
    check: inHome({}, (home) =>
      Effect.gen(function* () {
        yield* home.installer.install(Claude.provider)
        assert.notInclude(home.read(claudeFile), "statusLine")
        yield* home.installer.install(Claude.provider, { statusLine: true })
        assert.match(String(commandIn(home.read(claudeFile))), /leap-statusline\.sh'$/)
        home.write(claudeFile, JSON.stringify({ model: "opus", statusLine: line("mine --it") }))
        yield* home.installer.install(Claude.provider)
        const once = home.read(claudeFile)
        assert.match(String(commandIn(once)), /leap-statusline\.sh' 'mine --it'$/)
        assert.deepInclude(parsed(once), { model: "opus" })
        yield* home.installer.install(Claude.provider)
        assert.strictEqual(home.read(claudeFile), once)
        home.write(claudeFile, once.replace(/,"statusLine":\{[^}]*\}/, ""))
        assert.strictEqual(yield* stateOf(home, Claude.provider), "installed")
        home.write(claudeFile, "null")
        assert.match(
          (yield* Effect.flip(home.installer.install(Claude.provider))).message,
          /the settings are not an object, they are a null/
        )
      })
    )
  },
  {
    id: "G-12",
    says: "Copilot's status line: listened to, also where the user has none; theirs runs through leap, other keys stay; never through itself",
    differs:
      "today's Copilot has hooks, so it is installed when they are; where the user has no settings yet none are made",
    check: inHome({}, (home) =>
      Effect.gen(function* () {
        yield* home.installer.install(Copilot.provider)
        assert.isFalse(fs.existsSync(path.join(home.home, copilotSettings)))
        home.write(copilotSettings, '{\n  "theme": "dim"\n}')
        yield* home.installer.install(Copilot.provider)
        assert.deepStrictEqual(Object.keys(parsed(home.read(copilotSettings))), ["theme", "statusLine"])
        home.write(copilotSettings, JSON.stringify({ statusLine: line("mine"), theme: "dim" }))
        yield* home.installer.install(Copilot.provider)
        yield* home.installer.install(Copilot.provider)
        assert.strictEqual(home.read(copilotSettings).match(/leap-statusline\.sh/g)?.length, 1)
        assert.deepInclude(parsed(home.read(copilotSettings)), { theme: "dim" })
      })
    )
  },
  {
    id: "G-13",
    says: "Cursor's status line, when asked for: fresh file, existing keys, one of the user's, twice; an unreadable file is left byte for byte",
    differs: "it is asked for with --status-line: what this program makes of a command has not been seen",
    check: inHome({}, (home) =>
      Effect.gen(function* () {
        const { installer } = home
        yield* installer.install(CursorAgent.provider)
        assert.isFalse(fs.existsSync(path.join(home.home, cursorConfig)))
        yield* installer.install(CursorAgent.provider, { statusLine: true })
        assert.match(String(commandIn(home.read(cursorConfig))), /leap-statusline\.sh'$/)
        home.write(
          cursorConfig,
          JSON.stringify({ version: 1, model: { id: "x" }, permissions: { allow: ["a"] }, statusLine: line("mine") })
        )
        yield* installer.install(CursorAgent.provider, { statusLine: true })
        const once = home.read(cursorConfig)
        assert.match(String(commandIn(once)), /' 'mine'$/)
        assert.deepInclude(parsed(once), { version: 1, model: { id: "x" }, permissions: { allow: ["a"] } })
        yield* installer.install(CursorAgent.provider, { statusLine: true })
        assert.strictEqual(home.read(cursorConfig), once)
        for (const act of [
          () => installer.install(CursorAgent.provider, { statusLine: true }),
          () => installer.remove(CursorAgent.provider)
        ]) {
          home.write(cursorConfig, `${once}}`)
          yield* Effect.flip(act())
          assert.strictEqual(home.read(cursorConfig), `${once}}`)
        }
      })
    )
  },
  {
    id: "G-14",
    says: "Cursor's status line on removal: leap's goes, the user's is back, another's is left",
    differs: notHere,
    check: inHome({}, (home) =>
      Effect.gen(function* () {
        const { installer } = home
        for (const before of ["{}", JSON.stringify({ statusLine: line("mine") }), '{ "version": 1 }\n']) {
          home.write(cursorConfig, before)
          yield* installer.install(CursorAgent.provider, { statusLine: true })
          assert.include(home.read(cursorConfig), "leap-statusline.sh")
          yield* installer.remove(CursorAgent.provider)
          assert.strictEqual(home.read(cursorConfig), before)
        }
        yield* installer.install(CursorAgent.provider, { statusLine: true })
        const foreign = JSON.stringify({ statusLine: line("theirs") })
        home.write(cursorConfig, foreign)
        yield* installer.remove(CursorAgent.provider)
        assert.strictEqual(home.read(cursorConfig), foreign)
      })
    )
  },
  {
    id: "Q-29",
    says: "settings that cannot be read stay as they are, their CLI is said to have failed, the others are configured",
    differs: "comments and trailing commas are no reason to fail: the file is edited in place, and they stay",
    check: inHome(
      { [claudeFile]: '{\n  "model": "opus",\n  "hooks": {\n    "St', [geminiFile]: '{ // mine\n  "ui": {},\n}\n' },
      (home) =>
        Effect.gen(function* () {
          const before = home.read(claudeFile)
          const told = yield* hooksInstall(Option.none()).pipe(
            Effect.provide([
              Layer.succeed(HookInstaller, home.installer),
              layerOf(all),
              versionsOf(null),
              trialOf(),
              Layer.mock(System, {
                env: {},
                cwd: "/",
                pid: 1,
                version: "0",
                node: "0",
                self: [],
                which: (command) => Effect.succeed(command)
              })
            ])
          )
          assert.match(
            told.find(({ cli }) => cli === "claude")?.problem ?? "",
            /settings\.json:4:\d+: .*the file was left as it is/
          )
          assert.strictEqual(home.read(claudeFile), before)
          for (const row of told)
            if (row.cli !== "claude") assert.deepInclude(row, { state: "installed", problem: null }, row.cli)
          assert.match(home.read(geminiFile), /^\{ \/\/ mine\n {2}"ui": \{\},\n/)
        })
    )
  },
  {
    id: "Q-30",
    says: "settings behind a link stay a link, the target is edited, its mode stays",
    check: () =>
      Effect.scoped(
        Effect.gen(function* () {
          const home = yield* makeHome(
            { [claudeFile]: "{}", [codexToml]: "", [copilotSettings]: "{}", [geminiFile]: "{}" },
            { mode: 0o644, linked: true }
          )
          const before = home.all()
          for (const [record] of five) yield* home.installer.install(record)
          const there = home.all()
          for (const [name, standing] of Object.entries(before)) {
            if (standing.startsWith("->")) assert.strictEqual(there[name], standing, name)
            else assert.match(there[name] ?? "", /^644 [^]*(?:leap-|trusted_hash)/, name)
          }
          for (const [record] of five) yield* home.installer.remove(record)
          assert.deepStrictEqual(home.all(), before)
        })
      )
  },
  {
    id: "Q-31",
    says: "a hook of the user's in leap's own group outlives another installation, and the removal",
    check: inHome({}, (home) =>
      Effect.gen(function* () {
        const mine = { type: "command", command: "mine" }
        for (const [record, file] of [
          [Claude.provider, claudeFile],
          [Codex.provider, codexFile],
          [Gemini.provider, geminiFile]
        ] as const) {
          yield* home.installer.install(record)
          const settings = parsed(home.read(file))
          const event = Object.keys(settings.hooks)[0] ?? ""
          settings.hooks[event][0].hooks.push(mine)
          home.write(file, JSON.stringify(settings, null, 2))
          yield* home.installer.install(record)
          assert.deepStrictEqual(hooksOf(home.read(file)).others, [mine], record.id)
          yield* home.installer.remove(record)
          assert.deepStrictEqual(hooksOf(home.read(file)), { own: [], others: [mine] }, record.id)
        }
      })
    )
  },
  {
    id: "Q-32",
    says: "Codex's config.toml, however it is written, stays valid, keeps its other keys, and comes back byte for byte",
    differs:
      "leap sets no flag, for hooks are on; it writes down that its hooks are trusted, and says so when the user has switched hooks off",
    check: inHome({}, (home) =>
      Effect.gen(function* () {
        for (const [text, state] of [
          ['model = "x" # mine\n\n[features]\nundo = true\n', "installed"],
          ['features = { hooks = true, undo = false } # inline\nmodel = "x"', "installed"],
          ['features.hooks = false\nmodel = "x"\n', "disabled"],
          ["[features]\r\nhooks = false\r\n", "disabled"],
          ["# [features]\n# hooks = false\n", "installed"]
        ] as const) {
          home.write(codexToml, text)
          yield* home.installer.install(Codex.provider)
          const tree = Toml.parse(home.read(codexToml))
          assert.strictEqual(tree._tag, "Success", text)
          assert.isTrue(home.read(codexToml).startsWith(text), text)
          assert.strictEqual(yield* stateOf(home, Codex.provider), state, text)
          yield* home.installer.remove(Codex.provider)
          assert.strictEqual(home.read(codexToml), text)
        }
      })
    )
  },
  {
    id: "Q-33",
    says: "a status line with fields of its own comes back whole; what was there is kept while the settings cannot be read",
    check: inHome({}, (home) =>
      Effect.gen(function* () {
        for (const [record, file] of [
          [Claude.provider, claudeFile],
          [Copilot.provider, copilotSettings],
          [CursorAgent.provider, cursorConfig]
        ] as const) {
          const before = `// mine\n{ "a": 1, "statusLine" : ${JSON.stringify(line('it\'s "mine" $HOME \\ é'), null, 1)}, }\n`
          home.write(file, before)
          yield* home.installer.install(record, { statusLine: true })
          const there = home.read(file)
          assert.deepInclude(parsed(there).statusLine, { padding: 3, refreshInterval: 10 })
          home.write(file, `${there}]`)
          yield* Effect.flip(home.installer.remove(record))
          assert.strictEqual(home.read(file), `${there}]`)
          home.write(file, there)
          yield* home.installer.remove(record)
          assert.strictEqual(home.read(file), before, record.id)
        }
      })
    )
  },
  {
    id: "Q-34",
    says: "configure, then deconfigure: as at the start, for all",
    check: inHome(
      {
        [claudeFile]: "{}",
        [codexToml]: "",
        [geminiFile]: '{"ui":{}}',
        [copilotSettings]: "{}",
        [cursorConfig]: "{}",
        [cursorFile]: '{"version":1,"hooks":{}}'
      },
      (home) =>
        Effect.gen(function* () {
          const before = filesBelow(home.home)
          for (const record of all) yield* home.installer.install(record, { statusLine: true })
          for (const record of all) assert.strictEqual(yield* stateOf(home, record), "installed", record.id)
          for (const record of all) yield* home.installer.remove(record)
          assert.deepStrictEqual(filesBelow(home.home), before)
        })
    )
  },
  {
    id: "Q-35",
    says: "a home with a space in its path: every command still runs",
    check: inHome({}, (home) =>
      Effect.gen(function* () {
        const spool = path.join(home.dir, "spool")
        fs.mkdirSync(spool)
        assert.match(home.dir, / /)
        for (const [record, file] of five) {
          yield* home.installer.install(record)
          const { own } = hooksOf(home.read(file))
          assert.strictEqual(own.length, record.hooks?.events.length)
          for (const { event, hook } of own) {
            const { bash, command } = jsonc.getNodeValue(hook) as { command?: string; bash?: string }
            execFileSync("sh", ["-c", command ?? bash ?? ""], {
              input: "{}",
              env: { PATH: process.env["PATH"], LEAP_SIGNAL_DIR: spool }
            })
            assert.strictEqual(
              fs.readdirSync(spool).filter((name) => name.startsWith(`${event},`)).length,
              1,
              `${record.id} ${event}`
            )
            for (const name of fs.readdirSync(spool)) fs.rmSync(path.join(spool, name))
          }
        }
      })
    )
  }
]

export const listed: ReadonlyArray<ListedRows> = []
