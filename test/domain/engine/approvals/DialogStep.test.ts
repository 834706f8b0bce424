import { assert, describe, it } from "@effect/vitest"
import { Schema } from "effect"
import * as Pending from "../../../../src/domain/engine/approvals/PendingPermissions.ts"
import { consider as considerDialog } from "../../../../src/domain/engine/approvals/DialogStep.ts"
import { Decision } from "../../../../src/domain/policy/Decision.ts"
import type { ToolRequest } from "../../../../src/domain/policy/ToolRequest.ts"
import { Dialog } from "../../../../src/domain/words/session/Screen.ts"
import { SessionState } from "../../../../src/domain/words/session/Session.ts"
import { each } from "../../../support/data/fields.ts"

const request: ToolRequest = {
  tool: "Bash",
  kind: "command",
  command: "ls",
  paths: [],
  url: null,
  agent: null,
  cwd: "/p"
}
const dialog: Dialog = {
  kind: "permission",
  title: "Run ls?",
  subject: "ls",
  options: [
    { number: 1, label: "Yes", selected: true },
    { number: 2, label: "No", selected: false }
  ]
}
const allow: Decision = { verdict: "allow", rule: null, why: "always" }
const ask: Decision = { verdict: "ask", rule: "ask ls", why: "the rule" }
const deny: Decision = { verdict: "deny", rule: "deny ls", why: "the rule" }

const standing = (change: Partial<Pending.VisibleDialog> = {}): Pending.VisibleDialog => ({
  state: "needs_permission",
  dialog,
  since: 10_000,
  dialogClosedAt: null,
  userKeyAt: null,
  ...change
})
const closed = (at: number, how: "answered" | "asked"): Pending.Reply => ({ _tag: "Closed", at, how })
const named = (change: Partial<Pending.PendingPermission> = {}): Pending.PendingPermission => ({
  id: 1,
  at: 9_900,
  event: "PermissionRequest",
  request,
  heeds: ["allow", "deny"],
  inspected: true,
  certain: true,
  decision: allow,
  reply: closed(9_950, "asked"),
  ...change
})
const asked = (...list: ReadonlyArray<Pending.PendingPermission>): Pending.PendingPermissions => ({
  list,
  overflowed: false
})
const plainYes = (it: Dialog) => (it.options.some(({ label }) => label === "Yes") ? "1" : null)
const consider = (
  pending: Pending.PendingPermissions,
  standing: Pending.VisibleDialog,
  now: number,
  unknown: Decision | null = ask
) => considerDialog(pending, standing, now, unknown, plainYes)
const noRoom = new Error("there was no room for a request")
const remember = (...given: Parameters<typeof Pending.remember>): Pending.PendingPermissions => {
  const after = Pending.remember(...given)
  if (after === null) throw noRoom
  return after
}

const at = 20_000

describe("a permission dialog that stands", () => {
  it("is answered with the plain yes when the request it is for is granted", () => {
    assert.deepStrictEqual(consider(asked(named()), standing(), at), {
      _tag: "Answer",
      dialog,
      answer: "1",
      decision: allow,
      pending: named()
    })
    assert.deepStrictEqual(consider(Pending.noPendingPermissions, standing(), at, allow), {
      _tag: "Answer",
      dialog,
      answer: "1",
      decision: allow,
      pending: null
    })
  })

  it.each([
    ["a trust question", { dialog: { ...dialog, kind: "trust" as const } }],
    ["a plan", { dialog: { ...dialog, kind: "plan" as const } }],
    ["a question", { dialog: { ...dialog, kind: "question" as const } }],
    ["what cannot be named", { dialog: { ...dialog, kind: "other" as const } }],
    ["no dialog", { dialog: null, since: null }],
    ["no yes that is plain", { dialog: { ...dialog, options: [{ number: 1, label: "Yes, always", selected: true }] } }],
    ["a session that is not known to ask", { state: "running" as const }]
  ])("is left alone: %s", (_, change) => {
    assert.deepStrictEqual(consider(asked(named()), standing(change), at, allow), { _tag: "Leave" })
  })

  it("is the user's when any request it could be for is not granted, whichever was named last", () => {
    for (const decision of [ask, deny, null]) {
      const other = named({ id: 2, at: 9_950, request: { ...request, command: "rm -rf /" }, decision })
      for (const list of [
        [named(), other],
        [other, named()]
      ]) {
        assert.deepStrictEqual(consider(asked(...list), standing(), at, allow), { _tag: "Leave" })
      }
    }
  })

  it("is left alone until rules and mode have been asked", () => {
    assert.deepStrictEqual(consider(asked(named()), standing(), at, null), { _tag: "Leave" })
    assert.deepStrictEqual(consider(asked(named({ decision: null })), standing(), at, allow), { _tag: "Leave" })
  })

  it("waits for the answer to a hook, and for the CLI to take it", () => {
    for (const reply of [{ _tag: "Open" }, { _tag: "Sent", decision: allow }] as const)
      assert.deepStrictEqual(consider(asked(named({ reply })), standing(), at), { _tag: "Leave" })
    const answered = asked(named({ reply: closed(19_000, "answered") }))
    assert.deepStrictEqual(consider(answered, standing(), at), { _tag: "Later", at: 29_000 })
    assert.strictEqual(consider(answered, standing(), 29_000)._tag, "Answer")
  })

  it("has stood for a moment, and nobody has just pressed a key", () => {
    assert.deepStrictEqual(consider(asked(named()), standing({ since: at - 100 }), at, allow), {
      _tag: "Later",
      at: at + 700
    })
    assert.deepStrictEqual(consider(asked(named()), standing({ userKeyAt: at - 999 }), at), {
      _tag: "Later",
      at: at + 1
    })
  })

  it("that no hook has named is decided without a request", () => {
    const old = named({ at: 1_000 })
    assert.deepStrictEqual(consider(asked(old), standing(), at), { _tag: "Ask", decision: ask })
    assert.deepStrictEqual(consider(Pending.noPendingPermissions, standing(), at), { _tag: "Ask", decision: ask })
  })

  it("that shows another request, or none, is decided without a request", () => {
    for (const change of [{ subject: "ls; rm -rf x" }, { subject: "rm -rf x" }, { subject: "…" }]) {
      const other = standing({ dialog: { ...dialog, ...change } })
      assert.deepStrictEqual(consider(asked(named()), other, at), { _tag: "Ask", decision: ask }, change.subject)
    }
    const { subject: _, ...bare } = dialog
    assert.deepStrictEqual(consider(asked(named()), standing({ dialog: bare }), at), { _tag: "Ask", decision: ask })
  })

  it("gets the decision for the request that it shows, whichever was named last", () => {
    const other = named({ id: 2, at: 9_950, request: { ...request, command: "npm test" } })
    for (const list of [
      [named(), other],
      [other, named()]
    ]) {
      const step = consider(asked(...list), standing(), at)
      assert.strictEqual(step._tag === "Answer" ? step.pending?.id : null, 1)
    }
  })

  it("is left alone when more was asked for than is remembered", () => {
    let many = Pending.noPendingPermissions
    for (let id = 0; id < 500; id++) many = remember(many, named({ id, at: 10_000 }), standing())
    assert.strictEqual(many.list.length, 200)
    assert.strictEqual(many.list[0]?.id, 300, "the oldest go")
    assert.deepStrictEqual(consider(many, standing(), at, allow), { _tag: "Leave" })
    const none = { dialog: null, dialogClosedAt: 10_000 }
    const later = remember(many, named({ id: 501, at: 60_000 }), none)
    assert.deepStrictEqual(each(later.list, "id"), [501])
    assert.isFalse(later.overflowed)
  })

  it("has room for many more hooks that wait at once, and drops what is closed for them", () => {
    const open = (pending: Pending.PendingPermissions, id: number) =>
      remember(pending, named({ id, reply: { _tag: "Open" } }), standing())
    let waiting = Pending.noPendingPermissions
    for (let id = 0; id < 100; id++) waiting = remember(waiting, named({ id }), standing())
    for (let id = 100; id < 200; id++) waiting = open(waiting, id)
    assert.deepStrictEqual([waiting.list.length, waiting.overflowed], [200, false])
    for (let id = 200; id < 2_100; id++) waiting = open(waiting, id)
    assert.deepStrictEqual([waiting.list.length, waiting.list[0]?.id, waiting.overflowed], [2_000, 100, true])
    assert.isNull(Pending.remember(waiting, named({ id: 2_100, reply: { _tag: "Open" } }), standing()))
  })

  it("forgets a hook of which nothing was heard for a minute", () => {
    const nothing = { dialog: null, dialogClosedAt: null }
    for (const reply of [{ _tag: "Open" }, { _tag: "Sent", decision: allow }] as const) {
      const first = remember(Pending.noPendingPermissions, named({ id: 1, at: 0, reply }), nothing)
      const ids = (at: number) => remember(first, named({ id: 2, at }), nothing).list.map(({ id }) => id)
      assert.deepStrictEqual([ids(59_999), ids(60_000)], [[1, 2], [2]])
    }
  })

  it("keeps in mind what was asked for as long as a dialog for it may come", () => {
    const first = remember(Pending.noPendingPermissions, named({ id: 1, at: 0 }), {
      dialog: null,
      dialogClosedAt: null
    })
    const next = (time: number, where: Pick<Pending.VisibleDialog, "dialog" | "dialogClosedAt">) =>
      remember(first, named({ id: 2, at: time }), where).list.map(({ id }) => id)
    assert.deepStrictEqual(next(4_000, { dialog: null, dialogClosedAt: null }), [1, 2])
    assert.deepStrictEqual(next(60_000, { dialog, dialogClosedAt: null }), [1, 2])
    assert.deepStrictEqual(next(60_000, { dialog: null, dialogClosedAt: 59_000 }), [1, 2])
    assert.deepStrictEqual(next(60_000, { dialog: null, dialogClosedAt: 50_000 }), [2])
  })

  it.prop(
    "only what is granted is ever answered, and only a permission dialog with a plain yes",
    [
      Schema.Array(
        Schema.Struct({
          at: Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 30_000 })),
          decision: Schema.NullOr(Decision),
          closed: Schema.Boolean
        })
      ),
      Dialog,
      SessionState,
      Schema.NullOr(Decision),
      Schema.NullOr(Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 30_000 })))
    ],
    ([list, seen, state, unknown, userKeyAt]) => {
      const requests = list.map((one, id) =>
        named({
          id,
          at: one.at,
          decision: one.decision,
          reply: one.closed ? closed(one.at, "asked") : { _tag: "Open" }
        })
      )
      const step = consider(asked(...requests), standing({ dialog: seen, state, userKeyAt }), at, unknown)
      const granted =
        list.every(({ closed, decision }) => closed && decision?.verdict === "allow") &&
        seen.kind === "permission" &&
        seen.options.some(({ label }) => label === "Yes") &&
        (userKeyAt === null || at - userKeyAt >= 1_000)
      assert.isTrue(
        step._tag !== "Answer" || (granted && step.decision.verdict === "allow" && step.dialog === seen),
        step._tag
      )
    }
  )
})
