import { Result } from "effect"
import type { Question } from "../../words/session/Session.ts"
import type { Dialog, DialogOption } from "../../words/session/Screen.ts"

/** An option as a surface lists it. `number`: the answer that chooses it; null: only its label does. */
export interface ListedOption {
  readonly number: number | null
  readonly label: string
}

const isNumbered = ({ options }: Pick<Dialog, "options">): boolean => options.some(({ number }) => number !== null)

/** The options with the dialog's numbers. If it has none, the options are counted. */
export const listed = (dialog: Pick<Dialog, "options">): ReadonlyArray<ListedOption> => {
  const numbered = isNumbered(dialog)
  return dialog.options.map(({ label, number }, index) => ({ number: numbered ? number : index + 1, label }))
}

export const asQuestion = (dialog: Pick<Dialog, "options" | "subject" | "title">): Question => ({
  title: dialog.title,
  ...(dialog.subject === undefined ? {} : { subject: dialog.subject }),
  options: listed(dialog)
})

/** A session's question as a permission dialog, for a search for the option that grants it. */
export const asPermission = ({ options, title, subject }: Question): Dialog => ({
  kind: "permission",
  title,
  ...(subject === undefined ? {} : { subject }),
  options: options.map((option) => ({ ...option, selected: false }))
})

const normalized = (text: string): string =>
  text
    .normalize("NFC")
    .replace(/^(?:\[.\]|[✓•◯◉○●❯›>])\s+/u, "")
    .replaceAll(/\s+/g, " ")
    .trim()
    .toLowerCase()

/** Whether choosing the option ends the session or the turn. */
const isEnding = ({ endsTurn, label }: DialogOption): boolean => endsTurn === true || /\b(?:exit|quit)\b/i.test(label)

/** `Other`: the answer means none of the options. */
export type Choice = { readonly _tag: "Option"; readonly option: DialogOption } | { readonly _tag: "Other" }

/** The option that an answer means. A number that the dialog does not show never ends the session or the turn. */
export const choiceOf = (dialog: Pick<Dialog, "options">, answer: string): Result.Result<Choice, string> => {
  const { options } = dialog
  const chosen = (option: DialogOption): Result.Result<Choice, string> => Result.succeed({ _tag: "Option", option })
  const word = normalized(answer)
  if (/^\d+$/.test(word)) {
    const index = listed(dialog).findIndex(({ number }) => String(number) === word)
    const option = options[index]
    if (option === undefined) return Result.succeed({ _tag: "Other" })
    return !isNumbered(dialog) && isEnding(option)
      ? Result.fail(`the dialog shows no numbers, and its option ${word} is '${option.label}': say that to choose it`)
      : chosen(option)
  }
  const exact = options.filter(({ label }) => normalized(label) === word)
  if (exact.length === 1) return chosen(exact[0]!)
  const begun = word === "" ? [] : options.filter(({ label }) => normalized(label).startsWith(word))
  if (begun.length === 1) return chosen(begun[0]!)
  return begun.length === 0
    ? Result.succeed({ _tag: "Other" })
    : Result.fail(`'${answer.trim()}' begins ${begun.map(({ label }) => `'${label}'`).join(" and ")}: say more of it`)
}

/** The option of a permission that grants it once and nothing more; null if it is unknown. */
export const grantingOption = (question: Question, plainYes: string | null): DialogOption | null => {
  const yes = plainYes === null ? null : choiceOf(asPermission(question), plainYes)
  return yes !== null && Result.isSuccess(yes) && yes.success._tag === "Option" ? yes.success.option : null
}
