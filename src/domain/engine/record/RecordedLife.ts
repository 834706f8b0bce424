import type { SessionState } from "../../words/session/Session.ts"

/** Up to where the rows of a life are known: the number of the first one of each kind that is wanted. */
export interface RowsKnown {
  readonly interval: number
  readonly turn: number
  readonly note: number
  /** The life's last writing that is known: one that has written nothing since is left out. Null: it is read anyhow. */
  readonly seen: number | null
}

/** What a life is known by, also in a record that was made anew. */
export const lifeKey = ({ since, tag }: { readonly tag: string; readonly since: number }): string => `${tag} ${since}`

/** One life and its rows of each kind, from some number on, in their order. Times are milliseconds since the epoch. */
export interface RecordedLife {
  readonly tag: string
  readonly cli: string
  readonly cwd: string
  readonly since: number
  /** When it was last written. */
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
  /** There are more rows, and these are whole only up to this time; null where they are all. */
  readonly horizon: number | null
}
