import type { ScreenFacts } from "../../words/session/Screen.ts"

/** Milliseconds until typed text appears in the box, at most. */
export const echoLag = 1_500

/** The facts about typed text. Times are milliseconds since the epoch; null is never. */
export interface Typing {
  readonly screen: ScreenFacts
  readonly typedAt: number | null
  readonly submittedAt: number | null
}

/** When typed text is in the box at the latest; null if none is on its way. Keys in a dialog are no text. */
export const echoDue = ({ screen, submittedAt, typedAt }: Typing): number | null =>
  typedAt === null || (submittedAt !== null && submittedAt >= typedAt) || screen.dialog !== null
    ? null
    : typedAt + echoLag

/**
 * Whether there is unsent text, in the box or on its way to it. The screen decides, because the text of the box does
 * not follow from keys (history, completion, a vim mode, an editor). Keys count only until the echo is due.
 */
export const composing = (typing: Typing, now: number): boolean => {
  const { box } = typing.screen
  if (box !== null && box.draft !== "") return true
  const due = echoDue(typing)
  return due !== null && now <= due
}
