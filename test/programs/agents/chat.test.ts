import { assert, describe, it } from "@effect/vitest"
import { Effect, Layer, Option, Result, Stream } from "effect"
import { Command } from "effect/cli"
import * as NodeServices from "@effect/platform-node/NodeServices"
import type { AgentResult } from "../../../src/domain/agents/AgentResult.ts"
import type { Conversation } from "../../../src/domain/agents/Conversation.ts"
import * as turns from "../../../src/domain/agents/turns.ts"
import { registryOf } from "../../../src/programs/agents/registry.ts"
import { chat } from "../../../src/programs/commands/exec.ts"
import { AgentExitError, type AgentProviderShape, AgentProviders } from "../../../src/services/AgentProvider.ts"
import { FileLock } from "../../../src/services/FileLock.ts"
import { LinePrompt } from "../../../src/services/LinePrompt.ts"
import { Machine } from "../../../src/services/Machine.ts"
import { Output } from "../../../src/services/Output.ts"
import { SharedFile } from "../../../src/services/SharedFile.ts"

const result = (text: string): AgentResult => ({
  provider: "echo", text, answers: [text], json: null, sessionId: "S", model: null,
  tokens: { input: 1, cacheRead: 0, cacheWrite: 0, output: 1, total: 2, estimated: false },
  cost: null, turns: 1, refused: [], stopReason: null, startedAt: "", completedAt: ""
})

/** A provider that repeats what it hears, and fails at `fail`. */
const echo: AgentProviderShape = {
  name: "echo",
  displayName: "Echo",
  validate: Effect.void,
  execute: () => Stream.empty,
  executeConversation: (conversation, prompt) =>
    prompt === "fail"
      ? Stream.fail(new AgentExitError({ provider: "echo", code: 1, signal: null, sessionId: "S", text: "", stderr: "boom" }))
      : Stream.make({ _tag: "Result", result: { result: result(`heard ${prompt}`), conversation: turns.after(conversation, { prompt, result: result(`heard ${prompt}`) }) } } as const)
}

/** Chats with these entries at the prompt: what was printed, what was kept, how it ended. */
const talk = Effect.fnUntraced(function*(...entries: ReadonlyArray<string>) {
  const lines: Array<string> = []
  const kept: Array<Conversation> = []
  const layers = Layer.mergeAll(
    NodeServices.layer,
    Layer.succeed(AgentProviders, registryOf([echo])),
    Layer.mock(Machine, { env: {}, cwd: "/c", pid: 1, version: "0", node: "24", self: [], directory: (path) => Effect.succeed(Option.some(path)) }),
    Layer.succeed(FileLock, { acquire: (path) => Effect.sync(() => assert.strictEqual(path, "/c/state.json.turn.lock")) }),
    Layer.mock(Output, {
      isTerminal: true, inputIsTerminal: true, notesAreSeen: false, colour: false, columns: Effect.succeed(80), readerGone: Effect.never,
      line: (text) => Effect.sync(() => void lines.push(text))
    }),
    Layer.mock(SharedFile, {
      read: () => Effect.succeed(null),
      change: (file, edit) => Effect.map(Effect.fromResult(edit(null)), (bytes) => {
        assert.strictEqual(file, "/c/state.json")
        kept.push(JSON.parse(new TextDecoder().decode(bytes)) as Conversation)
        return bytes
      })
    }),
    Layer.succeed(LinePrompt, { open: Effect.succeed({ entries: Stream.fromIterable(entries), prompt: () => Effect.void, print: () => Effect.void }) })
  )
  const ended = yield* Effect.result(Command.runWith(chat([]), { version: "0" })(["--provider", "echo", "--state", "state.json"]).pipe(Effect.provide(layers)))
  return { lines, ended, kept: kept.at(-1) ?? null }
})

describe("leap chat at a terminal", () => {
  it.effect("W1, W2, W3: goes on until an empty line", () =>
    Effect.gen(function*() {
      const { ended, kept, lines } = yield* talk("one", "two", " ", "three")
      assert.deepStrictEqual(lines, ["heard one", "heard two"])
      assert.deepStrictEqual([kept?.turns.length, kept?.stoppedBy, kept?.totalTokens], [4, "user_exit", 4])
      assert.isTrue(Result.isSuccess(ended))
    }))
  it.effect("or until nothing is entered any more", () =>
    Effect.gen(function*() {
      const { kept, lines } = yield* talk("one")
      assert.deepStrictEqual([lines.length, kept?.stoppedBy], [1, "user_exit"])
      assert.deepStrictEqual((yield* talk()).kept, null)
    }))
  it.effect("W8, W9, W10: ends with a failure, and keeps what was said before it", () =>
    Effect.gen(function*() {
      const { ended, kept, lines } = yield* talk("one", "fail", "two")
      assert.deepStrictEqual(lines, ["heard one"])
      assert.deepStrictEqual([kept?.turns.length, kept?.stoppedBy, kept?.sessionId], [2, "error", "S"])
      assert.isTrue(Result.isFailure(ended))
    }))
})
