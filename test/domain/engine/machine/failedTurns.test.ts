import { assert, describe, it } from "@effect/vitest"
import * as Queue from "../../../../src/domain/engine/queue/Queue.ts"
import type { Signal } from "../../../../src/domain/words/session/Signal.ts"
import type { StatusReport } from "../../../../src/domain/words/session/ProgramStatus.ts"
import { holdLeftovers } from "../../../../src/domain/engine/queue/Leftovers.ts"
import { cutOffIn } from "../../../../src/domain/engine/continuation/LimitContinuation.ts"
import { machineWith } from "../../../support/brains.ts"
import { failed, minute, statusOf } from "../../../support/session/failures.ts"
import { SimulatedHost } from "../../../support/SimulatedHost.ts"

type Weather = (now: number, prompt: string) => Signal | null

/** A session over a world that the test makes, and may make anew. */
const session = (weather: Weather, brain = machineWith({}), source = "startup") => {
  const world = { weather }
  const host = new SimulatedHost(brain, (cli) => {
    cli.weather = (now, prompt) => world.weather(now, prompt)
    cli.source = source
  })
  host.run(5_000)
  return { host, world }
}
/** One whose message met a limit, after which the CLI says that it goes on by itself; then the world is well again. */
const goingOn = () => {
  const { host, world } = session(limited)
  send(host, "a")
  host.run(30_000)
  host.cli.say("at 1:57pm")
  host.run(minute)
  world.weather = () => null
  return host
}

const send = (host: SimulatedHost, ids: string) => {
  for (const id of ids) host.add(id, `message ${id}`)
}
const prompt = (host: SimulatedHost, text: string) => {
  for (const key of [text, "\r"]) host.press(key)
  host.run(minute)
}
const prompts = (host: SimulatedHost) => host.allPrompts().map(({ text }) => text)
const answers = (host: SimulatedHost) => host.cli.answered.map(({ text }) => text)
/** Runs until the message has been put back, or away, since its turn failed. */
const runToFailure = (host: SimulatedHost, id: string) => {
  while (Queue.find(host.queue, id)?.message.outcome !== "failed") host.run(10)
}
const hear = (host: SimulatedHost, signal: Signal) =>
  host.tell({ _tag: "Signal", at: host.now, source: "hook", signal })
const limitEnd = 60 * minute
const limited: Weather = (now) => (now < limitEnd ? failed("rate_limited", limitEnd) : null)

describe("what goes on after a limit", () => {
  it("goes on with what the limit cut off, and with nothing that failed for another reason before", () => {
    const { host, world } = session(() => failed("unknown"), machineWith({ modes: { night: "on" } }))
    send(host, "a")
    host.run(minute)
    world.weather = () => null
    prompt(host, "mine")
    world.weather = limited
    host.add("b", "message b")
    host.run(120 * minute)
    assert.deepStrictEqual(answers(host), ["mine", "continue"])
    assert.deepStrictEqual(
      ["a", "b"].map((id) => statusOf(host.queue, id)),
      ["held, failed", "done"]
    )
    assert.strictEqual(Queue.find(host.queue, "b")?.message.why, "its turn went on after the limit")
  })

  it("does not go on with what was tried again since, and failed for another reason", () => {
    const { host, world } = session(limited, machineWith({ modes: { night: "on" } }))
    send(host, "a")
    host.run(minute)
    world.weather = () => failed("unknown")
    host.change(Queue.retry(host.queue, null, host.now))
    host.run(minute)
    world.weather = limited
    prompt(host, "mine")
    host.run(120 * minute)
    assert.deepStrictEqual(answers(host), ["continue"])
    assert.strictEqual(statusOf(host.queue, "a"), "held, failed")
  })

  it("is the CLI itself only where leap sends nothing: a message that is answered says nothing of another", () => {
    const { host } = session(limited)
    send(host, "a")
    host.run(30_000)
    host.add("f", "message f", { force: true })
    host.run(30_000)
    host.cli.say("at 1:57pm")
    host.run(limitEnd - host.now + 20 * minute)
    assert.deepStrictEqual(answers(host), ["message a", "message f"])
  })

  it("is not the user's own prompt, though the CLI still says that it goes on", () => {
    const host = goingOn()
    prompt(host, "mine")
    host.cli.say(null)
    host.run(120 * minute)
    assert.deepStrictEqual(answers(host), ["mine", "message a"])
  })

  it("is not a turn of background work, beside which the CLI still says that it goes on", () => {
    const host = goingOn()
    host.cli.ownTurn()
    host.run(minute)
    host.cli.say(null)
    host.run(10_000)
    assert.include(answers(host), "message a")
  })

  it("is said while it is waited for, also behind the limit's end; what is forced goes all the same", () => {
    const { host } = session(limited)
    send(host, "a")
    host.run(30_000)
    host.cli.say("at 1:57pm")
    host.run(limitEnd - host.now + 2 * minute)
    assert.match(host.why, /not ready: .*; the CLI goes on by itself at 1:57pm/)
    host.add("f", "message f", { force: true })
    host.run(4_000)
    assert.deepStrictEqual(answers(host), ["message f"])
  })

  it("is not the user's own prompt, at which the CLI takes back that it goes on", () => {
    const host = goingOn()
    host.press("mine")
    host.press("\r")
    host.cli.say(null)
    host.run(120 * minute)
    assert.deepStrictEqual(answers(host), ["mine", "message a"])
  })

  it("is not background work behind a continuation that was cancelled", () => {
    const { host, world } = session(limited)
    send(host, "a")
    host.run(30_000)
    host.cli.say("at 1:57pm")
    host.run(minute)
    host.cli.say(null)
    host.run(minute)
    world.weather = () => null
    host.cli.ownTurn()
    host.run(120 * minute)
    assert.deepStrictEqual(answers(host), ["", "message a"])
  })

  it("goes on with what the limit cut off, whatever else has failed since", () => {
    const { host, world } = session(limited)
    send(host, "a")
    host.run(minute)
    world.weather = () => failed("unknown")
    host.add("f", "message f", { force: true })
    host.run(30_000)
    host.cli.say("at 1:57pm")
    host.run(minute)
    world.weather = () => null
    host.cli.goOn()
    host.run(10 * minute)
    assert.strictEqual(Queue.find(host.queue, "a")?.message.why, "its turn went on after the limit")
    assert.strictEqual(statusOf(host.queue, "f"), "held, failed")
  })

  it("goes on with what leap itself had sent to go on, where that was cut off and is held", () => {
    const { host, world } = session(limited, machineWith({ modes: { night: "on" } }))
    send(host, "a")
    host.run(minute)
    world.weather = (now) => (now < 2 * limitEnd ? failed("rate_limited", 2 * limitEnd) : null)
    host.run(limitEnd)
    const own = host.queue.entries.find(({ message }) => message.night === true)?.message.id ?? ""
    assert.strictEqual(statusOf(host.queue, own), "queued, failed")
    host.change(Queue.hold(host.queue, own, host.now, { _tag: "HeldByUser" }))
    host.cli.say("at 3:57pm")
    host.run(2 * limitEnd - host.now)
    host.cli.goOn()
    host.run(10 * minute)
    assert.deepStrictEqual(answers(host), ["continue"])
    assert.deepStrictEqual([statusOf(host.queue, "a"), statusOf(host.queue, own)], ["done", "done"])
  })

  it("goes on with what the limit cut off under an earlier host of the conversation", () => {
    const before = session(limited)
    send(before.host, "ab")
    before.host.run(minute)
    const stored = before.host.queue
    const queue = Queue.replayLog(holdLeftovers(stored, before.host.now), stored)
    const limit = { since: before.host.now, end: limitEnd }
    assert.deepStrictEqual(cutOffIn(stored), ["a"])
    const { host } = session(
      limited,
      (at) => machineWith({ modes: { night: "on" }, limit, cutOff: cutOffIn(stored) })(at, queue),
      "resume"
    )
    host.run(120 * minute)
    assert.deepStrictEqual(answers(host), ["continue"])
    assert.deepStrictEqual(
      ["a", "b"].map((id) => statusOf(host.queue, id)),
      ["done", "held"]
    )
  })

  it("is not the conversation that was cleared", () => {
    const { host } = session(limited, machineWith({ modes: { night: "on" } }))
    send(host, "a")
    host.run(minute)
    hear(host, { _tag: "SessionStarted", source: "clear", sessionId: "other", transcriptPath: null })
    host.run(120 * minute)
    assert.include(answers(host), "message a")
  })
})

describe("a conversation that was compacted", () => {
  it("is not empty: what is too long for it is not too long by itself", () => {
    const { host, world } = session(() => null)
    send(host, "a")
    host.run(minute)
    hear(host, { _tag: "CompactEnded" })
    world.weather = () => failed("context")
    send(host, "b")
    host.run(minute)
    assert.strictEqual(statusOf(host.queue, "b"), "held, failed")
  })

  it("is the one that the limit cut off", () => {
    const { host } = session(limited, machineWith({ modes: { night: "on" } }))
    send(host, "a")
    host.run(minute)
    hear(host, { _tag: "CompactEnded" })
    host.run(120 * minute)
    assert.deepStrictEqual(answers(host), ["continue"])
    assert.strictEqual(statusOf(host.queue, "a"), "done")
  })
})

it("what waits for the user to log in goes out as soon as the CLI says it no more", () => {
  const { host, world } = session(() => failed("auth"))
  host.cli.logOut(true)
  send(host, "ab")
  host.change(Queue.force(host.queue, "a", host.now))
  host.run(minute)
  assert.deepStrictEqual(
    ["a", "b"].map((id) => statusOf(host.queue, id)),
    ["held, failed", "held"]
  )
  world.weather = () => null
  // the row makes room for another for a moment
  host.cli.logOut(false)
  host.run(3_000)
  host.cli.logOut(true)
  host.run(minute)
  assert.deepStrictEqual(prompts(host), ["message a"])
  host.cli.logOut(false)
  host.run(minute)
  assert.deepStrictEqual(answers(host), ["message a", "message b"])
})

it("what is forced on a CLI whose screen alone says that it wants a login, and said so before, was not answered", () => {
  const host = new SimulatedHost(machineWith({}), (cli) => {
    cli.hooks = false
  })
  host.cli.logOut(true)
  host.run(10_000)
  send(host, "a")
  host.change(Queue.force(host.queue, "a", host.now))
  host.run(minute)
  assert.deepStrictEqual([prompts(host), statusOf(host.queue, "a")], [["message a"], "held, failed"])
})

it("the end of a turn that no hook tells is waited for once: the next one's is not, before hooks call again", () => {
  const { host } = session(() => null)
  host.cli.hooks = false
  const late: Array<number> = []
  const turn = (id: string) => {
    send(host, id)
    while (host.status(id) !== "done") host.run(10)
    late.push(host.now - (host.cli.answered.at(-1)?.at ?? 0))
  }
  turn("a")
  turn("b")
  // hooks that call again are awake: what they told too late of a slow moment is no reason to trust silence for good
  hear(host, { _tag: "SessionStarted", source: "turn", sessionId: null, transcriptPath: null })
  turn("c")
  host.cli.hooks = true
  turn("d")
  host.cli.hooks = false
  turn("e")
  assert.deepStrictEqual(
    late.map((span) => span > 4_000),
    [true, false, true, false, true],
    late.join()
  )
})

describe("an answer", () => {
  it.each([false, true])(
    "lets go what waits behind a failure that is not understood, if it is that message's: %s",
    (isIts) => {
      const { host, world } = session(() => failed("unknown"))
      send(host, "ab")
      host.run(minute)
      world.weather = () => null
      if (isIts) host.change(Queue.force(host.queue, "a", host.now))
      else prompt(host, "mine")
      host.run(minute)
      assert.deepStrictEqual(answers(host), isIts ? ["message a", "message b"] : ["mine"])
      assert.strictEqual(statusOf(host.queue, "b"), isIts ? "done" : "held")
    }
  )
})

describe("a turn that goes on behind an end that the CLI has told", () => {
  it.each([
    ["the next is not typed ahead", "ab", false],
    ["the next is typed ahead of its end", "ab", true]
  ] as const)("is the message's still, whose failure is told last: %s", (_, ids, force) => {
    const { host, world } = session(() => failed("network"))
    host.cli.nudges = 2
    for (const id of ids) host.add(id, `message ${id}`, { force })
    host.run(15_000)
    assert.deepStrictEqual(answers(host), [])
    assert.deepStrictEqual(
      [...ids].map((id) => statusOf(host.queue, id)),
      force ? ["queued, failed", "queued, failed"] : ["queued, failed", "queued"]
    )
    world.weather = () => null
    host.run(10 * minute)
    assert.deepStrictEqual(answers(host), ["message a", "message b"])
  })
})

it.each([
  ["of other words", ["message a", "message b"]],
  ["of nearly the same words", ["mend the first test", "mend the second test"]]
] as const)("is known where its hooks come later than the next message went, %s", (_, [first, second]) => {
  const { host, world } = session(() => null)
  send(host, "0")
  host.run(30_000)
  world.weather = () => failed("network")
  host.cli.hookDelay = 11_000
  host.add("a", first)
  for (let n = 0; n < 200 && statusOf(host.queue, "a") !== "done"; n++) host.run(50)
  world.weather = () => null
  host.add("b", second, { force: true })
  host.run(2_000)
  // the second is under way, and nothing has been told of the first
  assert.deepStrictEqual([statusOf(host.queue, "a"), statusOf(host.queue, "b")], ["done", "started"])
  host.run(10 * minute)
  assert.deepStrictEqual(answers(host), ["message 0", second, first])
})

it("is waited for although what the turn before failed of still stands", () => {
  const { host, world } = session(() => failed("overloaded"))
  send(host, "a")
  host.run(4_000)
  assert.strictEqual(statusOf(host.queue, "a"), "queued, failed")
  host.cli.hookDelay = 3_000
  world.weather = () => null
  host.change(Queue.retry(host.queue, null, host.now))
  host.run(minute)
  assert.deepStrictEqual(
    host.log.flatMap((record) => (record._tag === "StatusChanged" && record.status === "done" ? [record.outcome] : [])),
    ["completed"]
  )
})

it("the user's word to try again also lets go what waits behind, whatever turns have failed since", () => {
  const { host, world } = session(() => failed("unknown"))
  send(host, "ab")
  host.run(minute)
  world.weather = () => failed("network")
  prompt(host, "mine")
  host.run(minute)
  assert.deepStrictEqual([statusOf(host.queue, "a"), statusOf(host.queue, "b")], ["held, failed", "held"])
  world.weather = () => null
  assert.isTrue(host.change(Queue.retry(host.queue, null, host.now)))
  host.run(minute)
  assert.deepStrictEqual(answers(host), ["message a", "message b"])
})

it("no other failure is a limit that cut a message off", () => {
  const { host } = session(() => failed("network"))
  send(host, "a")
  host.run(30_000)
  assert.strictEqual(statusOf(host.queue, "a"), "queued, failed")
  assert.deepStrictEqual(cutOffIn(host.queue), [])
})

describe("what is held because of a failure that is not understood", () => {
  const held = (host: SimulatedHost) => ["a", "b"].map((id) => statusOf(host.queue, id))

  it.each(["network", "rate_limited"] as const)("stays held where another turn fails of what time ends: %s", (kind) => {
    const { host, world } = session(() => failed("unknown"))
    send(host, "ab")
    host.run(minute)
    assert.deepStrictEqual(held(host), ["held, failed", "held"])
    world.weather = () => failed(kind, kind === "network" ? null : host.now + 10 * minute)
    prompt(host, "mine")
    host.run(minute)
    assert.deepStrictEqual(held(host), ["held, failed", "held"])
    host.add("f", "message f", { force: true })
    host.run(minute)
    world.weather = () => null
    host.run(120 * minute)
    assert.deepStrictEqual(held(host), ["held, failed", "held"])
    assert.deepStrictEqual(answers(host), ["message f"])
  })

  it("is waited for still where that is understood: what is sent is held too", () => {
    const { host, world } = session(() => failed("auth"))
    send(host, "ab")
    host.run(minute)
    world.weather = () => failed("network")
    host.add("f", "message f", { force: true })
    host.run(120 * minute)
    assert.deepStrictEqual(held(host), ["held, failed", "held"])
    assert.strictEqual(statusOf(host.queue, "f"), "held, failed")
    assert.match(host.why, /the account is refused .*; messages wait for your word/)
  })

  it("goes with the message itself, once that fails of what time ends", () => {
    const { host, world } = session(() => failed("unknown"))
    send(host, "ab")
    host.run(minute)
    world.weather = () => failed("network")
    host.change(Queue.force(host.queue, "a", host.now))
    host.run(30_000)
    assert.deepStrictEqual(held(host), ["queued, failed", "queued"])
  })

  it("says for what it is held once that is known", () => {
    const { host } = session((_, text) => (text.endsWith("a") ? failed("unknown") : null))
    send(host, "ab")
    runToFailure(host, "a")
    host.run(100)
    const why = () => Queue.find(host.queue, "b")?.message.why
    assert.strictEqual(why(), "it waits behind a turn that failed")
    hear(host, failed("auth"))
    host.run(1_000)
    assert.match(why() ?? "", /^it waits behind a turn that failed: the account is refused/)
  })
})

describe("a failure of which more is told later", () => {
  it.each(["refused", "overloaded"] as const)("lets go what was held behind it, where it is %s", (kind) => {
    const { host, world } = session((_, text) => (text.endsWith("b") ? failed("unknown") : null))
    send(host, "abcd")
    runToFailure(host, "b")
    host.run(100)
    assert.strictEqual(host.status("d"), "held")
    hear(host, failed(kind))
    world.weather = () => null
    host.run(5 * minute)
    const others = ["message a", "message c", "message d"]
    assert.deepStrictEqual(answers(host), kind === "refused" ? others : others.toSpliced(1, 0, "message b"))
    assert.strictEqual(statusOf(host.queue, "b"), kind === "refused" ? "done, failed" : "done")
  })

  it.each(["overloaded", "unknown"] as const)("was none, where its turn goes on to its end: %s", (kind) => {
    const { host } = session((_, text) => (text.endsWith("b") ? failed(kind) : null))
    send(host, "abcd")
    runToFailure(host, "b")
    host.run(100)
    hear(host, { _tag: "ToolStarted", tool: "Bash", id: null, agent: null })
    host.run(3_000)
    hear(host, { _tag: "TurnEnded", response: "done", background: null })
    host.run(5 * minute)
    assert.deepStrictEqual(prompts(host), ["message a", "message b", "message c", "message d"])
    assert.strictEqual(Queue.find(host.queue, "b")?.message.outcome, "completed")
  })

  it("stays one where a subagent works on, and the turn is closed", () => {
    const { host } = session((_, text) => (text.endsWith("a") ? failed("unknown") : null))
    send(host, "a")
    runToFailure(host, "a")
    host.run(100)
    hear(host, { _tag: "ToolStarted", tool: "Bash", id: null, agent: "explorer" })
    host.run(3_000)
    hear(host, { _tag: "TurnEnded", response: "done", background: null })
    host.run(minute)
    assert.strictEqual(statusOf(host.queue, "a"), "held, failed")
  })

  it("says nothing of its message where the user has put that back since", () => {
    const { host, world } = session(() => failed("unknown"))
    send(host, "a")
    runToFailure(host, "a")
    host.press("x")
    host.run(2_000)
    host.change(Queue.retry(host.queue, "a", host.now))
    hear(host, failed("refused"))
    host.run(2_000)
    world.weather = () => null
    host.press("\u0015")
    host.run(5 * minute)
    assert.deepStrictEqual(answers(host), ["message a"])
    assert.strictEqual(statusOf(host.queue, "a"), "done")
  })

  it("is not that of the next turn, of which the CLI tells late", () => {
    const { host, world } = session(() => failed("model"))
    send(host, "ab")
    host.run(minute)
    world.weather = () => null
    host.cli.hookDelay = 3_000
    host.change(Queue.retry(host.queue, null, host.now))
    host.run(minute)
    assert.deepStrictEqual(prompts(host), ["message a", "message a", "message b"])
  })

  it("is not that of a message that was typed ahead, and whose own turn is answered behind it", () => {
    const { host, world } = session((_, text) => (text.endsWith("a") ? failed("overloaded") : null))
    send(host, "a")
    host.run(800)
    host.add("b", "message b", { force: true })
    host.run(10_000)
    world.weather = () => null
    host.run(5 * minute)
    assert.deepStrictEqual(
      answers(host).filter((text) => text === "message b"),
      ["message b"]
    )
  })

  it("is not that of a message that was forced behind it at rest, whose own end is never told", () => {
    const { host } = session((_, text) => (text.endsWith("a") ? failed("network") : null))
    host.cli.hookDelay = 3_000
    send(host, "a")
    host.run(1_000)
    while (!host.cli.isIdle) host.run(10)
    host.run(300)
    host.add("b", "message b", { force: true })
    while (host.cli.isIdle) host.run(10)
    // from now on no hook calls but those that are on their way
    Reflect.set(host.cli, "signal", () => {})
    host.run(30_000)
    assert.strictEqual(answers(host).filter((text) => text === "message b").length, 1)
    assert.notStrictEqual(Queue.find(host.queue, "b")?.message.outcome, "failed")
  })

  it("is that of a message that was typed ahead, though the end before it was told behind its beginning", () => {
    const { host } = session((_, text) => (text.endsWith("b") ? failed("network") : null))
    send(host, "a")
    host.run(800)
    host.add("b", "message b", { force: true })
    host.run(2_200)
    for (const key of ["mine", "\r"]) host.press(key)
    host.run(5_000)
    assert.notStrictEqual(Queue.find(host.queue, "b")?.message.outcome, "completed")
  })

  it("is not that of a prompt of the user's of which the CLI tells the work, and not the beginning", () => {
    const { host, world } = session(() => failed("unknown"))
    send(host, "a")
    host.run(minute)
    world.weather = () => null
    host.cli.tellsPrompts = false
    host.press("mine")
    host.press("\r")
    host.run(1_000)
    hear(host, { _tag: "ToolStarted", tool: "Bash", id: null, agent: null })
    host.run(minute)
    assert.deepStrictEqual(answers(host), ["mine"])
    assert.strictEqual(statusOf(host.queue, "a"), "held, failed")
  })

  it("lets nothing go out before it is told why the user's own prompt failed", () => {
    const { host, world } = session((_, text) => (text === "mine" ? failed("unknown") : null))
    host.press("mine")
    host.press("\r")
    host.run(500)
    send(host, "b")
    while (!host.cli.isIdle) host.run(10)
    world.weather = limited
    host.run(900)
    hear(host, failed("rate_limited", limitEnd))
    host.run(10 * minute)
    assert.deepStrictEqual(prompts(host), ["mine"])
  })

  it("is one failure however often it is told", () => {
    const { host } = session(() => failed("network"))
    send(host, "a")
    runToFailure(host, "a")
    for (let times = 0; times < 5; times++) {
      hear(host, failed("network"))
      host.run(8_000)
    }
    host.run(2 * minute)
    const [first = 0, second = 0] = host.allPrompts().map(({ at }) => at)
    assert.closeTo(second - first, minute, 10_000)
  })
})

describe("a message that was typed ahead of a turn's end", () => {
  // what the CLI tells first is the end of what was sent first
  const cases = ["", "a", "b", "ab"].flatMap((fails) =>
    [300, 800].flatMap((sent) => [true, false].map((tells) => ({ fails, sent, tells })))
  )
  it.each(cases)("has its own end, and leaves the other its: $fails fails, sent at $sent, told: $tells", (of) => {
    const { host, world } = session((_, text) => (of.fails.includes(text.at(-1) ?? " ") ? failed("network") : null))
    host.cli.tellsPrompts = of.tells
    send(host, "a")
    host.run(of.sent + 600)
    host.add("b", "message b", { force: true })
    host.run(12_000)
    const outcome = (id: string) => Queue.find(host.queue, id)?.message.outcome
    assert.deepStrictEqual(
      ["a", "b"].map(outcome),
      ["a", "b"].map((id) => (of.fails.includes(id) ? "failed" : "completed"))
    )
    world.weather = () => null
    host.run(5 * minute)
    assert.deepStrictEqual([...answers(host)].sort(), ["message a", "message b"])
  })

  const threes = ["a", "b", "c", "ab", "ac", "bc", "abc"].flatMap((fails) =>
    [true, false].map((tells) => ({ fails, tells }))
  )
  it.each(threes)("is answered once, of three: $fails fail at first, beginnings are told: $tells", (of) => {
    const failures = new Set(of.fails)
    const { host } = session((_, text) => (failures.delete(text.at(-1) ?? "") ? failed("overloaded") : null))
    host.cli.tellsPrompts = of.tells
    host.cli.turnLength = 9_000
    for (const id of ["a", "b", "c"]) host.add(id, `message ${id}`, { force: true })
    host.run(30 * minute)
    assert.deepStrictEqual([...answers(host)].sort(), ["message a", "message b", "message c"])
  })

  it("leaves a message its failure, where it is the user's own prompt", () => {
    const { host, world } = session((_, text) => (text === "message a" ? failed("network") : null))
    send(host, "a")
    host.run(900)
    for (const key of ["mine", "\r"]) host.press(key)
    host.run(12_000)
    assert.strictEqual(statusOf(host.queue, "a"), "queued, failed")
    world.weather = () => null
    host.run(5 * minute)
    assert.deepStrictEqual(answers(host), ["mine", "message a"])
  })

  it("fails with the turn that it went into, which is one failure", () => {
    const { host } = session(() => failed("refused"))
    send(host, "a")
    host.run(800)
    host.add("b", "message b", { force: true })
    // the CLI takes it into the turn that runs
    host.run(700)
    Reflect.set(host.cli, "ahead", [])
    host.run(20_000)
    assert.deepStrictEqual(
      ["a", "b"].map((id) => statusOf(host.queue, id)),
      ["done, failed", "done, failed"]
    )
  })
})

describe("a message that waits for more than its turn", () => {
  it("is not held behind a failure before that has come", () => {
    const { host } = session(() => failed("model"))
    send(host, "a")
    const at = host.now + 5 * minute
    const when = [{ _tag: "At", at: new Date(at).toISOString() }] as const
    const { now } = host
    host.change(
      Queue.add(host.queue, { id: "t", text: "message t", at: now, images: [], front: false, force: false, when })
    )
    host.run(minute)
    assert.deepStrictEqual([host.status("a"), host.status("t")], ["held", "queued"])
    host.run(10 * minute)
    assert.strictEqual(host.status("t"), "held")
    assert.deepStrictEqual(prompts(host), ["message a"])
  })
})

describe("a failure that program status alone tells", () => {
  const reported = (state: StatusReport["state"], message: string | null = null): StatusReport => ({
    id: "",
    state,
    kind: null,
    progress: null,
    app: null,
    title: null,
    message
  })
  it.each([
    ["idle", "401 Invalid authentication credentials"],
    ["done", "401 Invalid authentication credentials"],
    ["idle", "model not found"],
    ["done", "model not found"]
  ] as const)("is not over when the CLI reports %s behind it: %s", (then, message) => {
    const { host } = session(() => null, machineWith({ programStatus: true }))
    host.cli.hooks = false
    const report = (state: StatusReport["state"], message: string | null = null) =>
      host.tell({ _tag: "Reported", at: host.now, report: reported(state, message) })
    report("idle")
    send(host, "ab")
    for (let turns = 0; turns < 10; turns++) {
      for (let waited = 0; host.allPrompts().length === turns && waited < 100; waited++) host.run(50)
      if (host.allPrompts().length === turns) break
      report("working")
      host.run(2_500)
      report("error", message)
      host.run(1_500)
      report(then)
    }
    assert.deepStrictEqual(prompts(host), ["message a"])
    assert.strictEqual(statusOf(host.queue, "a"), "held, failed")
    assert.match(host.why, /messages wait for your word/)
  })
})

describe("a limit that tells no end", () => {
  const endless: Weather = () => failed("rate_limited")
  const minutes = (host: SimulatedHost) => {
    const tries = host.allPrompts().map(({ at }) => Math.round(at / minute))
    return tries.map((at) => at - (tries[0] ?? 0))
  }
  const worked = (of: { readonly works?: boolean; readonly tellsPrompts?: boolean; readonly hookDelay?: number }) => {
    const { host, world } = session(endless)
    host.cli.works = () => of.works ?? false
    host.cli.tellsPrompts = of.tellsPrompts ?? true
    host.cli.hookDelay = of.hookDelay ?? 0
    return { host, world }
  }

  it("is tried again with one message, after growing pauses, where the model has done nothing", () => {
    const { host, world } = worked({})
    send(host, "abc")
    host.run(20 * minute)
    assert.deepStrictEqual(prompts(host), Array(5).fill("message a"))
    assert.deepStrictEqual(minutes(host), [0, 1, 3, 7, 15])
    assert.deepStrictEqual(
      ["a", "b", "c"].map((id) => statusOf(host.queue, id)),
      ["queued, failed", "queued", "queued"]
    )
    world.weather = () => null
    host.run(30 * minute)
    assert.deepStrictEqual(answers(host), ["message a", "message b", "message c"])
  })

  it.each([
    ["a tool has run", { works: true }],
    ["a tool has run, which is told late", { works: true, hookDelay: 3_000 }],
    ["its beginning is not told, so that a tool need not be either", { tellsPrompts: false }]
  ] as const)("waits for the user where %s", (_, of) => {
    const { host, world } = worked(of)
    send(host, "ab")
    host.run(minute)
    world.weather = () => null
    host.run(120 * minute)
    assert.deepStrictEqual(prompts(host), ["message a"])
    assert.deepStrictEqual([statusOf(host.queue, "a"), statusOf(host.queue, "b")], ["held, failed", "held"])
    host.change(Queue.retry(host.queue, null, host.now))
    host.run(minute)
    assert.deepStrictEqual(answers(host), ["message a", "message b"])
  })

  it.each<Signal>([
    { _tag: "ToolStarted", tool: "Bash", id: null, agent: "explorer" },
    { _tag: "ToolEnded", tool: "Bash", id: null, agent: null },
    { _tag: "ToolRan", tool: "Bash", id: null, at: 0, ok: true },
    { _tag: "Responded", text: "Let me see." },
    { _tag: "Asked", kind: "question", tool: null, message: null },
    { _tag: "ModelActed" }
  ])("waits for the user where the turn had a sign of the model: $_tag", (sign) => {
    const { host } = worked({})
    send(host, "a")
    while (host.status("a") !== "started") host.run(10)
    hear(host, sign)
    if (sign._tag === "Asked") hear(host, { _tag: "Answered" })
    host.run(30 * minute)
    assert.deepStrictEqual(prompts(host), ["message a"])
    assert.strictEqual(statusOf(host.queue, "a"), "held, failed")
  })

  it("waits for the user where a sign of the model is told behind the failure", () => {
    const { host } = worked({})
    send(host, "ab")
    runToFailure(host, "a")
    host.run(2_000)
    assert.strictEqual(statusOf(host.queue, "a"), "queued, failed")
    hear(host, { _tag: "ToolRan", tool: "Bash", id: null, at: host.now - 4_000, ok: true })
    host.run(30 * minute)
    assert.deepStrictEqual(prompts(host), ["message a"])
    assert.deepStrictEqual([statusOf(host.queue, "a"), statusOf(host.queue, "b")], ["held, failed", "held"])
  })

  it("sends nothing again that was begun, though another message or prompt fails of it before anything was done", () => {
    const { host } = worked({ works: true })
    send(host, "ab")
    host.run(minute)
    host.cli.works = () => false
    host.add("f", "message f", { force: true })
    host.run(minute)
    prompt(host, "mine")
    host.run(120 * minute)
    assert.deepStrictEqual(prompts(host), ["message a", "message f", "mine"])
    assert.deepStrictEqual(
      ["a", "b", "f"].map((id) => statusOf(host.queue, id)),
      ["held, failed", "held", "held, failed"]
    )
  })

  it.each([true, false])("is tried again behind the user's own prompt, unless a tool has run there: %s", (works) => {
    const { host } = worked({ works })
    prompt(host, "mine")
    send(host, "a")
    host.run(4 * minute)
    assert.deepStrictEqual(prompts(host), works ? ["mine"] : ["mine", "message a", "message a"])
    assert.strictEqual(statusOf(host.queue, "a"), works ? "held" : "queued, failed")
  })

  it("is tried at once where the user says so", () => {
    const { host, world } = worked({})
    send(host, "ab")
    host.run(6 * minute)
    world.weather = () => null
    host.change(Queue.retry(host.queue, null, host.now))
    host.run(30_000)
    assert.deepStrictEqual(answers(host), ["message a", "message b"])
  })
})
