import { Schema } from "effect"
import type { WaitCause } from "./WaitCause.ts"

/** The conditions that forbid typing a message into a session at rest (defined in `readinessBlockers.ts`). */
export const blockerNames = [
  "torn",
  "unknown-screen",
  "no-box",
  "dialog",
  "picker",
  "draft",
  "screen-not-resting",
  "screen-works",
  "title-works",
  "not-told-rest",
  "asked",
  "logged-out",
  "box-settles",
  "rest-settles",
  "start-settles",
  "key",
  "view-key",
  "picker-closed",
  "command",
  "unanswered",
  "end-unknown",
  "typed-ahead",
  "recovering",
  "resized"
] as const
export type BlockerName = (typeof blockerNames)[number]

/** Why a session at rest is not ready. `wording/notReadyWords.ts` makes the text. */
export const NotReady = Schema.TaggedUnion({
  /** A condition of the screen or of the CLI's reports, or of how long they have lasted. */
  Blocked: { by: Schema.Literals(blockerNames) },
  /** Its queue waits, whatever the CLI shows; `text`: the reason. */
  QueueWaits: { text: Schema.String }
})
export type NotReady = typeof NotReady.Type

/** The same, before it is told. */
export type NotReadyCause =
  | Extract<NotReady, { readonly _tag: "Blocked" }>
  | { readonly _tag: "QueueWaits"; readonly cause: WaitCause }
