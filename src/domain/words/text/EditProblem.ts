/** Why a file cannot be edited; it is left as it is. Line and column count from 1; null if the problem has no place. */
export interface EditProblem {
  readonly line: number | null
  readonly column: number | null
  readonly why: string
}

/** The problem in one line, its place first. */
export const problemText = ({ column, line, why }: EditProblem): string =>
  line === null ? why : `line ${line}, column ${column}: ${why}`
