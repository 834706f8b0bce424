import { DeliveryCommand } from "./DeliveryCommand.ts"
import { type Delivery, type DeliveryMove, andThen, restateAnswered, stay, announce, write } from "./DeliveryMemory.ts"
import { failedTurnsTransition, messageAnswered, messageFailedAfterAll } from "./FailedTurns.ts"
import { guardTransition } from "./guardPhases.ts"
import type { EndedTurn, Phase, SentPhase } from "./Phase.ts"
import { sentTransition } from "./SentPhases.ts"
import { typingTransition } from "./TypingPhases.ts"
import {
  conditionsTransition,
  lateAnswerTransition,
  lateTextTransition,
  offer,
  uncertainTransition,
  waitingOf
} from "./WaitingPhases.ts"
import { type Transition, moved, waitsAside, waits } from "./Transition.ts"
import { type Moments, momentsAt, type Wait } from "./Waits.ts"
import type { InputProtocol } from "../../cli/provider/InputProtocol.ts"
import { draftOf, isBoxFree, isDue, quietFrom } from "./Box.ts"
import type { DeliveryEvidence } from "./DeliveryEvidence.ts"
import { timing } from "./DeliveryLimits.ts"
import { next } from "../queue/Queue.ts"
import { hasEnded } from "./RecentTurns.ts"
import { isSuperseded } from "./TurnEnds.ts"
import { isItsEnd, isLast, recordedEnding, reportedEnding, withReport } from "./TurnReport.ts"
import { oneLine } from "../../words/text/printable.ts"

/**
 * Closes a suggestion of the CLI's that keeps a message from going out, such as a cheaper model after a usage limit:
 * nobody may be there to do it. It has stood for a while by then, and the user's last key is far enough back. Only what
 * the CLI's reader knows as a suggestion is closed, at rest, and only so often. Null where there is none.
 */
const suggestionTransition = (input: InputProtocol, m: Delivery, { passed }: Moments): Transition | null => {
  const { at, exited, screen, view, whole } = m.evidence
  const dialog = screen?.dialog ?? null
  const entry = next(m.queue)
  const isInTheWay =
    dialog?.suggests === true &&
    whole &&
    !exited &&
    view.dialog &&
    m.sent.length === 0 &&
    entry !== null &&
    isDue(m, entry)
  if (!isInTheWay) return m.suggestion === null ? null : moved([{ ...m, suggestion: null }, []])
  const { since, tries } = m.suggestion ?? { since: at, tries: 0 }
  if (tries >= timing.maxDismissals) return null
  if (!passed(Math.max(since + timing.suggestion, quietFrom(m.evidence))))
    return waitsAside({ ...m, suggestion: { since, tries } }, "a suggestion of the CLI's that is in the way to be seen")
  return moved(
    andThen(
      announce(
        { ...m, suggestion: { since: at, tries: tries + 1 } },
        `closed what the CLI suggests, since a message waits: ${oneLine(dialog.title, 100)}`
      ),
      (m) => [m, [write("dismiss", input.interrupt)]]
    )
  )
}

/** Something else has gone on since its turn was over, of which the CLI may be reporting. */
const isOvertaken = (m: Delivery, ended: EndedTurn): boolean => {
  const { ownTurnSeq, turns, workSeq } = m.evidence
  return Math.max(workSeq, ownTurnSeq, turns.userEnterSeq) > ended.endedSeq || !isLast(m, ended)
}

/** Nothing more is to be told of it: something else has gone on, and the CLI has told of what was sent behind it. */
const isForgotten = (m: Delivery, ended: EndedTurn): boolean =>
  isOvertaken(m, ended) &&
  [...m.ended, ...m.sent].some(
    ({ attemptSeq, reported, text }) => attemptSeq > ended.attemptSeq && (reported !== null || text === ended.text)
  )

/** Takes in what the CLI reports late of a message whose turn was seen to be over. */
const endedTransition = (m: Delivery, before: EndedTurn, { passed }: Moments): Transition => {
  const [used, ended] = withReport(m, before)
  const isOpen = ended.reported !== null || (ended.hadBegun && !isOvertaken(used, ended))
  const isOver = isSuperseded(used.evidence.turns, ended)
  const ending = isOver ? recordedEnding(used, ended) : isOpen ? reportedEnding(used, ended) : null
  // behind its end and another turn's work, what is told without a time of its own is of that turn
  const { recent } = used.evidence.turns
  const isOthers = hasEnded(recent, ended.reported) && isOvertaken(used, ended) && recordedEnding(used, ended) === null
  const isNews =
    ending !== null &&
    !isOthers &&
    isItsEnd(used, ended) === true &&
    ending.outcome !== before.outcome &&
    (before.outcome !== "interrupted" || ending.outcome === "failed")
  const known = isNews ? { ...ended, outcome: ending.outcome } : ended
  // the CLI's record may tell of a failure behind what hooks tell of the next turn
  const isFinal = known.reported === null ? isForgotten(used, known) : isOver && passed(known.endedAt + timing.endTold)
  const others = used.ended.flatMap((other) => (other.id !== before.id ? [other] : isFinal ? [] : [known]))
  const after = { ...used, ended: others }
  if (isNews) {
    return moved(
      ending.outcome === "completed"
        ? andThen(restateAnswered(after, before.id), (m) => messageAnswered(m, before.id))
        : messageFailedAfterAll({ ...after, ended: others.filter(({ id }) => id !== before.id) }, known, ending.failure)
    )
  }
  return isFinal ? moved(stay(after)) : waits(known === before ? used : after, "what may be reported late of its turn")
}

/**
 * Has the CLI draw anew where a message waits for what may be no more than a trace on the screen: text in the box, or
 * no box at all at rest. A CLI that counts its columns in another way than the terminal clears too few of them, or
 * draws over others. Once behind each prompt, and behind what the user has typed, which may be theirs and stand: later.
 * What is there all the same is no trace, and the message waits. Null where there is none.
 */
const traceTransition = (m: Delivery, { passed }: Moments): Transition | null => {
  const { evidence: e, redrawnSeq, sent } = m
  const sentSeq = Math.max(e.prompt.seq, e.turns.start.seq, e.turns.userEnterSeq, e.workSeq)
  const entry = next(m.queue)
  const mayBe = e.whole && !e.exited && sent.length === 0 && Math.max(sentSeq, e.typedSeq) > redrawnSeq
  if (!mayBe || entry === null || !isDue(m, entry)) return null
  const isText = isBoxFree(e) && draftOf(m) !== ""
  const since = isText ? e.restSince : isNothingRead(e) ? e.overSince : null
  if (since === null) return null
  const patience = isText && e.typedSeq > sentSeq ? timing.typedTrace : timing.trace
  return passed(Math.max(since, e.userKeyAt ?? 0) + patience)
    ? moved([{ ...m, redrawnSeq: e.seq }, [DeliveryCommand.cases.Redraw.make({})]])
    : waitsAside(m, "a trace on the screen to be drawn anew")
}

/** The screen has neither a box nor anything that would be in its place. */
const isNothingRead = ({ screen }: DeliveryEvidence): boolean =>
  screen !== null && screen.unknown !== true && screen.box === null && screen.dialog === null && !screen.picker

/** What becomes of a phase, by the evidence as it is. Total: each phase moves on, or says what it waits for. */
const transition = (input: InputProtocol, m: Delivery, phase: Phase, moments: Moments): Transition => {
  switch (phase._tag) {
    case "Waiting":
      return offer(input, m, phase, moments)
    case "Uncertain":
      return uncertainTransition(m, phase)
    case "LateText":
      return lateTextTransition(input, m, phase, moments)
    case "Submitted":
    case "GivenBack":
    case "Running":
      return sentTransition(input, m, phase, moments)
    case "EndedTurn":
      return endedTransition(m, phase, moments)
    default:
      return typingTransition(input, m, phase, moments)
  }
}

/** What came of asking every phase once. */
export interface Pass {
  readonly memory: Delivery
  readonly commands: ReadonlyArray<DeliveryCommand>
  /** Some phase has moved on, so that others may too. */
  readonly hasMoved: boolean
  readonly waits: ReadonlyArray<Wait>
}

/** Asks every phase once, those of messages first that were sent first. */
const passOver = (input: InputProtocol, before: Delivery): Pass => {
  let memory = before
  let hasMoved = false
  const commands: Array<DeliveryCommand> = []
  const waits: Array<Wait> = []
  /** Takes in what was said; true where others are to be asked behind it. */
  const ask = (id: string | null, phase: string, of: (m: Delivery, moments: Moments) => Transition | null): boolean => {
    const moments = momentsAt(memory.evidence.at, memory.blindSpan)
    const verdict = of(memory, moments)
    if (verdict === null) return true
    if (verdict._tag === "Moved") {
      memory = verdict.move[0]
      commands.push(...verdict.move[1])
      hasMoved = true
      return false
    }
    memory = verdict.memory
    waits.push({ id, phase, awaited: verdict.awaited, until: moments.next() })
    return verdict.aside
  }
  const askPhase = (phase: Phase): boolean =>
    ask("attempt" in phase ? phase.attempt.id : phase.id, phase._tag, (m, moments) =>
      transition(input, m, phase, moments)
    )
  const askLateAnswer = () => ask(null, "LateAnswer", (m, moments) => lateAnswerTransition(input, m, moments))
  // What becomes of one says something of those behind it: each is asked as it is by then.
  const askEach = (list: (m: Delivery) => ReadonlyArray<SentPhase | EndedTurn>): void => {
    for (const { attemptSeq, id } of list(before)) {
      const phase = list(memory).find((now) => now.id === id && now.attemptSeq === attemptSeq)
      if (phase !== undefined) askPhase(phase)
    }
  }
  askEach(({ ended }) => ended)
  askEach(({ sent }) => sent)
  const { evidence, lateText, typing, uncertain } = memory
  if (typing !== null) askPhase(typing)
  else if (evidence.exited) askLateAnswer()
  // With nothing being typed, what is left of earlier attempts comes before the next message.
  else if (
    ask(null, "Conditions", conditionsTransition) &&
    ask(null, "HookGuard", guardTransition) &&
    ask(null, "FailedTurns", failedTurnsTransition) &&
    (uncertain === null || askPhase(uncertain)) &&
    (lateText === null || askPhase(lateText)) &&
    askLateAnswer() &&
    ask(null, "Suggestion", (m, moments) => suggestionTransition(input, m, moments)) &&
    ask(null, "ScreenTraces", traceTransition)
  ) {
    const waiting = waitingOf(memory)
    if (waiting !== null) askPhase(waiting)
    else if (memory.waiting !== null) memory = { ...memory, waiting: null }
  }
  return { memory, commands, hasMoved, waits }
}

/** All that moves on changes. */
const constellation = (m: Delivery): string =>
  JSON.stringify([
    m.typing,
    m.sent,
    m.ended,
    m.waiting,
    m.lateText,
    m.uncertain,
    m.lateAnswer,
    m.suggestion,
    m.redrawnSeq,
    m.announcedWait,
    m.failures,
    m.guard,
    m.lastCountedTurnEnd,
    m.hookEnds,
    m.queue.entries.map(({ message }) => message.when?.length)
  ])

/**
 * Lets the phases move on until all of them wait. It comes to an end because no constellation of phases comes twice: at
 * one event their data are of this event or of before, so that there are only so many. Should one come twice all the
 * same, the step ends, and the next is asked for at once: nothing hangs, and nothing is forgotten.
 */
export const untilSettled = (pass: (m: Delivery) => Pass, before: Delivery): DeliveryMove => {
  const commands: Array<DeliveryCommand> = []
  const seen = new Set<string>()
  for (let memory = before; ;) {
    const after = pass(memory)
    commands.push(...after.commands)
    if (!after.hasMoved) return [{ ...after.memory, waits: after.waits }, commands]
    seen.add(constellation(memory))
    if (seen.has(constellation(after.memory))) return [{ ...after.memory, waits: [again(before)] }, commands]
    memory = after.memory
  }
}

const again = ({ evidence }: Delivery): Wait => ({
  id: null,
  phase: "Delivery",
  awaited: "the next look at what has changed",
  until: evidence.at + 1
})

/** The memory, and the commands, once every phase has moved on as far as the evidence allows. */
export const runPhases = (input: InputProtocol, m: Delivery): DeliveryMove => untilSettled((m) => passOver(input, m), m)
