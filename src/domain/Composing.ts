import type { ScreenFacts } from "./Screen.ts"

/** How long typed text may take to show in the box. */
export const echoLag = 1_500

/** What is known of the user's typing. Moments are milliseconds since the epoch; null is never. */
export interface Typing {
  readonly screen: ScreenFacts
  /** The last text or paste that reached the CLI. */
  readonly typedAt: number | null
  /** The last Enter that sent what was in the box. */
  readonly submittedAt: number | null
}

/** Until when typed text may still be on its way into the box; null when none is. A dialog's keys are no text. */
export const echoDue = ({ screen, submittedAt, typedAt }: Typing): number | null =>
  typedAt === null || submittedAt !== null && submittedAt >= typedAt || screen.dialog !== null ? null : typedAt + echoLag

/**
 * The composing mirror: unsent text is in the box, or typed and not shown there yet. The box on screen is the truth, which
 * a mirror of the keys would miss (history, completion, a vim mode, an editor); the keys only bridge its echo.
 */
export const composing = (typing: Typing, now: number): boolean => {
  const { box } = typing.screen
  if (box !== null && box.draft !== "") return true
  const due = echoDue(typing)
  return due !== null && now <= due
}
