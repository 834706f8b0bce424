import { Clock, Deferred, Effect, Option, Result, Stream, SubscriptionRef } from "effect"
import { explain } from "../../domain/Explain.ts"
import type { HostSpec } from "../../domain/HostSpec.ts"
import * as Queue from "../../domain/Queue.ts"
import type { ExitStatus, Modes } from "../../domain/Session.ts"
import type { ProviderRecord } from "../../services/CLIProvider.ts"
import { HostRpc, protocolVersion, RecordFrame, RefusedError } from "../../services/HostRpc.ts"
import { Machine } from "../../services/Machine.ts"
import type { ScreenHandle } from "../../services/Screen.ts"
import type { Answerer } from "./answer.ts"
import type { Recorder } from "./recorder.ts"
import type { Runtime } from "./runtime.ts"
import { turnResponse } from "./turnResponse.ts"
import type { Shown } from "./usage.ts"
import type { Viewers } from "./viewers.ts"

export interface HandlerOptions {
  readonly spec: HostSpec
  readonly provider: ProviderRecord
  readonly runtime: Runtime
  readonly used: () => Shown
  readonly viewers: Viewers
  readonly recorder: Recorder
  readonly screen: ScreenHandle
  readonly size: () => { readonly cols: number; readonly rows: number }
  /** Keys (latin1) that go to the CLI, by whom they were pressed. */
  readonly keys: (data: string, by: "user" | "leap") => Effect.Effect<void>
  readonly input: (viewer: string, data: string) => Effect.Effect<void>
  /** Answers the dialog on screen. */
  readonly answer: Answerer
  /** Stores and applies them; gives back all that hold now. */
  readonly changeModes: (change: Partial<Modes>) => Effect.Effect<Modes, RefusedError>
  readonly stop: (force: boolean) => Effect.Effect<void>
  readonly exit: Deferred.Deferred<ExitStatus>
}

const ended: ReadonlySet<string> = new Set(["done", "failed", "held"])
const turnStates: ReadonlySet<string> = new Set(["running", "needs_permission", "needs_input", "churning"])

/** How long an interrupt waits for a message that is being typed to become a turn. */
const deliveryPatience = "8 seconds"
const onItsWay = ({ attempting, message }: Queue.QueueEntry): boolean =>
  attempting || message.status === "typed" || message.status === "submitted"

/** What the host answers on its control socket. */
export const handlers = (options: HandlerOptions) => {
  const { runtime, viewers } = options
  const refuse = (why: string, exitCode: 3 | 5 = 5) => new RefusedError({ why, exitCode })
  const status = SubscriptionRef.get(runtime.status)
  const view = () => runtime.memory().tracker.view
  const running = Effect.suspend(() =>
    view().state === "exited" ? Effect.fail(refuse(`session '${options.spec.tag}' has ended`, 3)) : Effect.void
  )
  const changes = SubscriptionRef.changes(runtime.status).pipe(Stream.takeUntil((now) => now.state === "exited"))
  const queue = () => runtime.memory().delivery.queue
  const explained = explain(options.provider.detection)

  return HostRpc.of({
    Hello: Effect.fnUntraced(function*() {
      const machine = yield* Machine
      return {
        protocol: protocolVersion,
        version: machine.version,
        tag: options.spec.tag,
        hostPid: machine.pid,
        ended: view().state === "exited"
      }
    }),
    Status: () => status,
    Why: Effect.fnUntraced(function*() {
      const now = yield* Clock.currentTimeMillis
      const { facts, view } = runtime.memory().tracker
      return { now, ready: view.ready, since: view.since, ...explained(facts, now) }
    }),
    Watch: () => changes,

    Send: Effect.fnUntraced(function*(message) {
      yield* running
      const id = yield* (yield* Machine).newId
      yield* runtime.changeQueue((queue, at) =>
        view().state === "exited"
          ? Result.fail({ why: `session '${options.spec.tag}' has ended`, exitCode: 3 as const })
          : Queue.add(queue, { ...message, id, at })
      )
      return { id }
    }),
    Receipt: ({ id }) =>
      Stream.unwrap(Effect.gen(function*() {
        if (Queue.find(queue(), id) === null) return yield* refuse(`there is no message ${id}`, 3)
        return changes.pipe(
          Stream.map(() => Option.fromNullishOr(Queue.find(queue(), id)?.message)),
          Stream.filter(Option.isSome),
          Stream.map((message) => message.value),
          Stream.changesWith((a, b) => a.status === b.status && a.why === b.why),
          Stream.takeUntil((message) => ended.has(message.status))
        )
      })),
    Response: Effect.fnUntraced(function*({ id }) {
      if (Queue.find(queue(), id) === null) return yield* refuse(`there is no message ${id}`, 3)
      return { text: yield* turnResponse(options, id) }
    }),
    Queue: () =>
      Effect.sync(() => ({ queue: Queue.messages(queue()), recent: queue().finished.map((entry) => entry.message) })),
    QueueEdit: ({ id, text }) => Effect.asVoid(runtime.changeQueue((queue) => Queue.edit(queue, Queue.idLike(queue, id), text))),
    QueueMove: ({ id, position }) =>
      Effect.asVoid(runtime.changeQueue((queue) => Queue.move(queue, Queue.idLike(queue, id), position))),
    QueueRemove: ({ id }) => Effect.asVoid(runtime.changeQueue((queue, at) => Queue.remove(queue, Queue.idLike(queue, id), at))),
    QueueClear: Effect.fnUntraced(function*() {
      const { records } = yield* runtime.changeQueue((queue, at) => Result.succeed(Queue.clear(queue, at)))
      return { removed: records.reduce((count, record) => count + (record._tag === "Cleared" ? record.ids.length : 0), 0) }
    }),
    QueueRelease: Effect.fnUntraced(function*({ id }) {
      const { records } = yield* runtime.changeQueue((queue, at) => Queue.release(queue, id === null ? null : Queue.idLike(queue, id), at))
      return { released: records.length }
    }),

    Answer: Effect.fnUntraced(function*({ answer }) {
      yield* running
      const { answer: chosen, asked } = yield* options.answer(answer)
      return { dialog: asked.title, answer: chosen }
    }),
    Interrupt: Effect.fnUntraced(function*() {
      yield* running
      // a message on its way becomes the turn that is meant: a key now would only get into its text
      yield* changes.pipe(
        Stream.filter(() => !queue().entries.some(onItsWay)),
        Stream.runHead,
        Effect.timeoutOption(deliveryPatience)
      )
      const { reason, state } = view()
      if (!turnStates.has(state)) return yield* refuse(`there is no turn to interrupt: '${options.spec.tag}' is ${state} (${reason})`)
      yield* options.keys(options.provider.input.interrupt, "leap")
    }),
    Stop: Effect.fnUntraced(function*({ force }) {
      yield* options.stop(force)
      return yield* Deferred.await(options.exit)
    }),
    SetModes: Effect.fnUntraced(function*({ modes }) {
      yield* running
      return yield* options.changeModes(modes)
    }),
    Screen: () => Effect.sync(() => ({ text: options.screen.text(), ...options.size() })),
    Attach: ({ cols, programStatus, readOnly, rows, viewer }) =>
      viewers.attach({ id: viewer, size: { cols, rows }, readOnly, programStatus }),
    Record: (wanted) =>
      Stream.unwrap(Effect.gen(function*() {
        const { version } = yield* Machine
        const { at, batches, size } = options.recorder.record(wanted)
        return Stream.concat(
          // a recording is read where the user's own variant is not known
          Stream.make(RecordFrame.cases.Begun.make({ ...size, at, version, cli: options.provider.base })),
          Stream.map(batches, (lines) => RecordFrame.cases.Lines.make({ lines }))
        )
      })),
    Input: ({ data, viewer }) => options.input(viewer, data),
    Resize: ({ cols, rows, viewer }) => Effect.sync(() => viewers.resize(viewer, { cols, rows }))
  })
}
