import type { TurnOutcome } from "./Message.ts"
import type { SessionState } from "./Session.ts"

interface SeenOver {
  readonly state: SessionState
  readonly problem: object | null
  readonly told: TurnOutcome | null
}

/** How a turn ended: as the CLI reported it, else as this state shows. */
export const seenOutcome = ({ problem, state, told }: SeenOver): TurnOutcome =>
  told ?? (state === "interrupted" ? "interrupted" : problem === null ? "completed" : "failed")

/** The outcome after a further report of the CLI, which may report an interrupted turn as completed. */
export const amendedOutcome = (seen: TurnOutcome, told: TurnOutcome | null): TurnOutcome =>
  told === null || (seen === "interrupted" && told !== "failed") ? seen : told
