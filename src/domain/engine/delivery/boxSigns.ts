import { type DeliveryEvidence } from "./DeliveryEvidence.ts"
import type { BoxPhase, Pressed, Submitting, TextPhase, Withdrawing } from "./Phase.ts"

export const isText = (phase: BoxPhase): phase is TextPhase =>
  phase._tag === "Typing" || phase._tag === "Settling" || phase._tag === "Submitting"

export const pressedOf = (phase: TextPhase | Withdrawing): Pressed | null =>
  phase._tag === "Typing" ? null : phase.pressed

/** A complete frame has come since the phase began. */
export const isFresh = ({ frames, whole }: DeliveryEvidence, phase: BoxPhase): boolean => whole && frames > phase.frames

export const isTouched = ({ userKeys }: DeliveryEvidence, { attempt }: BoxPhase): boolean =>
  userKeys !== attempt.userKeys

/** A turn began after Enter and after the text last showed in the box; nothing attributes it to another prompt. */
export const turnBegan = (
  { ownTurnSeq, workSeq }: DeliveryEvidence,
  { attempt, pressed, shownSeq }: Submitting | Withdrawing
): boolean =>
  pressed !== null && !attempt.ahead && workSeq > Math.max(pressed.seq, shownSeq) && ownTurnSeq <= attempt.attemptSeq
