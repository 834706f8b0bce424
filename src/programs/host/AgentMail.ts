import { Clock, Context, DateTime, Effect, Layer, Result, Semaphore } from "effect"
import { agentAnswer } from "../../domain/engine/approvals/agentAnswer.ts"
import type { AuditEntry } from "../../domain/engine/approvals/AuditEntry.ts"
import { isSender, agentMessageBody } from "../../domain/engine/agentMail/AgentMessage.ts"
import { mayTake, mayWrite, type Sent } from "../../domain/engine/agentMail/PostLimits.ts"
import { outsider, senderText } from "../../domain/engine/queue/AgentMessageHeader.ts"
import * as Queue from "../../domain/engine/queue/Queue.ts"
import { sentAgain } from "../../domain/engine/queue/SentAgain.ts"
import { shortId } from "../../domain/words/session/shortId.ts"
import type { DeliveryCause } from "../../domain/words/wording/deliveryWords.ts"
import type { Verdict } from "../../domain/policy/Decision.ts"
import { AuditLog } from "../../services/AuditLog.ts"
import { CLIProvider } from "../../services/CLIProvider.ts"
import { RefusedError } from "../../services/HostProtocol.ts"
import { UserSettings } from "../../services/UserSettings.ts"
import { Answerer, type Answered } from "./Answerer.ts"
import { type AskedDialog, PermissionResponder } from "./PermissionResponder.ts"
import { SessionContext } from "./SessionContext.ts"
import { SessionRuntime } from "./SessionRuntime.ts"

/** A message that an agent wrote to this session. */
export interface AgentMessage {
  readonly id: string
  readonly text: string
  /** The tag of its session, or `outside`. */
  readonly from: string
  readonly hops: number
}

/**
 * Agents' actions on this session and out of it: the messages that they write, within the limits of the user's
 * settings, and their answers to its dialogs. Every action is in the audit log before it happens.
 */
export class AgentMail extends Context.Service<
  AgentMail,
  {
    /** Permission for this session's agent to write one message to another session. The message counts. */
    readonly leave: (to: string) => Effect.Effect<{ readonly hops: number }, RefusedError>
    /** Puts an agent's message into the queue, where it may wait for the user. */
    readonly take: (message: AgentMessage) => Effect.Effect<{ readonly id: string }, RefusedError>
    /** Answers the dialog on screen for an agent, if the user allows this. */
    readonly answer: (answer: string, from: string, asked: AskedDialog) => Effect.Effect<Answered, RefusedError>
  }
>()("leap/programs/host/AgentMail") {}

const refuse = (why: string) => RefusedError.because("refused", why)

const make = Effect.gen(function* () {
  const { tag } = yield* SessionContext
  const provider = yield* CLIProvider
  const runtime = yield* SessionRuntime
  const settings = yield* UserSettings
  const log = yield* AuditLog
  const answerer = yield* Answerer
  const approvals = yield* PermissionResponder
  const mutex = yield* Semaphore.make(1)
  let sent: Sent = []

  const post = Effect.map(settings.read, (read) => read.settings.post)
  const promptedAt = () => runtime.memory().tracker.facts.promptedAt
  const queue = () => runtime.memory().delivery.queue

  const note = Effect.fnUntraced(function* (event: string, verdict: Verdict, why: string) {
    const { sessionId } = runtime.memory().tracker.facts
    const at = DateTime.formatIso(DateTime.makeUnsafe(yield* Clock.currentTimeMillis))
    const entry: AuditEntry = {
      at,
      tag,
      cli: provider.id,
      sessionId,
      event,
      request: null,
      verdict,
      by: "none",
      rule: null,
      why,
      told: "no"
    }
    yield* log.append(tag, entry)
  })
  /** Every action of an agent is logged: an action that cannot be logged does not happen. */
  const noted = (event: string, verdict: Verdict, why: string) =>
    note(event, verdict, why).pipe(Effect.mapError((error) => RefusedError.because("failed", error.message)))
  /** Refuses, and logs the refusal if possible. */
  const refused = (event: string, error: RefusedError) =>
    Effect.andThen(
      note(event, "deny", error.why).pipe(Effect.catch((failure) => Effect.logWarning(failure.message))),
      Effect.fail(error)
    )
  const orRefused = <A>(event: string, who: string, result: Result.Result<A, Queue.QueueRefusal>) =>
    Result.isSuccess(result)
      ? Effect.succeed(result.success)
      : refused(event, RefusedError.because(result.failure.reason, `${who}: ${result.failure.why}`))

  const leave = Effect.fn("AgentMail.leave")(function* (to: string) {
    const event = "message sent"
    if (!isSender(to)) return yield* RefusedError.because("invalid", "that is no session's name")
    if (to === tag) return yield* refused(event, refuse(`'${tag}' cannot send a message to itself`))
    const at = yield* Clock.currentTimeMillis
    const may = mayWrite(queue(), promptedAt(), sent, at, yield* post)
    const { hops, sent: next } = yield* orRefused(event, `the message to '${to}' was not sent`, may)
    sent = next
    yield* noted(event, "allow", `the agent here writes to '${to}' (hop ${hops})`)
    return { hops }
  })

  const take = Effect.fn("AgentMail.take")(function* ({ from, hops, id, text }: AgentMessage) {
    const event = "message from an agent"
    const who = `'${tag}' did not take it`
    if (!isSender(from) || hops < 1) return yield* RefusedError.because("invalid", `${who}: it has no sender`)
    if (from === tag) return yield* refused(event, refuse(`'${tag}' cannot send a message to itself`))
    const limits = yield* post
    if (limits.delivery === "refuse")
      return yield* refused(
        event,
        refuse(`${who}: the user's settings let sessions take no messages from agents (post.delivery)`)
      )
    const body = agentMessageBody(text)
    if (Result.isFailure(body)) return yield* RefusedError.because("invalid", body.failure)
    const isWide = runtime.memory().tracker.facts.modes.autoSend === "always"
    const isHeld = limits.delivery === "hold" || (limits.delivery === "careful" && isWide)
    const held: DeliveryCause | null = isHeld
      ? [
          ["from-agent", senderText(from)],
          ["release", `${tag} ${shortId(id)}`]
        ]
      : null
    const message = { id, text: body.success, images: [] }
    const again = yield* orRefused(event, who, sentAgain(queue(), message))
    if (again) return { id }
    const at = yield* Clock.currentTimeMillis
    yield* orRefused(event, who, mayTake(queue(), promptedAt(), { from, hops }, at, limits))
    yield* noted(
      event,
      held === null ? "allow" : "ask",
      `${shortId(id)} from ${from} (hop ${hops})${held === null ? "" : ", held for you"}: ${text}`
    )
    yield* runtime.changeQueue((queue, at) =>
      Queue.add(queue, { ...message, front: false, force: false, at, byAgent: { from, hops, held } })
    )
    return { id }
  })

  const answer = Effect.fn("AgentMail.answer")(function* (given: string, from: string, asked: AskedDialog) {
    const event = "answer from an agent"
    const { dialog } = asked
    if (!isSender(from)) return yield* RefusedError.because("invalid", "an answer needs a sender")
    if (from === tag) return yield* refused(event, refuse("an agent cannot answer the dialogs of its own session"))
    if (dialog === null) return yield* refuse(`there is no dialog to answer in '${tag}'`)
    const { answer: setting } = yield* post
    const chosen = agentAnswer(setting, dialog, given, {
      plainYes: provider.permissions.plainYes(dialog),
      known: asked.request !== null,
      kept: asked.kept
    })
    if (Result.isFailure(chosen)) return yield* refused(event, refuse(chosen.failure))
    yield* noted(
      event,
      "ask",
      `${from === outsider ? "an agent outside" : `the agent in '${from}'`} answers ` +
        `${JSON.stringify(chosen.success)} to: ${dialog.title}`
    )
    const answered = yield* answerer.answer(chosen.success, dialog.kind === "permission" ? dialog : undefined)
    yield* approvals.answered(answered.dialog, answered.answer, asked, senderText(from))
    return answered
  })

  return AgentMail.of({
    leave: (to) => mutex.withPermits(1)(leave(to)),
    take: (message) => mutex.withPermits(1)(take(message)),
    answer
  })
})

export const layer = Layer.effect(AgentMail, make)
