import { Option, Struct } from "effect"
import { lastLine, type ByteLine, type Lines, noLines, readLine, splitLines } from "../../words/text/ByteLines.ts"
import type { AgentCall, AgentCli, AgentExit, AgentOutcome } from "./AgentCli.ts"
import type { AgentEvent, ProviderProblem } from "./AgentEvent.ts"
import type { AgentResult } from "./AgentResult.ts"
import { jsonIn, quotedStart } from "./jsonAnswer.ts"
import { inEach, maxAnswerLength, notice } from "./decoderState.ts"
import { type HeldText, maskEvents, maskProblems, release, maskAnswer, maskReport, type Secrets } from "./Masking.ts"
import { providerProblemOf, withResetTime } from "./ProviderProblem.ts"
import { noRefusals, recordRefusal, type UnmatchedRefusals } from "./Refusals.ts"
import type { FailureReason, RunFailure, TimeOut } from "./RunFailure.ts"
import { sizeOf } from "../usage/UsageReader.ts"

/** The constants of one headless run of a CLI. `zone`: the time zone in which the CLI names times. */
export interface CliRun<in out State> {
  readonly cli: AgentCli<State>
  readonly call: AgentCall
  readonly secrets: Secrets
  readonly zone: string
}

/** The events of a run's process, in this order, but `ToolRefused` at any time. `at`: milliseconds since the epoch. */
export type CliRunInput =
  | { readonly _tag: "Printed"; readonly from: "stdout" | "stderr"; readonly bytes: Uint8Array; readonly at: number }
  /** The output has ended, so a last line without a newline is complete. */
  | { readonly _tag: "OutputEnded"; readonly at: number }
  /** leap refused a tool to the model. */
  | { readonly _tag: "ToolRefused"; readonly tool: string; readonly why: string; readonly at: number }
  /** leap ended the process, from `at` on. The first exceeded limit counts. */
  | ({ readonly _tag: "TimedOut"; readonly at: number } & TimeOut)
  /** leap ended the process because it continued in silence after the end of its turn. */
  | { readonly _tag: "Lingered"; readonly afterMs: number }
  | { readonly _tag: "Exited"; readonly exit: AgentExit; readonly at: number }

/** How a run ended, without secrets. */
export type CliConclusion =
  | {
      readonly _tag: "Succeeded"
      readonly outcome: AgentOutcome
      readonly refused: AgentResult["refused"]
      /** The answer as JSON; null if it was not requested. */
      readonly json: unknown
    }
  | { readonly _tag: "Failed"; readonly failure: RunFailure }

/** The memory of a run between two inputs. */
export interface CliRunState<State> {
  readonly decoder: State
  readonly stdout: Lines
  readonly stderr: Lines
  /** The end of a text that may be the beginning of a secret. */
  readonly held: HeldText
  /** Why the CLI is retrying; null: it is not, or an event that is not `aside` came after that. */
  readonly retrying: ProviderProblem | null
  readonly hasJson: boolean
  /** The last part of the CLI's messages for people on standard output. */
  readonly plain: string
  readonly refused: AgentResult["refused"]
  /** Refusals that only leap, or only the CLI, has reported so far. */
  readonly refusals: UnmatchedRefusals
  readonly timeOut: TimeOut | null
  /** Since when the CLI's turn is over (`isOver`); null: it is not, or a later line continued it. */
  readonly overAt: number | null
  /** Milliseconds from the end of the process's turn until leap ended it; null: it ended by itself. */
  readonly lingered: number | null
  /** When the running tools began, by call. */
  readonly toolsAt: Readonly<Record<string, number>>
  /** All tokens of the turn, as last reported. */
  readonly used: number | null
  /** Set once, by the end of the process, or when leap ends it at a limit; no event comes after it. */
  readonly conclusion: CliConclusion | null
}

/** The longest line of standard output that is read, in bytes: an answer with each character escaped. */
export const stdoutLineLimit = 6 * maxAnswerLength + (1 << 20)
/** The UTF-16 units of a CLI's messages for people that are stored: they say why it failed. */
const plainLength = 1_000
/** The longest line of standard error that is read, in bytes. */
const stderrLineLimit = 1 << 16

/** The run before its process has printed anything. */
export const start = <State>({ call, cli }: CliRun<State>): CliRunState<State> => ({
  decoder: cli.start(call),
  stdout: noLines,
  stderr: noLines,
  held: null,
  retrying: null,
  hasJson: false,
  plain: "",
  refused: [],
  refusals: noRefusals,
  timeOut: null,
  overAt: null,
  lingered: null,
  toolsAt: {},
  used: null,
  conclusion: null
})

type Step<State> = readonly [CliRunState<State>, ReadonlyArray<AgentEvent>]
/** A part of a step, for what came at this time. */
type Part<A> = <State>(run: CliRun<State>, state: CliRunState<State>, given: A, at: number) => Step<State>

/** Handles one input. The chunks of the output do not matter. Total. */
export const step = <State>(run: CliRun<State>, state: CliRunState<State>, input: CliRunInput): Step<State> => {
  if (state.conclusion !== null) return [state, []]
  switch (input._tag) {
    case "Printed": {
      const { at, bytes, from } = input
      const { limit, read } = outputs[from]
      const [rest, lines] = splitLines(state[from], bytes, limit)
      return inEach({ ...state, [from]: rest }, lines, (state, line) => read(run, state, line, at))
    }
    case "OutputEnded":
      return endOutput(run, state, input.at)
    case "ToolRefused": {
      const { at, tool, why } = input
      const [refusals, isNew] = recordRefusal("leap", state.refusals, { tool, why })
      return isNew
        ? report(run, { ...state, refusals }, [{ _tag: "Refused", tool, why }], at)
        : [{ ...state, refusals }, []]
    }
    case "TimedOut":
      return [
        state.timeOut !== null
          ? state
          : {
              ...state,
              timeOut: { afterMs: input.afterMs, idle: input.idle },
              // its output while it is being ended is not its turn's own end
              overAt: state.overAt !== null && state.overAt <= input.at ? state.overAt : null
            },
        []
      ]
    case "Lingered":
      return [{ ...state, lingered: input.afterMs }, []]
    case "Exited": {
      const [read, printed] = endOutput(run, state, input.at)
      const conclusion = conclude(run, read, input)
      const ending = conclusion._tag === "Succeeded" ? endingOf(read, input.exit) : null
      const [ended, noted] = report(run, read, ending === null ? [] : [{ _tag: "Notice", text: ending }], input.at)
      const events = [...printed, ...noted]
      // some report their usage only at the end, in a file
      const { reasoning, tokens } =
        conclusion._tag === "Succeeded" ? conclusion.outcome : { reasoning: null, tokens: null }
      const isTold = tokens === null || sizeOf(tokens) === ended.used
      return [{ ...ended, conclusion }, isTold ? events : [...events, { _tag: "Used", tokens, reasoning }]]
    }
  }
}

/** Takes several inputs. */
export const steps = <State>(
  run: CliRun<State>,
  state: CliRunState<State>,
  inputs: ReadonlyArray<CliRunInput>
): Step<State> => inEach(state, inputs, (state, input) => step(run, state, input))

/** How the process of an answered turn ended; null: in order. */
const endingOf = (
  { lingered, timeOut }: Pick<CliRunState<unknown>, "lingered" | "timeOut">,
  { code, signal }: AgentExit
): string | null =>
  lingered !== null
    ? `its turn was over, and it did not end: leap ended it after ${lingered / 1_000} s`
    : timeOut !== null
      ? `its turn was over, and it did not end: leap ended it at the ${timeOut.idle ? "idle " : ""}time limit`
      : signal !== null
        ? `its turn was over, and then ${signal} ended it`
        : code !== 0
          ? `its turn was over, and then it ended with exit code ${code}`
          : null

const readStderrLine: Part<ByteLine> = (run, state, line, at) => {
  if (line._tag === "Overlong") return [state, []]
  const [decoder, events] = run.cli.readError?.(state.decoder, line.text) ?? [state.decoder, []]
  return emit(run, { ...state, decoder }, [{ _tag: "ErrorOutput", text: line.text }, ...events], at)
}

const readStdoutLine: Part<ByteLine> = (run, state, line, at) => {
  if (state.conclusion !== null) return [state, []]
  if (line._tag === "Overlong")
    return [
      state,
      notice(`a line of ${line.size} bytes was passed over; the longest that is read has ${stdoutLineLimit}`)
    ]
  const value = readLine(line.text)
  if (value === null) return [state, []]
  const [decoder, read] = run.cli.read(state.decoder, value)
  const overAt = run.cli.isOver?.(decoder) === true ? (state.overAt ?? at) : null
  const native = run.call.options.native === true ? [{ _tag: "Native", line: line.text } as const] : []
  const plain = typeof value === "string" ? `${state.plain}${value.trim()}\n`.slice(-plainLength) : state.plain
  const next = { ...state, decoder, overAt, plain, hasJson: state.hasJson || typeof value === "object" }
  const told = emit(run, next, [...native, ...read], at)
  const { maxTurns } = run.call.options
  // It is about to begin one turn more than allowed.
  if (maxTurns === undefined || (run.cli.askedTurns?.(decoder) ?? 0) <= maxTurns) return told
  const [ended, more] = endAtLimit(run, told[0], maxTurns, at)
  return [ended, [...told[1], ...more]]
}

const outputs = {
  stdout: { limit: stdoutLineLimit, read: readStdoutLine },
  stderr: { limit: stderrLineLimit, read: readStderrLine }
} as const

/** Ends a run whose CLI has no limit of turns of its own; everything before that turn is kept. */
const endAtLimit: Part<number> = (run, state, maxTurns, at) => {
  const message = `it reached the limit of model turns (${maxTurns}), and leap ended it`
  const problem: ProviderProblem = { kind: "other", message, retryAfter: null }
  const [ended, events] = endOutput(run, { ...state, stdout: noLines }, at)
  const { answers, sessionId } = run.cli.end(state.decoder, { code: null, signal: null, stderr: "", report: null })
  const partial = { sessionId, text: maskAnswer(answers.at(-1) ?? "", run.secrets.answers), stderr: "" }
  const reason: FailureReason = { _tag: "Reported", problem, exit: null }
  return [
    { ...ended, conclusion: { _tag: "Failed", failure: { reason, partial } } },
    [...events, { _tag: "Failed", problem }]
  ]
}

/** The decoder's events, except for refusals that leap has reported. */
const emit: Part<ReadonlyArray<AgentEvent>> = (run, state, events, at) => {
  let { refusals } = state
  const told = events.filter((event) => {
    if (event._tag !== "Refused") return true
    const [next, isNew] = recordRefusal("cli", refusals, event)
    refusals = next
    return isNew
  })
  return report(run, { ...state, refusals }, told, at)
}

/** Events without meaning for the run's state. */
const aside: ReadonlySet<AgentEvent["_tag"]> = new Set(["Notice", "ErrorOutput", "Native", "HookRan", "RequestStarted"])

/** Events without secrets, and with the wait that a limit's text names. */
const report: Part<ReadonlyArray<AgentEvent>> = ({ secrets, zone }, state, events, at) => {
  if (events.length === 0) return [state, events]
  let { refused, retrying, toolsAt, used } = state
  /** How long ago the tool of this call began; null if unknown. */
  const sinceStart = (id: string | null): number | null => {
    const began = id === null ? undefined : toolsAt[id]
    return began === undefined ? null : at - began
  }
  const reports = events.map((event) => {
    const report = maskProblems(
      "problem" in event
        ? { ...event, problem: withResetTime(event.problem, at, zone) }
        : event._tag === "ToolEnded"
          ? { ...event, durationMs: event.durationMs ?? sinceStart(event.id) }
          : event,
      secrets.values
    )
    if (report._tag === "ToolStarted" && report.id !== null) toolsAt = { ...toolsAt, [report.id]: at }
    if (report._tag === "ToolEnded" && report.id !== null) toolsAt = Struct.omit(toolsAt, [report.id])
    if (!aside.has(report._tag)) retrying = report._tag === "Retrying" ? report.problem : null
    if (report._tag === "Used") used = sizeOf(report.tokens)
    if (report._tag === "Refused") refused = [...refused, { tool: report.tool, why: report.why }]
    return report
  })
  const [held, masked] = maskEvents(state.held, reports, secrets.answers)
  return [{ ...state, held, refused, retrying, toolsAt, used }, masked]
}

/** The last lines, and the held-back text, which nothing can make a secret any more. */
const endOutput = <State>(run: CliRun<State>, state: CliRunState<State>, at: number): Step<State> => {
  const [ended, events] = inEach(state, ["stdout", "stderr"] as const, (state, from) => {
    const { limit, read } = outputs[from]
    const last = lastLine(state[from], limit)
    return inEach({ ...state, [from]: noLines }, last, (state, line) => read(run, state, line, at))
  })
  return [{ ...ended, held: null }, [...events, ...release(ended.held)]]
}

const conclude = <State>(
  { call, cli, secrets, zone }: CliRun<State>,
  state: CliRunState<State>,
  { at, exit }: Extract<CliRunInput, { readonly _tag: "Exited" }>
): CliConclusion => {
  const decoded = cli.end(state.decoder, exit)
  // its messages for people say why it failed, if nothing else does
  const isTold = decoded.problem !== null || exit.signal !== null || exit.code === 0 || state.plain === ""
  const problem = isTold || state.overAt !== null ? decoded.problem : providerProblemOf({ message: state.plain.trim() })
  const outcome: AgentOutcome = {
    ...decoded,
    answers: decoded.answers.map((answer) => maskAnswer(answer, secrets.answers)),
    problem: problem === null ? null : withResetTime(problem, at, zone)
  }
  const text = outcome.answers.at(-1) ?? ""
  const failed = (reason: FailureReason): CliConclusion => ({
    _tag: "Failed",
    failure: {
      reason,
      partial: { sessionId: outcome.sessionId, text, stderr: maskReport(exit.stderr, secrets.values) }
    }
  })
  const said = maskReport(state.plain.trim() === "" ? exit.stderr : state.plain, secrets.values)
  const reason = reasonOf(state, outcome, exit, secrets, quotedStart(said))
  if (reason !== null) return failed(reason)
  const json = call.options.outputFormat === "json" ? jsonIn(text) : Option.some(null)
  return Option.isNone(json)
    ? failed({ _tag: "NotUnderstood", why: `its answer is no JSON${quotedStart(text)}` })
    : { _tag: "Succeeded", outcome, refused: state.refused, json: json.value }
}

/** Why a run that has ended has no answer; null when it has one. */
const reasonOf = (
  { hasJson, overAt, retrying, timeOut }: Pick<CliRunState<unknown>, "hasJson" | "overAt" | "retrying" | "timeOut">,
  { complete, problem }: AgentOutcome,
  { code, signal }: AgentExit,
  secrets: Secrets,
  said: string
): FailureReason | null => {
  // The answer is complete, and was paid for.
  if (overAt !== null && problem === null) return null
  if (timeOut !== null) return { _tag: "TimedOut", ...timeOut, retrying }
  if (problem !== null) {
    const message = maskReport(problem.message, secrets.values)
    return { _tag: "Reported", problem: { ...problem, message }, exit: code }
  }
  if (signal !== null || code !== 0) return { _tag: "Exited", code, signal }
  return complete
    ? null
    : { _tag: "NotUnderstood", why: hasJson ? "it ended in the middle" : `there is no event in it${said}` }
}
