import { assert, describe, it } from "@effect/vitest"
import { sessionStates, turnToCome } from "../../../../src/domain/words/session/states.ts"
import { workOver, workToCome } from "../../../../src/domain/words/session/workToCome.ts"

type Message = Parameters<typeof workToCome>[0]["queue"][number]
const queued: Message = { status: "queued" }
const waits = (...tags: ReadonlyArray<string>): Message => ({
  status: "queued",
  when: tags.map((_tag) => ({ _tag }))
})

/** In which states it is so, with this in the queue. */
const inStates = (
  is: (session: Parameters<typeof workOver>[0]) => boolean,
  more: Partial<Parameters<typeof workOver>[0]>
) => sessionStates.filter((state) => is({ queue: [], ...more, state })).join(" ")

const all = sessionStates.join(" ")
const over = "idle interrupted churning exited"

describe("what is still to come in a session", () => {
  it.each([
    { queue: [], turn: "", work: "", isOver: over },
    { queue: [{ status: "held" }, { status: "done" }], turn: "", work: "", isOver: over },
    {
      queue: [{ status: "started" }],
      turn: all.replace(" exited", ""),
      work: all.replace(" exited", ""),
      isOver: "exited"
    },
    {
      queue: [queued],
      turn: "idle",
      work: all.replace(" interrupted", "").replace(" exited", ""),
      isOver: "interrupted exited"
    },
    {
      queue: [queued],
      modes: { churn: "send" },
      turn: "idle churning",
      work: all.replace(" interrupted", "").replace(" exited", ""),
      isOver: "interrupted exited"
    },
    // two sessions may wait for each other
    { queue: [waits("Session")], turn: "", work: all.replace(" interrupted", "").replace(" exited", ""), isOver: over },
    // work of another moment
    { queue: [waits("At")], turn: "", work: "", isOver: over },
    { queue: [waits("Session", "At")], turn: "", work: "", isOver: over }
  ])("$queue", ({ isOver, turn, work, ...session }) => {
    assert.strictEqual(inStates(turnToCome, session), turn)
    assert.strictEqual(inStates(workToCome, session), work)
    assert.strictEqual(inStates(workOver, session), isOver)
  })

  it("is kept back where the user is waited for because of a failure", () => {
    const held = { queue: [{ status: "held" }] }
    assert.strictEqual(inStates(workOver, { ...held, pause: { until: null } }), "exited")
    assert.strictEqual(inStates(workOver, { ...held, pause: { until: "2026-01-01T00:00:00Z" } }), over)
  })
})
