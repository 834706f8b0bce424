import { assert, describe, it } from "@effect/vitest"
import { Schema } from "effect"
import { decide, type OriginMemory, sessionIdIn, start } from "../../../../src/domain/store/hookSpool/HookOrigin.ts"
import type { ProcessRecord } from "../../../../src/domain/store/hookSpool/ProcessRecord.ts"

const process = (pid: number, parent: number, name: string, more: Partial<ProcessRecord> = {}): ProcessRecord => ({
  pid,
  parent,
  group: pid,
  session: pid,
  terminal: null,
  foreground: null,
  isZombie: false,
  birth: `b${pid}`,
  name,
  ...more
})

const onTerminal = { session: 100, terminal: "34816", group: 100, foreground: 100 }
const cli = process(100, 50, "claude", onTerminal)
const host = process(50, 1, "node")
const init = process(1, 0, "init")
const above = [cli, host, init]
const hookShell = (parent: number) => process(400, parent, "sh")
const hosted = { pid: 100, birth: "b100" }
const fresh = start(hosted)
const settled: OriginMemory = { hosted, cliProcess: hosted, sessionId: "outer" }

const origin = (
  ancestors: ReadonlyArray<ProcessRecord>,
  memory = settled,
  sessionId: string | null = "outer",
  cliAlive = true
) => decide(memory, { parent: ancestors[0]?.pid ?? 400, ancestors, sessionId, cliAlive })

// An agent's tool runs without the terminal, in a session of its own.
const tool = process(200, 100, "bash")
const nestedCli = process(300, 200, "claude", { session: 200, group: 200 })

describe("a hook is the session's own", () => {
  it.each<[string, ReadonlyArray<ProcessRecord>]>([
    ["called by the CLI itself", above],
    ["called through a shell", [hookShell(100), ...above]],
    ["called through two shells", [hookShell(150), process(150, 100, "bash"), ...above]],
    ["called through a shell, with nothing known above it", [hookShell(100)]]
  ])("%s", (_, ancestors) => {
    for (const memory of [fresh, settled]) {
      const found = origin(ancestors, memory)
      assert.isFalse(found.nested)
      assert.strictEqual(found.callerPid, 100)
      assert.strictEqual(found.memory.cliProcess?.pid, 100)
    }
  })

  it("whatever session it names: /clear gives a new one", () => {
    const found = origin([hookShell(100), ...above], settled, "cleared")
    assert.isFalse(found.nested)
    assert.strictEqual(found.memory.sessionId, "cleared")
  })

  it("when leap hosts a shell script", () =>
    assert.isFalse(origin([hookShell(100), process(100, 50, "bash", onTerminal), host]).nested))

  it("when only its pid is known", () =>
    assert.isFalse(decide(settled, { parent: 100, ancestors: [], sessionId: null, cliAlive: true }).nested))

  it("when the hosted process has launched the CLI proper, on the same terminal", () => {
    const proper = process(101, 100, "codex", onTerminal)
    const first = origin([hookShell(101), proper, ...above], fresh)
    assert.isFalse(first.nested)
    assert.deepStrictEqual(
      { pid: first.memory.cliProcess?.pid, birth: first.memory.cliProcess?.birth },
      { pid: 101, birth: "b101" }
    )
    assert.isFalse(origin([hookShell(101), proper, ...above], first.memory).nested)
    // And what runs inside that one is nested.
    const inner = process(301, 201, "codex", { session: 201 })
    assert.isTrue(origin([hookShell(301), inner, process(201, 101, "bash"), proper, ...above], first.memory).nested)
    // The launcher starts it anew (an update): the new one takes its place.
    const again = process(102, 100, "codex", onTerminal)
    assert.isTrue(origin([hookShell(102), again, ...above], first.memory, "outer", true).nested)
    assert.strictEqual(
      origin([hookShell(102), again, ...above], first.memory, "outer", false).memory.cliProcess?.pid,
      102
    )
  })

  it("when a plugin inside the CLI has written it, and not when it is one inside a CLI that an agent started", () => {
    const whole = process(100, 50, "opencode", onTerminal)
    const first = origin([whole, host, init], fresh, null)
    assert.deepStrictEqual([first.nested, first.callerPid], [false, 100])
    const inner = process(300, 200, "opencode", { session: 200, group: 200 })
    assert.isTrue(origin([inner, tool, whole, host, init], first.memory, null).nested)
    // Also when it is gone by the time leap looks, and before the session's own first event.
    assert.isTrue(origin([inner], first.memory, null).nested)
    assert.isTrue(origin([inner, tool, whole, host, init], fresh, null).nested)
  })

  it("when its caller has ended and it names the session's id", () => {
    assert.isFalse(origin([], { ...settled, cliProcess: null }).nested)
    assert.isFalse(origin([process(400, 1, "sh"), init]).nested)
    assert.isFalse(origin([process(400, 1, "sh"), init], settled, "outer", false).nested)
  })

  it("when its ancestors cannot be seen from here, by its id", () => {
    const elsewhere = [process(9, 5, "sh"), process(5, 1, "claude")]
    const first = origin(elsewhere, fresh, "outer")
    assert.isFalse(first.nested)
    assert.isFalse(origin(elsewhere, first.memory, "outer").nested)
    assert.isTrue(origin(elsewhere, first.memory, "other").nested)
  })
})

describe("a hook is a nested CLI's", () => {
  it.each<[string, ReadonlyArray<ProcessRecord>]>([
    ["run by a tool", [hookShell(300), nestedCli, tool, ...above]],
    ["run by a tool's shell that has become it", [hookShell(200), process(200, 100, "claude"), ...above]],
    ["that has left its parents", [hookShell(300), process(300, 1, "claude"), init]],
    [
      "on a terminal of its own",
      [hookShell(300), process(300, 100, "claude", { terminal: "34817", session: 300 }), ...above]
    ],
    ["that is gone already", [hookShell(300)]],
    [
      "that is a script behind many shells",
      [hookShell(301), process(301, 302, "bash"), process(302, 200, "bash"), tool, ...above]
    ]
  ])("%s", (_, ancestors) => {
    assert.isTrue(origin(ancestors, settled, "inner").nested)
    // Also with the outer session's own id, as a nested --resume of it has.
    assert.isTrue(origin(ancestors, settled, "outer").nested)
    assert.deepStrictEqual(origin(ancestors, settled, "inner").memory, settled)
  })

  it("run by a tool before the session has had a hook of its own", () =>
    assert.isTrue(origin([hookShell(300), nestedCli, tool, ...above], fresh, "inner").nested))

  it("with the hosted process's pid, long after that one", () => {
    const found = origin([hookShell(100), process(100, 1, "claude", { birth: "later" }), init], settled, "inner", false)
    assert.isTrue(found.nested)
  })

  it("whose caller is gone and who names another session, or none", () => {
    assert.isTrue(
      decide({ ...settled, cliProcess: null }, { parent: 1, ancestors: [], sessionId: "inner", cliAlive: false }).nested
    )
    assert.isTrue(decide(settled, { parent: 1, ancestors: [], sessionId: null, cliAlive: true }).nested)
  })
})

it.prop(
  "the hosted CLI's hooks are never lost, and nothing under its tools passes for one",
  {
    sessionId: Schema.NullOr(Schema.String),
    known: Schema.NullOr(Schema.String),
    ownAlive: Schema.Boolean,
    isSettled: Schema.Boolean,
    depth: Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 5 }))
  },
  ({ depth, isSettled, known, ownAlive: cliAlive, sessionId }) => {
    const memory: OriginMemory = { hosted, cliProcess: isSettled ? hosted : null, sessionId: known }
    assert.isFalse(decide(memory, { parent: 400, ancestors: [hookShell(100), ...above], sessionId, cliAlive }).nested)
    const between = Array.from({ length: depth }, (_, i) =>
      process(210 + i, i === depth - 1 ? 200 : 211 + i, "make", { session: 200 })
    )
    const inner = process(300, depth === 0 ? 200 : 210, "claude", { session: 200 })
    assert.isTrue(
      decide(memory, {
        parent: 400,
        ancestors: [hookShell(300), inner, ...between, tool, ...above],
        sessionId,
        cliAlive
      }).nested
    )
  }
)

it("finds the session id by the names that CLIs use", () => {
  assert.strictEqual(sessionIdIn({ session_id: "a" }), "a")
  assert.strictEqual(sessionIdIn({ sessionId: "b", session_id: 3 }), "b")
  assert.strictEqual(sessionIdIn({ conversation_id: "c", session_id: "" }), "c")
  for (const other of [null, 1, "x", {}, []]) assert.isNull(sessionIdIn(other))
})
