import type { Token } from "../ScenarioNotation.ts"
import { type Frame, has, hintsOf, literal, type Stage, type Staging } from "../ScenarioStage.ts"

/**
 * GitHub Copilot CLI 1.0: tabs, the indented conversation, the box between two rules with its footer, or a panel in
 * their place.
 */

const tabs = "[Current]  Sessions   Issues   Pull requests   Gists"

const conversation = (tokens: ReadonlyArray<Token>): ReadonlyArray<string> => [
  " ❯ fix it",
  "",
  ...literal(tokens).map((row, i) => `${i === 0 ? " ●" : "  "} ${row}`),
  ""
]

const boxed = (
  above: ReadonlyArray<string>,
  footer: string,
  { cols, draft }: Staging
): Pick<Frame, "rows" | "caret"> => {
  const rule = "─".repeat(cols)
  const rows = [tabs, "", ...above, " ~/project [⎇ main]", rule, `❯ ${draft}`, rule, ` ${footer}`]
  return { rows, caret: [rows.length - 2, 3 + draft.length] }
}

const atRest = "← open sidebar · Interactive · Manual Approval · / commands"

const panel = ({ cols }: Staging): Frame => {
  const row = (text: string) => `│ ${text.padEnd(cols - 4)} │`
  return {
    rows: [
      tabs,
      "",
      " ❯ fix it",
      "",
      " $ Shell Create a folder",
      "",
      `╭${"─".repeat(cols - 2)}╮`,
      ...[
        "Create a folder",
        "─".repeat(cols - 4),
        "Do you want to run this command?",
        "",
        "❯ 1. Yes",
        "  2. Yes, and don't ask again for `mkdir`",
        "  3. No, and tell Copilot what to do differently (Esc to stop)",
        "",
        "↑/↓ to navigate · enter to select · esc to cancel"
      ].map(row),
      `╰${"─".repeat(cols - 2)}╯`
    ],
    caret: null,
    cursor: false,
    shows: "asks"
  }
}

const form = (text: boolean, { cols }: Staging): Frame => ({
  rows: [
    tabs,
    "",
    " ❯ fix it",
    "",
    " ○ Asking user Waiting for response",
    "",
    "─".repeat(cols),
    " Copilot needs information.",
    " Which database should the project use?",
    "",
    " Database:",
    ...(text ? [" ❯"] : [" ❯ PostgreSQL", "   SQLite", "   Other (type your answer)"]),
    "",
    ` ${text ? "" : "↑/↓ select · "}enter accept · ctrl+d decline · esc cancel`,
    "─".repeat(cols)
  ],
  caret: null,
  cursor: text,
  shows: "asks"
})

export const copilot: Stage = (tokens, how) => {
  if (tokens.length === 0) return { rows: [], shows: "nothing", caret: null }
  if (has(tokens, "FOOT")) return panel(how)
  if (has(tokens, "EnterSub")) return form(true, how)
  if (tokens.some((token) => hintsOf(token).length > 1)) return form(false, how)
  const said = conversation(
    tokens.filter((token) => hintsOf(token).length === 0 && !has([token], "❯row", ">", "CANCELLED"))
  )
  if (has(tokens, "CANCELLED"))
    return { ...boxed([...said, " ● Operation cancelled by user", ""], atRest, how), shows: "stopped" }
  if (has(tokens, "BUSY") && !has(tokens, "IDLEFOOT")) {
    return { ...boxed(said, `${how.beat % 2 === 0 ? "◉" : "○"} Working esc esc interrupt`, how), shows: "work" }
  }
  const rest = boxed(said, atRest, how)
  const lingers = has(tokens, "BUSY") ? [" ◉ Working esc esc interrupt"] : []
  return { ...rest, rows: [...rest.rows, ...lingers], shows: how.draft === "" ? "rest" : "draft" }
}
