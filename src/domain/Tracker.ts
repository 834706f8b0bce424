import type { Detection } from "./Detection.ts"
import { type Facts, fold, initial, rootRecord } from "./Facts.ts"
import { type Look, look, type Rule, type Verdict } from "./rules/Look.ts"
import { unready } from "./rules/ready.ts"
import { rules } from "./rules/table.ts"
import type { BackgroundTask, Modes, SessionState, View } from "./Session.ts"
import type { SessionEvent } from "./SessionEvent.ts"

/** All of a session's memory: what is known, and the machine's word on it. */
export interface TrackerMemory {
  readonly facts: Facts
  readonly view: View
}

/** A session whose process has just been started. */
export const start = (at: number, modes: Modes): TrackerMemory => {
  const facts = initial(at, modes)
  return { facts, view: { ...classify({ turnHooks: false })(facts, at), since: at } }
}

/** One event in, the next memory out. Nothing follows an exit. */
export const track = ({ tells }: Pick<Detection, "tells">) => {
  const classified = classify({ turnHooks: tells.turnHooks })
  return (memory: TrackerMemory, event: SessionEvent): TrackerMemory => {
    if (memory.view.state === "exited") return memory
    const facts = fold(memory.facts, event, memory.view.state)
    const next = classified(facts, facts.at)
    const since = next.state === memory.view.state ? memory.view.since : facts.at
    return { facts, view: { ...next, since } }
  }
}

const decide = (at: Look): Verdict & { readonly rule: Rule | null } => {
  for (const rule of rules) {
    const verdict = rule.find(at)
    if (verdict !== null) return { ...verdict, rule }
  }
  return { state: "idle", reason: "no rule applies", rule: null }
}

/** The ranked table applied to the facts at one moment. */
export const classify = ({ turnHooks }: { readonly turnHooks: boolean }) => (facts: Facts, now: number): Omit<View, "since"> => {
  const at = look(facts, now, turnHooks)
  const { reason, state } = decide(at)
  const resting = state === "idle" || state === "churning" && facts.modes.churn === "send"
  const why = resting ? unready(at) : null
  return {
    state,
    ready: resting && why === null,
    dialog: state !== "exited" && (facts.screen.dialog !== null || facts.screen.picker ||
      facts.firstBoxAt !== null && facts.screen.box === null && !facts.screen.blank),
    reason: why === null ? reason : `${reason}; not ready: ${why}`,
    message: message(at, state),
    problem: facts.problem,
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
