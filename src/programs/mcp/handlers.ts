import { runs } from "../../domain/words/session/states.ts"
import { Effect, Option, Stream } from "effect"
import type { HostClient } from "../../services/ControlSocket.ts"
import { shortId } from "../../domain/words/session/shortId.ts"
import { outsider } from "../../domain/engine/queue/AgentMessageHeader.ts"
import { isFailed } from "../../domain/engine/queue/QueueFold.ts"
import { isSettled } from "../client/awaitTurn.ts"
import type { SessionStatus } from "../../domain/words/session/Session.ts"
import type { Tag } from "../../domain/words/session/Tag.ts"
import { partOf } from "../../domain/words/text/partOf.ts"
import { printable } from "../../domain/words/text/printable.ts"
import { turnEnding } from "../../domain/words/wording/TurnEnding.ts"
import { System } from "../../services/System.ts"
import { allStatuses, awaitState, requireStatus, screenOf } from "../client/statuses.ts"
import { connectTo, unlessStopped, whileHostLives, withHost } from "../client/client.ts"
import { sendAgentMessage } from "../client/sendMessage.ts"
import { startSession } from "../starting/start.ts"
import { type Access, asSession, covers, makeGate, refuse, tagIn } from "./sessionAccess.ts"
import { acting, answering, longestPart, longestQueued, looking, waitOf } from "./tools.ts"
import { callTimeout, stopTimeout } from "../client/callHost.ts"

/** The number of living sessions from which on an agent may not start another one. */
const mostSessions = 16

/** Services for calling hosts, and for starting them. */
type Looks = Effect.Services<ReturnType<typeof requireStatus>>
type Acts = Looks | System | Effect.Services<ReturnType<typeof startSession>>

const part = (text: string, offset = 0, most = longestPart) => partOf(printable(text), offset, most)

const inTime = <A, E, R>(tag: Tag, use: (client: HostClient) => Effect.Effect<A, E, R>) =>
  Effect.timeout(
    withHost(tag, (client) => unlessStopped(tag, use(client))),
    callTimeout
  )

const receiptIn = Effect.fnUntraced(function* (client: HostClient, tag: Tag, id: string) {
  const { queue, recent } = yield* client.Queue()
  const found = [...queue, ...recent].find((message) => message.id === id)
  return found ?? (yield* refuse(`'${tag}' has no message ${shortId(id)}, or it is so old that it was forgotten`))
})

/** Waits until a message's turn is over, or the message needs the user. */
const awaitMessage = Effect.fnUntraced(function* (tag: Tag, id: string) {
  const client = yield* connectTo(tag, { patient: true })
  yield* receiptIn(client, tag, id)
  return yield* client.Receipt({ id }).pipe(Stream.filter(isSettled), Stream.runHead, whileHostLives)
})

const messageNow = Effect.fnUntraced(function* (tag: Tag, id: string) {
  return yield* inTime(
    tag,
    Effect.fnUntraced(function* (client) {
      const message = yield* receiptIn(client, tag, id)
      const { status } = message
      const isOver = status === "done" || isFailed(message)
      const response = isOver ? yield* client.Response({ id }) : { text: null }
      const failure = "failure" in response ? (response.failure ?? null) : null
      const ending = isOver ? turnEnding(message, failure) : { outcome: null, why: message.why }
      return {
        id,
        status,
        why: ending.why,
        outcome: ending.outcome,
        answer: response.text === null ? null : part(response.text).text,
        total: part(response.text ?? "").total
      }
    })
  )
})

export const lookingLayer = (access: Access, own: Effect.Effect<Tag | null, never, never>) =>
  looking.toLayer(
    Effect.gen(function* () {
      const gate = yield* makeGate<Looks>()
      const status = Effect.fnUntraced(function* (given: string) {
        return yield* requireStatus(yield* tagIn(access, given))
      })
      return looking.of({
        sessions: Effect.fnUntraced(function* () {
          const self = yield* own
          const all = (yield* allStatuses()).filter((session) => covers(access, session.tag))
          return { self, sessions: all.map((session) => asSession(session, self)) }
        }, gate),
        status: Effect.fnUntraced(function* ({ tag }) {
          const session = yield* status(tag)
          return {
            ...asSession(session, yield* own),
            queue: session.queue.map(({ from = null, id, outcome = null, status, text, why }) => ({
              id,
              status,
              why,
              outcome,
              from,
              text: part(text, 0, longestQueued).text,
              total: part(text).total
            })),
            lastMessage: session.lastMessage === null ? null : part(session.lastMessage, 0, longestQueued).text,
            contextPercent: session.context?.percent ?? null
          }
        }, gate),
        screen: Effect.fnUntraced(function* ({ tag }) {
          const { cols, rows, text } = yield* Effect.timeout(screenOf(yield* tagIn(access, tag)), callTimeout)
          return { text: printable(text), cols, rows }
        }, gate),
        last_answer: ({ offset, tag }) =>
          Effect.map(status(tag), ({ lastResponse }) => ({
            ...part(lastResponse ?? "", offset),
            ...(lastResponse === null ? { text: null } : {})
          })).pipe(gate),
        receipt: Effect.fnUntraced(function* ({ id, tag }) {
          const session = yield* tagIn(access, tag)
          const { outcome = null, status, why } = yield* inTime(session, (client) => receiptIn(client, session, id))
          return { id, status, why, outcome }
        }, gate),
        wait: Effect.fnUntraced(function* ({ message, tag, timeout_seconds, until }) {
          const session = yield* tagIn(access, tag)
          const states = until === undefined || until.length === 0 ? null : new Set<string>(until)
          const awaited = Effect.gen(function* () {
            if (message === undefined) yield* awaitState(session, states)
            else yield* awaitMessage(session, message)
          })
          const came = yield* awaited.pipe(Effect.scoped, Effect.timeoutOption(waitOf(timeout_seconds) * 1000))
          const now = yield* requireStatus(session)
          return {
            timedOut: Option.isNone(came),
            ...stateOf(now),
            message: message === undefined ? null : yield* messageNow(session, message)
          }
        }, gate)
      })
    })
  )

const stateOf = ({ question, ready, reason, state }: SessionStatus) => ({
  state,
  ready,
  reason: printable(reason),
  question: question ?? null
})

export const actingLayer = (access: Access, own: Effect.Effect<Tag | null, never, never>) =>
  acting.toLayer(
    Effect.gen(function* () {
      const gate = yield* makeGate<Acts>()
      const system = yield* System
      return acting.of({
        send: Effect.fnUntraced(function* ({ id, tag, text }) {
          const to = yield* tagIn(access, tag)
          const from = yield* own
          const sent = yield* Effect.scoped(sendAgentMessage(from, to, { id: id ?? (yield* system.newId), text }))
          return { ...sent, from: from ?? outsider }
        }, gate),
        start: Effect.fnUntraced(function* ({ cli, cwd, tag }) {
          const name = yield* tagIn(access, tag)
          const running = (yield* allStatuses()).filter(runs)
          if (running.some((one) => one.tag === name)) return yield* refuse(`session '${name}' runs already`)
          if (running.length >= mostSessions)
            return yield* refuse(`${running.length} sessions run already; the user can start more, agents cannot`)
          const { directory, note, warnings } = yield* startSession({
            tag: name,
            cli: Option.fromNullishOr(cli),
            cwd: Option.fromNullishOr(cwd),
            // flags could disable the protection that keeps the CLI from acting without its user
            args: null,
            byAgent: true
          })
          const notes = [note, ...warnings].filter((line) => line !== null)
          return { tag: name, cwd: directory, note: notes.length === 0 ? null : notes.join("; ") }
        }, gate),
        stop: Effect.fnUntraced(function* ({ tag }) {
          const session = yield* tagIn(access, tag)
          if (session === (yield* own)) return yield* refuse("an agent cannot end the session that it runs in")
          return yield* Effect.timeout(
            withHost(session, (client) => client.Stop({ force: false })),
            stopTimeout
          )
        }, gate)
      })
    })
  )

export const answeringLayer = (access: Access, own: Effect.Effect<Tag | null, never, never>) =>
  answering.toLayer(
    Effect.gen(function* () {
      const gate = yield* makeGate<Looks>()
      return answering.of({
        answer: Effect.fnUntraced(function* ({ answer, tag, title }) {
          const session = yield* tagIn(access, tag)
          const from = (yield* own) ?? outsider
          return yield* Effect.gen(function* () {
            const client = yield* connectTo(session)
            const { question = null } = yield* client.Status()
            if (question === null) return yield* refuse(`there is no dialog to answer in '${session}'`)
            if (question.title !== title)
              return yield* refuse(`the dialog in '${session}' is another one: '${printable(question.title)}'`)
            return yield* client.Answer({ answer, question, from })
          }).pipe(Effect.scoped, Effect.timeout(callTimeout))
        }, gate)
      })
    })
  )
