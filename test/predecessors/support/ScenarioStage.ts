import type { Token } from "./ScenarioNotation.ts"

/** What a frame shows; `rest` is the only one over which a message may be typed. */
export type Shows = "rest" | "draft" | "work" | "asks" | "picker" | "stopped" | "nothing"

/** A frame as the CLI of today draws it. */
export interface Frame {
  readonly rows: ReadonlyArray<string>
  readonly shows: Shows
  readonly title?: string
  /** Where the CLI itself shows or hides the cursor, whatever the row says of it. */
  readonly cursor?: boolean
  /** Where the caret stands: row and column from 1. */
  readonly caret: readonly [row: number, column: number] | null
}

/** What a frame has to show beside its rows. */
export interface Staging {
  readonly cols: number
  /** The predecessor took a hidden cursor for work. */
  readonly cursor: boolean
  /** What the row's next hook says that its dialog asks for. */
  readonly asks: "permission" | "question"
  /** The user's unsent text. */
  readonly draft: string
  /** Counts repaints: what moves has moved on. */
  readonly beat: number
}

/** Draws a row's tokens as the CLI would: what the predecessor's synthetic screens mean on real structure. */
export type Stage = (tokens: ReadonlyArray<Token>, how: Staging) => Frame

export const has = (tokens: ReadonlyArray<Token>, ...names: ReadonlyArray<string>): boolean =>
  tokens.some(({ parts }) => parts.some((part) => names.includes(part)))

export const numberedCursor = /^[❯›](\d+)\.$/
const hints: Readonly<Record<string, string>> = {
  EscCan: "Esc to cancel",
  EnterSel: "Enter to select",
  EnterConf: "Enter to confirm",
  EnterSub: "Enter to submit",
  EscClose: "Esc to close",
  EscBack: "Esc to go back",
  Nav: "↑/↓ to navigate",
  FOOT: "Enter to select · Esc to cancel",
  BUSY: "esc cancel",
  IDLEFOOT: "/ commands"
}
/** Parts of a token that are hints for keys. */
export const hintsOf = ({ parts }: Token): ReadonlyArray<string> => parts.flatMap((part) => hints[part] ?? [])
/** A footer that no prose has by chance: two hints on a row, or one in a row with separators. */
export const isFooter = (token: Token): boolean =>
  token.parts.includes("FOOT") || hintsOf(token).length > 1 || (token.dotted && hintsOf(token).length > 0)

const words: Readonly<Record<string, string>> = {
  txt: "Some words of an answer",
  bullet: "- a point of a list",
  INTRWORD: "Interrupted",
  "intrword(lower)": "interrupted",
  COMPACT: "Compacting conversation",
  "compact(lower)": "compacting conversation",
  CONVINT: "Conversation interrupted",
  CANCELLED: "Operation cancelled by user",
  TRUST: "Yes, I trust this folder",
  ">": ">",
  "❯row": "❯",
  HR: "────────────────────────────────────────────",
  BOX: "╭──────────────────────────────────────────╮",
  MODE: "⏸ manual mode on (shift+tab to cycle)",
  MON: "⏸ manual mode on · 1 monitor · ← for agents"
}

/** The rows as text, options numbered in order: as prose, or as the predecessor's tests drew them. */
export const literal = (tokens: ReadonlyArray<Token>): ReadonlyArray<string> => {
  let number = 0
  return tokens.map((token) => {
    if (token.text !== null) return token.parts.includes("❯row") ? `❯ ${token.text}` : token.text
    const said = token.parts.map((part) => {
      const cursor = numberedCursor.exec(part)
      if (cursor !== null) {
        number = Number(cursor[1])
        return `${part} The choice of number ${number}`
      }
      if (part === "opt") return `  ${++number}. The choice of number ${number}`
      return hints[part] ?? words[part] ?? part
    })
    const row =
      said.join(token.dotted && said.length > 1 ? " · " : "   ") +
      (token.dotted && said.length === 1 ? " · and more" : "")
    return token.long ? row.padEnd(61, " that goes on and on") : row
  })
}

/** Rows given as they are, all of them: the CLI's own, a prompt among them or not. */
export const given = (tokens: ReadonlyArray<Token>): Frame | null => {
  if (tokens.length === 0 || tokens.some(({ parts, text }) => text === null || parts.length > 0)) return null
  const rows = literal(tokens)
  const at = rows.findLastIndex((row) => /^[❯›] /.test(row))
  const boxed = at > 0 && rows.some((row, y) => y > at && row.startsWith("──"))
  const draft = (rows[at] ?? "").slice(2)
  return {
    rows,
    caret: boxed ? [at + 1, 3 + draft.length] : null,
    shows: !boxed
      ? "picker"
      : draft !== ""
        ? "draft"
        : rows.some((row) => /⎿ +Interrupted · /.test(row))
          ? "stopped"
          : "rest"
  }
}

/**
 * Rows by themselves, nothing added: as the predecessor's tests fed them. Without a prompt nothing can be typed into
 * them.
 */
export const bare: Stage = (tokens, { cursor }) => ({
  rows: literal(tokens),
  caret: null,
  shows: has(tokens.slice(-4), "❯row")
    ? "rest"
    : tokens.some((token) => isFooter(token) || token.parts.some((part) => numberedCursor.test(part)))
      ? "asks"
      : cursor
        ? "nothing"
        : "work"
})
