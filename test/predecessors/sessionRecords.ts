import { assert } from "@effect/vitest"
import { Effect, type Scope } from "effect"
import { TestClock } from "effect/testing"
import * as fs from "node:fs"
import * as path from "node:path"
import { headBytes, type ResumeProtocol } from "../../src/domain/places/sessions/ResumeProtocol.ts"
import * as RecordBook from "../../src/domain/places/sessions/RecordBook.ts"
import { readBook } from "../../src/domain/places/sessions/recordFile.ts"
import type { SessionRecord } from "../../src/domain/places/sessions/SessionRecord.ts"
import { claudeResume } from "../../src/domain/providers/claude/Resume.ts"
import { codexResume } from "../../src/domain/providers/codex/Resume.ts"
import { copilotResume } from "../../src/domain/providers/copilot/Resume.ts"
import { cursorAgentResume } from "../../src/domain/providers/cursor-agent/Resume.ts"
import { geminiResume } from "../../src/domain/providers/gemini/Resume.ts"
import { opencodeResume } from "../../src/domain/providers/opencode/Resume.ts"
import { builtin } from "../support/providers.ts"
import { cliEnvironment } from "../../src/programs/host/environment.ts"
import { SessionRecords } from "../../src/services/SessionRecords.ts"
import { makeRecordsHome, recordOf, recordsIn, tag } from "../support/data/sessionRecords.ts"
import { type ListedRows, numbered, type ScenarioRow } from "./support/scenarioTable.ts"

export const ids = [
  ...numbered("C", 4),
  ...numbered("D", 17),
  ...numbered("E", 9),
  ...numbered("F", 6),
  ...numbered("Q", 28, 26)
]

type Home = Effect.Success<typeof makeRecordsHome>
type Records = SessionRecords["Service"]

/** A check in a home of its own. */
const inHome =
  (check: (home: Home, records: Records) => Effect.Effect<void, unknown, Scope.Scope>): ScenarioRow["check"] =>
  () =>
    TestClock.withLive(
      Effect.scoped(
        Effect.flatMap(makeRecordsHome, (home) =>
          Effect.provide(
            Effect.flatMap(SessionRecords, (records) => check(home, records)),
            recordsIn(home.home)
          )
        )
      )
    )

/** Writes a tag's file as it was before the check. */
const put = ({ write }: Home, name: string, ...records: ReadonlyArray<Partial<SessionRecord>>): void =>
  void write(`leap/records/${name}.json`, JSON.stringify({ schema: 1, sessions: records.map(recordOf) }))
const booked = (home: Home, name: string): ReadonlyArray<SessionRecord> =>
  readBook(fs.readFileSync(home.file(name))).book.map(({ record }) => record)
const idsOf = (home: Home, name: string) => booked(home, name).map(({ sessionId }) => sessionId)
const picked = (records: Records) =>
  Effect.map(records.rows, (rows) => rows.map(({ record, tag }) => `${tag} ${record.cli} ${record.sessionId}`))

/** The hook's part of a session's id. */
const idOf = (resume: ResumeProtocol, payload: unknown, transcriptPath: string | null = null, head = "") =>
  resume.sessionIdOf({ payload, transcriptPath, head })
const heals = (resume: ResumeProtocol, text: string, cwd: string, transcriptPath: string | null) =>
  resume.healing?.healCwd(text, { sessionId: "id", cwd, transcriptPath })
const claudePath = (slug: string) => `/home/me/.claude/projects/${slug}/id.jsonl`
const line = (fields: unknown) => `${JSON.stringify(fields)}\n`
const rollout = "/home/me/.codex/sessions/2026/11/21/rollout-2026-11-21T08-00-00-id.jsonl"
const meta = (payload: unknown) => line({ timestamp: "t", type: "session_meta", payload })
const chat = "/home/me/.gemini/tmp/app/chats/session-2026-11-21T08-00-0f1e2d3c.jsonl"
const registry = (projects: unknown) => JSON.stringify({ projects })
const drive = (home: Home, name: string): string => {
  const dir = path.join(home.home, name)
  fs.mkdirSync(dir, { recursive: true })
  return dir
}

export const rows: ReadonlyArray<ScenarioRow> = [
  {
    id: "C-01",
    says: "a moved session's records change under every tag, other sessions' do not",
    check: inHome((home, records) =>
      Effect.gen(function* () {
        put(home, "one", { transcriptPath: "/t/old.jsonl" }, { sessionId: "other", cwd: "/else" })
        put(home, "two", { transcriptPath: "/t/old.jsonl" })
        assert.strictEqual(
          yield* records.relocate({ cli: "claude", sessionId: "s1", cwd: "/new", transcriptPath: "/t/new.jsonl" }),
          2
        )
        assert.deepStrictEqual(
          booked(home, "one").map(({ cwd, transcriptPath }) => [cwd, transcriptPath]),
          [
            ["/new", "/t/new.jsonl"],
            ["/else", null]
          ]
        )
        assert.deepStrictEqual(
          booked(home, "two").map(({ cwd, transcriptPath }) => [cwd, transcriptPath]),
          [["/new", "/t/new.jsonl"]]
        )
      })
    )
  },
  {
    id: "C-02",
    says: "without a new path the directory alone changes",
    check: inHome((home, records) =>
      Effect.gen(function* () {
        put(home, "one", {})
        assert.strictEqual(
          yield* records.relocate({ cli: "claude", sessionId: "s1", cwd: "/new", transcriptPath: null }),
          1
        )
        assert.deepInclude(booked(home, "one")[0], { cwd: "/new", transcriptPath: null })
      })
    )
  },
  {
    id: "C-03",
    says: "a move changes neither when a session was seen nor its place among the others",
    check: inHome((home, records) =>
      Effect.gen(function* () {
        put(home, "one", { lastSeen: 5, firstSeen: 3 }, { sessionId: "later", lastSeen: 6 })
        yield* records.relocate({ cli: "claude", sessionId: "s1", cwd: "/new", transcriptPath: "/t" })
        assert.deepStrictEqual(
          booked(home, "one").map(({ firstSeen, lastSeen, sessionId }) => [sessionId, firstSeen, lastSeen]),
          [
            ["s1", 3, 5],
            ["later", 1, 6]
          ]
        )
      })
    )
  },
  {
    id: "C-04",
    says: "an unknown session, an unsafe name or no records at all",
    differs:
      "no session changed is a failure, not a count of 0: whoever moves the session has to undo the move then (W6)",
    check: inHome((home, records) =>
      Effect.gen(function* () {
        const refused = (cli: string, sessionId: string) =>
          Effect.flip(records.relocate({ cli, sessionId, cwd: "/new", transcriptPath: "/t" }))
        assert.match((yield* refused("claude", "s1")).message, /no tag has such a session/)
        put(home, "one", {})
        const before = fs.readFileSync(home.file("one"), "utf8")
        assert.match((yield* refused("claude", "s2")).message, /no tag has such a session/)
        assert.match((yield* refused("codex", "s1")).message, /no tag has such a session/)
        for (const unsafe of ["../evil", "a/b", ""]) {
          assert.match((yield* refused(unsafe, "s1")).message, /unexpected format/)
          assert.match((yield* refused("claude", unsafe)).message, /unexpected format/)
        }
        assert.strictEqual(fs.readFileSync(home.file("one"), "utf8"), before)
      })
    )
  },
  {
    id: "D-01",
    says: "a recorded session is one row, with its size, directory and time",
    check: inHome((home, records) =>
      Effect.gen(function* () {
        const transcriptPath = home.transcript("s1", "0123456789")
        yield* records.record(tag("one"), {
          cli: "claude",
          base: "claude",
          sessionId: "s1",
          transcriptPath,
          cwd: "/srv"
        })
        const [row, ...more] = yield* records.rows
        assert.deepStrictEqual([row?.tag, row?.record.cwd, row?.bytes, more.length], ["one", "/srv", 10, 0])
        assert.deepStrictEqual(booked(home, "one"), row === undefined ? [] : [row.record])
        assert.strictEqual(row?.record.version, "0.1.0")
        assert.isAbove(row?.record.lastSeen ?? 0, 1_600_000_000_000)
      })
    )
  },
  {
    id: "D-02",
    says: "a path that a record cannot be read by from anywhere is not written; the host makes it absolute before",
    differs:
      "the path is made absolute by the host (test/programs/host/RecordKeeper.test.ts); the store takes no other",
    check: inHome((home, records) =>
      Effect.gen(function* () {
        assert.match(
          (yield* Effect.flip(records.record(tag("one"), recordOf({ transcriptPath: "rel/t.jsonl" })))).message,
          /no absolute path: "rel\/t\.jsonl"/
        )
        assert.deepStrictEqual(home.kept(), [])
      })
    )
  },
  {
    id: "D-03",
    says: "the same session again is the same record",
    check: inHome((home, records) =>
      Effect.gen(function* () {
        for (let i = 0; i < 2; i++) yield* records.record(tag("one"), recordOf({}))
        assert.deepStrictEqual(idsOf(home, "one"), ["s1"])
      })
    )
  },
  {
    id: "D-04",
    says: "the newest are kept",
    differs: "50 of a tag, not 20 of a tag and CLI: one file holds the sessions of all CLIs that the tag has had",
    check: inHome((home, records) =>
      Effect.gen(function* () {
        put(home, "one", ...Array.from({ length: RecordBook.recordLimit }, (_, i) => ({ sessionId: `s${i}` })))
        yield* records.record(tag("one"), recordOf({ sessionId: "newest" }))
        const left = idsOf(home, "one")
        assert.deepStrictEqual([left.length, left[0], left.at(-1)], [50, "s1", "newest"])
      })
    )
  },
  {
    id: "D-05",
    says: "a session whose transcript is gone is no row",
    check: inHome((home, records) =>
      Effect.gen(function* () {
        const transcriptPath = home.transcript("s1")
        home.transcript("s2")
        put(home, "one", { transcriptPath })
        assert.deepStrictEqual(yield* picked(records), ["one claude s1"])
        fs.rmSync(transcriptPath)
        assert.deepStrictEqual(yield* picked(records), [])
      })
    )
  },
  {
    id: "D-06",
    says: "each session is a row of its own, of two CLIs too, newest first",
    differs: "a row is a session, not a tag with its sessions",
    check: inHome((home, records) =>
      Effect.gen(function* () {
        put(home, "one", { cli: "codex", sessionId: "x", lastSeen: 3 }, { cli: "mine", sessionId: "m", lastSeen: 1 })
        put(home, "two", { cli: "codex", sessionId: "y", lastSeen: 2 })
        assert.deepStrictEqual(yield* picked(records), ["one codex x", "two codex y", "one mine m"])
      })
    )
  },
  {
    id: "D-07",
    says: "a session under two tags is a row of the one that saw it last",
    check: inHome((home, records) =>
      Effect.gen(function* () {
        put(home, "9", { cli: "codex", lastSeen: 1 })
        put(home, "9b", { cli: "codex", lastSeen: 2 })
        assert.deepStrictEqual(yield* picked(records), ["9b codex s1"])
      })
    )
  },
  {
    id: "D-08",
    says: "a session that another tag has taken over leaves the others where they are",
    check: inHome((home, records) =>
      Effect.gen(function* () {
        put(home, "9", ...["S1", "S2", "S3"].map((sessionId, at) => ({ cli: "codex", sessionId, lastSeen: at + 1 })))
        put(home, "9b", { cli: "codex", sessionId: "S1", lastSeen: 9 })
        assert.deepStrictEqual(yield* picked(records), ["9b codex S1", "9 codex S3", "9 codex S2"])
      })
    )
  },
  {
    id: "D-09",
    says: "the same id of two CLIs is two sessions",
    check: inHome((home, records) =>
      Effect.gen(function* () {
        put(
          home,
          "one",
          { cli: "codex", lastSeen: 1 },
          { cli: "cursor-agent", base: "cursor-agent", lastSeen: 2 },
          { cli: "mine", lastSeen: 3 }
        )
        drive(home, ".cursor/chats/0a/s1")
        assert.deepStrictEqual(yield* picked(records), ["one mine s1", "one cursor-agent s1", "one codex s1"])
      })
    )
  },
  {
    id: "D-10",
    says: "no records, no rows; what lacks a CLI or an id is not written",
    check: inHome((home, records) =>
      Effect.gen(function* () {
        assert.deepStrictEqual([yield* records.rows, yield* records.all, yield* records.prune], [[], [], 0])
        for (const own of [{ cli: "" }, { base: "" }, { sessionId: "" }]) {
          assert.match(
            (yield* Effect.flip(records.record(tag("one"), { ...recordOf({}), ...own }))).message,
            /was not recorded/
          )
        }
        assert.deepStrictEqual(home.kept(), [])
      })
    )
  },
  {
    id: "D-11",
    says: "a CLI's name or an id that is none is written nowhere; a tag is checked before it comes here",
    check: inHome((home, records) =>
      Effect.gen(function* () {
        for (const unsafe of ["../evil", "foo/bar", "foo bar", "a\0b", ".lead"]) {
          assert.throws(() => tag(unsafe))
          for (const own of [{ cli: unsafe }, { base: unsafe }, { sessionId: unsafe }])
            yield* Effect.flip(records.record(tag("one"), { ...recordOf({}), ...own }))
          home.write(
            `leap/records/${unsafe.replaceAll(/[/\0]/g, " ")}.json`,
            JSON.stringify({ sessions: [recordOf({ cli: "codex" })] })
          )
        }
        assert.deepStrictEqual(yield* records.rows, [], "nor is such a file read")
        assert.isFalse(fs.existsSync(home.file("one")))
        assert.isFalse(fs.existsSync(path.join(home.home, "leap/evil.json")))
      })
    )
  },
  {
    id: "D-12",
    says: "a session of which nothing is left is forgotten, one that is there or has no path stays",
    differs: "sessions are forgotten one by one, and counted so; the file stays, for its lock's sake, with none in it",
    check: inHome((home, records) =>
      Effect.gen(function* () {
        const gone = path.join(home.home, ".claude/projects/-work/gone.jsonl")
        put(home, "dead", { sessionId: "gone", transcriptPath: gone })
        put(
          home,
          "alive",
          { sessionId: "gone", transcriptPath: gone },
          { sessionId: "there", transcriptPath: home.transcript("there") }
        )
        put(home, "pathless", { cli: "codex", base: "codex" })
        drive(home, ".codex/sessions")
        assert.strictEqual(yield* records.prune, 2)
        assert.deepStrictEqual(
          ["dead", "alive", "pathless"].map((name) => idsOf(home, name)),
          [[], ["there"], ["s1"]]
        )
        assert.strictEqual(yield* records.prune, 0)
      })
    )
  },
  {
    id: "D-13",
    says: "what is written while sessions are forgotten stays (S4)",
    differs: "the file's lock is held from the decision to the write, so nothing has to be looked at again",
    check: inHome((home, records) =>
      Effect.gen(function* () {
        drive(home, ".claude/projects")
        put(home, "one", ...Array.from({ length: 20 }, (_, i) => ({ sessionId: `gone${i}` })))
        const [pruned] = yield* Effect.all(
          [
            records.prune,
            records.record(tag("one"), recordOf({ sessionId: "gone3" })),
            records.record(tag("one"), recordOf({ sessionId: "fresh" }))
          ],
          { concurrency: "unbounded" }
        )
        assert.include([19, 20], pruned)
        assert.deepStrictEqual(
          idsOf(home, "one")
            .filter((id) => id === "gone3" || id === "fresh")
            .sort(),
          ["fresh", "gone3"]
        )
      })
    )
  },
  {
    id: "D-14",
    says: "what cannot be looked at is not gone",
    check: inHome((home, records) =>
      Effect.gen(function* () {
        // a part of its path that is no directory is told by another error than ENOENT
        const blocked = path.join(home.write(".codex/sessions/file", ""), "t.jsonl")
        put(home, "one", { cli: "codex", base: "codex", transcriptPath: blocked })
        assert.strictEqual(yield* records.prune, 0)
        assert.deepStrictEqual(idsOf(home, "one"), ["s1"])
        fs.rmSync(home.records, { recursive: true })
        fs.writeFileSync(home.records, "no directory")
        assert.deepStrictEqual([yield* records.prune, yield* records.all], [0, []])
      })
    )
  },
  {
    id: "D-15",
    says: "four at once forget each session once",
    check: inHome((home, records) =>
      Effect.gen(function* () {
        drive(home, ".claude/projects")
        for (let i = 0; i < 15; i++) put(home, `t${i}`, { sessionId: `gone${i}` })
        const counts = yield* Effect.all(
          Array.from({ length: 4 }, () => records.prune),
          { concurrency: "unbounded" }
        )
        assert.strictEqual(
          counts.reduce((sum, count) => sum + count, 0),
          15
        )
        assert.deepStrictEqual(
          (yield* records.all).flatMap(({ book }) => book),
          []
        )
      })
    )
  },
  {
    id: "D-16",
    says: "across CLIs each is asked in its own way",
    differs: "the count is of sessions, not of files",
    check: inHome((home, records) =>
      Effect.gen(function* () {
        drive(home, ".claude/projects")
        drive(home, ".copilot/session-state/there")
        drive(home, ".cursor/chats/0a/there")
        drive(home, ".gemini/tmp")
        const of = (cli: string, sessionId: string) => ({ cli, base: cli, sessionId })
        put(
          home,
          "one",
          of("claude", "gone"),
          of("copilot", "there"),
          of("copilot", "gone"),
          of("cursor-agent", "there"),
          of("cursor-agent", "gone"),
          { ...of("gemini", "gone"), transcriptPath: path.join(home.home, ".gemini/tmp/app/chats/x.jsonl") }
        )
        assert.strictEqual(yield* records.prune, 4)
        assert.deepStrictEqual(
          booked(home, "one").map(({ cli, sessionId }) => `${cli} ${sessionId}`),
          ["copilot there", "cursor-agent there"]
        )
      })
    )
  },
  {
    id: "D-17",
    says: "the latest transcript is of the session seen last that has one",
    check: inHome((home, records) =>
      Effect.gen(function* () {
        assert.isNull(yield* records.latestTranscript(tag("one"), "claude"))
        put(
          home,
          "one",
          { sessionId: "a", transcriptPath: "/t/a", lastSeen: 9 },
          { sessionId: "b", transcriptPath: "/t/b", lastSeen: 5 },
          { sessionId: "c", lastSeen: 10 },
          { cli: "codex", transcriptPath: "/t/codex", lastSeen: 20 }
        )
        assert.strictEqual(yield* records.latestTranscript(tag("one"), "claude"), "/t/a")
        home.write(
          "leap/records/two.json",
          JSON.stringify({ schema: 1, sessions: [{ ...recordOf({ transcriptPath: "/t/a" }), lastSeen: "soon" }] })
        )
        assert.strictEqual(yield* records.latestTranscript(tag("two"), "claude"), "/t/a")
      })
    )
  },
  {
    id: "E-01",
    says: "Claude: where the folder is the directory's own, the transcript is not opened",
    check: () => {
      assert.isNull(
        claudeResume.healing?.reads({}, { sessionId: "id", cwd: "/srv/app", transcriptPath: claudePath("-srv-app") })
      )
      assert.strictEqual(heals(claudeResume, line({ cwd: "/other" }), "/srv/app", claudePath("-srv-app")), "/srv/app")
    }
  },
  {
    id: "E-02",
    says: "Claude: the folder's directory, as the transcript's first record says it",
    check: () => {
      assert.strictEqual(
        claudeResume.healing?.reads({}, { sessionId: "id", cwd: "/gone", transcriptPath: claudePath("-srv-app") }),
        claudePath("-srv-app")
      )
      assert.strictEqual(
        heals(claudeResume, line({ type: "user", cwd: "/srv/app" }), "/gone", claudePath("-srv-app")),
        "/srv/app"
      )
    }
  },
  {
    id: "E-03",
    says: "Claude: records without a directory are passed over",
    check: () =>
      assert.strictEqual(
        heals(
          claudeResume,
          line({ type: "mode" }) + line({ cwd: "" }) + line({ cwd: 5 }) + 'no "cwd" here\n' + line({ cwd: "/srv/app" }),
          "/gone",
          claudePath("-srv-app")
        ),
        "/srv/app"
      )
  },
  {
    id: "E-04",
    says: "Claude: without a transcript, or with another folder's directory in it, the recorded one",
    check: () => {
      assert.strictEqual(heals(claudeResume, "", "/gone", claudePath("-srv-app")), "/gone")
      assert.strictEqual(
        heals(claudeResume, line({ cwd: "/srv/else" }) + line({ cwd: "/srv/app" }), "/gone", claudePath("-srv-app")),
        "/gone"
      )
    }
  },
  {
    id: "E-05",
    says: "Claude: behind a long line the directory is found, behind the part that is read it is not",
    check: inHome((home, records) =>
      Effect.gen(function* () {
        const cwd = drive(home, "app")
        const healed = (size: number) => {
          const transcriptPath = home.transcript(
            "s1",
            line({ x: "x".repeat(size) }) + line({ cwd }),
            cwd.replaceAll(/[^A-Za-z0-9]/g, "-")
          )
          return records.heal(recordOf({ cwd: "/gone", transcriptPath }))
        }
        assert.strictEqual(yield* healed(600 << 10), cwd)
        assert.strictEqual(yield* healed(headBytes), "/gone")
      })
    )
  },
  {
    id: "E-06",
    says: "Claude: another path or none leaves the directory; so does one that is still there",
    differs:
      "today's Claude goes on with a session in any directory: the one it was last used in stands, and is healed only when it is gone",
    check: inHome((home, records) =>
      Effect.gen(function* () {
        for (const other of [null, "/tmp/t.jsonl", "/home/me/.codex/x.jsonl"]) {
          assert.isNull(claudeResume.healing?.reads({}, { sessionId: "id", cwd: "/gone", transcriptPath: other }))
          assert.strictEqual(heals(claudeResume, line({ cwd: "/srv" }), "/gone", other), "/gone")
        }
        const start = drive(home, "start")
        const here = drive(home, "here")
        const transcriptPath = home.transcript("s1", line({ cwd: start }), start.replaceAll(/[^A-Za-z0-9]/g, "-"))
        assert.strictEqual(yield* records.heal(recordOf({ cwd: here, transcriptPath })), here)
        fs.rmdirSync(here)
        assert.strictEqual(yield* records.heal(recordOf({ cwd: here, transcriptPath })), start)
        fs.rmdirSync(start)
        assert.strictEqual(
          yield* records.heal(recordOf({ cwd: here, transcriptPath })),
          here,
          "one that is gone too is no better"
        )
      })
    )
  },
  {
    id: "E-07",
    says: "Gemini: the directory that has the session's project, where it is one alone",
    check: inHome((home, records) =>
      Effect.gen(function* () {
        const healed = (projects: unknown, cwd: string, path: string | null = chat) =>
          heals(geminiResume, registry(projects), cwd, path)
        assert.strictEqual(healed({ "/srv/app": "app" }, "/srv/app"), "/srv/app")
        assert.strictEqual(healed({ "/srv/app": "app", "/srv/app/sub": "sub" }, "/srv/app/sub"), "/srv/app")
        assert.strictEqual(healed({ "/a": "app", "/b": "app" }, "/srv"), "/srv")
        assert.strictEqual(healed({ "/a": "app", "/b": "app" }, "/b"), "/b")
        for (const projects of [{ "/a": "other" }, {}, null, [], { "/a": 5 }])
          assert.strictEqual(healed(projects, "/srv"), "/srv")
        assert.strictEqual(healed({ "/a": "app" }, "/srv", null), "/srv")
        assert.strictEqual(healed({ "/a": "app" }, "/srv", "/tmp/app/chats/x.jsonl"), "/srv")
        assert.strictEqual(heals(geminiResume, "{", "/srv", chat), "/srv")
        // it finds a session in its own directory only, so that one counts though the other is there
        const own = drive(home, "app")
        home.write(".gemini/projects.json", registry({ [own]: "app" }))
        assert.strictEqual(
          yield* records.heal(
            recordOf({ cli: "gemini", base: "gemini", cwd: drive(home, "app/sub"), transcriptPath: chat })
          ),
          own
        )
      })
    )
  },
  {
    id: "E-08",
    says: "Codex: a directory that is gone gives way to the session's first, where that is there",
    differs: 'a directory that is there stands: the predecessor undid a "go on here" at the next resume (12.2.4, Q12)',
    check: inHome((home, records) =>
      Effect.gen(function* () {
        assert.strictEqual(heals(codexResume, meta({ cwd: "/first" }), "/gone", rollout), "/first")
        for (const head of [
          "",
          "no json\n",
          line({ type: "turn_context", payload: { cwd: "/x" } }),
          meta({ cwd: 5 }),
          meta({}),
          line({ type: "x" }) + meta({ cwd: "/first" })
        ]) {
          assert.strictEqual(heals(codexResume, head, "/gone", rollout), "/gone")
        }
        assert.strictEqual(heals(codexResume, meta({ cwd: "/first" }), "/gone", "/tmp/t.jsonl"), "/gone")
        const first = drive(home, "first")
        const here = drive(home, "here")
        const transcriptPath = home.write(".codex/sessions/2026/11/21/rollout-x.jsonl", meta({ cwd: first }))
        const healed = () => records.heal(recordOf({ cli: "codex", base: "codex", cwd: here, transcriptPath }))
        assert.strictEqual(yield* healed(), here)
        fs.rmdirSync(here)
        assert.strictEqual(yield* healed(), first)
        fs.rmdirSync(first)
        assert.strictEqual(yield* healed(), here)
      })
    )
  },
  {
    id: "E-09",
    says: "what no CLI heals is left alone: an unknown CLI, no path, Cursor",
    check: inHome((home, records) =>
      Effect.gen(function* () {
        const start = drive(home, "start")
        const transcriptPath = home.transcript("s1", line({ cwd: start }), start.replaceAll(/[^A-Za-z0-9]/g, "-"))
        assert.strictEqual(yield* records.heal(recordOf({ cwd: "/gone", transcriptPath })), start)
        assert.strictEqual(
          yield* records.heal(recordOf({ cli: "mine", base: "claude", cwd: "/gone", transcriptPath })),
          start,
          "a variant heals as its base"
        )
        for (const own of [
          { cli: "never", base: "never", transcriptPath },
          { transcriptPath: null },
          { cli: "cursor-agent", base: "cursor-agent", transcriptPath }
        ]) {
          assert.strictEqual(yield* records.heal(recordOf({ cwd: "/gone", ...own })), "/gone")
        }
        fs.rmSync(transcriptPath)
        fs.mkdirSync(transcriptPath)
        assert.strictEqual(yield* records.heal(recordOf({ cwd: "/gone", transcriptPath })), "/gone")
      })
    )
  },
  {
    id: "F-01",
    says: "Claude: the id of the payload, else the transcript's name; one argument",
    check: () => {
      assert.strictEqual(idOf(claudeResume, { session_id: "abc" }), "abc")
      assert.strictEqual(idOf(claudeResume, {}, claudePath("-work")), "id")
      for (const [payload, path] of [
        [{}, null],
        [{}, "/tmp/id.jsonl"],
        [null, "/x/.claude/projects/id.jsonl"],
        ["x", null]
      ] as const)
        assert.isNull(idOf(claudeResume, payload, path))
      assert.deepStrictEqual(claudeResume.args("abc", "/srv"), ["--resume=abc"])
    }
  },
  {
    id: "F-02",
    says: "Codex: the payload's id, else the rollout's first line; the directory is named, so that it does not ask",
    check: () => {
      assert.strictEqual(idOf(codexResume, { session_id: "abc" }), "abc")
      assert.strictEqual(idOf(codexResume, {}, rollout, meta({ id: "from-file" })), "from-file")
      assert.isNull(idOf(codexResume, {}, "/tmp/x.jsonl", meta({ id: "from-file" })))
      assert.isNull(idOf(codexResume, {}, rollout, line({ type: "x", payload: { id: "no" } })))
      assert.isNull(idOf(codexResume, { session_id: 5 }))
      assert.deepStrictEqual(codexResume.args("abc", "/work dir"), ["-C", "/work dir", "resume", "abc"])
    }
  },
  {
    id: "F-03",
    says: "Cursor: the first of its names that holds a text, else the transcript's folder",
    check: () => {
      assert.strictEqual(idOf(cursorAgentResume, { conversation_id: "abc", chatId: "no" }), "abc")
      assert.strictEqual(idOf(cursorAgentResume, { chatId: "abc" }), "abc")
      for (const bad of [["x"], { a: 1 }, 5, "", null]) {
        assert.strictEqual(idOf(cursorAgentResume, { conversation_id: bad, chat_id: "abc" }), "abc")
        assert.isNull(idOf(cursorAgentResume, { conversation_id: bad }))
      }
      assert.strictEqual(idOf(cursorAgentResume, {}, "/home/me/.cursor/chats/0a1b/abc/store.db"), "abc")
      assert.strictEqual(idOf(cursorAgentResume, {}, "/home/me/.cursor/chats/0a1b/abc.jsonl"), "abc")
      assert.isNull(idOf(cursorAgentResume, {}, "/tmp/chats/0a1b/abc"))
      assert.deepStrictEqual(cursorAgentResume.args("abc", "/srv"), ["--resume", "abc"])
    }
  },
  {
    id: "F-04",
    says: "Gemini: either name, else the head of the file, of one document too",
    check: () => {
      assert.strictEqual(idOf(geminiResume, { sessionId: "abc" }), "abc")
      assert.strictEqual(idOf(geminiResume, { session_id: "abc" }), "abc")
      assert.strictEqual(idOf(geminiResume, {}, chat, line({ sessionId: "abc" })), "abc")
      const old = JSON.stringify({ sessionId: "abc", messages: ["x".repeat(5000)] }, null, 2)
      assert.strictEqual(idOf(geminiResume, {}, chat, old), "abc")
      assert.isNull(idOf(geminiResume, {}, chat, `${" ".repeat(4096)}${old}`))
      assert.isNull(idOf(geminiResume, {}, "/tmp/chat.jsonl", line({ sessionId: "abc" })))
      assert.deepStrictEqual(geminiResume.args("abc", "/srv"), ["--resume", "abc"])
    }
  },
  {
    id: "F-05",
    says: "all of these resume, and where each goes on",
    differs:
      "today's Copilot resumes too, from anywhere; OpenCode is new; Claude and Codex are no longer bound to a directory",
    check: () => {
      const said = builtin.map(
        ({ id, resume }) =>
          `${id}: ${resume === null ? "no" : resume.boundToDirectory ? "bound" : resume.staysInDirectory ? "stays" : "follows"}`
      )
      assert.deepStrictEqual(said.toSorted(), [
        "claude: follows",
        "codex: follows",
        "copilot: stays",
        "cursor-agent: bound",
        "demo: no",
        "gemini: bound",
        "generic: no",
        "opencode: stays"
      ])
      assert.deepStrictEqual(copilotResume.args("abc", "/srv"), ["--resume=abc"])
      assert.deepStrictEqual(opencodeResume.args("abc", "/srv"), ["-s", "abc"])
      assert.strictEqual(idOf(copilotResume, { sessionId: "abc" }), "abc")
      assert.strictEqual(idOf(copilotResume, {}, "/home/me/.copilot/session-state/abc/events.jsonl"), "abc")
      assert.strictEqual(idOf(opencodeResume, { sessionID: "ses_1" }), "ses_1")
      assert.strictEqual(idOf(opencodeResume, { info: { id: "ses_1" } }), "ses_1")
    }
  },
  {
    id: "F-06",
    says: "each CLI is told the tag, the spool and its own name",
    check: () => {
      for (const provider of builtin) {
        const spec = { tag: "one", cli: provider.id, cwd: "/srv", args: [], cols: 80, rows: 24, waitForViewer: false }
        const env = cliEnvironment(
          { LEAP_TAG: "outer", HOME: "/home/me" },
          spec,
          "/spool",
          provider.launch({ args: [], env: {}, self: ["leap"] })
        )
        assert.deepInclude(env, { LEAP_TAG: "one", LEAP_SIGNAL_DIR: "/spool", LEAP_CLI_PROVIDER: provider.id })
      }
    }
  },
  {
    id: "Q-26",
    says: "W6: a record that cannot be written, or read, fails the move",
    check: inHome((home, records) =>
      Effect.gen(function* () {
        const moving = () =>
          Effect.flip(records.relocate({ cli: "claude", sessionId: "s1", cwd: "/new", transcriptPath: "/t" }))
        put(home, "one", {})
        // the name that a new content gets first is taken: the user may write everywhere in some laboratories
        fs.mkdirSync(path.join(home.records, ".one.json.leap-new", "x"), { recursive: true })
        assert.match((yield* moving()).message, /the records of session "s1" were not changed: .*one\.json/)
        assert.strictEqual(booked(home, "one")[0]?.cwd, "/srv")
        fs.rmSync(path.join(home.records, ".one.json.leap-new"), { recursive: true })
        fs.mkdirSync(home.file("another"))
        assert.match((yield* moving()).message, /another\.json: it is a directory/)
        assert.strictEqual(booked(home, "one")[0]?.cwd, "/srv", "what cannot be read may be the one that was picked")
      })
    )
  },
  {
    id: "Q-27",
    says: "S1: a new record erases nothing of a file that is damaged or cannot be read",
    check: inHome((home, records) =>
      Effect.gen(function* () {
        const recorded = () => records.record(tag("one"), recordOf({ sessionId: "new" }))
        for (const damage of ['{"schema": 1, "sessions": [', "\u0000\u0000", "{}", "[5]"]) {
          home.write("leap/records/one.json", damage)
          yield* recorded()
          const aside = home
            .kept()
            .filter((name) => name.endsWith(".damaged"))
            .map((name) => fs.readFileSync(path.join(home.records, name), "utf8"))
          assert.include(aside, damage)
          assert.deepStrictEqual(idsOf(home, "one"), ["new"])
        }
        fs.rmSync(home.file("one"))
        fs.mkdirSync(home.file("one"))
        assert.match(
          (yield* Effect.flip(recorded())).message,
          /session "new" of 'one' was not recorded: .*it is a directory/
        )
      })
    )
  },
  {
    id: "Q-28",
    says: "S3, S5: bytes that are no text hold no session and stay; a damaged file is no place to forget sessions in",
    check: inHome((home, records) =>
      Effect.gen(function* () {
        drive(home, ".claude/projects")
        const bytes = new Uint8Array([0xff, 0xfe, 0x80, 0x7b])
        home.write("leap/records/bytes.json", bytes)
        const half = `{"schema": 1, "sessions": [${JSON.stringify(recordOf({ sessionId: "gone" }))}, {"cli": `
        home.write("leap/records/half.json", half)
        assert.isNull(yield* records.latestTranscript(tag("bytes"), "claude"))
        assert.deepStrictEqual(
          (yield* records.all).map(({ book }) => book.length),
          [0, 1]
        )
        fs.mkdirSync(home.file("unreadable"))
        assert.strictEqual(yield* records.prune, 0)
        assert.deepStrictEqual(new Uint8Array(fs.readFileSync(home.file("bytes"))), bytes)
        assert.strictEqual(fs.readFileSync(home.file("half"), "utf8"), half)
      })
    )
  }
]

export const listed: ReadonlyArray<ListedRows> = []
