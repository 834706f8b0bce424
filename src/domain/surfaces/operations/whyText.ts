import { needRows } from "../../words/attention/needWords.ts"
import type { SessionStatus } from "../../words/session/Session.ts"
import { oneLine } from "../../words/text/printable.ts"
import { withinColumns } from "../../words/text/wrapWords.ts"
import { limitRows, receiptRows } from "../../words/wording/statusDetails.ts"
import { table } from "../../words/wording/StateLine.ts"
import { troublesOf, unknownWithoutHooks } from "../../words/wording/troublesOf.ts"
import type { DoneOf } from "./calls.ts"

/** How long ago, in words. */
const ago = (now: number, since: number | null): string => {
  if (since === null) return ""
  const seconds = Math.max(0, (now - since) / 1000)
  if (seconds < 10) return `${seconds.toFixed(1)} s ago`
  if (seconds < 120) return `${Math.round(seconds)} s ago`
  const minutes = Math.round(seconds / 60)
  return minutes < 120 ? `${minutes} min ago` : `${Math.round(minutes / 60)} h ago`
}

/** Why a session is in its state, as a table: the rule that decided, and the evidence. `columns`: the terminal's. */
export const whyText = (reply: DoneOf<"Why">["result"], status: SessionStatus, columns: number | null = null): string =>
  table(whyRows(reply, status), withinColumns(columns))

/** A host's names for the conditions under which a queue waits. */
const queueHolds: ReadonlySet<string> = new Set(["unwired", "budget", "failed-turn"])

const whyRows = (reply: DoneOf<"Why">["result"], status: SessionStatus): ReadonlyArray<ReadonlyArray<string>> => [
  [
    reply.decided.state,
    `${oneLine(reply.decided.reason, 120)} (rule ${reply.decided.rule}, since ${ago(reply.now, reply.since)})`
  ],
  ...reply.overruled.map(({ reason, rule, state }) => [
    "overruled",
    `${state}: ${oneLine(reason, 100)} (rule ${rule})`
  ]),
  ...needRows(status),
  ["ready", reply.ready ? "yes" : "no"],
  // the reason why the queue waits has a row of its own
  ...reply.holds.filter(({ name }) => !status.pause || !queueHolds.has(name)).map(({ why }) => ["held by", why]),
  ...limitRows(status, reply.now),
  ...troublesOf(status).flatMap(({ text, what }) => (what === "budget" ? [[what, text]] : [])),
  ...receiptRows(status, oneLine),
  ...reply.evidence.map(({ says, since, source }) => [
    source,
    `${oneLine(says, 300)}${since === null ? "" : `, ${ago(reply.now, since)}`}`
  ]),
  ...unknownRows(unknownWithoutHooks(status))
]

const unknownRows = (unknown: ReadonlyArray<string>): ReadonlyArray<ReadonlyArray<string>> =>
  unknown.length === 0 ? [] : [["not known", `${unknown.join(", ")}: only hooks tell of them`]]

const iso = (at: number | null): string | null => (at === null ? null : new Date(at).toISOString())

/** The same explanation for programs, with times in ISO 8601. */
export const whyDocument = (tag: string, reply: DoneOf<"Why">["result"]): object => ({
  schema: 1,
  tag,
  ...reply,
  now: iso(reply.now),
  since: iso(reply.since),
  evidence: reply.evidence.map((entry) => ({ ...entry, since: iso(entry.since) }))
})
