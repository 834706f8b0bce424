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
 * Claude Code 2.1: the box between two rules, dialogs and pickers in its place, a spinner over it, its interrupt line.
 */

const rule = (cols: number) => "─".repeat(cols)
const mode = "  ⏸ manual mode on"

/** The conversation: a block with its mark, its other rows indented. */
const conversation = (tokens: ReadonlyArray<Token>): ReadonlyArray<string> =>
  tokens.length === 0
    ? []
    : [
        "❯ fix it",
        "",
        ...literal(tokens).map((row, i) => (tokens[i]?.parts.length === 0 ? row : `${i === 0 ? "●" : " "} ${row}`)),
        ""
      ]

const boxed = (
  above: ReadonlyArray<string>,
  { cols, draft }: Staging,
  footer = mode
): Pick<Frame, "rows" | "caret"> => ({
  rows: [...above, rule(cols), `❯ ${draft}`, rule(cols), footer],
  caret: [above.length + 2, 3 + draft.length]
})

const rest = (above: ReadonlyArray<string>, how: Staging, footer?: string): Frame => ({
  ...boxed(above, how, footer),
  shows: how.draft === "" ? "rest" : "draft"
})

const work = (above: ReadonlyArray<string>, how: Staging, doing = "Pondering"): Frame => ({
  ...boxed([...above, `✽ ${doing}… (${how.beat + 1}s · ↓ 40 tokens)`, ""], how, `${mode} · esc to interrupt`),
  shows: "work"
})

const stopped = (above: ReadonlyArray<string>, how: Staging): Frame => ({
  ...boxed([...above, "  ⎿  Interrupted · What should Claude do instead?", ""], how),
  shows: "stopped"
})

/** Labels of a dialog: as many as the row has options, two at least. */
const choices = (tokens: ReadonlyArray<Token>): number =>
  Math.max(2, tokens.filter(({ parts }) => parts.some((part) => part === "opt" || numberedCursor.test(part))).length)

const permission = (tokens: ReadonlyArray<Token>, { cols }: Staging): Frame => {
  const last = choices(tokens)
  const options = Array.from({ length: last }, (_, i) =>
    i === 0 ? " ❯ 1. Yes" : `   ${i + 1}. ${i + 1 === last ? "No" : `Yes, and don't ask again for this kind (${i})`}`
  )
  return {
    rows: [
      "❯ fix it",
      "",
      "● Creating a folder",
      "  ⎿  $ mkdir -p out",
      "",
      rule(cols),
      " Bash command",
      " Create a folder",
      "╌".repeat(cols),
      " mkdir -p out",
      "╌".repeat(cols),
      " Do you want to proceed?",
      ...options,
      "",
      " Esc to cancel · Tab to amend"
    ],
    caret: null,
    shows: "asks"
  }
}

const question = (tokens: ReadonlyArray<Token>, { cols }: Staging): Frame => ({
  rows: [
    "● One question first.",
    rule(cols),
    " ☐ Library",
    "",
    "Which library should we use for dates?",
    "",
    ...Array.from({ length: choices(tokens) }, (_, i) => `${i === 0 ? "❯" : " "} ${i + 1}. The ${i + 1}th of them`),
    rule(cols),
    `  ${choices(tokens) + 1}. Chat about this`,
    "",
    "Enter to select · ↑/↓ to navigate · Esc to cancel"
  ],
  caret: null,
  shows: "asks"
})

const trust = ({ cols }: Staging): Frame => ({
  rows: [
    rule(cols),
    " Accessing workspace:",
    "",
    " /home/dev/project",
    "",
    " Quick safety check: Is this a project you created or one you trust?",
    "",
    " ❯ 1. Yes, I trust this folder",
    "   2. No, exit",
    "",
    " Enter to confirm · Esc to cancel"
  ],
  caret: null,
  shows: "asks"
})

/** A UI that the user opened: /model, /resume, /mcp, /agents. */
const picker = (tokens: ReadonlyArray<Token>, { cols }: Staging): Frame => {
  const footer =
    tokens
      .filter((token) => hintsOf(token).length > 0)
      .flatMap(hintsOf)
      .join(" · ") || "Enter to confirm · Esc to exit"
  const rows = literal(tokens.filter((token) => hintsOf(token).length === 0 && !has([token], "BOX", "HR")))
  return {
    rows: [
      "❯ hello",
      "",
      "▔".repeat(cols),
      "  Select one",
      "",
      ...rows.map((row) => (/^[❯›]/.test(row) ? `  ${row}` : `    ${row}`)),
      "",
      `  ${footer}`
    ],
    caret: null,
    shows: "picker"
  }
}

/** Where the input box stands among the tokens; -1 for none. A prompt glyph without a rule over it is a picker's. */
const boxIn = (tokens: ReadonlyArray<Token>): number =>
  tokens.findLastIndex(
    ({ parts }, i) => parts.includes(">") || (parts.includes("❯row") && has(tokens.slice(Math.max(0, i - 1), i), "HR"))
  )

const footer = (tokens: ReadonlyArray<Token>) =>
  has(tokens, "MON") ? `${mode} · 1 monitor · ← for agents` : has(tokens, "MODE") ? `${mode} · ← for agents` : mode

export const claude: Stage = (tokens, how) => {
  if (tokens.length === 0) return { rows: [], shows: "nothing", caret: null }
  if (has(tokens, "TRUST")) return trust(how)
  const at = boxIn(tokens)
  if (at >= 0) {
    const above = tokens.slice(0, at).filter((token) => !has([token], "HR"))
    const draft = tokens[at]?.text ?? how.draft
    return rest(conversation(above), { ...how, draft }, footer(tokens))
  }
  if (has(tokens, "INTRWORD") && !tokens.some(({ long }) => long))
    return stopped(conversation(tokens.filter((token) => !has([token], "INTRWORD"))), how)
  if (has(tokens, "COMPACT"))
    return work(conversation(tokens.filter((token) => !has([token], "COMPACT"))), how, "Compacting conversation")
  if (has(tokens, "SPIN")) return work(conversation(tokens.filter((token) => !has([token], "SPIN"))), how)
  const cursor = tokens
    .flatMap(({ parts }) => parts)
    .map((part) => numberedCursor.exec(part)?.[1])
    .find((number) => number !== undefined)
  const asking = has(tokens, "FOOT") || (cursor === "1" && !tokens.some((token) => token.dotted && isFooter(token)))
  if (asking) return how.asks === "question" ? question(tokens, how) : permission(tokens, how)
  if (cursor !== undefined || tokens.some(isFooter) || has(tokens, "❯row")) return picker(tokens, how)
  if (has(tokens, "MON", "MODE"))
    return rest(conversation(tokens.filter((token) => !has([token], "MON", "MODE"))), how, footer(tokens))
  return how.cursor ? rest(conversation(tokens), how) : work(conversation(tokens), how)
}

/** Records of Claude Code's transcript: `A tool_use`, `A end_turn`, `U tool_result`, `U marker`, `U text`. */
export const transcript = (entry: string, timestamp: string): unknown => {
  const user = (content: unknown) => ({ type: "user", timestamp, message: { role: "user", content } })
  const marker = { type: "text", text: "[Request interrupted by user]" }
  switch (entry) {
    case "A tool_use":
    case "A end_turn":
      return { type: "assistant", timestamp, message: { role: "assistant", stop_reason: entry.slice(2), content: [] } }
    case "U tool_result":
      return user([{ type: "tool_result", tool_use_id: "t1", content: "ok" }])
    case "U marker":
      return user([marker])
    case "U marker as a string":
      return user(marker.text)
    case "U image and marker":
      return user([{ type: "image", source: {} }, marker])
    case "U quoted marker":
      return user([{ type: "text", text: `What does ${marker.text} mean?` }])
    case "U empty":
      return user([])
    case "U text":
      return user([{ type: "text", text: "go on" }])
    case "U marker without a time":
      return { type: "user", message: { role: "user", content: [marker] } }
    case "U marker at no time":
      return { type: "user", timestamp: "yesterday, about noon", message: { role: "user", content: [marker] } }
    case "system":
      return { type: "system", timestamp, content: "a note" }
    case "untyped":
      return { timestamp, note: 1 }
    default:
      throw new Error(`no record of the transcript is called ${entry}`)
  }
}
