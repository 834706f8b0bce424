import { assert, describe, it } from "@effect/vitest"
import { Schema } from "effect"
import type { FeedEvent, FeedSession } from "../../../../src/domain/words/session/Feed.ts"
import type { SessionStatus } from "../../../../src/domain/words/session/Session.ts"
import { fits } from "../../../../src/domain/words/formats/JsonForm.ts"
import { ServerFrame } from "../../../../src/domain/surfaces/web/Frames.ts"
import { plainOutput, plainText } from "../../../../src/domain/surfaces/web/plainText.ts"
import { isSameQuestion, latest, webSession } from "../../../../src/domain/surfaces/web/webSession.ts"
import form from "#generated/frameForm.mts"
import { sessionStatus } from "../../../support/data/sessionStatus.ts"

const hostile = "a\u001b]52;c;SEk=\u0007\u001b[31mb\u202ec\u2066d\u200be\u0000f\u061c\r\ng\th"
const unsafe = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u061c\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff]/

const status: SessionStatus = {
  ...sessionStatus({ tag: "a" }),
  state: "needs_permission",
  displayName: hostile,
  reason: hostile,
  cwd: hostile,
  message: hostile,
  lastMessage: hostile,
  lastResponse: hostile.repeat(5000),
  writes: [{ path: hostile.repeat(5000), at: "2026-01-01T00:00:00Z" }],
  problem: { kind: "stuck", message: hostile, until: null },
  queueProblem: { kind: "damaged", message: hostile, file: "/x" },
  question: {
    title: hostile,
    subject: hostile,
    options: [
      { number: 1, label: hostile },
      { number: null, label: "No" }
    ]
  },
  proposal: {
    command: hostile,
    edit: {
      files: [{ path: hostile, from: hostile, kind: "changed", added: 1, removed: 0, lines: [`+${hostile}`, "@"] }],
      unshown: 0,
      unlisted: 0
    }
  },
  queue: Array.from({ length: 300 }, (_, n) => ({
    id: `id${n}`,
    text: hostile,
    images: [],
    queuedAt: "2026-01-01T00:00:00Z",
    status: "held" as const,
    force: false,
    why: hostile
  }))
}
const session: FeedSession = { link: "live", status }
const strings = (value: unknown): ReadonlyArray<string> =>
  typeof value === "string"
    ? [value]
    : typeof value === "object" && value !== null
      ? Object.values(value).flatMap(strings)
      : []

describe("a session as a page shows it", () => {
  it("has no text that a page could mistake, and none without a bound", () => {
    const shown = webSession(session)
    const texts = strings(shown)
    assert.isAbove(texts.length, 500)
    for (const text of texts) {
      assert.notMatch(text, unsafe)
      assert.isAtMost(text.length, 4000)
    }
    assert.lengthOf(shown.queue, 200)
    assert.include(shown.lastMessage, "a]52;c;SEk=[31mbcdef\ng\th")
    // a problem that is a need is told as one, and not beside it once more
    assert.notMatch(shown.problem!, /; /)
    const passing = { ...status, state: "running", problem: { kind: "auth", message: hostile, until: null } } as const
    assert.match(webSession({ ...session, status: passing }).problem!, /; /)
    // a text that the page has not as it is is not changed there
    const queued = (text: string) =>
      webSession({ link: "live", status: { ...status, queue: [{ ...status.queue[0]!, text }] } })
    assert.deepStrictEqual(
      [hostile, "x".repeat(4001), "plain\n\ttext"].map((text) => queued(text).queue[0]?.whole),
      [false, false, true]
    )
  })

  it("passes the page's own check, with and without what may be missing; nothing else does", () => {
    const encode = Schema.encodeSync(Schema.fromJsonString(ServerFrame))
    const accepts = (frame: ServerFrame) => fits(form, JSON.parse(encode(frame)))
    const bare: FeedSession = { link: "ended", status: { ...sessionStatus({ tag: "b" }), question: null } }
    const figures = [{ tag: "a", points: [{ at: 1, context: null, usd: 0.5 }] }]
    const timeline = [{ tag: "a", spans: [{ state: "idle" as const, from: 1 }] }]
    assert.isTrue(accepts({ _tag: "Sessions", sessions: [webSession(session), webSession(bare)], timeline, figures }))
    assert.isTrue(accepts({ _tag: "Changed", session: webSession(session) }))
    assert.isTrue(accepts({ _tag: "Answered", id: 1, isDone: true, said: "", text: null }))
    for (const wrong of [{}, null, [], { _tag: "Gone" }, { _tag: "Gone", tag: 1 }, { _tag: "Run", code: "x" }])
      assert.isFalse(fits(form, wrong), JSON.stringify(wrong))
  })

  it("is answered only while its dialog is the one that was shown", () => {
    const shown = webSession(session).question!
    assert.isTrue(isSameQuestion(status.question!, shown))
    assert.isFalse(isSameQuestion({ ...status.question!, subject: "rm -rf /" }, shown))
    assert.isFalse(isSameQuestion({ ...status.question!, options: [...status.question!.options].reverse() }, shown))
  })
})

describe("text for a page", () => {
  it("is cut between characters", () => {
    assert.strictEqual(plainText("ab\u{1f600}c", 4), "ab…")
    assert.strictEqual(plainText("ab\u{1f600}c", 5), "ab\u{1f600}c")
  })
  it("of a terminal keeps its sequences and loses its marks of direction", () => {
    assert.strictEqual(plainOutput("\u001b[31ma\u202eb\u2066c\u061c\r\n"), "\u001b[31mabc\r\n")
  })
})

describe("several steps of the feed", () => {
  it("become the last one of each session, in their order", () => {
    const of = (tag: string, message: string): FeedEvent => ({
      _tag: "Changed",
      session: { link: "live", status: { ...sessionStatus({ tag }), message } }
    })
    const gone: FeedEvent = { _tag: "Gone", tag: "a" }
    const snapshot: FeedEvent = { _tag: "Snapshot", sessions: [] }
    assert.deepStrictEqual(latest([of("a", "1"), of("b", "1"), of("a", "2")]), [of("b", "1"), of("a", "2")])
    assert.deepStrictEqual(latest([of("a", "1"), gone]), [gone])
    assert.deepStrictEqual(latest([of("a", "1"), snapshot, of("b", "1")]), [snapshot, of("b", "1")])
  })
})
