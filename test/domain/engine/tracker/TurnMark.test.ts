import { assert, describe, it } from "@effect/vitest"
import type { Submission } from "../../../../src/domain/engine/tracker/Facts.ts"
import { nextTurn, noTurn } from "../../../../src/domain/engine/tracker/TurnMark.ts"
import type { SessionState } from "../../../../src/domain/words/session/Session.ts"

interface Seen {
  readonly enter?: number
  readonly told?: number
  readonly ended?: number
  readonly failed?: number
  readonly own?: Partial<Submission>
  readonly state?: SessionState
}

/** When turns begin in a course of a session. */
const begins = (...course: ReadonlyArray<Seen>): ReadonlyArray<number> => {
  let mark = noTurn(0)
  const found: Array<number> = []
  const known = { enter: null as number | null, told: null as number | null, ended: null as number | null }
  for (const { ended, enter, failed, own, state = "running", told } of course) {
    Object.assign(known, enter === undefined ? {} : { enter }, told === undefined ? {} : { told })
    if (ended !== undefined) known.ended = ended
    const submitted =
      known.enter === null ? null : { at: known.enter, command: false, ahead: false, behind: null, ...own }
    const facts = { submitted, turnStartedAt: known.told, turnEndedAt: known.ended, turnFailedAt: failed ?? null }
    const before = mark
    mark = nextTurn(mark, facts, state)
    if (mark.began !== before.began) found.push(mark.began)
  }
  return found
}

describe("a turn begins", () => {
  it.each<[string, ReadonlyArray<Seen>, ReadonlyArray<number>]>([
    ["not with the session", [{ state: "starting" }, { state: "idle" }], []],
    ["with its Enter, and not again with the CLI's report", [{ enter: 100 }, { told: 400 }], [100]],
    [
      "not again when it has ended, with the CLI's report of it",
      [{ enter: 100 }, { told: 150 }, { ended: 6_000, state: "idle" }, { state: "idle" }, { enter: 9_000 }],
      [100, 9_000]
    ],
    [
      "not again with a report that came late, at its end or behind it",
      [{ enter: 100 }, { told: 4_000 }, { ended: 6_000, state: "idle" }, { state: "idle" }],
      [100]
    ],
    ["not again with a report that comes to light with its end", [{ enter: 100 }, { told: 400, ended: 500 }], [100]],
    [
      "not with what was sent into it and its end",
      [{ enter: 100 }, { enter: 900 }, { ended: 950, state: "idle" }],
      [100]
    ],
    ["when its Enter comes to light with the last one's end", [{ enter: 100 }, { enter: 600, ended: 500 }], [100, 600]],
    ["with the CLI's report where no Enter was seen", [{ told: 400 }], [400]],
    [
      "not again with what is sent into it",
      [{ enter: 100 }, { told: 400 }, { enter: 9_000 }, { enter: 9_500, state: "needs_permission" }],
      [100]
    ],
    ["when the last one has ended", [{ enter: 100 }, { ended: 500, state: "idle" }, { enter: 600 }], [100, 600]],
    ["when the last one has failed", [{ enter: 100 }, { failed: 500 }, { enter: 600, failed: 500 }], [100, 600]],
    ["where no end is told: at rest", [{ enter: 100 }, { state: "interrupted" }, { enter: 9_000 }], [100, 9_000]],
    ["not with a command of the CLI", [{ enter: 100, own: { command: true }, state: "idle" }], []],
    ["not with what was typed ahead", [{ told: 50 }, { enter: 900, own: { ahead: true, behind: null } }], [50]],
    [
      "again, where an Enter began none",
      [
        { enter: 100, state: "idle" },
        { enter: 9_000, state: "idle" }
      ],
      [100, 9_000]
    ]
  ])("%s", (_, course, expected) => {
    assert.deepStrictEqual(begins(...course), expected)
  })
})
