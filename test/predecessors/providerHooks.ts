import { assert } from "@effect/vitest"
import { Deferred, Effect, Layer, type Scope, Stream } from "effect"
import { TestClock } from "effect/testing"
import { execFileSync, spawnSync } from "node:child_process"
import * as fs from "node:fs"
import * as os from "node:os"
import * as path from "node:path"
import * as jsonc from "jsonc-parser"
import { claudeUsage } from "../../src/domain/providers/claude/Usage.ts"
import { entriesIn } from "../../src/domain/cli/wiring/HookEntries.ts"
import { dataName, parseFile, parseName } from "../../src/domain/places/spool/HookFile.ts"
import { geminiResume } from "../../src/domain/providers/gemini/Resume.ts"
import * as RecordBook from "../../src/domain/places/sessions/RecordBook.ts"
import { defaultSettings } from "../../src/domain/rules/settings/Settings.ts"
import { fold, start as nothingTold } from "../../src/domain/cli/usage/UsageState.ts"
import { jsonOf } from "../../src/domain/words/reading/Json.ts"
import * as FileTailNode from "../../src/layers/files/FileTailNode.ts"
import * as DirectoryWatchNode from "../../src/layers/files/DirectoryWatchNode.ts"
import { builtin, configured } from "../support/providers.ts"
import * as Claude from "../../src/layers/providers/claude/Provider.ts"
import * as Codex from "../../src/layers/providers/codex/Provider.ts"
import * as Copilot from "../../src/layers/providers/copilot/Provider.ts"
import * as CursorAgent from "../../src/layers/providers/cursor-agent/Provider.ts"
import * as Demo from "../../src/layers/providers/demo/Provider.ts"
import * as Gemini from "../../src/layers/providers/gemini/Provider.ts"
import * as RecordKeeper from "../../src/programs/host/RecordKeeper.ts"
import { CLIProvider, type Provider } from "../../src/services/CLIProvider.ts"
import { FileTail, type TailChunk } from "../../src/services/FileTail.ts"
import { SessionRecords } from "../../src/services/SessionRecords.ts"
import { makeHome } from "../support/wiring/homes.ts"
import { callHook, startHook } from "../support/wiring/hookScript.ts"
import { type ListedRows, numbered, type ScenarioRow } from "./support/scenarioTable.ts"
import { commandOf, contextOf, publisherOf } from "../support/host/parts.ts"
import { begin, play, signal } from "../support/session/trace.ts"
import { account } from "../support/data/account.ts"
import { makeRecordsHome, recordOf, recordsIn, tag } from "../support/data/sessionRecords.ts"

/** Rows that run a script or touch the disk. */
export const ids = [...numbered("H", 10), ...numbered("K", 21, 20), "M-02", "Q-36", "Q-40"]

const whole =
  "a hook hands on the whole event as it came, and knows no CLI: what it means, and what is written down, is the host's to say"

const temporary = Effect.acquireRelease(
  Effect.sync(() => fs.mkdtempSync(path.join(os.tmpdir(), "leap-rows-"))),
  (dir) => Effect.sync(() => fs.rmSync(dir, { recursive: true, force: true }))
)
const scoped =
  <E>(check: () => Effect.Effect<void, E, Scope.Scope>): ScenarioRow["check"] =>
  () =>
    Effect.scoped(check())

/** What the host would find in a spool: whole events, in no order. */
const delivered = (spool: string) =>
  fs.readdirSync(spool).flatMap((mark) => {
    const name = parseName(mark)
    return name === null ? [] : [parseFile(name, fs.readFileSync(path.join(spool, dataName(mark)), "utf8"))]
  })

type Hook = readonly [event: string, payload: unknown]
type Home = Effect.Success<typeof makeRecordsHome>

/**
 * Plays a CLI's hooks through the state machine, and writes down what that then knows of the session, as its host does.
 */
const told = (provider: Provider, hooks: ReadonlyArray<Hook>, under = "t") =>
  Effect.gen(function* () {
    const { facts } = play(
      hooks.flatMap(([event, payload], i) =>
        provider.detection.readHook(event, payload).map((said) => [i + 1, signal(said)] as const)
      ),
      hooks.length + 1
    )
    const { sessionId, transcriptPath } = facts
    const publisher = yield* publisherOf({ cli: provider.id, cwd: "/srv", sessionId, transcriptPath })
    const keeper = RecordKeeper.layer.pipe(
      Layer.provide([contextOf({ tag: under }), commandOf(), publisher.layer, Layer.succeed(CLIProvider, provider)])
    )
    yield* Effect.provide(
      Effect.flatMap(RecordKeeper.RecordKeeper, ({ flush }) => flush),
      keeper
    )
  })
const recorded = Effect.map(
  Effect.flatMap(SessionRecords, ({ all }) => all),
  (all) => all.flatMap(({ book, tag }) => book.map(({ record }) => ({ tag, ...record })))
)

/** A check with records in a home of its own. */
const inHome =
  <E>(check: (home: Home) => Effect.Effect<void, E, SessionRecords | Scope.Scope>): ScenarioRow["check"] =>
  () =>
    Effect.scoped(Effect.flatMap(makeRecordsHome, (home) => Effect.provide(check(home), recordsIn(home.home))))

const mine = (base: string): Provider =>
  configured(builtin, { ...defaultSettings, clis: { mine: { base } } }).find(({ id }) => id === "mine") ??
  assert.fail(`no variant of ${base}`)

const statusLine = path.resolve(import.meta.dirname, "../../hooks/leap-statusline.sh")
const runStatusLine = (spool: string | null, input: string) =>
  spawnSync("sh", [statusLine], {
    input,
    encoding: "utf8",
    env: { PATH: process.env["PATH"], ...(spool === null ? {} : { LEAP_SIGNAL_DIR: spool }) }
  })

const answer = (id: string, input: number) => ({
  type: "assistant",
  timestamp: "2026-11-21T10:00:00.000Z",
  message: { id, model: "claude-opus-5", content: [], usage: { input_tokens: input, output_tokens: 1 } }
})

export const rows: ReadonlyArray<ScenarioRow> = [
  {
    id: "H-01",
    says: "Claude's session is written down: its id, its transcript, whether that is there or not, its directory, the time",
    check: inHome(({ transcript }) =>
      Effect.gen(function* () {
        yield* TestClock.setTime(begin)
        const there = transcript("here")
        yield* told(Claude.provider, [
          ["SessionStart", { session_id: "here", transcript_path: there, cwd: "/srv", source: "startup" }]
        ])
        yield* told(Claude.provider, [
          [
            "SessionStart",
            { session_id: "later", transcript_path: "/not/yet/later.jsonl", cwd: "/srv", source: "startup" }
          ]
        ])
        const all = yield* recorded
        assert.deepStrictEqual(
          all.map(({ cwd, lastSeen, sessionId, transcriptPath }) => [sessionId, transcriptPath, cwd, lastSeen]),
          [
            ["here", there, "/srv", begin],
            ["later", "/not/yet/later.jsonl", "/srv", begin]
          ]
        )
      })
    )
  },
  {
    id: "H-02",
    says: "the others' as well, each under its CLI",
    differs: "today's Gemini names its session in every hook; that its file does is for sessions of older versions",
    check: inHome(() =>
      Effect.gen(function* () {
        yield* told(Codex.provider, [["SessionStart", { session_id: "codex-1", transcript_path: null }]])
        yield* told(CursorAgent.provider, [["sessionStart", { conversation_id: "cursor-1" }]])
        yield* told(Gemini.provider, [
          ["SessionStart", { session_id: "gemini-1", transcript_path: "/home/me/.gemini/tmp/app/chats/a.jsonl" }]
        ])
        assert.deepStrictEqual(
          (yield* recorded).map(({ cli, sessionId }) => [cli, sessionId]),
          [
            ["codex", "codex-1"],
            ["cursor-agent", "cursor-1"],
            ["gemini", "gemini-1"]
          ]
        )
        assert.strictEqual(
          geminiResume.sessionIdOf({
            payload: {},
            transcriptPath: "/home/me/.gemini/tmp/app/chats/a.jsonl",
            head: '{"sessionId":"of-file"}'
          }),
          "of-file"
        )
      })
    )
  },
  {
    id: "H-03",
    says: "what a hook says of the state, and the last answer, arrive",
    differs: `no signal file: ${whole}; Claude's own notifications say nothing that its other hooks do not`,
    check: scoped(() =>
      Effect.gen(function* () {
        const spool = yield* temporary
        const payload = '{"last_assistant_message":"Done.","session_id":"s"}'
        yield* Effect.promise(() => callHook({ spool, event: "Stop", payload }))
        const [event] = delivered(spool)
        assert.deepInclude(event, { event: "Stop", raw: payload })
        const said = Codex.provider.detection.readHook("Stop", event?.payload)
        assert.deepInclude(said, { _tag: "TurnEnded", response: "Done.", background: null })
        const asked = Claude.provider.detection.readHook("PermissionRequest", {
          tool_name: "Bash",
          tool_input: { command: "ls" }
        })
        assert.deepStrictEqual(asked, [{ _tag: "Asked", kind: "permission", tool: "Bash", message: "Bash: ls" }])
        assert.strictEqual(
          play(
            [
              [1, signal(asked[0] ?? assert.fail("nothing"))],
              [1, { _tag: "Output", screen: null }]
            ],
            1.1
          ).facts.lastQuestion?.message,
          "Bash: ls"
        )
        assert.deepInclude(
          Copilot.provider.detection.readHook("notification", {
            notification_type: "permission_prompt",
            message: "May I?"
          }),
          {
            _tag: "Asked",
            kind: "permission",
            tool: null,
            message: "May I?"
          }
        )
        assert.strictEqual(
          account(claudeUsage, {
            records: [{ type: "assistant", message: { content: [{ type: "text", text: "It is 42." }] } }]
          }).lastResponse,
          "It is 42."
        )
      })
    )
  },
  {
    id: "H-04",
    says: "what is no JSON object is handed on all the same, with exit code 0, and names no session",
    check: inHome(() =>
      Effect.gen(function* () {
        for (const [payload, parsed] of [
          ["{not json", null],
          ["", null],
          ['[{"session_id":"s"}]', [{ session_id: "s" }]]
        ] as const) {
          const spool = yield* temporary
          assert.deepStrictEqual(yield* Effect.promise(() => callHook({ spool, event: "SessionStart", payload })), {
            code: 0,
            stdout: "",
            stderr: "",
            inputError: null
          })
          const [event] = delivered(spool)
          assert.deepInclude(event, { event: "SessionStart", raw: payload, payload: parsed })
          for (const provider of [Claude.provider, Codex.provider, Gemini.provider])
            yield* told(provider, [["SessionStart", event?.payload]])
        }
        assert.deepStrictEqual(yield* recorded, [])
      })
    )
  },
  {
    id: "H-05",
    says: "a CLI that cannot be resumed leaves no record; without leap's environment a hook hands nothing on",
    differs: `the spool's directory alone says whose hook it is, not the tag or the CLI's name: ${whole}`,
    check: inHome(({ kept }) =>
      Effect.gen(function* () {
        assert.isNull(Demo.provider.resume)
        yield* told(Demo.provider, [["SessionStart", { session_id: "s", transcript_path: "/t" }]])
        assert.deepStrictEqual(kept(), [])
        const spool = yield* temporary
        const script = path.resolve(import.meta.dirname, "../../hooks/leap-hook.sh")
        const run = (env: Record<string, string>) =>
          spawnSync("sh", [script, "Stop"], { input: "{}", env: { PATH: process.env["PATH"], ...env }, cwd: spool })
            .status
        assert.strictEqual(run({}), 0)
        assert.deepStrictEqual(fs.readdirSync(spool), [])
        assert.strictEqual(run({ LEAP_SIGNAL_DIR: spool }), 0)
        assert.deepStrictEqual(
          delivered(spool).map(({ event }) => event),
          ["Stop"]
        )
      })
    )
  },
  {
    id: "H-06",
    says: "a hook that nobody answers prints nothing, or the object that it was given to print",
    differs: "the CLIs of today take no output for no decision, so that their entries give it none",
    check: scoped(() =>
      Effect.gen(function* () {
        const home = yield* makeHome({})
        for (const [record, file] of [
          [Claude.provider, ".claude/settings.json"],
          [Codex.provider, ".codex/hooks.json"],
          [Gemini.provider, ".gemini/settings.json"],
          [CursorAgent.provider, ".cursor/hooks.json"],
          [Copilot.provider, ".copilot/hooks/leap.json"]
        ] as const) {
          yield* home.installer.install(record)
          const root = jsonc.parseTree(home.read(file)) ?? assert.fail(file)
          const own = entriesIn(root).filter(({ leap }) => leap)
          assert.strictEqual(own.length, record.hooks?.events.length)
          for (const { hook } of own.slice(0, 3)) {
            const { bash, command } = jsonc.getNodeValue(hook) as { readonly command?: string; readonly bash?: string }
            const out = execFileSync("sh", ["-c", command ?? bash ?? ""], {
              input: "{}",
              encoding: "utf8",
              env: { PATH: process.env["PATH"] }
            })
            assert.strictEqual(out, "", record.id)
          }
        }
        const spool = yield* temporary
        for (const where of [spool, null]) {
          const { code, stdout } = yield* Effect.promise(() => callHook({ spool: where, args: ["{}"], payload: "{}" }))
          assert.deepStrictEqual([code, stdout], [0, "{}\n"])
        }
      })
    )
  },
  {
    id: "H-07",
    says: "an event is handed on once its input has ended, however long that is held open",
    differs:
      "half an event is worth nothing: it is not taken before it is whole, and it is the CLI that says how long its hook may take",
    check: scoped(() =>
      Effect.gen(function* () {
        const spool = yield* temporary
        const child = startHook({ spool, event: "Stop" })
        const end = new Promise<number | null>((resolve) => child.once("close", resolve))
        yield* Effect.addFinalizer(() => Effect.sync(() => child.kill("SIGKILL")))
        child.stdin?.write('{"half":')
        const files = () => fs.readdirSync(spool)
        const begun = Effect.promise(
          () =>
            new Promise<void>((resolve) => {
              const look = () =>
                files().some((name) => fs.readFileSync(path.join(spool, name), "utf8").endsWith('{"half":'))
                  ? resolve()
                  : setImmediate(look)
              look()
            })
        )
        yield* begun
        assert.deepStrictEqual(delivered(spool), [])
        child.stdin?.end("1}")
        assert.strictEqual(yield* Effect.promise(() => end), 0)
        assert.deepStrictEqual(
          delivered(spool).map(({ payload }) => payload),
          [{ half: 1 }]
        )
      })
    )
  },
  {
    id: "H-08",
    says: "a directory that is gone: exit code 0, and none is made",
    check: scoped(() =>
      Effect.gen(function* () {
        const gone = path.join(yield* temporary, "gone")
        assert.deepStrictEqual(yield* Effect.promise(() => callHook({ spool: gone, payload: "{}" })), {
          code: 0,
          stdout: "",
          stderr: "",
          inputError: null
        })
        assert.isFalse(fs.existsSync(gone))
      })
    )
  },
  {
    id: "H-09",
    says: "a session is there once, and the oldest of too many go",
    differs: "fifty of a tag are kept",
    check: inHome(({ file }) =>
      Effect.gen(function* () {
        for (let i = 0; i < 3; i++)
          yield* told(Claude.provider, [["SessionStart", { session_id: "same", transcript_path: "/t/same.jsonl" }]])
        assert.deepStrictEqual(
          (yield* recorded).map(({ sessionId }) => sessionId),
          ["same"]
        )
        assert.isTrue(fs.existsSync(file("t")))
        const all = Array.from({ length: RecordBook.recordLimit + 3 }, (_, i) =>
          recordOf({ sessionId: `s${i}`, lastSeen: i })
        )
        const book = all.reduce((book, record) => RecordBook.record(book, record), [] as RecordBook.RecordBook)
        assert.deepStrictEqual(
          book.map(({ record }) => record.sessionId),
          all.slice(3).map(({ sessionId }) => sessionId)
        )
      })
    )
  },
  {
    id: "H-10",
    says: "a CLI of the user's own has its records under its own id",
    check: inHome(() =>
      Effect.gen(function* () {
        yield* told(mine("codex"), [["SessionStart", { session_id: "s", transcript_path: null }]])
        assert.deepStrictEqual(
          (yield* recorded).map(({ base, cli, sessionId }) => [cli, base, sessionId]),
          [["mine", "codex", "s"]]
        )
      })
    )
  },
  {
    id: "K-20",
    says: "what the status line is told reaches the host",
    differs:
      "there is no state file of three fields: the host is handed the whole payload, and reads it as it reads a hook's",
    check: scoped(() =>
      Effect.gen(function* () {
        const spool = yield* temporary
        const payload = {
          session_id: "s",
          model: { display_name: "Composer" },
          context_window: { context_window_size: 1000, current_usage: 77 },
          other: [1]
        }
        const { status, stdout } = runStatusLine(spool, JSON.stringify(payload))
        assert.deepStrictEqual([status, stdout], [0, ""])
        const [event] = delivered(spool)
        assert.deepInclude(event, { event: "StatusLine", payload })
        const { contextTokens, model, window } = account(CursorAgent.provider.usage, {
          hooks: [["StatusLine", event?.payload]]
        })
        assert.deepStrictEqual([contextTokens, window, model], [77, 1000, "Composer"])
      })
    )
  },
  {
    id: "K-21",
    says: "outside leap nothing is written",
    check: scoped(() =>
      Effect.gen(function* () {
        const dir = yield* temporary
        const spool = path.join(dir, "gone")
        for (const where of [null, spool]) assert.strictEqual(runStatusLine(where, "{}").status, 0)
        assert.deepStrictEqual(fs.readdirSync(dir), [])
      })
    )
  },
  {
    id: "M-02",
    says: "what is appended adds up, a line without its end waits, a file that was cut short begins anew",
    check: scoped(() =>
      Effect.gen(function* () {
        const file = path.join(yield* temporary, "t.jsonl")
        const line = (id: string, input: number) => `${JSON.stringify(answer(id, input))}\n`
        const late = line("b", 20)
        fs.writeFileSync(file, line("a", 10) + late.slice(0, 30))
        const sums: Array<number> = []
        let state = nothingTold
        const seen = [yield* Deferred.make<void>(), yield* Deferred.make<void>(), yield* Deferred.make<void>()] as const
        const take = ({ restarted: anew, lines }: TailChunk) => {
          state = lines.flatMap((text) => claudeUsage.record(jsonOf(text))).reduce(fold, anew ? nothingTold : state)
          sums.push(state.total?.input ?? 0)
          const done = seen[sums.length - 1]
          return done === undefined ? Effect.void : Deferred.succeed(done, undefined)
        }
        yield* (yield* FileTail).read(file).pipe(Stream.runForEach(take), Effect.forkScoped)
        yield* Deferred.await(seen[0])
        fs.appendFileSync(file, late.slice(30))
        yield* Deferred.await(seen[1])
        fs.writeFileSync(`${file}.new`, line("c", 5))
        fs.renameSync(`${file}.new`, file)
        yield* Deferred.await(seen[2])
        assert.deepStrictEqual(sums, [10, 30, 5])
      }).pipe(Effect.provide(FileTailNode.layer.pipe(Layer.provide(DirectoryWatchNode.layer))))
    )
  },
  {
    id: "Q-36",
    says: "a Claude transcript with text for content, and lines that are no objects: the session is written down, its words are known",
    check: inHome(({ transcript }) =>
      Effect.gen(function* () {
        const lines = [
          5,
          null,
          "text",
          [],
          { type: "user", message: { content: "Fix it." } },
          { type: "assistant", message: { content: "Fixed." } },
          { type: "assistant", message: 7 }
        ]
        const file = transcript("s", lines.map((value) => `${JSON.stringify(value)}\n`).join(""))
        yield* told(Claude.provider, [["Stop", { session_id: "s", transcript_path: file }]])
        assert.deepStrictEqual(
          (yield* recorded).map(({ sessionId, transcriptPath }) => [sessionId, transcriptPath]),
          [["s", file]]
        )
        const records = fs.readFileSync(file, "utf8").trimEnd().split("\n").map(jsonOf)
        const { lastPrompt, lastResponse } = account(claudeUsage, { records })
        assert.deepStrictEqual([lastPrompt, lastResponse], ["Fix it.", "Fixed."])
        for (const record of records) assert.deepStrictEqual(Claude.provider.detection.readTranscript(record), [])
      })
    )
  },
  {
    id: "Q-40",
    says: "a variant of Cursor has no transcript, moved or not; one of Claude has the transcript of its own session",
    check: inHome(() =>
      Effect.gen(function* () {
        const records = yield* SessionRecords
        yield* told(mine("cursor-agent"), [["sessionStart", { conversation_id: "c" }]], "cursor")
        assert.strictEqual(
          yield* records.relocate({ cli: "mine", sessionId: "c", cwd: "/new", transcriptPath: null }),
          1
        )
        assert.deepStrictEqual(
          (yield* recorded).map(({ cwd, transcriptPath }) => [cwd, transcriptPath]),
          [["/new", null]]
        )
        for (const base of ["claude", "codex"] as const) {
          const plain = builtin.find(({ id }) => id === base) ?? assert.fail(base)
          yield* told(
            mine(base),
            [["SessionStart", { session_id: "own", transcript_path: `/t/${base}-own.jsonl` }]],
            base
          )
          yield* told(
            plain,
            [["SessionStart", { session_id: "theirs", transcript_path: `/t/${base}-theirs.jsonl` }]],
            base
          )
          assert.strictEqual(yield* records.latestTranscript(tag(base), "mine"), `/t/${base}-own.jsonl`)
          assert.strictEqual(yield* records.latestTranscript(tag(base), base), `/t/${base}-theirs.jsonl`)
        }
      })
    )
  }
]

export const listed: ReadonlyArray<ListedRows> = []
