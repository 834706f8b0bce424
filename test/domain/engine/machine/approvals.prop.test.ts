import { assert, describe, it } from "@effect/vitest"
import { Equal, Schema } from "effect"
import type { AuditNote } from "../../../../src/domain/engine/approvals/ApprovalCommand.ts"
import type { Command } from "../../../../src/domain/engine/machine/Command.ts"
import * as Driver from "../../../../src/domain/engine/machine/Driver.ts"
import type { MachineEvent } from "../../../../src/domain/engine/machine/MachineEvent.ts"
import * as SessionMachine from "../../../../src/domain/engine/machine/SessionMachine.ts"
import type { Decision, Verdict } from "../../../../src/domain/policy/Decision.ts"
import type { ToolRequest } from "../../../../src/domain/policy/ToolRequest.ts"
import type { PermissionProtocol } from "../../../../src/domain/cli/provider/PermissionProtocol.ts"
import { emptyQueue } from "../../../../src/domain/engine/queue/Queue.ts"
import { blankFacts, type Dialog } from "../../../../src/domain/words/session/Screen.ts"
import { defaultModes } from "../../../../src/domain/words/session/Session.ts"
import { input } from "../../../support/session/SimulatedCli.ts"
import { rowsOf } from "../../../support/data/fields.ts"

/** The commands that a CLI asks for; what rules and mode say to each is the test's. */
const commands = ["ls", "npm test", "git push", "rm -rf x"] as const
const Which = Schema.Literals([0, 1, 2, 3])
const Verdicts = Schema.Literals(["allow", "ask", "deny"])

const Op = Schema.TaggedUnion({
  /** A hook asks for a command: one that can be granted, one that can only object, or one that nobody waits for. */
  Ask: {
    which: Which,
    event: Schema.Literals(["PermissionRequest", "PreToolUse", "Elicitation"]),
    paths: Schema.Boolean
  },
  /** Where the paths of the oldest request lead is known now. */
  Inspect: { certain: Schema.Boolean },
  /** A hook that was answered has taken its answer, or gave up before. */
  Reply: { taken: Schema.Boolean },
  /** The whole of it, with an answer that comes too late: its dialog is drawn and stands for a while. */
  LateAsk: { which: Which, span: Schema.Literals([500, 900, 3_000]) },
  Dialog: { which: Which, kind: Schema.Literals(["permission", "permission", "question"]) },
  Gone: {},
  /** The keys in a dialog were pressed. */
  Pressed: { took: Schema.Boolean },
  UserKey: {},
  Mode: { always: Schema.Boolean },
  Rule: { which: Which, verdict: Schema.NullOr(Verdicts) },
  Audit: { sound: Schema.Boolean },
  Wait: { span: Schema.Literals([10, 500, 900, 3_000, 12_000]) }
})
type Op = typeof Op.Type

const protocol: PermissionProtocol = {
  decisions: [
    { event: "PermissionRequest", verdicts: ["allow", "deny"] },
    { event: "PreToolUse", verdicts: ["ask", "deny"] },
    { event: "Elicitation", verdicts: [] }
  ],
  request: () => null,
  reply: (event, verdict, why) => `${event} ${verdict} ${why}`,
  plainYes: ({ options }) => (options.some(({ label }) => label === "Yes") ? "1" : null)
}
const heeds = (event: string): ReadonlyArray<Verdict> =>
  protocol.decisions.find((one) => one.event === event)?.verdicts ?? []

const dialogFor = (which: number, kind: Dialog["kind"]): Dialog => ({
  kind,
  title: `Run ${commands[which]}?`,
  ...(commands[which] === undefined ? {} : { subject: commands[which] }),
  options: ["Yes", "No"].map((label, i) => ({ number: i + 1, label, selected: i === 0 }))
})

/** A session whose world is the test's, which holds every command of its machine against the laws. */
const play = (ops: ReadonlyArray<Op>) => {
  const driver = Driver.driver({
    detection: { capabilities: { programStatus: false, ownStatus: false, turnHooks: true } },
    input,
    permissions: protocol
  })
  let memory = SessionMachine.start({ at: 0, modes: defaultModes, queue: emptyQueue })
  let now = 0
  let ids = 0
  let always = false
  let sound = true
  const rules: Array<Verdict | null> = [null, null, null, null]
  const requests = new Map<number, { readonly which: number; readonly event: string }>()
  const uninspected: Array<number> = []
  const replies: Array<{ readonly id: number; readonly line: string | null }> = []
  const unheard: Array<number> = []
  const answered: Array<{ readonly since: number | null; readonly dialog: Dialog }> = []
  const notes: Array<AuditNote> = []
  let pressing = 0
  let dialog: Dialog | null = null
  let keyAt = -Infinity

  const hasRules = () => rules.some((rule) => rule !== null)
  /** What rules and mode say to a command now. */
  const judge = (which: number): Decision => {
    const verdict = rules[which] ?? null
    if (verdict !== null) return { verdict, rule: `rule ${which}`, why: `rule for ${commands[which]}` }
    return always
      ? { verdict: "allow", rule: null, why: `mode for ${commands[which]}` }
      : { verdict: "ask", rule: null, why: `nothing for ${commands[which]}` }
  }
  const unknown = (): Decision => ({
    verdict: always && !rules.some((rule) => rule === "deny" || rule === "ask") ? "allow" : "ask",
    rule: null,
    why: "nobody knows what for"
  })
  const whichOf = (request: ToolRequest) => commands.findIndex((command) => command === request.command)

  const execute = (command: Command): MachineEvent | null => {
    switch (command._tag) {
      case "Decide": {
        const decision = command.request === null ? unknown() : judge(whichOf(command.request))
        if (command.id !== null && command.request !== null)
          assert.strictEqual(
            requests.get(command.id)?.which,
            whichOf(command.request),
            "a request is decided as itself"
          )
        return { _tag: "PermissionDecided", at: now, id: command.id, decision }
      }
      case "Reply": {
        assert.isFalse(
          replies.some(({ id }) => id === command.id),
          "a hook is answered once"
        )
        replies.push(command)
        const { event, which } = requests.get(command.id)!
        if (command.line !== null) {
          // the decision was made for this request, by what holds now, and the CLI heeds it
          const { verdict, why } = judge(which)
          assert.strictEqual(command.line, protocol.reply(event, verdict, why))
          assert.include(heeds(event), verdict)
          unheard.push(command.id)
        }
        return null
      }
      case "AnswerDialog": {
        const { facts, view } = memory.tracker
        assert.isTrue(Equal.equals(command.dialog, dialog), "the dialog that was decided on is the one on the screen")
        assert.strictEqual(command.dialog.kind, "permission")
        assert.strictEqual(command.answer, protocol.plainYes(command.dialog))
        assert.isTrue(sound, "nothing is answered that cannot be written down")
        assert.isTrue(always || hasRules(), "leap has something to say")
        assert.isAtLeast(now - keyAt, 1_000, "a user at the keys goes first")
        assert.strictEqual(pressing, 0, "one dialog at a time")
        const since = facts.visibleSince.question
        assert.isFalse(
          answered.some((one) => one.since === since),
          `a question is answered once (${view.state})`
        )
        answered.push({ since, dialog: command.dialog })
        pressing++
        // whatever the dialog is for: every request that could be meant is granted by what holds now
        const { list, overflowed } = memory.approvals.pending
        assert.isFalse(overflowed)
        for (const { id } of list) assert.strictEqual(judge(requests.get(id)!.which).verdict, "allow")
        for (const { reply } of list) assert.strictEqual(reply._tag, "Closed")
        // and one of them is the one it shows, unless everything is granted
        const shown = list.some(({ id }) => commands[requests.get(id)!.which] === command.dialog.subject)
        if (!shown) assert.strictEqual(unknown().verdict, "allow", "a dialog gets no other request's answer")
        return null
      }
      case "Audit":
        notes.push(command.entry)
        return null
      default:
        return null
    }
  }
  const take = (event: MachineEvent): void => {
    memory = driver.drain(memory, event, (command, after) => {
      memory = after
      return execute(command)
    })
  }
  const draw = (): void =>
    take({
      _tag: "Output",
      at: now,
      screen: { ...blankFacts, blank: false, box: dialog === null ? { draft: "" } : null, dialog }
    })
  const wait = (span: number): void => {
    const end = now + span
    for (let due = SessionMachine.wakeAt(memory); due !== null && due <= end; due = SessionMachine.wakeAt(memory)) {
      assert.isAbove(due, now - 1)
      now = Math.max(due, now)
      take({ _tag: "Tick", at: now })
    }
    now = end
  }
  const policy = (): void => take({ _tag: "PolicyChanged", at: now, rules: hasRules(), auditable: sound })
  const apply = (op: Op): void => {
    switch (op._tag) {
      case "Ask": {
        const id = ++ids
        requests.set(id, { which: op.which, event: op.event })
        if (op.paths) uninspected.push(id)
        const paths = op.paths ? ["/p/x"] : []
        const request: ToolRequest = {
          tool: "Bash",
          kind: "command",
          command: commands[op.which],
          paths,
          url: null,
          agent: null,
          cwd: "/p"
        }
        take({
          _tag: "PermissionRequested",
          at: now,
          id,
          event: op.event,
          request,
          heeds: heeds(op.event),
          inspected: !op.paths
        })
        return
      }
      case "Inspect": {
        const id = uninspected.shift()
        const one = memory.approvals.pending.list.find((one) => one.id === id)
        if (id === undefined || one === undefined) return
        const request = { ...one.request, realPaths: op.certain ? ["/p/x"] : [] }
        return take({ _tag: "PermissionInspected", at: now, id, request, certain: op.certain })
      }
      case "Reply": {
        const id = unheard.shift()
        if (id === undefined) return
        return take({ _tag: "PermissionReplied", at: now, id, outcome: op.taken ? "taken" : "late" })
      }
      case "LateAsk":
        apply({ _tag: "Ask", which: op.which, event: "PermissionRequest", paths: false })
        apply({ _tag: "Reply", taken: false })
        apply({ _tag: "Dialog", which: op.which, kind: "permission" })
        return wait(op.span)
      case "Dialog":
        dialog = dialogFor(op.which, op.kind)
        return draw()
      case "Gone":
        dialog = null
        return draw()
      case "Pressed":
        if (pressing === 0) return
        pressing--
        return take({ _tag: "DialogAnswered", at: now, why: op.took ? null : "it did not react" })
      case "UserKey":
        keyAt = now
        return take({ _tag: "Input", at: now, keys: ["navigate"], by: "user" })
      case "Mode":
        always = op.always
        return take({
          _tag: "ModesChanged",
          at: now,
          modes: { ...defaultModes, autoSend: op.always ? "always" : "pause" }
        })
      case "Rule":
        rules[op.which] = op.verdict
        return policy()
      case "Audit":
        sound = op.sound
        return policy()
      case "Wait":
        return wait(op.span)
    }
  }
  policy()
  draw()
  for (const op of ops) {
    apply(op)
    // a question that has gone may come again
    const stands = memory.tracker.facts.visibleSince.question
    if (stands === null) answered.length = 0
  }
  return { answered, memory, notes, replies, requests, unheard, uninspected, wait }
}

describe("leap's answers to requests for permission", () => {
  it.prop(
    "are given once each, to the request and the dialog they were made for, by what holds at that moment",
    [Schema.Array(Op).check(Schema.isMinLength(12), Schema.isMaxLength(40))],
    ([ops]) => {
      const { notes, replies, requests, unheard, uninspected } = play(ops)
      // no hook that waits is forgotten, and each answer that was heard is written down once
      const open = new Set(uninspected)
      for (const [id, { event }] of requests) {
        const count = replies.filter((reply) => reply.id === id).length
        assert.strictEqual(count, heeds(event).length === 0 || open.has(id) ? 0 : 1, `request ${id} by ${event}`)
      }
      const spoken = replies.filter(({ id, line }) => line !== null && !unheard.includes(id)).length
      assert.strictEqual(
        notes.filter(({ event, told }) => event !== "screen" && told === "hook").length <= spoken,
        true
      )
      for (const { by, rule, verdict } of notes) {
        if (by === "rule") assert.isNotNull(rule)
        if (by === "mode") assert.strictEqual(verdict, "allow")
      }
    },
    { arbitrary: { runs: 2_000 } }
  )

  const ask = (which: 0 | 1 | 2 | 3, paths = false): Op => ({ _tag: "Ask", which, event: "PermissionRequest", paths })
  const wait = (span: 10 | 500 | 900 | 3_000 | 12_000): Op => ({ _tag: "Wait", span })

  it("reach the dialog of a request whose hook came too late, in a mode that grants it", () => {
    const { answered, notes } = play([
      { _tag: "Mode", always: true },
      ask(1),
      { _tag: "Reply", taken: false },
      { _tag: "Dialog", which: 1, kind: "permission" },
      wait(3_000),
      { _tag: "Pressed", took: true }
    ])
    assert.deepStrictEqual(
      answered.map(({ dialog }) => dialog.title),
      ["Run npm test?"]
    )
    assert.deepStrictEqual(rowsOf(notes, "event", "verdict", "told"), [
      ["PermissionRequest", "allow", "no"],
      ["screen", "allow", "key"]
    ])
  })

  it("are withdrawn when mode or rules change before they are given", () => {
    for (const change of [
      { _tag: "Mode", always: false },
      { _tag: "Rule", which: 1, verdict: "deny" },
      { _tag: "Audit", sound: false }
    ] as const) {
      const { answered } = play([
        { _tag: "Mode", always: true },
        ask(1),
        { _tag: "Reply", taken: false },
        { _tag: "Dialog", which: 1, kind: "permission" },
        wait(500),
        change,
        wait(12_000)
      ])
      assert.deepStrictEqual(answered, [], change._tag)
    }
  })

  it("wait until it is known where the paths of a request lead", () => {
    const before: ReadonlyArray<Op> = [{ _tag: "Mode", always: true }, ask(1, true), wait(900)]
    assert.deepStrictEqual(play(before).replies, [])
    const [reply] = play([...before, { _tag: "Inspect", certain: true }]).replies
    assert.strictEqual(reply?.line, "PermissionRequest allow mode for npm test")
  })

  it("let every hook go when more wait at once than are remembered", () => {
    const { memory, replies } = play(Array.from({ length: 2_050 }, () => ask(0, true)))
    assert.isTrue(memory.approvals.pending.overflowed)
    assert.strictEqual(memory.approvals.pending.list.length, 2_000)
    assert.strictEqual(replies.length, 50)
    assert.isTrue(replies.every(({ line }) => line === null))
  })

  it("refuse what a rule refuses, however many ask at once", () => {
    const { replies } = play([
      { _tag: "Rule", which: 3, verdict: "deny" },
      ...Array.from({ length: 300 }, () => ask(3))
    ])
    assert.strictEqual(replies.length, 300)
    assert.isTrue(replies.every(({ line }) => line === "PermissionRequest deny rule for rm -rf x"))
  })
})
