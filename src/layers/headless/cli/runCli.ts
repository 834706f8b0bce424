import { Clock, DateTime, Effect, FileSystem, Option, Result, Stream } from "effect"
import { uuidV4Unsafe } from "effect/crypto/SecureRandom"
import type { ChildProcessSpawner } from "effect/process"
import type {
  AgentCall,
  AgentCli,
  AgentCommand,
  AgentOutcome,
  InvalidOption
} from "../../../domain/cli/headless/AgentCli.ts"
import type { AgentEvent } from "../../../domain/cli/headless/AgentEvent.ts"
import type { AgentResult } from "../../../domain/cli/headless/AgentResult.ts"
import { cliResult, needsPrices } from "../../../domain/cli/headless/cliResult.ts"
import * as CliRun from "../../../domain/cli/headless/RunDecoder.ts"
import { maskAnswer, secretsOf, secretValues } from "../../../domain/cli/headless/Masking.ts"
import { withoutRepeated } from "../../../domain/cli/headless/cliOptions.ts"
import { overlay } from "../../../domain/cli/provider/Environment.ts"
import { readLine } from "../../../domain/words/text/ByteLines.ts"
import { namesIn } from "../../../domain/words/text/namesIn.ts"
import { AgentHooks, AgentHooksError, type HookedRun } from "../../../services/AgentHooks.ts"
import { type AgentError, AgentOptionError, AgentSpawnError, type Permit } from "../../../services/AgentProvider.ts"
import { Prices } from "../../../services/Prices.ts"
import type { ProcessTable } from "../../../services/ProcessTable.ts"
import { localTimeZone } from "../../../services/localTimeZone.ts"
import { System } from "../../../services/System.ts"
import { TokenCounter } from "../../../services/TokenCounter.ts"
import { runError, withNotices } from "../agentRun.ts"
import { type AgentProcess, startProcess } from "./childProcess.ts"
import { type CliLaunch, findProgram, programOf } from "./cliLaunch.ts"

/** What a headless CLI needs of the machine. */
export type Requirements =
  | System
  | Prices
  | ProcessTable
  | FileSystem.FileSystem
  | ChildProcessSpawner.ChildProcessSpawner

export interface CliTurn {
  readonly call: Omit<AgentCall, "freshId">
  /** The texts for the model, for an estimate of its tokens. */
  readonly prompts: ReadonlyArray<string>
  readonly cwd: string
  /** Decides on its tools; absent: the CLI decides. */
  readonly permit?: Permit | undefined
}

export interface CliTurnResult {
  readonly result: AgentResult
  readonly outcome: AgentOutcome
  /** Masks the secrets of this run in a user's text. */
  readonly mask: (text: string) => string
}

type Items = Stream.Stream<
  AgentEvent | { readonly _tag: "Result"; readonly result: CliTurnResult },
  AgentError,
  Requirements
>

/** The CLI is not part of a session that may contain leap itself. */
const sessionVariables = { LEAP_TAG: null, LEAP_SIGNAL_DIR: null, LEAP_CLI_PROVIDER: null }
/** Identifies the processes of one run. */
const runVariable = "LEAP_RUN"
/** The most bytes of a usage file. */
const reportLimit = 1 << 20
const defaultGrace = 3_000
const defaultLinger = 10_000

const isoNow = Effect.map(DateTime.now, DateTime.formatIso)

/** The path of a file of the run, with this text or not there yet; it is deleted with the scope. */
const temporaryFile = Effect.fnUntraced(function* (name: string, text?: string) {
  const files = yield* FileSystem.FileSystem
  const path = `${yield* files.makeTempDirectoryScoped({ prefix: "leap-agent-" })}/${name}`
  if (text !== undefined) yield* files.writeFileString(path, text)
  return path
})

/** The file to which a CLI writes its usage, if it has an option for that. The run matters more than its exact count. */
const reportFile = ({ reportFlag: flag }: AgentCommand) =>
  flag === null
    ? Effect.succeed(null)
    : temporaryFile("usage.json").pipe(
        Effect.map((path) => ({ flag, path })),
        Effect.orElseSucceed(() => null)
      )

/** An empty file for a CLI's output; null: impossible, so a pipe is used. */
const outputFile = Effect.orElseSucceed(temporaryFile("output", ""), () => null)

/** Writes the files of a run; the words and the variables that name them. `env`: the run's variables without these. */
const runFiles = Effect.fnUntraced(function* (
  { files }: AgentCommand,
  provider: string,
  env: Readonly<Record<string, string>>
) {
  const named = { words: [] as Array<string>, variables: {} as Record<string, string> }
  for (const { content, option, variable, words } of files) {
    const refuse = (why: string) => new AgentOptionError({ provider, option, why })
    if (variable !== undefined && (env[variable] ?? "") !== "")
      return yield* refuse(`it is handed over by the variable ${variable}, which names another file already`)
    const path = yield* temporaryFile(`${option}.json`, JSON.stringify(content)).pipe(
      Effect.mapError((error) => refuse(`it cannot be handed over: ${error.message}`))
    )
    named.words.push(...(words?.(path) ?? []))
    if (variable !== undefined) named.variables[variable] = path
  }
  return named
})

const readReport = Effect.fnUntraced(
  function* (path: string) {
    const files = yield* FileSystem.FileSystem
    const { size } = yield* files.stat(path)
    return size > reportLimit ? null : readLine(yield* files.readFileString(path))
  },
  Effect.orElseSucceed(() => null)
)

const spawnFailures: Readonly<Record<string, string>> = {
  NotFound: "it or the program that its first line names is not there",
  PermissionDenied: "it may not be executed"
}

type Inputs = Stream.Stream<CliRun.CliRunInput, never, FileSystem.FileSystem>

const inputsOf = ({ end, output }: AgentProcess, reportPath: string | undefined): Inputs => {
  const ended = Effect.map(Clock.currentTimeMillis, (at) => ({ _tag: "OutputEnded", at }) as const)
  const endInputs = Effect.gen(function* () {
    const { lingered, timeOut, ...ended } = yield* end
    const exit = { ...ended, report: reportPath === undefined ? null : yield* readReport(reportPath) }
    const at = yield* Clock.currentTimeMillis
    return [
      ...(timeOut === null ? [] : [{ _tag: "TimedOut", ...timeOut } as const]),
      ...(lingered === null ? [] : [{ _tag: "Lingered", afterMs: lingered } as const]),
      { _tag: "Exited", exit, at } as const
    ]
  })
  return output.pipe(Stream.concat(Stream.fromEffect(ended)), Stream.concat(Stream.fromIterableEffect(endInputs)))
}

const resultOf = Effect.fnUntraced(function* (
  provider: string,
  turn: CliTurn,
  startedAt: string,
  conclusion: CliRun.CliConclusion
) {
  if (conclusion._tag === "Failed") return yield* runError(provider, conclusion.failure)
  const { json, outcome, refused } = conclusion
  const prices = needsPrices(outcome) ? (yield* (yield* Prices).read).table : null
  const result = cliResult(outcome, {
    provider,
    model: turn.call.options.model ?? null,
    prompts: turn.prompts,
    refused,
    json,
    prices,
    count: (yield* TokenCounter).count,
    startedAt,
    completedAt: yield* isoNow
  })
  return { result, outcome }
})

const hooksOf = Effect.fnUntraced(function* <State>(
  cli: AgentCli<State>,
  run: Omit<Parameters<AgentHooks["Service"]["open"]>[0], "cli">,
  permit: Permit
) {
  const hooks = yield* Effect.serviceOption(AgentHooks)
  const opened = yield* Effect.result(
    Option.isNone(hooks)
      ? Effect.fail(new AgentHooksError({ displayName: cli.displayName, why: "there is no AgentHooks here" }))
      : hooks.value.open({ cli: cli.id, ...run }, permit)
  )
  if (Result.isSuccess(opened)) return opened.success
  if (!permit.restricts) return null
  return yield* new AgentOptionError({
    provider: cli.id,
    option: permit.option ?? "policy",
    why: opened.failure.message
  })
})

/** Events of the model. A CLI with working hooks calls one before any of these. */
const ofTheModel: ReadonlySet<string> = new Set(namesIn("Text Thought ToolStarted ToolEnded Used Answered Result"))

/** The most time between the CLI's output and its first hook. */
const hookTimeout = "3 seconds"

/**
 * If rules depend on the run's hooks: holds the model's events until a hook has called, and ends the run after a tool
 * without a hook.
 */
const proven = (
  { displayName, id, ranTool }: Pick<AgentCli<never>, "displayName" | "id" | "ranTool">,
  permit: Permit | undefined,
  { asked, heard }: Pick<HookedRun, "asked" | "heard"> = {}
) => {
  const unheeded = (why: string) =>
    new AgentOptionError({
      provider: id,
      option: permit?.option ?? "policy",
      why: new AgentHooksError({ displayName, why }).message
    })
  const proof =
    heard === undefined
      ? Effect.void
      : Effect.timeoutOrElse(heard, {
          duration: hookTimeout,
          orElse: () =>
            unheeded("it works, and no hook of it has called leap: another layer of its settings may switch them off")
        })
  return Effect.fnUntraced(function* (event: AgentEvent | { readonly _tag: "Result" }) {
    if (permit?.restricts !== true || !ofTheModel.has(event._tag)) return
    yield* proof
    const ran = event._tag === "Result" ? null : (ranTool?.(event) ?? null)
    if (ran !== null && asked !== undefined && !(yield* asked(ran)))
      return yield* unheeded(`it ran a tool (${ran.tool}) about which no hook of it had asked leap`)
  })
}

const launched = Effect.fnUntraced(function* <State>(
  cli: AgentCli<State>,
  launch: CliLaunch,
  { cwd, permit }: CliTurn,
  call: AgentCall
) {
  const { options } = call
  const refuse = (invalid: InvalidOption) => new AgentOptionError({ provider: cli.id, ...invalid })
  const command = yield* Effect.mapError(Effect.fromResult(cli.command(call)), refuse)
  const lacks =
    command.ignored.length === 0 ? [] : [`${cli.displayName} has nothing for: ${command.ignored.join(", ")}`]
  const ownArgs = [...(launch.args ?? []), ...(launch.flags ?? []), ...(options.args ?? [])]
  const ownEnv = { ...command.env, ...launch.env, ...options.env }
  const hooked = permit === undefined ? null : yield* hooksOf(cli, { cwd, args: ownArgs, env: ownEnv }, permit)
  const mark = { variable: runVariable, value: yield* Effect.sync(() => uuidV4Unsafe()) }
  const whole = overlay((yield* System).env, {
    ...sessionVariables,
    ...ownEnv,
    ...hooked?.env,
    [mark.variable]: mark.value
  })
  const files = yield* runFiles(command, cli.id, whole)
  const env = { ...whole, ...files.variables }
  const program = yield* findProgram(cli, launch, env, cwd)
  const report = yield* reportFile(command)
  const at = command.furtherAt ?? command.args.length
  const args = [
    ...command.args.slice(0, at),
    ...(report === null ? [] : [report.flag, report.path]),
    ...files.words,
    ...(options.args ?? []),
    ...command.args.slice(at)
  ]
  const process = yield* startProcess({
    command: program,
    args: [...(launch.args ?? []), ...withoutRepeated(launch.flags ?? [], args), ...args],
    env,
    cwd,
    stdin: command.stdin,
    timeout: options.timeout ?? null,
    idleTimeout: options.idleTimeout ?? null,
    grace: launch.grace ?? defaultGrace,
    linger: launch.linger ?? defaultLinger,
    mark,
    outputFile: cli.cutsPipes === true ? yield* outputFile : null
  }).pipe(
    Effect.mapError((error) => {
      const why = spawnFailures[error.reason._tag] ?? error.message
      return new AgentSpawnError({ provider: cli.id, binary: programOf(cli, launch), why })
    })
  )
  const refused = hooked === null ? Stream.empty : yield* hooked.watch(process.pid)
  return { process, env, refused, lacks, reportPath: report?.path, proof: proven(cli, permit, hooked ?? {}) }
})

/** Runs a turn: emits its events, then its result. Interrupting the stream ends the CLI. */
export const cliRun = <State>(cli: AgentCli<State>, launch: CliLaunch, turn: CliTurn): Items =>
  Stream.unwrap(
    Effect.gen(function* () {
      const startedAt = yield* isoNow
      const call = { ...turn.call, freshId: yield* Effect.sync(() => uuidV4Unsafe()) }
      const { env, lacks, process, proof, refused, reportPath } = yield* launched(cli, launch, turn, call)
      const secrets = secretsOf(secretValues(env, { apiKey: call.options.apiKey }))
      const run: CliRun.CliRun<State> = { cli, call, secrets, zone: yield* localTimeZone }
      const mask = (text: string) => maskAnswer(text, secrets.answers)
      const refusals = Stream.mapEffect(refused, (one) =>
        Effect.map(Clock.currentTimeMillis, (at): CliRun.CliRunInput => ({ _tag: "ToolRefused", ...one, at }))
      )
      const inputs = inputsOf(process, reportPath)
      const events = (
        turn.permit === undefined ? inputs : Stream.merge(inputs, refusals, { haltStrategy: "left" })
      ).pipe(
        Stream.mapAccumArrayEffect(
          () => CliRun.start(run),
          (state, inputs) => {
            const [next, events] = CliRun.steps(run, state, inputs)
            process.setOver(next.overAt !== null)
            return next.conclusion === null
              ? Effect.succeed([next, events] as const)
              : Effect.map(
                  resultOf(cli.id, turn, startedAt, next.conclusion),
                  (given) => [next, [...events, { _tag: "Result", result: { ...given, mask } } as const]] as const
                )
          }
        ),
        Stream.tap(proof)
      )
      const { maxTurns } = call.options
      const isOurs = maxTurns !== undefined && (cli.askedTurns !== undefined || cli.countsTurns === true)
      return withNotices(events, [
        ...(launch.warning === null || launch.warning === undefined ? [] : [launch.warning]),
        ...lacks,
        ...(isOurs
          ? [`${cli.displayName} has no limit of turns of its own: leap ends it before turn ${maxTurns + 1}`]
          : [])
      ])
    })
  )
