import { assert, describe } from "@effect/vitest"
import { Effect, type Scope, SubscriptionRef } from "effect"
import type { OutSettings } from "../../../src/domain/store/settings/OutSettings.ts"
import type { SessionStatus } from "../../../src/domain/words/session/Session.ts"
import { SlackError } from "../../../src/services/Slack.ts"
import { down, iso, limited, makeWorld, passes, slackSettings, webhook } from "../../support/out/bridge.ts"
import { effect } from "../../support/run/effects.ts"
import { each, rowsOf } from "../../support/data/fields.ts"

const question = {
  title: "Write notes.md?",
  options: [
    { number: 1, label: "Yes" },
    { number: 2, label: "No" }
  ]
}
const idle = (tag: string): Partial<SessionStatus> => ({ tag, state: "idle", since: iso(0), startedAt: iso(0) })

type World = Effect.Success<ReturnType<typeof makeWorld>>

/** A test of a bridge with a session that has just started in it. */
const bridged = (name: string, test: (world: World) => Effect.fn.Return<void, unknown, Scope.Scope>) =>
  effect(name, function* () {
    const world = yield* makeWorld({ slack: slackSettings })
    yield* world.running(
      Effect.gen(function* () {
        world.hosts.start("one", idle("one"))
        yield* passes(1_000)
        yield* Effect.fnUntraced(test)(world)
      })
    )
  })

/** The session asks from this moment on, and that has been posted. */
const asks = Effect.fnUntraced(function* ({ hosts }: World, from: number) {
  hosts.tell("one", { state: "needs_permission", since: iso(from), question })
  yield* passes(3_000)
})

const answered = Effect.fnUntraced(function* ({ hosts }: World, at: number) {
  hosts.tell("one", { state: "running", since: iso(at), question: null })
  yield* passes(1_000)
})

const threadOf = ({ slack }: World) => slack.messages[0]!.time

describe("the bridge to Slack", () => {
  bridged("has a thread for each session, in which it tells what the session does", function* (world) {
    const { hosts, slack } = world
    hosts.start("two", idle("two"))
    yield* passes(1_000)
    for (const tag of ["one", "two"]) {
      hosts.tell(tag, { state: "running", since: iso(3_000) })
      yield* passes(500)
      hosts.tell(tag, { state: "idle", since: iso(3_500), lastResponse: `the answer of ${tag}` })
      yield* passes(500)
    }
    hosts.end("two", { state: "exited", since: iso(5_000), exit: { code: 3, signal: null } })
    yield* passes(1_000)
    const roots = slack.messages.filter(({ thread }) => thread === null)
    assert.lengthOf(roots, 2)
    for (const [n, tag] of ["one", "two"].entries()) {
      const own = slack.messages.filter(({ thread }) => thread === roots[n]?.time)
      const text = JSON.stringify(own)
      assert.include(text, `the answer of ${tag}`)
      assert.strictEqual(own.length, tag === "one" ? 2 : 3)
    }
    assert.include(JSON.stringify(slack.find("two has ended")), "exit code 3")
  })

  const openDialog = (name: string, test: (world: World) => Effect.fn.Return<void, unknown, Scope.Scope>) =>
    effect(name, function* () {
      const world = yield* makeWorld({ webhooks: [webhook("first")] })
      yield* world.running(
        Effect.gen(function* () {
          world.hosts.start("one", idle("one"))
          world.hosts.start("two", idle("two"))
          yield* passes(1_000)
          world.hosts.tell("two", { state: "needs_permission", since: iso(1_500), question })
          yield* passes(2_000)
          world.hosts.tell("two", { state: "running", since: iso(3_500), question: null })
          yield* asks(world, 4_000)
          yield* Effect.fnUntraced(test)(world)
        })
      )
    })
  /** The settings are these now. */
  const set = Effect.fnUntraced(function* ({ settings }: World, change: Partial<OutSettings>) {
    yield* SubscriptionRef.update(settings, (before) => ({ ...before, ...change }))
    yield* passes(2_000)
  })
  const dialogs = ({ slack }: World) => slack.messages.filter((one) => JSON.stringify(one).includes("Write notes.md?"))

  openDialog("is told of the dialogs that are open when it is added or has another channel, once", function* (world) {
    const { hosts, slack } = world
    yield* set(world, { slack: slackSettings })
    assert.lengthOf(dialogs(world), 1)
    slack.press("Write notes.md?", "Yes")
    yield* passes(1_000)
    assert.deepStrictEqual(each(hosts.answers, "tag"), ["one"])
    yield* set(world, { slack: { ...slackSettings, users: ["U01"] } })
    assert.lengthOf(dialogs(world), 1, "the same channel has it")
    yield* set(world, { slack: { ...slackSettings, channel: "C02" } })
    assert.lengthOf(dialogs(world), 2)
    yield* answered(world, 60_000)
    const before = slack.messages.length
    yield* set(world, { slack: null })
    yield* set(world, { slack: slackSettings })
    assert.lengthOf(slack.messages, before, "what is over is not told again")
  })

  openDialog("as is a new webhook, in order before what comes; the others are told nothing again", function* (world) {
    const { webhooks } = world
    const before = webhooks.types("first").length
    yield* set(world, { webhooks: [webhook("first"), webhook("second")] })
    assert.deepStrictEqual(webhooks.types("second"), ["dialog.opened", "session.needs"])
    assert.lengthOf(webhooks.types("first"), before)
    yield* answered(world, 60_000)
    assert.deepStrictEqual(webhooks.types("second"), [
      "dialog.opened",
      "session.needs",
      "session.state",
      "dialog.closed",
      "session.needs"
    ])
    const numbers = webhooks.posts.flatMap(({ body, name }) => (name === "second" ? [body.sequence] : []))
    assert.deepStrictEqual(
      numbers,
      numbers.toSorted((a, b) => a - b)
    )
  })

  bridged("queues what is replied in a session's thread for that session, once", function* (world) {
    const { hosts, slack } = world
    const time = slack.reply(threadOf(world), "go on with <b>")
    slack.reply(threadOf(world), "go on with <b>", { time })
    slack.reply(threadOf(world), "and then rest")
    yield* passes(1_000)
    assert.deepStrictEqual(rowsOf(hosts.sent, "tag", "text"), [
      ["one", "go on with <b>"],
      ["one", "and then rest"]
    ])
    assert.match(hosts.sent[0]!.id, /^[A-Za-z0-9][A-Za-z0-9_-]{3,63}$/)
    assert.lengthOf(slack.reactions, 2)
    assert.lengthOf(slack.acknowledged, 3)
  })

  bridged(
    "takes nothing from those who are not allowed to, elsewhere, or in a thread that is no session's",
    function* (world) {
      const { hosts, slack } = world
      yield* asks(world, 2_000)
      slack.reply(threadOf(world), "rm -rf", { user: "U99" })
      slack.reply(threadOf(world), "rm -rf again", { user: "U99" })
      slack.reply("99.0", "rm -rf")
      slack.reply(threadOf(world), "rm -rf", { channel: "C99" })
      slack.press("Write notes.md?", "Yes", { user: "U99" })
      yield* passes(2_000)
      assert.deepStrictEqual(hosts.sent, [])
      assert.deepStrictEqual(hosts.answers, [])
      const told = slack.messages.filter(({ only }) => only === "U99").map((one) => JSON.stringify(one))
      assert.lengthOf(told, 2)
      assert.include(told.join("\n"), "not among those who may write")
      assert.include(told.join("\n"), "not among those who may answer")
      assert.lengthOf(slack.acknowledged, 5)
    }
  )

  bridged("tells in the thread what could not be queued, and why", function* (world) {
    const { hosts, slack } = world
    hosts.refuse("one", "the queue is full")
    slack.reply(threadOf(world), "go on")
    yield* passes(1_000)
    const found = slack.find("This was not queued: the queue is full")
    assert.strictEqual(found.thread, threadOf(world))
    hosts.end("one", { state: "exited", since: iso(4_000), exit: { code: 0, signal: null } })
    yield* passes(1_000)
    slack.reply(threadOf(world), "go on")
    yield* passes(2_000)
    assert.include(JSON.stringify(slack.find("has ended; ")), "This was not queued")
    assert.deepStrictEqual(slack.reactions, [])
  })

  bridged("queues a text without its file, and says of each what became of it", function* (world) {
    const { hosts, slack } = world
    const time = slack.reply(threadOf(world), "what is on it?", { more: ["a.png", "b.png"] })
    slack.reply(threadOf(world), " ", { more: ["c.png"] })
    slack.reply(threadOf(world), "")
    yield* passes(1_000)
    assert.deepStrictEqual(each(hosts.sent, "text"), ["what is on it?"])
    assert.deepStrictEqual(slack.reactions, [time])
    assert.strictEqual(slack.find("queued without a.png, b.png").thread, threadOf(world))
    assert.strictEqual(slack.find("This was not queued: it has no text but c.png").thread, threadOf(world))
    slack.find("This was not queued: it has no text;")
  })

  bridged(
    "changes in the queue what is edited or deleted while it waits there, and says when it cannot",
    function* (world) {
      const { hosts, slack } = world
      const thread = threadOf(world)
      const time = slack.reply(thread, "frist")
      slack.edit(thread, time, "first")
      slack.edit(thread, time, "not mine", "U99")
      yield* passes(1_000)
      assert.deepStrictEqual(each(hosts.sent, "text"), ["first"])
      assert.lengthOf(slack.reactions, 2)
      slack.delete(thread, time)
      yield* passes(1_000)
      assert.deepStrictEqual(hosts.sent, [])
      assert.strictEqual(slack.find("is out of the queue").thread, thread)
      // it is gone by now, as if it had been typed
      slack.edit(thread, time, "first of all")
      slack.delete(thread, time)
      yield* passes(1_000)
      slack.find("This edit changed nothing in the queue: it is not in the queue")
      slack.find("This was deleted here alone: it is not in the queue")
    }
  )

  bridged(
    "answers the dialog that is open with a text that is replied as an answer, and with no other",
    function* (world) {
      const { hosts, slack } = world
      slack.reply(threadOf(world), "!a too early")
      yield* passes(1_000)
      assert.include(JSON.stringify(slack.messages.at(-1)), "Nothing was answered: 'one' shows no dialog")
      yield* asks(world, 2_000)
      const time = slack.reply(threadOf(world), "!a by way of the README")
      slack.reply(threadOf(world), "!answer is no command")
      slack.reply(threadOf(world), "!a from a stranger", { user: "U09" })
      yield* passes(1_000)
      assert.deepStrictEqual(hosts.answers, [{ tag: "one", answer: "by way of the README", title: "Write notes.md?" }])
      assert.strictEqual(slack.reactions[0], time)
      assert.deepStrictEqual(each(hosts.sent, "text"), ["!answer is no command"])
    }
  )

  effect("has threads for those sessions alone that its settings name", function* () {
    const world = yield* makeWorld({
      slack: { ...slackSettings, tags: ["o*", "three"] },
      webhooks: [{ ...webhook("some"), tags: ["two"] }, webhook("all")]
    })
    yield* world.running(
      Effect.gen(function* () {
        for (const tag of ["one", "two", "three", "threefold"]) world.hosts.start(tag, idle(tag))
        yield* passes(2_000)
      })
    )
    const text = JSON.stringify(world.slack.messages)
    assert.deepStrictEqual(
      ["one", "two", "three", "threefold"].filter((tag) => text.includes(`"${tag} (`)),
      ["one", "three"]
    )
    const told = (name: string) => {
      const own = world.webhooks.posts.filter((one) => one.name === name)
      return [...new Set(own.map(({ body }) => body.session?.tag ?? ""))].toSorted((a, b) => (a < b ? -1 : 1))
    }
    assert.deepStrictEqual([told("some"), told("all")], [["two"], ["one", "three", "threefold", "two"]])
  })

  bridged("answers a dialog by its buttons, for the dialog that they are under", function* (world) {
    const { hosts, slack } = world
    yield* asks(world, 2_000)
    slack.press("Write notes.md?", "No")
    yield* passes(1_000)
    assert.deepStrictEqual(hosts.answers, [{ tag: "one", answer: "2", title: "Write notes.md?" }])
    const text = JSON.stringify(slack.find("Write notes.md?").message)
    assert.include(text, "Answered: 2. No")
    assert.include(text, "<@U01>")
    assert.notInclude(text, "button")
    yield* answered(world, 6_000)
    assert.include(JSON.stringify(slack.find("Write notes.md?").message), "Answered: 2. No")
  })

  bridged(
    "answers once: pressed again, by another, or sent again by Slack, it does nothing and says so",
    function* (world) {
      const { hosts, slack } = world
      yield* asks(world, 2_000)
      const pressAgain = slack.press("Write notes.md?", "Yes", { again: true })
      yield* passes(500)
      pressAgain()
      yield* passes(500)
      assert.lengthOf(hosts.answers, 1)
      const told = slack.messages.filter(({ only }) => only === "U01")
      assert.lengthOf(told, 1)
      assert.include(JSON.stringify(told), "Nothing was answered: it was already (1. Yes)")
    }
  )

  bridged("answers no dialog that is gone, nor another one in its place", function* (world) {
    const { hosts, slack } = world
    yield* asks(world, 2_000)
    const pressLate = slack.press("Write notes.md?", "Yes", { held: true })
    yield* answered(world, 6_000)
    const over = JSON.stringify(slack.find("Write notes.md?").message)
    assert.include(over, "It is over")
    assert.notInclude(over, "button")
    // the very same question once more
    yield* asks(world, 8_000)
    assert.lengthOf(
      slack.messages.filter(({ message }) => JSON.stringify(message).includes("Write notes.md?")),
      2
    )
    const [first] = slack.messages.filter(({ message }) => JSON.stringify(message).includes("It is over"))
    assert.isDefined(first)
    pressLate()
    yield* passes(1_000)
    assert.deepStrictEqual(hosts.answers, [])
    assert.include(JSON.stringify(slack.messages.filter(({ only }) => only === "U01")), "not there any more")
  })

  bridged("says that a dialog is not there any more to who presses its button late", function* (world) {
    const { hosts, slack } = world
    yield* asks(world, 2_000)
    // Slack does not show yet that it is over
    slack.fail((call) => (call === "update" ? down : null))
    yield* answered(world, 6_000)
    slack.press("Write notes.md?", "Yes")
    yield* passes(1_000)
    assert.deepStrictEqual(hosts.answers, [])
    assert.include(JSON.stringify(slack.messages.filter(({ only }) => only === "U01")), "not there any more")
    slack.fail(() => null)
    yield* passes(20_000, 1_000)
    assert.notInclude(JSON.stringify(slack.find("Write notes.md?").message), "button")
  })

  bridged("tells in the thread when an answer could not be given, and takes another one then", function* (world) {
    const { hosts, slack } = world
    yield* asks(world, 2_000)
    hosts.refuse("one", "its keys did not arrive")
    const pressAgain = slack.press("Write notes.md?", "Yes")
    yield* passes(1_000)
    assert.strictEqual(slack.find("Nothing was answered: its keys did not arrive").thread, threadOf(world))
    hosts.refuse("one", null)
    pressAgain()
    yield* passes(1_000)
    assert.lengthOf(hosts.answers, 1)
  })

  bridged("loses nothing when Slack is down for an hour, and tells it in order afterwards", function* (world) {
    const { hosts, notes, slack } = world
    slack.fail(() => down)
    slack.close()
    const before = slack.messages.length
    const said: Array<string> = []
    for (let n = 0; n < 12; n++) {
      const at = 2_000 + n * 300_000
      hosts.tell("one", { state: "running", since: iso(at) })
      yield* passes(500)
      said.push(`answer number ${n}`)
      hosts.tell("one", { state: "idle", since: iso(at + 500), lastResponse: `answer number ${n}` })
      yield* passes(300_000, 25_000)
    }
    yield* asks(world, 3_700_000)
    assert.lengthOf(slack.messages, before)
    assert.isBelow(slack.attempts(), 100)
    assert.lengthOf(
      notes.filter((note) => note.includes("events wait until")),
      1
    )
    slack.fail(() => null)
    yield* passes(420_000, 25_000)
    const told = slack.told().slice(before)
    assert.deepStrictEqual(
      told.slice(0, 12).map((text) => /answer number \d+/.exec(text)?.[0]),
      said
    )
    assert.include(told[12] ?? "", "Write notes.md?")
    assert.lengthOf(told, 13)
    // and people are heard again
    slack.press("Write notes.md?", "Yes")
    yield* passes(1_000)
    assert.lengthOf(hosts.answers, 1)
    assert.include(notes.join("\n"), "Slack: what is done there arrives again")
  })

  bridged("waits as long as Slack asks for", function* (world) {
    const { hosts, slack } = world
    const before = slack.messages.length
    let left = 1
    slack.fail((call) => (call === "post" && left-- > 0 ? limited(60) : null))
    for (const [n, answer] of ["first", "second"].entries()) {
      hosts.tell("one", { state: "running", since: iso(2_000 + n * 1_000) })
      yield* passes(500)
      hosts.tell("one", { state: "idle", since: iso(2_500 + n * 1_000), lastResponse: answer })
      yield* passes(500)
    }
    yield* passes(55_000, 1_000)
    assert.lengthOf(slack.messages, before)
    yield* passes(10_000, 1_000)
    const told = slack.told().slice(before)
    assert.include(told[0] ?? "", "first")
    assert.include(told[1] ?? "", "second")
  })

  bridged("reads its tokens again when Slack takes them for wrong, and goes on", function* (world) {
    const { hosts, notes, slack } = world
    const wrong = new SlackError({
      kind: "refused",
      why: "it answered invalid_auth",
      code: "invalid_auth",
      afterMs: null
    })
    const before = slack.opens()
    let left = 3
    slack.fail((call) => (call === "post" && left-- > 0 ? wrong : null))
    hosts.tell("one", { state: "running", since: iso(2_000) })
    yield* passes(500)
    hosts.tell("one", { state: "idle", since: iso(2_500), lastResponse: "the answer" })
    yield* passes(20_000, 1_000)
    assert.strictEqual(slack.opens(), before + 3)
    assert.isTrue(slack.has("the answer"))
    assert.include(notes.join("\n"), "Slack: it answered invalid_auth; events wait until it takes them")
    slack.fail((call) => (call === "listen" ? wrong : null))
    slack.close()
    yield* passes(5_000)
    assert.isAbove(slack.opens(), before + 3)
  })

  bridged("listens anew when the connection is closed, and goes on with what was under way", function* (world) {
    const { hosts, slack } = world
    yield* asks(world, 2_000)
    assert.strictEqual(slack.listening(), 1)
    slack.reply(threadOf(world), "said just before")
    slack.close()
    yield* passes(3_000)
    assert.strictEqual(slack.listening(), 1)
    slack.press("Write notes.md?", "Yes")
    yield* passes(1_000)
    assert.lengthOf(hosts.sent, 1)
    assert.lengthOf(hosts.answers, 1)
  })

  effect("goes on in the same threads after a restart, with the dialogs that are open", function* () {
    const world = yield* makeWorld({ slack: slackSettings })
    const { hosts, slack } = world
    yield* world.running(
      Effect.gen(function* () {
        hosts.start("one", idle("one"))
        yield* passes(1_000)
        yield* asks(world, 2_000)
      })
    )
    const before = slack.messages.length
    yield* world.running(
      Effect.gen(function* () {
        yield* passes(2_000)
        assert.lengthOf(slack.messages, before)
        slack.reply(threadOf(world), "go on")
        slack.press("Write notes.md?", "Yes")
        yield* passes(1_000)
        assert.lengthOf(hosts.sent, 1)
        assert.lengthOf(hosts.answers, 1)
        yield* answered(world, 9_000)
        assert.notInclude(JSON.stringify(slack.find("Write notes.md?").message), "button")
      })
    )
  })

  bridged(
    "begins another thread where the first one is gone, and forgets that of a session that is forgotten",
    function* (world) {
      const { hosts, slack } = world
      const gone = new SlackError({ kind: "refused", why: "it answered", code: "thread_not_found", afterMs: null })
      let left = 1
      slack.fail((call) => (call === "post" && left-- > 0 ? gone : null))
      hosts.tell("one", { state: "running", since: iso(2_000) })
      yield* passes(500)
      hosts.tell("one", { state: "idle", since: iso(2_500), lastResponse: "the answer" })
      yield* passes(1_000)
      const roots = () => slack.messages.filter(({ thread }) => thread === null)
      assert.lengthOf(roots(), 2)
      assert.strictEqual(slack.find("the answer").thread, roots()[1]?.time)
      hosts.end("one", { state: "exited", since: iso(4_000), exit: { code: 0, signal: null } })
      yield* passes(1_000)
      hosts.forget("one")
      yield* passes(1_000)
      const thread = slack.find("was forgotten").thread
      slack.reply(thread ?? "", "anybody there?")
      yield* passes(1_000)
      const answers = () => slack.messages.filter((message) => JSON.stringify(message).includes("was not queued"))
      assert.deepStrictEqual(each(answers(), "thread"), [thread])
      assert.include(JSON.stringify(answers()), "session 'one' was forgotten")
      hosts.start("one", { ...idle("one"), startedAt: iso(9_000), since: iso(9_000) })
      yield* passes(1_000)
      assert.lengthOf(roots(), 3)
      slack.reply(thread ?? "", "and now?")
      slack.reply("a thread of others", "not for leap")
      yield* passes(1_000)
      assert.deepStrictEqual([hosts.sent, answers().length], [[], 2], "what is of another of that name is not its")
      slack.reply(roots()[2]?.time ?? "", "hello")
      yield* passes(1_000)
      assert.lengthOf(hosts.sent, 1)
    }
  )
})
