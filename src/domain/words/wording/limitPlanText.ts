import { withValues } from "../text/withValues.ts"

/** The sentences about a session at its limit; `%`: a detail. */
const words = {
  now: "goes on by itself now",
  at: "goes on by itself at %",
  "its-cli": "its CLI goes on by itself %; neither mode nor stop hour governs that (Esc there does)",
  held: "its message is held",
  "held-for": "its message is held (%)",
  "end-unknown": "when its limit ends is not known",
  "taken-back": "that was taken back",
  "went-on": "it went on once after this limit",
  "stop-hour": "the stop hour (%) has come",
  "stop-before-end": "its limit ends at %, after the stop hour (%)",
  never: "the settings let it go on no more than 0 times",
  once: "it went on once, as often as it may",
  often: "it went on % times, as often as it may",
  ceiling: "it has cost $%, and $% is the ceiling",
  // a limit of cost cannot be checked against an incomplete figure
  "ceiling-unsure": "it has cost $% or more (%), so that nothing says whether $%, the ceiling, is reached",
  ended: "the session has ended",
  off: "the mode is off",
  "cli-does": "its CLI does",
  "turn-began": "a turn has begun without it"
}

/** The plan for a session at its limit, or why it does not continue: the sentence, and its details. */
export type NightCause = readonly [what: keyof typeof words, ...of: ReadonlyArray<string | number>]

const said = ([what, ...of]: NightCause): string => withValues(words[what], of)

/** The plan in words. `at`: null if it does not continue. */
export const limitPlanText = ({ at, why }: { readonly at: number | null; readonly why: NightCause }): string =>
  at === null && why[0] !== "its-cli" ? `does not go on by itself: ${said(why)}` : said(why)

/** The plan for the session's log; a cause alone means that it does not continue as planned. */
export const nightNote = (plan: Parameters<typeof limitPlanText>[0] | NightCause): string =>
  `night shift: ${"why" in plan ? limitPlanText(plan) : `not going on by itself: ${said(plan)}`}`
export const limitOverNote = "night shift: the limit is over, going on by itself"
