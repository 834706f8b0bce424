import type { Token } from "../ScenarioNotation.ts"
import {
  type Frame,
  has,
  hintsOf,
  isFooter,
  literal,
  numberedCursor,
  type Stage,
  type Staging
} from "../ScenarioStage.ts"

/**
 * Codex 0.169: the composer with its cursor and two status rows, lists and approvals in its place with the cursor
 * hidden.
 */

const head = ["  >_ OpenAI Codex (v0.169.0)", "     ~/project", ""]

const conversation = (tokens: ReadonlyArray<Token>): ReadonlyArray<string> =>
  tokens.length === 0
    ? []
    : [
        "› fix it",
        "",
        ...literal(tokens).map((row, i) => (tokens[i]?.parts.length === 0 ? row : `${i === 0 ? "•" : " "} ${row}`)),
        ""
      ]

const composed = (above: ReadonlyArray<string>, { draft }: Staging): Pick<Frame, "rows" | "caret" | "cursor"> => {
  const rows = [
    ...head,
    ...above,
    "",
    `› ${draft}`,
    "",
    "  GPT-6.1-Sol default · ~/project",
    "  ← for agents · ? for shortcuts"
  ]
  return { rows, caret: [rows.length - 3, 3 + draft.length], cursor: true }
}

const approval = (how: Staging): Frame => ({
  rows: [
    ...head,
    "› fix it",
    "",
    "• Running touch out.txt",
    "",
    "  Would you like to run the following command?",
    "",
    "  $ touch out.txt",
    "",
    "› 1. Yes, proceed (y)",
    "  2. Yes, and don't ask again for commands that start with `touch` (p)",
    "  3. No, and tell Codex what to do differently (esc)",
    "",
    "  Press enter to confirm or esc to cancel"
  ],
  caret: [1, how.cols],
  cursor: false,
  shows: "asks",
  title: "[ ! ] Action Required | project"
})

const list = (tokens: ReadonlyArray<Token>, { cols }: Staging): Frame => {
  const rows = literal(tokens.filter((token) => hintsOf(token).length === 0))
  const keys = tokens
    .flatMap(hintsOf)
    .map((hint) => hint.toLowerCase().replace(" to ", " "))
    .toSorted((a, b) => b.localeCompare(a) * (a.startsWith("e") && b.startsWith("e") ? -1 : 1))
  return {
    rows: [
      ...head,
      "  Select one",
      "",
      ...rows.map((row) => (/^›/.test(row) || row.startsWith("  ") ? row : `  ${row}`)),
      "",
      `  ${keys.join(" · ")}`
    ],
    caret: [1, cols],
    cursor: false,
    shows: "picker",
    title: "project"
  }
}

export const codex: Stage = (tokens, how) => {
  if (tokens.length === 0) return { rows: [], shows: "nothing", caret: null }
  if (has(tokens, "FOOT")) return approval(how)
  if (
    tokens.some(
      (token) =>
        isFooter(token) ||
        token.parts.some((part) => numberedCursor.test(part)) ||
        (hintsOf(token).length > 0 && !token.long)
    )
  )
    return list(tokens, how)
  if (has(tokens, "CONVINT")) {
    const above = conversation(tokens.filter((token) => !has([token], "CONVINT")))
    return {
      ...composed([...above, "■ Conversation interrupted - use /feedback if something went wrong", ""], how),
      shows: "stopped",
      title: "project"
    }
  }
  const said = conversation(tokens.filter((token) => !has([token], "SPIN", ">")))
  if (has(tokens, "SPIN"))
    return {
      ...composed([...said, `• Working (${how.beat + 1}s • esc to interrupt)`, ""], how),
      shows: "work",
      title: "⠋ project"
    }
  return { ...composed(said, how), shows: how.draft === "" ? "rest" : "draft", title: "project" }
}
