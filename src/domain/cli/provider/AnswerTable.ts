import type { Dialog, DialogOption } from "../../words/session/Screen.ts"
import type { AnswerKeys, InputProtocol } from "./InputProtocol.ts"
import { enter, keys, offer, refused, typedAnswer } from "./OptionKeys.ts"

type Options = ReadonlyArray<DialogOption>

/** How a CLI's dialogs are answered: which option an answer means, and which keys choose it. */
export interface AnswerTable {
  /** Runs before the options: an answer to a dialog of another form, or why none is possible; null: continue. */
  readonly first: (dialog: Dialog, text: string) => AnswerKeys | null
  /** The number shown before an option chooses it; otherwise the number of its position. */
  readonly isNumbered?: true
  readonly called: (options: Options, text: string) => DialogOption | undefined
  readonly takesText: (option: DialogOption, dialog: Dialog) => boolean
  /** Such an option may also be chosen before its text is asked for. */
  readonly choosesText?: true
  /** Dialogs with ticked options, and the keys that send them. */
  readonly several?: { readonly is: (dialog: Dialog) => boolean; readonly send: (dialog: Dialog) => AnswerKeys }
  readonly choose: (dialog: Dialog, option: DialogOption, text: string) => AnswerKeys
  readonly type: (dialog: Dialog, option: DialogOption, text: string) => AnswerKeys
  readonly offer?: (options: Options) => string
}

export const answering =
  (table: AnswerTable): InputProtocol["answer"] =>
  (dialog, answer) => {
    const { options } = dialog
    const text = typedAnswer(answer)
    if (text === "") return refused("the answer is empty")
    const first = table.first(dialog, text)
    if (first !== null) return first
    const several = table.several?.is(dialog) === true ? table.several : null
    if (several !== null && /^(?:next|submit)$/i.test(text)) return several.send(dialog)
    const isNumber = /^\d+$/.test(text)
    const chosen = !isNumber
      ? table.called(options, text)
      : table.isNumbered === true
        ? options.find(({ number }) => number === Number(text))
        : options[Number(text) - 1]
    if (chosen !== undefined)
      return table.choosesText !== true && table.takesText(chosen, dialog)
        ? refused(`option ${text} takes a text: answer with that text`)
        : table.choose(dialog, chosen, text)
    const offered = table.offer?.(options) ?? offer(options, several !== null)
    if (isNumber) return refused(`there is no option ${text}; on screen are: ${offered}`)
    const textOption = options.find((option) => table.takesText(option, dialog))
    return textOption === undefined
      ? refused(`this dialog takes no text; on screen are: ${offered}`)
      : table.type(dialog, textOption, text)
  }

/** The option whose label is this text, after `plain`. */
export const labelled = (options: Options, text: string, plain: (label: string) => string): DialogOption | undefined =>
  options.find(({ label }) => plain(label).toLowerCase() === text.toLowerCase())

export const hasDigit = ({ number }: DialogOption): boolean => number !== null && number <= 9

export const typeInto = ({ selected }: DialogOption, move: string, text: string): AnswerKeys =>
  keys(...(selected ? [] : [move]), text, enter)
