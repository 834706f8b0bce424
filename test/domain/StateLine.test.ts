import { assert, describe, it } from "@effect/vitest"
import { Schema } from "effect"
import { messageLine, oneLine, printable, stateLine, table, waitsFor } from "../../src/domain/StateLine.ts"
import type { SessionStatus } from "../../src/domain/Session.ts"
import { sessionStatus } from "../support/sessionStatus.ts"

const queued = (text: string, status: "queued" | "held" = "queued") =>
  ({ id: "01A", text, images: [], queuedAt: "2026-01-01T00:00:00.000Z", status, force: false, why: null }) as const
const status = (change: Partial<SessionStatus>): SessionStatus => ({ ...sessionStatus({}), state: "idle", ready: true, reason: "at rest", queue: [], message: null, problem: null, exit: null, ...change })

describe("the state line", () => {
  it.each<readonly [string, Partial<SessionStatus>, string]>([
    ["at rest", {}, "● idle"],
    ["at work", { state: "running", ready: false, message: "Reading files" }, "● running · Reading files"],
    ["asking, with a queue", { state: "needs_permission", ready: false, queue: [queued("a"), queued("b")] }, "● needs permission · 2 queued"],
    ["held messages apart", { queue: [queued("a"), queued("b", "held")] }, "● idle · 1 queued · 1 held"],
    ["why a queue waits", { ready: false, reason: "program status: idle; not ready: unsent text in the box", queue: [queued("a")] }, "● idle · 1 queued · waits: unsent text in the box"],
    ["an interrupt", { state: "interrupted", ready: false, queue: [queued("a")] }, "● interrupted · 1 queued · waits since you interrupted ('leap send --force' goes on)"],
    ["a problem before a message", { problem: { kind: "auth", message: "log in first", until: null }, message: "x" }, "● idle · log in first"],
    ["the end", { state: "exited", ready: false, exit: { code: null, signal: "SIGKILL" } }, "● exited · killed by SIGKILL"]
  ])("tells of %s", (_, change, line) => assert.strictEqual(stateLine(status(change), false), line))

  it("nothing waits while a turn runs or a message is about to go", () => {
    assert.isNull(waitsFor(status({ state: "running", ready: false })))
    assert.isNull(waitsFor(status({})))
  })
})

describe("a CLI's text on the user's terminal", () => {
  it.prop("is one line within its limit and holds nothing a terminal obeys", { text: Schema.String }, ({ text }) => {
    const line = oneLine(`\u001b[31m${text}\n\u202e`, 20)
    // oxlint-disable-next-line no-control-regex
    return [...line].length <= 20 && !/[\u0000-\u001f\u007f-\u009f\u202a-\u202e]/.test(line)
  })
  it("keeps its lines and tabs, and loses its escapes", () => {
    assert.strictEqual(printable("a\n\tb\u001b[2J\u0007\rc\u009b1m"), "a\n\tb[2Jc1m")
  })
})

describe("lists", () => {
  it("align their columns", () => {
    assert.strictEqual(table([["a", "bb", "c"], ["aaa", "b", "日本"]]), "a    bb  c\naaa  b   日本")
    assert.strictEqual(table([["TAG", "x"], ["日本", "y"]]), "TAG   x\n日本  y")
    const bold = (text: string) => `\u001b[1m${text}\u001b[0m`
    assert.strictEqual(table([["TAG", "x"], [bold("one"), "y"]]), `TAG  x\n${bold("one")}  y`)
  })
  it("name a message by its id, its receipt and its beginning", () => {
    assert.strictEqual(messageLine({ ...queued("two\nlines", "held"), why: "left over" }), "01A  held       two lines  (left over)")
  })
})
