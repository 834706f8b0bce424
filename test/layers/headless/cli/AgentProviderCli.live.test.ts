import * as NodeServices from "@effect/platform-node/NodeServices"
import { assert, describe, it } from "@effect/vitest"
import { Effect, Fiber, Layer, Result, Stream } from "effect"
import { execFile as execFileCallback, spawnSync } from "node:child_process"
import { readFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { fileURLToPath } from "node:url"
import { promisify } from "node:util"
import type { AgentEvent } from "../../../../src/domain/cli/headless/AgentEvent.ts"
import type { AgentOptions } from "../../../../src/domain/cli/headless/AgentOptions.ts"
import type { AgentResult } from "../../../../src/domain/cli/headless/AgentResult.ts"
import { codexHeadless } from "../../../../src/domain/providers/codex/Headless.ts"
import { geminiHeadless } from "../../../../src/domain/providers/gemini/Headless.ts"
import * as turns from "../../../../src/domain/cli/headless/turns.ts"
import * as SystemNode from "../../../../src/layers/system/SystemNode.ts"
import * as ProcessTableNode from "../../../../src/layers/system/ProcessTableNode.ts"
import * as AgentProviderCli from "../../../../src/layers/headless/cli/AgentProviderCli.ts"
import type { AgentError, AgentRun } from "../../../../src/services/AgentProvider.ts"
import { System } from "../../../../src/services/System.ts"
import { Prices } from "../../../../src/services/Prices.ts"
import { TokenCounter } from "../../../../src/services/TokenCounter.ts"
import { spoken } from "../../../support/headless/headless.ts"
import { testPatience } from "../../../support/run/patience.ts"
import { live, liveOfEach } from "../../../support/run/effects.ts"
import { each } from "../../../support/data/fields.ts"

const execFile = promisify(execFileCallback)
/** Whether a process namespace can be made here. */
const hasNamespaces = spawnSync("unshare", ["-p", "-f", "--mount-proc", "--kill-child", "true"]).status === 0

const script = fileURLToPath(new URL("../../../support/headless/fakeAgent.mjs", import.meta.url))
const oneTurn = fileURLToPath(new URL("../../../support/headless/oneTurn.ts", import.meta.url))
const layers = Layer.mergeAll(
  NodeServices.layer,
  ProcessTableNode.layer,
  Layer.effect(
    System,
    Effect.map(System, (machine) =>
      System.of({ ...machine, env: { ...machine.env, LEAP_TAG: "outer", CLAUDECODE: "1" } })
    )
  ).pipe(Layer.provide(SystemNode.layerWith({ version: "0", self: [] }))),
  Layer.succeed(Prices, { read: Effect.succeed({ table: new Map(), shipped: null, file: null, warning: null }) })
)
/** The same CLI, whose output is a pipe, as it is for most; its own, a file, is what the commands' tests have. */
const piped: typeof geminiHeadless = { ...geminiHeadless, cutsPipes: false }
const agent = (scene: string, env: Readonly<Record<string, string>> = {}, cli = piped) =>
  Effect.provide(
    AgentProviderCli.make(cli, {
      command: process.execPath,
      args: [script],
      env: { AGENT_SCENE: scene, AGENT_TOKEN: "tok-1234567890", ...env },
      grace: 500,
      linger: 300
    }),
    layers
  )

interface Ran<R> {
  readonly events: ReadonlyArray<AgentEvent>
  readonly ended: Result.Result<R, AgentError>
}

/** All that a run tells, and how it ended. */
const gather = <R>(run: AgentRun<R>): Effect.Effect<Ran<R>> =>
  Effect.gen(function* () {
    const events: Array<AgentEvent> = []
    let result: R | undefined
    const ended = yield* Effect.result(
      Stream.runForEach(run, (event) =>
        Effect.sync(() => {
          if (event._tag === "Result") result = event.result
          else events.push(event)
        })
      )
    )
    return { events, ended: Result.map(ended, () => result as R) }
  })

const play = (scene: string, options: AgentOptions = {}, prompt = "P", env = {}): Effect.Effect<Ran<AgentResult>> =>
  Effect.flatMap(agent(scene, env), ({ execute }) => gather(execute(prompt, options)))

const failure = <R>({ ended }: Ran<R>): AgentError => {
  if (Result.isSuccess(ended)) throw new Error("it did not fail")
  return ended.failure
}
const success = <R>({ ended }: Ran<R>): R => Result.getOrThrow(ended)

/** Gone, or dead and only not yet buried by its new parent. */
const isGone = (pid: number): boolean => {
  try {
    return /^\d+ \(.*\) [ZX]/.test(readFileSync(`/proc/${pid}/stat`, "utf8"))
  } catch {
    return true
  }
}
/** The fake's session id is its pid. */
const assertGone = (events: ReadonlyArray<AgentEvent>) => {
  const pid = events.flatMap((event) => (event._tag === "Started" ? [Number(event.sessionId)] : []))[0] ?? 0
  assert.isAbove(pid, 1)
  assert.isTrue(isGone(pid), `process ${pid} is still there`)
}

describe("a CLI without a terminal", () => {
  it.live("has the tokens that it does not count counted by the counter of the program that embeds leap", () =>
    Effect.gen(function* () {
      const { tokens } = success(yield* play("uncounted", {}, "a b c"))
      assert.deepInclude(tokens, { input: 300, output: 200, total: 500, estimated: true })
      const { message } = failure(yield* play("uncounted", { maxTokensTotal: 499 }, "a b c"))
      assert.match(message, /the limit of tokens \(499\) with about 500/)
    }).pipe(Effect.provideService(TokenCounter, { count: (text: string) => 100 * (text.match(/\S+/g)?.length ?? 0) }))
  )

  live("gets its prompt and arguments, and gives a result", function* () {
    const prompt = `-x "y" \`z\` $A\n${"🙂".repeat(100_000)}`
    const ran = yield* play("echo", { args: ["--more"], env: { EXTRA: "1" }, cwd: tmpdir(), model: "m" }, prompt)
    const result = success(ran)
    assert.deepStrictEqual(JSON.parse(result.text), {
      prompt,
      args: ["--output-format", "stream-json", "--model", "m", "--more"],
      cwd: tmpdir(),
      tag: null,
      extra: "1"
    })
    assert.deepStrictEqual(result.tokens, {
      input: 6,
      cacheRead: 4,
      cacheWrite: 0,
      output: 2,
      total: 12,
      estimated: false
    })
    assert.deepStrictEqual(
      [result.provider, result.model, result.answers.length, result.json, result.refused],
      ["gemini", "fake", 1, null, []]
    )
    assert.isAtMost(Date.parse(result.startedAt), Date.parse(result.completedAt))
    assert.deepStrictEqual(each(ran.events, "_tag"), ["Started", "Text", "Used", "Answered"])
    assertGone(ran.events)
  })

  live("keeps a conversation, and what it knew of it when a turn fails", function* () {
    const { executeConversation } = yield* agent("echo")
    const first = success(
      yield* gather(executeConversation(turns.begin("gemini", { systemPrompt: "SYS", cwd: tmpdir() }), "one", {}))
    )
    assert.deepStrictEqual(each(first.conversation.turns, "role"), ["system", "user", "assistant"])
    assert.strictEqual((JSON.parse(first.result.text) as { prompt: string }).prompt, "SYS\n\none")
    assert.strictEqual(first.conversation.cwd, tmpdir())
    const second = success(yield* gather(executeConversation(first.conversation, "two", {})))
    const told = JSON.parse(second.result.text) as { prompt: string; args: ReadonlyArray<string> }
    assert.strictEqual(told.prompt, "two")
    assert.deepStrictEqual(told.args.slice(-2), ["--resume", first.conversation.sessionId])
    assert.deepStrictEqual([second.conversation.turns.length, second.conversation.totalTokens], [5, 24])
    assert.strictEqual(first.conversation.turns.length, 3, "the given one is not changed")
    const lost = success(yield* gather(executeConversation({ ...second.conversation, sessionId: null }, "three", {})))
    assert.match(
      (JSON.parse(lost.result.text) as { prompt: string }).prompt,
      /^SYS\n\nThis conversation began elsewhere[\s\S]*User: one[\s\S]*User: two[\s\S]*three$/
    )
    const elsewhere = failure(yield* gather(executeConversation(second.conversation, "four", { cwd: "/" })))
    assert.strictEqual(elsewhere._tag, "AgentOptionError")
    const others = failure(yield* gather(executeConversation(turns.begin("claude"), "one", {})))
    assert.match(others.message, /claude/)
  })

  live("gives its answer as JSON where that is asked for, or says that it is none", function* () {
    assert.deepStrictEqual(success(yield* play("json", { outputFormat: "json" })).json, { a: 1 })
    const error = failure(yield* play("prose", { outputFormat: "json" }))
    if (error._tag !== "AgentProtocolError") throw new Error(error._tag)
    assert.deepStrictEqual([error.exitCode, error.why, error.text], [13, "its answer is no JSON: “no JSON”", "no JSON"])
  })

  live("is not started for nothing", function* () {
    assert.strictEqual(failure(yield* play("echo", {}, " \n")).exitCode, 2)
    assert.strictEqual(failure(yield* play("echo", { cwd: "/no/such/place" }))._tag, "AgentOptionError")
    assert.strictEqual(failure(yield* play("echo", { model: "-x" })).message, "model: '-x' begins with '-'")
    assert.strictEqual(
      failure(yield* play("echo", { maxTurns: 0 })).message,
      "maxTurns: must be a whole number above 0"
    )
    assert.strictEqual(
      failure(yield* play("echo", JSON.parse('{"allowedTools":[1]}') as object)).message,
      "allowedTools: must be a text, or a list of texts"
    )
    const missing = yield* Effect.provide(AgentProviderCli.make(geminiHeadless, { command: "no-such-cli" }), layers)
    const error = failure(yield* gather(missing.execute("P", {})))
    assert.strictEqual(error.exitCode, 7)
    assert.include(error.message, "npm install")
    assert.strictEqual((yield* Effect.flip(missing.validate))._tag, "AgentNotFoundError")
    yield* (yield* agent("echo")).validate
    const broken = yield* Effect.provide(
      AgentProviderCli.make(geminiHeadless, { command: fileURLToPath(import.meta.url) }),
      layers
    )
    assert.include(["AgentNotFoundError", "AgentSpawnError"], failure(yield* gather(broken.execute("P", {})))._tag)
  })

  live("is told a history in which no file is named, and its user's prompt as it is", function* () {
    const { executeConversation } = yield* agent("echo")
    const said = turns.addTurn(turns.begin("gemini"), { role: "assistant", text: "see @/etc/hosts", tokens: 1 })
    const { text } = success(yield* gather(executeConversation(said, "and @b", {}))).result
    const { prompt } = JSON.parse(text) as { readonly prompt: string }
    assert.include(prompt, "Assistant: see \\@/etc/hosts")
    assert.isTrue(prompt.endsWith("User: and @b"), prompt)
  })

  live("holds a turn to what earlier turns of the conversation were held to", function* () {
    const { executeConversation } = yield* agent("echo")
    const conversation = { ...turns.begin("gemini"), restrictions: { sandbox: "read-only" } as const }
    const error = failure(yield* gather(executeConversation(conversation, "P", {})))
    assert.deepStrictEqual(
      [error._tag, error._tag === "AgentOptionError" && error.option],
      ["AgentOptionError", "sandbox"]
    )
    const ran = yield* gather(executeConversation(conversation, "P", { sandbox: "off" }))
    assert.strictEqual(success(ran).conversation.restrictions?.sandbox, "off")
  })

  live("gives its answer where its turn is over and it does not end, and is ended", function* () {
    const ran = yield* play("lingers")
    const result = success(ran)
    assert.strictEqual(result.text, "42")
    const notices = ran.events.flatMap((event) => (event._tag === "Notice" ? [event.text] : []))
    assert.deepStrictEqual(notices, ["its turn was over, and it did not end: leap ended it after 0.3 s"])
    assertGone(ran.events)
  })

  live("is interrupted when it takes too long, and what it said is kept", function* () {
    const ran = yield* play("polite", { timeout: 2_000 })
    const error = failure(ran)
    if (error._tag !== "AgentTimeoutError") throw new Error(error._tag)
    assert.deepStrictEqual([error.exitCode, error.idle, error.afterMs], [4, false, 2_000])
    assert.strictEqual(error.text, "so far, interrupted")
    assert.strictEqual(spoken(ran.events), "so far, interrupted")
    assertGone(ran.events)
  })

  live("tells why it was trying again when its time was over", function* () {
    const ran = yield* play("retrying", { timeout: 1_500 })
    const [retry] = ran.events.filter((event) => event._tag === "Retrying")
    assert.deepInclude(retry?.problem, { kind: "rate_limited", message: "slow down ***" })
    const error = failure(ran)
    assert.match(error.message, /took longer than 1500 ms and was ended, as it was trying again: slow down \*\*\*$/)
    assert.deepStrictEqual(
      [error.exitCode, error._tag === "AgentTimeoutError" && error.trouble?.kind],
      [4, "rate_limited"]
    )
  })

  live(
    "is killed when it does not care for signals",
    function* () {
      const ran = yield* play("stubborn", { idleTimeout: 2_000 })
      const error = failure(ran)
      if (error._tag !== "AgentTimeoutError") throw new Error(error._tag)
      assert.isTrue(error.idle)
      assert.strictEqual(error.text, "so far INT TERM")
      assertGone(ran.events)
    },
    testPatience
  )

  live("lives as long as it gives signs of life, on standard error too", function* () {
    assert.strictEqual(success(yield* play("chatty", { idleTimeout: 5_000 })).text, "at last")
  })

  live(
    "ends with the stream of its events",
    function* () {
      const { execute } = yield* agent("hang")
      const events: Array<AgentEvent> = []
      const fiber = yield* Effect.forkChild(
        Stream.runForEach(execute("P", {}), (event) =>
          Effect.sync(() => void (event._tag !== "Result" && events.push(event)))
        )
      )
      while (spoken(events) !== "so far") yield* Effect.sleep(20)
      yield* Fiber.interrupt(fiber)
      assertGone(events)
      // and with a reader that has had enough
      const taken = yield* Stream.runCollect(Stream.take(execute("P", {}), 2))
      assertGone(taken.flatMap((event) => (event._tag === "Result" ? [] : [event])))
    },
    testPatience
  )

  live("fails with what it had said, the end of its errors, and no secrets", function* () {
    const error = failure(yield* play("crash"))
    if (error._tag !== "AgentExitError") throw new Error(error._tag)
    assert.deepStrictEqual([error.exitCode, error.code, error.signal, error.text], [12, 3, null, "half an answer"])
    assert.match(error.message, /exit code 3: boom: api_key=\*\*\* \*\*\*$/)
    assert.isBelow(error.stderr.length, 20_000)
    assert.notInclude(error.stderr, "tok-1234567890")
    const killed = failure(yield* play("killed"))
    if (killed._tag !== "AgentExitError") throw new Error(killed._tag)
    assert.deepStrictEqual([killed.code, killed.signal], [null, "SIGKILL"])
    const reported = failure(yield* play("reported"))
    if (reported._tag !== "AgentReportedError") throw new Error(reported._tag)
    assert.deepStrictEqual(
      [reported.exitCode, reported.problem],
      [11, { kind: "rate_limited", message: "HTTP 429: slow down ***, retry after 3s", retryAfter: 3_000 }]
    )
  })

  live("shows no secret of its environment, in no event, result, error or conversation", function* () {
    const secret = "tok-1234567890"
    const { executeConversation } = yield* agent("indiscreet")
    const ran = yield* gather(executeConversation(turns.begin("gemini"), `my token is ${secret}`, {}))
    const { conversation, result } = success(ran)
    assert.strictEqual(result.text, "***")
    assert.strictEqual(spoken(ran.events), "it is ******")
    assert.deepStrictEqual(each(conversation.turns, "text"), ["my token is ***", "***"])
    const failed = yield* play("indiscreet", {}, "P", { AGENT_END: "crash" })
    const told = JSON.stringify([ran.events, result, conversation, failed.events, { ...failure(failed) }])
    assert.notInclude(told, secret)
    assert.include(told, "it is ")
  })

  live("need not read what it is given", function* () {
    assert.strictEqual(success(yield* play("deaf", {}, "x".repeat(4 << 20))).text, "I did not listen")
  })

  live(
    "leaves nobody behind, and is not waited for because of those who hold its output",
    function* () {
      const result = success(yield* play("family", { timeout: 60_000 }))
      assert.isTrue(isGone(Number(result.text)), `the grandchild ${result.text} is still there`)
    },
    testPatience
  )

  it.live.each(["timeout", "interrupt", "crash"] as const)(
    "leaves nobody behind in other sessions: %s",
    (how) =>
      Effect.gen(function* () {
        const { execute } = yield* agent("strays", { AGENT_END: how })
        const events: Array<AgentEvent> = []
        const run = Stream.runForEach(execute("P", how === "timeout" ? { timeout: 2_000 } : {}), (event) =>
          Effect.sync(() => void (event._tag !== "Result" && events.push(event)))
        )
        const fiber = yield* Effect.forkChild(Effect.result(run))
        if (how === "interrupt") {
          while (spoken(events) === "") yield* Effect.sleep(20)
          yield* Fiber.interrupt(fiber)
        }
        yield* Fiber.await(fiber)
        const [deaf = 0, bare = 0, orphan = 0] = spoken(events).split(" ").map(Number)
        assert.isAbove(orphan, 1)
        // of one that has crashed only its mark is left
        const left = [deaf, bare, orphan].filter((pid) => !isGone(pid))
        for (const pid of left) process.kill(pid, "SIGKILL")
        assert.deepStrictEqual(left, how === "crash" ? [bare] : [])
      }),
    testPatience
  )

  live(
    "leaves alone what went its own way, when the run has come to its end in order",
    function* () {
      const strays = success(yield* play("strays", {}, "P", { AGENT_END: "well" }))
        .text.split(" ")
        .map(Number)
      const left = strays.filter((pid) => !isGone(pid))
      for (const pid of left) process.kill(pid, "SIGKILL")
      assert.deepStrictEqual(left, strays)
    },
    testPatience
  )

  liveOfEach([
    ["plain", "there is no event in it: “hello”", ""],
    ["cut", "it ended in the middle", "half"]
  ] as const)("is not understood when its output is %s", function* ([scene, why, text]) {
    const error = failure(yield* play(scene))
    if (error._tag !== "AgentProtocolError") throw new Error(error._tag)
    assert.deepStrictEqual([error.exitCode, error.why, error.text], [13, why, text])
  })

  live("may print a line of 17 million bytes", function* () {
    const { text } = success(yield* play("overlong"))
    assert.isAbove(text.length, 17_000_000)
    assert.isTrue(text.endsWith("after it"))
  })

  it.live.skipIf(!hasNamespaces)(
    "is not waited for where nobody buries the dead of its group",
    () =>
      Effect.gen(function* () {
        // a grace that nobody waits for
        const args = ["-p", "-f", "--mount-proc", "--kill-child", process.execPath, oneTurn, "unburied", "600000"]
        const { stdout } = yield* Effect.promise(() => execFile("unshare", args))
        assert.strictEqual(stdout, "it is not buried")
      }),
    testPatience
  )

  live("that ends without waiting for a pipe is given a file, and loses nothing", function* () {
    const { execute } = yield* agent("hasty", {}, geminiHeadless)
    const ran = yield* gather(execute("P", {}))
    assert.strictEqual(success(ran).text, "done")
    assert.strictEqual(spoken(ran.events).length, 2_000_000 + "done".length)
    const lost = yield* Effect.flatMap(agent("hasty"), ({ execute }) => gather(execute("P", {})))
    assert.strictEqual(failure(lost)._tag, "AgentProtocolError", "a pipe loses some of it")
  })

  live(
    "may print more than fits into memory",
    function* () {
      const { execute } = yield* agent("huge", { AGENT_LINES: "2000" })
      let most = 0
      let count = 0
      const text = yield* Stream.runFold(
        execute("P", {}),
        () => "",
        (last, event) => {
          if (++count % 100 === 0) most = Math.max(most, process.memoryUsage().arrayBuffers)
          return event._tag === "Result" ? event.result.text : last
        }
      )
      assert.strictEqual(text, "done")
      assert.isAbove(count, 2_000)
      assert.isBelow(most, 96 << 20, "of 120 MB no more than a few chunks are held")
    },
    testPatience
  )
})

describe("a limit of turns", () => {
  /** Codex, which prints these items. */
  const plays = (items: ReadonlyArray<object>) => {
    const usage = { input_tokens: 10, output_tokens: 1 }
    const lines = [
      { type: "thread.started", thread_id: "T" },
      ...items.map((item, id) => ({ type: "item.completed", item: { id: String(id), ...item } })),
      { type: "item.completed", item: { id: "last", type: "agent_message", text: "Found." } },
      { type: "turn.completed", usage }
    ].map((line) => JSON.stringify(line))
    const print = `process.stdout.write(${JSON.stringify(`${lines.join("\n")}\n`)})`
    const launch = { command: process.execPath, args: ["-e", print, "--"], env: { CODEX_HOME: "/no/such/home" } }
    return Effect.provide(AgentProviderCli.make(codexHeadless, launch), layers)
  }
  const ls = { type: "command_execution", command: "ls", exit_code: 0, status: "completed" }

  live("is not used up by a tool that runs at the model's provider, within its request", function* () {
    const { execute } = yield* plays([{ type: "web_search", query: "w" }])
    assert.strictEqual(success(yield* gather(execute("P", { maxTurns: 1 }))).text, "Found.")
  })
  live("takes tools behind one another for requests only where none are counted", function* () {
    const { execute } = yield* plays([ls, ls])
    assert.strictEqual(success(yield* gather(execute("P", { maxTurns: 2 }))).text, "Found.")
    const uncounted = yield* gather(execute("P", { maxTurns: 2, args: ["--ephemeral"] }))
    assert.match(failure(uncounted).message, /limit of model turns \(2\)/)
  })
})
