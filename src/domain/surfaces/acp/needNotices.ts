import { isSameNeed, type Need } from "../../words/attention/Need.ts"
import { besideDialog, needLine } from "../../words/attention/needWords.ts"

/** Tells an editor what a session needs now and did not before; with `isAsked`, its dialog tells itself. */
export const needNotices = (
  before: ReadonlyArray<Need>,
  now: ReadonlyArray<Need>,
  isAsked: boolean
): ReadonlyArray<string> =>
  (isAsked ? besideDialog(now) : now).filter((need) => !before.some((one) => isSameNeed(one, need))).map(needLine)
