import { assert, describe, it } from "@effect/vitest"
import { Schema } from "effect"
import * as Asked from "../../../src/domain/policy/Asked.ts"
import { Decision } from "../../../src/domain/policy/Decision.ts"
import type { ToolRequest } from "../../../src/domain/policy/ToolRequest.ts"
import { Dialog } from "../../../src/domain/Screen.ts"
import { SessionState } from "../../../src/domain/Session.ts"
import { noPolicy } from "../../../src/domain/settings/Settings.ts"

const request: ToolRequest = { tool: "Bash", kind: "command", command: "ls", paths: [], url: null, agent: null, cwd: "/p" }
const dialog: Dialog = { kind: "permission", title: "Run ls?", options: [{ number: 1, label: "Yes", selected: true }, { number: 2, label: "No", selected: false }] }
const allow: Decision = { verdict: "allow", rule: null, why: "always" }
const ask: Decision = { verdict: "ask", rule: "ask ls", why: "the rule" }
const deny: Decision = { verdict: "deny", rule: "deny ls", why: "the rule" }

const standing = (change: Partial<Asked.Standing> = {}): Asked.Standing =>
  ({ state: "needs_permission", dialog, since: 10_000, until: null, userKeyAt: null, ...change })
const named = (change: Partial<Asked.NamedRequest> = {}): Asked.NamedRequest =>
  ({ id: 1, at: 9_900, request, sure: true, told: { at: 9_950, how: "asked" }, ...change })
const asked = (...list: ReadonlyArray<Asked.NamedRequest>): Asked.Asked => ({ named: list, many: false })

const leap = (decided: Decision | ((named: Asked.NamedRequest) => Decision), unknown: Decision = ask) =>
  ({ decide: typeof decided === "function" ? decided : () => decided, unknown, plainYes: (it: Dialog) => it.options.some(({ label }) => label === "Yes") ? "1" : null })

const at = 20_000

describe("a permission dialog that stands", () => {
  it("is answered with the plain yes when the request it is for would be granted", () => {
    assert.deepStrictEqual(Asked.consider(asked(named()), standing(), at, leap(allow)), { _tag: "Answer", answer: "1", decision: allow, named: named() })
    assert.deepStrictEqual(Asked.consider(Asked.nothingAsked, standing(), at, leap(deny, allow)), { _tag: "Answer", answer: "1", decision: allow, named: null })
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
    assert.deepStrictEqual(Asked.consider(asked(named()), standing(change), at, leap(allow, allow)), { _tag: "Leave" })
  })

  it("is the user's when any request it could be for is not granted, whichever was named last", () => {
    const other = named({ id: 2, at: 9_950, request: { ...request, command: "rm -rf /" } })
    for (const no of [ask, deny]) {
      const decide = (one: Asked.NamedRequest) => one.id === 2 ? no : allow
      for (const list of [[named(), other], [other, named()]]) {
        assert.deepStrictEqual(Asked.consider(asked(...list), standing(), at, leap(decide, allow)), { _tag: "Leave" })
      }
    }
  })

  it("waits for the answer to a hook, and for the CLI to take it", () => {
    assert.deepStrictEqual(Asked.consider(asked(named({ told: null })), standing(), at, leap(allow)), { _tag: "Leave" })
    const answered = asked(named({ told: { at: 19_000, how: "answered" } }))
    assert.deepStrictEqual(Asked.consider(answered, standing(), at, leap(allow)), { _tag: "Later", at: 29_000 })
    assert.strictEqual(Asked.consider(answered, standing(), 29_000, leap(allow))._tag, "Answer")
  })

  it("has stood for a moment, and nobody has just pressed a key", () => {
    assert.deepStrictEqual(Asked.consider(asked(named()), standing({ since: at - 100 }), at, leap(allow, allow)), { _tag: "Later", at: at + 700 })
    assert.deepStrictEqual(Asked.consider(asked(named()), standing({ userKeyAt: at - 999 }), at, leap(allow)), { _tag: "Later", at: at + 1 })
  })

  it("that no hook has told of is decided without a request", () => {
    const old = named({ at: 1_000 })
    assert.deepStrictEqual(Asked.consider(asked(old), standing(), at, leap(allow, ask)), { _tag: "Ask", decision: ask })
    assert.deepStrictEqual(Asked.consider(Asked.nothingAsked, standing(), at, leap(allow, ask)), { _tag: "Ask", decision: ask })
  })

  it("is left alone when more was asked for than is remembered", () => {
    let many = Asked.nothingAsked
    for (let id = 0; id < 500; id++) many = Asked.learn(Asked.remember(many, { id, at: 10_000, request }, standing()), id, { told: { at: 10_000, how: "asked" } })
    assert.isAtMost(many.named.length, 200)
    assert.deepStrictEqual(Asked.consider(many, standing(), at, leap(allow, allow)), { _tag: "Leave" })
    const none = { dialog: null, until: 10_000 }
    assert.deepStrictEqual(Asked.remember(many, { id: 501, at: 60_000, request }, none).named.map(({ id }) => id), [501])
    assert.isFalse(Asked.remember(many, { id: 501, at: 60_000, request }, none).many)
  })

  it("keeps in mind what was asked for as long as a dialog for it may come", () => {
    const first = Asked.remember(Asked.nothingAsked, { id: 1, at: 0, request }, { dialog: null, until: null })
    const ids = (list: Asked.Asked) => list.named.map(({ id }) => id)
    const next = (time: number, where: Pick<Asked.Standing, "dialog" | "until">) => ids(Asked.remember(first, { id: 2, at: time, request }, where))
    assert.deepStrictEqual(next(4_000, { dialog: null, until: null }), [1, 2])
    assert.deepStrictEqual(next(60_000, { dialog, until: null }), [1, 2])
    assert.deepStrictEqual(next(60_000, { dialog: null, until: 59_000 }), [1, 2])
    assert.deepStrictEqual(next(60_000, { dialog: null, until: 50_000 }), [2])
  })

  it.prop(
    "only what is granted is ever answered, and only a permission dialog with a plain yes",
    [
      Schema.Array(Schema.Struct({ at: Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 30_000 })), decision: Decision, told: Schema.Boolean })),
      Dialog, SessionState, Decision, Schema.NullOr(Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 30_000 })))
    ],
    ([list, seen, state, unknown, userKeyAt]) => {
      const requests = list.map((one, id) => named({ id, at: one.at, told: one.told ? { at: one.at, how: "asked" } : null }))
      const decide = (one: Asked.NamedRequest) => list[one.id]?.decision ?? ask
      const step = Asked.consider(asked(...requests), standing({ dialog: seen, state, userKeyAt }), at, leap(decide, unknown))
      if (step._tag !== "Answer") return
      assert.isTrue(list.every(({ decision, told }) => told && decision.verdict === "allow"))
      assert.strictEqual(step.decision.verdict, "allow")
      assert.strictEqual(seen.kind, "permission")
      assert.isTrue(seen.options.some(({ label }) => label === "Yes"))
      assert.isTrue(userKeyAt === null || at - userKeyAt >= 1_000)
    }
  )
})

describe("which hooks are to wait", () => {
  const decisions = [{ event: "PermissionRequest", verdicts: ["allow", "deny"] as const }, { event: "PreToolUse", verdicts: ["ask", "deny"] as const }, { event: "Elicitation", verdicts: [] }]
  const rule = [{ tool: "Bash" }]

  it.each([
    ["H13: pause, nothing configured", noPolicy, "pause", []],
    ["H13: always", noPolicy, "always", ["PermissionRequest"]],
    ["allow rules", { ...noPolicy, allow: rule }, "pause", ["PermissionRequest"]],
    ["deny rules", { ...noPolicy, deny: rule }, "pause", ["PermissionRequest", "PreToolUse"]],
    ["ask rules", { ...noPolicy, ask: rule }, "pause", ["PreToolUse"]],
    ["always, with ask rules", { ...noPolicy, ask: rule }, "always", ["PermissionRequest", "PreToolUse"]]
  ] as const)("%s", (_, policy, mode, events) => {
    assert.deepStrictEqual(Asked.listening(decisions, policy, mode), events)
  })

  it("an unknown request is granted only where no rule could be meant for it", () => {
    assert.deepStrictEqual(Asked.decideUnknown(noPolicy, "always").verdict, "allow")
    assert.deepStrictEqual(Asked.decideUnknown({ ...noPolicy, allow: rule }, "always").verdict, "allow")
    for (const policy of [{ ...noPolicy, deny: rule }, { ...noPolicy, ask: rule }]) assert.strictEqual(Asked.decideUnknown(policy, "always").verdict, "ask")
    for (const policy of [noPolicy, { ...noPolicy, allow: rule }]) assert.strictEqual(Asked.decideUnknown(policy, "pause").verdict, "ask")
  })

  it("paths that cannot be followed are granted nothing", () => {
    assert.strictEqual(Asked.whenUnsure(allow).verdict, "ask")
    assert.strictEqual(Asked.whenUnsure(deny), deny)
    assert.isTrue(Asked.looksAtPaths({ ...noPolicy, ask: [{ path: "/etc/**" }] }))
    assert.isFalse(Asked.looksAtPaths({ ...noPolicy, ask: rule }))
  })

  it.each([["Yes", "allow"], ["Yes, and don't ask again for Write", "allow"], ["No", "deny"], ["No, and tell it why", "deny"], ["Reject", "deny"], ["Allow once", "allow"], ["Nothing else", "allow"]])(
    "a person who answers %s means %s",
    (option, verdict) => assert.strictEqual(Asked.answeredVerdict(option), verdict)
  )
})
