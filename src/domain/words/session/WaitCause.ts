import type { OverBudget } from "./OverBudget.ts"
import type { problemKinds } from "./problemKinds.ts"
import type { UnwiredCause } from "./UnwiredCause.ts"

/** Why no queued message is sent, whatever the session does. */
export type WaitCause =
  /** `rules` depend on its hooks; `unwired`: the hooks do not call leap, null: unknown so far. */
  | { readonly _tag: "Unproven"; readonly unwired: UnwiredCause | null; readonly rules: number }
  /**
   * A turn failed. `isEndless`: because of a limit without a known end. `until`: the next attempt, in milliseconds
   * since the epoch; null: the user must act.
   */
  | {
      readonly _tag: "TurnFailed"
      readonly problem: (typeof problemKinds)[number]
      readonly isEndless: boolean
      readonly until: number | null
      readonly zone: string
      readonly cover: Cover | null
    }
  /** A budget leaves nothing for a message. `until`: the day's end; null: the user has to act. */
  | {
      readonly _tag: "OverBudget"
      readonly over: OverBudget | null
      readonly until: number | null
      readonly zone: string
      readonly cover: Cover | null
    }
  /** The CLI continues by itself at its limit's end. `when`: in its words. */
  | { readonly _tag: "Continues"; readonly when: string }

/** The cover over the box: a dialog of this title, or with null a list or another view. */
export interface Cover {
  readonly dialog: string | null
}
