import type { Delivery, DeliveryMove } from "./DeliveryMemory.ts"
import type { Awaited } from "./Waits.ts"

/**
 * What a transition says: the phase has moved on (`Moved`), or it waits (`Waits`), having noted in the memory what it
 * waits from. `aside`: others may go on meanwhile.
 */
export type Verdict =
  | { readonly _tag: "Moved"; readonly move: DeliveryMove }
  | { readonly _tag: "Waits"; readonly memory: Delivery; readonly awaited: Awaited; readonly aside: boolean }

export const moved = (move: DeliveryMove): Verdict => ({ _tag: "Moved", move })

export const waits = (memory: Delivery, awaited: Awaited): Verdict => ({ _tag: "Waits", memory, awaited, aside: false })

/** The same, where it keeps nothing back. */
export const waitsAside = (memory: Delivery, awaited: Awaited): Verdict => ({
  _tag: "Waits",
  memory,
  awaited,
  aside: true
})
