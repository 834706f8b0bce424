import { messageNamed } from "../../engine/queue/MessageName.ts"
import type { QueuedMessage } from "../../words/session/Message.ts"
import type { Call, CallName } from "./calls.ts"

const naming: ReadonlySet<CallName> = new Set<CallName>([
  "QueueEdit",
  "QueueMove",
  "QueueRemove",
  "QueueRelease",
  "QueueRetry",
  "QueueHold",
  "QueueForce"
])

export const namesMessage = (call: Call): call is Call & { readonly id: string } =>
  naming.has(call._tag) && "id" in call && typeof call.id === "string"

/** The message that a call's `id` means; undefined if there is none, or if this is ambiguous. */
export const aboutOf = (
  call: Call & { readonly id: string },
  queue: ReadonlyArray<QueuedMessage>
): QueuedMessage | undefined => {
  const named = messageNamed(queue, call.id)
  return "message" in named ? named.message : undefined
}
