import { assert, describe, it } from "@effect/vitest"
import { Result, Schema } from "effect"
import * as Arbitrary from "effect/Arbitrary"
import * as Queue from "../../../../src/domain/engine/queue/Queue.ts"
import type { Signal } from "../../../../src/domain/words/session/Signal.ts"
import { wholeMachine } from "../../../support/brains.ts"
import { isThorough, propertyTimeout } from "../../../support/run/thorough.ts"
import { failed, minute, statusOf } from "../../../support/session/failures.ts"
import { calm, CalmSpell, holdsLaw, PatientSpell } from "../../../support/session/weatherLife.ts"
import { SimulatedHost } from "../../../support/SimulatedHost.ts"
import { each } from "../../../support/data/fields.ts"

/** A session with four messages, over a world that the test makes. */
const session = (weather: (now: number, prompt: string) => Signal | null) => {
  const host = new SimulatedHost(wholeMachine, (cli) => {
    cli.weather = weather
  })
  host.run(5_000)
  for (const id of ["a", "b", "c", "d"]) host.add(id, `message ${id}`)
  return host
}
const prompts = (host: SimulatedHost) => host.allPrompts().map(({ text }) => text.slice(-1))
const answers = (host: SimulatedHost) => host.cli.answered.map(({ text }) => text.slice(-1))
const statuses = (host: SimulatedHost) => ["a", "b", "c", "d"].map((id) => statusOf(host.queue, id))

describe("a queue in bad weather", () => {
  it.each(["context", "model", "auth", "unknown"] as const)(
    "uses up no message where the human has to act (%s), and goes on in order with their word",
    (kind) => {
      let isBad = false
      const host = session((_, prompt) => (isBad && prompt.length > 0 ? failed(kind) : null))
      host.run(3_000)
      isBad = true
      host.run(240 * minute)
      assert.deepStrictEqual(prompts(host), ["a", "b"])
      assert.deepStrictEqual(statuses(host), ["done", "held, failed", "held", "held"])
      assert.match(host.why, /messages wait for your word/)
      host.add("e", "message e")
      host.run(minute)
      assert.strictEqual(host.status("e"), "held", "what is sent meanwhile waits too")
      isBad = false
      host.change(Queue.retry(host.queue, null, host.now))
      host.run(minute)
      assert.deepStrictEqual(answers(host), ["a", "b", "c", "d", "e"])
    }
  )

  it.each([
    ["clear", (queue: Queue.QueueState, at: number) => Result.succeed(Queue.clear(queue, at))],
    ["remove", (queue: Queue.QueueState, at: number) => Queue.remove(queue, "a", at)],
    ["release", (queue: Queue.QueueState, at: number) => Queue.release(queue, null, at)]
  ] as const)("takes '%s' for the human's word: what is sent then goes out", (_, operation) => {
    let isBad = true
    const host = session(() => (isBad ? failed("unknown") : null))
    host.run(10 * minute)
    assert.deepStrictEqual(prompts(host), ["a"])
    isBad = false
    host.change(operation(host.queue, host.now))
    host.add("e", "message e")
    host.run(minute)
    assert.include(answers(host), "e")
  })

  it("tries at once where the human says so, also while only time is waited for, and after their own prompt failed", () => {
    let isBad = true
    const host = new SimulatedHost(wholeMachine, (cli) => {
      cli.weather = () => (isBad ? failed("rate_limited", 600 * minute) : null)
    })
    host.run(5_000)
    for (const key of ["mine", "\r"]) host.press(key)
    host.run(10_000)
    host.add("a", "message a")
    host.run(minute)
    assert.deepStrictEqual(answers(host), [])
    isBad = false
    host.change(Queue.release(host.queue, null, host.now))
    host.run(minute)
    assert.deepStrictEqual(answers(host), ["a"])
  })

  it("goes on by itself where the human mends the session, and is answered there", () => {
    let isFull = true
    const host = session((_, prompt) => (isFull && prompt !== "mine" ? failed("model") : null))
    host.run(10 * minute)
    assert.deepStrictEqual(prompts(host), ["a"])
    isFull = false
    for (const key of ["mine", "\r"]) host.press(key)
    host.run(minute)
    assert.deepStrictEqual(each(host.cli.answered, "text"), [
      "mine",
      "message a",
      "message b",
      "message c",
      "message d"
    ])
  })

  it("tries one message after 1, 2, 4, 8 minutes while the world fails, and then all", () => {
    let isBad = true
    const host = session(() => (isBad ? failed("network") : null))
    host.run(20 * minute)
    assert.deepStrictEqual(prompts(host), ["a", "a", "a", "a", "a"])
    const at = host.allPrompts().map(({ at }) => Math.round(at / minute))
    assert.deepStrictEqual(
      at.map((moment) => moment - (at[0] ?? 0)),
      [0, 1, 3, 7, 15]
    )
    assert.match(host.why, /the service cannot be reached; the next message is tried at/)
    isBad = false
    host.run(30 * minute)
    assert.deepStrictEqual(answers(host), ["a", "b", "c", "d"])
  })

  it("waits for a limit's end, and asks for it again with one message where that was told wrong", () => {
    let end = Infinity
    const host = session((now) => (now < end ? failed("rate_limited", 90 * minute) : null))
    host.run(89 * minute)
    assert.deepStrictEqual(prompts(host), ["a"])
    end = 94 * minute
    host.run(60 * minute)
    assert.deepStrictEqual(prompts(host), ["a", "a", "a", "a", "b", "c", "d"])
    assert.deepStrictEqual(answers(host), ["a", "b", "c", "d"])
  })

  it("finishes a message that is refused, and holds the next where that is refused too", () => {
    const host = session((_, prompt) => (prompt.endsWith("a") || prompt.endsWith("c") ? failed("refused") : null))
    host.run(10 * minute)
    assert.deepStrictEqual(answers(host), ["b", "d"])
    assert.deepStrictEqual(statuses(host), ["done, failed", "done", "done, failed", "done"])
    const all = session(() => failed("refused"))
    all.run(60 * minute)
    assert.deepStrictEqual(prompts(all), ["a", "b"])
    assert.deepStrictEqual(statuses(all), ["done, failed", "held, failed", "held", "held"])
  })

  const limitEnd = 60 * minute
  const selfContinuing = () => {
    const host = session((now) => (now < limitEnd ? failed("rate_limited", limitEnd) : null))
    host.run(30_000)
    assert.deepStrictEqual(prompts(host), ["a"])
    host.cli.say("at 1:57pm")
    host.run(limitEnd - host.now + 2 * minute)
    assert.deepStrictEqual(prompts(host), ["a"], "nothing goes out beside it")
    return host
  }

  it("types nothing beside a CLI that goes on by itself after its limit, and does not send its message again", () => {
    const host = selfContinuing()
    host.cli.goOn()
    host.run(5 * minute)
    assert.deepStrictEqual(each(host.cli.answered, "text"), ["continue", "message b", "message c", "message d"])
    assert.deepStrictEqual(statuses(host), ["done", "done", "done", "done"])
  })

  it("goes on with its message where the CLI does not go on as it said, or the user stops that", () => {
    const never = selfContinuing()
    never.run(10 * minute)
    assert.deepStrictEqual(answers(never), ["a", "b", "c", "d"])
    const stopped = selfContinuing()
    stopped.cli.say(null)
    stopped.run(minute)
    assert.deepStrictEqual(answers(stopped), ["a", "b", "c", "d"])
  })

  it("learns late why a turn failed, and does as if it had known", () => {
    const host = session(() => failed("unknown"))
    let told = false
    host.run(2_500)
    while (!told) {
      host.run(10)
      if (Queue.find(host.queue, "a")?.message.outcome !== "failed") continue
      told = true
      host.tell({ _tag: "Signal", at: host.now, source: "hook", signal: failed("overloaded") })
    }
    host.run(1_000)
    assert.deepStrictEqual(statuses(host), ["queued, failed", "queued", "queued", "queued"])
    host.cli.weather = () => null
    host.run(2 * minute)
    assert.deepStrictEqual(answers(host), ["a", "b", "c", "d"])
  })
})

it.prop(
  "whatever the weather: each message is answered once, or is in the queue with its reason; all goes in order",
  [Arbitrary.array(Arbitrary.schema(CalmSpell), { minLength: 4, maxLength: 12 }), Arbitrary.schema(Schema.Boolean)],
  ([spells, works]) => holdsLaw(spells.map(calm), false, { works: works ? 2 : 0 }),
  { arbitrary: { runs: isThorough ? 2000 : 60 }, timeout: propertyTimeout }
)

it.prop(
  "where only the world fails, or a limit is met: each message is answered once, in order, without a word of the user's",
  [Arbitrary.array(Arbitrary.schema(PatientSpell), { minLength: 3, maxLength: 10 })],
  ([spells]) => holdsLaw(spells.map(calm), false, { alone: true }),
  { arbitrary: { runs: isThorough ? 2000 : 60 }, timeout: propertyTimeout }
)
