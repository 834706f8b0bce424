import { arrowsBelongToCLI } from "./ArrowGate.ts"
import type { Detection } from "./Detection.ts"
import { type Facts, initial, rootRecord } from "./Facts.ts"
import { concluded, fold } from "./FactsFold.ts"
import { tornUntil } from "./FactsFrame.ts"
import { type Look, look, type Rule, type Tells, type Verdict } from "./rules/Look.ts"
import { unready } from "./rules/ready.ts"
import { trouble } from "./rules/running.ts"
import { rules } from "./rules/table.ts"
import type { BackgroundTask, Modes, SessionState, View } from "./Session.ts"
import type { SessionEvent } from "./SessionEvent.ts"

/** All of a session's memory: what is known, and the machine's word on it. */
export interface TrackerMemory {
  readonly facts: Facts
  readonly view: View
}

/** A session whose process has just been started. `zone` is the time zone that its CLI tells times in. */
export const start = (at: number, modes: Modes, zone = "UTC"): TrackerMemory => {
  const facts = initial(at, modes, zone)
  return { facts, view: { ...classify({ turnHooks: false })(facts, at), since: at } }
}

/** One event in, the next memory out. Nothing follows an exit. */
export const track = ({ tells }: Pick<Detection, "tells">) => {
  const classified = classify(tells)
  const one = (memory: TrackerMemory, event: SessionEvent): TrackerMemory => {
    if (memory.view.state === "exited") return memory
    const facts = fold(memory.facts, event, memory.view.state)
    const found = classified(facts, facts.at)
    const kept = concluded(facts, found.state)
    const next = kept === facts ? found : classified(kept, kept.at)
    const since = next.state === memory.view.state ? memory.view.since : kept.at
    return { facts: kept, view: { ...next, since } }
  }
  // What a key means depends on those before it, whether or not they came in one write.
  return (memory: TrackerMemory, event: SessionEvent): TrackerMemory =>
    event._tag !== "Input"
      ? one(memory, event)
      : event.keys.reduce(
        (memory, key) => one(memory, { ...event, keys: [key], continues: false }),
        event.continues === true ? one(memory, { ...event, keys: [] }) : memory
      )
}

const decide = (at: Look): Verdict & { readonly rule: Rule | null } => {
  for (const rule of rules) {
    const verdict = rule.find(at)
    if (verdict !== null) return { ...verdict, rule }
  }
  return { state: "idle", reason: "no rule applies", rule: null }
}

/** The ranked table applied to the facts at one moment. */
export const classify = (tells: Tells) => (facts: Facts, now: number): Omit<View, "since"> => {
  const at = look(facts, now, tells)
  if (facts.torn !== null) at.passed(tornUntil(facts))
  const { reason, state } = decide(at)
  const resting = state === "idle" || state === "churning" && facts.modes.churn === "send"
  const why = resting ? unready(at) : null
  return {
    state,
    ready: resting && why === null,
    dialog: arrowsBelongToCLI(state, facts.screen, facts.firstBoxAt !== null),
    reason: why === null ? reason : `${reason}; not ready: ${why}`,
    message: message(at, state),
    problem: trouble(at)?.problem ?? null,
    background: background(at),
    changesAt: state === "exited" ? null : at.next()
  }
}

const message = ({ facts, speaker }: Look, state: SessionState): string | null => {
  switch (state) {
    case "needs_permission":
    case "needs_input":
      return speaker?.message ?? facts.screen.dialog?.title ?? facts.asked?.message ?? null
    case "running":
      return speaker?.message ?? facts.screen.activity
    case "churning":
      return speaker?.message ?? null
    default:
      return null
  }
}

const background = ({ facts }: Look): ReadonlyArray<BackgroundTask> => {
  const named = facts.turnTasks ?? []
  if (rootRecord(facts.records) === null) return facts.own?.phase === "rest" && !facts.own.background ? [] : named
  return facts.records.filter(({ id }) => id !== "").map((report) => {
    const task = named.find((task) => task.id === report.id)
    return { id: report.id, kind: task?.kind ?? "task", title: report.title ?? task?.title ?? report.id, state: report.state }
  })
}
