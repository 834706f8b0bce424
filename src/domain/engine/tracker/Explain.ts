import type { Detection } from "../../cli/provider/Detection.ts"
import { type Facts, rootRecord } from "./Facts.ts"
import { unwiredWords } from "../../words/wording/waitWords.ts"
import { stateReasonWords } from "../../words/wording/reasonWords.ts"
import { blockerWords } from "../../words/wording/notReadyWords.ts"
import { unwiredCause } from "./HookWitness.ts"
import { ruleContext } from "./stateRules/RuleContext.ts"
import { readinessBlockers } from "./stateRules/readinessBlockers.ts"
import { rules } from "./stateRules/table.ts"
import type { EvidenceLine, Explanation, RuleAnswer } from "../../words/session/Explanation.ts"

export const explain =
  ({ capabilities }: Pick<Detection, "capabilities">) =>
  (facts: Facts, now: number): Explanation => {
    const context = ruleContext(facts, now, capabilities)
    const answers = rules.flatMap((rule): ReadonlyArray<RuleAnswer> => {
      const classification = rule.classify(context)
      return classification === null
        ? []
        : [{ rule: rule.name, state: classification.state, reason: stateReasonWords(classification.reason) }]
    })
    const decided = answers[0] ?? { rule: "none", state: "idle", reason: stateReasonWords({ _tag: "NoRule" }) }
    return {
      decided,
      // The last rule always applies, so it contradicts none.
      overruled: answers.slice(1).filter(({ rule, state }) => state !== decided.state && rule !== rules.at(-1)?.name),
      holds: readinessBlockers
        .filter((blocker) => blocker.blocks(context))
        .map(({ name }) => ({ name, why: blockerWords[name] })),
      evidence: evidenceLines(facts)
    }
  }

const evidenceLines = (facts: Facts): ReadonlyArray<EvidenceLine> => {
  const { ownStatus, visibleSince, screen } = facts
  const root = rootRecord(facts.records)
  const lines: Array<EvidenceLine> = []
  const add = (source: string, says: string, since: number | null) => lines.push({ source, says, since })
  if (root !== null)
    add(
      "program status",
      [root.state, root.kind, root.message].filter((part) => part !== null).join(", "),
      facts.reportedSince
    )
  if (ownStatus !== null) add(ownStatus.source, ownStatus.word, ownStatus.since)
  if (facts.hooks.silentSince !== null)
    add("hooks", `not wired here: ${unwiredWords(unwiredCause(facts.hooks))}`, facts.hooks.silentSince)
  if (facts.hooks.heardAt !== null) add("hooks", "the last event of one", facts.hooks.heardAt)
  const hooks: ReadonlyArray<readonly [string, number | null]> = [
    ["a turn began", facts.turnStartedAt],
    ["a turn ended", facts.turnEndedAt],
    ["a turn failed", facts.turnFailedAt],
    [`the CLI asked: ${facts.lastQuestion?.message ?? facts.lastQuestion?.kind ?? ""}`, facts.lastQuestion?.at ?? null],
    ["its question was answered", facts.answeredAt],
    ["compaction began", facts.compactStartedAt],
    ["compaction ended", facts.compactEndedAt]
  ]
  for (const [says, since] of hooks
    .filter(([, since]) => since !== null)
    .toSorted(([, a], [, b]) => (b ?? 0) - (a ?? 0)))
    add("hooks", says, since)
  if (screen.title !== null) {
    const words = { work: "it works", rest: "it rests", ask: "it asks" } as const
    add(
      "title",
      words[screen.title],
      { work: visibleSince.titleWork, rest: visibleSince.titleRest, ask: visibleSince.titleAsk }[screen.title]
    )
  }
  if (facts.unknownSince !== null)
    add("screen", "nothing that leap knows of this CLI: read by what all CLIs share", facts.unknownSince)
  if (screen.dialog !== null)
    add("screen", `a ${screen.dialog.kind} dialog: ${screen.dialog.title}`, visibleSince.dialog)
  if (screen.picker) add("screen", "a picker or another view of the CLI", visibleSince.picker)
  if (screen.working)
    add("screen", `a running indicator${screen.activity === null ? "" : `: ${screen.activity}`}`, visibleSince.working)
  if (screen.interrupted) add("screen", "the turn was interrupted", visibleSince.interrupted)
  if ((screen.background ?? 0) > 0) add("screen", `background work: ${screen.background}`, null)
  if (screen.box === null) add("screen", screen.blank ? "nothing" : "no input box", null)
  else
    add(
      "screen",
      screen.box.draft === "" ? "an empty input box" : "unsent text in the input box",
      screen.box.draft === "" ? visibleSince.emptyBox : visibleSince.draft
    )
  if (facts.submitted !== null)
    add("keys", facts.submitted.command ? "a command was submitted" : "a prompt was submitted", facts.submitted.at)
  if (facts.stop !== null) add("keys", "an interrupt", facts.stop.at)
  if (facts.userKeyAt !== null) add("keys", "the user's last key", facts.userKeyAt)
  add("output", "the last of it", facts.outputAt)
  return lines
}
