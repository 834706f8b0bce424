import { Result } from "effect"
import type { Question } from "../../words/session/Session.ts"
import type { Dialog, DialogOption } from "../../words/session/Screen.ts"

/** A listed option. `number`: the key that chooses it; null: none. */
export interface ListedOption {
  readonly number: number | null
  readonly label: string
}

const isNumbered = ({ options }: Pick<Dialog, "options">): boolean => options.some(({ number }) => number !== null)

/** The options with their numbers; options without numbers are counted. */
export const listed = (dialog: Pick<Dialog, "options">): ReadonlyArray<ListedOption> => {
  const numbered = isNumbered(dialog)
  return dialog.options.map(({ label, number }, index) => ({ number: numbered ? number : index + 1, label }))
}

export const asQuestion = (dialog: Pick<Dialog, "options" | "subject" | "title">): Question => ({
  title: dialog.title,
  ...(dialog.subject === undefined ? {} : { subject: dialog.subject }),
  options: listed(dialog)
})

const plain = (text: string): string =>
  text
    .normalize("NFC")
    .replace(/^(?:\[.\]|[✓•◯◉○●❯›>])\s+/u, "")
    .replaceAll(/\s+/g, " ")
    .trim()
    .toLowerCase()

/** Choosing it ends the session, or the turn. */
const leaves = ({ endsTurn, label }: DialogOption): boolean => endsTurn === true || /\b(?:exit|quit)\b/i.test(label)

export type Choice = { readonly _tag: "Option"; readonly option: DialogOption } | { readonly _tag: "Other" }

/** The option that a word means. A number that the menu does not show never chooses what ends the session. */
export const choiceOf = (dialog: Pick<Dialog, "options">, answer: string): Result.Result<Choice, string> => {
  const { options } = dialog
  const chosen = (option: DialogOption): Result.Result<Choice, string> => Result.succeed({ _tag: "Option", option })
  const word = plain(answer)
  if (/^\d+$/.test(word)) {
    const index = listed(dialog).findIndex(({ number }) => String(number) === word)
    const option = options[index]
    if (option === undefined) return Result.succeed({ _tag: "Other" })
    return !isNumbered(dialog) && leaves(option)
      ? Result.fail(`the dialog shows no numbers, and its option ${word} is '${option.label}': say that to choose it`)
      : chosen(option)
  }
  const exact = options.filter(({ label }) => plain(label) === word)
  if (exact.length === 1) return chosen(exact[0]!)
  const begun = word === "" ? [] : options.filter(({ label }) => plain(label).startsWith(word))
  if (begun.length === 1) return chosen(begun[0]!)
  return begun.length === 0
    ? Result.succeed({ _tag: "Other" })
    : Result.fail(`'${answer.trim()}' begins ${begun.map(({ label }) => `'${label}'`).join(" and ")}: say more of it`)
}
