import { assert, describe, it } from "@effect/vitest"
import { Effect, Fiber, type Scope } from "effect"
import * as fs from "node:fs"
import * as path from "node:path"
import * as RecordBook from "../../../src/domain/store/conversations/RecordBook.ts"
import { readBook } from "../../../src/domain/store/conversations/RecordBook.ts"
import { headBytes } from "../../../src/domain/cli/provider/ResumeProtocol.ts"
import type { SessionRecord } from "../../../src/domain/store/conversations/SessionRecord.ts"
import { provider as claude } from "../../../src/layers/providers/claude/Provider.ts"
import type { LaunchOptions } from "../../../src/services/CLIProvider.ts"
import { SessionRecords } from "../../../src/services/SessionRecords.ts"
import { makeRecordsHome, recordOf, recordsIn, tag } from "../../support/data/sessionRecords.ts"
import { childProgram } from "../../support/children/childProgram.ts"
import { race } from "../../support/children/race.ts"
import { live } from "../../support/run/effects.ts"
import { each } from "../../support/data/fields.ts"

const script = childProgram("recordsLoop")

const idsIn = (file: string) => readBook(fs.readFileSync(file)).book.map(({ record }) => record.sessionId)

describe("records of sessions", () => {
  live(
    "nothing is lost when two processes record at the same moment, and a third one moves a session meanwhile",
    function* () {
      const { file, home } = yield* makeRecordsHome
      const moving = Effect.gen(function* () {
        const records = yield* SessionRecords
        yield* records.record(tag("both"), {
          cli: "codex",
          base: "codex",
          sessionId: "moved",
          transcriptPath: null,
          cwd: "/old"
        })
        const raced = yield* Effect.forkChild(
          race(script, [
            [home, "one", "24", "both", "one"],
            [home, "two", "24", "both"]
          ])
        )
        for (let i = 0; i < 20; i++) {
          assert.strictEqual(
            yield* records.relocate({ cli: "codex", sessionId: "moved", cwd: `/new/${i}`, transcriptPath: null }),
            1
          )
        }
        return yield* Fiber.join(raced)
      })
      assert.deepStrictEqual(yield* Effect.provide(moving, recordsIn(home)), ["48 records\n0", "24 records\n0"])
      const all = ["one", "two"].flatMap((cli) => Array.from({ length: 24 }, (_, i) => `${cli}-${i}`))
      assert.deepStrictEqual(idsIn(file("both")).sort(), [...all, "moved"].sort())
      assert.deepStrictEqual(idsIn(file("one")).length, 24)
      assert.strictEqual(
        readBook(fs.readFileSync(file("both"))).book.find(({ record }) => record.sessionId === "moved")?.record.cwd,
        "/new/19"
      )
      assert.strictEqual(fs.statSync(file("both")).mode & 0o777, 0o600)
      assert.strictEqual(fs.statSync(path.dirname(file("both"))).mode & 0o777, 0o700)
    }
  )

  live("a damaged file's sessions count; all of it is kept aside once, before the file is written", function* () {
    const { file, home, kept, write } = yield* makeRecordsHome
    const sound = JSON.stringify({
      schema: 1,
      sessions: [recordOf({ sessionId: "first" }), recordOf({ sessionId: "second" })]
    })
    const damaged = sound.slice(0, sound.indexOf("second"))
    yield* Effect.gen(function* () {
      const records = yield* SessionRecords
      write("leap/records/t.json", damaged)
      for (const id of ["third", "fourth"]) yield* records.record(tag("t"), recordOf({ sessionId: id }))
      assert.deepStrictEqual(idsIn(file("t")), ["first", "third", "fourth"])
      const aside = kept().filter((name) => name.endsWith(".damaged"))
      assert.strictEqual(aside.length, 1)
      assert.strictEqual(fs.readFileSync(path.join(home, "leap/records", aside[0] ?? ""), "utf8"), damaged)
      assert.deepStrictEqual(each(yield* records.all, "tag"), ["t"], "what is kept aside is no tag's")
      // a move that finds nothing to change in it leaves it alone
      write("leap/records/u.json", damaged)
      yield* Effect.flip(records.relocate({ cli: "claude", sessionId: "unknown", cwd: "/new", transcriptPath: null }))
      assert.strictEqual(fs.readFileSync(file("u"), "utf8"), damaged)
    }).pipe(Effect.provide(recordsIn(home)))
  })

  live(
    "a session is not gone while the place for all of them is not there: its disk may not be mounted, its home be another",
    function* () {
      const { file, home, transcript, write } = yield* makeRecordsHome
      write(
        "leap/records/t.json",
        JSON.stringify({
          schema: 1,
          sessions: [recordOf({ transcriptPath: path.join(home, ".claude/projects/-work/s1.jsonl") })]
        })
      )
      yield* Effect.gen(function* () {
        const records = yield* SessionRecords
        assert.deepStrictEqual([yield* records.prune, yield* records.rows], [0, []])
        transcript("other")
        assert.deepStrictEqual([yield* records.prune, idsIn(file("t"))], [1, []])
      }).pipe(Effect.provide(recordsIn(home)))
    }
  )

  live("Claude: a session whose recorded path was never right is found by its id", function* () {
    const { home, transcript, write } = yield* makeRecordsHome
    transcript("s1", "{}\n", "-elsewhere")
    write(
      "leap/records/t.json",
      JSON.stringify({
        schema: 1,
        sessions: [recordOf({ transcriptPath: path.join(home, ".claude/projects/-work/s1.jsonl") })]
      })
    )
    yield* Effect.gen(function* () {
      const records = yield* SessionRecords
      assert.deepStrictEqual(
        (yield* records.rows).map(({ record }) => record.sessionId),
        ["s1"]
      )
      assert.strictEqual(yield* records.prune, 0)
    }).pipe(Effect.provide(recordsIn(home)))
  })

  live("a variant's sessions are looked for where its environment leads", function* () {
    const { file, home, write } = yield* makeRecordsHome
    write("work/projects/-work/there.jsonl", "{}\n")
    const work = {
      ...claude,
      id: "work",
      launch: (options: LaunchOptions) => ({
        ...claude.launch(options),
        env: { CLAUDE_CONFIG_DIR: path.join(home, "work") }
      })
    }
    const of = (sessionId: string) => recordOf({ cli: "work", base: "claude", sessionId })
    write("leap/records/t.json", JSON.stringify({ schema: 1, sessions: [of("there"), of("gone")] }))
    yield* Effect.gen(function* () {
      const records = yield* SessionRecords
      assert.deepStrictEqual(
        (yield* records.rows).map(({ record }) => record.sessionId),
        ["there"]
      )
      assert.deepStrictEqual([yield* records.prune, idsIn(file("t"))], [1, ["there"]])
    }).pipe(Effect.provide(recordsIn(home, [claude, work])))
  })

  live("Codex: an archived session is not gone", function* () {
    const { file, home, write } = yield* makeRecordsHome
    const rollout = (name: string) => path.join(home, `.codex/sessions/2026/11/21/rollout-${name}.jsonl`)
    write(".codex/sessions/other", "")
    write(".codex/archived_sessions/rollout-archived.jsonl", "{}\n")
    const of = (sessionId: string) => recordOf({ cli: "codex", sessionId, transcriptPath: rollout(sessionId) })
    write("leap/records/t.json", JSON.stringify({ schema: 1, sessions: [of("archived"), of("gone")] }))
    yield* Effect.gen(function* () {
      const records = yield* SessionRecords
      assert.deepStrictEqual([yield* records.prune, idsIn(file("t"))], [1, ["archived"]])
    }).pipe(Effect.provide(recordsIn(home)))
  })

  live(
    "of a CLI that leap knows no more, and of one whose sessions cannot be told apart, nothing is forgotten",
    function* () {
      const { file, home, write } = yield* makeRecordsHome
      write(".local/share/opencode/opencode.db", "")
      write(
        "leap/records/t.json",
        JSON.stringify({
          schema: 1,
          sessions: [
            recordOf({ cli: "never" }),
            recordOf({ cli: "demo" }),
            recordOf({ cli: "opencode", sessionId: "ses_1" })
          ]
        })
      )
      yield* Effect.gen(function* () {
        const records = yield* SessionRecords
        assert.strictEqual(yield* records.prune, 0)
        assert.strictEqual((yield* records.rows).length, 3)
        assert.strictEqual(idsIn(file("t")).length, 3)
      }).pipe(Effect.provide(recordsIn(home)))
    }
  )

  live("are not written for what is no path, and say so", function* () {
    const { home, kept } = yield* makeRecordsHome
    yield* Effect.gen(function* () {
      const records = yield* SessionRecords
      for (const own of [{ cwd: "here" }, { cwd: "/a\0b" }, { transcriptPath: "t.jsonl" }]) {
        assert.match(
          (yield* Effect.flip(records.record(tag("t"), recordOf(own)))).message,
          /session "s1" of 't' was not recorded: it is no absolute path/
        )
      }
    }).pipe(Effect.provide(recordsIn(home)))
    assert.deepStrictEqual(kept(), [])
  })
})

type Records = SessionRecords["Service"]
type Home = Effect.Success<typeof makeRecordsHome> & {
  /** Writes a tag's file. */
  readonly put: (name: string, ...sessions: ReadonlyArray<Partial<SessionRecord>>) => void
  /** What a tag's file holds, oldest first. */
  readonly book: (name: string) => ReadonlyArray<SessionRecord>
  readonly directory: (name: string) => string
}

const inHome = (check: (records: Records, home: Home) => Effect.fn.Return<void, unknown, Scope.Scope>) => () =>
  Effect.gen(function* () {
    const home = yield* makeRecordsHome
    const whole: Home = {
      ...home,
      put: (name, ...sessions) =>
        void home.write(`leap/records/${name}.json`, JSON.stringify({ schema: 1, sessions: sessions.map(recordOf) })),
      book: (name) => readBook(fs.readFileSync(home.file(name))).book.map(({ record }) => record),
      directory: (name) => {
        const made = path.join(home.home, name)
        fs.mkdirSync(made, { recursive: true })
        return made
      }
    }
    yield* Effect.flatMap(SessionRecords, (records) => Effect.fnUntraced(check)(records, whole)).pipe(
      Effect.provide(recordsIn(home.home))
    )
  }).pipe(Effect.scoped)

const picked = (records: Records) =>
  Effect.map(records.rows, (rows) => rows.map(({ record, tag }) => `${tag} ${record.cli} ${record.sessionId}`))
const toNew = { cli: "claude", sessionId: "s1", cwd: "/new", transcriptPath: "/t/new.jsonl" } as const
const withCwd = (cwd: string) => `${JSON.stringify({ cwd })}\n`

describe("a session that moves", () => {
  it.live(
    "changes under every tag, others do not; without a new path its directory alone; when it was seen stays",
    inHome(function* (records, { book, put }) {
      put("one", { transcriptPath: "/t/old.jsonl", firstSeen: 3, lastSeen: 5 }, { sessionId: "other", lastSeen: 6 })
      put("two", {})
      assert.strictEqual(yield* records.relocate(toNew), 2)
      const told = (name: string) =>
        book(name).map(({ cwd, firstSeen, lastSeen, transcriptPath }) => [cwd, transcriptPath, firstSeen, lastSeen])
      assert.deepStrictEqual(told("one"), [
        ["/new", "/t/new.jsonl", 3, 5],
        ["/srv", null, 1, 6]
      ])
      assert.deepStrictEqual(told("two"), [["/new", "/t/new.jsonl", 1, 1]])
      put("two", {})
      yield* records.relocate({ ...toNew, transcriptPath: null })
      assert.deepStrictEqual(told("two"), [["/new", null, 1, 1]])
    })
  )

  it.live(
    "is refused where no tag has it or its name is none, and nothing is written",
    inHome(function* (records, { file, put }) {
      const refused = (own: Partial<typeof toNew> | { readonly cli?: string; readonly sessionId?: string }) =>
        Effect.map(Effect.flip(records.relocate({ ...toNew, ...own })), ({ message }) => message)
      assert.match(yield* refused({}), /no tag has such a session/)
      put("one", {})
      const before = fs.readFileSync(file("one"), "utf8")
      for (const own of [{ sessionId: "s2" }, { cli: "codex" }])
        assert.match(yield* refused(own), /no tag has such a session/)
      for (const unsafe of ["../evil", "a/b", ""])
        for (const own of [{ cli: unsafe }, { sessionId: unsafe }])
          assert.match(yield* refused(own), /unexpected format/)
      assert.strictEqual(fs.readFileSync(file("one"), "utf8"), before)
    })
  )

  it.live(
    "does not where a record cannot be written, or read: it may be the one that was picked",
    inHome(function* (records, { book, file, put, records: dir }) {
      put("one", {})
      // the name that a new content gets first is taken
      fs.mkdirSync(path.join(dir, ".one.json.leap-new", "x"), { recursive: true })
      const moving = Effect.map(Effect.flip(records.relocate(toNew)), ({ message }) => message)
      assert.match(yield* moving, /the records of session "s1" were not changed: .*one\.json/)
      fs.rmSync(path.join(dir, ".one.json.leap-new"), { recursive: true })
      fs.mkdirSync(file("another"))
      assert.match(yield* moving, /another\.json: it is a directory/)
      assert.strictEqual(book("one")[0]?.cwd, "/srv")
    })
  )
})

describe("recorded sessions", () => {
  it.live(
    "are rows with size, directory and time, once each, as long as the transcript is there",
    inHome(function* (records, { book, transcript }) {
      const transcriptPath = transcript("s1", "0123456789")
      transcript("s2")
      const session = { cli: "claude", base: "claude", sessionId: "s1", transcriptPath, cwd: "/srv" }
      for (let i = 0; i < 2; i++) yield* records.record(tag("one"), session)
      const rows = yield* records.rows
      assert.deepStrictEqual(
        rows.map(({ bytes, record, tag }) => [tag, record.cwd, record.version, bytes]),
        [["one", "/srv", "0.1.0", 10]]
      )
      assert.deepStrictEqual(
        book("one"),
        rows.map(({ record }) => record)
      )
      assert.isAbove(book("one")[0]?.lastSeen ?? 0, 1_600_000_000_000)
      fs.rmSync(transcriptPath)
      assert.deepStrictEqual(yield* picked(records), [])
    })
  )

  it.live(
    "of a tag are the newest fifty",
    inHome(function* (records, { file, put }) {
      put("one", ...Array.from({ length: RecordBook.recordLimit }, (_, i) => ({ sessionId: `s${i}` })))
      yield* records.record(tag("one"), recordOf({ sessionId: "newest" }))
      const left = idsIn(file("one"))
      assert.deepStrictEqual([left.length, left[0], left.at(-1)], [50, "s1", "newest"])
    })
  )

  it.live(
    "are listed newest first, under the tag that saw them last, and apart by CLI",
    inHome(function* (records, { directory, put }) {
      directory(".cursor/chats/0a/S2")
      put("9", ...["S1", "S2", "S3"].map((sessionId, at) => ({ cli: "codex", sessionId, lastSeen: at + 1 })))
      put(
        "9b",
        { cli: "codex", sessionId: "S1", lastSeen: 9 },
        { cli: "cursor-agent", sessionId: "S2", lastSeen: 8 },
        { cli: "mine", sessionId: "S2", lastSeen: 7 }
      )
      assert.deepStrictEqual(yield* picked(records), [
        "9b codex S1",
        "9b cursor-agent S2",
        "9b mine S2",
        "9 codex S3",
        "9 codex S2"
      ])
    })
  )

  it.live(
    "have names that are names: nothing is written under others, or read from such a file",
    inHome(function* (records, { file, kept, write }) {
      assert.deepStrictEqual([yield* records.rows, yield* records.all, yield* records.prune], [[], [], 0])
      for (const unsafe of ["", "../evil", "foo/bar", "foo bar", "a\0b", ".lead"]) {
        assert.throws(() => tag(unsafe))
        for (const own of [{ cli: unsafe }, { base: unsafe }, { sessionId: unsafe }])
          assert.match(
            (yield* Effect.flip(records.record(tag("one"), { ...recordOf({}), ...own }))).message,
            /was not recorded/
          )
      }
      assert.deepStrictEqual(kept(), [])
      write("leap/records/foo bar.json", JSON.stringify({ sessions: [recordOf({ cli: "codex" })] }))
      assert.deepStrictEqual(yield* records.rows, [])
      assert.isFalse(fs.existsSync(file("one")))
    })
  )

  it.live(
    "have a latest transcript: of the session of that tag and CLI that was seen last and has one",
    inHome(function* (records, { put, write }) {
      assert.isNull(yield* records.latestTranscript(tag("one"), "claude"))
      put(
        "one",
        { sessionId: "a", transcriptPath: "/t/a", lastSeen: 9 },
        { sessionId: "b", transcriptPath: "/t/b", lastSeen: 5 },
        { sessionId: "c", lastSeen: 10 },
        { cli: "mine", base: "claude", transcriptPath: "/t/mine", lastSeen: 20 }
      )
      assert.strictEqual(yield* records.latestTranscript(tag("one"), "claude"), "/t/a")
      assert.strictEqual(yield* records.latestTranscript(tag("one"), "mine"), "/t/mine")
      const odd = [{ ...recordOf({ transcriptPath: "/t/a" }), lastSeen: "soon" }]
      write("leap/records/two.json", JSON.stringify({ schema: 1, sessions: odd }))
      assert.strictEqual(yield* records.latestTranscript(tag("two"), "claude"), "/t/a")
    })
  )

  it.live(
    "erase nothing of a file that is damaged or cannot be read",
    inHome(function* (records, { file, kept, records: dir, write }) {
      const recorded = records.record(tag("one"), recordOf({ sessionId: "new" }))
      for (const damage of ['{"schema": 1, "sessions": [', "\u0000\u0000", "{}", "[5]"]) {
        write("leap/records/one.json", damage)
        yield* recorded
        const aside = kept().filter((name) => name.endsWith(".damaged"))
        assert.include(
          aside.map((name) => fs.readFileSync(path.join(dir, name), "utf8")),
          damage
        )
        assert.deepStrictEqual(idsIn(file("one")), ["new"])
      }
      fs.rmSync(file("one"))
      fs.mkdirSync(file("one"))
      assert.match((yield* Effect.flip(recorded)).message, /"new" of 'one' was not recorded: .*it is a directory/)
    })
  )
})

describe("sessions of which nothing is left", () => {
  it.live(
    "are forgotten, each CLI's in its own way, and counted",
    inHome(function* (records, { book, directory, home, put, transcript }) {
      const there = ["copilot", "cursor-agent"].map((cli) => ({ cli, sessionId: "there" }))
      directory(".copilot/session-state/there")
      directory(".cursor/chats/0a/there")
      directory(".codex/sessions")
      const gone = ["claude", "copilot", "cursor-agent"].map((cli) => ({ cli, sessionId: "gone" }))
      const chat = path.join(directory(".gemini/tmp"), "app/chats/x.jsonl")
      put("mixed", ...gone, ...there, { cli: "gemini", sessionId: "gone", transcriptPath: chat })
      const transcriptPath = path.join(home, ".claude/projects/-work/gone.jsonl")
      put("alive", { sessionId: "gone", transcriptPath }, { transcriptPath: transcript("s1") })
      put("dead", { sessionId: "gone", transcriptPath })
      put("pathless", { cli: "codex" })
      assert.deepStrictEqual([yield* records.prune, yield* records.prune], [6, 0])
      assert.deepStrictEqual(
        ["mixed", "alive", "dead", "pathless"].map((name) => book(name).map(({ cli, sessionId }) => [cli, sessionId])),
        [
          [
            ["copilot", "there"],
            ["cursor-agent", "there"]
          ],
          [["claude", "s1"]],
          [],
          [["codex", "s1"]]
        ]
      )
    })
  )

  it.live(
    "are forgotten once by four at once, and what is written meanwhile stays",
    inHome(function* (records, { directory, file, put }) {
      directory(".claude/projects")
      for (let i = 0; i < 15; i++) put(`t${i}`, { sessionId: `gone${i}` })
      const counts = yield* Effect.all(
        Array.from({ length: 4 }, () => records.prune),
        { concurrency: "unbounded" }
      )
      assert.strictEqual(
        counts.reduce((sum, count) => sum + count, 0),
        15
      )
      put("one", ...Array.from({ length: 20 }, (_, i) => ({ sessionId: `gone${i}` })))
      const writing = ["gone3", "fresh"].map((sessionId) => records.record(tag("one"), recordOf({ sessionId })))
      const [pruned] = yield* Effect.all([records.prune, ...writing], { concurrency: "unbounded" })
      assert.include([19, 20], pruned)
      assert.includeMembers(idsIn(file("one")), ["gone3", "fresh"])
    })
  )

  it.live(
    "are not those that cannot be looked at, nor those in a file that is damaged",
    inHome(function* (records, { directory, file, put, records: dir, write }) {
      directory(".claude/projects")
      // a part of its path that is no directory is told by another error than a missing one
      put("one", { cli: "codex", transcriptPath: path.join(write(".codex/sessions/file", ""), "t.jsonl") })
      const bytes = new Uint8Array([0xff, 0xfe, 0x80, 0x7b])
      write("leap/records/bytes.json", bytes)
      const half = `{"schema": 1, "sessions": [${JSON.stringify(recordOf({ sessionId: "gone" }))}, {"cli": `
      write("leap/records/half.json", half)
      assert.isNull(yield* records.latestTranscript(tag("bytes"), "claude"))
      assert.deepStrictEqual(
        (yield* records.all).map(({ book, tag }) => [tag, book.length]),
        [
          ["bytes", 0],
          ["half", 1],
          ["one", 1]
        ]
      )
      fs.mkdirSync(file("unreadable"))
      assert.strictEqual(yield* records.prune, 0)
      assert.deepStrictEqual(new Uint8Array(fs.readFileSync(file("bytes"))), bytes)
      assert.strictEqual(fs.readFileSync(file("half"), "utf8"), half)
      assert.deepStrictEqual(idsIn(file("one")), ["s1"])
      fs.rmSync(dir, { recursive: true })
      fs.writeFileSync(dir, "no directory")
      assert.deepStrictEqual([yield* records.prune, yield* records.all], [0, []])
    })
  )
})

describe("a session's directory", () => {
  it.live(
    "is healed only when it is gone, by one that is there: Claude's from its transcript's head, a variant's as well",
    inHome(function* (records, { directory, transcript }) {
      const [start, here] = [directory("start"), directory("here")]
      const slug = start.replaceAll(/[^A-Za-z0-9]/g, "-")
      const healed = (own: Partial<SessionRecord>) => records.heal(recordOf(own))
      const transcriptPath = transcript("s1", withCwd(start), slug)
      assert.strictEqual(yield* healed({ cwd: here, transcriptPath }), here)
      fs.rmdirSync(here)
      assert.strictEqual(yield* healed({ cwd: here, transcriptPath }), start)
      assert.strictEqual(yield* healed({ cli: "mine", base: "claude", cwd: "/gone", transcriptPath }), start)
      for (const own of [
        { cli: "never", transcriptPath },
        { transcriptPath: null },
        { cli: "cursor-agent", transcriptPath }
      ])
        assert.strictEqual(yield* healed({ cwd: "/gone", ...own }), "/gone")
      const behind = (size: number) =>
        transcript("s1", `${JSON.stringify({ x: "x".repeat(size) })}\n${withCwd(start)}`, slug)
      assert.strictEqual(yield* healed({ cwd: "/gone", transcriptPath: behind(600 << 10) }), start)
      assert.strictEqual(yield* healed({ cwd: "/gone", transcriptPath: behind(headBytes) }), "/gone")
      transcript("s1", withCwd(start), slug)
      fs.rmdirSync(start)
      assert.strictEqual(yield* healed({ cwd: here, transcriptPath }), here, "one that is gone too is no better")
      fs.rmSync(transcriptPath)
      fs.mkdirSync(transcriptPath)
      assert.strictEqual(yield* healed({ cwd: "/gone", transcriptPath }), "/gone")
    })
  )

  it.live(
    "is healed from Codex's rollout when it is gone, and Gemini's is the project's own",
    inHome(function* (records, { directory, write }) {
      const [first, here] = [directory("first"), directory("here")]
      const meta = `${JSON.stringify({ type: "session_meta", payload: { cwd: first } })}\n`
      const rollout = write(".codex/sessions/2026/11/21/rollout-x.jsonl", meta)
      const healed = records.heal(recordOf({ cli: "codex", cwd: here, transcriptPath: rollout }))
      assert.strictEqual(yield* healed, here)
      fs.rmdirSync(here)
      assert.strictEqual(yield* healed, first)
      fs.rmdirSync(first)
      assert.strictEqual(yield* healed, here)
      const own = directory("app")
      write(".gemini/projects.json", JSON.stringify({ projects: { [own]: "app" } }))
      const chat = "/home/me/.gemini/tmp/app/chats/session-2026-11-21T08-00-0f1e2d3c.jsonl"
      const gemini = recordOf({ cli: "gemini", cwd: directory("app/sub"), transcriptPath: chat })
      assert.strictEqual(yield* records.heal(gemini), own)
    })
  )
})
