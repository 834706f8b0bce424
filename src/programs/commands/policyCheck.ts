import { Effect } from "effect"
import { Command } from "effect/cli"
import { lintPolicy } from "../../domain/rules/policy/lint.ts"
import { oneLine } from "../../domain/words/text/printable.ts"
import { paint } from "../../domain/words/wording/StateLine.ts"
import { Output } from "../../services/Output.ts"
import { Providers } from "../../services/Providers.ts"
import { System } from "../../services/System.ts"
import { UserSettings } from "../../services/UserSettings.ts"
import { fail } from "../exit.ts"
import { verdictColours } from "../../domain/engine/approvals/auditPage.ts"
import { jsonFlag, print } from "./common.ts"

const counted = (count: number, what: string): string => `${count} ${what}${count === 1 ? "" : "s"}`

export const check = Command.make(
  "check",
  { json: jsonFlag },
  Effect.fn(function* ({ json }) {
    const { colour } = yield* Output
    const system = yield* System
    const { file, read } = yield* UserSettings
    const {
      settings: { policy },
      warnings
    } = yield* read
    const clis = (yield* Providers).all.map(({ id }) => id)
    const findings = lintPolicy(policy, { home: system.env["HOME"] ?? "", directory: system.cwd, clis })
    const rules = policy.deny.length + policy.ask.length + policy.allow.length
    const wrong = findings.length + warnings.length
    yield* print(json, { schema: 1, file, rules, findings, warnings }, () =>
      [
        ...findings.flatMap(({ advice, example, kind, says, text, verdict }) => [
          `${paint(verdict, verdictColours[verdict], colour)}${text.slice(verdict.length)}`,
          `    ${kind}: ${oneLine(says, 300)}`,
          `    example: ${oneLine(example, 300)}`,
          `    advice: ${oneLine(advice, 300)}`
        ]),
        ...warnings.map((warning) => `${file}: ${oneLine(warning, 300)}`),
        ...(wrong > 0
          ? []
          : [rules === 0 ? `no rules: ${file} has none` : `${counted(rules, "rule")}, and nothing wrong`])
      ].join("\n")
    )
    if (wrong > 0) return yield* fail("failed", `${counted(wrong, "finding")} in ${file}: see above`)
  })
).pipe(
  Command.withDescription(
    "What is wrong with the rules: mistakes, rules that others shadow, that match nothing, or allow too much"
  )
)
