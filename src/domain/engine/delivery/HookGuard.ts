import type { UnwiredCause } from "../../words/session/UnwiredCause.ts"

/**
 * What the queue waits for because of deny and ask rules that only the CLI's hooks hold: proof that they call leap.
 * `unwired`: that they do not is known, so that it waits for the user's word; null: an event is due by `until`.
 */
export interface Unproven {
  readonly since: number
  readonly unwired: UnwiredCause | null
  readonly until: number | null
  /** How many rules rest on them. */
  readonly restrictions: number
}

/** The delivery's part of it. */
export interface HookGuard {
  readonly unproven: Unproven | null
  /** When the user last said that messages may go all the same. */
  readonly wordAt: number | null
  /** Messages that are held because of it. */
  readonly keptBack: ReadonlyArray<string>
}

export const noGuard: HookGuard = { unproven: null, wordAt: null, keptBack: [] }

/** What it is that keeps messages back now; null where they may go: the user's word holds until hooks came and went. */
export const unprovenAt = ({ unproven, wordAt }: HookGuard): Unproven | null =>
  unproven === null || (wordAt !== null && wordAt >= unproven.since) ? null : unproven
