import { Arbitrary, Schema } from "effect"
import type { ScreenRun, ScreenView } from "../../../src/domain/words/session/Screen.ts"

/** Names of fields that hooks, status files and transcripts of one CLI or another have. */
const names = [
  "agent_id",
  "args",
  "background_tasks",
  "command",
  "content",
  "cwd",
  "error",
  "event",
  "file_path",
  "id",
  "input",
  "kind",
  "last_assistant_message",
  "message",
  "metadata",
  "notification_type",
  "part",
  "path",
  "patterns",
  "payload",
  "permission",
  "pid",
  "prompt",
  "properties",
  "questions",
  "role",
  "sessionID",
  "sessionId",
  "session_id",
  "startedAt",
  "status",
  "timestamp",
  "tokens",
  "tool",
  "toolArgs",
  "toolName",
  "tool_input",
  "tool_name",
  "type",
  "url",
  "usage"
] as const
const Name = Schema.Literals(names)
const Leaf = Schema.Union([
  Schema.Null,
  Schema.Boolean,
  Schema.Finite,
  Schema.String,
  Schema.Literals([
    "Bash",
    "assistant",
    "busy",
    "event_msg",
    "text",
    "tool",
    "user",
    "2026-11-21T10:00:00.000Z",
    '{"command":1}',
    "*** Delete File: x",
    "\u0000\ud800",
    "__proto__"
  ])
])
/** A value as it is made up: any fields, or items. Records of a schema would have every field in every one. */
const Fields = <A>(inner: Schema.Schema<A>) =>
  Schema.Struct({ fields: Schema.Array(Schema.Tuple([Name, inner])).check(Schema.isMaxLength(8)) })
const Items = <A>(inner: Schema.Schema<A>) => Schema.Struct({ items: Schema.Array(inner).check(Schema.isMaxLength(3)) })
const nested = <A>(inner: Schema.Schema<A>) => Schema.Union([Leaf, Fields(inner), Fields(inner), Items(inner)])

const made = (value: unknown): unknown => {
  if (typeof value !== "object" || value === null) return value
  if ("items" in value) return Array.isArray(value.items) ? value.items.map(made) : []
  const fields = "fields" in value && Array.isArray(value.fields) ? value.fields : []
  return Object.fromEntries(fields.map(([name, inner]: readonly [string, unknown]) => [name, made(inner)]))
}

/** Any JSON, with the words in it that CLIs use, in places where they do not. */
export const Json: Arbitrary.Arbitrary<unknown> = Arbitrary.map(Arbitrary.schema(nested(nested(nested(Leaf)))), made)

/** What programs write to a terminal, and what none does. */
const Piece = Schema.Union([
  Schema.String,
  Schema.Literals([
    "\r\n",
    "\r",
    "\u001b[H",
    "\u001b[2J",
    "\u001b[K",
    "\u001b[5;3H",
    "\u001b[1m",
    "\u001b[2m",
    "\u001b[7m",
    "\u001b[38;5;240m",
    "\u001b[48;2;20;20;30m",
    "\u001b[0m",
    "\u001b[?1049h",
    "\u001b[?1049l",
    "\u001b[?2026h",
    "\u001b[?2026l",
    "\u001b[?25l",
    "\u001b]0;\u2733 title\u0007",
    "\u001b",
    "\u001b[",
    "\u001b]",
    "\u0000",
    "\u009b",
    "漢字",
    "👩‍👧",
    "e\u0301",
    "╭────────────╮",
    "│ > │",
    "╰────────────╯",
    "────────────────────",
    "❯ ",
    "› ",
    "> ",
    "┃ ",
    "→ ",
    "▌",
    " ❯ 1. Yes",
    "   2. No, and tell Claude what to do differently (esc)",
    " Do you want to proceed?",
    "esc to interrupt",
    "⏺ Bash(ls)",
    "  ⎿  output",
    "[Request interrupted by user]"
  ])
])
/** What a CLI writes to its terminal. */
export const Output = Schema.Array(Piece)

/** Sizes of terminals. */
export const Size = Schema.Struct({
  cols: Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: 130 })),
  rows: Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: 50 }))
})

const small = Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 140 }))

/** A screen that no emulator need ever have shown: rows of any words, a cursor anywhere. */
export const Shown = Schema.Struct({
  size: Size,
  lines: Schema.Array(Schema.Array(Piece)),
  cursor: Schema.Struct({ x: small, y: small, visible: Schema.Boolean }),
  alternate: Schema.Boolean,
  title: Schema.String,
  whole: Schema.Boolean,
  faint: Schema.Int
})

// oxlint-disable-next-line no-control-regex
const controls = /[\u0000-\u001f\u007f-\u009f]/g

/** The view of such a screen: as many rows as it has, none wider than it is. */
export const viewOf = ({ alternate, cursor, faint, lines, size, title, whole }: typeof Shown.Type): ScreenView => {
  const rows = Array.from({ length: size.rows }, (_, y) =>
    (lines[y] ?? []).join("").replaceAll(controls, "").slice(0, size.cols).trimEnd()
  )
  const runs = (y: number): ReadonlyArray<ScreenRun> => {
    const row = (rows[y] ?? "").padEnd(size.cols)
    const cut = Math.abs(faint + y) % size.cols
    return [
      { x: 0, text: row.slice(0, cut), foreground: "", background: "" },
      { x: cut, text: row.slice(cut), foreground: "240", background: "#141420" }
    ].filter(({ text }) => text !== "")
  }
  return {
    ...size,
    lines: rows,
    faint: (y) => ((faint + y) % 3 === 0 ? (rows[y] ?? "") : ""),
    runs,
    cursor,
    alternate,
    title,
    whole
  }
}
