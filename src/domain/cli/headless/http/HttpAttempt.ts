import { Struct } from "effect"
import type { AgentEvent, ProviderProblem } from "../AgentEvent.ts"
import type { FailureReason, RunFailure } from "../RunFailure.ts"
import { type Chat, isComplete, isFinished as chatIsFinished, maskedCalls } from "./Chat.ts"
import { type ChatBody, endBody, isReadEnough, noBody, readBody } from "./ChatBody.ts"
import { type Dialect, newest, simplerDialect } from "./Dialect.ts"
import { started } from "../decoderState.ts"
import type { CountTokens } from "../tokens.ts"
import { responseFailure, type HttpRefusal, streamFailure, type TransportFault } from "./HttpFailure.ts"
import { type HttpSettings, redirected, shownUrl } from "./HttpSettings.ts"

/** How often, and how long in total, a request is retried. In milliseconds. */
export const retryLimits = {
  maxRetries: 4,
  minWait: 0,
  firstWait: 500,
  maxWait: 30_000,
  maxTotalWait: 120_000
}

/** The limits for a server that is loading: it is asked until it is ready, or the time is over. */
export const loadingLimits: typeof retryLimits = {
  ...retryLimits,
  maxRetries: Infinity,
  minWait: 500,
  firstWait: 2_000,
  maxWait: 4_000
}

/** What decides whether a failed request is retried. `count` includes this failure. */
interface Failures {
  readonly count: number
  readonly waited: number
  /** How long the server asks to wait; null: not said. */
  readonly retryAfter: number | null
  /** How much of the run's time is left; null: no limit. */
  readonly left: number | null
  readonly random: number
}

/** Milliseconds until the next try: the server's wish, else doubling with full jitter; null: no retry. */
export const retryIn = ({ count, left, random, retryAfter, waited }: Failures, limits = retryLimits): number | null => {
  if (count > limits.maxRetries) return null
  const spread = Math.floor(random * Math.min(limits.maxWait, limits.firstWait * 2 ** (count - 1)))
  const wait = retryAfter ?? Math.max(limits.minWait, spread)
  return waited + wait > limits.maxTotalWait || (left !== null && wait >= left) ? null : wait
}

/** The values that stay the same for all attempts of one request. `deadline`: milliseconds since the epoch. */
export interface HttpRun {
  readonly settings: HttpSettings
  readonly deadline: number | null
}

export interface HttpAttempt {
  readonly url: string
  readonly dialect: Dialect
  readonly failures: number
  /** How often the server was loading; these are no failures. */
  readonly loadingReplies: number
  readonly waited: number
  readonly redirects: number
  /** How often the connection ended before an answer came. */
  readonly disconnects: number
  /** `Started` was emitted, by this attempt or an earlier one. */
  readonly started: boolean
}

export const firstAttempt = (url: string): HttpAttempt => ({
  url,
  dialect: newest,
  failures: 0,
  loadingReplies: 0,
  waited: 0,
  redirects: 0,
  disconnects: 0,
  started: false
})

/** An attempt's inputs. All but `Responded` end it; `Received` only with the last bytes needed. `at`: epoch, in ms. */
export type HttpInput =
  | { readonly _tag: "Responded"; readonly contentType: string | null }
  | { readonly _tag: "Received"; readonly bytes: Uint8Array; readonly at: number }
  | { readonly _tag: "Ended"; readonly at: number }
  | { readonly _tag: "Cut"; readonly at: number }
  | { readonly _tag: "TimedOut"; readonly idle: boolean; readonly at: number }
  | { readonly _tag: "Unreachable"; readonly fault: TransportFault; readonly at: number }
  /** The server's status is not a success. `refusal` has the beginning of the body. */
  | { readonly _tag: "Refused"; readonly refusal: HttpRefusal }

/** An ended answer. `refused`: it is the model's refusal, or ends with one. */
export interface HttpAnswer extends Pick<Chat, "text" | "calls" | "usage" | "finish" | "refused" | "tokens"> {
  readonly model: string
}

export type HttpNext =
  | { readonly _tag: "Complete"; readonly answer: HttpAnswer }
  | { readonly _tag: "Fail"; readonly failure: RunFailure }
  /** Repeats the request at once, at another address or in another form. */
  | { readonly _tag: "Repeat"; readonly attempt: HttpAttempt }
  /** Repeats the request after `wait` milliseconds, because of this problem. */
  | {
      readonly _tag: "Retry"
      readonly attempt: HttpAttempt
      readonly wait: number
      readonly problem: ProviderProblem
    }

export type HttpItem = AgentEvent | { readonly _tag: "Next"; readonly next: HttpNext }

export interface HttpAttemptState {
  readonly attempt: HttpAttempt
  readonly random: number
  readonly body: ChatBody
  readonly contentType: string | null
  readonly isOver: boolean
}

export const start = (attempt: HttpAttempt, random: number, count: CountTokens): HttpAttemptState => ({
  attempt,
  random,
  body: { ...noBody, chat: { ...noBody.chat, count } },
  contentType: null,
  isOver: false
})

/** The model has ended its answer; only a usage count or an end mark may follow. */
export const isFinished = ({ body }: HttpAttemptState): boolean => chatIsFinished(body.chat)

const maxRedirects = 3
const maxDisconnects = 1

type Step = readonly [HttpAttemptState, ReadonlyArray<HttpItem>]

/** Handles one input. Total; an attempt emits one `Next`, its last item. */
export const step = (run: HttpRun, state: HttpAttemptState, input: HttpInput): Step => {
  if (state.isOver) return [state, []]
  switch (input._tag) {
    case "Responded":
      return [{ ...state, contentType: input.contentType }, []]
    case "Received": {
      const [body, found] = readBody(state.body, input.bytes, run.settings.secrets)
      const [next, events] = withStarted(run, { ...state, body }, found)
      if (!isReadEnough(body)) return [next, events]
      const [last, items] = endOfBody(run, next, { _tag: "Ended", at: input.at })
      return [last, [...events, ...items]]
    }
    case "Unreachable": {
      const { retriable, why } = input.fault
      const message = `no answer from ${shownUrl(state.attempt.url)}: ${why}`
      const problem: ProviderProblem = { kind: "other", message, retryAfter: null }
      return (retriable ? retry(run, state, problem, input.at) : null) ?? report(state, [], problem)
    }
    case "Refused":
      return refused(run, state, input.refusal)
    default:
      return endOfBody(run, state, input)
  }
}

/** The events of an input. `Started` precedes them if the model began to answer with this input. */
const withStarted = (
  run: HttpRun,
  state: HttpAttemptState,
  events: ReadonlyArray<AgentEvent>
): readonly [HttpAttemptState, ReadonlyArray<AgentEvent>] => {
  const { attempt, body } = state
  if (attempt.started || !body.chat.started) return [state, events]
  const model = body.chat.model ?? run.settings.model
  const begun: HttpAttemptState = { ...state, attempt: { ...attempt, started: true } }
  return [begun, [started({ model }), { _tag: "RequestStarted", model, agent: null }, ...events]]
}

const over = (state: HttpAttemptState, events: ReadonlyArray<AgentEvent>, next: HttpNext): Step => [
  { ...state, isOver: true },
  [...events, { _tag: "Next", next }]
]

const fail = (state: HttpAttemptState, events: ReadonlyArray<AgentEvent>, reason: FailureReason): Step =>
  over(state, events, {
    _tag: "Fail",
    failure: { reason, partial: { sessionId: null, text: state.body.chat.text, stderr: "" } }
  })

const report = (state: HttpAttemptState, events: ReadonlyArray<AgentEvent>, problem: ProviderProblem): Step =>
  fail(state, [...events, { _tag: "Failed", problem }], { _tag: "Reported", problem, exit: null })

/** The same request after a wait; null: no retry. */
const retry = (
  run: HttpRun,
  state: HttpAttemptState,
  problem: ProviderProblem,
  at: number,
  loading = false
): Step | null => {
  const { attempt, random } = state
  const failures = attempt.failures + (loading ? 0 : 1)
  const loads = attempt.loadingReplies + (loading ? 1 : 0)
  const wait = retryIn(
    {
      count: loading ? loads : failures,
      waited: attempt.waited,
      retryAfter: problem.retryAfter,
      random,
      left: run.deadline === null ? null : run.deadline - at
    },
    loading ? loadingLimits : retryLimits
  )
  if (wait === null) return null
  const of = loading ? null : retryLimits.maxRetries + loads
  return over(state, [{ _tag: "Retrying", attempt: failures + loads, of, inMs: wait, problem }], {
    _tag: "Retry",
    wait,
    problem,
    attempt: { ...attempt, failures, loadingReplies: loads, waited: attempt.waited + wait }
  })
}

const refused = (run: HttpRun, state: HttpAttemptState, refusal: HttpRefusal): Step => {
  const { attempt } = state
  const url = redirected(attempt.url, refusal.status, refusal.headers["location"])
  if (url !== null && attempt.redirects < maxRedirects)
    return over(state, [], { _tag: "Repeat", attempt: { ...attempt, url, redirects: attempt.redirects + 1 } })
  const { fields, loading, problem, retriable, serverText } = responseFailure(
    refusal,
    run.settings.secrets.values,
    shownUrl(attempt.url)
  )
  const { json, maxTokens, schema } = run.settings
  const other = simplerDialect(
    attempt.dialect,
    { status: refusal.status, text: serverText, fields },
    { maxTokens: maxTokens !== null, json, schema: schema !== null }
  )
  if (other !== null)
    return over(state, [{ _tag: "Notice", text: other.why }], {
      _tag: "Repeat",
      attempt: { ...attempt, dialect: other.dialect }
    })
  return (retriable ? retry(run, state, problem, refusal.now, loading) : null) ?? report(state, [], problem)
}

type BodyEnd = Extract<HttpInput, { readonly _tag: "Ended" | "Cut" | "TimedOut" }>

const endOfBody = (run: HttpRun, before: HttpAttemptState, end: BodyEnd): Step => {
  const { secrets } = run.settings
  const { emitted } = before.body.chat
  const [body, found] = endBody(before.body, before.contentType, end._tag !== "Ended", secrets)
  const { chat } = body
  const [state, events] = withStarted(run, { ...before, body }, found)
  if (chat.error !== null || chat.finish === "error") {
    const error = chat.error ?? "the model ended with an error"
    const { loading, problem, retriable } = streamFailure(error, end.at, secrets.values)
    // A retry discards this answer, so leap retries only if it has emitted none of the answer's events.
    const again = retriable && !emitted ? retry(run, { ...before, body }, problem, end.at, loading) : null
    return again ?? report(state, events, problem)
  }
  if (isComplete(chat, end._tag !== "Ended")) return complete(run, state, events)
  if (chat.broken !== null) return fail(state, events, { _tag: "NotUnderstood", why: chat.broken })
  if (end._tag === "TimedOut") {
    const { idleTimeout, timeout } = run.settings
    const afterMs = end.idle ? idleTimeout : (timeout ?? 0)
    return fail(state, events, { _tag: "TimedOut", idle: end.idle, afterMs, retrying: null })
  }
  if (emitted) return fail(state, events, { _tag: "NotUnderstood", why: "the answer was cut off in the middle" })
  const why = "the connection ended before an answer came"
  const { attempt } = before
  // The server may charge for each attempt, so a broken connection is retried only once.
  const once: HttpAttemptState = { ...before, body, attempt: { ...attempt, disconnects: attempt.disconnects + 1 } }
  const problem: ProviderProblem = { kind: "other", message: why, retryAfter: null }
  const again = attempt.disconnects >= maxDisconnects ? null : retry(run, once, problem, end.at)
  return again ?? fail({ ...before, body }, found, { _tag: "NotUnderstood", why })
}

const complete = (run: HttpRun, state: HttpAttemptState, events: ReadonlyArray<AgentEvent>): Step => {
  const { chat } = state.body
  const calls = maskedCalls(chat, run.settings.secrets)
  if (chat.finish === "content_filter" && chat.text === "" && calls.length === 0)
    return report(state, events, {
      kind: "refused",
      message: "the provider's content filter held the answer back",
      retryAfter: null
    })
  return over(state, [...events, { _tag: "Answered", text: chat.text }], {
    _tag: "Complete",
    answer: {
      ...Struct.pick(chat, ["text", "usage", "finish", "refused", "tokens"]),
      calls,
      model: chat.model ?? run.settings.model
    }
  })
}
