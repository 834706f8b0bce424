import { assert, describe, it } from "@effect/vitest"
import { Schema } from "effect"
import type { ApprovalEvent } from "../../../../src/domain/engine/approvals/ApprovalEvent.ts"
import { awaitedEvents } from "../../../../src/domain/engine/approvals/awaitedEvents.ts"
import * as HookReplies from "../../../../src/domain/engine/approvals/HookReplies.ts"
import { claudePermissions } from "../../../../src/domain/providers/claude/Permissions.ts"
import type { Verdict } from "../../../../src/domain/rules/policy/Decision.ts"
import { noPolicy, type Policy } from "../../../../src/domain/rules/settings/Settings.ts"
import { each } from "../../../support/data/fields.ts"

type Hook = HookReplies.DeliveredHook
type Command = HookReplies.HookReplyCommand<Hook>
type Context = HookReplies.HookReplyContext

const events = ["PermissionRequest", "PreToolUse", "PostToolUse"] as const
const verdicts = ["allow", "ask", "deny"] as const
const policies: ReadonlyArray<Policy> = [
  noPolicy,
  { ...noPolicy, deny: [{ command: "deny *" }] },
  { ...noPolicy, ask: [{ command: "ask *" }], deny: [{ path: "~/.ssh/**" }] },
  { ...noPolicy, allow: [{ command: "allow *" }] }
]
/** Decides as the first word of the command says. */
const judge: HookReplies.HookReplies<Hook>["judge"] = (_mode, { command }) => {
  const verdict = verdicts.find((one) => command?.startsWith(one)) ?? "ask"
  return { verdict, rule: `the rule to ${verdict}`, why: "the rule" }
}
const given: Context = {
  now: 0,
  mode: "always",
  directory: "/w",
  asksNobody: false,
  session: { tag: "work", clis: ["claude"] }
}
const ruled = (policy: Policy) =>
  HookReplies.step<Hook>(claudePermissions, HookReplies.start, { _tag: "RulesRead", policy, judge }, given).replies
const hookOf = (sequence: number, event: string, command: string, nested = false): Hook => ({
  event,
  payload: { tool_name: "Bash", tool_input: { command }, cwd: "/w" },
  flaw: null,
  sequence,
  nested
})

/** Hooks in the test's hands: what they were told, and what the machine heard. */
const hooks = (policy: Policy) => {
  let replies: HookReplies.HookReplies<Hook> = ruled(policy)
  let context = given
  const told: Array<readonly [id: number, line: string | null]> = []
  const heard: Array<ApprovalEvent> = []
  const asked: Array<Exclude<Command["_tag"], "Offer" | "Tell">> = []
  return {
    told,
    heard,
    asked,
    replies: () => replies,
    mode: (mode: Context["mode"]) => (context = { ...context, mode }),
    context: () => context,
    take: (event: HookReplies.HookReplyEvent<Hook>) => {
      const next = HookReplies.step(claudePermissions, replies, event, context)
      replies = next.replies
      for (const command of next.commands)
        if (command._tag === "Offer") heard.push(command.event)
        else if (command._tag === "Tell") told.push([command.id, command.line])
        else asked.push(command._tag)
    }
  }
}

const lineOf = (event: string, verdict: Verdict) => claudePermissions.reply(event, verdict, "the rule")

describe("a hook that waits", () => {
  it.each<readonly [what: string, command: string, event: string, line: Verdict | null]>([
    ["is refused by the deadline what a rule denies", "deny x", "PermissionRequest", "deny"],
    ["is told by the deadline that a rule asks, where that is heeded", "ask x", "PreToolUse", "ask"],
    ["is not told what the CLI would ask anyway", "ask x", "PermissionRequest", null],
    ["is granted nothing but by the machine", "allow x", "PermissionRequest", null]
  ])("%s", (_, command, event, verdict) => {
    const h = hooks(policies[1] ?? noPolicy)
    h.take({ _tag: "HookCame", hook: hookOf(1, event, command) })
    h.take({ _tag: "PathsFollowed", id: 1, request: h.replies().waiting[0]!.request, certain: true })
    h.take({ _tag: "ReplyDue", id: 1 })
    assert.deepStrictEqual(h.told, verdict === null ? [] : [[1, lineOf(event, verdict)]])
  })

  it.each<readonly [what: string, flow: ReadonlyArray<"due" | "same" | "other" | "taken" | "late">, outcome: string]>([
    ["the machine's line, which the CLI has taken", ["same", "taken"], "taken"],
    ["that line too late", ["same", "late"], "late"],
    ["by the deadline what the machine says behind it", ["due", "taken", "same"], "taken"],
    ["that line, whose outcome comes behind the machine's", ["due", "same", "taken"], "taken"],
    ["another line by the deadline", ["due", "taken", "other"], "late"],
    ["another line, whose outcome comes last", ["due", "other", "taken"], "late"]
  ])("is told once, and the machine hears once: %s", (_, flow, outcome) => {
    const h = hooks(policies[1] ?? noPolicy)
    const line = lineOf("PermissionRequest", "deny")
    h.take({ _tag: "HookCame", hook: hookOf(7, "PermissionRequest", "deny x") })
    for (const one of flow)
      if (one === "due") h.take({ _tag: "ReplyDue", id: 7 })
      else if (one === "taken" || one === "late") h.take({ _tag: "HookTold", id: 7, outcome: one })
      else h.take({ _tag: "MachineReplied", id: 7, line: one === "same" ? line : "another" })
    assert.deepStrictEqual(h.told, [[7, line]])
    assert.deepStrictEqual(
      h.heard.flatMap((event) => (event._tag === "PermissionReplied" ? [[event.id, event.outcome]] : [])),
      [[7, outcome]]
    )
    assert.deepStrictEqual(h.replies().waiting, [])
  })
})

describe("rules that cannot be put where hooks read them", () => {
  it("are put again until they are, one try at a time, and the session is told once of each change", () => {
    const h = hooks(noPolicy)
    const since = (event: HookReplies.HookReplyEvent<Hook>) => {
      const before = h.asked.length
      h.take(event)
      return h.asked.slice(before)
    }
    assert.deepStrictEqual(since({ _tag: "RulesRead", policy: policies[1] ?? noPolicy, judge }), ["Announce"])
    assert.deepStrictEqual(since({ _tag: "Announced", placed: false }), ["TellPlaced", "AnnounceAgain"])
    assert.deepStrictEqual(since({ _tag: "Announced", placed: false }), [])
    assert.deepStrictEqual(since({ _tag: "AnnounceDue" }), ["Announce"])
    assert.deepStrictEqual(since({ _tag: "Announced", placed: false }), ["AnnounceAgain"])
    assert.deepStrictEqual(since({ _tag: "Announced", placed: true }), ["TellPlaced"])
    assert.deepStrictEqual(since({ _tag: "AnnounceDue" }), [])
    assert.deepStrictEqual(since({ _tag: "Announced", placed: true }), [])
  })
})

const int = (maximum: number) => Schema.Int.check(Schema.isBetween({ minimum: 0, maximum }))
const Op = Schema.Struct({
  what: Schema.Literals(["come", "come", "follow", "due", "reply", "told", "rules", "audit", "mode", "anew"]),
  id: int(2),
  event: Schema.Literals(events),
  verdict: Schema.Literals(verdicts),
  is: Schema.Boolean,
  policy: int(policies.length - 1),
  outcome: Schema.Literals(["taken", "late"])
})

describe("laws of the hooks that wait", () => {
  it.prop(
    "each is told one line, a grant by the machine alone; the machine hears once of each; who waits is announced",
    [Schema.Array(Op).check(Schema.isMinLength(50), Schema.isMaxLength(80))],
    ([ops]) => {
      const h = hooks(noPolicy)
      const came = new Map<number, Hook>()
      const replied = new Map<number, string | null>()
      let policy = noPolicy
      for (const { event, id, is, outcome, policy: index, verdict, what } of ops) {
        const before = h.told.length
        if (what === "come" && !came.has(id)) {
          const hook = hookOf(id, event, `${verdict} x`, is && verdict === "ask")
          came.set(id, hook)
          h.take({ _tag: "HookCame", hook })
        }
        const one = h.replies().waiting.find((waiting) => waiting.id === id)
        if (what === "follow" && one !== undefined)
          h.take({ _tag: "PathsFollowed", id, request: one.request, certain: is })
        if (what === "due") h.take({ _tag: "ReplyDue", id })
        if (what === "reply" && one !== undefined && !replied.has(id)) {
          replied.set(id, is ? lineOf(one.event, verdict) : null)
          h.take({ _tag: "MachineReplied", id, line: replied.get(id) ?? null })
        }
        if (what === "told" && h.told.some(([other]) => other === id)) h.take({ _tag: "HookTold", id, outcome })
        if (what === "rules") h.take({ _tag: "RulesRead", policy: (policy = policies[index] ?? noPolicy), judge })
        if (what === "audit") h.take({ _tag: "AuditChanged", auditable: is })
        if (what === "mode") h.mode(is ? "always" : "pause")
        if (what === "anew") h.take({ _tag: "Reconsidered" })
        for (const [other, line] of h.told.slice(before))
          if (!replied.has(other)) assert.isFalse(line?.includes('"allow"') ?? false, "granted without the machine")
        if (what === "anew" || what === "rules" || what === "audit")
          assert.deepStrictEqual(
            h.replies().announced.events,
            h.replies().auditable ? awaitedEvents(claudePermissions.decisions, policy, h.context().mode) : []
          )
      }
      // The machine comes to all of them in the end, and each line has its outcome.
      for (const { id } of h.replies().waiting) {
        h.take({ _tag: "ReplyDue", id })
        if (!replied.has(id)) h.take({ _tag: "MachineReplied", id, line: null })
        h.take({ _tag: "HookTold", id, outcome: "taken" })
      }
      assert.deepStrictEqual(h.replies().waiting, [])
      const waits = [...came.values()].filter(({ event }) => event !== "PostToolUse")
      assert.deepStrictEqual(
        h.told.map(([id]) => id).toSorted((a, b) => a - b),
        each(waits, "sequence").toSorted((a, b) => a - b)
      )
      assert.deepStrictEqual(
        h.heard.flatMap((event) => (event._tag === "PermissionReplied" ? [event.id] : [])).toSorted((a, b) => a - b),
        [...replied].flatMap(([id, line]) => (line === null ? [] : [id])).toSorted((a, b) => a - b)
      )
    }
  )
})
