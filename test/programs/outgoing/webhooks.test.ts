import { assert, describe } from "@effect/vitest"
import { Effect, Ref, SubscriptionRef } from "effect"
import type { SessionStatus } from "../../../src/domain/words/session/Session.ts"
import { begin, due, iso, makeWorld, passes, webhook } from "../../support/out/bridge.ts"
import { recordedLife } from "../../support/out/recordedLife.ts"
import { effect } from "../../support/run/effects.ts"

const question = {
  title: "Write notes.md?",
  options: [
    { number: 1, label: "Yes" },
    { number: 2, label: "No" }
  ]
}

type World = Effect.Success<ReturnType<typeof makeWorld>>

/** A turn of a session's, from one moment to another, on the test's clock. */
const turn = Effect.fnUntraced(function* ({ hosts }: World, tag: string, from: number, answer: string) {
  hosts.tell(tag, { state: "running", since: iso(from) })
  yield* passes(500)
  hosts.tell(tag, { state: "idle", since: iso(from + 500), lastResponse: answer })
  yield* passes(500)
})

const start = (tag: string): Partial<SessionStatus> => ({ tag, state: "idle", since: iso(0), startedAt: iso(0) })
const answersOf = ({ webhooks }: World, name: string, tag: string) =>
  webhooks.posts.flatMap(({ body, name: to }) =>
    to === name && body.type === "turn.ended" && body.session?.tag === tag ? [body.data.response] : []
  )

describe("what webhooks are told", () => {
  effect("is what sessions do, in order and numbered, to each of them", function* () {
    const world = yield* makeWorld({ webhooks: [webhook("a"), { ...webhook("b"), texts: false }] })
    const { hosts, webhooks } = world
    yield* world.running(
      Effect.gen(function* () {
        hosts.start("one", { state: "starting", since: iso(0), startedAt: iso(0) })
        yield* passes(1_000)
        yield* turn(world, "one", 1_000, "It is done.")
        hosts.tell("one", { state: "needs_permission", since: iso(2_000), question })
        yield* passes(3_000)
        hosts.tell("one", { state: "running", since: iso(5_000), question: null })
        yield* passes(1_000)
        hosts.end("one", { state: "exited", since: iso(6_000), exit: { code: 0, signal: null } })
        yield* passes(1_000)
        hosts.forget("one")
        yield* passes(1_000)
      })
    )
    const types = [
      "session.started",
      "session.state",
      "turn.ended",
      "session.state",
      "session.state",
      "dialog.opened",
      "session.needs",
      "session.state",
      "dialog.closed",
      "session.needs",
      "turn.ended",
      "session.state",
      "session.ended",
      "session.forgotten"
    ]
    assert.deepStrictEqual(webhooks.types("a"), types)
    assert.deepStrictEqual(webhooks.types("b"), types)
    const sequences = webhooks.posts.filter(({ name }) => name === "a").map(({ body }) => body.sequence)
    assert.deepStrictEqual(
      sequences,
      types.map((_, n) => n + 1)
    )
    assert.deepStrictEqual(answersOf(world, "a", "one"), ["It is done.", null])
    assert.notInclude(JSON.stringify(webhooks.posts.filter(({ name }) => name === "b")), "notes.md")
    for (const { body, id } of webhooks.posts) assert.strictEqual(body.id, id)
  })

  effect("is nothing that a receiver has missed when it is dead for an hour, and the others do not wait", function* () {
    const world = yield* makeWorld({ webhooks: [webhook("dead"), webhook("alive")] })
    const { hosts, notes, webhooks } = world
    let isDead = true
    webhooks.answers((name) => (name === "dead" && isDead ? null : { status: 200, afterMs: null }))
    const said: Array<string> = []
    yield* world.running(
      Effect.gen(function* () {
        hosts.start("one", start("one"))
        hosts.start("two", start("two"))
        yield* passes(1_000)
        for (let n = 0; n < 12; n++) {
          for (const tag of ["one", "two"]) {
            said.push(`${tag} ${n}`)
            yield* turn(world, tag, (n * 2 + (tag === "one" ? 0 : 1)) * 1_000 + 2_000, `${tag} ${n}`)
          }
          yield* passes(5 * 60_000, 25_000)
        }
        const own = (tag: string) => said.filter((answer) => answer.startsWith(tag))
        assert.deepStrictEqual(answersOf(world, "alive", "one"), own("one"))
        const tried = webhooks.posts.filter(({ name }) => name === "dead")
        // one and the same event, ever more seldom
        assert.strictEqual(new Set(tried.map(({ id }) => id)).size, 1)
        assert.isAbove(tried.length, 10)
        assert.isBelow(tried.length, 30)
        assert.lengthOf(
          notes.filter((note) => note.includes("webhook dead")),
          1
        )
        webhooks.posts.length = 0
        isDead = false
        yield* passes(7 * 60_000, 25_000)
        assert.deepStrictEqual(answersOf(world, "dead", "one"), own("one"))
        assert.deepStrictEqual(answersOf(world, "dead", "two"), own("two"))
        assert.include(notes.join("\n"), "webhook dead: it takes events again")
      })
    )
  })

  effect("comes again after as long as the receiver asks for, and in the same order", function* () {
    const world = yield* makeWorld({ webhooks: [webhook("a")] })
    const { hosts, webhooks } = world
    let asked = 1
    webhooks.answers(() => (asked-- > 0 ? { status: 429, afterMs: 90_000 } : { status: 200, afterMs: null }))
    yield* world.running(
      Effect.gen(function* () {
        hosts.start("one", start("one"))
        yield* passes(1_000)
        yield* turn(world, "one", 1_000, "first")
        yield* turn(world, "one", 2_000, "second")
        yield* passes(80_000, 1_000)
        assert.lengthOf(webhooks.posts, 1)
        yield* passes(20_000, 1_000)
        assert.deepStrictEqual(answersOf(world, "a", "one"), ["first", "second"])
        const [first, second] = webhooks.posts
        assert.strictEqual(first?.id, second?.id)
        assert.isAtLeast(second!.at - first!.at, 90_000)
      })
    )
  })

  effect("goes on behind an event that is refused, and ends with one who is gone", function* () {
    const world = yield* makeWorld({ webhooks: [webhook("picky"), webhook("gone")] })
    const { hosts, notes, webhooks } = world
    webhooks.answers((name, id) => ({
      status: name === "gone" ? 410 : id.startsWith("turn") ? 422 : 200,
      afterMs: null
    }))
    yield* world.running(
      Effect.gen(function* () {
        hosts.start("one", start("one"))
        yield* passes(1_000)
        yield* turn(world, "one", 1_000, "first")
        yield* passes(60_000, 1_000)
        assert.lengthOf(webhooks.types("gone"), 1)
        assert.deepStrictEqual(webhooks.types("picky"), [
          "session.started",
          "session.state",
          "session.state",
          "turn.ended",
          "session.state"
        ])
      })
    )
    assert.match(notes.join("\n"), /webhook picky: it answered 422: event turn_one_\w+ was given up/)
    assert.include(notes.join("\n"), "webhook gone: it answered 410: it is sent nothing more")
  })

  effect("says how many were given up beyond what is kept", function* () {
    const world = yield* makeWorld({ webhooks: [webhook("a")], keepHours: 1 })
    const { hosts, notes, webhooks } = world
    webhooks.answers(() => null)
    yield* world.running(
      Effect.gen(function* () {
        hosts.start("one", start("one"))
        yield* passes(1_000)
        yield* turn(world, "one", 1_000, "long ago")
        yield* passes(2 * 3_600_000, 30_000)
        webhooks.answers(() => ({ status: 200, afterMs: null }))
        webhooks.posts.length = 0
        yield* turn(world, "one", 7_300_000, "now")
        // the longest wait between two attempts, with its random part, is 375 s
        yield* passes(7 * 60_000, 25_000)
        assert.strictEqual(webhooks.types("a")[0], "events.dropped")
        assert.deepStrictEqual(answersOf(world, "a", "one"), ["now"])
        const [first] = webhooks.posts
        assert.deepStrictEqual(first?.body.data, { count: 5 })
        assert.strictEqual(first?.body.sequence, 5)
      })
    )
    assert.include(notes.join("\n"), "webhook a: 5 events were given up")
  })

  effect("is all that happened, also while leap out did not run", function* () {
    const world = yield* makeWorld({ webhooks: [webhook("a")] }, "full")
    const { hosts, record, webhooks } = world
    const rows = recordedLife("one", begin)
    const recorded = (ms: number, change: Parameters<typeof rows.tell>[1]) =>
      Ref.set(record, [rows.tell(begin + ms, change)])
    const recordedTurn = Effect.fnUntraced(function* (from: number, answer: string) {
      yield* recorded(from, { state: "running", lastTurn: null })
      yield* recorded(from + 500, { state: "idle", answer, answerAt: begin + from + 500, lastTurn: "completed" })
    })
    hosts.start("one", start("one"))
    yield* recorded(0, { state: "idle" })
    yield* world.running(
      Effect.gen(function* () {
        yield* passes(1_000)
        yield* recordedTurn(1_000, "first")
        yield* turn(world, "one", 1_000, "first")
        yield* passes(3_000)
        // it ends before the receiver has taken this
        webhooks.answers(() => null)
        yield* recordedTurn(5_000, "second")
        yield* turn(world, "one", 5_000, "second")
      })
    )
    yield* passes(10_000)
    yield* recordedTurn(7_000, "third")
    yield* recorded(8_100, { state: "needs_permission", asked: "Write notes.md?" })
    yield* recorded(11_000, { state: "running", asked: null })
    yield* recorded(12_000, { state: "needs_input", asked: "Write notes.md?" })
    hosts.tell("one", { state: "needs_input", since: iso(12_000), question })
    webhooks.answers(() => ({ status: 200, afterMs: null }))
    webhooks.posts.length = 0
    yield* world.running(passes(10_000))
    assert.deepStrictEqual(answersOf(world, "a", "one"), ["second", "third"])
    const dialogs = webhooks.posts.filter(({ body }) => body.type.startsWith("dialog"))
    assert.deepStrictEqual(
      dialogs.map(({ body }) => body.type),
      ["dialog.opened", "dialog.closed", "dialog.opened"]
    )
    // the one that is open has what can be answered
    const open = dialogs[2]?.body
    assert.lengthOf(open?.type === "dialog.opened" ? open.data.options : [], 2)
    // nothing of it again
    webhooks.posts.length = 0
    yield* world.running(
      Effect.gen(function* () {
        yield* passes(10_000)
        assert.deepStrictEqual(webhooks.posts, [])
        // what is put aside is in no record, and known within a second
        const dismissed = [{ kind: "question", since: iso(12_000), text: question.title }]
        hosts.tell("one", { state: "needs_input", since: iso(12_000), question, dismissed })
        yield* passes(1_000)
        const [need] = webhooks.posts
        assert.deepStrictEqual([webhooks.types("a"), need?.body.data], [["session.needs"], { needs: [] }])
      })
    )
  })

  effect("is what ended meanwhile, also where nothing is recorded", function* () {
    const world = yield* makeWorld({ webhooks: [webhook("a")] })
    const { hosts, webhooks } = world
    for (const tag of ["one", "two"]) hosts.start(tag, start(tag))
    yield* world.running(
      Effect.gen(function* () {
        yield* passes(1_000)
        hosts.tell("one", { state: "needs_input", since: iso(1_000), question })
        yield* passes(3_000)
      })
    )
    assert.include(webhooks.types("a"), "dialog.opened")
    webhooks.posts.length = 0
    hosts.tell("one", { state: "idle", since: iso(5_000), question: null })
    hosts.end("two", { state: "exited", exit: { code: 0, signal: null } })
    hosts.forget("two")
    yield* world.running(passes(4_000))
    assert.sameMembers(
      webhooks.posts.map(({ body }) => `${body.session?.tag} ${body.type}`),
      ["one session.state", "one dialog.closed", "one session.needs", "two session.forgotten"]
    )
    webhooks.posts.length = 0
    yield* world.running(passes(4_000))
    assert.deepStrictEqual(webhooks.posts, [])
  })

  effect("waits in memory while the disk takes nothing, and is told in order when it does", function* () {
    const world = yield* makeWorld({ webhooks: [webhook("a")] })
    const { hosts, webhooks } = world
    yield* world.running(
      Effect.gen(function* () {
        hosts.start("one", start("one"))
        yield* passes(1_000)
        world.breakDisk(true)
        const before = webhooks.posts.length
        yield* turn(world, "one", 1_000, "first")
        yield* passes(30_000, 1_000)
        yield* turn(world, "one", 32_000, "second")
        // nothing is sent that a restart would not know of
        assert.lengthOf(webhooks.posts, before)
        world.breakDisk(false)
        yield* passes(10_000, 1_000)
        assert.deepStrictEqual(answersOf(world, "a", "one"), ["first", "second"])
      })
    )
  })

  effect("follows the settings: receivers come and go while it runs", function* () {
    const world = yield* makeWorld({ webhooks: [webhook("a")] })
    const { hosts, settings, webhooks } = world
    yield* world.running(
      Effect.gen(function* () {
        hosts.start("one", start("one"))
        yield* passes(1_000)
        yield* SubscriptionRef.update(settings, (own) => ({ ...own, webhooks: [webhook("b")] }))
        yield* due
        yield* turn(world, "one", 1_000, "first")
      })
    )
    assert.deepStrictEqual(answersOf(world, "a", "one"), [])
    assert.deepStrictEqual(answersOf(world, "b", "one"), ["first"])
    assert.deepStrictEqual(webhooks.types("a"), ["session.started", "session.state"])
  })
})
