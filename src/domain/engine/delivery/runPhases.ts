import { DeliveryCommand } from "./DeliveryCommand.ts"
import {
  type Delivery,
  type DeliveryMove,
  andThen,
  holdMessage,
  restateAnswered,
  stay,
  announce,
  write
} from "./DeliveryMemory.ts"
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
 * Closes a suggestion of the CLI that holds up a message, such as a cheaper model after a usage limit, because nobody
 * may be there to do it. The suggestion has been open for a while, and the user's last key is long enough ago. Only
 * suggestions that the CLI's reader recognizes are closed, at rest, and only a few times. Null if there is none.
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

/** Something else has begun since its turn ended, and the CLI may be reporting on that. */
const isOvertaken = (m: Delivery, ended: EndedTurn): boolean => {
  const { ownTurnSeq, turns, workSeq } = m.evidence
  return Math.max(workSeq, ownTurnSeq, turns.userEnterSeq) > ended.endedSeq || !isLast(m, ended)
}

/** No more reports about it will come: something else began, and the CLI reported the messages sent after it. */
const isForgotten = (m: Delivery, ended: EndedTurn): boolean =>
  isOvertaken(m, ended) &&
  [...m.ended, ...m.sent].some(
    ({ attemptSeq, reported, text }) => attemptSeq > ended.attemptSeq && (reported !== null || text === ended.text)
  )

/** Handles the CLI's late reports on a message whose turn seemed to be over. */
const endedTransition = (m: Delivery, before: EndedTurn, { passed }: Moments): Transition => {
  const [used, ended] = withReport(m, before)
  const isOpen = ended.reported !== null || (ended.hadBegun && !isOvertaken(used, ended))
  const isOver = isSuperseded(used.evidence.turns, ended)
  const ending = isOver ? recordedEnding(used, ended) : isOpen ? reportedEnding(used, ended) : null
  // after its end and another turn's work, a report without a time of its own is about that other turn
  const { recent } = used.evidence.turns
  const isOthers = hasEnded(recent, ended.reported) && isOvertaken(used, ended) && recordedEnding(used, ended) === null
  // the next one's beginning is awaited while this one runs alone
  const isIts = isItsEnd(used, ended, true)
  const isNews =
    ending !== null &&
    !isOthers &&
    isIts === true &&
    ending.outcome !== before.outcome &&
    (before.outcome !== "interrupted" || ending.outcome === "failed")
  const known = isNews ? { ...ended, outcome: ending.outcome } : ended
  // the CLI's record may report a failure after the hooks of the next turn
  const isFinal = known.reported === null ? isForgotten(used, known) : isOver && passed(known.endedAt + timing.endTold)
  const others = used.ended.flatMap((other) => (other.id !== before.id ? [other] : isFinal ? [] : [known]))
  const after = { ...used, ended: others }
  const without = { ...used, ended: others.filter(({ id }) => id !== before.id) }
  // nothing says whether it was answered
  if (ending?.outcome === "failed" && isIts === null && before.outcome === null && !before.ahead)
    return moved(holdMessage(without, before.id, ["others-failure"]))
  if (isNews) {
    return moved(
      ending.outcome === "completed"
        ? andThen(restateAnswered(after, before.id), (m) => messageAnswered(m, before.id))
        : messageFailedAfterAll(without, known, ending.failure)
    )
  }
  return isFinal ? moved(stay(after)) : waits(known === before ? used : after, "what may be reported late of its turn")
}

/**
 * Makes the CLI redraw if a message waits because of a possible trace on the screen: text in the box, or no box at all
 * at rest. A CLI that counts its columns differently from the terminal clears too few of them, or draws over others.
 * Once after each prompt; later after text typed by the user, which may be real. Content that remains is no trace, and
 * the message waits. Null if there is none.
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
  const timeout = isText && e.typedSeq > sentSeq ? timing.typedTrace : timing.trace
  return passed(Math.max(since, e.userKeyAt ?? 0) + timeout)
    ? moved([{ ...m, redrawnSeq: e.seq }, [DeliveryCommand.cases.Redraw.make({})]])
    : waitsAside(m, "a trace on the screen to be drawn anew")
}

/** The screen has neither a box nor anything in its place. */
const isNothingRead = ({ screen }: DeliveryEvidence): boolean =>
  screen !== null && screen.unknown !== true && screen.box === null && screen.dialog === null && !screen.picker

/** The next step of a phase, by the present evidence. Total: each phase moves on, or says what it waits for. */
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

/** The result of asking every phase once. */
export interface Pass {
  readonly memory: Delivery
  readonly commands: ReadonlyArray<DeliveryCommand>
  /** Some phase has moved on, so others may do so too. */
  readonly hasMoved: boolean
  readonly waits: ReadonlyArray<Wait>
}

/** Asks every phase once: first those of messages, in the order in which they were sent. */
const passOver = (input: InputProtocol, before: Delivery): Pass => {
  let memory = before
  let hasMoved = false
  const commands: Array<DeliveryCommand> = []
  const waits: Array<Wait> = []
  /** Applies the answer; true if others must be asked after it. */
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
  // The step of one affects those after it, so each is asked with the memory at that time.
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
  // After the CLI's end nothing is delivered. Waiting messages stay in the log, and the next host holds them
  // (`holdLeftovers`).
  else if (evidence.exited) askLateAnswer()
  // With nothing being typed, remains of earlier attempts come before the next message.
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

/** The parts of the memory by which `untilSettled` recognizes a repetition: each move of a phase changes one. */
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
 * Lets the phases move on until all of them wait. This ends because no constellation of phases occurs twice: at one
 * event their data belong to this event or to earlier ones, so their number is limited. If one did occur twice, the
 * step would end, and the next would be requested immediately: nothing hangs, and nothing is forgotten.
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
