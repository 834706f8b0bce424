import type { StartWords } from "../session/StartWords.ts"
import { oneLine } from "../text/printable.ts"
import { shellWords } from "../text/shellWord.ts"

const shown = (words: ReadonlyArray<string>): string => oneLine(shellWords(words), 300)

/** Notes for a start that repeats former arguments (`again`), without those of `leftOut`. */
export const givenAgain = (again: ReadonlyArray<string>, leftOut: StartWords["leftOut"]): ReadonlyArray<string> => [
  ...(again.length === 0 ? [] : [`with its arguments of before: ${shown(again)} (a lone -- starts it without)`]),
  ...(leftOut.length === 0 ? [] : [`not given again, because it was for that start only: ${leftOut.join(", ")}`])
]

/** A note for a start whose arguments `now` replace the former ones; null if there were none, or the same. */
export const notGivenAgain = ({ args, flags }: StartWords, now: ReadonlyArray<string>): string | null => {
  const lost = [...(flags ?? []), ...args]
  return lost.length === 0 || lost.join("\0") === now.join("\0")
    ? null
    : `its arguments of before are not given again: ${shown(lost)}`
}
