import { Cause, Clock, DateTime, Effect, FileSystem, Option, Result, Stream } from "effect"
import { uuidV4Unsafe } from "effect/crypto/SecureRandom"
import { ChildProcessSpawner } from "effect/process"
import type { AgentCall, AgentCli, AgentCommand, AgentTold } from "../../domain/agents/AgentCli.ts"
import type { AgentEvent } from "../../domain/agents/AgentEvent.ts"
import type { AgentOptions } from "../../domain/agents/AgentOptions.ts"
import type { AgentResult } from "../../domain/agents/AgentResult.ts"
import { jsonIn } from "../../domain/agents/answer.ts"
import type { Conversation } from "../../domain/agents/Conversation.ts"
import { maskReport } from "../../domain/agents/Masking.ts"
import { secretValues } from "../../domain/agents/SecretValues.ts"
import { lastLine, type Line, lineLimit, noLines, readLine, splitLines } from "../../domain/agents/ByteLines.ts"
import * as turns from "../../domain/agents/turns.ts"
import { overlay } from "../../domain/Environment.ts"
import { costOf } from "../../domain/usage/Prices.ts"
import {
  type AgentError, AgentExitError, AgentNotFoundError, AgentOptionError, AgentProtocolError, type AgentProviderShape, AgentReportedError,
  type AgentRun, AgentSpawnError, AgentTimeoutError, type ConversationResult, EmptyPromptError
} from "../../services/AgentProvider.ts"
import { Machine } from "../../services/Machine.ts"
import { Prices } from "../../services/Prices.ts"
import { type AgentProcess, type ProcessEnd, startProcess } from "./process.ts"

/** How a CLI is started here, where that is not by its name alone. */
export interface CliLaunch {
  readonly command?: string
  readonly args?: ReadonlyArray<string>
  readonly env?: Readonly<Record<string, string | null>>
  /** Milliseconds between an interrupt, SIGTERM and SIGKILL. */
  readonly patience?: number
}

/** The session that leap itself may run in is not this CLI's. */
const ours = { LEAP_TAG: null, LEAP_SIGNAL_DIR: null, LEAP_CLI_PROVIDER: null }
/** The longest usage file that is read. */
const reportLength = 1 << 20

interface Turn {
  readonly call: Omit<AgentCall, "freshId">
  /** Texts that the model was given, for an estimate. */
  readonly heard: ReadonlyArray<string>
  readonly cwd: string
}

interface Ended {
  readonly result: AgentResult
  readonly told: AgentTold
}

const isoNow = Effect.map(Clock.currentTimeMillis, (now) => DateTime.formatIso(DateTime.makeUnsafe(now)))

/** Makes a headless provider of what is known of a CLI. */
export const cliAgent = Effect.fn("agents.cliAgent")(function*<State>(cli: AgentCli<State>, launch: CliLaunch = {}) {
  const machine = yield* Machine
  const spawner = yield* ChildProcessSpawner.ChildProcessSpawner
  const files = yield* FileSystem.FileSystem
  const prices = yield* Prices
  const provider = cli.id
  const binary = launch.command ?? cli.binary

  const find = (env: Readonly<Record<string, string>>) =>
    Effect.flatMap(machine.which(binary, env), Option.match({
      onNone: () => Effect.fail(new AgentNotFoundError({ provider, binary, hint: cli.installHint })),
      onSome: Effect.succeed
    }))

  const refuse = (option: string, why: string) => new AgentOptionError({ provider, option, why })

  const directory = (cwd: string | undefined) =>
    cwd === undefined
      ? Effect.succeed(machine.cwd)
      : Effect.flatMap(machine.directory(cwd), Option.match({
        onNone: () => Effect.fail(refuse("cwd", `'${cwd}' is no directory`)),
        onSome: Effect.succeed
      }))

  const checkPrompt = (prompt: string) => prompt.trim() === "" ? Effect.fail(new EmptyPromptError({ provider })) : Effect.void

  const resultOf = Effect.fnUntraced(function*(turn: Turn, told: AgentTold, refused: AgentResult["refused"], startedAt: string) {
    const text = told.answers.at(-1) ?? ""
    const tokens = told.tokens === null ? turns.estimated(turn.heard, text) : { ...told.tokens, estimated: false }
    const usd = told.usd ?? (tokens.estimated ? null : costOf((yield* prices.read).table, told.model, { ...tokens, cacheWriteLong: 0, reasoning: 0 }))
    return {
      provider, text, answers: told.answers, json: null, sessionId: told.sessionId, model: told.model ?? turn.call.options.model ?? null, tokens,
      cost: usd === null ? null : { usd, estimated: told.usd === null },
      turns: told.turns, refused, stopReason: told.stopReason, startedAt, completedAt: yield* isoNow
    } satisfies AgentResult
  })

  /** A turn as a stream: its events as they come, and what it gave. */
  const run = (turn: Turn): AgentRun<Ended> =>
    Stream.unwrap(Effect.gen(function*() {
      const { options } = turn.call
      const startedAt = yield* isoNow
      const call = { ...turn.call, freshId: yield* Effect.sync(() => uuidV4Unsafe()) }
      const command = yield* Result.match(cli.command(call), {
        onFailure: ({ option, why }) => Effect.fail(refuse(option, why)),
        onSuccess: Effect.succeed
      })
      if (command.ignored.length > 0) yield* Effect.logDebug(`${cli.displayName} has nothing for: ${command.ignored.join(", ")}`)
      const env = overlay(machine.env, { ...ours, ...command.env, ...launch.env, ...options.env })
      const program = yield* find(env)
      const report = yield* reportFile(command)
      const process = yield* startProcess({
        command: program,
        args: [...launch.args ?? [], ...command.args, ...report === null ? [] : [report.flag, report.path], ...options.args ?? []],
        env, cwd: turn.cwd, stdin: command.stdin, timeout: options.timeout ?? null, idleTimeout: options.idleTimeout ?? null,
        patience: launch.patience ?? 3_000
      }).pipe(
        Effect.provideService(ChildProcessSpawner.ChildProcessSpawner, spawner),
        Effect.mapError((error) => new AgentSpawnError({ provider, binary, why: whyNot(error) }))
      )
      const secrets = secretValues(env, { apiKey: options.apiKey })
      return reading(turn, call, process, {
        startedAt,
        hidden: (text) => maskReport(text, secrets),
        report: report === null ? Effect.succeed(null) : readReport(report.path)
      })
    }))

  const reportFile = ({ reportFlag }: AgentCommand) =>
    reportFlag === null
      ? Effect.succeed(null)
      : files.makeTempDirectoryScoped({ prefix: "leap-agent-" }).pipe(
        Effect.map((dir) => ({ flag: reportFlag, path: `${dir}/usage.json` })),
        // the run is worth more than its exact count
        Effect.orElseSucceed(() => null)
      )

  const readReport = (path: string): Effect.Effect<unknown> =>
    Effect.gen(function*() {
      const { size } = yield* files.stat(path)
      return size > reportLength ? null : readLine(yield* files.readFileString(path))
    }).pipe(Effect.orElseSucceed(() => null))

  const reading = (turn: Turn, call: AgentCall, process: AgentProcess, how: {
    readonly startedAt: string
    readonly hidden: (text: string) => string
    readonly report: Effect.Effect<unknown>
  }): AgentRun<Ended> => {
    let lines = noLines
    let state = cli.start(call)
    let understood = false
    let over: AgentError | "done" | null = null
    const refused: Array<AgentResult["refused"][number]> = []

    const take = (line: Line): ReadonlyArray<AgentEvent> => {
      if (line._tag === "Overlong") return [{ _tag: "Notice", text: `a line of ${line.size} bytes was passed over; the longest that is read has ${lineLimit}` }]
      const value = readLine(line.text)
      if (value === null) return []
      understood ||= typeof value === "object"
      const [next, events] = cli.read(state, value)
      state = next
      return events.map((event) => masked(event, how.hidden))
    }

    const finish = Effect.gen(function*() {
      const ended = yield* process.end
      const told = cli.end(state, { code: ended.code, signal: ended.signal, stderr: ended.stderr, report: yield* how.report })
      const error = failureOf(told, ended, understood, how.hidden)
      if (error !== null) {
        over = error
        return []
      }
      const result = yield* resultOf(turn, told, refused, how.startedAt)
      if (turn.call.options.outputFormat !== "json") {
        over = "done"
        return [{ _tag: "Result", result: { result, told } } as const]
      }
      const json = jsonIn(result.text)
      if (Option.isSome(json)) {
        over = "done"
        return [{ _tag: "Result", result: { result: { ...result, json: json.value }, told } } as const]
      }
      over = new AgentProtocolError({ provider, why: "its answer is no JSON", sessionId: told.sessionId, text: result.text, stderr: how.hidden(ended.stderr) })
      return []
    })

    const noteRefusals = (events: ReadonlyArray<AgentEvent>) => {
      for (const event of events) if (event._tag === "Refused") refused.push({ tool: event.tool, why: event.why })
      return events
    }

    const pull: Effect.Effect<readonly [AgentEvent | { readonly _tag: "Result"; readonly result: Ended }, ...Array<AgentEvent | { readonly _tag: "Result"; readonly result: Ended }>], AgentError | Cause.Done> = Effect.gen(function*() {
      for (;;) {
        if (over === "done") return yield* Cause.done()
        if (over !== null) return yield* over
        const chunks = yield* Effect.catchIf(process.output, Cause.isDone, () => Effect.succeed(null))
        const found: Array<AgentEvent | { readonly _tag: "Result"; readonly result: Ended }> = []
        if (chunks === null) {
          found.push(...noteRefusals(lastLine(lines).flatMap(take)))
          found.push(...yield* finish)
        } else {
          for (const chunk of chunks) {
            const [rest, whole] = splitLines(lines, chunk)
            lines = rest
            found.push(...noteRefusals(whole.flatMap(take)))
          }
        }
        const [first, ...others] = found
        if (first !== undefined) return [first, ...others] as const
      }
    })
    return Stream.fromPull(Effect.succeed(pull))
  }

  /** Why a run that has ended is no answer; null when it is one. */
  const failureOf = (told: AgentTold, { code, overdue, signal, stderr }: ProcessEnd, understood: boolean, hidden: (text: string) => string): AgentError | null => {
    const partial = { provider, sessionId: told.sessionId, text: told.answers.at(-1) ?? "", stderr: hidden(stderr) }
    if (overdue !== null) return new AgentTimeoutError({ ...partial, ...overdue })
    if (told.problem !== null) return new AgentReportedError({ ...partial, problem: { ...told.problem, message: hidden(told.problem.message) }, exit: code })
    if (signal !== null || code !== 0) return new AgentExitError({ ...partial, code, signal })
    if (told.complete) return null
    return new AgentProtocolError({ ...partial, why: understood ? "it ended in the middle" : "there is no event in it" })
  }

  const execute: AgentProviderShape["execute"] = (prompt, options) =>
    Stream.unwrap(Effect.gen(function*() {
      yield* checkPrompt(prompt)
      const cwd = yield* directory(options.cwd)
      const heard = [options.systemPrompt ?? "", prompt]
      return run({ call: { prompt, options, sessionId: null, fork: false, counted: null }, heard, cwd }).pipe(
        Stream.map((event) => event._tag === "Result" ? { _tag: "Result", result: event.result.result } as const : event)
      )
    }))

  const inConversation = Effect.fnUntraced(function*(given: Conversation, prompt: string, options: AgentOptions & { readonly fork?: boolean }) {
    yield* checkPrompt(prompt)
    if (given.provider !== provider) return yield* refuse("conversation", `it was begun with ${given.provider}, not with ${provider}`)
    const cwd = yield* directory(options.cwd ?? given.cwd ?? undefined)
    if (cli.bound && given.sessionId !== null && given.cwd !== null && cwd !== given.cwd) {
      return yield* refuse("cwd", `${cli.displayName} finds this conversation only in ${given.cwd}`)
    }
    const systemPrompt = options.systemPrompt ?? turns.systemPromptOf(given)
    const conversation = systemPrompt !== null && given.turns.length === 0 && given.sessionId === null
      ? { ...given, turns: turns.begin(provider, { systemPrompt }).turns }
      : given
    const { fork = false, ...others } = options
    const call = {
      // a session that is not known cannot be gone on with: a fresh one is told what was said
      prompt: conversation.sessionId === null ? turns.retold(conversation, prompt) : prompt,
      options: systemPrompt === null ? others : { ...others, systemPrompt },
      sessionId: conversation.sessionId,
      fork: fork && conversation.sessionId !== null,
      counted: conversation.counted ?? null
    }
    const heard = [...conversation.turns.map(({ text }) => text), prompt]
    return run({ call, heard, cwd }).pipe(Stream.map((event) => event._tag === "Result" ? concluded(event.result) : event))

    function concluded({ result, told }: Ended): { readonly _tag: "Result"; readonly result: ConversationResult } {
      const sessionId = result.sessionId ?? conversation.sessionId
      return {
        _tag: "Result",
        result: {
          result: { ...result, sessionId },
          conversation: turns.after(conversation, { prompt, result, cwd, counted: told.counted, fork: call.fork })
        }
      }
    }
  })

  return {
    name: cli.id,
    displayName: cli.displayName,
    validate: Effect.asVoid(find(overlay(machine.env, { ...launch.env }))),
    execute,
    executeConversation: (conversation, prompt, options) => Stream.unwrap(inConversation(conversation, prompt, options))
  } satisfies AgentProviderShape
})

/** What an event tells of failures, without secrets. */
const masked = (event: AgentEvent, hidden: (text: string) => string): AgentEvent => {
  switch (event._tag) {
    case "Notice":
      return { ...event, text: hidden(event.text) }
    case "Refused":
      return { ...event, why: hidden(event.why) }
    case "Failed":
      return { ...event, problem: { ...event.problem, message: hidden(event.problem.message) } }
    case "Retrying":
      return { ...event, problem: { ...event.problem, message: hidden(event.problem.message) } }
    default:
      return event
  }
}

const whyNot = (error: { readonly message: string; readonly reason: { readonly _tag: string } }): string =>
  error.reason._tag === "NotFound"
    ? "it or the program that its first line names is not there"
    : error.reason._tag === "PermissionDenied"
    ? "it may not be executed"
    : error.message
