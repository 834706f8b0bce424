import { unrecordable } from "./attempts.ts"
import { hasOwnText } from "./Box.ts"
import { DeliveryCommand, type QueueEvent } from "./DeliveryCommand.ts"
import { noEvidence, observe } from "./DeliveryEvidence.ts"
import { andThen, announce, type Delivery, type DeliveryMove, record, stay } from "./DeliveryMemory.ts"
import { holdKeys } from "./HeldKeys.ts"
import { guardSeenTo } from "./guardPhases.ts"
import { noGuard } from "./HookGuard.ts"
import { noAnswer, noteAnswer } from "./LateAnswer.ts"
import { isRetryDue, logInOrder, notWritten, written } from "./LogRetry.ts"
import { afterGap } from "./ReportedTurns.ts"
import { runPhases } from "./runPhases.ts"
import { followConversation, loginAskedAfter, seenToBy } from "./FailurePause.ts"
import { gapBefore } from "./Waits.ts"
import { noFailures } from "../failure/TurnFailures.ts"
import type { InputProtocol } from "../../cli/provider/InputProtocol.ts"
import { applyRecord, type QueueRecord, type QueueState } from "../queue/Queue.ts"
import type { View } from "../../words/session/Session.ts"
import type { SessionEvent } from "../../words/session/SessionEvent.ts"
import { isFromHook } from "../tracker/HookWitness.ts"

export type { Delivery } from "./DeliveryMemory.ts"

/**
 * A delivery's memory without evidence. `at`: epoch milliseconds. The queue's log already contains `holdLeftovers`.
 * `cutOff`: the messages that a limit cut off in this conversation under an earlier host.
 */
export const start = (at: number, view: View, queue: QueueState, cutOff: ReadonlyArray<string> = []): Delivery => ({
  evidence: noEvidence(at, view),
  queue,
  typing: null,
  sent: [],
  ended: [],
  waiting: null,
  lateText: null,
  uncertain: null,
  lateAnswer: noAnswer,
  suggestion: null,
  redrawnSeq: 0,
  heldAt: null,
  unwritten: [],
  log: logInOrder,
  earliestSend: 0,
  hookEnds: "unheard",
  lastMatchedPromptSeq: 0,
  lastSentSeq: 0,
  announcedWait: null,
  failures: { ...noFailures, cutOff },
  lastCountedTurnEnd: null,
  continuesSeq: 0,
  loginAsked: null,
  guard: noGuard,
  blindSpan: null,
  waits: []
})

/**
 * Puts all records of one step into one `Append`, so that they are written, or fail, together and in order. It follows
 * the release of the user's keys, and waits while they are held. Only an attempt's write is waited for, and no keys are
 * held meanwhile.
 */
const together = ([m, commands]: DeliveryMove): DeliveryMove => {
  const own = commands.flatMap((command) => (command._tag === "Append" ? command.records : []))
  const records = [...m.unwritten, ...own]
  const others = commands.filter(({ _tag }) => _tag !== "Append")
  if (records.length === 0) return [m, others]
  if (m.heldAt !== null && m.typing?._tag !== "Recording") return [{ ...m, unwritten: records }, others]
  const first = commands.findIndex(({ _tag }) => _tag === "Append")
  const released = others.findLastIndex(({ _tag }) => _tag === "HoldKeys") + 1
  const at = first === -1 ? released : Math.max(first, released)
  return [{ ...m, unwritten: [] }, others.toSpliced(at, 0, DeliveryCommand.cases.Append.make({ records }))]
}

const settled = (input: InputProtocol, move: DeliveryMove): DeliveryMove =>
  together(andThen(move, (m) => runPhases(input, m)))

/** The memory before a step at `now` that was due at `asked`, without the time of a gap. */
export const asOf = (m: Delivery, now: number, asked: number | null): Delivery => {
  const gap = gapBefore(now, m.evidence.at, asked)
  if (gap === null) return m
  const { evidence, heldAt } = m
  const turns = afterGap(evidence.turns, gap)
  return {
    ...m,
    blindSpan: gap,
    heldAt: heldAt === null ? null : heldAt + gap.until - gap.from,
    evidence: { ...evidence, turns }
  }
}

/** A sent prompt has no reported beginning yet. For ends not reported by hooks: hooks report a beginning first. */
const isStartDue = ({ ended, evidence: { turns }, sent, typing }: Delivery): boolean => {
  const { end, start, userEnterSeq } = turns
  const isTold = [...ended, ...sent].some(({ reported }) => reported === start.seq)
  return (
    (typing !== null && "pressed" in typing && typing.pressed !== null) ||
    sent.some(({ enterSeq, reported }) => reported === null && (isTold || enterSeq > start.seq)) ||
    userEnterSeq > Math.max(start.seq, end?.seq ?? 0)
  )
}

/** Whether the CLI's hooks report how turns end, after this event. */
const hookEndsAfter = ({ hookEnds }: Delivery, event: SessionEvent): Delivery["hookEnds"] => {
  if (event._tag !== "Signal") return hookEnds
  if (event.signal._tag === "TurnEnded" || event.signal._tag === "TurnFailed") return "told"
  return hookEnds !== "told" && event.signal._tag === "SessionStarted" && isFromHook(event) ? "expected" : hookEnds
}

/** `view`: the classification after the event. `concerns`: its turn is the session's own. */
export const step = (
  input: InputProtocol,
  m: Delivery,
  event: SessionEvent,
  view: View,
  concerns = true
): DeliveryMove => {
  const evidence = observe(m.evidence, event, view, concerns, !isFromHook(event) && isStartDue(m))
  const continuesSeq = evidence.screen?.continues === undefined ? m.continuesSeq : evidence.seq
  const now = {
    ...m,
    evidence,
    hookEnds: concerns ? hookEndsAfter(m, event) : m.hookEnds,
    continuesSeq,
    loginAsked: loginAskedAfter(m, evidence),
    lateAnswer: noteAnswer(m.lateAnswer, event, evidence, !hasOwnText(m))
  }
  const logged = isRetryDue(now.log, evidence.at) ? record(now, []) : stay(now)
  return settled(
    input,
    andThen(logged, (m) => (concerns ? followConversation(m, event) : stay(m)))
  )
}

/** The memory and the commands after a change of the queue, or the answer to an `Append`. */
export const stepQueue = (input: InputProtocol, m: Delivery, event: QueueEvent): DeliveryMove => {
  const { evidence, typing } = m
  const at = Math.max(evidence.at, event.at)
  const now = { ...m, evidence: { ...evidence, at, seq: evidence.seq + 1 } }
  const attempt = typing?._tag === "Recording" ? typing.attempt : null
  const ofAttempt = event.records.filter((record) => record._tag === "Attempted" && record.id === attempt?.id)
  switch (event._tag) {
    case "QueueChanged":
      return settled(
        input,
        seenToBy(
          guardSeenTo({ ...now, queue: event.records.reduce(applyRecord, m.queue) }, event.resumes),
          event.resumes
        )
      )
    case "Recorded": {
      // Whoever wrote these records wrote the owed ones before them.
      const known = { ...now, unwritten: [], log: written(m.log), queue: ofAttempt.reduce(applyRecord, m.queue) }
      return settled(
        input,
        attempt === null || ofAttempt.length === 0
          ? stay(known)
          : holdKeys({ ...known, typing: { _tag: "Recorded", attempt, since: at } }, true)
      )
    }
    case "NotRecorded": {
      const owed = { ...now, log: notWritten(at) }
      const announced = m.log.fails
        ? stay(owed)
        : announce(owed, `the queue's file cannot be written, so messages wait: ${event.why}`)
      return settled(input, ofAttempt.length === 0 ? announced : andThen(announced, unrecordable))
    }
  }
}

/** As {@link stepQueue}, after changes of the queue by the machine itself. */
export const enter = (input: InputProtocol, m: Delivery, records: ReadonlyArray<QueueRecord>): DeliveryMove =>
  settled(input, record(m, records))

/** Epoch milliseconds of the next needed `Tick`, null for never. A tick that was not needed has no effect. */
export const wakeAt = ({ log, waits }: Delivery): number | null => {
  const moments = [...waits.map(({ until }) => until), log.retryAt].filter((moment) => moment !== null)
  return moments.length === 0 ? null : Math.min(...moments)
}
