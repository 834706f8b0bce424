import { Clock, Effect, Equal, Option, Result, Semaphore, Stream, SubscriptionRef } from "effect"
import { dismissing } from "../../domain/words/attention/dismissing.ts"
import { needsOf } from "../../domain/words/attention/needsOf.ts"
import { asks, canBeInterrupted } from "../../domain/words/session/states.ts"
import * as Queue from "../../domain/engine/queue/Queue.ts"
import { asQuestion } from "../../domain/cli/provider/DialogChoice.ts"
import { sentAgain } from "../../domain/engine/queue/SentAgain.ts"
import { explain } from "../../domain/engine/machine/explain.ts"
import { viewOf } from "../../domain/engine/machine/SessionMachine.ts"
import * as InputBytes from "../../domain/terminal/sequences/InputBytes.ts"
import { coverWords } from "../../domain/words/wording/waitWords.ts"
import { inTheWay } from "../../domain/engine/machine/queueWait.ts"
import { keyNamed } from "../../domain/terminal/sequences/KeyNames.ts"
import { fromBase64, utf8ToLatin1, toBase64, toLatin1 } from "../../domain/words/text/Bytes.ts"
import { CLIProvider } from "../../services/CLIProvider.ts"
import { protocolVersion, RefusedError } from "../../services/HostProtocol.ts"
import { HostRpc, RecordFrame, AttachFrame } from "../../services/HostRpc.ts"
import { GitChanges } from "../../services/GitChanges.ts"
import { ModesStore } from "../../services/ModesStore.ts"
import { System } from "../../services/System.ts"
import { reasonWords } from "../../domain/words/wording/reasonWords.ts"
import { Answerer } from "./Answerer.ts"
import { BoxDraft } from "./BoxDraft.ts"
import { BoxRecall } from "./BoxRecall.ts"
import { PermissionResponder } from "./PermissionResponder.ts"
import { AgentMail } from "./AgentMail.ts"
import { Keyboard } from "./Keyboard.ts"
import { Recorder } from "./Recorder.ts"
import { RecordWriter } from "./RecordWriter.ts"
import { SessionContext } from "./SessionContext.ts"
import { SessionEnd } from "./SessionEnd.ts"
import { SessionMetrics } from "./SessionMetrics.ts"
import { SessionRuntime } from "./SessionRuntime.ts"
import { SessionScreen } from "./SessionScreen.ts"
import { SessionStop } from "./SessionStop.ts"
import { StatusPublisher } from "./StatusPublisher.ts"
import { turnFailure, turnResponse } from "./turnResponse.ts"
import { UsageTracker } from "./UsageTracker.ts"
import { UserInput } from "./UserInput.ts"
import { UserPresence } from "./UserPresence.ts"
import { StopWatch } from "./StopWatch.ts"
import { Viewers } from "./Viewers.ts"
import type { ViewerFrame } from "../../domain/surfaces/attachChannel/ChannelFrame.ts"

const attachFrame = (frame: ViewerFrame): AttachFrame => {
  switch (frame._tag) {
    case "Repaint":
      return AttachFrame.cases.Repaint.make({
        data: toBase64(toLatin1(frame.data)),
        ...(frame.reserved > 0 ? { reserved: frame.reserved } : {})
      })
    case "Output":
      return AttachFrame.cases.Output.make({ data: toBase64(toLatin1(frame.data)) })
    case "Notice":
      return AttachFrame.cases.Notice.make({ notice: frame.notice })
    case "Exited":
      return AttachFrame.cases.Exited.make({ exit: frame.exit })
  }
}

const endStates: ReadonlySet<string> = new Set(["done", "failed", "held", "removed"])

/** The pause between two keys that are pressed by name. */
const keyPause = "30 millis"
/** How long an interrupt waits until a message that is being typed becomes a turn. */
const deliveryTimeout = "8 seconds"
const isOnItsWay = ({ attempting, message }: Queue.QueueEntry): boolean =>
  attempting || message.status === "typed" || message.status === "submitted"

const refuse = (why: string, reason: "not-found" | "refused" = "refused") => RefusedError.because(reason, why)

const make = Effect.gen(function* () {
  const { hostPid, paths, tag, version } = yield* SessionContext
  const provider = yield* CLIProvider
  const { newId } = yield* System
  const stops = yield* StopWatch
  const runtime = yield* SessionRuntime
  const publisher = yield* StatusPublisher
  const metrics = yield* SessionMetrics
  const screen = yield* SessionScreen
  const viewers = yield* Viewers
  const recorder = yield* Recorder
  const record = yield* RecordWriter
  const presence = yield* UserPresence
  const keyboard = yield* Keyboard
  const userInput = yield* UserInput
  const answerer = yield* Answerer
  const box = yield* BoxDraft
  const recall = yield* BoxRecall
  const approvals = yield* PermissionResponder
  const post = yield* AgentMail
  const modesStore = yield* ModesStore
  const oneModeChange = yield* Semaphore.make(1)
  const usage = yield* UsageTracker
  const stop = yield* SessionStop
  const end = yield* SessionEnd
  const git = yield* GitChanges

  const queue = () => runtime.memory().delivery.queue
  /** Changes the one message that the user's word means. */
  const changeNamed = (
    given: string,
    change: (queue: Queue.QueueState, id: string, at: number) => Result.Result<Queue.QueueChange, Queue.QueueRefusal>
  ) => runtime.changeQueue((queue, at) => Result.flatMap(Queue.idNamed(queue, given), (id) => change(queue, id, at)))
  const named = (ids: ReadonlyArray<string>) =>
    ids.flatMap((id) => Option.toArray(Option.fromNullishOr(Queue.find(queue(), id)?.message)))
  const view = () => viewOf(runtime.memory())
  const hasEnded = () => view().state === "exited"
  const whyEnded = `session '${tag}' has ended`
  const whileRunning = Effect.suspend(() => (hasEnded() ? Effect.fail(refuse(whyEnded, "not-found")) : Effect.void))
  const changes = SubscriptionRef.changes(publisher.status).pipe(Stream.takeUntil(({ state }) => state === "exited"))
  const explained = explain(provider)

  return HostRpc.of({
    Hello: () =>
      Effect.sync(() => ({
        protocol: protocolVersion,
        version,
        tag,
        hostPid,
        ended: hasEnded(),
        can: [...recall.can, "readsStatus"]
      })),
    Status: () => Effect.andThen(stops.check, SubscriptionRef.get(publisher.status)),
    Why: Effect.fnUntraced(function* () {
      const now = yield* Clock.currentTimeMillis
      const memory = runtime.memory()
      const { ready, since } = viewOf(memory)
      return { now, ready, since, ...explained(memory, now) }
    }),
    Changes: Effect.fnUntraced(function* ({ against }) {
      const { cwd } = yield* SubscriptionRef.get(publisher.status)
      return yield* Effect.catch(git.look(cwd, against, paths.snapshots), ({ message }) => Effect.fail(refuse(message)))
    }),
    // Whoever asks runs git: a host has nothing that changes a repository, and ended sessions have no host.
    Finish: () => Effect.fail(refuse(`'leap finish ${tag}' does that`)),
    Watch: () => changes,

    Send: Effect.fnUntraced(function* (message) {
      yield* whileRunning
      if (message.when?.some((condition) => condition._tag === "Session" && condition.tag === tag) === true)
        return yield* RefusedError.because("invalid", `'${tag}' is the session itself: it would wait for ever`)
      const id = message.id ?? (yield* newId)
      if (message.from !== undefined)
        return yield* post.take({ id, text: message.text, from: message.from, hops: message.hops ?? 1 })
      yield* runtime.changeQueue((queue, at) =>
        hasEnded()
          ? Result.fail({ why: whyEnded, reason: "not-found" as const })
          : Result.flatMap(sentAgain(queue, { ...message, id }), (isHere) =>
              isHere ? Result.succeed({ records: [], note: null }) : Queue.add(queue, { ...message, id, at })
            )
      )
      return { id }
    }),
    Post: ({ to }) => Effect.andThen(whileRunning, post.leave(to)),
    Receipt: ({ id }) =>
      Stream.unwrap(
        Effect.gen(function* () {
          if (Queue.find(queue(), id) === null) return yield* refuse(`there is no message ${id}`, "not-found")
          return changes.pipe(
            Stream.map(() => Option.fromNullishOr(Queue.find(queue(), id)?.message)),
            Stream.filter(Option.isSome),
            Stream.map((message) => message.value),
            Stream.changesWith((a, b) => a.status === b.status && a.why === b.why),
            Stream.takeUntil((message) => endStates.has(message.status))
          )
        })
      ),
    Response: Effect.fnUntraced(function* ({ id }) {
      if (Queue.find(queue(), id) === null) return yield* refuse(`there is no message ${id}`, "not-found")
      const text = yield* turnResponse({ memory: runtime.memory, usage: usage.view }, id)
      const failure = turnFailure(runtime.memory().delivery, id)
      return { text, ...(failure === null ? {} : { failure }) }
    }),
    Queue: () =>
      Effect.sync(() => ({
        queue: Queue.messages(queue()),
        recent: Queue.recent(queue()).map((entry) => entry.message)
      })),
    QueueEdit: ({ id, text }) => Effect.asVoid(changeNamed(id, (queue, id) => Queue.edit(queue, id, text))),
    QueueMove: ({ id, position }) => Effect.asVoid(changeNamed(id, (queue, id) => Queue.move(queue, id, position))),
    QueueRemove: ({ id }) => Effect.asVoid(changeNamed(id, Queue.remove)),
    QueueClear: Effect.fnUntraced(function* () {
      const { records } = yield* runtime.changeQueue((queue, at) => Result.succeed(Queue.clear(queue, at)))
      const messages = named(records.flatMap((record) => (record._tag === "Cleared" ? record.ids : [])))
      return { removed: messages.length, messages }
    }),
    QueueRelease: Effect.fnUntraced(function* ({ id }) {
      const before = queue()
      const { records } = yield* id === null
        ? runtime.changeQueue((queue, at) => Queue.release(queue, null, at))
        : changeNamed(id, Queue.release)
      const why = (id: string) => Queue.find(before, id)?.message.why ?? null
      // each with the reason for which it was held, since it may have been sent already
      const messages = named(records.flatMap((record) => (record._tag === "Released" ? [record.id] : []))).map(
        (message) => ({ ...message, why: why(message.id) })
      )
      return { released: messages.length, messages }
    }),

    QueueRetry: Effect.fnUntraced(function* ({ id }) {
      const { records } = yield* id === null
        ? runtime.changeQueue((queue, at) => Queue.retry(queue, null, at))
        : changeNamed(id, Queue.retry)
      // each with the cover over the CLI's box, because of which it is not sent yet
      const cover = inTheWay(runtime.memory().delivery)
      const why = cover === null ? null : coverWords(cover)
      const messages = named(records.flatMap((record) => (record._tag === "Retried" ? [record.id] : []))).map(
        (message) => ({ ...message, why })
      )
      const behind = named(records.flatMap((record) => (record._tag === "Released" ? [record.id] : [])))
      return { retried: messages.length, messages, behind }
    }),
    QueueHold: Effect.fnUntraced(function* ({ id }) {
      const cause = { _tag: "HeldByUser" } as const
      const { records } = yield* id === null
        ? runtime.changeQueue((queue, at) => Result.succeed(Queue.holdAll(queue, at, cause)))
        : changeNamed(id, (queue, id, at) => Queue.hold(queue, id, at, cause))
      const messages = named(records.flatMap((record) => (record._tag === "StatusChanged" ? [record.id] : [])))
      return { held: messages.length, messages }
    }),
    QueueForce: ({ id }) => Effect.asVoid(changeNamed(id, Queue.force)),

    Answer: Effect.fnUntraced(function* ({ answer, from, question }) {
      yield* whileRunning
      const shown = runtime.memory().tracker.facts.screen.dialog
      if (question !== undefined && shown !== null && !Equal.equals(asQuestion(shown), question))
        return yield* refuse("the dialog has changed since you saw it: look at it again")
      // after the answer, the next request may already be on screen
      const asked = yield* approvals.asked
      if (from !== undefined) {
        const answered = yield* post.answer(answer, from, asked)
        return { dialog: answered.dialog.title, answer: answered.answer }
      }
      const { answer: chosen, dialog } = yield* answerer.answer(answer)
      yield* approvals.answered(dialog, chosen, asked)
      record.answered()
      return { dialog: dialog.title, answer: chosen }
    }),
    Keys: Effect.fnUntraced(function* ({ force, keys }) {
      yield* whileRunning
      const named = Result.all(keys.map(keyNamed))
      if (Result.isFailure(named)) return yield* RefusedError.because("invalid", named.failure)
      // a hook tells of a dialog before it is drawn
      const isAsked = asks(view().state) || runtime.memory().tracker.facts.screen.dialog !== null
      if (isAsked && !force && named.success.some(({ isText }) => isText)) {
        return yield* refuse(`a dialog is open, and a text might answer it: 'leap answer ${tag}' does, or --force`)
      }
      for (const { bytes } of named.success) {
        const data = utf8ToLatin1(bytes)
        stops.expect(data)
        const { parts } = InputBytes.classify(InputBytes.start, data, yield* Clock.currentTimeMillis)
        keyboard.press({ data, keys: parts.flatMap((part) => (part._tag === "Keys" ? [part.kind] : [])), by: "user" })
        // a CLI may take keys that come in one read for a paste
        yield* Effect.sleep(keyPause)
      }
    }),
    Interrupt: Effect.fnUntraced(function* () {
      yield* whileRunning
      // A message in delivery becomes the turn to interrupt: a key now would only get into its text.
      yield* changes.pipe(
        Stream.filter(() => !queue().entries.some(isOnItsWay)),
        Stream.runHead,
        Effect.timeoutOption(deliveryTimeout)
      )
      const now = view()
      if (!canBeInterrupted(now.state))
        return yield* refuse(`there is no turn to interrupt: '${tag}' is ${now.state} (${reasonWords(now)})`)
      keyboard.pressOwn(provider.input.interrupt)
    }),
    Draft: () => Effect.map(box.read, (text) => ({ text })),
    TakeDraft: ({ text }) => Effect.map(box.take(text), (outcome) => ({ outcome })),
    PutDraft: ({ text }) => Effect.andThen(whileRunning, box.put(text)),
    Recall: ({ data, older, viewer }) =>
      Effect.map(recall.press(older, userInput.receive(viewer, fromBase64(data) ?? "")), (lost) => ({ lost })),
    Stop: Effect.fnUntraced(function* ({ force }) {
      yield* stop.stop(force)
      return yield* end.wait
    }),
    SetModes: Effect.fnUntraced(function* ({ modes: change }) {
      yield* whileRunning
      return yield* Effect.gen(function* () {
        // Stored first, so that a shown mode survives a restart.
        const modes = yield* modesStore
          .change(tag, change, runtime.memory().tracker.facts.modes)
          .pipe(Effect.mapError((error) => RefusedError.because("failed", error.message)))
        yield* runtime.tell({ _tag: "ModesChanged", at: yield* Clock.currentTimeMillis, modes })
        return modes
      }).pipe(oneModeChange.withPermits(1))
    }),
    Dismiss: Effect.fnUntraced(function* ({ needs }) {
      const status = yield* SubscriptionRef.get(publisher.status)
      const dismissed = dismissing(status, needs)
      yield* publisher.update({ dismissed })
      return { dismissed: needsOf(status).length - needsOf({ ...status, dismissed }).length }
    }),
    Seen: () => presence.seen,
    Figures: () => Effect.sync(() => ({ figures: metrics.figures() })),
    Screen: () => Effect.sync(() => ({ text: screen.text(), ...screen.size() })),
    Attach: ({ cols, notices = false, programStatus, readOnly, rows, viewer }) =>
      Stream.map(viewers.attach({ id: viewer, size: { cols, rows }, readOnly, programStatus, notices }), attachFrame),
    Record: (wanted) =>
      Stream.unwrap(
        Effect.sync(() => {
          const { at, batches, size } = recorder.record(wanted)
          return Stream.concat(
            // The reader of a recording may not know the user's own variant.
            Stream.make(RecordFrame.cases.Begun.make({ ...size, at, version, cli: provider.base })),
            Stream.map(batches, (lines) => RecordFrame.cases.Lines.make({ lines }))
          )
        })
      ),
    Input: ({ data, viewer }) => userInput.receive(viewer, fromBase64(data) ?? ""),
    Resize: ({ cols, reserved, rows, viewer }) => Effect.sync(() => viewers.resize(viewer, { cols, rows }, reserved))
  })
})

/** The host's answers on its control socket. */
export const layer = HostRpc.toLayer(make)
