import type { Detection } from "./Detection.ts"
import { type Facts, rootRecord } from "./Facts.ts"
import { look } from "./rules/Look.ts"
import { holds } from "./rules/ready.ts"
import { rules } from "./rules/table.ts"
import type { SessionState } from "./Session.ts"

/** One source of evidence, what it says, and since when (milliseconds since the epoch; null when that is not known). */
export interface Evidence {
  readonly source: string
  readonly says: string
  readonly since: number | null
}

/** What a rule of the table answers at one moment. */
export interface Answer {
  readonly rule: string
  readonly state: SessionState
  readonly reason: string
}

/** Why a session is said to be in its state. */
export interface Explanation {
  /** The first rule of the table that answers: it decides. */
  readonly decided: Answer
  /** Rules behind it that would have answered another state: heard, not obeyed. */
  readonly overruled: ReadonlyArray<Answer>
  /** All that forbids typing a message now, whatever the state. */
  readonly holds: ReadonlyArray<{ readonly name: string; readonly why: string }>
  /** What is known, the strongest source first. */
  readonly evidence: ReadonlyArray<Evidence>
}

/** Explains the verdict on the facts at one moment. */
export const explain = ({ tells }: Pick<Detection, "tells">) => (facts: Facts, now: number): Explanation => {
  const at = look(facts, now, tells)
  const answers = rules.flatMap((rule): ReadonlyArray<Answer> => {
    const verdict = rule.find(at)
    return verdict === null ? [] : [{ rule: rule.name, state: verdict.state, reason: verdict.reason }]
  })
  const decided = answers[0] ?? { rule: "none", state: "idle", reason: "no rule applies" }
  return {
    decided,
    // the last rule is the rest when nothing else is so: it contradicts nothing
    overruled: answers.slice(1).filter(({ rule, state }) => state !== decided.state && rule !== rules.at(-1)?.name),
    holds: holds.filter((hold) => hold.holds(at)).map(({ name, why }) => ({ name, why })),
    evidence: evidence(facts)
  }
}

const evidence = (facts: Facts): ReadonlyArray<Evidence> => {
  const { own, shown, screen } = facts
  const root = rootRecord(facts.records)
  const found: Array<Evidence> = []
  const say = (source: string, says: string, since: number | null) => found.push({ source, says, since })
  if (root !== null) say("program status", [root.state, root.kind, root.message].filter((part) => part !== null).join(", "), facts.toldSince)
  if (own !== null) say(own.source, own.word, own.since)
  const hooks: ReadonlyArray<readonly [string, number | null]> = [
    ["a turn began", facts.turnStartedAt], ["a turn ended", facts.turnEndedAt], ["a turn failed", facts.turnFailedAt],
    [`the CLI asked: ${facts.asked?.message ?? facts.asked?.kind ?? ""}`, facts.asked?.at ?? null], ["its question was answered", facts.answeredAt],
    ["compaction began", facts.compactStartedAt], ["compaction ended", facts.compactEndedAt]
  ]
  for (const [says, since] of hooks.filter(([, since]) => since !== null).toSorted(([, a], [, b]) => (b ?? 0) - (a ?? 0))) say("hooks", says, since)
  if (screen.title !== null) {
    const words = { work: "it works", rest: "it rests", ask: "it asks" } as const
    say("title", words[screen.title], { work: shown.titleWork, rest: shown.titleRest, ask: shown.titleAsk }[screen.title])
  }
  if (screen.dialog !== null) say("screen", `a ${screen.dialog.kind} dialog: ${screen.dialog.title}`, shown.dialog)
  if (screen.picker) say("screen", "a picker or another view of the CLI", shown.picker)
  if (screen.working) say("screen", `a running indicator${screen.activity === null ? "" : `: ${screen.activity}`}`, shown.working)
  if (screen.interrupted) say("screen", "the turn was interrupted", shown.interrupted)
  if ((screen.background ?? 0) > 0) say("screen", `background work: ${screen.background}`, null)
  if (screen.box === null) say("screen", screen.blank ? "nothing" : "no input box", null)
  else say("screen", screen.box.draft === "" ? "an empty input box" : "unsent text in the input box", screen.box.draft === "" ? shown.emptyBox : shown.draft)
  if (facts.submitted !== null) say("keys", facts.submitted.command ? "a command was submitted" : "a prompt was submitted", facts.submitted.at)
  if (facts.stop !== null) say("keys", "an interrupt", facts.stop.at)
  if (facts.userKeyAt !== null) say("keys", "the user's last key", facts.userKeyAt)
  say("output", "the last of it", facts.outputAt)
  return found
}
