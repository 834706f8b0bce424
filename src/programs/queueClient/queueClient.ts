import { Cause, Clock, Effect, FiberSet, Option, Queue, Ref, Stream, Exit } from "effect"
import { messagesWhich } from "../../domain/words/session/failedMessage.ts"
import * as Client from "../../domain/surfaces/queueClient/QueueClient.ts"
import type { ClientEvent } from "../../domain/surfaces/queueClient/QueueClient.ts"
import { view } from "../../domain/surfaces/queueClient/QueueClientView.ts"
import type { Tag } from "../../domain/words/session/Tag.ts"
import type { HostClient } from "../../services/ControlSocket.ts"
import { Output } from "../../services/Output.ts"
import { ProcessTable } from "../../services/ProcessTable.ts"
import { UserTerminal } from "../../services/UserTerminal.ts"
import { makeReportSeen } from "../client/reportSeen.ts"
import { runScreen } from "../prompts/runScreen.ts"
import { carryOut } from "./carryOut.ts"
import { entryStore } from "./entryStore.ts"
import { nameSource } from "./nameSource.ts"
import { exitText } from "../../domain/words/session/exitText.ts"
import { connectTo, unlessStopped } from "../client/client.ts"
import { withQueueProblem } from "../client/statuses.ts"
import { continueAdvice } from "../client/continueCommand.ts"
import { describe } from "../exit.ts"

const lookAgain = "500 millis"

/** Emits a session's status and keeps its host's client in `current`, across restarts and moves. */
const sessionLink = Effect.fn("sessionLink")(function* (
  tag: Tag,
  current: Ref.Ref<Option.Option<HostClient>>,
  events: Queue.Enqueue<ClientEvent>
) {
  const processes = yield* ProcessTable
  let ending: string | null = null
  const life = Effect.gen(function* () {
    const client = yield* connectTo(tag)
    ending = null
    yield* Ref.set(current, Option.some(client))
    const watching = client.Watch().pipe(
      Stream.runForEach(
        Effect.fnUntraced(function* (status) {
          if (status.exit !== null) ending = `session '${tag}' ended: ${exitText(status.exit)}`
          const seen = yield* withQueueProblem(tag, status)
          yield* Queue.offer(events, { _tag: "Came", status: seen, at: yield* Clock.currentTimeMillis })
        })
      )
    )
    yield* unlessStopped(tag, watching)
  }).pipe(Effect.scoped, Effect.ensuring(Ref.set(current, Option.none())))
  for (let told = false; ; told = true) {
    // an exiting host interrupts its calls
    const end = yield* Effect.exit(life)
    const error = Exit.isFailure(end) ? Option.getOrNull(Cause.findErrorOption(end.cause)) : null
    // a repeated failure is reported once
    if ((error?._tag !== "NoSessionError" && error?._tag !== "UnreachedHostError") || !told) {
      const lost = error === null || error._tag === "RpcClientError"
      const said = ending ?? (lost ? `the host of session '${tag}' ended without a word` : describe(error).message)
      const advice = lost || ending !== null ? ` (${yield* continueAdvice(tag)})` : ""
      yield* Queue.offer(events, { _tag: "Left", why: said + advice, runs: error?._tag === "UnreachedHostError" })
    }
    const stopped = error?._tag === "UnreachedHostError" && error.stopped ? error.pid : null
    // a stopped host accepts no connections, and its socket queues only a few
    do yield* Effect.sleep(lookAgain)
    while (stopped !== null && (yield* processes.isStopped(stopped)))
  }
})

/** Commands that change nothing in the session, so they run concurrently. */
const apart: ReadonlySet<string> = new Set(["Ask", "Complete", "TakeImage", "FindImage", "Remember"])

/**
 * The queue client: what `leap <tag>` runs in a second terminal, full-screen. It shows the session's state, queues
 * entries, edits the queue and answers dialogs. It stays open when the session ends, and rejoins it. It always restores
 * the terminal.
 */
export const queueClient = Effect.fn("queueClient")(function* (tag: Tag) {
  const terminal = yield* UserTerminal
  const { note } = yield* Output
  const entries = yield* entryStore(tag)
  const current = yield* Ref.make(Option.none<HostClient>())
  const events = yield* Queue.unbounded<Client.ClientEvent, Cause.Done>()
  let state = Client.start(tag, yield* terminal.size, yield* Clock.currentTimeMillis)
  const names = yield* nameSource(() => state.status)
  const tools = { tag, current, entries, names }
  const tellSeen = yield* makeReportSeen(() =>
    Effect.flatMap(Ref.get(current), (client) => (Option.isNone(client) ? Effect.void : client.value.Seen()))
  )

  yield* Effect.gen(function* () {
    yield* Effect.forkScoped(sessionLink(tag, current, events))
    yield* Queue.offer(events, { _tag: "Recalled", entries: yield* entries.read })

    const waiting = yield* Queue.unbounded<Client.ClientCommand>()
    const beside = yield* FiberSet.make<void, never>()
    const perform = (command: Client.ClientCommand) =>
      carryOut(tools, command).pipe(
        Effect.flatMap((event) => (event === null ? Effect.void : Queue.offer(events, event))),
        Effect.asVoid
      )
    yield* Stream.fromQueue(waiting).pipe(Stream.runForEach(perform), Effect.forkScoped)
    const begin = (command: Client.ClientCommand) =>
      apart.has(command._tag)
        ? Effect.asVoid(FiberSet.run(beside, perform(command)))
        : Effect.asVoid(Queue.offer(waiting, command))

    const screen = yield* runScreen({
      state,
      update: Client.update,
      view,
      events,
      begin,
      changesIn: Client.changesIn,
      pressed: () => tellSeen(tag),
      drawn: (now) => Effect.sync(() => void (state = now))
    })
    state = screen.state
  }).pipe(Effect.scoped)
  const left = state.status?.queue.filter(({ status }) => status === "queued" || status === "held").length ?? 0
  const waits = left === 0 ? "" : `, ${messagesWhich(left, "waits", "wait")}`
  yield* note(
    state.link._tag === "Live" || (state.link._tag === "Away" && state.link.runs === true)
      ? `[left; session '${tag}' goes on${waits}]`
      : `[left; session '${tag}' does not run]`
  )
}, Effect.scoped)
