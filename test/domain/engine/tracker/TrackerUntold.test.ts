import { assert, describe, it } from "@effect/vitest"
import type { Problem } from "../../../../src/domain/words/session/Session.ts"
import {
  dialog,
  frame,
  keys,
  nothing,
  picker,
  play,
  signal,
  started,
  type Trace,
  working,
  t
} from "../../../support/session/trace.ts"

/** A CLI of hooks and a screen, which has no word of its own for what it does at every moment. */
const tells = { ...nothing, turnHooks: true }
const at = (trace: Trace, until: number) => play(trace, until, { tells }).view
const rest = frame({ resting: true })
const busy = working({ resting: false })
const refused = (problem: Problem | null) => signal({ _tag: "RequestFailed", problem, message: "401" }, "hook failed")
const auth: Problem = { kind: "auth", message: "Incorrect API key", until: null }
const turn: Trace = [[0, rest], t(5, started()), [5.1, busy]]

describe("a turn whose end no hook tells", () => {
  it("is over soon after the screen says that nothing works", () => {
    const trace: Trace = [...turn, [8, rest]]
    assert.deepStrictEqual([at(trace, 8.7).state, at(trace, 9).state], ["running", "idle"])
    assert.strictEqual(
      at([t(0, frame()), t(5, started()), t(5.1, working()), t(8, frame())], 9).state,
      "running",
      "a screen that cannot say so is given longer"
    )
  })

  it("is over although a draft is in the box", () => {
    const drafted = frame({ box: { draft: "half a thought" }, resting: true })
    assert.strictEqual(at([...turn, [8, drafted]], 9).state, "idle")
  })

  it("does not go on when a picker is opened", () => {
    assert.strictEqual(at([...turn, [8, rest], t(12, picker)], 13).state, "idle")
  })
})

describe("a request that failed", () => {
  const failed: Trace = [...turn, [7, refused(auth)]]
  it("is no end while the CLI tries again, and no problem once it works", () => {
    assert.deepStrictEqual([at(failed, 8).state, at(failed, 8).problem], ["running", null])
    const again: Trace = [...failed, t(8, signal({ _tag: "ToolStarted", tool: "x", id: null, agent: null })), [9, rest]]
    assert.isNull(at(again, 20).problem)
  })

  it("is one too where no kind of problem names it", () => {
    const over: Trace = [...turn, [7, refused(null)], [8, rest]]
    assert.deepStrictEqual([at(over, 8.4).state, at(over, 60).problem?.kind], ["idle", "unknown"])
  })
})

describe("what the screen says in words", () => {
  it("a missing login is a problem, and a refused prompt no turn", () => {
    const out = frame({ resting: true, loggedOut: true })
    const trace: Trace = [
      [0, out],
      t(5, frame({ box: { draft: "hello" }, resting: true, loggedOut: true })),
      t(6, keys("enter")),
      [6.1, out]
    ]
    const { problem, ready, state } = at(trace, 6.2)
    assert.deepStrictEqual([state, problem?.kind, ready], ["idle", "auth", false])
    assert.isFalse(at(trace, 600).ready)
  })

  it("a session is not ready before the screen says that it rests", () => {
    assert.isFalse(at([t(0, frame({ resting: false }))], 60).ready)
    assert.isTrue(at([[0, rest]], 60).ready)
  })
})

describe("a dialog that an interrupt key only declines", () => {
  const asked = (declines: boolean): Trace => [
    ...turn,
    t(7, dialog({ kind: "question", ...(declines ? { declines } : {}) })),
    t(10, keys("escape")),
    [10.2, busy],
    [11.1, rest]
  ]
  it("leaves no turn interrupted", () => {
    assert.deepStrictEqual([at(asked(true), 13).state, at(asked(false), 13).state], ["idle", "interrupted"])
  })
})

describe("Enter on a choice that takes a text", () => {
  const options = (open: boolean) => [
    { number: 1, label: "Yes", selected: false },
    { number: 2, label: "No, and say why", selected: true, ...(open ? { open } : {}) }
  ]
  const trace = (open: boolean): Trace => [...turn, t(7, dialog({ options: options(open) })), t(10, keys("enter"))]
  it("does not answer the dialog", () => {
    assert.deepStrictEqual([at(trace(true), 10.5).state, at(trace(false), 10.5).state], ["needs_permission", "running"])
  })
})

describe("compaction", () => {
  it("is over when the screen has shown it and rests, with no hook for its end", () => {
    const trace: Trace = [[0, rest], t(5, signal({ _tag: "CompactStarted" })), [5.1, busy], [9, rest]]
    assert.deepStrictEqual([at(trace, 8.9).state, at(trace, 9.5).state], ["running", "idle"])
  })
})
