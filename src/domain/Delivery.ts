import { isIdlePromptVisible } from "./ArrowGate.ts"
import { Command, type QueueEvent } from "./Command.ts"
import { isPrompt, nothingSeen, observe } from "./DeliveryEvidence.ts"
import { advanceFlight, begin, cleanUp, recorded, unrecordable } from "./DeliveryFlight.ts"
import {
  andThen, canPutBack, type Delivery, draftOf, entryOf, holdMessage, isQueued, type Move, nameOf,
  record, say, shows, stay, timing, userDraft
} from "./DeliveryMemory.ts"
import { advanceTaken } from "./DeliveryTaken.ts"
import type { InputProtocol } from "./InputProtocol.ts"
import { deliveredText } from "./MessageText.ts"
import { applyRecord, next, type QueueEntry, type QueueRecord, type QueueState } from "./Queue.ts"
import type { View } from "./Session.ts"
import type { SessionEvent } from "./SessionEvent.ts"

export type { Delivery } from "./DeliveryMemory.ts"

/** A sender that has seen nothing yet. The queue comes from a log on which `recover` has been recorded. */
export const start = (at: number, view: View, queue: QueueState): Delivery => ({
  evidence: nothingSeen(at, view),
  queue,
  flight: null,
  taken: [],
  residue: null,
  doubt: null,
  clearSince: null,
  notBefore: 0,
  keysHeld: false,
  promptUsed: 0,
  retryAt: null,
  logFails: false,
  told: null
})

/** Nothing of the CLI's lies over its box, and the last frame shows all of it. */
const boxFree = ({ evidence: { screen, view, whole, exited } }: Delivery): boolean =>
  !exited && whole && screen !== null && isIdlePromptVisible(screen) && !view.dialog

/** The way is free for this message now. */
const isFree = (m: Delivery, { message }: QueueEntry): boolean => {
  const { screen, view } = m.evidence
  const draft = userDraft(m)
  if (!boxFree(m) || draft === null || screen === null) return false
  if (message.force) {
    const asks = view.state === "starting" || view.state === "needs_permission" || view.state === "needs_input"
    return !asks && (draft === "" || canPutBack(draft))
  }
  return view.ready && draftOf(m) === "" && !screen.working && m.taken.length === 0
}

/** The first moment at which nobody has touched the session for long enough. */
const quietFrom = ({ evidence: { resizedAt, userKeyAt } }: Delivery): number =>
  Math.max(userKeyAt ?? -Infinity, resizedAt ?? -Infinity) + timing.quiet

/** No message is in hand: is there something to clean up, may the next one go? */
const idle = (input: InputProtocol, m: Delivery): Move => {
  const { doubt, evidence: e, residue } = m
  const { at, userKeys } = e
  const entry = next(m.queue)
  // Keys of the user's since then: they may send the text, and what is in the box is theirs.
  if (residue !== null && userKeys !== residue.userKeys) {
    const why = "its text had not shown yet when you pressed a key; it may have been sent"
    return isQueued(m, residue.id) ? holdMessage({ ...m, residue: null }, residue.id, why) : stay({ ...m, residue: null })
  }
  if (doubt !== null && (e.workSeq > doubt.seq || e.prompt.seq > doubt.seq && isPrompt(e.prompt.text, doubt.text))) {
    const why = "a turn began after keys of yours got in between; it may have been sent"
    return isQueued(m, doubt.id) ? holdMessage({ ...m, doubt: null }, doubt.id, why) : stay({ ...m, doubt: null })
  }
  if (residue !== null && boxFree(m) && shows(input, m, residue.text)) {
    const since = residue.since ?? at
    return at - since < timing.debounce ? stay({ ...m, residue: { ...residue, since } }) : cleanUp(input, m, residue)
  }
  return entry === null ? stay({ ...m, clearSince: null }) : offer(input, m, entry)
}

const offer = (input: InputProtocol, m: Delivery, entry: QueueEntry): Move => {
  const { at } = m.evidence
  const { id } = entry.message
  if (!isFree(m, entry)) {
    const drafted = entry.message.force && boxFree(m) && m.told !== id && !canPutBack(userDraft(m) ?? "\n")
    const waits = { ...m, clearSince: null }
    return drafted
      ? say({ ...waits, told: id }, `${nameOf(m, id)} waits: the box holds text of yours that could not be put back`)
      : stay(waits)
  }
  const since = m.clearSince?.id === id ? m.clearSince.at : at
  const due = Math.max(since + timing.debounce, quietFrom(m), m.notBefore)
  return at < due
    ? stay({ ...m, clearSince: { id, at: since } })
    : begin(m, id, deliveredText(entry.message, input), entry.message.force)
}

const advanceOnce = (input: InputProtocol, m: Delivery): Move =>
  andThen(
    m.taken.reduce<Move>((move, t) => andThen(move, (m) => advanceTaken(input, m, t)), stay(m)),
    (m) => {
      if (m.flight === null) return m.evidence.exited ? stay(m) : idle(input, m)
      const entry = entryOf(m, m.flight.id)
      return advanceFlight(input, m, m.flight, entry !== null && isFree(m, entry))
    }
  )

/** Runs until nothing more follows from what has been seen. Each round ends a step of a finite delivery. */
const advance = (input: InputProtocol, m: Delivery): Move => {
  let move: Move = stay(m)
  for (let round = 0; round < 20; round++) {
    const before = move[0]
    move = andThen(move, (m) => advanceOnce(input, m))
    const after = move[0]
    if (after.flight?.step === before.flight?.step && after.taken.length === before.taken.length && after.queue === before.queue) break
  }
  return move
}

/** One step's records go to the log together, so that a failure leaves none of them out of turn. */
const together = ([m, commands]: Move): Move => {
  const records = commands.flatMap((command) => command._tag === "Append" ? command.records : [])
  const first = commands.findIndex((command) => command._tag === "Append")
  const all = Command.cases.Append.make({ records })
  return [m, commands.flatMap((command, index): ReadonlyArray<Command> =>
    command._tag !== "Append" ? [command] : index === first ? [all] : [])]
}

const retryLog = (m: Delivery): Move =>
  m.retryAt !== null && m.evidence.at >= m.retryAt ? record(m, []) : stay(m)

/** Takes in an event of the session, with the view after it. */
export const step = (input: InputProtocol, m: Delivery, event: SessionEvent, view: View): Move =>
  together(andThen(retryLog({ ...m, evidence: observe(m.evidence, event, view) }), (m) => advance(input, m)))

/** Takes in what became of the queue, or of an `Append`. */
export const stepQueue = (input: InputProtocol, m: Delivery, event: QueueEvent): Move => {
  const { evidence, flight } = m
  const now = { ...m, evidence: { ...evidence, at: Math.max(evidence.at, event.at), seq: evidence.seq + 1 } }
  const isAttempt = (record: QueueRecord) => record._tag === "Attempted" && record.id === flight?.id
  const attempt = flight !== null && flight.step === "recording" && event.records.some(isAttempt)
  switch (event._tag) {
    case "QueueChanged":
      return together(advance(input, { ...now, queue: event.records.reduce(applyRecord, m.queue) }))
    case "Recorded": {
      if (!attempt) return stay({ ...now, logFails: false })
      const under = { ...now, logFails: false, queue: event.records.filter(isAttempt).reduce(applyRecord, m.queue) }
      return together(andThen(recorded(under, flight), (m) => advance(input, m)))
    }
    case "NotRecorded": {
      const owed = { ...now, retryAt: now.evidence.at + timing.logRetry }
      const told = m.logFails ? stay(owed) : say({ ...owed, logFails: true }, `the queue's file cannot be written, so messages wait: ${event.why}`)
      return attempt ? andThen(told, (m) => unrecordable(m)) : told
    }
  }
}

/** Milliseconds after the begin of something at which a wait for it may end. */
const waits = [
  timing.debounce, timing.recorded, timing.echo, timing.mixedEcho, timing.settle, timing.menu, timing.submit, timing.resubmit, timing.boxGone, timing.clear,
  timing.afterDialog, timing.viewStart, timing.noTurnCommand, timing.noTurn, timing.givenBack, timing.unseenTurn,
  timing.aheadEnd, timing.doubt
]

/** When the sender wants a `Tick`, with no event before; null for never. A tick too many does no harm. */
export const wakeAt = (m: Delivery): number | null => {
  const { at, busySince, exited, overSince, restSince } = m.evidence
  const starts = [
    m.clearSince?.at, m.flight?.since, m.residue?.since,
    ...m.taken.flatMap((t) => [t.submittedAt, t.backSince, t.started?.at, busySince, overSince, restSince])
  ]
  const moments = starts.flatMap((since) => typeof since === "number" ? waits.map((wait) => since + wait) : [])
  if (next(m.queue) !== null && m.flight === null) moments.push(quietFrom(m), m.notBefore)
  const due = [...exited ? [] : moments, ...m.retryAt === null ? [] : [m.retryAt]].filter((moment) => moment > at)
  return due.length === 0 ? null : Math.min(...due)
}
