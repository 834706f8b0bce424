import type { ScreenRun, ScreenView } from "../../../../src/domain/words/session/Screen.ts"

/** A row: its text; or pieces, of which those in brackets of their own have another background. */
export type Row = string | ReadonlyArray<string | readonly [lit: string]>

const textOf = (row: Row): string =>
  typeof row === "string" ? row : row.map((piece) => (typeof piece === "string" ? piece : piece[0])).join("")

const runsOf = (row: Row, cols: number, background: string): ReadonlyArray<ScreenRun> => {
  const runs: Array<ScreenRun> = []
  let x = 0
  for (const piece of typeof row === "string" ? [row] : row) {
    const text = typeof piece === "string" ? piece : piece[0]
    runs.push({ x, text, foreground: "", background: typeof piece === "string" ? background : "46" })
    x += text.length
  }
  if (x < cols) runs.push({ x, text: " ".repeat(cols - x), foreground: "", background })
  return runs
}

/**
 * A screen of these rows at its top; `plain`: rows before this one have the terminal's own background, the others one
 * of their own.
 */
export const view = (
  rows: ReadonlyArray<Row>,
  more: Partial<ScreenView> & { readonly plain?: number } = {}
): ScreenView => {
  const { cols = 120, plain = Infinity, ...rest } = more
  const height = more.rows ?? 40
  const all: ReadonlyArray<Row> = [...rows, ...Array.from({ length: Math.max(0, height - rows.length) }, () => "")]
  return {
    cols,
    rows: height,
    lines: all.map((row) => textOf(row).trimEnd()),
    faint: () => "",
    runs: (y) => runsOf(all[y] ?? "", cols, y < plain ? "" : "48;2;20;20;20"),
    cursor: { x: 0, y: 0, visible: false },
    alternate: true,
    title: "OC | A session",
    whole: true,
    ...rest
  }
}

/** Rows pushed down to the foot of a screen, whose last row stays empty. */
export const atFoot = (rows: ReadonlyArray<Row>, above: ReadonlyArray<Row> = [], height = 40): ReadonlyArray<Row> => [
  ...above,
  ...Array.from({ length: Math.max(0, height - above.length - rows.length - 1) }, () => ""),
  ...rows
]

export const idleFoot = "   /home/dev/project                                   2.0K (1%)  ctrl+p commands"
export const runningFoot = "   ■■■⬝⬝⬝⬝⬝  esc interrupt                             2.0K (1%)  ctrl+p commands"

/** The composer of a session at the foot of a screen, with the cursor behind its text. */
export const session = ({
  above = [],
  cols = 120,
  draft = [""],
  foot = idleFoot,
  height = 40,
  mode = "Build · Lab Large Lab",
  over = [],
  ...more
}: Partial<ScreenView> & {
  readonly draft?: ReadonlyArray<string>
  readonly foot?: string | ReadonlyArray<string>
  readonly above?: ReadonlyArray<Row>
  /** Rows directly on the composer. */
  readonly over?: ReadonlyArray<Row>
  readonly mode?: string
  readonly height?: number
} = {}): ScreenView => {
  const feet = typeof foot === "string" ? [foot] : foot
  const rows = atFoot(
    [
      ...over,
      "  ┃",
      ...draft.map((line) => `  ┃  ${line}`),
      "  ┃",
      `  ┃  ${mode}`,
      `  ╹${"▀".repeat(cols - 5)}`,
      ...feet
    ],
    above,
    height
  )
  const y = rows.length - feet.length - 4
  return view(rows, { cols, rows: height, cursor: { x: 5 + (draft.at(-1) ?? "").length, y, visible: true }, ...more })
}
