import { type DeliveryEvidence } from "./DeliveryEvidence.ts"
import type { BoxPhase, Pressed, TextPhase, Withdrawing } from "./Phase.ts"

export const isText = (phase: BoxPhase): phase is TextPhase =>
  phase._tag === "Typing" || phase._tag === "Settling" || phase._tag === "Submitting"

export const pressedOf = (phase: TextPhase | Withdrawing): Pressed | null =>
  phase._tag === "Typing" ? null : phase.pressed

/** A whole frame has come since the phase began. */
export const isFresh = ({ frames, whole }: DeliveryEvidence, phase: BoxPhase): boolean => whole && frames > phase.frames

export const isTouched = ({ userKeys }: DeliveryEvidence, { attempt }: BoxPhase): boolean =>
  userKeys !== attempt.userKeys

/** A turn began after Enter, and no evidence attributes it to another prompt. */
export const turnBegan = (
  { ownTurnSeq, workSeq }: DeliveryEvidence,
  { attempt }: BoxPhase,
  { seq }: Pressed
): boolean => !attempt.ahead && workSeq > seq && ownTurnSeq <= attempt.attemptSeq
