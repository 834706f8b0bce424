import type { UnwiredCause } from "../../words/session/UnwiredCause.ts"

/**
 * The queue waits for proof that the CLI's hooks call leap, because only they enforce deny and ask rules. `unwired`: it
 * is known that they do not, so the queue waits for the user; if null, an event is due by `until`.
 */
export interface Unproven {
  readonly since: number
  readonly unwired: UnwiredCause | null
  readonly until: number | null
  /** The number of rules that depend on the hooks. */
  readonly restrictions: number
}

export interface HookGuard {
  readonly unproven: Unproven | null
  /** When the user last said that messages may go anyway. */
  readonly wordAt: number | null
  /** The messages held for this reason. */
  readonly keptBack: ReadonlyArray<string>
}

export const noGuard: HookGuard = { unproven: null, wordAt: null, keptBack: [] }

/** What holds messages back now; null if they may go. The user's word holds until hooks came and went. */
export const unprovenAt = ({ unproven, wordAt }: HookGuard): Unproven | null =>
  unproven === null || (wordAt !== null && wordAt >= unproven.since) ? null : unproven
