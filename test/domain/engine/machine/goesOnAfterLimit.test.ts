import { assert, describe, it } from "@effect/vitest"
import { cutOffIn } from "../../../../src/domain/engine/continuation/LimitContinuation.ts"
import { holdLeftovers } from "../../../../src/domain/engine/queue/Leftovers.ts"
import * as Queue from "../../../../src/domain/engine/queue/Queue.ts"
import { machineWith } from "../../../support/brains.ts"
import { failed, minute, statusOf } from "../../../support/session/failures.ts"
import { SimulatedHost } from "../../../support/SimulatedHost.ts"

const limitEnd = 60 * minute
const ids = ["a", "b", "c"]

/** A session of which a message met a limit behind one that was answered (`earlier`), until the CLI is about to go on by itself; then the world is well. */
const cutOff = (programStatus: boolean, hooks: boolean, earlier = true) => {
  let isLimited = false
  const host = new SimulatedHost(machineWith({ programStatus }), (cli) => {
    cli.weather = () =>
      isLimited ? { ...failed("rate_limited", limitEnd), message: "You've hit your limit · resets 1am (UTC)" } : null
    cli.hooks = hooks
    cli.reports = programStatus
  })
  host.run(5_000)
  if (earlier) host.add("hello", "hello")
  host.run(10_000)
  isLimited = true
  host.cli.say("at 1:57pm")
  for (const id of ids) host.add(id, `message ${id}`)
  host.run(limitEnd - host.now + minute)
  host.cli.say("shortly")
  host.run(10_000)
  assert.deepStrictEqual(
    ids.map((id) => statusOf(host.queue, id)),
    ["queued, failed", "queued", "queued"]
  )
  isLimited = false
  return host
}
const answers = (host: SimulatedHost) => host.allAnswered().flatMap(({ text }) => (text === "hello" ? [] : [text]))
const isGoneOn = (host: SimulatedHost, id: string) =>
  Queue.find(host.queue, id)?.message.why === "its turn went on after the limit"

describe("a message that a limit cut off, and with which Claude goes on by itself, is not typed again", () => {
  const orders: ReadonlyArray<readonly [string, number | null]> = [
    ["its own prompt is told 0.2 s behind the row, as recorded", 200],
    ["its own prompt is told as the row goes", 0],
    ["its own prompt is told before the row goes", -100],
    ["its own prompt is told shortly before its end", 1_500],
    ["its own prompt is told behind its end", 2_500],
    ["its own prompt is not told", null]
  ]
  for (const programStatus of [true, false])
    it.each(orders)(`%s (program status: ${programStatus})`, (_, told) => {
      const host = cutOff(programStatus, true)
      host.cli.goOn(told)
      host.run(5 * minute)
      assert.deepStrictEqual(answers(host), ["continue", "message b", "message c"])
      assert.deepStrictEqual(
        ids.map((id) => statusOf(host.queue, id)),
        ["done", "done", "done"]
      )
      assert.isTrue(isGoneOn(host, "a"))
    })

  it("its end is told by the program status alone", () => {
    const host = cutOff(true, true)
    host.cli.goOn()
    host.run(1_000)
    host.cli.hooks = false
    host.run(5 * minute)
    assert.deepStrictEqual(answers(host), ["continue", "message b", "message c"])
    assert.isTrue(isGoneOn(host, "a"))
  })

  it.each([
    ["was answered", null],
    ["failed", "network"]
  ] as const)("a message was typed ahead of its end, and %s", (_, kind) => {
    const host = cutOff(false, true)
    host.cli.goOn()
    host.run(600)
    host.add("f", "message f", { force: true })
    host.run(1_000)
    assert.strictEqual(host.allPrompts().at(-1)?.text, "message f")
    host.cli.weather = (_, prompt) => (kind !== null && prompt === "message f" ? failed(kind) : null)
    host.run(30_000)
    assert.isTrue(isGoneOn(host, "a"))
    host.cli.weather = () => null
    host.run(5 * minute)
    assert.deepStrictEqual(answers(host), ["continue", "message f", "message b", "message c"])
  })

  it("the user's own prompt was typed ahead of its end", () => {
    const host = cutOff(false, true)
    host.cli.goOn()
    host.run(600)
    for (const key of ["mine", "\r"]) host.press(key)
    host.run(5 * minute)
    assert.deepStrictEqual(answers(host), ["continue", "mine", "message b", "message c"])
    assert.isTrue(isGoneOn(host, "a"))
  })

  it.each([0, 200])("its host was restarted between: its own prompt is told %s ms behind the row", (told) => {
    const before = cutOff(false, true)
    const at = before.now
    const left = Queue.replayLog(holdLeftovers(before.queue, at), before.queue)
    const host = new SimulatedHost(
      (at) => machineWith({ cutOff: cutOffIn(before.queue) })(at, left),
      (cli) => (cli.source = "resume")
    )
    host.run(2_000)
    host.cli.goOn(told)
    host.run(5 * minute)
    assert.deepStrictEqual(answers(host), ["continue"])
    assert.isTrue(isGoneOn(host, "a"))
    assert.isTrue(host.change(Queue.release(host.queue, null, host.now)))
    host.run(minute)
    assert.deepStrictEqual(answers(host), ["continue", "message b", "message c"])
  })

  it.each([true, false])("no hook tells of anything (behind a message that was answered: %s)", (earlier) => {
    const host = cutOff(true, false, earlier)
    host.cli.goOn()
    host.run(5 * minute)
    assert.deepStrictEqual(answers(host), ["continue", "message b", "message c"])
    assert.isTrue(isGoneOn(host, "a"))
  })
})

describe("a message that a limit cut off is typed again where", () => {
  it("the user stops the turn with which Claude goes on", () => {
    const host = cutOff(false, true)
    host.cli.goOn()
    host.run(1_000)
    host.cli.tellsStops = false
    host.press("\u001b")
    host.run(1_000)
    for (const key of ["mine", "\r"]) host.press(key)
    host.run(5 * minute)
    assert.deepStrictEqual(answers(host), ["mine", "message a", "message b", "message c"])
  })

  it("the user takes the continuation back before it begins, and the turn that failed was closed late", () => {
    let isLimited = true
    const host = new SimulatedHost(machineWith({}), (cli) => {
      cli.weather = () => (isLimited ? failed("rate_limited", limitEnd) : null)
      cli.failsAtOnce = cli.closes = true
      cli.transcriptDelay = 0
    })
    host.run(5_000)
    host.add("a", "message a")
    while (statusOf(host.queue, "a") !== "started") host.run(10)
    host.cli.hookDelay = 100
    host.run(1_000)
    for (const row of ["at 1:57pm", null]) {
      host.cli.say(row)
      host.run(1_000)
    }
    assert.isFalse(isGoneOn(host, "a"))
    isLimited = false
    host.run(2 * limitEnd)
    assert.deepStrictEqual(answers(host), ["message a"])
  })

  it("the user has gone on with another conversation, in which the turn behind the limit is", () => {
    const host = cutOff(false, true)
    host.tell({
      _tag: "Signal",
      at: host.now,
      source: "hook",
      signal: { _tag: "SessionStarted", source: "resume", sessionId: "other", transcriptPath: null }
    })
    host.cli.goOn()
    host.run(5 * minute)
    assert.deepStrictEqual(answers(host), ["continue", "message a", "message b", "message c"])
  })

  it("the turn with which Claude goes on meets a limit again, and the user's own prompt is answered behind that", () => {
    const host = cutOff(false, true)
    host.cli.weather = (_, prompt) => (prompt === "continue" ? failed("rate_limited", 2 * limitEnd) : null)
    host.cli.goOn()
    host.run(10_000)
    for (const key of ["mine", "\r"]) host.press(key)
    host.run(5 * minute)
    assert.deepStrictEqual(answers(host), ["mine", "message a", "message b", "message c"])
  })

  it.each<readonly [told: string, hooks: boolean, status: string]>([
    ["by hooks", true, "queued, failed"],
    // nobody says why it failed: it waits for the user's word
    ["by the program status alone", false, "held, failed"]
  ])("another limit meets another message later, told %s", (_, hooks, status) => {
    const host = cutOff(true, true)
    host.cli.goOn()
    host.run(5 * minute)
    assert.deepStrictEqual(answers(host), ["continue", "message b", "message c"])
    let isLimited = true
    host.cli.weather = () => (isLimited ? failed("rate_limited", host.now + limitEnd) : null)
    host.cli.hooks = hooks
    host.add("d", "message d")
    host.run(10 * minute)
    assert.deepStrictEqual([statusOf(host.queue, "d"), isGoneOn(host, "d")], [status, false])
    isLimited = false
    for (const key of ["mine", "\r"]) host.press(key)
    host.run(minute)
    assert.isFalse(isGoneOn(host, "d"))
    if (!hooks) assert.isTrue(host.change(Queue.release(host.queue, "d", host.now)))
    host.run(2 * limitEnd)
    assert.deepStrictEqual(answers(host), ["continue", "message b", "message c", "mine", "message d"])
  })
})
