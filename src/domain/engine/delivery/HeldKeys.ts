import { DeliveryCommand } from "./DeliveryCommand.ts"
import type { DeliveryEvidence } from "./DeliveryEvidence.ts"

/** The user's keys are held back while leap types; `heldAt`: since when, null while they go to the CLI. */
interface HeldKeys {
  readonly evidence: DeliveryEvidence
  readonly heldAt: number | null
}

/** Holds the user's keys back, or lets them go; no command where they already are. */
export const holdKeys = <M extends HeldKeys>(m: M, on: boolean): readonly [M, ReadonlyArray<DeliveryCommand>] =>
  (m.heldAt !== null) === on
    ? [m, []]
    : [{ ...m, heldAt: on ? m.evidence.at : null }, [DeliveryCommand.cases.HoldKeys.make({ on })]]
