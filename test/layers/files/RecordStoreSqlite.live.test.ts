import { assert, describe, it } from "@effect/vitest"
import { Effect, Exit, Scope } from "effect"
import { execFileSync, spawn, spawnSync } from "node:child_process"
import * as fs from "node:fs"
import * as path from "node:path"
import { DatabaseSync } from "node:sqlite"
import { logEntries } from "../../../src/domain/engine/history/LogEntry.ts"
import type { SessionState } from "../../../src/domain/words/session/Session.ts"
import type { RecordRow } from "../../../src/domain/engine/history/RecordRow.ts"
import * as Report from "../../../src/domain/engine/history/Report.ts"
import { searchQuery } from "../../../src/domain/engine/history/searchQuery.ts"
import type { RecordStore } from "../../../src/services/RecordStore.ts"
import { checkpointBytes } from "../../../src/domain/engine/history/checkpointBytes.ts"
import { keepRecord } from "../../../src/quick/recordUpkeep.ts"
import { childProgram } from "../../support/children/childProgram.ts"
import { accepted } from "../../support/data/queueFixtures.ts"
import { begin, Lives, only, recorded, status } from "../../support/data/recordEvents.ts"
import { lifeOf, storeIn, temporary, turnRows } from "../../support/data/recordStore.ts"
import { live } from "../../support/run/effects.ts"
import { each, rowsOf } from "../../support/data/fields.ts"
import type { StoreError } from "../../../src/services/StoreError.ts"

const day = 86_400_000
const child = childProgram("recordLoop")
const whole = { tag: null, from: 0, limit: 1_000 }

const makeStore = Effect.gen(function* () {
  const home = yield* temporary
  return { home, store: yield* storeIn(home) }
})

/** Writes rows of a life and closes the record. */
const write = (
  store: RecordStore["Service"],
  rows: ReadonlyArray<RecordRow>,
  life = lifeOf("t"),
  at = begin
): Effect.Effect<boolean, StoreError> =>
  Effect.scoped(
    Effect.gen(function* () {
      const writer = yield* store.open(life)
      yield* writer.write(rows, at)
      return writer.isNew
    })
  )

/** All that is in the database. */
const contentOf = (file: string) => {
  const database = new DatabaseSync(file, { readOnly: true })
  const all = ["lives", "intervals", "turns", "messages", "decisions", "usage", "notes", "texts"].map((table) => [
    table,
    database.prepare(`SELECT * FROM ${table} ORDER BY 1, 2`).all()
  ])
  database.close()
  return JSON.stringify(all)
}

const kindOf = <A>(effect: Effect.Effect<A, StoreError>) => Effect.map(Effect.flip(effect), ({ reason }) => reason)
const foldOf = (source: Report.ReportSource, span: Report.Span) =>
  Report.fold(source, { by: "tag", spans: [span], names: [], now: span.to, runs: () => false })
const all: Report.Span = { from: 0, to: begin + 1_000 * day }

describe("the record", () => {
  live("has what was written, for its owner alone, and finds words in it", function* () {
    const { store } = yield* makeStore
    assert.deepStrictEqual((yield* store.report([all])).lives, [])
    assert.deepStrictEqual(yield* store.search(whole, "x"), [])
    assert.isNull(yield* store.check)
    assert.isFalse(fs.existsSync(store.file), "reading makes no record")
    const events = recorded([
      { _tag: "Queue", at: begin + 1, records: [accepted("m1", "Write a Haiku about rhubarb, über-fast")] },
      status("running", begin + 1_000),
      status("needs_permission", begin + 2_000, { asked: "Write notes.md?" }),
      { _tag: "Answered", at: begin + 2_500 },
      status("running", begin + 3_000),
      status("idle", begin + 4_000, { answer: "Rhubarb, red and sour", answerAt: begin + 3_900 }),
      status("exited", begin + 9_000, { exit: { code: 3, signal: null } })
    ])
    const writer = yield* store.open(lifeOf("t"))
    yield* writer.write(events.rows, begin + 9_000)
    const files = fs.readdirSync(path.dirname(store.file)).filter((name) => name.startsWith("record.db"))
    assert.sameMembers(files, ["record.db", "record.db-shm", "record.db-wal"])
    for (const name of files)
      assert.strictEqual(fs.statSync(path.join(path.dirname(store.file), name)).mode & 0o777, 0o600, name)

    const { rows } = foldOf(yield* store.report([all]), all)
    assert.deepInclude(rows[0], { key: "t", workedMs: 2_000, waitedMs: 1_000, dialogs: 1, turns: 1, messages: 1 })
    const log = logEntries(yield* store.log(whole), 0, () => false)
    assert.deepStrictEqual(each(log, "kind"), ["message", "started", "turn", "conversation", "dialog", "ended"])
    assert.deepInclude(log, {
      at: begin + 2_000,
      tag: "t",
      kind: "dialog",
      until: begin + 3_000,
      state: "needs_permission",
      asked: "Write notes.md?",
      answeredBy: "client"
    })
    assert.deepInclude(log[2], { answer: "Rhubarb, red and sour", until: begin + 4_000 })
    assert.deepInclude(log[5], { code: 3, lost: false })
    const found = (words: string, query = whole) =>
      Effect.map(store.search(query, searchQuery(words)!), (texts) => texts.map(({ kind }) => kind))
    assert.deepStrictEqual(yield* found("rhubarb"), ["answer", "message"])
    assert.deepStrictEqual(yield* found("UBER haik"), ["message"])
    const [answer] = yield* store.search(whole, searchQuery("sour")!)
    assert.deepInclude(answer, { tag: "t", excerpt: "Rhubarb, red and [sour]", sessionId: "s1" })
    assert.deepStrictEqual(yield* found("rhubarb", { ...whole, limit: 1 }), ["answer"])
    assert.deepStrictEqual(yield* store.search({ ...whole, tag: "u" }, searchQuery("rhubarb")!), [])
    for (const odd of ['"', "NEAR(a b)", "text:x", "a* OR", "^a", "{x}", "-a", "a'b", "漢字", "a\u0000b", '""" x'])
      assert.isArray(yield* store.search(whole, searchQuery(odd) ?? '"x"'), odd)
  })

  live("knows of each text the conversation in which it was said", function* () {
    const { store } = yield* makeStore
    const text = (ref: string, at: number): RecordRow => ({
      _tag: "Text",
      kind: "prompt",
      ref,
      at,
      text: `word ${ref}`
    })
    const conversation = (n: number, at: number, id: string): RecordRow => ({
      _tag: "Note",
      n,
      at,
      kind: "conversation",
      text: id,
      problem: null
    })
    const said = (life: string) =>
      Effect.map(store.search({ ...whole, tag: life }, '"word"'), (texts) =>
        texts.map(({ excerpt, sessionId }) => [excerpt, sessionId])
      )
    yield* write(store, [
      // its CLI tells its conversation behind the first prompt
      text("a", begin),
      conversation(1, begin + 5, "first"),
      text("b", begin + 10),
      conversation(2, begin + 20, "second"),
      text("c", begin + 20)
    ])
    assert.deepStrictEqual(yield* said("t"), [
      ["[word] c", "second"],
      ["[word] b", "first"],
      ["[word] a", "first"]
    ])
    yield* write(store, [text("d", begin)], lifeOf("u"))
    assert.deepStrictEqual(yield* said("u"), [["[word] d", null]])
  })

  live("has what was said in a conversation, in whichever lives it was, and where it went on", function* () {
    const { store } = yield* makeStore
    const note = (n: number, at: number, kind: "conversation" | "continues", text: string): RecordRow => ({
      _tag: "Note",
      n,
      at,
      kind,
      text,
      problem: null
    })
    const turn = (n: number, at: number, message: string | null, answer: string | null): ReadonlyArray<RecordRow> => [
      { _tag: "Turn", n, since: at, message },
      ...(answer === null ? [] : [{ _tag: "Text", kind: "answer", ref: String(n), at, text: answer } as const])
    ]
    const text = (kind: "message" | "prompt", ref: string, at: number, text: string): RecordRow => ({
      _tag: "Text",
      kind,
      ref,
      at,
      text
    })
    yield* write(store, [
      note(1, begin, "conversation", "first"),
      ...turn(0, begin + 1, null, "x".repeat(30_000)),
      text("prompt", "0", begin + 1, "typed"),
      note(2, begin + 10, "conversation", "second"),
      ...turn(1, begin + 11, "m1", "of the second"),
      text("message", "m1", begin + 11, "sent")
    ])
    const later = lifeOf("u", { since: begin + 100 })
    yield* write(store, [note(1, begin + 100, "conversation", "first"), ...turn(0, begin + 101, null, null)], later)
    const said = (sessionId: string | null, limit = 10) => store.said({ tag: "t", sessionId, limit })
    assert.deepStrictEqual(yield* said("first"), [
      { prompt: null, answer: null },
      { prompt: "typed", answer: "x".repeat(30_000) }
    ])
    assert.deepStrictEqual(yield* said("second"), [{ prompt: "sent", answer: "of the second" }])
    assert.lengthOf(yield* said("first", 1), 1)
    assert.deepStrictEqual(yield* said("third"), [])
    // a CLI that tells none: the last life of the session
    assert.lengthOf(yield* said(null), 2)

    yield* write(store, [note(1, begin + 200, "continues", "t")], lifeOf("v", { since: begin + 200 }))
    const goes = { at: begin + 200, tag: "t", text: "v" }
    for (const tag of [null, "t"]) assert.deepStrictEqual((yield* store.log({ ...whole, tag })).continuedIn, [goes])
    assert.deepStrictEqual((yield* store.log({ ...whole, tag: "v" })).continuedIn, [])
  })

  it.effect.prop(
    "has the same after the same rows are written again, and adds up what was recorded",
    [Lives],
    ([events]) =>
      Effect.gen(function* () {
        const { store } = yield* makeStore
        const end = Math.max(begin, ...events.map(({ at }) => at)) + 1
        const { groups } = recorded([...events, status("exited", end)])
        // as a host does that is cut off between any two writes, and begins again
        const half = groups.slice(0, Math.ceil(groups.length / 2)).flat()
        yield* write(store, half)
        const source = yield* store.report([all])
        assert.isAtMost(source.crossing.length, 1)
        assert.isArray(logEntries(yield* store.log(whole), 0, () => false))
        assert.isFalse(yield* write(store, groups.flat()))
        yield* write(store, groups.flat())
        const content = contentOf(store.file)
        yield* write(store, groups.flat())
        assert.strictEqual(contentOf(store.file), content)

        const rows = groups.flat()
        const ms = (...states: ReadonlyArray<string>) =>
          only(rows, "Interval")
            .filter(({ state }) => states.includes(state))
            .reduce((sum, { n, since }) => {
              const end = only(rows, "IntervalEnded").findLast((one) => one.n === n)?.until ?? since
              return sum + end - since
            }, 0)
        const { total } = foldOf(yield* store.report([all]), all)
        assert.strictEqual(total.workedMs, ms("running"))
        assert.strictEqual(total.waitedMs, ms("needs_permission", "needs_input"))
        assert.strictEqual(total.turns, only(rows, "Turn").length)
      }).pipe(Effect.scoped),
    { arbitrary: { runs: 6 } }
  )

  live(
    "tells the course of a time: what was then, what came since; also of an earlier leap's, and brings that up",
    function* () {
      const { store } = yield* makeStore
      assert.deepStrictEqual(yield* store.course(begin), { intervals: [], usage: [] })
      const used = (n: number, at: number, context: number): RecordRow => ({
        _tag: "Usage",
        n,
        at: begin + at,
        session: "s",
        model: null,
        tokens: null,
        usd: n + 1,
        estimated: false,
        context,
        fresh: true
      })
      const state = (n: number, at: number, state: SessionState): RecordRow => ({
        _tag: "Interval",
        n,
        state,
        since: begin + at,
        reason: null,
        asked: null
      })
      yield* write(store, [
        state(0, 0, "idle"),
        { _tag: "IntervalEnded", n: 0, until: begin + 10, answeredBy: null },
        state(1, 10, "running"),
        { _tag: "IntervalEnded", n: 1, until: begin + 20, answeredBy: null },
        state(2, 20, "idle"),
        used(3, 5, 10),
        used(4, 15, 20),
        used(5, 25, 30)
      ])
      const course = yield* store.course(begin + 17)
      assert.deepStrictEqual(
        course.intervals.map(({ lifeUntil, since, state, tag, until }) => [
          tag,
          state,
          since - begin,
          until,
          lifeUntil
        ]),
        [
          ["t", "running", 10, begin + 20, null],
          ["t", "idle", 20, null, null]
        ]
      )
      const figures = (found: typeof course) => found.usage.map(({ at, context, usd }) => [at - begin, context, usd])
      assert.deepStrictEqual(figures(course), [
        [15, 20, 5],
        [25, 30, 6]
      ])
      // a build before 0.1.0 wrote it: it is read, and written by the next host
      const database = new DatabaseSync(store.file)
      database.exec("PRAGMA user_version = 0")
      database.close()
      assert.deepStrictEqual(figures(yield* store.course(begin + 17)), [
        [15, 20, 5],
        [25, 30, 6]
      ])
      // the first builds counted no context: the next host makes it countable
      const first = new DatabaseSync(store.file)
      first.exec("ALTER TABLE usage DROP COLUMN context")
      first.close()
      yield* write(store, [used(0, 30, 40)], lifeOf("t", { since: begin + 28 }))
      assert.deepStrictEqual(figures(yield* store.course(begin + 17)).at(0), [15, null, 5])
      assert.deepStrictEqual(figures(yield* store.course(begin + 27)).at(-1), [30, 40, 1])
    }
  )

  live("counts what was used once, over lives, resumed conversations and counters that begin again", function* () {
    const { store } = yield* makeStore
    const used = (n: number, at: number, session: string, usd: number, fresh = true): RecordRow => ({
      _tag: "Usage",
      n,
      at: begin + at,
      session,
      model: "m",
      tokens: { input: usd * 10, cacheRead: 0, cacheWrite: 0, output: usd },
      usd,
      estimated: false,
      fresh
    })
    yield* write(store, [used(0, 10, "new", 1), used(1, 20, "new", 3), used(2, 30, "old", 50, false)])
    yield* write(
      store,
      [used(0, day + 10, "new", 5, false), used(1, day + 20, "new", 1, false), used(2, day + 30, "old", 52, false)],
      lifeOf("u", { since: begin + day })
    )
    const spans = [
      { from: begin, to: begin + day },
      { from: begin + day, to: begin + 2 * day }
    ]
    const { usage } = yield* store.report(spans)
    assert.deepStrictEqual(rowsOf(usage, "span", "usd", "output"), [
      [0, 3, 3],
      // 5 - 3, then 1 from nothing, and 52 - 50
      [1, 5, 5]
    ])
    const spent = yield* Effect.forEach(spans, (span) => store.spent(span))
    assert.deepStrictEqual(spent, [
      { tokens: 33, usd: 3, floor: false },
      { tokens: 55, usd: 5, floor: false }
    ])
  })

  live("counts each token once when a better figure moves it, and after a time without any figure", function* () {
    const { store } = yield* makeStore
    const used = (n: number, at: number, input: number | null, cacheRead = 0): RecordRow => ({
      _tag: "Usage",
      n,
      at: begin + at,
      session: "s",
      model: "m",
      tokens: input === null ? null : { input, cacheRead, cacheWrite: 0, output: 0 },
      usd: input === null ? null : input,
      estimated: true,
      context: 1,
      fresh: true
    })
    // of 100 that were taken for new, 80 came from the cache; then the transcript is read again
    yield* write(store, [used(0, 1, 100), used(1, 2, 20, 80), used(2, 3, null), used(3, day + 1, 30, 80)])
    const spentIn = (from: number) => store.spent({ from: begin + from, to: begin + from + day })
    assert.deepStrictEqual(yield* spentIn(0), { tokens: 100, usd: 20, floor: false })
    assert.deepStrictEqual(yield* spentIn(day), { tokens: 10, usd: 10, floor: false })
    const { usage } = yield* store.report([{ from: begin, to: begin + 2 * day }])
    assert.deepInclude(usage[0], { input: 30, cacheRead: 80, usd: 30 })
  })

  live("adds up what is better known later, and says where a part of a cost is not known", function* () {
    const { store } = yield* makeStore
    const used = (
      n: number,
      usd: number | null,
      more: Partial<Extract<RecordRow, { _tag: "Usage" }>> = {}
    ): RecordRow => ({
      _tag: "Usage",
      n,
      at: begin + n,
      session: "s",
      model: "m",
      tokens: { input: 10, cacheRead: 0, cacheWrite: 0, output: 1 },
      usd,
      estimated: true,
      fresh: true,
      ...more
    })
    // the CLI's own figure of the same tokens is less than leap's
    yield* write(store, [used(0, 6.05), used(1, 6.03, { estimated: false })])
    const partly = { session: "p", floor: true }
    yield* write(store, [used(2, 1, partly)], lifeOf("floor", { since: begin + 1 }))
    yield* write(store, [used(3, null, { session: "n" })], lifeOf("none", { since: begin + 2 }))
    const { usage } = yield* store.report([{ from: begin, to: begin + day }])
    assert.deepStrictEqual(
      usage.map(({ estimated, floor, usd }) => [usd === null ? null : Number(usd.toFixed(6)), estimated, floor]),
      [
        [6.03, true, false],
        [1, true, true],
        [null, true, true]
      ]
    )
    const { usd, ...rest } = yield* store.spent({ from: begin, to: begin + day })
    assert.closeTo(usd, 7.03, 1e-9)
    assert.deepStrictEqual(rest, { tokens: 33, floor: true })
  })

  live("says where a conversation was before", function* () {
    const { store } = yield* makeStore
    const rows = recorded([status("idle", begin + 1)]).rows
    yield* write(store, rows, lifeOf("t", { cwd: "/old" }))
    yield* write(store, rows, lifeOf("t", { cwd: "/new", since: begin + 5_000 }))
    yield* write(store, rows, lifeOf("u", { cwd: "/new", since: begin + 9_000 }))
    const started = logEntries(yield* store.log(whole), 0, () => false).filter(({ kind }) => kind === "started")
    assert.deepStrictEqual(
      started.map((entry) => (entry.kind === "started" ? entry.movedFrom : "")),
      [null, "/old", null]
    )
    // what is asked for may be of a life that others came after
    yield* write(store, turnRows(90_000))
    const [last] = logEntries(yield* store.log({ ...whole, limit: 1 }), 0, () => false).filter(
      ({ kind }) => kind === "turn"
    )
    assert.strictEqual(last?.tag, "t")
  })
})

/** How long each database that is opened from here on waits for another process, by SQLite's own word. */
const waitsOfDatabases = Effect.gen(function* () {
  const seen = new Map<DatabaseSync, unknown>()
  const { prototype } = DatabaseSync
  const exec = Reflect.get(prototype, "exec")
  yield* Effect.acquireRelease(
    Effect.sync(() => {
      prototype.exec = function (sql) {
        if (!seen.has(this)) seen.set(this, this.prepare("PRAGMA busy_timeout").get()?.["timeout"])
        exec.call(this, sql)
      }
    }),
    () => Effect.sync(() => void (prototype.exec = exec))
  )
  return () => [...seen.values()]
})

describe("a record that cannot be written", () => {
  live("since another process holds it, fails at once, and takes the rows when that lets go", function* () {
    const { store } = yield* makeStore
    const waits = yield* waitsOfDatabases
    const writer = yield* store.open(lifeOf("t"))
    yield* writer.write(turnRows(0), begin)
    assert.deepStrictEqual(waits(), [0, 0], "SQLite itself waits for nobody")
    const holder = spawn(process.execPath, [
      "-e",
      `const { DatabaseSync } = require("node:sqlite"); const db = new DatabaseSync(${JSON.stringify(store.file)})
         db.exec("BEGIN IMMEDIATE; UPDATE upkeep SET at = 1"); console.log("held"); setInterval(() => {}, 1000)`
    ])
    yield* Effect.promise(() => new Promise((resolve) => holder.stdout.once("data", resolve)))
    for (let i = 0; i < 20; i++) assert.strictEqual(yield* kindOf(writer.write(turnRows(1), begin)), "busy")
    assert.deepStrictEqual(waits(), [0, 0], "all twenty by what was open")
    assert.strictEqual(yield* kindOf(write(store, [], lifeOf("other"))), "busy")
    // readers read on
    assert.strictEqual((yield* store.log(whole)).turns.length, 1)
    assert.strictEqual(yield* kindOf(store.check), "busy")
    holder.kill("SIGKILL")
    yield* Effect.promise(() => new Promise((resolve) => holder.once("exit", resolve)))
    yield* writer.write(turnRows(1), begin)
    assert.strictEqual((yield* store.log(whole)).turns.length, 2)
    assert.deepInclude(yield* store.check, { lives: 1, aside: [] })
  })

  const damages: ReadonlyArray<readonly [string, (file: string) => void]> = [
    [
      "is no database",
      (file) => fs.writeFileSync(file, "this was never a database, but it is long enough\n".repeat(99))
    ],
    ["is cut off", (file) => fs.truncateSync(file, 5_000)],
    [
      "has other bytes in its first page",
      (file) => {
        const bytes = fs.readFileSync(file)
        bytes.fill(0xa5, 20, 1_000)
        fs.writeFileSync(file, bytes)
      }
    ]
  ]
  for (const [what, damage] of damages) {
    live(`since it ${what} is set aside whole, and a new one is begun`, function* () {
      const { store } = yield* makeStore
      yield* write(store, Array.from({ length: 40 }, (_, i) => turnRows(i)).flat())
      damage(store.file)
      const bytes = fs.readFileSync(store.file)
      assert.strictEqual(yield* kindOf(store.check), "corrupt")
      assert.isTrue(yield* write(store, turnRows(0)), "the life is new to it")
      const health = yield* store.check
      assert.strictEqual(health?.aside.length, 1)
      assert.deepStrictEqual(fs.readFileSync(health!.aside[0]!), bytes)
      assert.strictEqual((yield* store.log(whole)).turns.length, 1)
    })
  }

  live(
    "since pages in its middle are damaged while it is open is set aside once, by the first that finds it",
    function* () {
      const { home, store } = yield* makeStore
      yield* write(store, Array.from({ length: 200 }, (_, i) => turnRows(i)).flat())
      const bytes = fs.readFileSync(store.file)
      bytes.fill(0x5a, 4_096)
      fs.writeFileSync(store.file, bytes)
      // two processes, which both have it open, and both find it
      const others = yield* storeIn(home)
      const scope = yield* Scope.make()
      const open = (one: RecordStore["Service"]) =>
        one.open(lifeOf("t")).pipe(Effect.provideService(Scope.Scope, scope), Effect.result)
      const results = [yield* open(store), yield* open(others)]
      for (const writer of results)
        if (writer._tag === "Success") yield* Effect.ignore(writer.success.write(turnRows(0), begin))
      yield* Scope.close(scope, Exit.void)
      for (const one of [store, others]) yield* write(one, turnRows(0))
      assert.strictEqual((yield* store.check)?.aside.length, 1)
      assert.strictEqual((yield* store.log(whole)).turns.length, 1)
    }
  )

  live("since a later leap wrote it stays as it is", function* () {
    const { store } = yield* makeStore
    yield* write(store, turnRows(0))
    const database = new DatabaseSync(store.file)
    database.exec("PRAGMA user_version = 99")
    database.close()
    const bytes = fs.readFileSync(store.file)
    for (const use of [write(store, turnRows(1)), store.log(whole), store.check])
      assert.strictEqual(yield* kindOf(use as Effect.Effect<unknown, StoreError>), "newer")
    assert.deepStrictEqual(fs.readFileSync(store.file), bytes)
    assert.deepStrictEqual(
      fs.readdirSync(path.dirname(store.file)).filter((name) => name.includes("damaged")),
      []
    )
  })

  live("since it was deleted while it was open is told so, and made anew", function* () {
    const { store } = yield* makeStore
    const writer = yield* store.open(lifeOf("t"))
    yield* writer.write(turnRows(0), begin)
    for (const end of ["", "-wal", "-shm"]) fs.rmSync(store.file + end)
    assert.strictEqual(yield* kindOf(writer.write(turnRows(1), begin)), "failed")
    assert.isTrue(yield* write(store, turnRows(1)))
    assert.strictEqual((yield* store.log(whole)).turns.length, 1)
  })

  live("since it is a link to another file leaves that alone", function* () {
    const { home, store } = yield* makeStore
    const other = path.join(home, "other")
    fs.writeFileSync(other, "")
    fs.symlinkSync(other, store.file)
    assert.strictEqual(yield* kindOf(write(store, turnRows(0))), "failed")
    assert.strictEqual(fs.readFileSync(other, "utf8"), "")
  })

  it.live("for want of room, or leave, fails by that name, and has what it had", ({ skip }) =>
    Effect.gen(function* () {
      if (spawnSync("unshare", ["-rm", "true"]).status !== 0) return skip("no user namespaces here")
      const { home } = yield* makeStore
      /** What a writer says on a file system of its own, and what is there afterwards. */
      const on = (mount: string, then: string) =>
        execFileSync(
          "unshare",
          [
            "-rm",
            "sh",
            "-ec",
            `mount -t tmpfs -o size=1m,mode=700 none "$1"; ${mount}; "$2" "$3" "$1" t 100000 | tail -n 1; ${then}`,
            "sh",
            home,
            process.execPath,
            child
          ],
          { encoding: "utf8", stdio: ["ignore", "pipe", "ignore"] }
        )
      const count = `"$2" -e '
        const { DatabaseSync } = require("node:sqlite"); const db = new DatabaseSync(process.argv[1] + "/record.db")
        console.log(db.prepare("SELECT count(*) AS n FROM turns").get().n, db.prepare("PRAGMA quick_check").get().quick_check)
        ' "$1"`
      const full = on(":", count)
      assert.match(full, /^full: the record .*\n[1-9]\d+ ok\n$/)
      const readOnly = on('mkdir -m 700 "$1/sessions"; mount -o remount,ro "$1"', ":")
      assert.match(readOnly, /^unwritable: the record .*read-only\n$/, readOnly)
      const held = on('"$2" "$3" "$1" t 2 >/dev/null; mount -o remount,ro "$1"', ":")
      assert.match(held, /^unwritable: /)
    }).pipe(Effect.scoped)
  )
})

describe("several hosts", () => {
  live("write one record at once, and one that is killed leaves it whole", function* () {
    const { home, store } = yield* makeStore
    const ended = (process: ReturnType<typeof spawn>) =>
      Effect.promise(() => new Promise((resolve) => process.once("close", resolve)))
    const killed = spawn(process.execPath, [child, home, "killed"])
    let said = ""
    killed.stdout.on("data", (data: Buffer) => (said += data.toString()))
    const others = ["a", "b"].map((tag) => spawn(process.execPath, [child, home, tag, "150"]))
    killed.stdout.on("data", () => {
      if (said.split("\n").length > 60) killed.kill("SIGKILL")
    })
    yield* Effect.all([killed, ...others].map(ended), { concurrency: "unbounded" })
    const acknowledged = Number(said.trim().split("\n").at(-1))
    const source = yield* store.log({ ...whole, limit: 10_000 })
    const of = (tag: string) =>
      source.turns.filter(({ life }) => source.lives.find(({ id }) => id === life)?.tag === tag)
    assert.strictEqual(of("a").length, 150)
    assert.strictEqual(of("b").length, 150)
    assert.isAtLeast(of("killed").length, acknowledged)
    assert.isAtLeast(acknowledged, 50)
    assert.deepInclude(yield* store.check, { lives: 3, aside: [] })
    const ends = logEntries(source, 0, () => false).flatMap((entry) => (entry.kind === "ended" ? [entry.lost] : []))
    assert.deepStrictEqual(ends, [true, true, true], "none of them has said goodbye")
  })
})

describe("the upkeep", () => {
  const count = (file: string, table: string) => {
    const database = new DatabaseSync(file, { readOnly: true })
    const [row] = database.prepare(`SELECT count(*) AS n FROM ${table}`).all()
    database.close()
    return Number(row?.["n"])
  }

  live("forgets what is too old, keeps what is counted from, and is not done again at once", function* () {
    const { store } = yield* makeStore
    const usage = (n: number, at: number): RecordRow => ({
      _tag: "Usage",
      n,
      at,
      session: "s",
      model: null,
      tokens: null,
      usd: n + 1,
      estimated: false,
      fresh: true
    })
    const writer = yield* store.open(lifeOf("t"))
    yield* writer.write([...turnRows(0), usage(0, begin), usage(1, begin + 5_000)], begin + 5_000)
    const later = turnRows(50 * 43_200)
    yield* writer.write([...later, usage(2, begin + 50 * day)], begin + 50 * day)
    const now = begin + 51 * day
    keepRecord(store.file, 30, 256, now)
    const left = ["turns", "texts", "usage", "lives", "words"].map((table) => count(store.file, table))
    assert.deepStrictEqual(left, [1, 1, 2, 1, 1])
    // of lives that are over, or whose host died, nothing is left; that of a host that only waits is there
    const asking = recorded([status("needs_input", begin + 5)]).rows
    yield* write(store, recorded([status("exited", begin + 5)]).rows, lifeOf("ended"))
    yield* write(store, asking, lifeOf("died"))
    yield* write(store, asking, lifeOf("died", { since: begin + 50 * day }))
    yield* write(store, asking, lifeOf("waits"))
    keepRecord(store.file, 30, 256, now + 700_000)
    const lives = (yield* store.log(whole)).lives.map(({ since, tag }) => `${tag} ${(since - begin) / day}`)
    assert.sameMembers(lives, ["t 0", "died 50", "waits 0"])
    const source = yield* store.report([{ from: begin + 49 * day, to: now }])
    assert.strictEqual(source.usage[0]?.usd, 1, "3 - 2")
    assert.deepStrictEqual(yield* store.search(whole, '"number0"'), [])
    assert.strictEqual((yield* store.search(whole, '"rhubarb"')).length, 1)
    assert.strictEqual(fs.statSync(`${store.file}-wal`).size < 10_000, true, "its log was brought in")
    // soon afterwards there is nothing to do, later there is
    keepRecord(store.file, 0.5, 256, now + 760_000)
    assert.strictEqual(count(store.file, "turns"), 1)
    keepRecord(store.file, 0.5, 256, now + day)
    assert.strictEqual(count(store.file, "turns"), 0)
    yield* writer.write(turnRows(60 * 43_200), begin + 60 * day)
  })

  live("brings in a log that has grown long, however lately it was done, and no other", function* () {
    const { store } = yield* makeStore
    const writer = yield* store.open(lifeOf("t"))
    const now = begin + day
    keepRecord(store.file, 30, 256, now)
    const logOf = () => fs.statSync(`${store.file}-wal`).size
    assert.isAbove(logOf(), 0, "a host that wrote to an empty log would wait for the disk")
    yield* writer.write(turnRows(0), begin)
    const short = logOf()
    keepRecord(store.file, 30, 256, now + 1_000)
    assert.strictEqual(logOf(), short)
    let told = 0
    for (let i = 1; told <= checkpointBytes; i++) told = yield* writer.write(turnRows(i), begin + i)
    // what the writer was told, and one more
    assert.isBelow(logOf(), checkpointBytes + 100_000)
    keepRecord(store.file, 30, 256, now + 2_000)
    assert.isTrue(logOf() > 0 && logOf() < 10_000)
    yield* writer.write(turnRows(100_000), now)
  })

  live("forgets the oldest until the rest fits, and gives the room back, beside a host that writes", function* () {
    const { store } = yield* makeStore
    const writer = yield* store.open(lifeOf("t"))
    for (let i = 0; i < 400; i++) {
      const text = `${turnRows(i)[0]!._tag} ${"rhubarb custard ".repeat(600)} number${i}`
      const row: RecordRow = { _tag: "Text", kind: "answer", ref: String(i), at: begin + i * 2_000, text }
      yield* writer.write([...turnRows(i).filter(({ _tag }) => _tag !== "Text"), row], begin)
    }
    keepRecord(store.file, 90, 1_000, begin + day)
    const before = fs.statSync(store.file).size
    assert.isAbove(before, 3_000_000)
    keepRecord(store.file, 90, 2, begin + 2 * day)
    assert.isBelow(fs.statSync(store.file).size, 2_100_000)
    const left = count(store.file, "texts")
    assert.isAbove(left, 20)
    assert.deepStrictEqual(yield* store.search(whole, '"number1"'), [])
    assert.strictEqual((yield* store.search(whole, '"number399"')).length, 1)
    yield* writer.write(turnRows(500), begin + day)
    assert.isNotNull(yield* store.check)
  })

  it("does nothing where there is no record", () => {
    keepRecord("/nowhere/record.db", 90, 256, begin)
    assert.isFalse(fs.existsSync("/nowhere"))
  })
})
