/** Why a file cannot be edited; it stays unchanged. Line and column count from 1; null if the problem has no place. */
export interface EditProblem {
  readonly line: number | null
  readonly column: number | null
  readonly why: string
}

export const problemAt = (text: string, offset: number, why: string): EditProblem => {
  const lines = text.slice(0, offset).split(/\r\n|\r|\n/)
  return { line: lines.length, column: (lines.at(-1) ?? "").length + 1, why }
}

export const problemText = ({ column, line, why }: EditProblem): string =>
  line === null ? why : `line ${line}, column ${column}: ${why}`
