import { assert, describe, it } from "@effect/vitest"
import { Schema } from "effect"
import { oneLine, printable } from "../../../src/domain/text/printable.ts"
import { messageLine, stateLine, table, blockedText } from "../../../src/domain/wording/StateLine.ts"
import type { SessionStatus } from "../../../src/domain/session/Session.ts"
import { sessionStatus } from "../../support/data/sessionStatus.ts"

const queued = (text: string, status: "queued" | "held" = "queued") =>
  ({ id: "01A", text, images: [], queuedAt: "2026-01-01T00:00:00.000Z", status, force: false, why: null }) as const
const status = (change: Partial<SessionStatus>): SessionStatus => ({
  ...sessionStatus({}),
  state: "idle",
  ready: true,
  reason: "at rest",
  queue: [],
  message: null,
  problem: null,
  exit: null,
  ...change
})

describe("the state line", () => {
  it.each<readonly [string, Partial<SessionStatus>, string]>([
    ["at rest", {}, "● idle"],
    ["at work", { state: "running", ready: false, message: "Reading files" }, "● running · Reading files"],
    [
      "asking, with a queue",
      { state: "needs_permission", ready: false, queue: [queued("a"), queued("b")] },
      "● needs permission · 2 queued"
    ],
    ["held messages apart", { queue: [queued("a"), queued("b", "held")] }, "● idle · 1 queued · 1 held"],
    [
      "why a queue waits",
      { ready: false, reason: "program status: idle; not ready: unsent text in the box", queue: [queued("a")] },
      "● idle · 1 queued · waits: unsent text in the box"
    ],
    [
      "an interrupt",
      { state: "interrupted", ready: false, queue: [queued("a")] },
      "● interrupted · 1 queued · waits since you interrupted ('leap send demo --force TEXT' goes on)"
    ],
    [
      "a problem before a message",
      { problem: { kind: "auth", message: "log in first", until: null }, message: "x" },
      "● idle · log in first"
    ],
    [
      "the end",
      { state: "exited", ready: false, exit: { code: null, signal: "SIGKILL" } },
      "● exited · killed by SIGKILL"
    ]
  ])("tells of %s", (_, change, line) => assert.strictEqual(stateLine(status(change), false), line))

  it("nothing waits while a turn runs or a message is about to go", () => {
    assert.isNull(blockedText(status({ state: "running", ready: false })))
    assert.isNull(blockedText(status({})))
  })
})

describe("a CLI's text on the user's terminal", () => {
  it.prop("is one line within its limit and holds nothing a terminal obeys", { text: Schema.String }, ({ text }) => {
    const line = oneLine(`\u001b[31m${text}\n\u202e`, 20)
    assert.isAtMost([...line].length, 20)
    assert.notMatch(line, /[\u0000-\u001f\u007f-\u009f\u202a-\u202e]/)
  })
  it("keeps its lines and tabs, and loses its escapes", () => {
    assert.strictEqual(printable("a\n\tb\u001b[2J\u0007\rc\u009b1m"), "a\n\tb[2Jc1m")
  })
})

describe("lists", () => {
  it("align their columns", () => {
    assert.strictEqual(
      table([
        ["a", "bb", "c"],
        ["aaa", "b", "日本"]
      ]),
      "a    bb  c\naaa  b   日本"
    )
    assert.strictEqual(
      table([
        ["TAG", "x"],
        ["日本", "y"]
      ]),
      "TAG   x\n日本  y"
    )
    const bold = (text: string) => `\u001b[1m${text}\u001b[0m`
    assert.strictEqual(
      table([
        ["TAG", "x"],
        [bold("one"), "y"]
      ]),
      `TAG  x\n${bold("one")}  y`
    )
  })
  it("are whole where no terminal limits them, and say of a turn that it was interrupted", () => {
    const long = "word ".repeat(40).trim()
    assert.include(messageLine({ ...queued(long), why: long }, true), `${long}  (${long})`)
    assert.include(messageLine(queued(long)), "…")
    assert.include(stateLine(status({ message: long }), false, true), long)
    assert.include(messageLine({ ...queued("> a"), from: "alpha" }), "  from alpha: > a")
    assert.include(messageLine({ ...queued("a"), status: "done", outcome: "interrupted" }), "interrupted")
    assert.include(messageLine({ ...queued("a"), status: "done", outcome: "completed" }), "done")
  })
  it("name a message by its id, its receipt and its beginning", () => {
    assert.strictEqual(
      messageLine({ ...queued("two\nlines", "held"), why: "left over" }),
      "01A  held       two lines  (left over)"
    )
  })
})
