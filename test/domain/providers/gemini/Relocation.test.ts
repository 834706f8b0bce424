import { assert, describe, it } from "@effect/vitest"
import { Schema } from "effect"
import {
  belongings,
  isEmptyTwin,
  isNamedFor,
  relocation,
  sessionIn
} from "../../../../src/domain/providers/gemini/Relocation.ts"
import { fault } from "../../../../src/domain/store/relocation/Plan.ts"

const id = "0b9f1c1e-5d0c-4b7e-9f43-1d2c3b4a5968"
const lines = (...records: ReadonlyArray<unknown>): string =>
  records.map((record) => `${JSON.stringify(record)}\n`).join("")
const header = { sessionId: id, projectHash: "h", startTime: "t", lastUpdated: "t", kind: "main" }
const context = { id: "c", type: "user", content: [{ text: "<session_context>\nThis is the Gemini CLI." }] }

describe("a session's files", () => {
  it("begin with session- and end in the beginning of its id", () => {
    for (const name of [
      "session-2026-11-21T07-53-0b9f1c1e.jsonl",
      "session-2026-11-21T07-53-0b9f1c1e.json",
      "session-1795-0b9f1c1e.jsonl"
    ])
      assert.isTrue(isNamedFor(name, id))
    for (const name of [
      "session-2026-11-21T07-53-0b9f1c1f.jsonl",
      "0b9f1c1e.jsonl",
      "session-x-0b9f1c1e.jsonl.bak",
      ".leap-x-0b9f1c1e.jsonl"
    ])
      assert.isFalse(isNamedFor(name, id))
  })

  it("say whose they are in the first line, or as the first member of an older document", () => {
    assert.strictEqual(sessionIn(lines(header, context)), id)
    assert.strictEqual(sessionIn(JSON.stringify({ ...header, messages: [] }, null, 2)), id)
    assert.strictEqual(sessionIn(`{"sessionId":"${id}","messages":[{"text":"cut o`), id)
    for (const text of [
      "",
      "[]\n",
      "7\n",
      lines({ id: "x" }),
      lines({ sessionId: 7 }),
      `${JSON.stringify({ content: { sessionId: id } })}\n`
    ])
      assert.isNull(sessionIn(text))
  })
})

describe("what a resume leaves beside a session's file", () => {
  const twin = lines(
    header,
    { $set: { messages: [context] } },
    { $set: { lastUpdated: "t" } },
    { $set: { sessionId: id } }
  )

  it("is a header and Gemini's own context; a command alone is no conversation", () => {
    assert.isTrue(isEmptyTwin(twin))
    assert.isTrue(isEmptyTwin(lines(header)))
    assert.isTrue(
      isEmptyTwin(
        twin + lines({ id: "u", type: "user", content: "/stats" }, { id: "v", type: "user", content: [{ text: " " }] })
      )
    )
  })

  const Said = Schema.Union([
    Schema.Struct({
      id: Schema.String,
      type: Schema.Literal("user"),
      content: Schema.Array(Schema.Struct({ text: Schema.Literals(["hello", " a/b", "é"]) })).check(
        Schema.isMinLength(1)
      )
    }),
    Schema.Struct({
      id: Schema.String,
      type: Schema.Literal("gemini"),
      content: Schema.Literals(["yes", ""]),
      thoughts: Schema.Array(Schema.Int).check(Schema.isMinLength(1))
    }),
    Schema.Struct({ id: Schema.String, type: Schema.Literals(["info", "error"]), content: Schema.String }),
    Schema.Struct({ $set: Schema.Struct({ summary: Schema.String }) }),
    Schema.Struct({ $rewindTo: Schema.String })
  ])

  it.prop(
    "is nothing in which anything was said or done, wherever it stands",
    { said: Said, whole: Schema.Boolean },
    ({ said, whole }) => {
      assert.isFalse(isEmptyTwin(whole ? twin + lines(said) : lines(header, said) + twin))
      if (!("$set" in said) && !("$rewindTo" in said) && said.type !== "info" && said.type !== "error") {
        assert.isFalse(isEmptyTwin(lines(header, { $set: { messages: [context, said] } })))
      }
    }
  )

  it("is nothing that cannot be read, or written anew as it was", () => {
    for (const text of ["", "{\n", twin.slice(0, -1), `${twin}{"cut`, `${twin}x\n`, `${twin}\uFFFD\n`])
      assert.isFalse(isEmptyTwin(text))
  })
})

it("a session's plan: its files, its agents' and its own things, and no edits in the same folder", () => {
  const kept = belongings(id, ["agent-7.jsonl", "agent-7.json", "chats.jsonl", "no agent", "x/../y.jsonl"])
  assert.deepStrictEqual(
    kept.map(([, path]) => path),
    [
      `chats/${id}`,
      `logs/session-${id}.jsonl`,
      `tool-outputs/session-${id}`,
      id,
      "logs/session-agent-7.jsonl",
      "tool-outputs/session-agent-7",
      "agent-7",
      "logs/session-chats.jsonl",
      "tool-outputs/session-chats"
    ]
  )
  const edits = [{ kind: "gemini.project", detail: {} }]
  const plan = relocation({
    sessionId: id,
    fromFolder: "/h/tmp/a",
    toFolder: "/h/tmp/b",
    files: ["session-1-0b9f1c1e.jsonl"],
    belongings: kept,
    edits
  })
  assert.isNull(fault(plan))
  assert.deepStrictEqual(plan.pieces[0], {
    kind: "file",
    from: "/h/tmp/a/chats/session-1-0b9f1c1e.jsonl",
    to: "/h/tmp/b/chats/session-1-0b9f1c1e.jsonl",
    optional: false
  })
  assert.strictEqual(plan.pieces.length, 1 + kept.length)
  const none = relocation({
    sessionId: id,
    fromFolder: "/h/tmp/a",
    toFolder: "/h/tmp/a",
    files: ["x"],
    belongings: kept,
    edits
  })
  assert.deepStrictEqual([none.pieces, none.edits], [[], []])
})
