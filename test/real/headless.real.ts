import * as NodeServices from "@effect/platform-node/NodeServices"
import { assert, describe, it } from "@effect/vitest"
import { Effect, Fiber, Layer, Result, Stream } from "effect"
import { execFileSync, spawn } from "node:child_process"
import { existsSync, mkdirSync, writeFileSync } from "node:fs"
import { networkInterfaces } from "node:os"
import { join } from "node:path"
import type { AgentEvent } from "../../src/domain/cli/headless/AgentEvent.ts"
import type { AgentOptions } from "../../src/domain/cli/headless/AgentOptions.ts"
import * as turns from "../../src/domain/cli/headless/turns.ts"
import { type CliSettings, defaultSettings } from "../../src/domain/store/settings/Settings.ts"
import * as SystemNode from "../../src/layers/system/SystemNode.ts"
import * as ProcessTableNode from "../../src/layers/system/ProcessTableNode.ts"
import * as AgentProvidersConfigured from "../../src/layers/headless/AgentProvidersConfigured.ts"
import {
  type AgentError,
  type AgentProviderShape,
  AgentProviders,
  type AgentRun
} from "../../src/services/AgentProvider.ts"
import { System } from "../../src/services/System.ts"
import { Prices } from "../../src/services/Prices.ts"
import { claude } from "./cli/claude.ts"
import { codex } from "./cli/codex.ts"
import { copilot } from "./cli/copilot.ts"
import { gemini } from "./cli/gemini.ts"
import { opencode } from "./cli/opencode.ts"
import { endless, type RealCli } from "./hosted.ts"
import { bundle } from "./leap.ts"
import { FakeModel, say } from "./model/FakeModel.ts"
import { each } from "../support/data/fields.ts"

interface Room {
  readonly agent: AgentProviderShape
  readonly api: FakeModel
  readonly project: string
  /** What its CLI sees beside the box's environment. */
  readonly env: Readonly<Record<string, string>>
}

const inRoom = async (
  cli: RealCli,
  name: string,
  body: (room: Room) => Promise<void>,
  own: CliSettings | null = null
) => {
  const outside = Object.values(networkInterfaces())
    .flat()
    .filter((it) => it?.internal === false)
  assert.deepStrictEqual(outside, [], "real CLIs run only where there is no network but loopback (npm run test:real)")
  const api = new FakeModel(cli.wire)
  const home = join(process.env["HOME"] ?? "", `headless-${cli.id}-${name}`)
  const project = join(home, "project")
  mkdirSync(project, { recursive: true })
  writeFileSync(join(project, "README.md"), "# A small project\n")
  execFileSync("git", ["init", "-q"], { cwd: project })
  const more = cli.prepare(home, project, await api.open())
  const machine = Layer.effect(
    System,
    Effect.map(System, (it) => System.of({ ...it, env: { ...it.env, ...more, HOME: home } }))
  ).pipe(Layer.provide(SystemNode.layerWith({ version: "0", self: [] })))
  const prices = Layer.succeed(Prices, {
    read: Effect.succeed({ table: new Map(), shipped: null, file: null, warning: null })
  })
  const settings = own === null ? defaultSettings : { ...defaultSettings, clis: { mine: own } }
  const agent = await Effect.runPromise(
    AgentProviders.use((it) => it.get(own === null ? cli.id : "mine")).pipe(
      Effect.provide(
        AgentProvidersConfigured.layerOf(undefined, settings).pipe(
          Layer.provide([machine, prices, NodeServices.layer, ProcessTableNode.layer])
        )
      )
    )
  )
  try {
    await body({ agent, api, project, env: { ...more, HOME: home } })
    assert.isNull(api.failure)
    assert.strictEqual(api.unspoken, 0, "every reply was asked for")
  } catch (error) {
    process.stderr.write(`--- endpoint\n${JSON.stringify(api.exchanges, null, 1)}\n`)
    throw error
  } finally {
    await api.close()
  }
}

/** All that a run tells, and how it ended. */
const gather = async <R>(run: AgentRun<R>) => {
  const events: Array<AgentEvent> = []
  let result: R | undefined
  const ended = await Effect.runPromise(
    Effect.result(
      Stream.runForEach(run, (event) =>
        Effect.sync(() => {
          if (event._tag === "Result") result = event.result
          else events.push(event)
        })
      )
    )
  )
  const success = (): R => {
    if (Result.isFailure(ended))
      throw new Error(
        `${ended.failure._tag}: ${ended.failure.message}\n${JSON.stringify({ ...ended.failure })}\n${JSON.stringify(events)}`
      )
    return result as R
  }
  const failure = (): AgentError => {
    if (Result.isSuccess(ended)) throw new Error(`it did not fail: ${JSON.stringify(result)}`)
    return ended.failure
  }
  return { events, success, failure }
}

/** Claude Code does not let root skip its permissions. */
const allowed = (cli: RealCli): AgentOptions =>
  cli.id === "claude" ? { allowedTools: "Bash" } : { skipPermissions: true }

/** A model that each of them knows. */
const models: Readonly<Record<string, string>> = {
  claude: "claude-haiku-4-5",
  codex: "gpt-6.1-sol",
  gemini: "gemini-2.5-flash",
  copilot: "gpt-5.4",
  opencode: "lab/lab-large"
}

/** What makes each of them give up early, where it can be told to. */
const impatient: Readonly<Record<string, AgentOptions>> = {
  claude: { env: { CLAUDE_CODE_MAX_RETRIES: "1" } },
  codex: { args: ["-c", "model_providers.lab.request_max_retries=1", "-c", "model_providers.lab.stream_max_retries=1"] }
}

describe.each([claude, codex, gemini, copilot, opencode].map((cli) => [cli.id, cli] as const))(
  "%s without a terminal",
  (_, cli) => {
    it("answers, with its tokens, and hears the system prompt", () =>
      inRoom(cli, "single", async ({ agent, api, project }) => {
        api.script(say("Hello from the model."))
        const ran = await gather(
          agent.execute('-- say "hello" \u{1f642}', { cwd: project, systemPrompt: "Speak like a PIRATE." })
        )
        const result = ran.success()
        assert.strictEqual(result.text, "Hello from the model.")
        assert.isFalse(result.tokens.estimated)
        assert.isAbove(result.tokens.total, 0)
        assert.isNotNull(result.sessionId)
        assert.include(api.main[0]?.conversation.join("\n") ?? "", '-- say "hello" \u{1f642}')
        assert.deepStrictEqual(
          ran.events.map(({ _tag }) => _tag).filter((tag) => tag === "Started" || tag === "Answered"),
          ["Started", "Answered"]
        )
        assert.deepStrictEqual(
          ran.events.filter(({ _tag }) => _tag === "Notice" || _tag === "Failed"),
          []
        )
        assert.strictEqual(
          ran.events.map((event) => (event._tag === "Text" ? event.text : "")).join(""),
          result.text,
          "nothing is told twice"
        )
      }))

    it("uses a tool", () =>
      inRoom(cli, "tool", async ({ agent, api, project }) => {
        // its command would leave the sandbox, which nobody is there to allow
        const looks = cli.id === "codex"
        api.script(looks ? cli.look("README.md") : cli.shell("echo ran > made.txt; echo out"), say("It is done."))
        const ran = await gather(agent.execute("make it", { cwd: project, ...allowed(cli) }))
        assert.strictEqual(ran.success().text, "It is done.")
        assert.strictEqual(existsSync(join(project, "made.txt")), !looks)
        const began = ran.events.find((event) => event._tag === "ToolStarted")
        assert.include(
          began?._tag === "ToolStarted" ? began.preview : "",
          looks ? "cat README.md" : "echo ran > made.txt"
        )
        assert.isTrue(ran.events.some((event) => event._tag === "ToolEnded" && event.ok))
      }))

    // the others keep most of a tool's output out of their stream
    it.runIf(cli.id === "gemini")("loses nothing of a long run", () =>
      inRoom(cli, "long", async ({ agent, api, project }) => {
        const lines = "x".repeat(99) + "\n"
        writeFileSync(join(project, "big.txt"), lines.repeat(7_000))
        api.script(cli.shell("cat big.txt"), say("It is long."))
        const tool = await gather(agent.execute("show it", { cwd: project, ...allowed(cli) }))
        assert.strictEqual(tool.success().text, "It is long.")
        const [ended] = tool.events.flatMap((event) => (event._tag === "ToolEnded" ? [event] : []))
        assert.isAbove(ended?.output.length ?? 0, 4_000)
        api.script(say("It was long."))
        const prompt = await gather(agent.execute(`${lines.repeat(10_000)}what is this?`, { cwd: project }))
        assert.strictEqual(prompt.success().text, "It was long.")
        assert.include(api.main.at(-1)?.conversation.at(-1) ?? "", "what is this?")
      })
    )

    it.runIf(cli.id === "codex")("holds its sandbox and the user's own flags in each turn", () =>
      inRoom(cli, "sandbox", async ({ agent, api, project }) => {
        let conversation = turns.begin(cli.id, { cwd: project })
        const own = [
          { sandbox: "read-only" },
          { args: ["--sandbox", "read-only"] },
          { sandbox: "workspace-write" }
        ] as const
        for (const [at, options] of own.entries()) {
          const file = `made-${at}.txt`
          api.script(cli.shell(`echo ran > ${file}`), say(`Answer ${at}.`))
          const ran = await gather(agent.executeConversation(conversation, `turn ${at}`, options))
          conversation = ran.success().conversation
          assert.isFalse(existsSync(join(project, file)) && at < 2, `turn ${at} wrote`)
        }
      })
    )

    it("runs as a variant of the user's own, with its flags", () =>
      inRoom(
        cli,
        "variant",
        async ({ agent, api, project }) => {
          api.script(say("Hello from the variant."))
          const ran = await gather(agent.execute("hello", { cwd: project }))
          const result = ran.success()
          assert.deepStrictEqual([result.provider, result.text], ["mine", "Hello from the variant."])
          if (cli.id === "claude" || cli.id === "gemini") assert.strictEqual(result.model, models[cli.id])
          api.script(say("Another one."))
          const other = (await gather(agent.execute("hello", { cwd: project, model: models[cli.id] ?? "" }))).success()
          assert.strictEqual(other.text, "Another one.")
        },
        { base: cli.id, flags: `--model ${models[cli.id]}` }
      ))

    it("goes on with a conversation, and counts each turn for itself", () =>
      inRoom(cli, "conversation", async ({ agent, api, project }) => {
        let conversation = turns.begin(cli.id, { cwd: project })
        const sizes: Array<number> = []
        for (const [at, prompt] of ["the first thing", "the second thing", "the third thing"].entries()) {
          api.script(say(`Answer ${at + 1}.`))
          const { conversation: next, result } = (
            await gather(agent.executeConversation(conversation, prompt, {}))
          ).success()
          assert.strictEqual(result.text, `Answer ${at + 1}.`)
          assert.isFalse(result.tokens.estimated)
          if (at > 0) assert.strictEqual(next.sessionId, conversation.sessionId)
          sizes.push(result.tokens.output)
          conversation = next
        }
        assert.deepStrictEqual(each(conversation.turns, "role"), [
          "user",
          "assistant",
          "user",
          "assistant",
          "user",
          "assistant"
        ])
        const heard = api.main.at(-1)?.conversation.join("\n") ?? ""
        for (const prompt of ["the first thing", "the second thing", "the third thing"]) assert.include(heard, prompt)
        if (cli.id !== "gemini" && cli.id !== "copilot") {
          api.script(say("Answer 4."))
          const forked = (
            await gather(agent.executeConversation(conversation, "the fourth thing", { fork: true }))
          ).success()
          assert.notStrictEqual(forked.conversation.sessionId, conversation.sessionId)
          assert.strictEqual(forked.conversation.forkedFrom, conversation.sessionId)
          assert.include(api.main.at(-1)?.conversation.join("\n") ?? "", "the first thing")
          if (!forked.result.tokens.estimated) sizes.push(forked.result.tokens.output)
          process.stderr.write(`fork ${cli.id} ${JSON.stringify(forked.result.tokens)}\n`)
        }
        assert.isBelow(Math.max(...sizes), Math.min(...sizes) * 2, `tokens of the answers: ${sizes.join(", ")}`)
      }))

    it("fails as the API does", () =>
      inRoom(cli, "error", async ({ agent, api, project }) => {
        api.script({ failure: { status: 400, message: "the request has a flaw" } })
        const error = (await gather(agent.execute("break", { cwd: project }))).failure()
        assert.strictEqual(error._tag, "AgentReportedError")
        assert.strictEqual(error.exitCode, 12)
        // some try again, and the endpoint has no other reply for them
        assert.match(error.message, /the request has a flaw|no reply for this request/)
        assert.isNotNull("sessionId" in error ? error.sessionId : null)
        const unknown = (
          await gather(
            agent.executeConversation(
              turns.begin(cli.id, {
                cwd: project,
                sessionId:
                  cli.id === "opencode" ? "ses_unknown0000000000000000" : "00000000-0000-4000-8000-000000000000"
              }),
              "go on",
              {}
            )
          )
        ).failure()
        assert.strictEqual(
          unknown._tag === "AgentReportedError" ? unknown.problem.kind : unknown._tag,
          "session",
          unknown.message
        )
      }))

    it.each([
      ["a key that is not accepted", 401, "invalid x-api-key", 10, ["auth"]],
      ["a limit", 429, "Rate limit reached for requests. Please try again in 2s.", 11, ["rate_limited", "quota"]]
    ] as const)("fails for %s by its name, with its exit code", (_, status, message, exitCode, kinds) =>
      inRoom(cli, `fault-${status}`, async ({ agent, api, project }) => {
        api.otherwise = { failure: { status, message, ...(status === 429 ? { headers: { "retry-after": "2" } } : {}) } }
        const { args = [], env = {} } = impatient[cli.id] ?? {}
        const ran = await gather(agent.execute("break", { cwd: project, args, env, timeout: 200_000 }))
        const error = ran.failure()
        if (error._tag !== "AgentReportedError") throw new Error(`${error._tag}: ${error.message}`)
        assert.include(kinds, error.problem.kind, error.message)
        assert.strictEqual(error.exitCode, exitCode)
        assert.notInclude(error.message, "\n")
        // OpenCode alone says nothing of requests that it makes again
        if (cli.id !== "opencode" && !(cli.id === "gemini" && status === 401))
          assert.isTrue(ran.events.some(({ _tag }) => _tag === "Retrying"))
      })
    )

    it("stops when it is interrupted", () =>
      inRoom(cli, "interrupt", async ({ agent, api, project }) => {
        const { end, reply } = endless("It goes on")
        api.script(reply)
        const fiber = Effect.runFork(Stream.runDrain(agent.execute("a long one", { cwd: project })))
        await api.until("it is being answered", (main) => main.some(({ startedAt }) => startedAt !== null), 120_000)
        await Effect.runPromise(Fiber.interrupt(fiber))
        await api.until("it has hung up", (main) => main.every(({ aborted }) => aborted), 20_000)
        assert.strictEqual(api.main.length, 1, "it did not ask again")
        end()
      }))

    it("stops when leap itself is killed", () =>
      inRoom(cli, "killed", async ({ api, env, project }) => {
        const { end, reply } = endless("It goes on")
        api.script(reply)
        const leap = spawn(process.execPath, [bundle, "exec", "--provider", cli.id, "a long one"], {
          cwd: project,
          env: { ...process.env, ...env },
          stdio: "ignore"
        })
        await api.until("it is being answered", (main) => main.some(({ startedAt }) => startedAt !== null), 120_000)
        leap.kill("SIGKILL")
        await api.until("it has hung up", (main) => main.every(({ aborted }) => aborted), 20_000)
        assert.strictEqual(api.main.length, 1, "it did not ask again")
        end()
      }))

    it("is stopped when it takes too long, and its session is known", () =>
      inRoom(cli, "timeout", async ({ agent, api, project }) => {
        const { end, reply } = endless("It goes on")
        api.script(reply)
        // one of them takes its time to start, on a loaded machine
        const ran = await gather(
          agent.execute("a long one", { cwd: project, timeout: cli.id === "opencode" ? 40_000 : 20_000 })
        )
        const error = ran.failure()
        if (error._tag !== "AgentTimeoutError") throw new Error(`${error._tag}: ${error.message}`)
        assert.strictEqual(error.exitCode, 4)
        await api.until("it has hung up", (main) => main.every(({ aborted }) => aborted), 20_000)
        end()
        if (cli.id !== "opencode") assert.isNotNull(error.sessionId)
        if (ran.events.some(({ _tag }) => _tag === "Text")) assert.include(error.text, "It goes on")
      }))
  }
)
