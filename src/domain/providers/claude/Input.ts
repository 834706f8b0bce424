import type { AnswerKeys, InputProtocol } from "../../cli/provider/InputProtocol.ts"
import { arrows, keys, offer, outOfReach, refused, typedAnswer } from "../../cli/provider/OptionKeys.ts"
import type { Dialog, DialogOption } from "../../words/session/Screen.ts"
import { showsPictures } from "../../engine/queue/MessageText.ts"
import { textShape } from "../../words/reading/TextShape.ts"

const tab = "\t"
const enter = "\r"

/**
 * To the end of the line, then back over some twenty lines, two keys each. It must not be longer: the CLI takes a write
 * of more than some fifty bytes for a paste. Ctrl+C would also empty the box, but it interrupts a turn; Escape twice in
 * an empty box opens the list of checkpoints.
 */
const clear = `\u0005${"\u0015".repeat(40)}`

const folded = /^\[Pasted text #\d+(?: \+(\d+) lines?)?\]$/

const showsPasted = (draft: string, text: string): boolean => {
  const placeholder = folded.exec(draft.trim())
  if (placeholder !== null) {
    const breaks = text.trimEnd().split(/\r\n?|\n/).length - 1
    return Number(placeholder[1] ?? 0) === breaks
  }
  const draftShape = textShape(draft)
  return draftShape !== "" && draftShape === textShape(text)
}

/** The option that takes a text instead of being chosen. */
const takesText = ({ label }: DialogOption): boolean =>
  /^(?:(?:\[.\] )?Type something\.?|Tell Claude what to change)$/.test(label)

/** A question with several answers: a number ticks an option, and all answers are sent together. */
const isMultiSelect = ({ options }: Dialog): boolean => options.some(({ label }) => /^\[.\] /.test(label))

/** An option that ends the CLI. In some dialogs it is the first one, where others have their yes. */
const endsIt = ({ label }: DialogOption): boolean => /^(?:No, )?exit\b/i.test(label)

const answer = (dialog: Dialog, answerText: string): AnswerKeys => {
  const { options } = dialog
  const text = typedAnswer(answerText)
  if (text === "") return refused("the answer is empty")
  const unreachable = outOfReach(options)
  if (unreachable !== null) return unreachable
  if (dialog.typed !== undefined) return answerTyped(dialog, dialog.typed, text)
  const multiSelect = isMultiSelect(dialog)
  if (multiSelect && /^(?:next|submit)$/i.test(text)) return keys(tab)
  const isNumber = /^\d+$/.test(text)
  const chosen = isNumber
    ? options[Number(text) - 1]
    : options.find(({ label }) => label.replace(/^\[.\] /, "").toLowerCase() === text.toLowerCase())
  if (chosen !== undefined && text === "1" && endsIt(chosen)) {
    return refused(
      `option 1 is '${chosen.label}', which ends Claude Code: if that is meant, answer with its words; ` +
        `on screen are: ${offer(options)}`
    )
  }
  if (chosen !== undefined) {
    return takesText(chosen) ? refused(`option ${text} takes a text: answer with that text`) : choose(dialog, chosen)
  }
  const offered = offer(options, multiSelect)
  if (isNumber) return refused(`there is no option ${text}; on screen are: ${offered}`)
  const textOption = options.find(takesText)
  if (textOption === undefined) return refused(`this dialog takes no text; on screen are: ${offered}`)
  const writes = multiSelect ? [text] : [text, enter]
  return keys(...(textOption.selected ? [] : [select(dialog, textOption)]), ...writes)
}

/**
 * In the look for a screen reader a number is typed, several where more than one may be chosen, and sent with Enter; so
 * is a text, once the option that takes one is chosen. A review is answered by yes or no.
 */
const answerTyped = ({ options }: Dialog, held: string, text: string): AnswerKeys => {
  // what the field holds already would be a part of the answer
  const typing = (...writes: ReadonlyArray<string>) =>
    keys(...(held === "" ? [] : ["\u007f".repeat([...held].length)]), ...writes)
  if (/^\d+(?:[ ,]+\d+)+$/.test(text) && text.split(/[ ,]+/).every((n) => options[Number(n) - 1]?.number != null))
    return typing(text, enter)
  const chosen = /^\d+$/.test(text)
    ? options[Number(text) - 1]
    : options.find(({ label }) => label.toLowerCase() === text.toLowerCase())
  const other = options.find(({ label }) => label === "Other")
  if (chosen !== undefined && chosen !== other)
    return typing(chosen.number === null ? (chosen === options[0] ? "y" : "n") : String(chosen.number), enter)
  if (/^\d+$/.test(text))
    return refused(
      chosen === undefined
        ? `there is no option ${text}; on screen are: ${offer(options)}`
        : `option ${text} takes a text: answer with that text`
    )
  return other?.number == null
    ? refused(`this dialog takes no text; on screen are: ${offer(options)}`)
    : typing(String(other.number), enter, text, enter)
}

/** A digit chooses an option at once; on an option that takes a text it only moves the selection there. */
const select = ({ options }: Dialog, option: DialogOption): string =>
  option.number !== null && option.number <= 9 ? String(option.number) : arrows(options, option)

const choose = (dialog: Dialog, option: DialogOption): AnswerKeys => {
  // While an option that takes a text is selected, digits are text. An option that is being amended is also such an
  // option.
  const typing = dialog.options.some(
    (other) => other.selected && (takesText(other) || / tell Claude what to do /.test(other.label))
  )
  if (option.number !== null && option.number <= 9 && !typing) return keys(String(option.number))
  const move = arrows(dialog.options, option)
  return move === "" ? keys(enter) : keys(move, enter)
}

/** How leap types into Claude Code. */
export const claudeInput: InputProtocol = {
  bracketedPaste: true,
  submit: enter,
  interrupt: "\u001b",
  clear,
  // The CLI wants the key pressed twice.
  quit: ["\u0004", "\u0004"],
  // A mention attaches the image and stays as it is; a path alone becomes a placeholder.
  showsPasted: showsPictures(/\[Image #\d+\]/g, showsPasted),
  answer
}
