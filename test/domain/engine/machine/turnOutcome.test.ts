import { assert, describe, it } from "@effect/vitest"
import { Schema } from "effect"
import * as Arbitrary from "effect/Arbitrary"
import { demoInput } from "../../../../src/domain/providers/demo/Input.ts"
import { holds } from "../delivery/waits.ts"
import { DemoSession } from "../../../support/session/DemoSession.ts"
import { noLags } from "../../../support/session/SimulatedDemo.ts"
import { isThorough, propertyTimeout } from "../../../support/run/thorough.ts"

const rested = (reports = true): DemoSession => {
  const session = new DemoSession(reports)
  session.run(3000)
  return session
}

describe("the outcome of a message's turn", () => {
  it("is its own, where the user has typed ahead of its failure", () => {
    const session = rested()
    session.add("a", "do a fail")
    session.run(1000)
    session.press("typed by the user\r")
    session.run(20_000)
    assert.deepStrictEqual(session.demo.endsOf("do a fail"), ["turn_failed"])
    assert.deepStrictEqual(session.demo.endsOf("typed by the user"), ["turn_ended"])
    assert.strictEqual(session.outcome("a"), "failed")
  })

  it("is said as soon as the prompt that was typed ahead begins, and not when that is over", () => {
    const session = rested()
    session.add("a", "do a fail")
    session.run(1000)
    session.press("long\r")
    session.run(3000)
    assert.strictEqual(session.outcome("a"), "failed")
    assert.strictEqual(session.state, "running")
  })

  it.each([
    ["fail", "", "failed", "completed"],
    ["", "fail", "completed", "failed"]
  ])("is its own, where a message was forced behind it (%s, %s)", (first, second, ofFirst, ofSecond) => {
    const session = rested()
    session.add("a", `do a ${first}`)
    session.run(1000)
    session.add("b", `do b ${second}`, true)
    session.run(20_000)
    assert.deepStrictEqual([session.outcome("a"), session.outcome("b")], [ofFirst, ofSecond])
  })

  it("is its own, where the hook that told of the failure before it comes late", () => {
    const session = rested()
    session.add("a", "do a fail")
    session.add("b", "do b")
    session.demo.lags.hookRead = 1900
    session.run(20_000)
    // what is behind a failure that is not understood waits for the human
    assert.deepStrictEqual([session.outcome("a"), session.outcome("b")], ["failed", "held"])
    session.release()
    session.run(20_000)
    assert.deepStrictEqual([session.outcome("a"), session.outcome("b")], ["failed", "held"])
    session.release("b")
    session.run(20_000)
    assert.deepStrictEqual([session.outcome("a"), session.outcome("b")], ["failed", "completed"])
  })

  it("is not said by the time alone: what a stopped host has not read may tell another", () => {
    const session = rested()
    session.add("a", "do a fail")
    // its prompt's hook is read, its output not
    while (session.message("a")?.status !== "typed") session.run(10)
    session.demo.lags.output = 4000
    session.run(300)
    assert.strictEqual(session.outcome("a"), "started")
    session.demo.stopHost(9000)
    session.run(8999)
    session.run(1, false)
    assert.strictEqual(session.outcome("a"), "failed")
  })

  it.each([
    ["that is waited for", 4_000, "started"],
    ["in vain for a while, and is told late", 9_000, "done"]
  ] as const)("is not said before the hook that tells it, where no program status does, %s", (_, late, meanwhile) => {
    const session = rested(false)
    session.add("a", "do a fail")
    while (!session.demo.endsOf("do a fail").includes("turn_failed")) {
      session.run(10)
      // the failure's own hook
      if (session.outcome("a") === "started") session.demo.lags.hookStart = late
    }
    session.run(late - 1_000)
    assert.strictEqual(session.outcome("a"), meanwhile)
    session.run(3_000)
    assert.strictEqual(session.outcome("a"), "failed")
    assert.match(session.message("a")?.why ?? "", /^its turn failed: the scripted model failed/)
  })

  it("is that of the failure, where the CLI rests and then closes the turn like any other", () => {
    const session = rested()
    session.add("a", "do a fail")
    session.run(1000)
    // the screen still shows work
    session.demo.lags.look = 1000
    session.run(500)
    session.tell({
      _tag: "Signal",
      at: session.demo.now,
      source: "hook Stop",
      signal: { _tag: "TurnEnded", response: null, background: null }
    })
    session.run(5000)
    assert.deepStrictEqual(session.demo.endsOf("do a fail"), ["turn_failed"])
    assert.strictEqual(session.outcome("a"), "failed")
  })
})

describe("how a session's last turn ended", () => {
  const told = ({ lastTurn }: DemoSession) => (lastTurn === null ? [] : [lastTurn.outcome, lastTurn.why])

  it("is told for the user's own prompts too, and not while a turn runs", () => {
    const session = rested()
    session.press("fail\r")
    session.run(200)
    assert.deepStrictEqual(told(session), [])
    session.run(10_000)
    assert.deepStrictEqual(told(session), ["failed", "the scripted model failed, as it was asked to"])
    session.press("do it\r")
    session.run(1000)
    assert.deepStrictEqual(told(session), [])
    session.run(10_000)
    assert.deepStrictEqual(told(session), ["completed", null])
    session.press("long\r")
    session.run(2000)
    session.press("\x1b")
    session.run(3000)
    assert.deepStrictEqual(told(session), ["interrupted", null])
  })

  it("is not told before the hook that tells it, where no program status does", () => {
    const session = rested(false)
    session.press("fail\r")
    while (session.demo.lastEnd === null) {
      session.run(10)
      if (session.state === "running") session.demo.lags.hookStart = 4000
    }
    session.run(3000)
    assert.strictEqual(session.state, "idle")
    assert.deepStrictEqual(told(session), [])
    session.run(5000)
    assert.strictEqual(told(session)[0], "failed")
  })
})

const int = (maximum: number) => Schema.Int.check(Schema.isBetween({ minimum: 0, maximum }))
const Op = Schema.Struct({
  what: Schema.Literals(["add", "add", "add", "stopCli", "stopHost", "lag", "lag", "type", "escape", "choose", "wait"]),
  text: Schema.Literals(["", "tool 1", "fail", "fail", "background 1", "background 2", "flood 30", "ask me"]),
  force: int(5),
  late: Schema.Boolean,
  by: Schema.Literals([15, 100, 1500]),
  share: int(99),
  span: Schema.Literals([200, 1500, 4000])
})
type Op = typeof Op.Type

const play = (ops: ReadonlyArray<Op>) => {
  const session = rested()
  const { demo } = session
  let state = 0
  session.watch = ({ delivery, tracker }) => {
    assert.strictEqual(delivery.evidence.view, tracker.view, "leap's own keys are seen with the step that writes them")
    if (state++ % 11 === 0) holds(delivery, tracker.view, demoInput)
  }
  const texts = new Map<string, string>()
  for (const [n, { by, force, late, share, span, text, what }] of ops.entries()) {
    const part = (of: number) => Math.floor((of * share) / 100)
    switch (what) {
      case "add": {
        const id = `m${n}.`
        if (session.add(id, `do ${id} ${text}`.trim(), force === 0)) texts.set(id, `do ${id} ${text}`.trim())
        break
      }
      case "stopCli":
        demo.stopCli(part(6000))
        break
      case "stopHost":
        demo.stopHost(part(8000))
        break
      case "lag":
        Object.assign(demo.lags, {
          ...noLags,
          [["output", "look", "hookStart", "hookRead", "hookEnd"][n % 5]!]: 1 + part(by)
        })
        break
      case "type":
        if (!demo.hasDialog) session.press(`typed ${n}.\r`)
        break
      case "escape":
        if (force === 0) session.press("\x1b")
        break
      case "choose":
        if (demo.hasDialog) session.press("1")
    }
    session.run(part(span), late)
  }
  Object.assign(demo.lags, noLags)
  for (let round = 0; round < 12; round++) {
    session.run(5000)
    if (demo.hasDialog) session.press("1")
  }
  return { session, texts }
}

const turns = { completed: "turn_ended", failed: "turn_failed" } as const

it.prop(
  "whatever comes late, and whatever else is sent: a turn that failed is never told as completed, nor the other way round",
  [Arbitrary.array(Arbitrary.schema(Op), { minLength: 30, maxLength: 50 })],
  ([ops]) => {
    const { session, texts } = play(ops)
    const last = session.demo.lastEnd
    const said = session.lastTurn?.outcome
    if (last === "turn_failed") assert.notStrictEqual(said, "completed", "the last turn failed")
    if (last === "turn_ended") assert.notStrictEqual(said, "failed", "the last turn completed")
    for (const [id, text] of texts) {
      const said = session.outcome(id)
      const ends = session.demo.endsOf(text)
      // one that was stopped while its end was being told has both
      const others = { completed: "turn_failed", failed: "turn_ended" } as const
      if (said === "completed" || said === "failed")
        assert.isTrue(
          ends.includes(turns[said]) || !ends.includes(others[said]),
          `${text}: told as ${said}, and it was ${ends.join(", ")}`
        )
    }
  },
  { arbitrary: { runs: isThorough ? 200 : 25, seed: "leap" }, timeout: propertyTimeout }
)
