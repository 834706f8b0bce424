import type { AnswerKeys, InputProtocol } from "../../cli/provider/InputProtocol.ts"
import { keys, offer, outOfReach, refused, typedAnswer } from "../../cli/provider/OptionKeys.ts"
import type { Dialog, DialogOption } from "../../words/session/Screen.ts"
import { showsPictures } from "../../engine/queue/MessageText.ts"
import { textShape } from "../../words/reading/TextShape.ts"
import { ownAnswer } from "./Dialog.ts"

const left = "\u001b[D"
const right = "\u001b[C"
const tab = "\t"
const enter = "\r"
/**
 * Escape in the form of the kitty protocol, which OpenCode always reads: two plain ones in one write would be read as
 * Alt with Escape, and one before another key as Alt with that key.
 */
const escape = "\u001b[27u"

/**
 * Deletes the text after the cursor line by line, then the text before it. Ctrl+C would also empty the box, but in an
 * empty box it ends OpenCode; Escape would decline a dialog that opens at that moment.
 */
const clear = "\u000b\u001b[3~".repeat(20) + "\u0015\u007f".repeat(20)

const folded = /^\[Pasted ~(\d+) lines?\]$/

const showsPasted = (draft: string, text: string): boolean => {
  const placeholder = folded.exec(draft.trim())
  if (placeholder !== null) return Number(placeholder[1]) === text.trim().split(/\r\n?|\n/).length
  const draftShape = textShape(draft)
  return draftShape !== "" && draftShape === textShape(text)
}

/** The option that takes a free text; its label has a colon while one is being typed. */
const takesText = ({ label }: DialogOption): boolean => /^(?:\[.\] )?Type your own answer(?:$|:)/.test(label)
const typedText = ({ label }: DialogOption): string | null => {
  const at = label.indexOf(`${ownAnswer}:`)
  return at < 0 ? null : label.slice(at + ownAnswer.length + 1).trim()
}

/** A question with several answers: a number ticks an option, and the key that sends them is on another page. */
const isMultiSelect = ({ options }: Dialog): boolean => options.some(({ label }) => /^\[.\] /.test(label))

const labelText = ({ label }: DialogOption): string =>
  label
    .replace(/^\[.\] /, "")
    .replace(/ ✓$/, "")
    .toLowerCase()

const answer = (dialog: Dialog, answerText: string): AnswerKeys => {
  const { options } = dialog
  const text = typedAnswer(answerText)
  if (text === "") return refused("the answer is empty")
  const unreachable = outOfReach(options)
  if (unreachable !== null) return unreachable
  const multiSelect = isMultiSelect(dialog)
  if (multiSelect && /^(?:next|submit)$/i.test(text)) return keys(...leaveTextRow(options), tab)
  const isNumber = /^\d+$/.test(text)
  const chosen = isNumber
    ? options[Number(text) - 1]
    : options.find((option) => labelText(option) === text.toLowerCase())
  if (chosen !== undefined) {
    return takesText(chosen) ? refused(`option ${text} takes a text: answer with that text`) : choose(options, chosen)
  }
  const offered = offer(options, multiSelect)
  if (isNumber) return refused(`there is no option ${text}; on screen are: ${offered}`)
  const textOption = options.find(takesText)
  if (textOption === undefined) return refused(`this dialog takes no text; on screen are: ${offered}`)
  const typedBefore = typedText(textOption)
  if (typedBefore !== null) return keys(...(typedBefore === "" ? [] : [clear]), text, enter)
  return textOption.number !== null && textOption.number <= 9
    ? keys(String(textOption.number), text, enter)
    : refused("the row for a text of one's own is too far down; answer it there (leap attach)")
}

/** While a free-text answer is typed, digits are text: Escape returns to the options. */
const leaveTextRow = (options: ReadonlyArray<DialogOption>): ReadonlyArray<string> =>
  options.some((option) => typedText(option) !== null) ? [escape] : []

const choose = (options: ReadonlyArray<DialogOption>, option: DialogOption): AnswerKeys => {
  if (option.number !== null) {
    return option.number <= 9
      ? keys(...leaveTextRow(options), String(option.number))
      : refused("an option behind the ninth has no key; answer it there (leap attach)")
  }
  // The options are side by side, and only the colour shows which one is selected.
  const selectedIndexes = options.flatMap(({ selected }, index) => (selected ? [index] : []))
  const from = selectedIndexes[0]
  if (from === undefined || selectedIndexes.length > 1)
    return refused("the screen does not show which option is chosen; answer it there (leap attach)")
  const steps = options.indexOf(option) - from
  return steps === 0 ? keys(enter) : keys((steps < 0 ? left : right).repeat(Math.abs(steps)), enter)
}

/** How leap types into OpenCode. */
export const opencodeInput: InputProtocol = {
  bracketedPaste: true,
  submit: enter,
  // The CLI wants the key pressed twice.
  interrupt: escape + escape,
  clear,
  // The first key empties the box or declines a dialog, or already ends the CLI.
  quit: ["\u0003", "\u0003"],
  // It attaches a pasted path; a mention attaches only what was chosen in its own menu.
  picture: { pasted: (path) => (/\s/.test(path) ? `'${path}'` : path) },
  showsPasted: showsPictures(/\[Image \d+\]/g, showsPasted),
  answer
}
