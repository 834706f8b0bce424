import type { AnswerKeys, InputProtocol } from "../InputProtocol.ts"
import type { Dialog, DialogOption } from "../Screen.ts"
import { showsPictures } from "../MessageText.ts"
import { textShape } from "../TextShape.ts"

const up = "\u001b[A"
const down = "\u001b[B"
const tab = "\t"
const enter = "\r"

/**
 * To the end of the line, then back over some twenty lines, two keys each. No more at once: from some fifty bytes on the CLI
 * takes a write for a paste. Ctrl+C would empty the box as well, but it interrupts a turn, and Escape twice in an empty box
 * opens the list of checkpoints.
 */
const clear = `\u0005${"\u0015".repeat(40)}`

const folded = /^\[Pasted text #\d+(?: \+(\d+) lines?)?\]$/

const showsPasted = (draft: string, text: string): boolean => {
  const placeholder = folded.exec(draft.trim())
  if (placeholder !== null) {
    const breaks = text.trimEnd().split(/\r\n?|\n/).length - 1
    return Number(placeholder[1] ?? 0) === breaks
  }
  const shown = textShape(draft)
  return shown !== "" && shown === textShape(text)
}

const refused = (why: string): AnswerKeys => ({ _tag: "Refused", why })
const keys = (...writes: ReadonlyArray<string>): AnswerKeys => ({ _tag: "Keys", writes })

/** The row that takes a text instead of being chosen. */
const takesText = ({ label }: DialogOption): boolean => /^(?:(?:\[.\] )?Type something\.?|Tell Claude what to change)$/.test(label)

/** A question with several answers: a number ticks one, and the answers are sent together. */
const isTicked = ({ options }: Dialog): boolean => options.some(({ label }) => /^\[.\] /.test(label))

const answer = (dialog: Dialog, given: string): AnswerKeys => {
  const { options } = dialog
  const text = given.trim().replaceAll(/[\s\p{Cc}]+/gu, " ")
  if (text === "") return refused("the answer is empty")
  if (options.length === 0) return refused("the dialog on screen has no options to choose from; answer it there (leap attach)")
  if (options.some(({ number }, index) => number !== null && number !== index + 1)) {
    return refused("only a part of the dialog's options is on screen; answer it there (leap attach)")
  }
  const ticked = isTicked(dialog)
  if (ticked && /^(?:next|submit)$/i.test(text)) return keys(tab)
  const isNumber = /^\d+$/.test(text)
  const wanted = isNumber
    ? options[Number(text) - 1]
    : options.find(({ label }) => label.replace(/^\[.\] /, "").toLowerCase() === text.toLowerCase())
  if (wanted !== undefined) {
    return takesText(wanted) ? refused(`option ${text} takes a text: answer with that text`) : choose(dialog, wanted)
  }
  const offered = `${options.map(({ label, number }, index) => `${number ?? index + 1} ${label}`).join(", ")}${
    ticked ? ", or 'next' when all are ticked" : ""
  }`
  if (isNumber) return refused(`there is no option ${text}; on screen are: ${offered}`)
  const free = options.find(takesText)
  if (free === undefined) return refused(`this dialog takes no text; on screen are: ${offered}`)
  const sent = ticked ? [text] : [text, enter]
  return keys(...(free.selected ? [] : [select(dialog, free)]), ...sent)
}

/** A digit chooses at once; on a row that takes a text it only goes there. */
const select = ({ options }: Dialog, option: DialogOption): string =>
  option.number !== null && option.number <= 9 ? String(option.number) : arrows(options, option)

const arrows = (options: ReadonlyArray<DialogOption>, to: DialogOption): string => {
  const steps = options.indexOf(to) - Math.max(0, options.findIndex(({ selected }) => selected))
  return (steps < 0 ? up : down).repeat(Math.abs(steps))
}

const choose = (dialog: Dialog, option: DialogOption): AnswerKeys => {
  // While a row that takes a text is selected, digits are text; an option that is being amended is such a row.
  const typing = dialog.options.some((other) => other.selected && (takesText(other) || / tell Claude what to do /.test(other.label)))
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
  // It asks to have the key repeated.
  quit: ["\u0004", "\u0004"],
  // A mention attaches the picture and stays as it is; a path alone becomes a placeholder.
  showsPasted: showsPictures(/\[Image #\d+\]/g, showsPasted),
  answer
}
