import { Cause, Clock, Effect, FiberSet, Option, Queue, Ref, Stream, Exit, Result } from "effect"
import { messagesWhich } from "../../domain/words/session/failedMessage.ts"
import * as Client from "../../domain/surfaces/queueClient/QueueClient.ts"
import type { ClientEvent, ClientCommand } from "../../domain/surfaces/queueClient/QueueClient.ts"
import { view } from "../../domain/surfaces/queueClient/QueueClientView.ts"
import type { Tag } from "../../domain/words/session/Tag.ts"
import type { HostClient } from "../../services/ControlSocket.ts"
import { Output } from "../../services/Output.ts"
import { ProcessTable } from "../../services/ProcessTable.ts"
import { UserTerminal } from "../../services/UserTerminal.ts"
import { makeReportSeen } from "../client/reportSeen.ts"
import { runScreen } from "../prompts/runScreen.ts"
import { entryStore, type EntryStore } from "./entryStore.ts"
import { nameSource, type NameSource } from "./nameSource.ts"
import { exitText } from "../../domain/words/session/exitText.ts"
import { connectTo, unlessStopped, whileHostLives } from "../client/client.ts"
import { withQueueProblem } from "../client/statuses.ts"
import { continueAdvice } from "../client/continueCommand.ts"
import { describe } from "../exit.ts"
import { fromTilde } from "../../domain/surfaces/picker/Rows.ts"
import { doneLine } from "../../domain/surfaces/operations/doneWords.ts"
import { setModes } from "../../domain/store/settings/editSettings.ts"
import { Clipboard } from "../../services/Clipboard.ts"
import { Paths } from "../../services/Paths.ts"
import { System } from "../../services/System.ts"
import { UserSettings } from "../../services/UserSettings.ts"
import { callHost, callTimeout } from "../client/callHost.ts"
import { isInDoubt, sendMessage } from "../client/sendMessage.ts"
import { placesCursor } from "../../domain/surfaces/tui/placesCursor.ts"
import { lineClient } from "./lineClient.ts"

const said = (text: string, bad = false): ClientEvent => ({ _tag: "Said", text, bad })

export interface ClientTools {
  readonly tag: Tag
  readonly current: Ref.Ref<Option.Option<HostClient>>
  readonly entries: EntryStore
  readonly names: NameSource
}

/** Carries out one command, and returns the event with its result; null for none. */
const carryOut = Effect.fn("carryOut")(function* (tools: ClientTools, command: ClientCommand) {
  const system = yield* System
  const ask = <A, E extends { readonly _tag: string }, R>(
    use: (client: HostClient) => Effect.Effect<A, E, R>,
    then: (result: A) => ClientEvent | null
  ) =>
    Effect.gen(function* () {
      const client = yield* Ref.get(tools.current)
      if (Option.isNone(client)) return said("there is no connection to its host now", true)
      const result = yield* unlessStopped(tools.tag, use(client.value)).pipe(
        whileHostLives,
        Effect.timeoutOption(callTimeout),
        Effect.result
      )
      if (Result.isFailure(result)) return said(describe(result.failure).message, true)
      const answer = Option.flatten(result.success)
      return Option.isNone(answer) ? said("the session's host does not answer, or has ended", true) : then(answer.value)
    })
  switch (command._tag) {
    case "Send": {
      const { _tag, ref, ...message } = command
      const client = yield* Ref.get(tools.current)
      const not = (why: string, inDoubt: boolean): ClientEvent => ({ _tag: "NotSent", ref, why, inDoubt })
      if (Option.isNone(client)) return not("there is no connection to its host now", false)
      return yield* sendMessage(tools.tag, client.value, { ...message, id: yield* system.newId }).pipe(
        Effect.scoped,
        Effect.match({
          onSuccess: ({ id }): ClientEvent => ({ _tag: "Sent", ref, id }),
          onFailure: (error): ClientEvent => not(describe(error).message, isInDoubt(error))
        })
      )
    }
    case "Do": {
      const { call } = command
      const event = yield* ask(
        (client) => callHost(client, call),
        ({ about, done }) => said(doneLine(done, about))
      )
      if (call._tag !== "SetModes" || command.everywhere !== true) return event
      const settings = yield* UserSettings
      return yield* settings.change(setModes(call.modes)).pipe(
        Effect.match({
          onSuccess: () => said(`${event?._tag === "Said" ? event.text : ""}; new sessions too`),
          onFailure: (error) => said(error.message, true)
        })
      )
    }
    case "Ask": {
      const event = yield* ask(
        (client) => client.Response({ id: command.id }),
        ({ failure = null, text }) => ({ _tag: "Answered", id: command.id, text, failure })
      )
      const none: ClientEvent = { _tag: "Answered", id: command.id, text: null, failure: null }
      return event?._tag === "Answered" ? event : none
    }
    case "Complete":
      return {
        _tag: "Found",
        ref: command.ref,
        items: yield* tools.names(command.kind, command.word)
      } satisfies ClientEvent
    case "Remember":
      return Option.getOrNull(Option.map(yield* tools.entries.add(command.entry), (why) => said(why, true)))
    case "TakeImage": {
      const { line } = command
      const { dir } = (yield* Paths).session(tools.tag)
      return yield* (yield* Clipboard).image(`${dir}/images`).pipe(
        Effect.match({
          onSuccess: (path): ClientEvent => ({ _tag: "Pictured", path, text: "", line, why: "" }),
          onFailure: (error): ClientEvent => ({ _tag: "Pictured", path: null, text: "", line, why: error.message })
        })
      )
    }
    case "FindImage": {
      const path = fromTilde(command.path, system.env["HOME"] ?? "")
      const found = Option.getOrNull(yield* system.file(path))
      return {
        _tag: "Pictured",
        path: found,
        text: command.text,
        line: command.line,
        why: `there is no file ${command.path}`
      } satisfies ClientEvent
    }
  }
})

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

/** The full-screen queue client, or the line client for a terminal that cannot place its cursor. */
export const openQueueClient = Effect.fn("openQueueClient")(function* (tag: Tag) {
  const { env } = yield* System
  return yield* placesCursor(env) ? queueClient(tag) : lineClient(tag)
})
