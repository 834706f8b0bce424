import { assert, describe, it } from "@effect/vitest"
import { callCommands, type ShownFacts } from "../../../../src/domain/surfaces/operations/callCommands.ts"
import type { Proposal } from "../../../../src/domain/words/session/Proposal.ts"
import type { SessionStatus } from "../../../../src/domain/words/session/Session.ts"
import { sessionStatus } from "../../../support/data/sessionStatus.ts"

const named = (name: string) => callCommands.find((one) => one.name === name) ?? assert.fail(name)
const facts = (change: Partial<ShownFacts> = {}): ShownFacts => ({
  tag: "w",
  json: false,
  colour: false,
  columns: null,
  status: null,
  ...change
})

describe("a command whose work is a call", () => {
  const problem = { kind: "damaged", message: "a line is lost", file: "/q.damaged" } as const
  const listed = (status: Partial<SessionStatus>, change: Partial<ShownFacts> = {}) => {
    const call = { _tag: "Queue" } as const
    const done = { ...call, call, result: { queue: status.queue ?? [], recent: [] } }
    return named("queue list").shown?.(done, facts({ status: sessionStatus(status), ...change }))
  }

  it("shows a queue, and why it is empty or waits", () => {
    const document = { queue: [], recent: [], queueProblem: null, pause: null }
    assert.deepStrictEqual(listed({}), { document, text: "", notes: ["nothing waits in the queue of 'w'"] })
    assert.deepStrictEqual(listed({}, { json: true }), { document, text: "", notes: [] })
    const pause = { kind: "network", since: "2026-11-30T10:00:00.000Z", until: null, text: "a turn failed" } as const
    const paused = listed({ pause })
    assert.match(paused?.notes?.[1] ?? "", /^leap: the queue waits: a turn failed /)
    assert.deepStrictEqual(listed({ pause }, { json: true }), { document: { ...document, pause }, text: "", notes: [] })
  })

  it("says what is in the way of a message, whatever time that one has of its own", () => {
    const at = [{ _tag: "At", at: "2026-11-30T12:00:00.000Z" }] as const
    const timed = { id: "m1", text: "later", images: [], queuedAt: "2026-11-30T10:00:00.000Z", force: false, when: at }
    const queue = [{ ...timed, status: "queued", why: null }] as const
    const question = { title: "What do you want to do?", options: [] }
    const asked = { queue, question, state: "needs_input" } as const
    const note = /^leap: what is queued waits: 'demo' asks What do you want to do\? \('leap answer demo /
    assert.match(listed(asked)?.notes?.[0] ?? "", note)
    assert.match(named("queue release").then?.(sessionStatus(asked)) ?? "", note)
    const covered = { queue, dialog: true, notReady: { _tag: "Blocked", by: "picker" } } as const
    assert.deepStrictEqual(listed(covered)?.notes, [
      "leap: what is queued waits: a picker is open ('leap keys demo Esc' closes it)"
    ])
    assert.deepStrictEqual(listed(covered, { json: true })?.notes, [])
    assert.deepStrictEqual(listed({ queue, state: "running" })?.notes, [])
    assert.deepStrictEqual(listed({ question, state: "needs_input" })?.notes, ["nothing waits in the queue of 'w'"])
  })

  it("tells the damage to a queue's log, and takes an unreadable one for no empty queue", () => {
    const document = { queue: [], recent: [], queueProblem: problem, pause: null }
    const damaged = { document, text: "", notes: ["leap: a line is lost"] }
    assert.deepStrictEqual(listed({ queueProblem: problem }), damaged)
    const newer = { ...problem, kind: "newer" } as const
    const unreadable = {
      document: { ...document, queueProblem: newer },
      text: "",
      notes: [],
      failure: { code: "failed", why: "a line is lost" }
    } as const
    assert.deepStrictEqual(listed({ queueProblem: newer }), unreadable)
    const ended = sessionStatus({ state: "exited", queueProblem: newer })
    assert.deepStrictEqual(named("queue list").left?.(ended, facts({ json: true })), unreadable)
  })

  it("lists the options of a dialog, whole for programs; without one it is refused", () => {
    const asked = (status: Partial<SessionStatus>, change: Partial<ShownFacts> = {}) => {
      const call = { _tag: "Status" } as const
      return named("answer").shown?.({ ...call, call, result: sessionStatus(status) }, facts(change))
    }
    const options = [
      { number: 1, label: "Yes" },
      { number: null, label: "n".repeat(200) }
    ]
    const question = { title: "May it?", subject: "ls", options }
    assert.deepStrictEqual(asked({ question }), {
      document: { dialog: "May it?", options },
      text: `May it?\n  1  Yes\n  -  ${"n".repeat(200)}`,
      notes: ["answer with 'leap answer w <number, or a name or its beginning>'"]
    })
    const proposal: Proposal = {
      command: "ls \\\n  -l\u001b[2J",
      edit: {
        files: [
          {
            path: "b\n.ts",
            from: "a.ts",
            kind: "renamed",
            added: 1,
            removed: 1,
            lines: [" \tone", "@", "-two \u202e", "+  three", "@@ -9 +9 @@", "@ a note"]
          }
        ],
        unshown: 1,
        unlisted: 2
      }
    }
    const lines = [
      "May it?",
      "  ls \\",
      "    -l[2J",
      "a.ts → b\\n.ts +1 −1",
      " \tone",
      "⋯",
      "-two ",
      "+  three",
      "@@ -9 +9 @@",
      "a note",
      "… and 1 more line and 2 more files left out",
      "  1  Yes"
    ]
    const shown = asked({ question, proposal })
    assert.deepStrictEqual(shown?.text?.split("\n").slice(0, -1), lines)
    assert.deepStrictEqual(shown?.document, { dialog: "May it?", options, proposal })
    assert.match(asked({ question }, { columns: 80 })?.text ?? "", /^.{5}n{159}…$/m)
    assert.deepStrictEqual(asked({ question }, { json: true })?.notes, [])
    assert.strictEqual(asked({ question: null })?.document, null)
    assert.strictEqual(asked({ question: null })?.failure?.code, "refused")
  })
})
