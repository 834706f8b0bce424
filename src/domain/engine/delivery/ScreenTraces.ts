import { draftOf, isBoxFree, isDue } from "./Box.ts"
import type { DeliveryEvidence } from "./DeliveryEvidence.ts"
import { DeliveryCommand } from "./DeliveryCommand.ts"
import { timing } from "./DeliveryLimits.ts"
import type { Delivery } from "./DeliveryMemory.ts"
import { moved, type Verdict, waitsAside } from "./Verdict.ts"
import type { Moments } from "./Waits.ts"
import { next } from "../queue/Queue.ts"

/**
 * Has the CLI draw anew where a message waits for what may be no more than a trace on the screen: text in the box, or
 * no box at all at rest. A CLI that counts its columns in another way than the terminal clears too few of them, or
 * draws over others. Once behind each prompt, and behind what the user has typed, which may be theirs and stand: later.
 * What is there all the same is no trace, and the message waits. Null where there is none.
 */
export const traceTransition = (m: Delivery, { passed }: Moments): Verdict | null => {
  const { evidence: e, redrawnSeq, sent } = m
  const sentSeq = Math.max(e.prompt.seq, e.turns.start.seq, e.workSeq)
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
