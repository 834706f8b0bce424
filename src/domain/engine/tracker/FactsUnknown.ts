import type { Facts } from "./Facts.ts"
import { limits } from "./stateRules/limits.ts"
import type { ScreenFacts } from "../../words/session/Screen.ts"

/** When the common reader replaces the CLI's own; null once it has, and while the CLI's recognizes something. */
export const unknownDue = ({ screen, unknownSince }: Facts): number | null =>
  unknownSince === null || screen.unknown === true ? null : unknownSince + limits.unknown

/** If the CLI's own reader does not know the screen, use the common reader's result; its box only with `trust`. */
export const asKnown = (facts: Facts, drawn: ScreenFacts, now: number): ScreenFacts => {
  const { common } = drawn
  if (common === undefined || now - (facts.unknownSince ?? now) < limits.unknown) return drawn
  const { box, dialog, ownsKeys, working } = common
  return {
    ...drawn,
    unknown: true,
    dialog,
    working: working || (dialog === null && drawn.working),
    picker: dialog === null && box === null && ownsKeys,
    box: facts.unknownLayout === "trust" ? box : null
  }
}
