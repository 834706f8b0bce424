import { assert, describe, it } from "@effect/vitest"
import { Schema } from "effect"
import * as Arbitrary from "effect/Arbitrary"
import { isThorough, propertyTimeout } from "../../../support/run/thorough.ts"
import { AloneSession } from "../../../support/session/AloneSession.ts"
import { demoInput } from "../../../../src/domain/providers/demo/Input.ts"
import { holds } from "./waits.ts"
import { DemoSession } from "../../../support/session/DemoSession.ts"
import { noLags } from "../../../support/session/SimulatedDemo.ts"
import { draft, frame, keys, type Step } from "../../../support/session/trace.ts"

/** A session whose CLI has asked a question, and lost it to an interrupt before it reads the answer. */
const interrupted = (before: (session: DemoSession) => void = () => {}) => {
  const session = new DemoSession()
  session.run(3000)
  before(session)
  session.add("a", "ask me")
  session.run(2500)
  assert.isTrue(session.demo.hasDialog)
  session.interrupt()
  session.answer("1")
  return session
}

describe("an answer that comes too late for its dialog", () => {
  it("is taken out of the box, and the session is free again", () => {
    const session = interrupted()
    session.run(500)
    assert.strictEqual(session.demo.draft, "1")
    session.run(5000)
    assert.strictEqual(session.demo.draft, "")
    session.add("b", "do b", true)
    session.run(10_000)
    assert.strictEqual(session.outcome("b"), "completed")
  })

  it("is taken out though it was repeated, and by the user's own interrupt key", () => {
    const session = interrupted()
    session.answer("1")
    session.run(500)
    assert.strictEqual(session.demo.draft, "11")
    session.run(5000)
    assert.strictEqual(session.demo.draft, "")
  })

  it("stays where the user has typed since, whatever that was", () => {
    const session = interrupted()
    session.run(500)
    session.press("1")
    session.run(20_000)
    assert.strictEqual(session.demo.draft, "11")
  })

  it("stays where a key of the user's is on its way as it is to be taken out", () => {
    const session = interrupted()
    for (let waited = 0; !session.isHolding && waited < 5000; waited++) session.run(1)
    assert.isTrue(session.isHolding)
    // past the gate already, and heard of only now
    session.demo.write("x", "user")
    session.tell({ _tag: "Input", at: session.demo.now, keys: ["text"], by: "user" })
    session.run(20_000)
    assert.strictEqual(session.demo.draft, "1x")
    assert.isFalse(session.isHolding)
  })

  it("is not what the user had typed before the dialog came, nor what was put back into the box", () => {
    const typed = new DemoSession()
    typed.run(3000)
    typed.add("a", "tool 1 ask me")
    typed.run(1500)
    typed.press("1")
    typed.run(2500)
    assert.isTrue(typed.demo.hasDialog)
    typed.answer("1")
    typed.run(10_000)
    assert.strictEqual(typed.demo.draft, "1")
    typed.press("\x15")
    typed.run(3000)
    typed.put("1")
    typed.run(10_000)
    assert.strictEqual(typed.demo.draft, "1")
  })

  it("is not a prompt that the CLI gives back", () => {
    const session = new DemoSession()
    session.run(3000)
    session.add("a", "ask me long")
    session.run(2500)
    session.answer("1")
    session.run(100)
    session.add("b", "1", true)
    session.run(1000)
    session.interrupt()
    session.run(200)
    const { draft } = session.demo
    session.run(10_000)
    assert.strictEqual(draft, "1")
    assert.strictEqual(session.demo.draft, "1")
  })
})

describe("an answer in the box", () => {
  const answered = (text = "1"): Step => ({ _tag: "Input", keys: ["text"], by: "leap", answer: text })
  /** Whether the box was cleared. `before`: what happened before the answer; `since`: and behind it. */
  const isTaken = (before: (session: AloneSession) => void, since: (session: AloneSession) => void): boolean => {
    const session = new AloneSession()
    before(session)
    session.tell(answered())
    since(session)
    session.tell(draft("1"))
    session.run(5_000)
    return session.purposes.includes("clear")
  }
  const nothing = () => {}

  it("is taken out", () => {
    assert.isTrue(isTaken(nothing, nothing))
  })

  it("may be a key of the user's that the box has not shown yet", () => {
    const typed = (wait: number) => (session: AloneSession) => {
      session.tell(keys("text"))
      session.run(wait)
      session.tell(frame())
    }
    assert.isFalse(isTaken(nothing, typed(1_900)))
    assert.isTrue(isTaken(nothing, typed(2_000)))
  })

  it("is not one that was taken long ago", () => {
    const passes = (wait: number) => (session: AloneSession) => {
      session.run(wait)
      session.tell(frame())
    }
    assert.isTrue(isTaken(nothing, passes(29_000)))
    assert.isFalse(isTaken(nothing, passes(30_000)))
  })

  it("may be the user's prompt, which the CLI gives back and has not told of", () => {
    const prompted = (session: AloneSession) => {
      session.tell(keys("text", "enter"))
      session.run(3_000)
      session.tell(frame())
    }
    assert.isFalse(isTaken(prompted, nothing))
  })

  it("stays there while a turn runs", () => {
    const session = new AloneSession()
    session.tell(answered())
    session.sees("running", draft("1"))
    session.run(5_000)
    assert.deepStrictEqual(session.purposes, [])
    session.sees("idle", draft("1"))
    session.run(5_000)
    assert.deepStrictEqual(session.purposes, ["clear"])
  })
})

const int = (maximum: number) => Schema.Int.check(Schema.isBetween({ minimum: 0, maximum }))
const Op = Schema.Struct({
  what: Schema.Literals(["ask", "answer", "answer", "key", "put", "interrupt", "escape", "lag", "stopCli", "wait"]),
  late: Schema.Boolean,
  share: int(99),
  span: Schema.Literals([30, 300, 2500, 8000])
})

it.prop(
  "no key of the user's is ever taken out of the box, however like an answer it is",
  [Arbitrary.array(Arbitrary.schema(Op), { minLength: 20, maxLength: 40 })],
  ([ops]) => {
    const session = new DemoSession()
    const { demo } = session
    session.run(3000)
    let state = 0
    session.watch = ({ delivery, tracker }) => {
      if (state++ % 11 === 0) holds(delivery, tracker.view, demoInput)
    }
    for (const [n, { late, share, span, what }] of ops.entries()) {
      const part = (of: number) => Math.floor((of * share) / 100)
      switch (what) {
        case "ask":
          session.add(`m${n}`, "ask me")
          break
        case "answer":
          // as the host does: only while its last frame shows a dialog
          if (session.showsDialog) session.answer("1")
          break
        case "key":
          session.press("1")
          break
        case "put":
          if (!session.showsDialog) session.put("1")
          break
        case "interrupt":
          session.interrupt()
          break
        case "escape":
          session.press("\x1b")
          break
        case "lag":
          Object.assign(demo.lags, { ...noLags, [share % 2 === 0 ? "output" : "look"]: 1 + part(500) })
          break
        case "stopCli":
          demo.stopCli(part(5000))
      }
      session.run(part(span), late)
    }
    session.run(20_000)
    assert.deepStrictEqual(demo.lost, [])
    assert.isFalse(session.isHolding)
  },
  { arbitrary: { runs: isThorough ? 1000 : 100, seed: "leap" }, timeout: propertyTimeout }
)
