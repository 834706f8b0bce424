import { Schema } from "effect"

/** The conditions under which no message may be typed into a session at rest (`tracker/rules/ready.ts` has each). */
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

/** Why a session at rest is not ready; what is told of it follows from that (`wording/causeWords.ts`). */
export const NotReady = Schema.TaggedUnion({
  /** What is on its screen, or what its CLI reports, or how long that has lasted. */
  Blocked: { by: Schema.Literals(blockerNames) },
  /** Its queue waits, whatever the CLI shows; `text`: for what. */
  QueueWaits: { text: Schema.String }
})
export type NotReady = typeof NotReady.Type
