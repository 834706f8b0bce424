import { Effect, Option, Schema, Stream } from "effect"
import type { RpcClientError } from "effect/rpc"
import type { QueuedMessage } from "../../domain/words/session/Message.ts"
import { type ExitStatus, type Question, type SessionStatus } from "../../domain/words/session/Session.ts"
import type { Tag } from "../../domain/words/session/Tag.ts"
import type { HostClient } from "../../services/ControlSocket.ts"
import type { RefusedError } from "../../services/HostProtocol.ts"
import type { Paths } from "../../services/Paths.ts"
import type { QueueStore } from "../../services/QueueStore.ts"
import type { StatusStore } from "../../services/StatusStore.ts"
import { isHeldBack, settledReceipt, turnResult } from "../client/awaitTurn.ts"

/** A message's turn did not complete; `text` is the CLI's response until then. */
export class TurnError extends Schema.TaggedError<TurnError>()("TurnError", {
  tag: Schema.String,
  id: Schema.String,
  /** `held`, `removed`: the message was not sent. `ended`: its session ended first. */
  outcome: Schema.Literals(["held", "removed", "interrupted", "failed", "ended"]),
  why: Schema.String,
  text: Schema.NullOr(Schema.String)
}) {
  override get message() {
    return `the turn of message ${this.id} in '${this.tag}' did not come to its end (${this.outcome}): ${this.why}`
  }
}

/** The session ended before it reached the awaited status. */
export class SessionEndedError extends Schema.TaggedError<SessionEndedError>()("SessionEndedError", {
  tag: Schema.String
}) {
  override get message() {
    return `session '${this.tag}' has ended`
  }
}

/** The host refused, or the connection to it broke. */
export type CallError = RefusedError | RpcClientError.RpcClientError

/** How a message is queued. */
export interface SendOptions {
  /** Pictures, as paths of files. */
  readonly images?: ReadonlyArray<string>
  /** Before all waiting messages. */
  readonly front?: boolean
  /** As soon as the input box is free, also into a running turn; never into a dialog. */
  readonly force?: boolean
  /** An id of the caller, under which the message is queued only once, however often it is sent. */
  readonly id?: string
}

/** A queued message: it is on disk, and is sent when the CLI is ready. */
export interface Turn {
  readonly id: string
  /** Its receipt now, then at each step: queued, typed, submitted, started, done. */
  readonly receipts: Stream.Stream<QueuedMessage, CallError>
  /**
   * The CLI's answer, once the turn is over; empty if the CLI does not report it. It waits without a time limit, also
   * while a dialog waits for an answer.
   */
  readonly answer: Effect.Effect<string, TurnError | CallError>
}

/** A running session, as a program sees it. */
export interface HostedSession {
  readonly tag: Tag
  readonly status: Effect.Effect<SessionStatus, RpcClientError.RpcClientError>
  /** The status now, then at each change; ends with the session, whose last status is `exited`. */
  readonly states: Stream.Stream<SessionStatus, RpcClientError.RpcClientError>
  /** The first status from now on that passes. */
  readonly until: (
    test: (status: SessionStatus) => boolean
  ) => Effect.Effect<SessionStatus, SessionEndedError | RpcClientError.RpcClientError>
  /** Each dialog on the screen, starting with the current one. */
  readonly questions: Stream.Stream<Question, RpcClientError.RpcClientError>
  /** Queues a message. */
  readonly send: (text: string, options?: SendOptions) => Effect.Effect<Turn, CallError>
  /** Queues a message, waits until its turn is over, and returns the answer. */
  readonly ask: (text: string, options?: SendOptions) => Effect.Effect<string, TurnError | CallError>
  /** Answers the dialog on screen by number or name. With `question` it answers only that dialog. */
  readonly reply: (
    answer: string,
    question?: Question
  ) => Effect.Effect<{ readonly dialog: string; readonly answer: string }, CallError>
  readonly screen: Effect.Effect<string, RpcClientError.RpcClientError>
  readonly interrupt: Effect.Effect<void, CallError>
  /** Stops the CLI in order and ends the session; returns when the CLI is gone. */
  readonly stop: Effect.Effect<ExitStatus, CallError>
  /** The full control protocol. */
  readonly client: HostClient
}

type Stored = Paths | QueueStore | StatusStore

/** A handle on a session, over the connection to its host; usable as long as the connection. */
export const hostedSession = Effect.fnUntraced(function* (tag: Tag, client: HostClient) {
  const stored = yield* Effect.context<Stored>()
  const states = client.Watch().pipe(Stream.takeUntil(({ state }) => state === "exited"))

  const answerTo = Effect.fn("HostedSession.answer")(function* (id: string, before: string | null) {
    const last = yield* settledReceipt(client, id)
    const incomplete = (outcome: TurnError["outcome"], why: string, text: string | null) =>
      new TurnError({ tag, id, outcome, why, text })
    if (last !== null && (isHeldBack(last) || last.status === "removed"))
      return yield* incomplete(last.status === "held" ? "held" : "removed", last.why ?? "no reason known", null)
    const { outcome, response, why } = yield* turnResult({ tag, client, id, last, before })
    if (why === null) return response ?? ""
    const how = last === null ? "ended" : outcome === "interrupted" ? "interrupted" : "failed"
    return yield* incomplete(how, why, response)
  })

  const send: HostedSession["send"] = Effect.fn("HostedSession.send")(function* (text, options = {}) {
    const before = (yield* client.Status()).lastResponse
    const { id } = yield* client.Send({
      text,
      images: options.images ?? [],
      front: options.front ?? false,
      force: options.force ?? false,
      ...(options.id === undefined ? {} : { id: options.id })
    })
    return { id, receipts: client.Receipt({ id }), answer: Effect.provide(answerTo(id, before), stored) }
  })

  const session: HostedSession = {
    tag,
    client,
    status: client.Status(),
    states,
    until: (test) =>
      states.pipe(
        Stream.filter(test),
        Stream.runHead,
        Effect.flatMap(
          Option.match({ onNone: () => Effect.fail(new SessionEndedError({ tag })), onSome: Effect.succeed })
        )
      ),
    questions: states.pipe(
      Stream.map(({ question = null }) => question),
      Stream.changesWith((a, b) => JSON.stringify(a) === JSON.stringify(b)),
      Stream.filter((question) => question !== null)
    ),
    send,
    ask: (text, options) => Effect.flatMap(send(text, options), ({ answer }) => answer),
    reply: (answer, question) => client.Answer({ answer, ...(question === undefined ? {} : { question }) }),
    screen: Effect.map(client.Screen(), ({ text }) => text),
    interrupt: client.Interrupt(),
    stop: client.Stop({ force: false })
  }
  return session
})
