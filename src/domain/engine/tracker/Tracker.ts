import { asks } from "../../words/session/states.ts"
import { classify } from "./Classify.ts"
import type { Detection } from "../../cli/provider/Detection.ts"
import { type Facts, initial } from "./Facts.ts"
import { concluded, fold } from "./FactsFold.ts"
import { witness } from "./witnessHooks.ts"
import type { Modes, SessionState, UnknownLayout, View } from "../../words/session/Session.ts"
import type { SessionEvent } from "../../words/session/SessionEvent.ts"

/** The tracker's part of a session's memory: the facts, and the view after the last event. */
export interface TrackerMemory {
  readonly facts: Facts
  readonly view: View
}

/**
 * The memory of a session whose process has just been started. `at`: milliseconds since the epoch. `zone`: the time
 * zone in which its CLI writes times of day (`Europe/Zurich`).
 */
export const start = (at: number, modes: Modes, zone = "UTC", unknownLayout: UnknownLayout = "wait"): TrackerMemory => {
  const facts = initial(at, modes, zone, unknownLayout)
  return { facts, view: { ...classify({ turnHooks: false })(facts, at), since: at } }
}

/** Since when the state holds. A question that a key only seemed to answer has waited since it first appeared. */
const sinceOf = (before: View, state: SessionState, { at, visibleSince: { question } }: Facts): number => {
  if (state === before.state) return before.since
  return asks(state) && question !== null && question <= before.since ? question : at
}

/** The memory after one event. An exit is final: later events change nothing. */
export const track = ({ capabilities }: Pick<Detection, "capabilities">) => {
  const classifyFacts = classify(capabilities)
  const trackOne = (memory: TrackerMemory, event: SessionEvent): TrackerMemory => {
    if (memory.view.state === "exited") return memory
    const folded = fold(memory.facts, event, memory.view.state)
    const hooks = witness(capabilities, folded, event)
    const facts = hooks === folded.hooks ? folded : { ...folded, hooks }
    const first = classifyFacts(facts, facts.at)
    const kept = concluded(facts, first.state)
    const view = kept === facts ? first : classifyFacts(kept, kept.at)
    return { facts: kept, view: { ...view, since: sinceOf(memory.view, view.state, kept) } }
  }
  // The effect of a key depends on the keys before it, so the keys of one write are folded one by one.
  return (memory: TrackerMemory, event: SessionEvent): TrackerMemory =>
    event._tag !== "Input"
      ? trackOne(memory, event)
      : event.keys.reduce(
          (memory, key) => trackOne(memory, { ...event, keys: [key], continues: false }),
          event.continues === true ? trackOne(memory, { ...event, keys: [] }) : memory
        )
}
