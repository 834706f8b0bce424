import { DeliveryCommand } from "./DeliveryCommand.ts"
import type { DeliveryEvidence } from "./DeliveryEvidence.ts"

/** `heldAt`: since when the user's keys are held while leap types; null while they go to the CLI. */
interface HeldKeys {
  readonly evidence: DeliveryEvidence
  readonly heldAt: number | null
}

/** Holds or releases the user's keys; emits no command if nothing changes. */
export const holdKeys = <M extends HeldKeys>(m: M, on: boolean): readonly [M, ReadonlyArray<DeliveryCommand>] =>
  (m.heldAt !== null) === on
    ? [m, []]
    : [{ ...m, heldAt: on ? m.evidence.at : null }, [DeliveryCommand.cases.HoldKeys.make({ on })]]
