import type { SessionState } from "../../words/session/Session.ts"

export interface RecordedCourse {
  /** `lifeUntil`: the end of the interval's life, if it is recorded. `seen`: the last write of that life. */
  readonly intervals: ReadonlyArray<{
    readonly tag: string
    readonly life: number
    readonly state: SessionState
    readonly since: number
    readonly until: number | null
    readonly lifeUntil: number | null
    readonly seen: number
  }>
  readonly usage: ReadonlyArray<{
    readonly tag: string
    readonly at: number
    /** Percent of the context's window. */
    readonly context: number | null
    readonly usd: number | null
  }>
}
