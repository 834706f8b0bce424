import { resetTime } from "./ResetTime.ts"
import type { Problem } from "./Session.ts"

/** An HTTP status where a text names one, and not just any number. */
const status = (codes: string): RegExp =>
  new RegExp(String.raw`(?:^|\b(?:error|status|code|http(?:\/[\d.]+)?|api)\b[^\w\n]{0,4}(?:status|code|error)?[^\w\n]{0,3}|\()(?:${codes})\b`, "im")

const kinds: ReadonlyArray<readonly [Problem["kind"], ReadonlyArray<RegExp>]> = [
  ["rate_limited", [
    /rate.?limit(?!s? (?:status|info))/i,
    /\b(?:usage|session|request|spend(?:ing)?|credit|hourly|daily|weekly|monthly|\d+.?h(?:our)?s?|\d+.?day)[ _-]limits?\b/i,
    /\b(?:hit|reached|exceeded) (?:your|the) (?:\w+ ){0,2}(?:limit|quota)/i,
    /\bquota\b|resource.?exhausted|too.?many.?requests/i,
    status("429")
  ]],
  ["auth", [
    /authenticat|unauthori[sz]ed|\boauth|\/login\b|(?:log|sign)(?:ged)?[ -]?in\b|api.?key|credentials/i,
    /billing|payment required|insufficient.?(?:credit|fund|balance)|credit balance/i,
    status("40[123]")
  ]],
  ["overloaded", [/overloaded|server.?error|(?:service|model) (?:is )?(?:temporarily |currently )?unavailable|at capacity|high demand/i, status("50[0234]|529")]],
  ["model", [/\bmodel\b.*(?:not.?found|not available|does not exist|not supported|unknown|no access)|(?:unknown|invalid|unsupported).model/i, status("404")]]
]

/**
 * The problem that an error's texts (its code, its message) name; null where they name none that leap knows. The last text
 * is for the user. When the CLI goes on is not told here: {@link dated} reads that once the moment is known.
 */
export const problemOf = (...texts: readonly [string, ...ReadonlyArray<string>]): Problem | null => {
  const found = kinds.find(([, patterns]) => patterns.some((pattern) => texts.some((text) => pattern.test(text))))
  return found === undefined ? null : { kind: found[0], message: texts.at(-1) ?? texts[0], until: null }
}

/**
 * A problem that was told at a moment (milliseconds since the epoch), with the time at which its text says that the CLI
 * goes on. `zone` is the CLI's time zone (`Europe/Zurich`, `+02:00`), for texts that name none.
 */
export const dated = (problem: Problem, at: number, zone: string): Problem => {
  if (problem.until !== null || problem.kind !== "rate_limited" && problem.kind !== "overloaded") return problem
  const until = resetTime(problem.message, at, zone)
  return until === null ? problem : { ...problem, until }
}
