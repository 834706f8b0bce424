import { Clock, Effect, Exit, FiberSet, Layer, Option, Stream, SubscriptionRef } from "effect"
import type { ApprovalEvent } from "../../domain/engine/approvals/ApprovalEvent.ts"
import type { Command } from "../../domain/engine/machine/Command.ts"
import * as Driver from "../../domain/engine/machine/Driver.ts"
import { freeLane } from "../../domain/engine/machine/LogLane.ts"
import { isApprovalEvent, type MachineEvent } from "../../domain/engine/machine/MachineEvent.ts"
import * as SessionMachine from "../../domain/engine/machine/SessionMachine.ts"
import type { QueueRecord } from "../../domain/engine/queue/Queue.ts"
import type { Modes } from "../../domain/words/session/Session.ts"
import { CLIProvider } from "../../services/CLIProvider.ts"
import { CliCommand } from "./CliCommand.ts"
import { PermissionResponder } from "./PermissionResponder.ts"
import { KeyGate } from "./KeyGate.ts"
import { Outbox } from "./Outbox.ts"
import { Recorder } from "./Recorder.ts"
import { RecordWriter } from "./RecordWriter.ts"
import { RestoredSession } from "./RestoredSession.ts"
import { sleepUntil } from "./waits.ts"
import { SessionMetrics } from "./SessionMetrics.ts"
import { SessionWork, type Taken, type Work } from "./SessionWork.ts"
import { StatusPublisher } from "./StatusPublisher.ts"
import { TerminalSize } from "./TerminalSize.ts"

/** How long reading the CLI's own settings may take; after that, the former result or the default counts. */
const settingsTimeout = "1 second"

/**
 * Runs the session's machine as a stream: events, tasks and ticks are its elements, the machine's memory is its state,
 * and its output is the next wake-up. Owned by the scope.
 */
const make = Effect.gen(function* () {
  const work = yield* SessionWork
  const { log, memory: restored } = yield* RestoredSession
  const provider = yield* CLIProvider
  const outbox = yield* Outbox
  const gate = yield* KeyGate
  const approvals = yield* PermissionResponder
  const recorder = yield* Recorder
  const record = yield* RecordWriter
  const publisher = yield* StatusPublisher
  const metrics = yield* SessionMetrics
  const terminal = yield* TerminalSize
  const driver = Driver.driver(provider)
  const { args, env } = yield* CliCommand
  const fork = yield* FiberSet.makeRuntime<never>()

  const holdKeys = Effect.fnUntraced(function* (on: boolean) {
    const pressed = gate.hold(on)
    if (pressed === null) return
    work.offer({ _tag: "Event", event: { _tag: "Input", at: yield* Clock.currentTimeMillis, ...pressed } })
  })

  /** The reasons why the CLI's hooks do not run, at the last check. */
  let hooksOff: ReadonlyArray<string> = []
  /** Reports changed reasons to the machine, because the CLI's settings may change at any time. */
  const lookAtHooks = Effect.fnUntraced(function* () {
    const place = { args, directory: (yield* SubscriptionRef.get(publisher.status)).cwd, env }
    const looked = yield* Effect.timeoutOption(provider.hooksOff?.(place) ?? Effect.succeed([]), settingsTimeout)
    const off = Option.getOrElse(looked, () => hooksOff)
    if (JSON.stringify(off) === JSON.stringify(hooksOff)) return
    hooksOff = off
    work.offer({ _tag: "Event", event: { _tag: "HooksFound", at: yield* Clock.currentTimeMillis, off } })
  })

  /** The disk was slow for the last records. */
  let isSlow = false
  /** Writes records, and reports to the machine whether they are on disk. */
  const append = Effect.fnUntraced(function* (records: ReadonlyArray<QueueRecord>) {
    // The result is processed before leap types any of the message.
    if (records.some(({ _tag }) => _tag === "Attempted"))
      yield* Effect.catchCause(lookAtHooks(), (cause) => Effect.logError("the CLI's hooks are not known", cause))
    const begun = yield* Clock.currentTimeMillis
    const failure = yield* log.append(records).pipe(
      Effect.as(null),
      Effect.catch((error) => Effect.as(Effect.logError(error.message), error.message)),
      // The machine needs an answer in any case.
      Effect.catchCause((cause) =>
        Effect.as(Effect.logError("the queue's log failed", cause), "the queue's log failed")
      )
    )
    const at = yield* Clock.currentTimeMillis
    isSlow = at - begun > slowLog
    return failure === null
      ? ({ _tag: "Recorded", at, records } as const)
      : ({ _tag: "NotRecorded", at, records, why: failure } as const)
  })

  /** Submits the text in the box with the current key, which the user's settings of the CLI may change. */
  const submit = Effect.fnUntraced(function* (command: Extract<Command, { readonly _tag: "Write" }>) {
    const key = yield* Effect.timeoutOption(provider.submitKey?.(env) ?? Effect.succeed(null), settingsTimeout)
    outbox.type({ ...command, data: Option.getOrNull(key) ?? command.data })
  })

  /** Carries out one command, and returns its answer, if any. The machine continues while the log is written. */
  const execute = (command: Command, memory: Memory): Effect.Effect<MachineEvent | null> => {
    switch (command._tag) {
      case "Append":
        return Effect.sync(() => {
          fork(Effect.map(append(command.records), (event) => work.offer({ _tag: "Event", event })))
          noteQueue(command.records.filter(({ _tag }) => _tag !== "Attempted"))
          return null
        })
      case "Write":
        return Effect.as(command.purpose === "submit" ? submit(command) : Effect.sync(() => outbox.type(command)), null)
      case "HoldKeys":
        return Effect.as(holdKeys(command.on), null)
      case "Redraw":
        return Effect.as(
          Effect.sync(() => terminal.redraw()),
          null
        )
      case "Announce":
        if (command.recordedAs !== undefined) record.announced(command.recordedAs, command.message)
        return Effect.as(Effect.logInfo(command.message), null)
      default:
        return approvals.execute(command, memory)
    }
  }

  /** The record gets the queue's new state before the states that follow; an attempt, after it is written. */
  const noteQueue = (records: ReadonlyArray<QueueRecord>): void => {
    record.queue(records)
    for (const one of records)
      if (one._tag === "StatusChanged" && outcomes.has(one.status))
        metrics.count("deliveries", one.outcome ?? one.status)
  }
  const markModes = (modes: Modes): void => recorder.marker(`modes:${JSON.stringify(modes)}`, "modes")
  /** Adds markers, in this order, for replaying permission decisions; the record gets the queue. */
  const mark = (event: MachineEvent | null, { log }: Memory): void => {
    if (event?._tag === "ModesChanged") markModes(event.modes)
    if (event?._tag === "Recorded" || event?._tag === "QueueChanged")
      noteQueue(event.records.filter(({ _tag }) => log.busy !== "machine" || _tag === "Attempted"))
    // The text of an edit decides nothing.
    if (event !== null && isApprovalEvent(event))
      recorder.marker(`approval:${JSON.stringify({ ...event, edit: undefined })}`, stateOf(event))
  }

  /** A failing command loses only its answer; later commands still run. */
  const attempt = (command: Command, memory: Memory): Effect.Effect<MachineEvent | null> =>
    Effect.catchCause(
      Effect.suspend(() => execute(command, memory)),
      (cause) => Effect.as(Effect.logError(`the session's machine failed at ${command._tag}`, cause), null)
    )

  /** On a failure, the memory stays as it was. */
  const orElse = (memory: Memory) => (next: Effect.Effect<Reached>) =>
    // An interruption of the driver itself does not come here: it ends the stream.
    Effect.catchCause(next, (cause) =>
      Effect.as(Effect.logError("the session's machine failed", cause), { memory, exit: Exit.failCause(cause) })
    )

  /** Processes one event and all that follows from it. */
  const take = (before: Memory, event: MachineEvent): Effect.Effect<Reached> =>
    Effect.suspend(() => {
      metrics.count("events", event._tag)
      mark(event, before)
      return driver.carryOut<Effect.Effect<Reached>>(before, event, {
        carry: (command, memory, goOn) => {
          work.show(memory)
          return attempt(command, memory).pipe(
            Effect.flatMap((answer) => {
              mark(answer, memory)
              return goOn(answer)
            }),
            orElse(memory)
          )
        },
        end: (memory) => {
          work.show(memory)
          return Effect.succeed({ memory, exit: Exit.void })
        }
      })
    }).pipe(orElse(before))

  /** Processes events, up to the first that fails, and publishes the status. */
  const takeAll = (before: Memory, events: ReadonlyArray<MachineEvent>): Effect.Effect<Reached> =>
    Effect.gen(function* () {
      let now: Reached = { memory: before, exit: Exit.void }
      for (const event of events) if (Exit.isSuccess(now.exit)) now = yield* take(now.memory, event)
      const { exit, memory } = now
      metrics.queueLength(memory.delivery.queue.entries.length)
      // The end is told together with what becomes of the messages.
      if (memory.tracker.view.state === "exited" && memory.log.busy === "machine") return { memory, exit }
      return yield* orElse(memory)(Effect.as(publisher.publish(memory), { memory, exit }))
    })

  const logFree = Effect.map(Clock.currentTimeMillis, (at) => ({ _tag: "LogFree", at }) as const)

  /**
   * The outcome of a write. Events that waited for it and on which the machine fails are lost like any others: the
   * queue continues.
   */
  const outcome = Effect.fnUntraced(function* (before: Memory, event: MachineEvent) {
    const reached = yield* takeAll(before, [event])
    if (Exit.isSuccess(reached.exit) || reached.memory !== before) return reached
    return yield* takeAll({ ...before, log: { ...before.log, inbox: [] } }, [event])
  })

  const perform = Effect.fnUntraced(function* (before: Memory, one: Work): Effect.fn.Return<Reached> {
    switch (one._tag) {
      case "Event":
        return yield* one.event._tag === "Recorded" || one.event._tag === "NotRecorded"
          ? outcome(before, one.event)
          : takeAll(before, [one.event])
      case "Events": {
        const free = one.done === null ? [] : [yield* logFree]
        // A task that wrote nothing has no place in the log's order: events that waited for it come first.
        const reached = yield* takeAll(
          before,
          one.done === "read" ? [...free, ...one.events] : [...one.events, ...free]
        )
        yield* one.answer(reached.exit)
        if (one.done === null || reached.memory.log.busy !== "change") return reached
        const freed = yield* outcome(reached.memory, yield* logFree)
        return freed.memory.log.busy === "change" ? { ...freed, memory: { ...freed.memory, log: freeLane } } : freed
      }
      case "Task": {
        const nothing: Taken = { events: [], answer: () => Effect.void }
        const run = Effect.catchCause(
          Effect.suspend(() => one.run(before)),
          (cause) => Effect.as(Effect.logError("a task of the session failed", cause), nothing)
        )
        fork(Effect.map(run, (taken) => work.offer({ _tag: "Events", done: one.writes ? "wrote" : "read", ...taken })))
        return yield* takeAll(before, [{ _tag: "LogTaken", at: yield* Clock.currentTimeMillis }])
      }
    }
  })

  /**
   * A task waits while the log is written. If the log is slow, tasks that write it also wait while the user's keys are
   * held, because the keys would wait for the write; tasks that only read, such as the session's end, do not. Keys are
   * held only after an attempt was written, which measures the log's speed.
   */
  const aside: Array<Work> = []
  const waitsAside = ({ delivery, log }: Memory, one: Work): boolean =>
    one._tag === "Task" && (log.busy !== null || (one.writes && isSlow && delivery.heldAt !== null))

  /** Takes out the first deferred task that need not wait any more. */
  const due = (memory: Memory): Work | undefined => {
    const at = aside.findIndex((one) => !waitsAside(memory, one))
    return at < 0 ? undefined : aside.splice(at, 1)[0]
  }

  /** Processes one element, and deferred ones. A failure in one does not affect the others. */
  const workOff = Effect.fnUntraced(function* (before: Memory, one: Work) {
    if (waitsAside(before, one)) {
      aside.push(one)
      return before
    }
    let { memory } = yield* orElse(before)(perform(before, one))
    for (let next = due(memory); next !== undefined; next = due(memory))
      memory = (yield* orElse(memory)(perform(memory, next))).memory
    return memory
  })

  /** Emits the next wake-up if it has changed. */
  const turn = (before: Memory, one: Work) =>
    Effect.map(workOff(before, one), (memory): readonly [Memory, ReadonlyArray<WakeUp>] => {
      const at = SessionMachine.wakeAt(memory)
      const ticked = one._tag === "Event" && one.event._tag === "Tick"
      return [memory, ticked || at !== SessionMachine.wakeAt(before) ? [{ at }] : []]
    })

  markModes(restored.tracker.facts.modes)
  /** The machine's next wake-up. Each is a new object, because the same moment may be requested again. */
  const wakeUp = yield* SubscriptionRef.make<WakeUp>({ at: SessionMachine.wakeAt(restored) })
  const ticks = SubscriptionRef.changes(wakeUp).pipe(
    Stream.switchMap(({ at }) =>
      at === null ? Stream.empty : Stream.fromEffect(Effect.tap(tickAt(at), () => Effect.sync(work.hurry)))
    )
  )
  yield* Stream.merge(work.waiting, ticks).pipe(
    Stream.mapAccumEffect(() => restored, turn),
    Stream.runForEach((next) => SubscriptionRef.set(wakeUp, next)),
    Effect.forkScoped
  )
})

/** The rules, and the decision for a request without a hook, hold until they change. */
const stateOf = (event: ApprovalEvent): string | undefined =>
  event._tag === "PolicyChanged"
    ? "policy"
    : event._tag === "PermissionDecided" && event.id === null
      ? "unnamed decision"
      : undefined

/** Final outcomes of a message, or those that wait for the user. */
const outcomes: ReadonlySet<string> = new Set(["held", "done", "failed"])

/** A log whose write takes longer, in milliseconds, is slow. */
const slowLog = 100

type Memory = SessionMachine.SessionMemory

/** The resulting memory, and whether anything failed on the way. */
interface Reached {
  readonly memory: Memory
  readonly exit: Exit.Exit<void>
}

interface WakeUp {
  readonly at: number | null
}

const tickAt = (at: number): Effect.Effect<Work> =>
  Effect.gen(function* () {
    yield* sleepUntil(at)
    return { _tag: "Event", event: { _tag: "Tick", at: yield* Clock.currentTimeMillis } }
  })

export const layer = Layer.effectDiscard(make)
