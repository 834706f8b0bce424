import { reasonWords } from "../../../../src/domain/words/wording/reasonWords.ts"
import { assert, describe, it } from "@effect/vitest"
import { Schema } from "effect"
import { oneLine, printable } from "../../../../src/domain/words/text/printable.ts"
import { messageLine, stateLine, table } from "../../../../src/domain/words/wording/StateLine.ts"
import { obstacleFor } from "../../../../src/domain/words/wording/obstacleFor.ts"
import { heldNote, obstacleText, pauseNote } from "../../../../src/domain/words/wording/queueListing.ts"
import { statusDetails } from "../../../../src/domain/words/wording/statusDetails.ts"
import type { SessionStatus } from "../../../../src/domain/words/session/Session.ts"
import { sessionStatus } from "../../../support/data/sessionStatus.ts"

const queued = (text: string, status: "queued" | "held" = "queued") =>
  ({ id: "01A", text, images: [], queuedAt: "2026-01-01T00:00:00.000Z", status, force: false, why: null }) as const
const pause = (until: string | null) =>
  ({ kind: "overloaded", since: "2026-01-01T00:00:00.000Z", until, text: "the service fails" }) as const
const status = (change: Partial<SessionStatus>): SessionStatus => ({
  ...sessionStatus({}),
  state: "idle",
  ready: true,
  reason: "at rest",
  queue: [],
  message: null,
  problem: null,
  exit: null,
  ...change
})

describe("the state line", () => {
  it.each<readonly [string, Partial<SessionStatus>, string]>([
    ["at rest", {}, "● idle"],
    ["at work", { state: "running", ready: false, message: "Reading files" }, "● running · Reading files"],
    [
      "asking, with a queue",
      { state: "needs_permission", ready: false, queue: [queued("a"), queued("b")] },
      "● needs permission · at rest · 2 queued"
    ],
    [
      "held messages apart",
      { queue: [queued("a"), queued("b", "held")] },
      "● idle, held · 1 message is held · 1 queued · 1 held"
    ],
    [
      "why a queue waits",
      { ready: false, notReady: { _tag: "Blocked", by: "draft" }, queue: [queued("a")] },
      "● idle · 1 queued · waits: unsent text is in the box"
    ],
    [
      "an interrupt",
      { state: "interrupted", ready: false, queue: [queued("a")] },
      "● interrupted · 1 queued · waits since you interrupted ('leap send demo --force TEXT' goes on)"
    ],
    [
      "what failed, apart from what waits",
      {
        queue: [
          { ...queued("a"), status: "done", outcome: "failed" },
          { ...queued("b"), outcome: "failed" }
        ]
      },
      "● idle, failed · 1 message failed · 1 queued · 1 failed"
    ],
    [
      "a queue that waits for the user",
      { ready: false, notReady: { _tag: "Blocked", by: "torn" }, pause: pause(null), queue: [queued("a", "held")] },
      "● idle, failed · the service fails · 1 held"
    ],
    [
      "the end",
      { state: "exited", ready: false, exit: { code: null, signal: "SIGKILL" } },
      "● exited · killed by SIGKILL"
    ]
  ])("tells of %s", (_, change, line) => assert.strictEqual(stateLine(status(change), false), line))
})

describe("a message that failed", () => {
  const failed = { ...queued("a"), outcome: "failed", why: "its turn failed: full" } as const
  it.each([
    ["done", "failed"],
    ["failed", "failed"],
    ["queued", "queued"],
    ["held", "held"]
  ] as const)("%s is listed as %s, with why", (status, word) => {
    assert.strictEqual(messageLine({ ...failed, status }), `01A  ${word.padEnd(9)}  a  (its turn failed: full)`)
  })

  it("is in the details of its session with why, and with what lets it go out again", () => {
    const details = (queue: SessionStatus["queue"], own: Partial<SessionStatus> = {}) =>
      statusDetails(status({ queue, ...own }), { colour: false, whole: true })
    const given = details([{ ...failed, status: "done" }])
    assert.match(given, /^message failed +01A {2}a {2}\(its turn failed: full\)$/m)
    assert.match(given, /^failed +1 message failed: 'leap queue retry demo all' sends it again$/m)
    assert.notMatch(details([{ ...queued("a"), status: "done", outcome: "completed" }]), /failed/)
    const notReady = { _tag: "QueueWaits", text: "the service fails" } as const
    const cause = {
      _tag: "TurnFailed",
      problem: "overloaded",
      isEndless: false,
      until: null,
      zone: "UTC",
      cover: null
    } as const
    const reason = reasonWords({ reason: { _tag: "BoxShown" }, notReady: { _tag: "QueueWaits", cause } })
    const once = details([], { ready: false, reason, notReady, pause: pause(null) })
    assert.strictEqual(once.split("the service fails").length, 2, once)
    const waits = details([{ ...failed, status: "held" }], { pause: pause(null) })
    assert.match(waits, /^queue waits +\('leap queue retry demo all', 'leap queue release demo'\)$/m)
    assert.match(waits, /^needs you +failed: the service fails$/m)
  })

  it("keeps back what is sent behind it, and the sender is told so; a time that is waited for is told as such", () => {
    const human = status({ pause: pause(null) })
    const hint = "('leap queue retry demo all', 'leap queue release demo')"
    assert.strictEqual(heldNote(human), `held; the service fails ${hint}`)
    assert.strictEqual(pauseNote(human), `the queue waits: the service fails ${hint}`)
    const timed = status({ ready: false, pause: pause("2026-01-01T00:05:00.000Z") })
    assert.isNull(heldNote(timed))
    assert.strictEqual(obstacleText(timed), "waits: the service fails")
    assert.strictEqual(pauseNote(timed), "the queue waits: the service fails ('leap queue release demo' tries it now)")
    assert.isNull(pauseNote(status({})))
  })

  it.each<readonly [string, Parameters<typeof status>[0], boolean, RegExp | null]>([
    ["nothing, where its turn comes", {}, false, null],
    ["the pause", { pause: pause(null) }, false, /^waits: the service fails$/],
    ["its own time, which is said beside", { pause: pause(null) }, true, null],
    [
      "a dialog that asks, which its own time does not end",
      { state: "needs_permission" },
      true,
      /^waits: 'demo' asks /
    ],
    [
      "a list over the box, too",
      { dialog: true, ready: false, notReady: { _tag: "Blocked", by: "picker" } },
      true,
      /closes it\)$/
    ]
  ])("a new message waits for %s", (_, changes, waits, says) => {
    const now = status({ queue: [{ ...failed, status: "queued" }], ...changes })
    const obstacle = obstacleFor(now, failed.id, false, waits)
    if (says === null) assert.isNull(obstacle)
    else assert.match(obstacle ?? "", says)
  })

  it("of a CLI that is not wired says so once, and names no word that would say nothing yet", () => {
    const unwired = { since: "2026-01-01T00:00:00.000Z", text: "no hook calls leap; a rule does not hold", rules: 1 }
    const waits = (until: string | null) => ({
      kind: "unwired" as const,
      since: unwired.since,
      until,
      text: "not wired here"
    })
    const silent = status({ unwired, pause: waits(null) })
    assert.strictEqual(
      pauseNote(silent),
      "the queue waits: not wired here ('leap why demo', 'leap queue release demo')"
    )
    const due = status({ pause: waits("2026-01-01T00:00:10.000Z") })
    assert.strictEqual(pauseNote(due), "the queue waits: not wired here ('leap why demo')")
    const shown = statusDetails(silent, { colour: false, whole: true })
    assert.notMatch(shown, /^hooks/m)
    assert.match(statusDetails(status({ unwired }), { colour: false, whole: true }), /^hooks +not wired here: no hook/m)
  })
})

describe("a CLI's text on the user's terminal", () => {
  it.prop("is one line within its limit and holds nothing a terminal obeys", { text: Schema.String }, ({ text }) => {
    const line = oneLine(`\u001b[31m${text}\n\u202e`, 20)
    assert.isAtMost([...line].length, 20)
    assert.notMatch(line, /[\u0000-\u001f\u007f-\u009f\u202a-\u202e]/)
  })
  it("keeps its lines and tabs, and loses its escapes", () => {
    assert.strictEqual(printable("a\n\tb\u001b[2J\u0007\rc\u009b1m"), "a\n\tb[2Jc1m")
  })
})

describe("lists", () => {
  it("align their columns", () => {
    assert.strictEqual(
      table([
        ["a", "bb", "c"],
        ["aaa", "b", "日本"]
      ]),
      "a    bb  c\naaa  b   日本"
    )
    assert.strictEqual(
      table([
        ["TAG", "x"],
        ["日本", "y"]
      ]),
      "TAG   x\n日本  y"
    )
    const bold = (text: string) => `\u001b[1m${text}\u001b[0m`
    assert.strictEqual(
      table([
        ["TAG", "x"],
        [bold("one"), "y"]
      ]),
      `TAG  x\n${bold("one")}  y`
    )
  })
  it("are whole where no terminal limits them, and say of a turn that it was interrupted", () => {
    const long = "word ".repeat(40).trim()
    assert.include(messageLine({ ...queued(long), why: long }, true), `${long}  (${long})`)
    assert.include(messageLine(queued(long)), "…")
    const endless = messageLine(queued("x".repeat(98_889)), true)
    assert.isBelow(endless.length, 2200)
    assert.include(endless, "(98889 characters; --json has all)")
    const at = (moment: string) => messageLine({ ...queued("a"), when: [{ _tag: "At", at: moment }] })
    assert.include(at("2026-01-01T06:30:00.000Z"), "(at 2026-01-01 06:30Z)")
    assert.include(at("2026-01-01T06:30:01.250Z"), "(at 2026-01-01 06:30:01Z)")
    assert.include(stateLine(status({ message: long }), false, { whole: true }), long)
    assert.include(messageLine({ ...queued("> a"), from: "alpha" }), "  from alpha: > a")
    assert.include(messageLine({ ...queued("a"), status: "done", outcome: "interrupted" }), "interrupted")
    assert.include(messageLine({ ...queued("a"), status: "done", outcome: "completed" }), "done")
  })
})
