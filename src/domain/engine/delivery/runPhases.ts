import type { DeliveryCommand } from "./DeliveryCommand.ts"
import type { Delivery, DeliveryMove } from "./DeliveryMemory.ts"
import { failedTurnsTransition } from "./FailedTurns.ts"
import { guardTransition } from "./guardPhases.ts"
import type { EndedTurn, Phase, SentPhase } from "./Phase.ts"
import { endedTransition } from "./EndedTurns.ts"
import { sentTransition } from "./SentPhases.ts"
import { suggestionTransition } from "./Suggestion.ts"
import { traceTransition } from "./ScreenTraces.ts"
import { typingTransition } from "./TypingPhases.ts"
import {
  conditionsTransition,
  lateAnswerTransition,
  lateTextTransition,
  offer,
  uncertainTransition,
  waitingOf
} from "./WaitingPhases.ts"
import type { Verdict } from "./Verdict.ts"
import { type Moments, momentsAt, type Wait } from "./Waits.ts"
import type { InputProtocol } from "../../cli/provider/InputProtocol.ts"

/** What becomes of a phase, by the evidence as it is. Total: each phase moves on, or says what it waits for. */
const transition = (input: InputProtocol, m: Delivery, phase: Phase, moments: Moments): Verdict => {
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
  const ask = (id: string | null, phase: string, of: (m: Delivery, moments: Moments) => Verdict | null): boolean => {
    const moments = momentsAt(memory.evidence.at, memory.gap)
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
    m.countedEnd,
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
