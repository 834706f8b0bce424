import type { Dialog, DialogOption } from "../../words/session/Screen.ts"
import type { AnswerKeys, InputProtocol } from "./InputProtocol.ts"
import { enter, keys, offer, refused, typedAnswer } from "./OptionKeys.ts"

type Options = ReadonlyArray<DialogOption>

/** How a CLI's dialogs are answered: which of their options an answer means, and by which keys that is said. */
export interface AnswerTable {
  /** What comes before the options: an answer to a dialog of another form, or why none can be given; null to go on. */
  readonly first: (dialog: Dialog, text: string) => AnswerKeys | null
  /** The number that stands before an option chooses it; otherwise that of its place. */
  readonly isNumbered?: true
  /** The option that these words name. */
  readonly called: (options: Options, text: string) => DialogOption | undefined
  readonly takesText: (option: DialogOption, dialog: Dialog) => boolean
  /** Such an option may be chosen, too, before its text is asked for. */
  readonly choosesText?: true
  /** A dialog whose options are ticked, and the keys that send all that are. */
  readonly several?: { readonly is: (dialog: Dialog) => boolean; readonly send: (dialog: Dialog) => AnswerKeys }
  readonly choose: (dialog: Dialog, option: DialogOption, text: string) => AnswerKeys
  /** Keys that give an option the text that it takes. */
  readonly type: (dialog: Dialog, option: DialogOption, text: string) => AnswerKeys
  /** The options as the user is told of them, where not as all CLIs have them. */
  readonly offer?: (options: Options) => string
}

/** Answers dialogs as the table says. */
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

/** The option whose label is this text, as `plain` has it of the label. */
export const labelled = (options: Options, text: string, plain: (label: string) => string): DialogOption | undefined =>
  options.find(({ label }) => plain(label).toLowerCase() === text.toLowerCase())

/** A digit stands for the option. */
export const hasDigit = ({ number }: DialogOption): boolean => number !== null && number <= 9

/** Goes to the option that takes a text, by these keys, and types it. */
export const typeInto = ({ selected }: DialogOption, move: string, text: string): AnswerKeys =>
  keys(...(selected ? [] : [move]), text, enter)
