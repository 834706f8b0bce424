import { assert, describe, it } from "@effect/vitest"
import { readHook } from "../../../../src/domain/providers/opencode/Hooks.ts"
import { dated } from "../../../../src/domain/words/problems/ProblemText.ts"
import type { Signal } from "../../../../src/domain/words/session/Signal.ts"
import { each } from "../../../support/data/fields.ts"
import { asked, turnStarted } from "../../../support/data/signals.ts"

const root = "ses_root"
const of = { session: root }
const own = (phase: "rest" | "work", word: string): Signal =>
  ({ _tag: "OwnStatus", phase, waitingFor: null, background: false, word, sessionId: null, ...of }) as const
const named: Signal = { _tag: "SessionStarted", sessionId: root, transcriptPath: null, source: "turn" }
const status = (value: unknown) => readHook("session.status", { sessionID: root, status: value })
const error = (value: unknown) => readHook("session.error", { sessionID: root, error: value })

describe("an event of OpenCode", () => {
  it.each<readonly [string, string, unknown, ReadonlyArray<Signal>]>([
    [
      "a subagent's session",
      "session.created",
      { sessionID: "ses_child", info: { id: "ses_child", parentID: root } },
      [{ _tag: "SessionStarted", sessionId: "ses_child", transcriptPath: null, source: "startup", parent: root }]
    ],
    [
      "a prompt",
      "hook.chat.message",
      {
        input: { sessionID: root, agent: "build" },
        output: {
          message: {},
          parts: [
            { type: "text", text: "say" },
            { type: "text", text: "reminder", synthetic: true },
            { type: "file", url: "data:" },
            { type: "text", text: "hello" }
          ]
        }
      },
      [named, { ...turnStarted("say\nhello"), ...of }]
    ],
    [
      "a folded paste",
      "hook.chat.message",
      { input: { sessionID: root }, output: { parts: [{ type: "text", text: "one\ntwo\nthree " }] } },
      [named, { ...turnStarted("one\ntwo\nthree"), ...of }]
    ],
    ["work", "session.status", { sessionID: root, status: { type: "busy" } }, [own("work", "busy")]],
    ["rest", "session.status", { sessionID: root, status: { type: "idle" } }, [own("rest", "idle")]],
    [
      "a session that was deleted",
      "session.deleted",
      { sessionID: root, info: { id: root } },
      [own("rest", "deleted")]
    ],
    [
      "another directory",
      "permission.asked",
      { id: "per_2", permission: "external_directory", patterns: ["/home/dev/other/*"], metadata: {} },
      [{ ...asked("permission", "external_directory", "external_directory: /home/dev/other/*"), id: "per_2" }]
    ],
    [
      "an edit",
      "permission.asked",
      { id: "per_3", permission: "edit", metadata: { filepath: "README.md", diff: "…" } },
      [{ ...asked("permission", "edit", "edit: README.md"), id: "per_3" }]
    ],
    [
      "an allowance",
      "permission.replied",
      { sessionID: root, requestID: "per_1", reply: "always" },
      [{ _tag: "Answered", id: "per_1" }]
    ],
    [
      "a rejection for which leap gave a reason, after which it goes on",
      "permission.replied",
      { sessionID: root, requestID: "per_1", reply: "reject", explained: true },
      [{ _tag: "Answered", id: "per_1" }]
    ],
    [
      "a question",
      "question.asked",
      { id: "que_1", sessionID: root, questions: [{ question: "Which?", header: "DB", options: [] }] },
      [{ ...asked("question", "question", "Which?"), id: "que_1" }]
    ],
    ["its end", "session.compacted", { sessionID: root }, [{ _tag: "CompactEnded", ...of }]],
    [
      "what the assistant said",
      "message.part.updated",
      { sessionID: root, part: { type: "text", text: "Hello.", sessionID: root, time: { start: 1, end: 2 } } },
      [{ _tag: "Responded", text: "Hello.", ...of }]
    ],
    [
      "an interrupt",
      "session.error",
      { sessionID: root, error: { name: "MessageAbortedError", data: { message: "Aborted" } } },
      [{ _tag: "Interrupted", at: null, ...of }]
    ]
  ])("tells of %s", (_, event, payload, signals) => {
    assert.deepStrictEqual(readHook(event, payload), signals)
  })

  it.each<readonly [string, unknown]>([
    ["session.updated", { sessionID: root }],
    ["session.status", { sessionID: root, status: { type: "dreaming" } }],
    ["message.part.updated", { part: { type: "text", text: "the prompt itself" } }],
    ["message.part.updated", { part: { type: "text", text: "Hel", time: { start: 1 } } }],
    ["message.part.updated", { part: { type: "tool", time: { end: 2 } } }],
    ["hook.chat.params", { sessionID: root }]
  ])("says nothing of the state: %s", (event, payload) => {
    assert.deepStrictEqual(each(readHook(event, payload), "_tag"), ["Ignored"])
  })
})

describe("a problem", () => {
  const problemOf = (signals: ReadonlyArray<Signal>) => {
    const found = signals.find((signal) => signal._tag === "TurnFailed" || signal._tag === "RequestFailed")
    return found === undefined || !("problem" in found) ? undefined : found.problem
  }

  it.each<readonly [string, unknown, string]>([
    ["no key", { name: "ProviderAuthError", data: { providerID: "lab", message: "missing" } }, "auth"],
    ["a limit", { name: "APIError", data: { message: "slow down", statusCode: 429 } }, "rate_limited"],
    ["a crowd", { name: "APIError", data: { message: "try later", statusCode: 529 } }, "overloaded"],
    [
      "a model that is gone",
      { name: "ProviderModelNotFoundError", data: { providerID: "lab", modelID: "x" } },
      "model"
    ],
    ["a bad request", { name: "APIError", data: { message: "invalid request", statusCode: 400 } }, "unknown"],
    ["a context that is too long", { name: "ContextOverflowError", data: { message: "too long" } }, "context"]
  ])("%s", (_, value, kind) => {
    const signals = error(value)
    assert.strictEqual(signals[0]?._tag, "TurnFailed")
    assert.strictEqual(problemOf(signals)?.kind ?? null, kind)
  })

  it("says what happened in OpenCode's words", () => {
    const signal = error({ name: "APIError", data: { message: "Your key is wrong", statusCode: 401 } })[0]
    assert.deepInclude(signal, {
      message: "Your key is wrong",
      problem: { kind: "auth", message: "Your key is wrong", until: null }
    })
  })

  it("says when a limit ends that OpenCode has given up on, by the header of the last reply", () => {
    const limit = (retry: string) =>
      error({
        name: "APIError",
        data: { message: "Rate limit reached", statusCode: 429, responseHeaders: { "retry-after": retry } }
      })
    const at = Date.UTC(2026, 10, 21, 8, 5)
    const until = (signals: ReadonlyArray<Signal>) => {
      const problem = problemOf(signals)
      return problem == null ? undefined : dated(problem, at, "UTC").until
    }
    assert.deepInclude(limit("40")[0], { _tag: "TurnFailed", message: "Rate limit reached (retry after 40 s)" })
    assert.strictEqual(until(limit("40")), "2026-11-21T08:05:40.000Z")
    assert.strictEqual(until(limit("Sat, 21 Nov 2026 09:00:00 GMT")), "2026-11-21T09:00:00.000Z")
    assert.isNull(until(limit("soon")))
  })

  it("is told of while OpenCode tries again, with the time of the next attempt", () => {
    const next = Date.UTC(2026, 10, 21, 8, 5)
    assert.deepStrictEqual(status({ type: "retry", attempt: 2, message: "Rate limit exceeded", next }), [
      {
        _tag: "RequestFailed",
        problem: { kind: "rate_limited", message: "Rate limit exceeded", until: "2026-11-21T08:05:00.000Z" },
        message: "Rate limit exceeded",
        ...of
      },
      own("work", "retry: Rate limit exceeded")
    ])
    assert.strictEqual(problemOf(status({ type: "retry", attempt: 1, message: "connection reset" }))?.kind, "network")
    assert.isNull(problemOf(status({ type: "retry", message: "Rate limit exceeded", next: 1e300 }))?.until)
  })
})
