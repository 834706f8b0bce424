import { Effect, Option } from "effect"
import { Command, Flag } from "effect/cli"
import type { AuditEntry } from "../../domain/approvals/AuditEntry.ts"
import type { Verdict } from "../../domain/policy/Decision.ts"
import { summary } from "../../domain/policy/summary.ts"
import { oneLine } from "../../domain/text/printable.ts"
import { paint, table } from "../../domain/wording/StateLine.ts"
import { AuditLog } from "../../services/AuditLog.ts"
import { Output } from "../../services/Output.ts"
import { Paths } from "../../services/Paths.ts"
import { NoSessionError } from "../client/client.ts"
import { jsonFlag, print, tagArgument } from "./common.ts"
import { toggle } from "./toggle.ts"

/** ANSI colour of a verdict (SGR parameter). */
export const verdictColours: Readonly<Record<Verdict, number>> = { allow: 32, ask: 33, deny: 31 }

/** The rule that decided, with its reason; where no rule did, why it was decided so. */
const reasonOf = ({ rule, why }: AuditEntry): string => {
  const [, reason = ""] = rule === null ? [] : why.split(`(${rule})`)
  return rule === null ? why : rule + reason
}

const row = (entry: AuditEntry, colour: boolean): ReadonlyArray<string> => [
  oneLine(entry.at.replace("T", " ").replace(/\.\d+Z$|Z$/, ""), 19),
  paint(entry.verdict, verdictColours[entry.verdict], colour),
  entry.by === "none" ? "-" : entry.by,
  entry.told === "no" ? "-" : entry.told,
  entry.request === null ? oneLine(entry.event, 100) : summary(entry.request, 100),
  oneLine(reasonOf(entry), 160)
]

const auditTable = (entries: ReadonlyArray<AuditEntry>, colour: boolean): string =>
  table([
    ["TIME (UTC)", "VERDICT", "BY", "TOLD", "WHAT", "RULE OR WHY"].map((cell) => paint(cell, 1, colour)),
    ...entries.map((entry) => row(entry, colour))
  ])

export const audit = Command.make(
  "audit",
  {
    tag: tagArgument,
    last: Flag.Int("last").pipe(
      Flag.withDescription("Only the last N"),
      Flag.filter(
        (count) => count > 0,
        () => "expected a number above 0"
      ),
      Flag.optional
    ),
    denied: toggle("denied", "Only what was refused"),
    json: jsonFlag
  },
  Effect.fn(function* ({ denied, json, last, tag }) {
    const output = yield* Output
    const tags = yield* (yield* Paths).tags
    if (!tags.includes(tag)) return yield* new NoSessionError({ tag, ended: false })
    const all = yield* (yield* AuditLog).read(tag)
    const matching = denied ? all.filter((entry) => entry.verdict === "deny") : all
    const entries = Option.isNone(last) ? matching : matching.slice(-last.value)
    const unreadable = yield* (yield* AuditLog).unreadable(tag)
    if (unreadable > 0)
      yield* output.note(
        `leap: ${unreadable === 1 ? "1 line" : `${unreadable} lines`} of the audit log cannot be read; ` +
          "what was decided there is not shown"
      )
    yield* print(json, { schema: 1, tag, entries }, () => {
      if (entries.length > 0) return auditTable(entries, output.colour)
      return all.length === 0
        ? `nothing is written down of session '${tag}': without rules, only what leap has answered is`
        : "nothing was refused"
    })
  })
).pipe(Command.withDescription("What the session's CLI asked leave for, what leap said to it, and by which rule"))
