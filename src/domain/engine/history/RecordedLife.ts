import type { SessionState } from "../../words/session/Session.ts"

/** The number of the first wanted row of each kind: the rows before are known. */
export interface RowsKnown {
  readonly interval: number
  readonly turn: number
  readonly note: number
  /** The last known write of the life. A life without later writes is left out. Null: it is read in any case. */
  readonly seen: number | null
}

/** The key of a life, which stays the same in a new record. */
export const lifeKey = ({ since, tag }: { readonly tag: string; readonly since: number }): string => `${tag} ${since}`

/** One life and its rows of each kind, from some number on, in order. Times are milliseconds since the epoch. */
export interface RecordedLife {
  readonly tag: string
  readonly cli: string
  readonly cwd: string
  readonly since: number
  readonly seen: number
  readonly until: number | null
  readonly code: number | null
  readonly signal: string | null
  readonly intervals: ReadonlyArray<{
    readonly n: number
    readonly state: SessionState
    readonly since: number
    readonly until: number | null
    readonly reason: string | null
    readonly asked: string | null
  }>
  readonly turns: ReadonlyArray<{
    readonly n: number
    readonly since: number
    readonly until: number | null
    readonly outcome: string | null
    readonly answer: string | null
  }>
  readonly problems: ReadonlyArray<{
    readonly n: number
    readonly at: number
    readonly text: string | null
    readonly problem: string | null
  }>
  /** If there are more rows, these are complete only up to this time; null if they are all. */
  readonly horizon: number | null
}
