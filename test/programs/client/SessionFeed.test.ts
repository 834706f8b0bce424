import { assert, describe, it } from "@effect/vitest"
import { Effect, Fiber, type Scope, Stream } from "effect"
import { TestClock } from "effect/testing"
import { type FeedEvent, type FeedSessions, fold } from "../../../src/domain/words/session/Feed.ts"
import * as SessionFeed from "../../../src/programs/client/SessionFeed.ts"
import { makeHosts } from "../../support/fakes/HostsFake.ts"

/** Lets everything happen that waits for nothing but its turn. */
const due = Effect.repeat(Effect.yieldNow, { times: 100 })
const passes = (time: Parameters<typeof TestClock.adjust>[0]) => Effect.andThen(TestClock.adjust(time), due)

/** A reader of a feed over these hosts. */
const reading = Effect.fnUntraced(function* () {
  const feed = yield* SessionFeed.SessionFeed
  const events: Array<FeedEvent> = []
  let sessions: FeedSessions = new Map()
  yield* feed.events.pipe(
    Stream.runForEach((event) =>
      Effect.sync(() => {
        events.push(event)
        sessions = fold(sessions, event)
      })
    ),
    Effect.forkScoped
  )
  yield* due
  return {
    events,
    /** Each session's link and state, by tag. */
    seen: () => Object.fromEntries([...sessions].map(([tag, { link, status }]) => [tag, `${link} ${status.state}`])),
    status: (tag: string) => sessions.get(tag)?.status
  }
})

const withFeed = (
  test: (hosts: ReturnType<typeof makeHosts>) => Effect.fn.Return<void, unknown, SessionFeed.SessionFeed | Scope.Scope>,
  prepare: (hosts: ReturnType<typeof makeHosts>) => void = () => {}
) =>
  Effect.suspend(() => {
    const hosts = makeHosts()
    prepare(hosts)
    return Effect.scoped(Effect.fnUntraced(test)(hosts)).pipe(
      Effect.provide(SessionFeed.layer),
      Effect.provide(hosts.layer)
    )
  })

describe("the feed of all sessions", () => {
  it.effect("begins with what the hosts wrote last, and follows each from then on", () =>
    withFeed(
      function* (hosts) {
        const { events, seen } = yield* reading()
        const [first] = events
        assert.strictEqual(first?._tag, "Snapshot")
        assert.deepStrictEqual(seen(), { a: "live running", b: "live idle", old: "ended exited" })
        hosts.tell("a", { state: "needs_permission" })
        hosts.tell("a", { state: "running" })
        yield* due
        // each change, not only the last
        assert.deepStrictEqual(
          events.slice(-2).map((event) => (event._tag === "Changed" ? event.session.status.state : event._tag)),
          ["needs_permission", "running"]
        )
        assert.deepStrictEqual(seen(), { a: "live running", b: "live idle", old: "ended exited" })
      },
      (hosts) => {
        hosts.keep("a", { state: "running" })
        hosts.start("a", { state: "running" })
        hosts.start("b", { state: "idle" })
        hosts.keep("old", { state: "exited", exit: { code: 0, signal: null } })
      }
    )
  )

  it.effect("has in its first snapshot what the hosts wrote last, before any of them was asked", () =>
    withFeed(
      function* () {
        const feed = yield* SessionFeed.SessionFeed
        const first = yield* Stream.runHead(feed.events)
        const [session] = first._tag === "Some" && first.value._tag === "Snapshot" ? first.value.sessions : []
        assert.strictEqual(`${session?.link} ${session?.status.state}`, "joining running")
      },
      (hosts) => {
        hosts.keep("a", { state: "running" })
        hosts.start("a", { state: "idle" })
        hosts.stop("a")
      }
    )
  )

  it.effect("asks eight hosts at once and the others after them, or when these have been silent for a moment", () => {
    const names = (first: string) => Array.from({ length: 8 }, (_, i) => `${first}${i}`)
    const [silent, others] = [names("a"), names("b")]
    return withFeed(
      function* (hosts) {
        const { seen } = yield* reading()
        const all = [...silent, ...others]
        assert.deepStrictEqual(seen(), Object.fromEntries(all.map((tag) => [tag, "joining running"])))
        assert.deepStrictEqual(
          all.filter((tag) => hosts.asked(tag) > 0),
          silent
        )
        yield* passes("100 millis")
        for (const tag of silent) assert.strictEqual(seen()[tag], "joining running")
        for (const tag of others) assert.strictEqual(seen()[tag], "live idle")
      },
      (hosts) => {
        for (const tag of [...silent, ...others]) {
          hosts.keep(tag, { state: "running" })
          hosts.start(tag, { state: "idle" })
        }
        for (const tag of silent) hosts.stop(tag)
      }
    )
  })

  it.effect("tells of sessions that start, end, start again and are forgotten", () =>
    withFeed(function* (hosts) {
      const { events, seen } = yield* reading()
      assert.deepStrictEqual(seen(), {})
      hosts.start("new", { state: "starting" })
      yield* due
      assert.deepStrictEqual(seen(), { new: "live starting" })
      hosts.end("new", { state: "exited", exit: { code: 3, signal: null } })
      yield* passes("300 millis")
      assert.deepStrictEqual(seen(), { new: "ended exited" })
      hosts.start("new", { state: "idle" })
      yield* due
      assert.deepStrictEqual(seen(), { new: "live idle" })
      hosts.end("new", { state: "exited", exit: { code: 0, signal: null } })
      yield* passes("300 millis")
      hosts.forget("new")
      yield* due
      assert.deepStrictEqual(seen(), {})
      assert.deepStrictEqual(events.at(-1), { _tag: "Gone", tag: "new" })
    })
  )

  it.effect("says that a host died without a word, and does not repeat it", () =>
    withFeed(
      function* (hosts) {
        const { events, seen, status } = yield* reading()
        hosts.end("a", null)
        yield* passes("300 millis")
        assert.deepStrictEqual(seen(), { a: "ended exited" })
        assert.strictEqual(status("a")?.problem?.kind, "crashed")
        const before = events.length
        yield* passes("10 minutes")
        assert.strictEqual(events.length, before)
      },
      (hosts) => hosts.start("a", { state: "running" })
    )
  )

  it.effect("tells of a host that lives without a socket as of one that cannot be asked, and of no crash", () =>
    withFeed(
      function* (hosts) {
        const { events, seen, status } = yield* reading()
        assert.deepStrictEqual(seen(), { a: "silent running" })
        assert.include(status("a")?.problem?.message, "nothing reaches it at")
        const before = events.length
        yield* passes("10 minutes")
        assert.strictEqual(events.length, before)
        hosts.lose("a", false)
        yield* passes("2 seconds")
        assert.deepStrictEqual(seen(), { a: "live running" })
        hosts.lose("a", true)
        hosts.end("a", null)
        yield* passes("300 millis")
        assert.deepStrictEqual(seen(), { a: "ended exited" })
        assert.strictEqual(status("a")?.problem?.kind, "crashed")
      },
      (hosts) => {
        hosts.keep("a", { state: "running" })
        hosts.start("a", { state: "running" })
        hosts.lose("a", true)
      }
    )
  )

  it.effect("tells of a host that hangs, keeps one connection to it, and holds up no other", () =>
    withFeed(
      function* (hosts) {
        const { seen, status } = yield* reading()
        assert.deepStrictEqual(seen(), { a: "live running", b: "live idle" })
        hosts.stop("a")
        hosts.tell("b", { state: "running" })
        yield* due
        assert.strictEqual(seen()["b"], "live running")
        yield* passes("4 seconds")
        assert.deepStrictEqual(seen(), { a: "silent running", b: "live running" })
        assert.isFalse(status("a")?.ready)
        assert.strictEqual(status("a")?.problem?.kind, "stuck")
        yield* passes("1 minute")
        const asked = hosts.asked("a")
        yield* passes("6 hours")
        assert.strictEqual(hosts.asked("a"), asked)
        assert.strictEqual(hosts.connections("a"), 1)
        hosts.tell("b", { state: "needs_input" })
        yield* due
        assert.strictEqual(seen()["b"], "live needs_input")
        hosts.tell("a", { state: "idle" })
        hosts.goOn("a")
        yield* passes("1 second")
        assert.deepStrictEqual(seen(), { a: "live idle", b: "live needs_input" })
      },
      (hosts) => {
        hosts.start("a", { state: "running", ready: true })
        hosts.start("b", { state: "idle" })
      }
    )
  )

  it.effect("tells at once of a host that the system says is stopped, also before it was asked", () =>
    withFeed(
      function* (hosts) {
        const { seen, status } = yield* reading()
        assert.deepStrictEqual(seen(), { a: "live running", b: "silent running" })
        hosts.freeze("a")
        yield* passes("1 second")
        assert.strictEqual(seen()["a"], "silent running")
        assert.match(status("a")?.problem?.message ?? "", /^the session's host is stopped .*'kill -CONT \d+'/)
        hosts.goOn("a")
        hosts.goOn("b")
        yield* passes("1 second")
        assert.deepStrictEqual(seen(), { a: "live running", b: "live idle" })
      },
      (hosts) => {
        hosts.start("a", { state: "running", hostPid: 101 })
        hosts.keep("b", { state: "running", hostPid: 102 })
        hosts.start("b", { state: "idle", hostPid: 102 })
        hosts.freeze("b")
      }
    )
  )

  it.effect("shows a session whose host hung before it was asked for the first time", () =>
    withFeed(
      function* () {
        const { seen } = yield* reading()
        assert.deepStrictEqual(seen(), { a: "joining running", b: "live idle" })
        yield* passes("4 seconds")
        assert.deepStrictEqual(seen(), { a: "silent running", b: "live idle" })
      },
      (hosts) => {
        hosts.keep("a", { state: "running" })
        hosts.start("a")
        hosts.stop("a")
        hosts.start("b")
      }
    )
  )

  it.effect("joins the host that takes a hanging one's place", () =>
    withFeed(
      function* (hosts) {
        const { seen } = yield* reading()
        yield* passes("4 seconds")
        assert.deepStrictEqual(seen(), { a: "silent running" })
        hosts.start("a", { state: "starting" })
        yield* due
        assert.deepStrictEqual(seen(), { a: "live starting" })
      },
      (hosts) => {
        hosts.keep("a", { state: "running" })
        hosts.start("a")
        hosts.stop("a")
      }
    )
  )

  it.effect("names a host of another protocol, and shows what it wrote", () =>
    withFeed(
      function* () {
        const { seen, status } = yield* reading()
        assert.deepStrictEqual(seen(), { a: "foreign running", b: "live idle" })
        assert.include(status("a")?.reason ?? "", "leap 9.9.9")
        assert.isFalse(status("a")?.ready)
      },
      (hosts) => {
        hosts.keep("a", { state: "running", ready: true })
        hosts.start("a", {}, 99)
        hosts.start("b")
      }
    )
  )

  it.effect("asks each host once, however many read", () =>
    withFeed(
      function* (hosts) {
        const readers = yield* Effect.all([reading(), reading(), reading()])
        hosts.tell("a", { state: "running" })
        yield* due
        for (const { seen } of readers) assert.deepStrictEqual(seen(), { a: "live running" })
        assert.strictEqual(hosts.connections("a"), 1)
      },
      (hosts) => hosts.start("a")
    )
  )

  it.effect("gives a reader that is far behind a snapshot in place of what it missed", () =>
    withFeed(
      function* (hosts) {
        const feed = yield* SessionFeed.SessionFeed
        const events: Array<FeedEvent> = []
        const slow = yield* feed.events.pipe(
          Stream.runForEach((event) =>
            Effect.andThen(
              Effect.sync(() => void events.push(event)),
              events.length === 0 ? Effect.sleep("1 hour") : Effect.void
            )
          ),
          Effect.forkScoped
        )
        yield* due
        for (let i = 0; i < 25; i++) {
          for (let j = 0; j < 1000; j++) hosts.tell("a", { message: `${i} ${j}` })
          yield* due
        }
        yield* passes("1 hour")
        assert.isBelow(events.length, 12_000)
        const last = events.at(-1)
        assert.strictEqual(last?._tag === "Changed" ? last.session.status.message : "", "24 999")
        assert.isTrue(events.slice(1).some((event) => event._tag === "Snapshot"))
        yield* Fiber.interrupt(slow)
      },
      (hosts) => hosts.start("a")
    )
  )
})
