import { isAtRest } from "../../words/session/states.ts"
import { auditNote } from "../approvals/ApprovalCommand.ts"
import * as Approvals from "../approvals/Approvals.ts"
import { DeliveryCommand } from "../delivery/DeliveryCommand.ts"
import * as Delivery from "../delivery/Delivery.ts"
import type { DeliveryMove } from "../delivery/DeliveryMemory.ts"
import { guarded } from "../delivery/guardPhases.ts"
import { continuation } from "../delivery/FailurePause.ts"
import type { Detection } from "../../cli/provider/Detection.ts"
import type { InputProtocol } from "../../cli/provider/InputProtocol.ts"
import * as LimitContinuation from "../continuation/LimitContinuation.ts"
import { defaultNight, type NightSettings } from "../../store/settings/NotifySettings.ts"
import { pauseAt } from "../failure/TurnFailures.ts"
import type { QueueEntry, QueueState } from "../queue/Queue.ts"
import type { Modes, UnknownLayout, View } from "../../words/session/Session.ts"
import type { ScreenFacts } from "../../words/session/Screen.ts"
import type { KeyKind, SessionEvent } from "../../words/session/SessionEvent.ts"
import type { Facts } from "../tracker/Facts.ts"
import { unwiredWords } from "../../words/wording/waitWords.ts"
import { unwiredCause } from "../tracker/HookWitness.ts"
import { concernsOtherSession } from "../tracker/SessionsSeen.ts"
import * as Tracker from "../tracker/Tracker.ts"
import type { Command } from "./Command.ts"
import { freeLane, heardLater, type Heard, inOrder, type LogLane } from "./LogLane.ts"
import { queueWait, unprovenOf } from "./queueWait.ts"
import {
  isApprovalEvent,
  isBudgetEvent,
  isHookRulesEvent,
  isLogEvent,
  isNightEvent,
  isQueueEvent,
  type LogEvent,
  type MachineEvent
} from "./MachineEvent.ts"
import type { HookRulesEvent } from "../approvals/ApprovalEvent.ts"
import type { QueueEvent } from "../delivery/DeliveryCommand.ts"

export type { MachineEvent } from "./MachineEvent.ts"
export type { Command } from "./Command.ts"

/** The parts of a CLI that the machine depends on: capabilities, input protocol and permission protocol. */
export interface SessionProfile {
  readonly detection: Pick<Detection, "capabilities">
  readonly input: InputProtocol
  readonly permissions: Approvals.ApprovalProtocol
}

/** The memory of one hosted session: its state, its queue and delivery, and its permission requests. */
export interface SessionMemory {
  readonly tracker: Tracker.TrackerMemory
  readonly delivery: Delivery.Delivery
  readonly approvals: Approvals.ApprovalsMemory
  readonly night: LimitContinuation.NightMemory
  readonly log: LogLane
}

/** The facts at a session's start. */
export interface SessionStart {
  readonly at: number
  readonly modes: Modes
  /** The queue as its log gives it, after `holdLeftovers`. */
  readonly queue: QueueState
  /** See `Tracker.start`. */
  readonly zone?: string
  /** How the session continues after a limit, if its mode allows this. */
  readonly night?: NightSettings
  /** The limit that the conversation had met when its earlier host ended. */
  readonly limit?: LimitContinuation.KeptLimit | null
  /** The ids of the messages that the limit cut off. */
  readonly cutOff?: ReadonlyArray<string>
  /** See `Tracker.start`. */
  readonly unknownLayout?: UnknownLayout
  /** The earlier session that the CLI resumes. */
  readonly resumes?: Pick<Facts, "sessionId" | "transcriptPath">
}

/** The memory of a session at its start. */
export const start = (options: SessionStart): SessionMemory => {
  const started = Tracker.start(options.at, options.modes, options.zone, options.unknownLayout)
  const tracker =
    options.resumes === undefined ? started : { ...started, facts: { ...started.facts, ...options.resumes } }
  return {
    tracker,
    delivery: Delivery.start(options.at, tracker.view, options.queue, options.cutOff),
    approvals: Approvals.start,
    night: LimitContinuation.start(options.night ?? defaultNight, options.zone ?? "UTC", options.limit),
    log: freeLane
  }
}

/**
 * The session as surfaces show it: while its queue waits (`queueWait`), or its CLI is to continue by itself, no message
 * may be typed, whatever the CLI shows.
 */
export const viewOf = ({ delivery, night, tracker }: SessionMemory): View => {
  const { view } = tracker
  const continues = continuation(delivery)
  const wait = continues === null ? queueWait({ delivery, night }, delivery.evidence.at)?.cause : null
  const cause = continues === null ? wait : ({ _tag: "Continues", when: continues } as const)
  if (cause == null || !isAtRest(view.state)) return view
  return { ...view, ready: false, notReady: view.ready ? { _tag: "QueueWaits", cause } : view.notReady }
}

/** The part of the session on which approvals depend. */
const approvalContext = ({ log, tracker: { facts, view } }: SessionMemory, now: number): Approvals.ApprovalContext => ({
  now,
  grants: log.busy === null,
  mode: facts.modes.autoSend,
  visible: {
    state: view.state,
    dialog: facts.screen.dialog,
    since: facts.visibleSince.question,
    dialogClosedAt: facts.dialogClosedAt,
    userKeyAt: facts.userKeyAt
  }
})

/** The memory after one event, and the commands to carry out in order (see {@link Command}). */
export const reduce = ({ detection, input, permissions }: SessionProfile) => {
  const track = Tracker.track(detection)

  const onSession = (memory: SessionMemory, event: SessionEvent): Stepped => {
    const tracked = track(memory.tracker, event)
    const concerns = event._tag !== "Signal" || !concernsOtherSession(tracked.facts.sessions, event.signal)
    const [seen, deliveryCommands] = heard({ ...memory, tracker: tracked }, event, concerns)
    const { approvals, commands } = Approvals.observe(
      permissions,
      memory.approvals,
      approvalContext(seen, event.at),
      event._tag === "ModesChanged" && event.modes.autoSend !== memory.tracker.facts.modes.autoSend
    )
    return [{ ...seen, approvals }, [...deliveryCommands, ...commands, ...unguardedNote(memory, seen.tracker)]]
  }

  const heard = (memory: SessionMemory, event: SessionEvent, concerns: boolean): Stepped => {
    const { facts, view } = memory.tracker
    return toDelivery(memory, { event: asDeliverySees(memory, facts, event), view, concerns })
  }

  /** The delivery gets an event, now or when the log has been written. */
  const toDelivery = (memory: SessionMemory, one: Heard): Stepped => {
    if (memory.log.busy !== null) return [{ ...memory, log: heardLater(memory.log, one) }, []]
    const { concerns, event, view } = one
    const known = guarded(memory.delivery, unprovenOf(memory.tracker.facts, memory.approvals.restrictions))
    const [delivery, tracker, commands] = withWrites(
      Delivery.step(input, known, event, view, concerns),
      memory.tracker,
      event.at
    )
    return goOn({ ...memory, tracker, delivery }, commands, event.at)
  }

  /**
   * The queue's log can be written again: the events that waited are handled in order, each with the view from when it
   * arrived. As soon as one of them makes leap type something, the later ones get the present view, because the stored
   * views do not know of that typing. `followed`: the tracker before any such typing.
   */
  const released = (memory: SessionMemory, at: number, followed = memory.tracker): Stepped => {
    const { behind, inbox } = memory.log
    const [freed, first] = behindLog({ ...memory, log: freeLane }, behind)
    const [next, commands] = inbox.reduce<Stepped>(
      ([memory, commands], one) => {
        const { tracker } = memory
        const [after, more] = toDelivery(memory, tracker === followed ? one : { ...one, view: tracker.view })
        return [after, [...commands, ...more]]
      },
      [freed, first]
    )
    if (next.log.busy !== null) return [next, commands]
    const granted = Approvals.granting(permissions, next.approvals, approvalContext(next, at))
    return [{ ...next, approvals: granted.approvals }, [...commands, ...granted.commands]]
  }

  /** Commands wait behind a write of the log that is going on. */
  const behindLog = (memory: SessionMemory, commands: ReadonlyArray<DeliveryCommand>): Stepped => {
    const [log, now] = inOrder(memory.log, commands)
    return [{ ...memory, log }, now]
  }

  /**
   * A delivery's writes are input for the tracker. The delivery sees the resulting view immediately, not with the next
   * event, because the time at which it wants to be woken may change with that view.
   */
  const withWrites = (
    [delivery, commands]: DeliveryMove,
    tracked: Tracker.TrackerMemory,
    at: number
  ): readonly [Delivery.Delivery, Tracker.TrackerMemory, ReadonlyArray<DeliveryCommand>] => {
    const written = commands.flatMap(eventsOfWrite(at))
    if (written.length === 0) return [delivery, tracked, commands]
    const tracker = written.reduce(track, tracked)
    const seen = Delivery.step(input, delivery, { _tag: "Tick", at }, tracker.view)
    const [after, last, more] = withWrites(seen, tracker, at)
    return [after, last, [...commands, ...more]]
  }

  /** Lets the session continue after its limit, or removes a planned continuation. */
  const goOn = (memory: SessionMemory, commands: ReadonlyArray<DeliveryCommand>, now: number): Stepped => {
    const { delivery, night, tracker } = memory
    const { facts, view } = tracker
    const hasLimit = view.problem !== null || night.limit !== null || night.kept !== null
    const isContinuation = ({ message }: QueueEntry) => message.night === true
    if (!hasLimit && !delivery.queue.entries.some(isContinuation)) return behindLog(memory, commands)
    const context = {
      now,
      mode: facts.modes.night,
      view,
      queue: delivery.queue,
      pause: pauseAt(delivery.failures, now),
      continues: facts.screen.continues ?? null
    }
    const move = LimitContinuation.step(night, context)
    const said =
      move.said === null ? [] : [DeliveryCommand.cases.Announce.make({ message: move.said, recordedAs: "night" })]
    const after = { ...memory, night: move.memory }
    if (move.records.length === 0) return behindLog(after, [...commands, ...said])
    const [entered, more] = Delivery.enter(input, delivery, move.records)
    return behindLog({ ...after, delivery: entered }, [...commands, ...said, ...more])
  }

  const onQueue = (memory: SessionMemory, event: QueueEvent): Stepped => {
    const moved = Delivery.stepQueue(input, memory.delivery, event)
    const [delivery, tracker, commands] = withWrites(moved, memory.tracker, event.at)
    const [next, first] = behindLog({ ...memory, tracker, delivery }, commands)
    return memory.log.busy === "machine" && event._tag !== "QueueChanged"
      ? released(next, event.at, memory.tracker)
      : [next, first]
  }

  const onHookRules = (memory: SessionMemory, event: HookRulesEvent): Stepped => {
    const { approvals, commands } = Approvals.stepHooks(memory.approvals, event)
    const known = { ...memory, approvals }
    if (event._tag !== "HooksPlaced" || event.placed === memory.approvals.hooks.placed) return [known, commands]
    // A fault that keeps hooks from obeying the rules also holds messages, and is reported.
    return onSession(known, { _tag: "HooksFound", at: event.at, off: event.placed ? [] : [unplaced], by: "spool" })
  }

  const onLog = (memory: SessionMemory, { _tag, at }: LogEvent): Stepped =>
    _tag === "LogTaken" ? [{ ...memory, log: { ...memory.log, busy: "change" } }, []] : released(memory, at)

  const handled = (memory: SessionMemory, event: MachineEvent): Stepped => {
    if (isQueueEvent(event)) return onQueue(memory, event)
    if (isLogEvent(event)) return onLog(memory, event)
    if (isHookRulesEvent(event)) return onHookRules(memory, event)
    if (isNightEvent(event)) {
      const { night } = memory
      const known =
        event._tag === "CostKnown"
          ? { ...night, cost: event.usd, costFloor: event.floor ?? null }
          : { ...night, settings: event.settings }
      return onSession({ ...memory, night: known }, { _tag: "Tick", at: event.at })
    }
    if (isBudgetEvent(event)) {
      const guard = { ...memory.delivery.guard, budget: event.hold }
      return onSession({ ...memory, delivery: { ...memory.delivery, guard } }, { _tag: "Tick", at: event.at })
    }
    if (!isApprovalEvent(event)) return onSession(memory, event)
    const context = approvalContext(memory, event.at)
    const { approvals, commands, taken } = Approvals.step(permissions, memory.approvals, event, context)
    const after = { ...memory, approvals }
    if (approvals.restrictions !== memory.approvals.restrictions) {
      const [next, more] = onSession(after, { _tag: "Tick", at: event.at })
      return [next, [...commands, ...more]]
    }
    if (!taken) return [after, commands]
    const [next, more] = onSession(after, { _tag: "Decided", at: event.at })
    return [next, [...commands, ...more]]
  }

  return (before: SessionMemory, event: MachineEvent): Stepped => {
    const { busy, asked } = before.log
    // Time during which nothing ran (the computer slept) must not count for the delivery. While the log is written, the
    // delivery is asked only by the events of log and queue.
    const hears = busy === null || isQueueEvent(event) || isLogEvent(event)
    const delivery = hears
      ? Delivery.asOf(before.delivery, event.at, busy === null ? dueAt(before) : asked)
      : before.delivery
    const [next, commands] = handled(delivery === before.delivery ? before : { ...before, delivery }, event)
    const begins = next.log.busy !== null && (busy === null || hears)
    return [begins ? { ...next, log: { ...next.log, asked: dueAt(next) } } : next, commands]
  }
}

/** The audit log's entry if a tool ran without its hook and rules depend on hooks. */
const unguardedNote = (
  { approvals: { restrictions }, tracker: before }: SessionMemory,
  { facts }: Tracker.TrackerMemory
): ReadonlyArray<Command> => {
  const { unguarded } = facts.hooks
  if (unguarded === null || restrictions === 0 || unguarded === before.facts.hooks.unguarded) return []
  const decision = { verdict: "allow", rule: null, why: unwiredWords(unwiredCause(facts.hooks)) } as const
  return [{ _tag: "Audit", at: facts.at, entry: { ...auditNote("unguarded", null, decision, "no"), by: "none" } }]
}

/**
 * An event as the delivery sees it. If the CLI's own reader does not know the screen, the delivery gets what the reader
 * common to all CLIs says of it. That counts only after a while, so the event may be a `Tick`.
 */
const asDeliverySees = ({ delivery, log }: SessionMemory, { screen, torn }: Facts, event: SessionEvent): SessionEvent =>
  screen.unknown !== true ||
  torn !== null ||
  screen === (lastScreen(log) ?? delivery.evidence.screen) ||
  (event._tag === "Output" ? event.screen === null : event._tag !== "Tick")
    ? event
    : { _tag: "Output", at: event.at, screen }

const lastScreen = ({ inbox }: LogLane) =>
  inbox.reduce<ScreenFacts | null>((last, { event }) => (event._tag === "Output" ? (event.screen ?? last) : last), null)

const unplaced = "leap cannot write where they read what your rules want: is the disk full?"

type Stepped = readonly [SessionMemory, ReadonlyArray<Command>]

const kinds = {
  text: "paste",
  pad: "text",
  submit: "enter",
  clear: "edit",
  restore: "paste",
  dismiss: "escape"
} as const satisfies Record<string, KeyKind>

/** leap's own writes as events for the tracker, as a recording has them: the keys, and a `Send` before a message. */
const eventsOfWrite =
  (at: number) =>
  (command: DeliveryCommand): ReadonlyArray<SessionEvent> => {
    if (command._tag !== "Write") return []
    const keys = { _tag: "Input", at, keys: [kinds[command.purpose]], by: "leap" } as const
    return command.purpose === "text" ? [{ _tag: "Send", at }, keys] : [keys]
  }

const earliest = (...moments: ReadonlyArray<number | null>): number | null => {
  const known = moments.filter((moment) => moment !== null)
  return known.length === 0 ? null : Math.min(...known)
}

/** When the session and its queue are to be looked at again. */
const dueAt = ({ approvals, delivery, night, tracker: { facts, view } }: SessionMemory): number | null =>
  earliest(
    view.changesAt,
    facts.hooks.dueAt,
    facts.hooks.owed[0]?.dueAt ?? null,
    Approvals.wakeAt(approvals),
    Delivery.wakeAt(delivery),
    LimitContinuation.wakeAt(night, delivery.queue, facts.at)
  )

/**
 * When a `Tick` is needed if no event comes before, in milliseconds since the epoch; null for never. The queue needs
 * none while its log is written.
 */
export const wakeAt = (memory: SessionMemory): number | null => {
  const { approvals, log, tracker } = memory
  const { hooks } = tracker.facts
  return log.busy === null
    ? dueAt(memory)
    : earliest(tracker.view.changesAt, hooks.dueAt, hooks.owed[0]?.dueAt ?? null, Approvals.wakeAt(approvals))
}
