import { assert, describe, it } from "@effect/vitest"
import { Schema } from "effect"
import { awaitedEvents } from "../../../../src/domain/engine/approvals/HookRules.ts"
import type { Judge } from "../../../../src/domain/engine/approvals/decideUncertain.ts"
import { decide } from "../../../../src/domain/engine/approvals/HookRules.ts"
import { requestOfHook } from "../../../../src/domain/engine/approvals/requestIn.ts"
import type { Command } from "../../../../src/domain/engine/machine/Command.ts"
import * as Driver from "../../../../src/domain/engine/machine/Driver.ts"
import type { MachineEvent } from "../../../../src/domain/engine/machine/MachineEvent.ts"
import * as SessionMachine from "../../../../src/domain/engine/machine/SessionMachine.ts"
import { emptyQueue } from "../../../../src/domain/engine/queue/Queue.ts"
import { claudePermissions } from "../../../../src/domain/providers/claude/Permissions.ts"
import { noPolicy, type Policy } from "../../../../src/domain/store/settings/Settings.ts"
import { defaultModes } from "../../../../src/domain/words/session/Session.ts"
import { input } from "../../../support/session/SimulatedCli.ts"

const events = ["PermissionRequest", "PreToolUse", "PostToolUse"] as const
const verdicts = ["allow", "ask", "deny"] as const
const policies: ReadonlyArray<Policy> = [
  noPolicy,
  { ...noPolicy, deny: [{ command: "deny *" }] },
  { ...noPolicy, ask: [{ command: "ask *" }], deny: [{ path: "~/.ssh/**" }] },
  { ...noPolicy, allow: [{ command: "allow *" }] }
]
/** Decides as the first word of the command says. */
const judge: Judge = (_mode, { command }) => {
  const verdict = verdicts.find((one) => command?.startsWith(one)) ?? "ask"
  return { verdict, rule: `the rule to ${verdict}`, why: "the rule" }
}

/** A session whose hooks, rules and log are in the test's hands. */
const session = () => {
  const driver = Driver.driver({
    detection: { capabilities: { programStatus: false, ownStatus: false, turnHooks: true, firstHook: "start" } },
    input,
    permissions: claudePermissions
  })
  let memory = SessionMachine.start({ at: 0, modes: defaultModes, queue: emptyQueue })
  let at = 0
  const told: Array<readonly [id: number, line: string | null]> = []
  const asked: Array<string> = []
  const execute = (command: Command): MachineEvent | null => {
    if (command._tag === "Reply") told.push([command.id, command.line])
    if (command._tag === "AwaitHooks") asked.push(command._tag)
    if (command._tag === "Restate") return command.event
    if (command._tag !== "Decide") return null
    const decision = decide(memory.approvals, memory.tracker.facts.modes.autoSend, command.request, command.certain)
    return { _tag: "PermissionDecided", at, id: command.id, decision }
  }
  const take = (event: MachineEvent): void => {
    memory = driver.drain(memory, event, (command, after) => {
      memory = after
      return execute(command)
    })
  }
  return {
    told,
    memory: () => memory,
    take,
    rules: (policy: Policy) => take({ _tag: "RulesRead", at, policy, judge, restrictions: 0 }),
    come: (id: number, event: string, command: string, nested = false) => {
      const payload = { tool_name: "Bash", tool_input: { command }, cwd: "/w" }
      const { policy } = memory.approvals.hooks
      const hook = { event, payload, flaw: null, nested }
      const asks = requestOfHook(claudePermissions, policy, hook, { asksNobody: false, directory: "/w" })
      if (asks !== null) take({ _tag: "PermissionRequested", at, id, event, ...asks })
      return asks
    },
    /** Lets time pass to the moment for which the machine wants to be woken; what it has asked of its hooks since. */
    wait: (ms: number) => {
      at += ms
      take({ _tag: "Tick", at })
    },
    asked: () => asked.splice(0)
  }
}

describe("rules that cannot be put where hooks read them", () => {
  it("are put again until they are, one try at a time, and the session is told once of each change", () => {
    const s = session()
    const placed = (placed: boolean) => s.take({ _tag: "HooksPlaced", at: 0, placed })
    const isUnplaced = () => s.memory().tracker.facts.hooks.unplaced.length > 0
    s.rules(policies[1] ?? noPolicy)
    assert.deepStrictEqual(s.asked(), ["AwaitHooks"])
    placed(false)
    assert.isTrue(isUnplaced())
    placed(false)
    s.wait(2_999)
    assert.deepStrictEqual(s.asked(), [])
    s.wait(1)
    assert.deepStrictEqual(s.asked(), ["AwaitHooks"])
    placed(false)
    placed(true)
    assert.isFalse(isUnplaced())
    s.wait(60_000)
    assert.deepStrictEqual(s.asked(), [])
  })
})

const int = (maximum: number) => Schema.Int.check(Schema.isBetween({ minimum: 0, maximum }))
const Op = Schema.Struct({
  what: Schema.Literals(["come", "come", "come", "taken", "free", "follow", "rules", "audit", "mode"]),
  event: Schema.Literals(events),
  verdict: Schema.Literals(verdicts),
  is: Schema.Boolean,
  policy: int(policies.length - 1)
})

describe("laws of the hooks that wait", () => {
  it.prop(
    "each is told one line, no grant while the log is written, all else at once; who waits is announced",
    [Schema.Array(Op).check(Schema.isMinLength(50), Schema.isMaxLength(80))],
    ([ops]) => {
      const s = session()
      s.rules(noPolicy)
      const came = new Map<number, { readonly verdict: string; readonly event: string }>()
      const open = new Set<number>()
      const lineOf = (id: number) => s.told.filter(([other]) => other === id)
      let always = false
      let policy = noPolicy
      let id = 0
      for (const { event, is, policy: index, verdict, what } of ops) {
        const isBusy = () => s.memory().log.busy !== null
        const before = s.told.length
        if (what === "come") {
          const asks = s.come(++id, event, `${verdict} x`)
          if (asks === null || event === "PostToolUse") continue
          came.set(id, { verdict, event })
          if (!asks.inspected) open.add(id)
          const isGrant = verdict === "allow" && s.memory().approvals.auditable
          if (asks.inspected && !(isGrant && isBusy())) assert.lengthOf(lineOf(id), 1, "told at once")
        }
        if (what === "follow")
          for (const one of open) {
            const request = s.memory().approvals.pending.list.find((pending) => pending.id === one)?.request
            open.delete(one)
            if (request !== undefined) s.take({ _tag: "PermissionInspected", at: 0, id: one, request, certain: is })
          }
        if (what === "taken" && !isBusy()) s.take({ _tag: "LogTaken", at: 0 })
        if (what === "free" && isBusy()) s.take({ _tag: "LogFree", at: 0 })
        if (what === "rules") s.rules((policy = policies[index] ?? noPolicy))
        if (what === "audit") s.take({ _tag: "AuditChanged", at: 0, auditable: is })
        if (what === "mode") {
          always = is
          s.take({ _tag: "ModesChanged", at: 0, modes: { ...defaultModes, autoSend: is ? "always" : "pause" } })
        }
        if (isBusy())
          for (const [, line] of s.told.slice(before)) assert.notInclude(line ?? "", '"allow"', "granted unwritten")
        const { auditable, hooks } = s.memory().approvals
        const mode = always ? "always" : "pause"
        assert.deepStrictEqual(
          hooks.awaited.events,
          auditable ? awaitedEvents(claudePermissions.decisions, policy, mode) : []
        )
      }
      // The log is written in the end, and every path followed.
      s.take({ _tag: "LogFree", at: 0 })
      for (const one of open) {
        const request = s.memory().approvals.pending.list.find((pending) => pending.id === one)?.request
        if (request !== undefined) s.take({ _tag: "PermissionInspected", at: 0, id: one, request, certain: true })
      }
      for (const one of came.keys()) assert.lengthOf(lineOf(one), 1, "told once")
    }
  )
})
