import type { ScreenFacts } from "../../words/session/Screen.ts"

/**
 * Whether the screen shows running background work (`active`) or that there is none (`finished`). A screen that is
 * blank, half drawn or has no room for it shows neither: `unknown` leaves the last count in force.
 */
export const backgroundWorkState = ({ background, blank, box }: ScreenFacts): "active" | "finished" | "unknown" =>
  blank || background === null ? "unknown" : background > 0 ? "active" : box === null ? "unknown" : "finished"
