import { assert, describe, it } from "@effect/vitest"
import { Clock, Effect, Layer, Schema, SubscriptionRef } from "effect"
import { TestClock } from "effect/testing"
import type { AuditEntry } from "../../../src/domain/policy/AuditEntry.ts"
import type { Dialog } from "../../../src/domain/Screen.ts"
import { defaultModes, type Modes, type SessionState } from "../../../src/domain/Session.ts"
import * as SessionMachine from "../../../src/domain/SessionMachine.ts"
import { emptyQueue } from "../../../src/domain/Queue.ts"
import { defaultSettings, noPolicy, type Policy } from "../../../src/domain/settings/Settings.ts"
import { Tag } from "../../../src/domain/Tag.ts"
import { record as claude } from "../../../src/layers/providers/Claude.ts"
import { claudePermissions } from "../../../src/domain/claude/ClaudePermissions.ts"
import { makeApprovals } from "../../../src/programs/host/approvals.ts"
import { AuditLog, AuditLogError } from "../../../src/services/AuditLog.ts"
import { type HookDelivery, HookInbox } from "../../../src/services/HookInbox.ts"
import { RefusedError } from "../../../src/services/HostRpc.ts"
import { Machine } from "../../../src/services/Machine.ts"
import { UserSettings } from "../../../src/services/UserSettings.ts"
import { sessionStatus } from "../../support/sessionStatus.ts"

const provider = { ...claude, permissions: claudePermissions }
const tag = Schema.decodeUnknownSync(Tag)("work")
const dialog: Dialog = {
  kind: "permission",
  title: "Bash command: Do you want to proceed?",
  options: ["Yes", "Yes, and switch to auto mode", "No"].map((label, i) => ({ number: i + 1, label, selected: i === 0 }))
}

interface Given {
  readonly mode?: Modes["autoSend"]
  readonly policy?: Policy
  /** What the links lead to; null where nobody knows. */
  readonly links?: Readonly<Record<string, string | null>>
  /** What comes of pressing the keys. */
  readonly takes?: boolean
}

/** A session with everything around the approvals in the test's hands. */
const session = Effect.fnUntraced(function*({ links = {}, mode = "pause", policy = noPolicy, takes = true }: Given) {
  const start = SessionMachine.start({ at: 0, modes: { ...defaultModes, autoSend: mode }, queue: emptyQueue })
  let memory = start
  const status = yield* SubscriptionRef.make(sessionStatus({ tag: "work" }))
  const settings = yield* SubscriptionRef.make({ settings: { ...defaultSettings, policy }, warnings: [] as ReadonlyArray<string> })
  const disk = { broken: false }
  const log: Array<AuditEntry> = []
  const listed: Array<ReadonlyArray<string>> = []
  const pressed: Array<string> = []
  const decided: Array<string> = []
  const put = (change: { readonly dialog?: Dialog | null; readonly since?: number; readonly state?: SessionState; readonly mode?: Modes["autoSend"]; readonly userKeyAt?: number }) => {
    const { facts, view } = memory.tracker
    const shown = change.dialog === undefined ? facts.screen.dialog : change.dialog
    memory = {
      ...memory,
      tracker: {
        ...memory.tracker,
        view: { ...view, state: change.state ?? (shown === null ? "running" : "needs_permission") },
        facts: {
          ...facts,
          modes: { ...facts.modes, autoSend: change.mode ?? facts.modes.autoSend },
          userKeyAt: change.userKeyAt ?? facts.userKeyAt,
          screen: { ...facts.screen, dialog: shown },
          shown: { ...facts.shown, question: shown === null ? null : change.since ?? facts.shown.question }
        }
      }
    }
    return SubscriptionRef.set(status, sessionStatus({ tag: "work", state: memory.tracker.view.state }))
  }
  const layer = Layer.mergeAll(
    Layer.mock(HookInbox, { decides: (_spool, events) => Effect.sync(() => void listed.push(events ?? [])) }),
    Layer.mock(UserSettings, { file: "/settings.json", read: SubscriptionRef.get(settings), changes: Effect.succeed(SubscriptionRef.changes(settings)) }),
    Layer.mock(AuditLog, {
      append: (_tag, entry) => disk.broken ? Effect.fail(new AuditLogError({ file: "/audit", why: "the disk is full" })) : Effect.sync(() => void log.push(entry))
    }),
    Layer.mock(Machine, {
      env: { HOME: "/home/me" }, cwd: "/", pid: 1, version: "0", node: "24", self: [],
      realPath: (path) => Effect.sync(() => path in links ? links[path] ?? null : path) })
  )
  const approvals = yield* makeApprovals({
    tag, provider, spool: "/spool", cwd: "/home/me/app",
    runtime: { memory: () => memory, status },
    decided: Effect.sync(() => void decided.push("decided")),
    answer: (answer, expected) =>
      Effect.suspend(() => {
        pressed.push(answer)
        return takes ? Effect.succeed({ asked: expected ?? dialog, answer }) : Effect.fail(new RefusedError({ why: "the dialog did not react", exitCode: 5 }))
      })
  }).pipe(Effect.provide(layer))
  // What is forked gets its turn.
  const settle = TestClock.adjust("20 millis")
  yield* settle

  let sequence = 0
  /** A hook of the CLI's, and what it was told. */
  const hook = Effect.fnUntraced(function*(event: string, payload: object | null, more: { readonly nested?: boolean; readonly outcome?: "taken" | "late" | "open" } = {}) {
    const replies: Array<string | null> = []
    const delivery: HookDelivery = {
      event, payload, raw: "", at: 0, sequence: ++sequence, callerPid: 1, nested: more.nested ?? false,
      reply: (line) => Effect.suspend(() => {
        replies.push(line)
        return more.outcome === "open" ? Effect.never : Effect.succeed(more.outcome ?? "taken")
      })
    }
    yield* approvals.onHook(delivery)
    yield* settle
    return replies
  })
  const bash = (command: string) => ({ tool_name: "Bash", tool_input: { command }, cwd: "/home/me/app" })
  const ask = (command: string, more?: Parameters<typeof hook>[2]) => hook("PermissionRequest", bash(command), more)
  return {
    approvals, ask, bash, decided, disk, hook, listed, log, pressed, put, settle,
    setPolicy: (policy: Policy) => Effect.andThen(SubscriptionRef.set(settings, { settings: { ...defaultSettings, policy }, warnings: [] }), settle)
  }
})

const behavior = (line: string | null | undefined): unknown =>
  line === null || line === undefined ? line : (JSON.parse(line) as { hookSpecificOutput: { decision: { behavior: string } } }).hookSpecificOutput.decision.behavior
const denyRm: Policy = { ...noPolicy, deny: [{ command: "rm *", reason: "nothing is deleted here" }] }
const brief = ({ by, event, rule, told, verdict }: AuditEntry) => ({ by, event, rule: rule !== null, told, verdict })

describe("a request for leave", () => {
  it.effect("that is left to the user is written down at once, before what the user says to it", () =>
    Effect.gen(function*() {
      const { approvals, ask, log, settle } = yield* session({ policy: { ...noPolicy, ask: [{ tool: "Bash" }] } })
      assert.deepStrictEqual(yield* ask("ls", { outcome: "open" }), [null])
      assert.deepStrictEqual(log.map(({ by, verdict }) => [verdict, by]), [["ask", "rule"]])
      yield* approvals.answered(dialog, "No")
      yield* settle
      assert.deepStrictEqual(log.map(({ by, verdict }) => [verdict, by]), [["ask", "rule"], ["deny", "user"]])
    }).pipe(Effect.scoped))

  it.effect("H13: always: allowed in the hook, and written down after that", () =>
    Effect.gen(function*() {
      const { ask, decided, listed, log } = yield* session({ mode: "always" })
      assert.deepStrictEqual(listed, [["PermissionRequest"]])
      assert.deepStrictEqual((yield* ask("npm test")).map(behavior), ["allow"])
      assert.deepStrictEqual(log.map(brief), [{ by: "mode", event: "PermissionRequest", rule: false, told: "hook", verdict: "allow" }])
      assert.deepStrictEqual(decided, ["decided"], "the state machine knows that the dialog is about to go")
      yield* ask("npm test", { outcome: "late" })
      assert.strictEqual(decided.length, 1)
      assert.deepStrictEqual([log[0]?.request?.command, log[0]?.tag, log[0]?.cli], ["npm test", "work", "claude"])
    }).pipe(Effect.scoped))

  it.effect("H13: pause, nothing configured: no hook waits, nothing is decided or written", () =>
    Effect.gen(function*() {
      const { ask, listed, log } = yield* session({})
      assert.deepStrictEqual(listed, [])
      assert.deepStrictEqual(yield* ask("npm test", { outcome: "late" }), [null])
      assert.deepStrictEqual(log, [])
    }).pipe(Effect.scoped))

  it.effect("a deny rule refuses, tells the model why, and the audit names the rule, in every mode", () =>
    Effect.gen(function*() {
      for (const mode of ["pause", "always"] as const) {
        const { ask, listed, log } = yield* session({ mode, policy: denyRm })
        assert.deepStrictEqual(listed, [["PermissionRequest", "PreToolUse"]])
        const [line] = yield* ask("rm -rf build")
        assert.strictEqual(behavior(line), "deny")
        assert.include(line ?? "", "nothing is deleted here")
        assert.deepStrictEqual(log.map(brief), [{ by: "rule", event: "PermissionRequest", rule: true, told: "hook", verdict: "deny" }])
        assert.include(log[0]?.why ?? "", "nothing is deleted here")
      }
    }).pipe(Effect.scoped))

  it.effect("a rule is heard before the tool, where the CLI asks nobody; that no rule objects is no decision", () =>
    Effect.gen(function*() {
      const { bash, hook, log } = yield* session({ mode: "always", policy: { ...denyRm, ask: [{ command: "git push *" }] } })
      assert.include((yield* hook("PreToolUse", bash("rm x")))[0] ?? "", "\"permissionDecision\":\"deny\"")
      assert.include((yield* hook("PreToolUse", bash("git push origin main")))[0] ?? "", "\"permissionDecision\":\"ask\"")
      assert.deepStrictEqual(yield* hook("PreToolUse", bash("ls")), [null])
      assert.deepStrictEqual(log.map(({ verdict }) => verdict), ["deny", "ask"])
    }).pipe(Effect.scoped))

  it.effect("questions, plans and elicitations are the user's", () =>
    Effect.gen(function*() {
      const { hook, log } = yield* session({ mode: "always" })
      for (const tool_name of ["AskUserQuestion", "ExitPlanMode"]) assert.deepStrictEqual(yield* hook("PermissionRequest", { tool_name, tool_input: {} }), [null])
      assert.deepStrictEqual(yield* hook("Elicitation", { mcp_server_name: "lab" }), [], "no hook waits for that")
      assert.deepStrictEqual(log.map(brief), ["PermissionRequest", "PermissionRequest", "Elicitation"].map((event) => ({ by: "none", event, rule: false, told: "no", verdict: "ask" })))
    }).pipe(Effect.scoped))

  it.effect("of a nested CLI is never decided by this session, and never waits", () =>
    Effect.gen(function*() {
      const { ask, log } = yield* session({ mode: "always" })
      assert.deepStrictEqual(yield* ask("npm test", { nested: true }), [null])
      assert.deepStrictEqual(log, [])
    }).pipe(Effect.scoped))

  it.effect("that cannot be understood is the user's, at once", () =>
    Effect.gen(function*() {
      const { hook } = yield* session({ mode: "always" })
      for (const payload of [null, {}, { tool_name: 5 }]) assert.deepStrictEqual(yield* hook("PermissionRequest", payload), [null])
      assert.deepStrictEqual(yield* hook("Stop", {}), [])
    }).pipe(Effect.scoped))

  it.effect("H12: the session's own mode counts, and a change of it or of the rules holds from then on", () =>
    Effect.gen(function*() {
      const { ask, listed, put, setPolicy, settle } = yield* session({})
      yield* put({ mode: "always" })
      yield* settle
      assert.deepStrictEqual((yield* ask("rm x")).map(behavior), ["allow"])
      yield* setPolicy(denyRm)
      assert.deepStrictEqual((yield* ask("rm x")).map(behavior), ["deny"])
      yield* put({ mode: "pause" })
      yield* setPolicy(noPolicy)
      assert.deepStrictEqual(yield* ask("rm x"), [null])
      assert.deepStrictEqual(listed, [["PermissionRequest"], ["PermissionRequest", "PreToolUse"], []])
    }).pipe(Effect.scoped))

  it.effect("a path is judged by where its links lead, and granted nothing where that cannot be seen", () =>
    Effect.gen(function*() {
      const policy: Policy = { ...noPolicy, deny: [{ path: "/etc/**" }] }
      const { hook, log } = yield* session({ mode: "always", policy, links: { "/home/me/app/notes": "/etc/passwd", "/home/me/app/far": null } })
      const write = (file_path: string) => hook("PermissionRequest", { tool_name: "Write", tool_input: { file_path }, cwd: "/home/me/app" })
      assert.deepStrictEqual((yield* write("plain")).map(behavior), ["allow"])
      assert.deepStrictEqual((yield* write("notes")).map(behavior), ["deny"])
      assert.deepStrictEqual(yield* write("far"), [null])
      assert.deepStrictEqual(log.map(({ verdict }) => verdict), ["allow", "deny", "ask"])
    }).pipe(Effect.scoped))

  it.effect("while the audit log cannot be written leap decides nothing, and nothing decided is lost", () =>
    Effect.gen(function*() {
      const { ask, disk, listed, log, pressed, put, settle } = yield* session({ mode: "always" })
      disk.broken = true
      assert.deepStrictEqual((yield* ask("one")).map(behavior), ["allow"], "reply first, then log")
      assert.deepStrictEqual(listed.at(-1), [], "no hook waits")
      assert.deepStrictEqual(yield* ask("two"), [null])
      yield* put({ dialog, since: 0 })
      yield* TestClock.adjust("10 seconds")
      assert.deepStrictEqual(pressed, [], "no dialog is answered either")
      yield* put({ dialog: null })
      disk.broken = false
      yield* TestClock.adjust("5 seconds")
      yield* settle
      assert.deepStrictEqual(log.map(({ request, verdict }) => [request?.command, verdict]), [["one", "allow"], ["two", "ask"]])
      assert.deepStrictEqual(listed.at(-1), ["PermissionRequest"])
      assert.deepStrictEqual((yield* ask("three")).map(behavior), ["allow"])
    }).pipe(Effect.scoped))

  it.effect("hooks wait for nobody any longer when the session is over", () =>
    Effect.gen(function*() {
      const { listed } = yield* Effect.scoped(session({ mode: "always" }))
      assert.deepStrictEqual(listed.at(-1), [])
    }))
})

describe("a permission dialog", () => {
  const stands = (s: Effect.Success<ReturnType<typeof session>>) =>
    Effect.gen(function*() {
      yield* s.put({ dialog, since: yield* Clock.currentTimeMillis })
      yield* TestClock.adjust("3 seconds")
    })

  it.effect("whose hook came too late is answered by its plain yes, once", () =>
    Effect.gen(function*() {
      const s = yield* session({ mode: "always" })
      yield* s.ask("npm test", { outcome: "late" })
      yield* stands(s)
      assert.deepStrictEqual(s.pressed, ["1"])
      yield* TestClock.adjust("1 minute")
      assert.deepStrictEqual(s.pressed, ["1"])
      assert.deepStrictEqual(s.log.map(({ event, told, verdict }) => [event, verdict, told]), [["PermissionRequest", "allow", "no"], ["screen", "allow", "key"]])
      assert.strictEqual(s.log[1]?.request?.command, "npm test")
    }).pipe(Effect.scoped))

  it.effect("that does not take its answer is left to the user, and the audit says so; the next one is answered", () =>
    Effect.gen(function*() {
      const s = yield* session({ mode: "always", takes: false })
      yield* stands(s)
      yield* TestClock.adjust("1 minute")
      assert.deepStrictEqual(s.pressed, ["1"])
      assert.deepStrictEqual(s.log.map(({ told, verdict }) => [verdict, told]), [["allow", "no"]])
      assert.include(s.log[0]?.why ?? "", "did not react")
      yield* s.put({ dialog: null })
      yield* TestClock.adjust("3 seconds")
      yield* stands(s)
      assert.deepStrictEqual(s.pressed, ["1", "1"])
    }).pipe(Effect.scoped))

  it.effect("that a rule has kept for the user stays theirs, whatever else is allowed beside it", () =>
    Effect.gen(function*() {
      const s = yield* session({ mode: "always", policy: { ...noPolicy, ask: [{ command: "git push *" }] } })
      yield* s.ask("git push")
      yield* s.ask("npm test")
      yield* stands(s)
      yield* TestClock.adjust("1 minute")
      assert.deepStrictEqual(s.pressed, [])
    }).pipe(Effect.scoped))

  it.effect("is not for a tool that was refused before its use; one for what was refused in its own hook may be", () =>
    Effect.gen(function*() {
      const policy = { ...denyRm, allow: [{ command: "touch *" }] }
      const s = yield* session({ policy })
      assert.include((yield* s.hook("PreToolUse", s.bash("rm x")))[0] ?? "", "\"deny\"")
      yield* s.ask("touch y", { outcome: "late" })
      yield* stands(s)
      assert.deepStrictEqual(s.pressed, ["1"])

      const t = yield* session({ policy })
      assert.strictEqual(behavior((yield* t.ask("rm x"))[0]), "deny")
      yield* t.ask("touch y", { outcome: "late" })
      yield* stands(t)
      yield* TestClock.adjust("1 minute")
      assert.deepStrictEqual(t.pressed, [])
    }).pipe(Effect.scoped))

  it.effect("that stands is answered when the mode becomes always, and when the rule that kept it is gone", () =>
    Effect.gen(function*() {
      const s = yield* session({})
      yield* s.ask("npm test", { outcome: "late" })
      yield* stands(s)
      assert.deepStrictEqual(s.pressed, [])
      yield* s.put({ mode: "always" })
      yield* TestClock.adjust("2 seconds")
      assert.deepStrictEqual(s.pressed, ["1"])

      const t = yield* session({ mode: "always", policy: { ...noPolicy, ask: [{ command: "npm *" }] } })
      yield* t.ask("npm test")
      yield* stands(t)
      assert.deepStrictEqual(t.pressed, [])
      yield* t.setPolicy(noPolicy)
      yield* TestClock.adjust("2 seconds")
      assert.deepStrictEqual(t.pressed, ["1"])
    }).pipe(Effect.scoped))

  it.effect("that nothing names is answered in always, and left to the user beside rules that could be meant for it", () =>
    Effect.gen(function*() {
      const s = yield* session({ mode: "always" })
      yield* stands(s)
      assert.deepStrictEqual(s.pressed, ["1"])
      const t = yield* session({ mode: "always", policy: denyRm })
      yield* stands(t)
      yield* TestClock.adjust("1 minute")
      assert.deepStrictEqual(t.pressed, [])
      assert.deepStrictEqual(t.log.map(brief), [{ by: "none", event: "screen", rule: false, told: "no", verdict: "ask" }], "said once")
    }).pipe(Effect.scoped))

  it.effect("a user at the keys goes first", () =>
    Effect.gen(function*() {
      const s = yield* session({ mode: "always" })
      yield* s.put({ dialog, since: 0 })
      for (let at = 1; at <= 10; at++) {
        yield* s.put({ userKeyAt: yield* Clock.currentTimeMillis })
        yield* TestClock.adjust("500 millis")
      }
      assert.deepStrictEqual(s.pressed, [])
      yield* TestClock.adjust("2 seconds")
      assert.deepStrictEqual(s.pressed, ["1"])
    }).pipe(Effect.scoped))

  it.effect("of another kind is never answered", () =>
    Effect.gen(function*() {
      for (const kind of ["trust", "plan", "question", "elicitation", "login", "other"] as const) {
        const s = yield* session({ mode: "always" })
        yield* s.put({ dialog: { ...dialog, kind }, since: 0, state: "needs_permission" })
        yield* TestClock.adjust("1 minute")
        assert.deepStrictEqual(s.pressed, [], kind)
      }
    }).pipe(Effect.scoped))

  it.effect("that a person answered through leap is written down as theirs", () =>
    Effect.gen(function*() {
      const s = yield* session({})
      yield* s.ask("npm test", { outcome: "late" })
      yield* s.approvals.answered(dialog, "No")
      yield* s.approvals.answered({ ...dialog, kind: "question" }, "beta")
      yield* s.settle
      assert.deepStrictEqual(s.log.map(brief), [{ by: "user", event: "screen", rule: false, told: "key", verdict: "deny" }])
      assert.strictEqual(s.log[0]?.request?.command, "npm test")
    }).pipe(Effect.scoped))
})
