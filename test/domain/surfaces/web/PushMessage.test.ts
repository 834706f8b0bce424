import { assert, describe, it } from "@effect/vitest"
import { dialogName, noticeMessage, pushAnswers, standingIn } from "../../../../src/domain/surfaces/web/PushMessage.ts"
import type { GivenNotice, Question, SessionStatus } from "../../../../src/domain/words/session/Session.ts"
import { sessionStatus } from "../../../support/data/sessionStatus.ts"

const at = "2026-01-01T00:00:02.000Z"
const notice: GivenNotice = { at, kind: "needs", title: "api needs you", text: "Bash command: npm test" }
const question: Question = {
  title: "Bash command",
  subject: "npm test",
  options: [
    { number: 1, label: "Yes" },
    { number: 2, label: "Yes, and don't ask again" },
    { number: 3, label: "No, and tell it what to do" }
  ]
}
const asking = (changes: Partial<SessionStatus> = {}) =>
  sessionStatus({ tag: "api", state: "needs_permission", question, ...changes })
const none = { answers: [], digest: "", standing: [] }

describe("a notification's answers", () => {
  it("are the plain yes and no of a request for permission", () => {
    assert.deepStrictEqual(pushAnswers(asking(), notice, "Yes"), { allow: "1", deny: "3" })
    assert.deepStrictEqual(pushAnswers(asking(), notice, "1"), { allow: "1", deny: "3" })
    const unnumbered = { ...question, options: question.options.map(({ label }) => ({ number: null, label })) }
    assert.deepStrictEqual(pushAnswers(asking({ question: unnumbered }), notice, "Yes, and"), {
      allow: "Yes, and don't ask again",
      deny: "No, and tell it what to do"
    })
  })

  it("are none where it is not known what they would do", () => {
    assert.deepStrictEqual(pushAnswers(asking(), notice, null), { allow: null, deny: "3" })
    const cut = { ...notice, text: "Bash command: rm -rf node_modules && …" }
    assert.deepStrictEqual(pushAnswers(asking(), cut, "1"), { allow: null, deny: "3" })
    for (const status of [asking({ state: "needs_input" }), asking({ state: "running" }), asking({ question: null })])
      assert.deepStrictEqual(pushAnswers(status, notice, "1"), { allow: null, deny: null })
  })

  it("are of one dialog, at one time", () => {
    const name = dialogName(asking())
    assert.strictEqual(dialogName(asking({ message: "x", queue: [] })), name)
    const others = [
      asking({ tag: "web" }),
      asking({ since: "2026-01-01T00:00:01.000Z" }),
      asking({ question: { ...question, subject: "npm run test" } }),
      asking({ question: { ...question, options: question.options.slice(1) } })
    ]
    for (const other of others) assert.notStrictEqual(dialogName(other), name)
    assert.isNull(dialogName(asking({ question: null })))
    assert.isNull(dialogName(sessionStatus({ question })))
  })
})

describe("a notification", () => {
  it("says what a notice says, with the dialog's options", () => {
    assert.deepStrictEqual(noticeMessage(asking(), notice, none), {
      _tag: "Notice",
      tag: "api",
      title: "api needs you",
      body: "Bash command: npm test\n1. Yes\n2. Yes, and don't ask again\n3. No, and tell it what to do",
      ...none
    })
    const rests = noticeMessage(sessionStatus({ tag: "api" }), { ...notice, kind: "failed", text: "HTTP 500" }, none)
    assert.strictEqual(rests._tag === "Notice" ? rests.body : "", "HTTP 500")
  })

  it("is no longer than a push service takes, whatever the CLI asks", () => {
    const long = "\u{1f6d1}".repeat(150)
    const options = Array.from({ length: 30 }, (_, n) => ({ number: n, label: long }))
    const status = asking({ question: { title: long, subject: long, options } })
    const tags = Array.from({ length: 500 }, (_, n) => `session-${n}`)
    assert.isNull(standingIn(tags))
    assert.deepStrictEqual(standingIn(["a", "b"]), ["a", "b"])
    const standing = standingIn(tags.slice(0, 50))
    const message = noticeMessage(status, { ...notice, text: long, title: long.repeat(9) }, { ...none, standing })
    assert.isAtMost(Buffer.byteLength(JSON.stringify(message)), 3_000)
    assert.isTrue(message._tag === "Notice" && message.body.startsWith(long.slice(0, 100)))
    assert.isTrue(JSON.stringify(message).isWellFormed())
  })
})
