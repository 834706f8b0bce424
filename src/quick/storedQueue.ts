import { leftQueue } from "../domain/engine/queue/Leftovers.ts"
import { scanPlain } from "../domain/engine/queue/QueueScan.ts"
import type { QueuedMessage } from "../domain/words/session/Message.ts"
import queueForm from "#generated/queueForm.mts"

/** The waiting messages that a queue's log holds, and its damaged lines; null if only the whole program can read it. */
export const readQueue = (
  log: Uint8Array,
  now: number
): { readonly queue: ReadonlyArray<QueuedMessage>; readonly damaged: ReadonlyArray<Uint8Array> } | null => {
  const lines = scanPlain(log, queueForm)
  return lines === null ? null : { queue: leftQueue(lines.records, now), damaged: lines.damaged }
}
