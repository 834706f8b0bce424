import { errorReplyIn, kindOfCode, kindOfStatus } from "./ProblemCodes.ts"
import { resetTime } from "./ResetTime.ts"
import type { Problem, ProblemKind } from "../session/Session.ts"

/** An HTTP status that a text names as such; other numbers do not count. */
const statusRow = new RegExp(
  String.raw`(?:^|\b(?:error|status|code|http(?!s?://)(?:\/[\d.]+)?|api)\b[^\w\n]{0,4}(?:status|code|error)?` +
    String.raw`[^\w\n]{0,3}|\(|\| |<title>)([45]\d\d)\b`,
  "im"
)

type Words = ReadonlyArray<readonly [ProblemKind, ReadonlyArray<RegExp>]>

/** Words about an account that is out of money or closed, whatever name and status come with them. */
const account = new RegExp(
  String.raw`credit balance|credits? (?:is|are|have been) (?:depleted|exhausted)` +
    String.raw`|insufficient.?(?:credit|fund|balance)` +
    String.raw`|organi[sz]ation has been disabled|disabled organi[sz]ation`,
  "i"
)

/** Reasons that outweigh the HTTP status of a reply: a 400 may have any of them. */
const reasons: Words = [
  [
    "context",
    [
      /(?:prompt|conversation|request|input|payload|entity)(?: \w+){0,2} (?:is |was )?too (?:long|large)\b/i,
      /context.?(?:window|length|limit)|ran out of room|too many (?:input|prompt) tokens|maximum context/i,
      /input token count|(?:payload|request)(?: size)? exceeds the (?:maximum|limit)/i,
      // A conversation that no service accepts any more.
      /function call turn comes|\btool_use.? ids? were found without|tool use concurrency/i,
      // Advice that helps only against this problem.
      /\/(?:compact|compress|rewind)\b/
    ]
  ],
  [
    "refused",
    [
      /content.?(?:filter|policy|management)|\b(?:usage|safety|cyber|acceptable use) polic(?:y|ies)\b/i,
      /safety (?:system|filter|reason|setting|concern)|prohibited.content|\brefusal\b/i,
      /\bflagged (?:as|for|by|this)\b/i,
      /blocked (?:by|due to|because of|for) (?:safety|(?:\w+ )?polic|content|prohibited)/i,
      /\bimage (?:was|is) too large|\bimage exceeds|string too long/i,
      // A reply without an end has none the next time either.
      /max_output_tokens|output token maximum/i
    ]
  ],
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
      /\bquota\b|resource.?exhausted|too.?many.?requests/i
    ]
  ],
  [
    "model",
    [
      new RegExp(
        String.raw`\bmodels?\b[^;\n]*\b(?:not.?found|not available|not exist|not supported|unknown|no access)` +
          String.raw`|(?:unknown|invalid|unsupported).model`,
        "i"
      ),
      /\binput_schema\b|function_declarations|schema for function|unsupported (?:parameter|value)/i
    ]
  ],
  [
    "auth",
    [
      /authenticat|unauthori[sz]ed|\boauth|\/login\b|(?:log|sign)(?:ged|ing)?[ -]?in\b|api.?key|credentials/i,
      /billing|payment required|\b(?:location|country|region)\b.* not supported|permission denied/i
    ]
  ],
  ["overloaded", [/\bserver had an error\b|\b(?:gateway|request) time-?out\b/i]]
]

/** A failed connection in the system's own words, which are the most specific. */
const systemError = /\bE(?:CONN[A-Z]+|NOTFOUND|AI_AGAIN|TIMEDOUT|PIPE|HOSTUNREACH|NETUNREACH)\b/

/** The weakest evidence: words also used for a service that is down, or, by some CLIs, for a lost connection. */
const circumstances: Words = [
  [
    "network",
    [
      /getaddrinfo|\bdns\b|name resolution/,
      /connection (?:\w+ ){0,4}?(?:refused|reset|dropped|lost|closed|aborted|failed|error|timed out)\b/i,
      /connection.?(?:refused|reset|closed|error)\b/i,
      /(?:unable|failed|cannot|can't|could not|couldn't) (?:to )?connect|fetch failed|error sending request/i,
      /\bnetwork\b|socket (?:hang up|connection)|(?:stream|response) (?:was )?(?:disconnected|closed|ended|cut)/i,
      /premature close|other side closed|malformed.?(?:http|response)|invalid stream|empty (?:or|response)/i,
      /error (?:reading|decoding)|unexpected eof|\bterminated\b/i,
      /certificate|self[- ]signed|\b(?:TLS|SSL)\b|timed? ?out/i
    ]
  ],
  [
    "overloaded",
    [
      new RegExp(
        String.raw`overloaded|(?:server|internal).?error|internal error` +
          String.raw`|(?:service|model) (?:is )?(?:temporarily |currently )?unavailable` +
          String.raw`|at capacity|high demand|bad gateway`,
        "i"
      )
    ]
  ]
]

const firstOf = (words: Words, texts: ReadonlyArray<string>): ProblemKind | null =>
  words.find(([, patterns]) => patterns.some((pattern) => texts.some((text) => pattern.test(text))))?.[0] ?? null

const firstThat = <A, B>(list: ReadonlyArray<A>, of: (item: A) => B | null): B | null => {
  for (const item of list) {
    const found = of(item)
    if (found !== null) return found
  }
  return null
}

/**
 * The problem in a failure's texts: its codes, its status (`status 404`), its message, each of which may quote the
 * service's reply. Words about the account outrank names, and names all else; words that give a reason outrank the
 * status if it is below 500. The last text is for the user. {@link dated} adds when the CLI continues, once the time of
 * the error is known.
 */
export const problemOf = (...texts: readonly [string, ...ReadonlyArray<string>]): Problem => {
  const replies = texts.flatMap((text) => errorReplyIn(text) ?? [])
  const codes = [...texts, ...replies.flatMap((reply) => reply.codes)]
  const status =
    firstThat(replies, (reply) => reply.status) ??
    firstThat(texts, (text) => {
      const named = statusRow.exec(text)?.[1]
      return named === undefined ? null : Number(named)
    })
  const isServers = status !== null && status >= 500 && status <= 599
  const kind =
    (texts.some((text) => account.test(text)) ? "auth" : null) ??
    firstThat(codes, kindOfCode) ??
    (isServers ? null : texts.some((text) => systemError.test(text)) ? "network" : firstOf(reasons, texts)) ??
    (status === null ? null : kindOfStatus(status)) ??
    firstOf(circumstances, texts) ??
    "unknown"
  return { kind, message: texts.at(-1) ?? texts[0], until: null }
}

export const unknownProblem = (message: string): Problem => ({ kind: "unknown", message, until: null })

/**
 * A problem that was reported at a time (milliseconds since the epoch), with the time at which the CLI continues, as
 * precisely as its text states it. `zone` is the CLI's time zone (`Europe/Zurich`, `+02:00`), for texts that name none.
 */
export const dated = (problem: Problem, at: number, zone: string): Problem => {
  if (problem.until !== null || (problem.kind !== "rate_limited" && problem.kind !== "overloaded")) return problem
  const end = resetTime(problem.message, at, zone)
  if (end === null) return problem
  const { until, within } = end
  return within === 0 ? { ...problem, until } : { ...problem, until, within }
}
