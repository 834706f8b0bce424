import type { SessionState } from "../../words/session/Session.ts"

/** What the record has of all sessions' states and figures in a time, each kind in the order of its times. */
export interface RecordedCourse {
  /** `lifeUntil`: the end of the life that it is of; null while it has none. `seen`: that life's last word. */
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
