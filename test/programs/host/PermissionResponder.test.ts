import { assert, describe } from "@effect/vitest"
import { Clock, Context, type Duration, Effect, Latch, Layer, SubscriptionRef } from "effect"
import { TestClock } from "effect/testing"
import type { AuditEntry } from "../../../src/domain/engine/approvals/AuditEntry.ts"
import { blankFacts, type Dialog, type ScreenFacts } from "../../../src/domain/words/session/Screen.ts"
import { defaultModes, type Modes } from "../../../src/domain/words/session/Session.ts"
import { hookSource } from "../../../src/domain/engine/tracker/HookWitness.ts"
import * as SessionMachine from "../../../src/domain/engine/machine/SessionMachine.ts"
import { add, emptyQueue } from "../../../src/domain/engine/queue/Queue.ts"
import { defaultSettings, noPolicy, type Policy } from "../../../src/domain/store/settings/Settings.ts"
import { provider as claude } from "../../../src/layers/providers/claude/Provider.ts"
import { claudePermissions } from "../../../src/domain/providers/claude/Permissions.ts"
import { Answerer } from "../../../src/programs/host/Answerer.ts"
import * as PermissionResponder from "../../../src/programs/host/PermissionResponder.ts"
import * as KeyGate from "../../../src/programs/host/KeyGate.ts"
import * as Outbox from "../../../src/programs/host/Outbox.ts"
import { RestoredSession } from "../../../src/programs/host/RestoredSession.ts"
import * as SessionDriver from "../../../src/programs/host/SessionDriver.ts"
import * as SessionRuntime from "../../../src/programs/host/SessionRuntime.ts"
import { TerminalSize } from "../../../src/programs/host/TerminalSize.ts"
import * as SessionWork from "../../../src/programs/host/SessionWork.ts"
import { CLIProvider } from "../../../src/services/CLIProvider.ts"
import { AuditLog } from "../../../src/services/AuditLog.ts"
import { FileTail } from "../../../src/services/FileTail.ts"
import { type HookDelivery, HookInbox } from "../../../src/services/HookInbox.ts"
import { RefusedError } from "../../../src/services/HostProtocol.ts"
import { System } from "../../../src/services/System.ts"
import { commandOf, contextOf, publisherOf, recorderOf, unrecorded } from "../../support/host/parts.ts"
import { UserSettings } from "../../../src/services/UserSettings.ts"
import { effect } from "../../support/run/effects.ts"
import { each, rowsOf } from "../../support/data/fields.ts"
import { StoreError } from "../../../src/services/StoreError.ts"

const provider = {
  ...claude,
  permissions: claudePermissions,
  hooksOff: () => Effect.succeed([]),
  submitKey: () => Effect.succeed(null)
}
const dialog: Dialog = {
  kind: "permission",
  title: "Bash command: Do you want to proceed?",
  subject: "npm test",
  options: ["Yes", "Yes, and switch to auto mode", "No"].map((label, i) => ({
    number: i + 1,
    label,
    selected: i === 0
  }))
}

interface Given {
  readonly mode?: Modes["autoSend"]
  readonly policy?: Policy
  /** What the links lead to; null where nobody knows. */
  readonly links?: Readonly<Record<string, string | null>>
  /** Following a link fails in a way that nobody expects. */
  readonly linksFail?: () => boolean
  /** What comes of pressing the keys. */
  readonly takes?: boolean
}

/** What the screen shows: a dialog, or the box of a session at work. */
const screenWith = (dialog: Dialog | null): ScreenFacts => ({
  ...blankFacts,
  blank: false,
  box: dialog === null ? { draft: "" } : null,
  dialog
})

/** A session with its machine, and everything around its approvals in the test's hands. */
const session = Effect.fnUntraced(function* ({
  links = {},
  linksFail = () => false,
  mode = "pause",
  policy = noPolicy,
  takes = true
}: Given) {
  const begin = yield* Clock.currentTimeMillis
  const modes = { ...defaultModes, autoSend: mode }
  const settings = yield* SubscriptionRef.make({
    settings: { ...defaultSettings, policy },
    warnings: [] as ReadonlyArray<string>
  })
  const disk = { broken: false, free: yield* Latch.make(true) }
  const recorder = recorderOf()
  const log: Array<AuditEntry> = []
  const listed: Array<ReadonlyArray<string>> = []
  const pressed: Array<string> = []
  // What is forked gets its turn.
  const settle = TestClock.adjust("20 millis")
  const put = Effect.fnUntraced(function* (change: {
    readonly dialog?: Dialog | null
    readonly working?: boolean
    readonly mode?: Modes["autoSend"]
    readonly userKey?: boolean
  }) {
    const at = yield* Clock.currentTimeMillis
    if (change.mode !== undefined)
      runtime.offer({ _tag: "ModesChanged", at, modes: { ...modes, autoSend: change.mode } })
    const { dialog = null, working = false } = change
    if (change.dialog !== undefined || working)
      runtime.offer({ _tag: "Output", at, screen: { ...screenWith(dialog), working } })
    if (change.userKey === true) runtime.offer({ _tag: "Input", at, keys: ["navigate"], by: "user" })
    yield* settle
  })
  const world = Layer.mergeAll(
    contextOf({ tag: "work", cwd: "/home/me/app" }),
    Layer.succeed(CLIProvider, provider),
    Layer.mock(HookInbox, { announceAwaited: (_spool, events) => Effect.sync(() => listed.push(events ?? []) > 0) }),
    Layer.mock(FileTail, {}),
    Layer.mock(TerminalSize, { set: () => {}, redraw: () => {} }),
    Layer.mock(UserSettings, {
      file: "/settings.json",
      read: SubscriptionRef.get(settings),
      changes: Effect.succeed(SubscriptionRef.changes(settings))
    }),
    Layer.mock(AuditLog, {
      append: (_tag, entry) =>
        disk.broken
          ? Effect.fail(new StoreError({ store: "audit", reason: "full", file: "/audit", why: "the disk is full" }))
          : Effect.sync(() => void log.push(entry))
    }),
    Layer.mock(System, {
      env: { HOME: "/home/me" },
      cwd: "/",
      pid: 1,
      version: "0",
      node: "24",
      platform: "linux",
      self: [],
      realPath: (path) =>
        Effect.suspend(() =>
          linksFail() ? Effect.die(new Error("a defect")) : Effect.succeed(path in links ? (links[path] ?? null) : path)
        )
    }),
    Layer.succeed(RestoredSession, {
      memory: SessionMachine.start({ at: begin, modes, queue: emptyQueue }),
      log: {
        records: [],
        damaged: 0,
        append: (records) => (records.some(({ _tag }) => _tag === "Attempted") ? disk.free.await : Effect.void),
        compact: () => Effect.void
      }
    }),
    recorder.layer,
    unrecorded,
    (yield* publisherOf()).layer
  )
  const answerer = Layer.effect(
    Answerer,
    Effect.map(SessionRuntime.SessionRuntime, (runtime) => ({
      answer: (answer: string, expected?: Dialog) =>
        Effect.suspend(() => {
          const { dialog: shown } = runtime.memory().tracker.facts.screen
          assert.deepStrictEqual(expected, shown ?? undefined, "the dialog that was decided on")
          pressed.push(answer)
          return takes
            ? Effect.succeed({ dialog: expected ?? dialog, answer })
            : Effect.fail(new RefusedError({ why: "the dialog did not react", exitCode: 5 }))
        })
    }))
  )
  const layer = SessionDriver.layer.pipe(
    Layer.provideMerge(PermissionResponder.layer),
    Layer.provideMerge(answerer),
    Layer.provideMerge(SessionRuntime.layer),
    Layer.provideMerge([SessionWork.layer, KeyGate.layer]),
    Layer.provideMerge(Outbox.layer),
    Layer.provideMerge([world, commandOf()])
  )
  const context = yield* Layer.build(layer)
  const approvals = Context.get(context, PermissionResponder.PermissionResponder)
  const runtime = Context.get(context, SessionRuntime.SessionRuntime)
  // the CLI has drawn itself, and is at rest
  yield* put({ dialog: null })

  let sequence = 0
  /** A hook of the CLI's, and what it was told. */
  const hook = Effect.fnUntraced(function* (
    event: string,
    payload: object | null,
    more: { readonly nested?: boolean; readonly outcome?: "taken" | "late" | "open" | "dies" } = {}
  ) {
    const replies: Array<string | null> = []
    const delivery: HookDelivery = {
      event,
      payload,
      raw: "",
      at: 0,
      flaw: null,
      sequence: ++sequence,
      callerPid: 1,
      nested: more.nested ?? false,
      reply: (line) =>
        Effect.suspend(() => {
          replies.push(line)
          const { outcome = "taken" } = more
          if (outcome === "dies") return Effect.die(new Error("a defect"))
          return outcome === "open" ? Effect.never : Effect.succeed(outcome)
        })
    }
    yield* approvals.onHook(delivery)
    yield* settle
    return replies
  })
  const bash = (command: string) => ({ tool_name: "Bash", tool_input: { command }, cwd: "/home/me/app" })
  const ask = (command: string, more?: Parameters<typeof hook>[2]) => hook("PermissionRequest", bash(command), more)
  return {
    approvals,
    ask,
    bash,
    decidedAt: () => runtime.memory().tracker.facts.decidedAt,
    disk,
    hook,
    listed,
    log,
    press: (key: string) => Context.get(context, KeyGate.KeyGate).press({ data: key, keys: ["text"], by: "user" }),
    pressed,
    put,
    recorder,
    runtime,
    settle,
    /** Keeps the machine busy for so long, as a disk does that stalls. */
    stall: (span: Duration.Input) =>
      Effect.andThen(Effect.forkChild(runtime.between(() => Effect.as(Effect.sleep(span), []))), settle),
    setPolicy: (policy: Policy) =>
      Effect.andThen(SubscriptionRef.set(settings, { settings: { ...defaultSettings, policy }, warnings: [] }), settle)
  }
})

const behavior = (line: string | null | undefined): unknown =>
  line === null || line === undefined
    ? line
    : (JSON.parse(line) as { hookSpecificOutput: { decision: { behavior: string } } }).hookSpecificOutput.decision
        .behavior
const denyRm: Policy = { ...noPolicy, deny: [{ command: "rm *", reason: "nothing is deleted here" }] }
const brief = ({ by, event, rule, told, verdict }: AuditEntry) => ({ by, event, rule: rule !== null, told, verdict })

describe("a request for leave", () => {
  effect("that is left to the user is written down at once, before what the user says to it", function* () {
    const { approvals, ask, log, settle } = yield* session({ policy: { ...noPolicy, ask: [{ tool: "Bash" }] } })
    assert.deepStrictEqual(yield* ask("ls", { outcome: "open" }), [null])
    assert.deepStrictEqual(rowsOf(log, "verdict", "by"), [["ask", "rule"]])
    yield* approvals.answered(dialog, "No")
    yield* settle
    assert.deepStrictEqual(rowsOf(log, "verdict", "by"), [
      ["ask", "rule"],
      ["deny", "user"]
    ])
  })

  effect("always: allowed in the hook, and written down after that", function* () {
    const { ask, decidedAt, listed, log } = yield* session({ mode: "always" })
    assert.isNull(decidedAt())
    assert.deepStrictEqual(listed, [["PermissionRequest"]])
    assert.deepStrictEqual((yield* ask("npm test")).map(behavior), ["allow"])
    assert.deepStrictEqual(log.map(brief), [
      { by: "mode", event: "PermissionRequest", rule: false, told: "hook", verdict: "allow" }
    ])
    const first = decidedAt()
    assert.isNotNull(first, "the state machine knows that the dialog is about to go")
    yield* ask("npm test", { outcome: "late" })
    assert.strictEqual(decidedAt(), first)
    assert.deepStrictEqual([log[0]?.request?.command, log[0]?.tag, log[0]?.cli], ["npm test", "work", "claude"])
  })

  effect("pause, nothing configured: no hook waits, nothing is decided or written", function* () {
    const { ask, listed, log } = yield* session({})
    assert.deepStrictEqual(listed, [])
    assert.deepStrictEqual(yield* ask("npm test", { outcome: "late" }), [null])
    assert.deepStrictEqual(log, [])
  })

  effect("a deny rule refuses, tells the model why, and the audit names the rule, in every mode", function* () {
    for (const mode of ["pause", "always"] as const) {
      const { ask, listed, log } = yield* session({ mode, policy: denyRm })
      assert.deepStrictEqual(listed, [["PermissionRequest", "PreToolUse"]])
      const [line] = yield* ask("rm -rf build")
      assert.strictEqual(behavior(line), "deny")
      assert.include(line ?? "", "nothing is deleted here")
      assert.deepStrictEqual(log.map(brief), [
        { by: "rule", event: "PermissionRequest", rule: true, told: "hook", verdict: "deny" }
      ])
      assert.include(log[0]?.why ?? "", "nothing is deleted here")
    }
  })

  effect(
    "a rule is heard before the tool, where the CLI asks nobody; that no rule objects is no decision",
    function* () {
      const { bash, hook, log } = yield* session({
        mode: "always",
        policy: { ...denyRm, ask: [{ command: "git push *" }] }
      })
      assert.include((yield* hook("PreToolUse", bash("rm x")))[0] ?? "", '"permissionDecision":"deny"')
      assert.include((yield* hook("PreToolUse", bash("git push origin main")))[0] ?? "", '"permissionDecision":"ask"')
      assert.deepStrictEqual(yield* hook("PreToolUse", bash("ls")), [null])
      assert.deepStrictEqual(each(log, "verdict"), ["deny", "ask"])
    }
  )

  effect("questions, plans and elicitations are the user's", function* () {
    const { hook, log } = yield* session({ mode: "always" })
    for (const tool_name of ["AskUserQuestion", "ExitPlanMode"])
      assert.deepStrictEqual(yield* hook("PermissionRequest", { tool_name, tool_input: {} }), [null])
    assert.deepStrictEqual(yield* hook("Elicitation", { mcp_server_name: "lab" }), [], "no hook waits for that")
    assert.deepStrictEqual(
      log.map(brief),
      ["PermissionRequest", "PermissionRequest", "Elicitation"].map((event) => ({
        by: "none",
        event,
        rule: false,
        told: "no",
        verdict: "ask"
      }))
    )
  })

  effect("of a nested CLI is never decided by this session, and never waits", function* () {
    const { ask, log } = yield* session({ mode: "always" })
    assert.deepStrictEqual(yield* ask("npm test", { nested: true }), [null])
    assert.deepStrictEqual(log, [])
  })

  effect("that cannot be understood is the user's, at once", function* () {
    const { hook } = yield* session({ mode: "always" })
    for (const payload of [null, {}, { tool_name: 5 }])
      assert.deepStrictEqual(yield* hook("PermissionRequest", payload), [null])
    assert.deepStrictEqual(yield* hook("Stop", {}), [])
  })

  effect("the session's own mode counts, and a change of it or of the rules holds from then on", function* () {
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
  })

  effect("a path is judged by where its links lead, and granted nothing where that cannot be seen", function* () {
    const policy: Policy = { ...noPolicy, deny: [{ path: "/etc/**" }] }
    const { hook, log } = yield* session({
      mode: "always",
      policy,
      links: { "/home/me/app/notes": "/etc/passwd", "/home/me/app/far": null }
    })
    const write = (file_path: string) =>
      hook("PermissionRequest", { tool_name: "Write", tool_input: { file_path }, cwd: "/home/me/app" })
    assert.deepStrictEqual((yield* write("plain")).map(behavior), ["allow"])
    assert.deepStrictEqual((yield* write("notes")).map(behavior), ["deny"])
    assert.deepStrictEqual(yield* write("far"), [null])
    assert.deepStrictEqual(each(log, "verdict"), ["allow", "deny", "ask"])
  })

  effect("while the audit log cannot be written leap decides nothing, and nothing decided is lost", function* () {
    const { ask, disk, listed, log, pressed, put, settle } = yield* session({ mode: "always" })
    disk.broken = true
    assert.deepStrictEqual((yield* ask("one")).map(behavior), ["allow"], "reply first, then log")
    yield* settle
    assert.deepStrictEqual(listed.at(-1), [], "no hook waits")
    assert.deepStrictEqual(yield* ask("two"), [null])
    yield* put({ dialog })
    yield* TestClock.adjust("10 seconds")
    assert.deepStrictEqual(pressed, [], "no dialog is answered either")
    yield* put({ dialog: null })
    disk.broken = false
    yield* TestClock.adjust("5 seconds")
    yield* settle
    assert.deepStrictEqual(
      log.map(({ request, verdict }) => [request?.command, verdict]),
      [
        ["one", "allow"],
        ["two", "ask"]
      ]
    )
    assert.deepStrictEqual(listed.at(-1), ["PermissionRequest"])
    assert.deepStrictEqual((yield* ask("three")).map(behavior), ["allow"])
  })

  effect("hooks wait for nobody any longer when the session is over", function* () {
    const { listed } = yield* Effect.scoped(session({ mode: "always" }))
    assert.deepStrictEqual(listed.at(-1), [])
  })
})

describe("while the queue's log is written for longer than a hook waits", () => {
  effect("a rule that refuses, or that asks, is told in time, and written down once", function* () {
    const policy: Policy = { ...denyRm, ask: [{ command: "git push *" }] }
    const { bash, hook, log, settle, stall } = yield* session({ mode: "always", policy })
    yield* stall("5 seconds")
    const replies = [
      yield* hook("PermissionRequest", bash("rm x")),
      yield* hook("PreToolUse", bash("git push origin main"))
    ]
    assert.strictEqual(behavior(replies[0]?.[0]), "deny")
    assert.include(replies[1]?.[0] ?? "", '"permissionDecision":"ask"')
    yield* TestClock.adjust("10 seconds")
    yield* settle
    assert.deepStrictEqual(each(replies, "length"), [1, 1], "once each")
    assert.deepStrictEqual(log.map(brief), [
      { by: "rule", event: "PermissionRequest", rule: true, told: "hook", verdict: "deny" },
      { by: "rule", event: "PreToolUse", rule: true, told: "hook", verdict: "ask" }
    ])
  })

  effect(
    "no key and no refusal waits for a disk that stalls, the session is followed, and nothing is typed",
    function* () {
      const policy: Policy = { ...denyRm, ask: [{ command: "git push *" }] }
      const s = yield* session({ mode: "always", policy })
      const { ask, bash, disk, hook, log, put, recorder, runtime } = s
      const typed = () => recorder.notes.filter((note) => note.includes("hello")).length
      const at = yield* Clock.currentTimeMillis
      const signal = { _tag: "Ignored", why: "its hooks call" } as const
      runtime.offer({ _tag: "Signal", at, source: hookSource("SessionStart"), signal })
      yield* TestClock.adjust("2 seconds")
      yield* disk.free.close
      const message = { id: "a", text: "hello", images: [], front: false, force: false }
      yield* runtime.changeQueue((queue, at) => add(queue, { at, ...message }))
      yield* TestClock.adjust("1 second")
      assert.strictEqual(runtime.memory().delivery.typing?._tag, "Recording")
      const refused = yield* ask("rm x")
      assert.deepStrictEqual(refused.map(behavior), ["deny"], "at once")
      assert.include((yield* hook("PreToolUse", bash("git push x")))[0] ?? "", '"permissionDecision":"ask"')
      const granted = yield* ask("npm test")
      assert.isNotNull(s.press("x"))
      assert.strictEqual(recorder.notes.at(-1), "i user x")
      yield* put({ working: true })
      assert.strictEqual(runtime.memory().tracker.view.state, "running")
      yield* put({ dialog: null })
      yield* TestClock.adjust("1 hour")
      assert.deepStrictEqual(granted, [], "nothing is granted that may not be written down")
      assert.deepStrictEqual(each(log, "verdict"), ["deny", "ask"])
      assert.strictEqual(typed(), 0)
      yield* disk.free.open
      yield* s.settle
      yield* s.settle
      assert.deepStrictEqual(granted.map(behavior), ["allow"])
      yield* TestClock.adjust("10 seconds")
      assert.isAbove(typed(), 0)
    }
  )

  effect("nothing is granted before the machine comes to it", function* () {
    const { ask, stall } = yield* session({ mode: "always" })
    yield* stall("5 seconds")
    const replies = yield* ask("npm test")
    yield* TestClock.adjust("4 seconds")
    assert.deepStrictEqual(replies, [])
    yield* TestClock.adjust("2 seconds")
    assert.deepStrictEqual(replies.map(behavior), ["allow"])
  })
})

describe("a permission dialog", () => {
  const stands = Effect.fnUntraced(function* (s: Effect.Success<ReturnType<typeof session>>, subject = "npm test") {
    yield* s.put({ dialog: { ...dialog, subject } })
    yield* TestClock.adjust("3 seconds")
  })

  effect("whose hook came too late is answered by its plain yes, once", function* () {
    const s = yield* session({ mode: "always" })
    yield* s.ask("npm test", { outcome: "late" })
    yield* stands(s)
    assert.deepStrictEqual(s.pressed, ["1"])
    yield* TestClock.adjust("1 minute")
    assert.deepStrictEqual(s.pressed, ["1"])
    assert.deepStrictEqual(rowsOf(s.log, "event", "verdict", "told"), [
      ["PermissionRequest", "allow", "no"],
      ["screen", "allow", "key"]
    ])
    assert.strictEqual(s.log[1]?.request?.command, "npm test")
  })

  effect(
    "that does not take its answer is left to the user, and the audit says so; the next one is answered",
    function* () {
      const s = yield* session({ mode: "always", takes: false })
      yield* stands(s)
      yield* TestClock.adjust("1 minute")
      assert.deepStrictEqual(s.pressed, ["1"])
      assert.deepStrictEqual(rowsOf(s.log, "verdict", "told"), [["allow", "no"]])
      assert.include(s.log[0]?.why ?? "", "did not react")
      yield* s.put({ dialog: null })
      yield* TestClock.adjust("3 seconds")
      yield* stands(s)
      assert.deepStrictEqual(s.pressed, ["1", "1"])
    }
  )

  effect("that a rule has kept for the user stays theirs, whatever else is allowed beside it", function* () {
    const s = yield* session({ mode: "always", policy: { ...noPolicy, ask: [{ command: "git push *" }] } })
    yield* s.ask("git push")
    yield* s.ask("npm test")
    yield* stands(s)
    yield* TestClock.adjust("1 minute")
    assert.deepStrictEqual(s.pressed, [])
  })

  effect(
    "is not for a tool that was refused before its use; one for what was refused in its own hook may be",
    function* () {
      const policy = { ...denyRm, allow: [{ command: "touch *" }] }
      const s = yield* session({ policy })
      assert.include((yield* s.hook("PreToolUse", s.bash("rm x")))[0] ?? "", '"deny"')
      yield* s.ask("touch y", { outcome: "late" })
      yield* stands(s, "touch y")
      assert.deepStrictEqual(s.pressed, ["1"])

      const t = yield* session({ policy })
      assert.strictEqual(behavior((yield* t.ask("rm x"))[0]), "deny")
      yield* t.ask("touch y", { outcome: "late" })
      yield* stands(t, "touch y")
      yield* TestClock.adjust("1 minute")
      assert.deepStrictEqual(t.pressed, [])
    }
  )

  effect("that stands is answered when the mode becomes always, and when the rule that kept it is gone", function* () {
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
  })

  effect(
    "that nothing names is answered in always, and left to the user beside rules that could be meant for it",
    function* () {
      const s = yield* session({ mode: "always" })
      yield* stands(s)
      assert.deepStrictEqual(s.pressed, ["1"])
      const t = yield* session({ mode: "always", policy: denyRm })
      yield* stands(t)
      yield* TestClock.adjust("1 minute")
      assert.deepStrictEqual(t.pressed, [])
      assert.deepStrictEqual(
        t.log.map(brief),
        [{ by: "none", event: "screen", rule: false, told: "no", verdict: "ask" }],
        "said once"
      )
    }
  )

  effect("is not answered by rules that have changed while the machine was busy", function* () {
    const s = yield* session({ mode: "always" })
    yield* s.ask("rm -rf x", { outcome: "late" })
    yield* s.put({ dialog })
    yield* Effect.forkScoped(
      s.runtime.between(() => Effect.as(Effect.sleep("3 seconds"), [])),
      {
        startImmediately: true
      }
    )
    // the time for its answer comes and goes, with the new rules behind it
    yield* TestClock.adjust("1500 millis")
    yield* s.setPolicy(denyRm)
    yield* TestClock.adjust("20 seconds")
    assert.deepStrictEqual(s.pressed, [])
    // the next one is answered by the rules that hold now
    yield* s.put({ dialog: null })
    yield* TestClock.adjust("10 seconds")
    yield* s.ask("ls", { outcome: "late" })
    yield* stands(s, "ls")
    assert.deepStrictEqual(s.pressed, ["1"])
  })

  for (const [what, linksFail, outcome] of [
    ["whose links cannot be followed", true, "late"],
    ["whose hook cannot be answered", false, "dies"]
  ] as const)
    effect(`is answered though it comes after a request ${what}`, function* () {
      const paths: Policy = { ...noPolicy, allow: [{ path: "/secret/**" }] }
      let isFirst = true
      const s = yield* session({ mode: "always", policy: paths, linksFail: () => isFirst && linksFail })
      const payload = { tool_name: "Edit", tool_input: { file_path: "/a" }, cwd: "/home/me/app" }
      const replies = yield* s.hook("PermissionRequest", payload, { outcome })
      assert.strictEqual(replies.length, 1, "its hook was let go")
      isFirst = false
      yield* s.setPolicy(noPolicy)
      yield* TestClock.adjust("1 minute")
      yield* s.ask("ls", { outcome: "late" })
      yield* stands(s)
      assert.deepStrictEqual(s.pressed, ["1"])
    })

  effect("a user at the keys goes first", function* () {
    const s = yield* session({ mode: "always" })
    yield* s.put({ dialog })
    for (let at = 1; at <= 10; at++) {
      yield* s.put({ userKey: true })
      yield* TestClock.adjust("500 millis")
    }
    assert.deepStrictEqual(s.pressed, [])
    yield* TestClock.adjust("2 seconds")
    assert.deepStrictEqual(s.pressed, ["1"])
  })

  effect("of another kind is never answered", function* () {
    for (const kind of ["trust", "plan", "question", "elicitation", "login", "other"] as const) {
      const s = yield* session({ mode: "always" })
      yield* s.put({ dialog: { ...dialog, kind } })
      yield* TestClock.adjust("1 minute")
      assert.deepStrictEqual(s.pressed, [], kind)
    }
  })

  effect(
    "that a person answered through leap is written down with what it was for, whatever was asked before",
    function* () {
      const s = yield* session({ policy: { ...noPolicy, allow: [{ command: "git status" }] } })
      yield* s.hook("PreToolUse", s.bash("git status"))
      yield* s.ask("git status", { outcome: "taken" })
      yield* s.hook("PreToolUse", s.bash("npm test"))
      yield* s.ask("npm test", { outcome: "late" })
      const shown = { ...dialog, subject: "npm test" }
      yield* s.put({ dialog: shown })
      const asked = yield* s.approvals.asked
      assert.deepStrictEqual([asked.dialog, asked.request?.command], [shown, "npm test"])
      // by the time that it is written down, the CLI has gone on
      yield* s.put({ dialog: null })
      yield* s.ask("npm run x", { outcome: "late" })
      yield* s.approvals.answered(shown, "Yes", asked)
      yield* s.approvals.answered({ ...shown, title: "another" }, "Yes", asked)
      yield* s.settle
      assert.deepStrictEqual(
        s.log.filter(({ by }) => by === "user").map(({ request, verdict }) => [verdict, request?.command]),
        [
          ["allow", "npm test"],
          ["allow", undefined]
        ]
      )
    }
  )

  effect("that a person answered through leap is written down as theirs", function* () {
    const s = yield* session({})
    yield* s.ask("npm test", { outcome: "late" })
    yield* s.approvals.answered(dialog, "No")
    yield* s.approvals.answered({ ...dialog, kind: "question" }, "beta")
    yield* s.settle
    assert.deepStrictEqual(s.log.map(brief), [
      { by: "user", event: "screen", rule: false, told: "key", verdict: "deny" }
    ])
    assert.strictEqual(s.log[0]?.request?.command, "npm test")
  })
})
