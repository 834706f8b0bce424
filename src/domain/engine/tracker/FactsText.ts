import { authority } from "./stateRules/Authority.ts"
import { limits } from "./stateRules/limits.ts"
import type { Facts } from "./Facts.ts"
import type { ScreenFacts } from "../../words/session/Screen.ts"
import { latest, turnBegan, turnEnded } from "./TurnFacts.ts"

/**
 * When an apparent running indicator counts as text: it was there when the end of the turn was reported, the box is
 * empty, and nothing above it has moved since. Null if one of these is missing, or while the CLI reports work.
 */
export const textDue = (facts: Facts): number | null => {
  const { compactEndedAt, compactStartedAt, movedAt, screen, sendAt, visibleSince } = facts
  if (!screen.working || visibleSince.emptyBox === null || latest(compactStartedAt) > latest(compactEndedAt))
    return null
  const reported = authority(facts)
  if (reported !== null && reported.phase !== "rest") return null
  const told = latest(turnEnded(facts), reported?.since ?? null)
  if (told <= latest(turnBegan(facts), sendAt, visibleSince.working)) return null
  return latest(told, movedAt, visibleSince.emptyBox) + limits.text
}

export const settleText = (facts: Facts, now: number): Facts => {
  const due = textDue(facts)
  if (due === null || now < due) return facts
  return {
    ...facts,
    text: facts.screen.picture ?? null,
    screen: withoutWork(facts.screen),
    visibleSince: { ...facts.visibleSince, working: null, quiet: now }
  }
}

const withoutWork = (screen: ScreenFacts): ScreenFacts => ({ ...screen, working: false, activity: null })

/** The frame without work that is known to be text in the same picture. */
export const asText = ({ text }: Facts, screen: ScreenFacts): ScreenFacts =>
  screen.working && text !== null && text === screen.picture ? withoutWork(screen) : screen
