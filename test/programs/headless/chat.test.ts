import { assert, describe } from "@effect/vitest"
import { Effect, Layer, Option, Result, Stream } from "effect"
import { Command } from "effect/cli"
import * as NodeServices from "@effect/platform-node/NodeServices"
import { defaultSettings } from "../../../src/domain/store/settings/Settings.ts"
import type { Conversation } from "../../../src/domain/cli/headless/Conversation.ts"
import { copilotHeadless } from "../../../src/domain/providers/copilot/Headless.ts"
import * as turns from "../../../src/domain/cli/headless/turns.ts"
import { chat } from "../../../src/programs/commands/chat.ts"
import {
  AgentExitError,
  type AgentProviderShape,
  AgentProviders,
  registryOf
} from "../../../src/services/AgentProvider.ts"
import { FileLock } from "../../../src/services/FileLock.ts"
import { LinePrompt } from "../../../src/services/LinePrompt.ts"
import { UserSettings } from "../../../src/services/UserSettings.ts"
import { System } from "../../../src/services/System.ts"
import { RecordStore } from "../../../src/services/RecordStore.ts"
import { Paths } from "../../../src/services/Paths.ts"
import { Output } from "../../../src/services/Output.ts"
import { SharedFile } from "../../../src/services/SharedFile.ts"
import { aResult } from "../../support/headless/scripted.ts"
import { effect } from "../../support/run/effects.ts"

const result = (text: string) => aResult("echo", text, { stopReason: null })

/** A provider that repeats what it hears, and fails at `fail`. */
const echo: AgentProviderShape = {
  name: "echo",
  displayName: "Echo",
  validate: Effect.void,
  execute: () => Stream.empty,
  executeConversation: (conversation, prompt) =>
    prompt === "fail"
      ? Stream.fail(
          new AgentExitError({ provider: "echo", code: 1, signal: null, sessionId: "S", text: "", stderr: "boom" })
        )
      : Stream.fromIterable([
          ...pieces(prompt).map((text) => ({ _tag: "Text", text, delta: true, message: "m", agent: null }) as const),
          {
            _tag: "Result",
            result: {
              result: result(answerTo(prompt)),
              conversation: turns.after(conversation, { prompt, result: result(answerTo(prompt)) })
            }
          } as const
        ])
}

const pieces = (prompt: string): ReadonlyArray<string> =>
  prompt === "pieces" ? ["one ", "two\u001b]0;ti", "tle\u0007"] : []
const answerTo = (prompt: string): string => (prompt === "nothing" ? "" : pieces(prompt).join("") || `heard ${prompt}`)

/** Chats with these entries at the prompt: what was printed, what was kept, how it ended. */
const talk = (...entries: ReadonlyArray<string>) => talkWith([], ...entries)

const talkWith = Effect.fnUntraced(function* (flags: ReadonlyArray<string>, ...entries: ReadonlyArray<string>) {
  const lines: Array<string> = []
  const kept: Array<Conversation> = []
  const layers = Layer.mergeAll(
    NodeServices.layer,
    Layer.succeed(AgentProviders, registryOf([echo])),
    Layer.mock(System, {
      env: {},
      cwd: "/c",
      pid: 1,
      version: "0",
      node: "24",
      platform: "linux",
      self: [],
      directory: (path) => Effect.succeed(Option.some(path))
    }),
    Layer.succeed(FileLock, {
      acquire: (path) => Effect.sync(() => assert.strictEqual(path, "/c/state.json.turn.lock"))
    }),
    Layer.mock(Output, {
      isTerminal: true,
      inputIsTerminal: true,
      errorIsTerminal: false,
      colour: false,
      columns: Effect.succeed(80),
      outputClosed: Effect.never,
      sharedWith: Effect.succeed(null),
      line: (text) => Effect.sync(() => void lines.push(`${text}\n`)),
      raw: (text) => Effect.sync(() => void lines.push(text)),
      note: (text) => Effect.sync(() => void lines.push(`(${text})\n`))
    }),
    Layer.mock(SharedFile, {
      read: () => Effect.succeed(null),
      change: (file, edit) =>
        Effect.map(Effect.fromResult(edit(null)), (bytes) => {
          assert.strictEqual(file, "/c/state.json")
          kept.push(JSON.parse(new TextDecoder().decode(bytes)) as Conversation)
          return bytes
        })
    }),
    Layer.mock(UserSettings, {
      file: "/c/settings.json",
      read: Effect.succeed({ settings: defaultSettings, warnings: [] })
    }),
    Layer.mock(RecordStore, { file: "/state/record.db" }),
    Layer.mock(Paths, {
      state: "/state",
      config: "/config",
      sessions: "/state/sessions",
      hookScript: "/hook",
      session: () => assert.fail("no session")
    }),
    Layer.succeed(LinePrompt, {
      open: Effect.succeed({
        entries: Stream.fromIterable(entries),
        prompt: (text: string) => Effect.sync(() => void lines.push(text)),
        print: () => Effect.void
      })
    })
  )
  const ended = yield* Effect.result(
    Command.runWith(chat([]), { version: "0" })(["--provider", "echo", "--state", "state.json", ...flags]).pipe(
      Effect.provide(layers)
    )
  )
  return { shown: lines.join(""), ended, kept: kept.at(-1) ?? null }
})

describe("the registry of providers", () => {
  effect("knows one by its other names, where none is called so", function* () {
    const { get } = registryOf([
      { ...echo, aliases: ["repeat", "other"] },
      { ...echo, name: "other" }
    ])
    assert.strictEqual((yield* get("repeat")).name, "echo")
    assert.strictEqual((yield* get("other")).name, "other")
    assert.include((yield* Effect.flip(get("nope"))).message, "known: echo, other")
    assert.deepStrictEqual(copilotHeadless.aliases, ["github_copilot"])
  })
})

describe("leap chat at a terminal", () => {
  effect("goes on until an empty line", function* () {
    const { ended, kept, shown } = yield* talk("one", "two", " ", "three")
    assert.strictEqual(shown, "> > one\nheard one\n> > two\nheard two\n> ")
    assert.deepStrictEqual([kept?.turns.length, kept?.stoppedBy, kept?.totalTokens], [4, "user_exit", 4])
    assert.isTrue(Result.isSuccess(ended))
  })
  effect("or until nothing is entered any more", function* () {
    const { kept, shown } = yield* talk("one")
    assert.deepStrictEqual([shown, kept?.stoppedBy], ["> > one\nheard one\n> ", "user_exit"])
    assert.deepStrictEqual((yield* talk()).kept, null)
  })
  effect("shows the text as it comes, as text, and goes on after an answer that is none", function* () {
    const { ended, shown } = yield* talk("pieces", "nothing", "one")
    const answers = ["one two]0;title", "(leap: the answer is empty)", "heard one"]
    assert.strictEqual(shown, `> > pieces\n${answers[0]}\n> > nothing\n${answers[1]}\n> > one\n${answers[2]}\n> `)
    assert.isTrue(Result.isSuccess(ended))
  })
  effect("a document on a terminal has nothing that the terminal obeys", function* () {
    const { shown } = yield* talkWith(["--json"], "\u009d0;title\u009c")
    const document = shown.split("\n").find((line) => line.startsWith("{")) ?? ""
    assert.notMatch(document, /[\u0080-\u009f]/)
    assert.strictEqual((JSON.parse(document) as { text: string }).text, "heard \u009d0;title\u009c")
  })
  effect("ends with a failure, and keeps what was said before it", function* () {
    const { ended, kept, shown } = yield* talk("one", "fail", "two")
    assert.strictEqual(shown, "> > one\nheard one\n> > fail\n")
    assert.deepStrictEqual([kept?.turns.length, kept?.stoppedBy, kept?.sessionId], [2, "error", "S"])
    assert.isTrue(Result.isFailure(ended))
  })
})
