import { DeliveryCommand } from "./DeliveryCommand.ts"

/** Whether the user's keys are held back while leap types. */
export interface HeldKeys {
  readonly keysHeld: boolean
}

/** Holds the user's keys back, or lets them go; no command where they already are. */
export const holdKeys = <M extends HeldKeys>(m: M, on: boolean): readonly [M, ReadonlyArray<DeliveryCommand>] =>
  m.keysHeld === on ? [m, []] : [{ ...m, keysHeld: on }, [DeliveryCommand.cases.HoldKeys.make({ on })]]
