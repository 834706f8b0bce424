import type { ScreenFacts } from "./Screen.ts"

/**
 * Whether the screen shows that background work lives on (`active`) or that none does (`finished`). A screen that is blank,
 * half drawn or has no room for it says neither: `unknown` never ends what was known.
 */
export const backgroundWorkState = ({ background, blank, box }: ScreenFacts): "active" | "finished" | "unknown" =>
  blank || background === null ? "unknown" : background > 0 ? "active" : box === null ? "unknown" : "finished"
