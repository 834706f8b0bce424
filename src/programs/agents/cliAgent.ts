import { Cause, Clock, DateTime, Effect, FileSystem, Option, Result, Stream } from "effect"
import { uuidV4Unsafe } from "effect/crypto/SecureRandom"
import { ChildProcessSpawner } from "effect/process"
import type { AgentCall, AgentCli, AgentCommand, AgentTold } from "../../domain/agents/AgentCli.ts"
import type { AgentEvent, ProviderProblem } from "../../domain/agents/AgentEvent.ts"
import type { AgentOptions } from "../../domain/agents/AgentOptions.ts"
import type { AgentResult } from "../../domain/agents/AgentResult.ts"
import { jsonIn } from "../../domain/agents/answer.ts"
import type { Conversation } from "../../domain/agents/Conversation.ts"
import { type Held, maskEvents, release } from "../../domain/agents/EventMask.ts"
import { maskAnswer, maskReport, secretsInAnswers } from "../../domain/agents/Masking.ts"
import { dated } from "../../domain/agents/Problem.ts"
import { optionProblem } from "../../domain/agents/optionProblem.ts"
import { withoutRepeated } from "../../domain/agents/ownFlags.ts"
import { secretValues } from "../../domain/agents/SecretValues.ts"
import { lastLine, type Line, lineLimit, noLines, readLine, splitLines } from "../../domain/agents/ByteLines.ts"
import * as turns from "../../domain/agents/turns.ts"
import { overlay } from "../../domain/Environment.ts"
import { costOf } from "../../domain/usage/Prices.ts"
import {
  type AgentError, AgentNotFoundError, AgentOptionError, AgentProtocolError, type AgentProviderShape, type AgentRun, AgentSpawnError,
  type ConversationResult, EmptyPromptError
} from "../../services/AgentProvider.ts"
import { Machine } from "../../services/Machine.ts"
import { Prices } from "../../services/Prices.ts"
import { ProcessTable } from "../../services/ProcessTable.ts"
import { failureOf, masked, whyNot } from "./cliFailure.ts"
import { type AgentProcess, startProcess } from "./process.ts"

/** How a CLI is started here, where that is not by its name alone. */
export interface CliLaunch {
  readonly command?: string
  readonly args?: ReadonlyArray<string>
  readonly env?: Readonly<Record<string, string | null>>
  /** Flags of the user's for every run. What a run asks for itself goes before them. */
  readonly flags?: ReadonlyArray<string>
  /** What of the user's settings for it had to be left out; told with each run. */
  readonly warning?: string | null
  /** Milliseconds between an interrupt, SIGTERM and SIGKILL. */
  readonly patience?: number
}

/** The session that leap itself may run in is not this CLI's. */
const ours = { LEAP_TAG: null, LEAP_SIGNAL_DIR: null, LEAP_CLI_PROVIDER: null }
/** By which the processes of one run are known. */
const runVariable = "LEAP_RUN"
/** The longest usage file that is read. */
const reportLength = 1 << 20
/** The longest line of standard error that is read. */
const errorLimit = 1 << 16

interface Turn {
  readonly call: Omit<AgentCall, "freshId">
  /** Texts that the model was given, for an estimate. */
  readonly heard: ReadonlyArray<string>
  readonly cwd: string
}

interface Ended {
  readonly result: AgentResult
  /** A text of the user's without the secrets of this run. */
  readonly clean: (text: string) => string
  readonly told: AgentTold
}

const isoNow = Effect.map(Clock.currentTimeMillis, (now) => DateTime.formatIso(DateTime.makeUnsafe(now)))

/** Makes a headless provider of what is known of a CLI. */
export const cliAgent = Effect.fn("agents.cliAgent")(function*<State>(cli: AgentCli<State>, launch: CliLaunch = {}) {
  const machine = yield* Machine
  const spawner = yield* ChildProcessSpawner.ChildProcessSpawner
  const files = yield* FileSystem.FileSystem
  const prices = yield* Prices
  const table = yield* ProcessTable
  const zone = DateTime.zoneToString(DateTime.zoneMakeLocal())
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

  /** Options come from programs too, whose types nobody may have checked. */
  const checkOptions = (options: AgentOptions) => {
    const problem = optionProblem(options)
    return problem === null ? Effect.void : Effect.fail(refuse(problem.option, problem.why))
  }

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
      const mark = { variable: runVariable, value: yield* Effect.sync(() => uuidV4Unsafe()) }
      const env = overlay(machine.env, { ...ours, ...command.env, ...launch.env, ...options.env, [mark.variable]: mark.value })
      const program = yield* find(env)
      const report = yield* reportFile(command)
      const args = [...command.args, ...report === null ? [] : [report.flag, report.path], ...options.args ?? []]
      const process = yield* startProcess({
        command: program,
        args: [...launch.args ?? [], ...withoutRepeated(launch.flags ?? [], args), ...args],
        env, cwd: turn.cwd, stdin: command.stdin, timeout: options.timeout ?? null, idleTimeout: options.idleTimeout ?? null,
        patience: launch.patience ?? 3_000, mark, hearsErrors: cli.readError !== undefined
      }).pipe(
        Effect.provideService(ChildProcessSpawner.ChildProcessSpawner, spawner),
        Effect.provideService(ProcessTable, table),
        Effect.mapError((error) => new AgentSpawnError({ provider, binary, why: whyNot(error) }))
      )
      const secrets = secretValues(env, { apiKey: options.apiKey })
      const events = reading(turn, call, process, {
        startedAt,
        hidden: (text) => maskReport(text, secrets),
        secrets: secretsInAnswers(secrets),
        report: report === null ? Effect.succeed(null) : readReport(report.path)
      })
      return launch.warning === null || launch.warning === undefined
        ? events
        : Stream.concat(Stream.make<[AgentEvent]>({ _tag: "Notice", text: launch.warning }), events)
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
    /** As they are looked for in what the model says. */
    readonly secrets: ReadonlyArray<string>
    readonly report: Effect.Effect<unknown>
  }): AgentRun<Ended> => {
    let lines = noLines
    let errorLines = noLines
    let trouble: ProviderProblem | null = null
    let held: Held = null
    const clean = (text: string) => maskAnswer(text, how.secrets)
    let state = cli.start(call)
    let understood = false
    let over: AgentError | "done" | null = null
    const refused: Array<AgentResult["refused"][number]> = []

    const take = (line: Line, now: number): ReadonlyArray<AgentEvent> => {
      if (line._tag === "Overlong") return [{ _tag: "Notice", text: `a line of ${line.size} bytes was passed over; the longest that is read has ${lineLimit}` }]
      const value = readLine(line.text)
      if (value === null) return []
      understood ||= typeof value === "object"
      const [next, events] = cli.read(state, value)
      state = next
      return told(events, now)
    }

    const takeError = (line: Line, now: number): ReadonlyArray<AgentEvent> => {
      if (line._tag === "Overlong" || cli.readError === undefined) return []
      const [next, events] = cli.readError(state, line.text)
      state = next
      return told(events, now)
    }

    const told = (events: ReadonlyArray<AgentEvent>, now: number): ReadonlyArray<AgentEvent> => {
      const reports = events.map((event) => {
        const report = masked("problem" in event ? { ...event, problem: dated(event.problem, now, zone) } : event, how.hidden)
        trouble = report._tag === "Retrying" ? report.problem : report._tag === "Notice" ? trouble : null
        return report
      })
      const [left, clean] = maskEvents(held, reports, how.secrets)
      held = left
      return clean
    }

    const finish = Effect.gen(function*() {
      const ended = yield* process.end
      const last = cli.end(state, { code: ended.code, signal: ended.signal, stderr: ended.stderr, report: yield* how.report })
      const now = yield* Clock.currentTimeMillis
      const told = {
        ...last,
        answers: last.answers.map(clean),
        problem: last.problem === null ? null : dated(last.problem, now, zone)
      }
      const error = failureOf(provider, told, ended, { understood, trouble, hidden: how.hidden })
      if (error !== null) {
        over = error
        return []
      }
      const result = yield* resultOf(turn, told, refused, how.startedAt)
      if (turn.call.options.outputFormat !== "json") {
        over = "done"
        return [{ _tag: "Result", result: { result, clean, told } } as const]
      }
      const json = jsonIn(result.text)
      if (Option.isSome(json)) {
        over = "done"
        return [{ _tag: "Result", result: { result: { ...result, json: json.value }, clean, told } } as const]
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
        const now = yield* Clock.currentTimeMillis
        if (chunks === null) {
          found.push(...noteRefusals(lastLine(lines).flatMap((line) => take(line, now))))
          found.push(...release(held))
          held = null
          found.push(...yield* finish)
        } else {
          for (const { bytes, from } of chunks) {
            const [rest, whole] = from === "out" ? splitLines(lines, bytes) : splitLines(errorLines, bytes, errorLimit)
            if (from === "out") lines = rest
            else errorLines = rest
            found.push(...from === "out" ? noteRefusals(whole.flatMap((line) => take(line, now))) : whole.flatMap((line) => takeError(line, now)))
          }
        }
        const [first, ...others] = found
        if (first !== undefined) return [first, ...others] as const
      }
    })
    return Stream.fromPull(Effect.succeed(pull))
  }

  const execute: AgentProviderShape["execute"] = (prompt, options) =>
    Stream.unwrap(Effect.gen(function*() {
      yield* checkPrompt(prompt)
      yield* checkOptions(options)
      const cwd = yield* directory(options.cwd)
      const heard = [options.systemPrompt ?? "", prompt]
      return run({ call: { prompt, options, sessionId: null, fork: false, counted: null }, heard, cwd }).pipe(
        Stream.map((event) => event._tag === "Result" ? { _tag: "Result", result: event.result.result } as const : event)
      )
    }))

  const inConversation = Effect.fnUntraced(function*(given: Conversation, prompt: string, options: AgentOptions & { readonly fork?: boolean }) {
    yield* checkPrompt(prompt)
    yield* checkOptions(options)
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

    function concluded({ clean, result, told }: Ended): { readonly _tag: "Result"; readonly result: ConversationResult } {
      const sessionId = result.sessionId ?? conversation.sessionId
      return {
        _tag: "Result",
        result: {
          result: { ...result, sessionId },
          conversation: turns.after(conversation, { prompt: clean(prompt), result, cwd, counted: told.counted, fork: call.fork })
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
