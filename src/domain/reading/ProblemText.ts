import { resetTime } from "./ResetTime.ts"
import type { Problem } from "../session/Session.ts"

/** An HTTP status that a text names as one; other numbers do not count. */
const status = (codes: string): RegExp =>
  new RegExp(
    String.raw`(?:^|\b(?:error|status|code|http(?:\/[\d.]+)?|api)\b[^\w\n]{0,4}(?:status|code|error)?` +
      String.raw`[^\w\n]{0,3}|\()(?:${codes})\b`,
    "im"
  )

const kinds: ReadonlyArray<readonly [Problem["kind"], ReadonlyArray<RegExp>]> = [
  [
    "rate_limited",
    [
      /rate.?limit(?!s? (?:status|info))/i,
      new RegExp(
        String.raw`\b(?:usage|session|request|spend(?:ing)?|credit|hourly|daily|weekly|monthly|\d+.?h(?:our)?s?` +
          String.raw`|\d+.?day)[ _-]limits?\b`,
        "i"
      ),
      /\b(?:hit|reached|exceeded) (?:your|the) (?:\w+ ){0,2}(?:limit|quota)/i,
      /\bquota\b|resource.?exhausted|too.?many.?requests/i,
      status("429")
    ]
  ],
  [
    "auth",
    [
      /authenticat|unauthori[sz]ed|\boauth|\/login\b|(?:log|sign)(?:ged)?[ -]?in\b|api.?key|credentials/i,
      /billing|payment required|insufficient.?(?:credit|fund|balance)|credit balance/i,
      status("40[123]")
    ]
  ],
  [
    "overloaded",
    [
      new RegExp(
        String.raw`overloaded|server.?error|(?:service|model) (?:is )?(?:temporarily |currently )?unavailable` +
          String.raw`|at capacity|high demand`,
        "i"
      ),
      status("50[0234]|529")
    ]
  ],
  [
    "model",
    [
      new RegExp(
        String.raw`\bmodel\b.*(?:not.?found|not available|does not exist|not supported|unknown|no access)` +
          String.raw`|(?:unknown|invalid|unsupported).model`,
        "i"
      ),
      status("404")
    ]
  ]
]

/**
 * The problem that an error's texts (its code, its message) name; null for none that leap knows. The last text is for
 * the user. The time at which the CLI continues is read by {@link dated}, once the moment of the error is known.
 */
export const problemOf = (...texts: readonly [string, ...ReadonlyArray<string>]): Problem | null => {
  const found = kinds.find(([, patterns]) => patterns.some((pattern) => texts.some((text) => pattern.test(text))))
  return found === undefined ? null : { kind: found[0], message: texts.at(-1) ?? texts[0], until: null }
}

/** The problem of a failure whose words leap does not know. */
export const unknownProblem = (message: string): Problem => ({ kind: "unknown", message, until: null })

/**
 * A problem that was reported at a moment (milliseconds since the epoch), with the time at which the CLI continues
 * according to its text, as exactly as that tells it. `zone` is the CLI's time zone (`Europe/Zurich`, `+02:00`), for
 * texts that name none.
 */
export const dated = (problem: Problem, at: number, zone: string): Problem => {
  if (problem.until !== null || (problem.kind !== "rate_limited" && problem.kind !== "overloaded")) return problem
  const end = resetTime(problem.message, at, zone)
  if (end === null) return problem
  const { until, within } = end
  return within === 0 ? { ...problem, until } : { ...problem, until, within }
}
