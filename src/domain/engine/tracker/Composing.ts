import type { ScreenFacts } from "../../words/session/Screen.ts"

/** Milliseconds that typed text may take to appear in the box. */
export const echoLag = 1_500

/** The facts about typed text. Moments are milliseconds since the epoch; null is never. */
export interface Typing {
  readonly screen: ScreenFacts
  /** The last text or paste that reached the CLI. */
  readonly typedAt: number | null
  /** The last Enter that sent what was in the box. */
  readonly submittedAt: number | null
}

/** Until when typed text may still be missing from the box; null when none is. Keys in a dialog are no text. */
export const echoDue = ({ screen, submittedAt, typedAt }: Typing): number | null =>
  typedAt === null || (submittedAt !== null && submittedAt >= typedAt) || screen.dialog !== null
    ? null
    : typedAt + echoLag

/**
 * Whether there is unsent text: in the box, or typed and not shown there yet. The box on screen decides, since its text
 * does not follow from keys (history, completion, a vim mode, an editor); they only cover the time until the echo.
 */
export const composing = (typing: Typing, now: number): boolean => {
  const { box } = typing.screen
  if (box !== null && box.draft !== "") return true
  const due = echoDue(typing)
  return due !== null && now <= due
}
