import { assert, describe, it } from "@effect/vitest"
import { Effect, Scope } from "effect"
import * as fs from "node:fs"
import * as path from "node:path"
import * as OutFold from "../../../src/domain/surfaces/outgoing/outFold.ts"
import { atStart } from "../../../src/domain/surfaces/outgoing/recorded.ts"
import * as FileLockSqlite from "../../../src/layers/files/FileLockSqlite.ts"
import { openJournal, type OutBounds } from "../../../src/layers/files/outDatabase.ts"
import { FileLock } from "../../../src/services/FileLock.ts"
import { type OpenOutJournal, OutJournal } from "../../../src/services/OutJournal.ts"
import { temporary } from "../../support/data/recordStore.ts"
import { sessionStatus } from "../../support/data/sessionStatus.ts"
import { day, eventOf, journalIn, takeAll, write } from "../../support/out/journal.ts"

const begin = Date.UTC(2026, 0, 1)
const events = (from: number, to: number) => Array.from({ length: to - from }, (_, n) => eventOf(from + n))
const idsOf = (from: number, to: number) => events(from, to).map(({ id }) => id)

const inDirectory = (test: (home: string) => Effect.fn.Return<void, unknown, OutJournal | Scope.Scope>) =>
  Effect.scoped(
    Effect.gen(function* () {
      const home = yield* temporary
      return yield* Effect.provide(Effect.fnUntraced(test)(home), journalIn(home))
    })
  )
const opened = Effect.flatMap(OutJournal, ({ open }) => open)

/** A journal with other bounds than usual. */
const bounded = (
  bounds: OutBounds,
  test: (journal: OpenOutJournal) => Effect.fn.Return<void, unknown, OutJournal | Scope.Scope>
) =>
  inDirectory(function* () {
    const { file } = yield* OutJournal
    // its directories are made by the usual way
    yield* Effect.scoped(opened)
    const lock = yield* Effect.provide(FileLock, FileLockSqlite.layer)
    yield* Effect.fnUntraced(test)(yield* openJournal(file, lock, bounds))
  })

describe("the journal of events", () => {
  it.live(
    "gives each receiver all that came since it is known, in order, once it says that it has the one before",
    () =>
      inDirectory(function* () {
        const journal = yield* opened
        yield* write(journal, events(0, 3))
        yield* journal.register(["a"])
        yield* write(journal, events(3, 5))
        yield* journal.register(["a", "b"])
        yield* write(journal, events(5, 7))
        const first = yield* journal.next("a")
        assert.deepStrictEqual((yield* journal.next("a"))?.entry, first?.entry)
        assert.deepStrictEqual(yield* takeAll(journal, "a"), { ids: idsOf(3, 7), dropped: 0 })
        assert.deepStrictEqual(yield* takeAll(journal, "b"), { ids: idsOf(5, 7), dropped: 0 })
      })
  )

  it.live("holds an event once, and all of it after a restart", () =>
    inDirectory(function* () {
      const status = sessionStatus({ state: "running", tag: "one" })
      const cursor = { ...atStart, turn: 3, started: true }
      const memory = OutFold.fold(null, { link: "live", status }, begin, true)!.memory
      yield* Effect.scoped(
        Effect.gen(function* () {
          const journal = yield* opened
          assert.isTrue((yield* journal.remembered(begin)).isNew)
          yield* journal.register(["a"])
          const memories = new Map([["one", memory]])
          const cursors = new Map([["one 5", cursor]])
          yield* journal.append({ events: [eventOf(0), eventOf(1)], memories, cursors, at: begin }, day)
          assert.strictEqual(yield* write(journal, [eventOf(1), eventOf(2)], begin + 5), 1)
          yield* journal.passed("a", 1, 0)
          yield* journal.setNote("a", "thread", "12.5", begin)
        })
      )
      const journal = yield* opened
      assert.deepStrictEqual(yield* journal.remembered(begin + 7), {
        sessions: new Map([["one", memory]]),
        cursors: new Map([["one 5", cursor]]),
        from: begin,
        isNew: false
      })
      yield* journal.register(["a"])
      assert.strictEqual(yield* journal.note("a", "thread"), "12.5")
      assert.deepStrictEqual(yield* takeAll(journal, "a"), { ids: idsOf(1, 3), dropped: 0 })
      const gone = { memories: new Map([["one", null]]), cursors: new Map([["one 5", null]]) }
      yield* journal.append({ events: [], ...gone, at: begin + 9 }, day)
      const last = yield* journal.remembered(begin + 9)
      assert.deepStrictEqual([last.sessions.size, last.cursors.size, last.from], [0, 0, begin])
    })
  )

  it.live("forgets receivers that are not named any more, with their notes", () =>
    inDirectory(function* () {
      const journal = yield* opened
      yield* journal.register(["a", "b"])
      yield* journal.setNote("a", "x", "y", begin)
      yield* write(journal, events(0, 2))
      yield* journal.register(["b"])
      yield* journal.register(["a", "b"])
      assert.isNull(yield* journal.next("a"))
      assert.isNull(yield* journal.note("a", "x"))
      assert.deepStrictEqual(yield* takeAll(journal, "b"), { ids: idsOf(0, 2), dropped: 0 })
    })
  )

  it.live("keeps no more than its bounds, the newest, and says how many a receiver has lost", () =>
    bounded({ events: 300, bytes: 1 << 30 }, function* (journal) {
      yield* journal.register(["slow", "fast"])
      yield* write(journal, events(0, 300))
      yield* journal.passed("fast", 300, 0)
      yield* write(journal, events(300, 400))
      yield* journal.passed("fast", 400, 0)
      assert.strictEqual((yield* journal.next("slow"))?.dropped, 100)
      assert.deepStrictEqual(yield* takeAll(journal, "slow"), { ids: idsOf(100, 400), dropped: 100 })
      assert.deepStrictEqual(
        (yield* (yield* OutJournal).receivers).map(({ dropped, name, waiting }) => ({ dropped, name, waiting })),
        [
          { dropped: 0, name: "fast", waiting: 0 },
          { dropped: 100, name: "slow", waiting: 0 }
        ]
      )
    })
  )

  it.live("keeps no more bytes than its bound", () =>
    bounded({ events: 10_000, bytes: 100_000 }, function* (journal) {
      yield* journal.register(["slow"])
      const long = "x".repeat(1_000)
      yield* write(
        journal,
        events(0, 200).map((_, n) => eventOf(n, "one", long))
      )
      const { dropped, ids } = yield* takeAll(journal, "slow")
      assert.strictEqual(dropped + ids.length, 200)
      assert.isAtMost(ids.length, 100)
      assert.isAtLeast(ids.length, 60)
      assert.strictEqual(ids.at(-1), "turn_one_199")
    })
  )

  it.live("keeps events for so long, for one who takes none", () =>
    inDirectory(function* () {
      const journal = yield* opened
      yield* journal.register(["slow"])
      yield* write(journal, events(0, 5), begin, day)
      yield* write(journal, events(5, 6), begin + 2 * day, day)
      assert.deepStrictEqual(yield* takeAll(journal, "slow"), { ids: idsOf(5, 6), dropped: 5 })
      // the numbers go on where all events are gone
      yield* write(journal, events(6, 7), begin + 9 * day, day)
      assert.strictEqual((yield* journal.next("slow"))?.entry.sequence, 7)
    })
  )

  it.live("is one process's alone, and nobody else's to read", () =>
    inDirectory(function* (home) {
      const scope = yield* Scope.make()
      yield* Scope.provide(opened, scope)
      const error = yield* Effect.flip(opened)
      assert.strictEqual(error.reason, "busy")
      assert.include(error.message, "another 'leap out' runs already")
      yield* Scope.close(scope, yield* Effect.exit(Effect.void))
      yield* opened
      const file = fs.readdirSync(home, { recursive: true }).map((name) => path.join(home, String(name)))
      for (const one of file.filter((name) => path.basename(name).startsWith("out.db")))
        assert.strictEqual(fs.statSync(one).mode & 0o077, 0, one)
    })
  )

  it.live("is set aside when it is damaged, and begun anew", () =>
    inDirectory(function* () {
      const { file, receivers } = yield* OutJournal
      yield* Effect.scoped(
        Effect.gen(function* () {
          yield* write(yield* opened, events(0, 50))
        })
      )
      fs.writeFileSync(file, "this is no database, and never was one: ".repeat(200))
      const journal = yield* opened
      yield* journal.register(["a"])
      yield* write(journal, events(0, 1))
      assert.deepStrictEqual(yield* takeAll(journal, "a"), { ids: idsOf(0, 1), dropped: 0 })
      assert.isTrue(fs.readdirSync(path.dirname(file)).some((name) => name.startsWith("out.db.damaged-")))
      assert.lengthOf(yield* receivers, 1)
    })
  )

  it.live("has nobody in it before it is made, and is not taken for new where it cannot be looked at", () =>
    inDirectory(function* () {
      const { file, receivers } = yield* OutJournal
      assert.deepStrictEqual(yield* receivers, [])
      fs.mkdirSync(path.dirname(file), { recursive: true })
      fs.symlinkSync(file, file)
      assert.strictEqual((yield* Effect.flip(receivers)).reason, "failed")
    })
  )
})
