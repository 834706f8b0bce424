import type { Delivery, DeliveryMove } from "./DeliveryMemory.ts"

/** The waits that may last for ever: time alone need not end them, an event from outside does. */
export const outside = [
  "the log to hold its attempt",
  "the dialog over the box to close",
  "a whole frame",
  "its turn to begin",
  "its turn to end",
  "what may be reported late of its turn",
  "its text to show late",
  "a turn that may be its own",
  "the session to be ready",
  "a box that could be put back",
  "what the queue waits for since a turn failed",
  "an event of its CLI's hooks",
  "room in a budget"
] as const

/** The waits that time alone ends, if nothing ends them earlier. */
const bounded = [
  "what came while its attempt was written",
  "the box to be cleared",
  "its text to show",
  "its text to stand still",
  "the menu over its text to close",
  "the menu over its text to offer it",
  "its text to leave the box",
  "the CLI to draw for a new size",
  "what became of its text behind the dialog",
  "a box to come back",
  "a turn that shows that it was sent",
  "its text to be taken out of the box",
  "your text to be back in the box",
  "the box to let go of it",
  "a sign of its turn",
  "another turn, behind its own",
  "its turn's end to be told",
  "the text that showed late to stand still",
  "a late answer to stand still",
  "keys of yours that are on their way",
  "its time to go",
  "a suggestion of the CLI's that is in the way to be seen",
  "a trace on the screen to be drawn anew",
  "why a turn failed",
  "its CLI to ask for no login for a while",
  "the CLI to go on by itself after its limit",
  "the next try after a failed turn",
  "what it is to wait for",
  "the next look at what has changed"
] as const

/** The reason of a wait, as people read it. */
export type Awaited = (typeof outside)[number] | (typeof bounded)[number]

/**
 * A transition's result: the phase moved on (`Moved`), or it waits (`Waits`) and has stored since when. `aside`: others
 * may continue meanwhile.
 */
export type Transition =
  | { readonly _tag: "Moved"; readonly move: DeliveryMove }
  | { readonly _tag: "Waits"; readonly memory: Delivery; readonly awaited: Awaited; readonly aside: boolean }

export const moved = (move: DeliveryMove): Transition => ({ _tag: "Moved", move })

export const waits = (memory: Delivery, awaited: Awaited): Transition => ({
  _tag: "Waits",
  memory,
  awaited,
  aside: false
})

/** Waits without holding others back. */
export const waitsAside = (memory: Delivery, awaited: Awaited): Transition => ({
  _tag: "Waits",
  memory,
  awaited,
  aside: true
})
