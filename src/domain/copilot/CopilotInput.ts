import type { AnswerKeys, InputProtocol } from "../InputProtocol.ts"
import type { Dialog, DialogOption } from "../Screen.ts"
import { textShape } from "../TextShape.ts"
import { answerField } from "./CopilotDialogs.ts"

const up = "\u001b[A"
const down = "\u001b[B"
const enter = "\r"
const space = " "

/**
 * To the end of the text, then line by line back to its beginning; behind that the keys do nothing, but for leaving the
 * shell's box. Keys of one kind in a row would be taken for a paste, and Ctrl+C, which empties the box as well, stops a turn.
 */
const clear = `\u001b[1;5F${"\u0015\u007f".repeat(20)}`

const folded = /^\[Paste #\d+ - (\d+) lines\]$/
const saved = /^\[Saved pasted content to workspace \(([\d.]+) ([KM]i?B)\) id=\d+\]$/

const showsPasted = (draft: string, text: string): boolean => {
  const shown = draft.trim()
  const lines = folded.exec(shown)
  if (lines !== null) return Number(lines[1]) === text.trimEnd().split(/\r\n?|\n/).length
  const size = saved.exec(shown)
  if (size !== null) return near(Number(size[1]) * (size[2]?.startsWith("K") === true ? 1 : 1_000), text.length / 1_000)
  const shape = textShape(shown)
  // The box grows no higher: of a longer text it shows the end.
  const part = draft.split("\n").length >= boxRows && textShape(text).endsWith(shape)
  return shape !== "" && (shape === textShape(text) || part)
}

const boxRows = 10

/** A size is told in thousands of bytes, rounded; a text's characters take one to four. */
const near = (kilobytes: number, thousands: number): boolean => kilobytes >= thousands * 0.9 && kilobytes <= thousands * 4.1

const refused = (why: string): AnswerKeys => ({ _tag: "Refused", why })
const keys = (...writes: ReadonlyArray<string>): AnswerKeys => ({ _tag: "Keys", writes })

/** The row that takes a text instead of being chosen: what is typed there stands in place of its label. */
const takesText = ({ kind, options }: Dialog) => (option: DialogOption): boolean =>
  option.label === answerField || /^(?:[✓•] )?Other \(type your answer|^No, and tell Copilot what to do\b|\(Esc to stop\)$/.test(option.label) ||
  kind === "plan" && option === options.at(-1)

/** A question with several answers: the space bar ticks one, and the answers are sent together. */
const isTicked = ({ options }: Dialog): boolean => options.some(({ label }) => /^[✓•] /.test(label))

const answer = (dialog: Dialog, given: string): AnswerKeys => {
  const { options } = dialog
  const text = given.trim().replaceAll(/[\s\p{Cc}]+/gu, " ")
  if (text === "") return refused("the answer is empty")
  if (options.length === 0) return refused("the dialog's options are not all on screen; answer it there (leap attach)")
  if (options.some(({ number }, index) => number !== null && number !== index + 1)) {
    return refused("only a part of the dialog's options is on screen; answer it there (leap attach)")
  }
  const ticked = isTicked(dialog)
  if (ticked && /^(?:next|submit)$/i.test(text)) return keys(enter)
  const field = options.find(({ label }) => label === answerField)
  if (field !== undefined) return keys(text, enter)
  const isNumber = /^\d+$/.test(text)
  const wanted = isNumber
    ? options[Number(text) - 1]
    : options.find(({ label }) => label.replace(/^[✓•] | \(Esc\)$/g, "").toLowerCase() === text.toLowerCase())
  if (wanted !== undefined) {
    return takesText(dialog)(wanted) ? refused(`option ${text} takes a text: answer with that text`) : choose(dialog, wanted, ticked)
  }
  const offered = `${options.map(({ label, number }, index) => `${number ?? index + 1} ${label}`).join(", ")}${
    ticked ? ", or 'next' when all are ticked" : ""
  }`
  if (isNumber) return refused(`there is no option ${text}; on screen are: ${offered}`)
  const free = options.find(takesText(dialog))
  if (free === undefined) return refused(`this dialog takes no text; on screen are: ${offered}`)
  return keys(...(free.selected ? [] : [select(dialog, free)]), text, enter)
}

/** While a row that takes a text is selected, digits are text. */
const isTyping = (dialog: Dialog): boolean => dialog.options.some((option) => option.selected && takesText(dialog)(option))

/** A digit only goes to a row that takes a text. */
const select = (dialog: Dialog, option: DialogOption): string =>
  option.number !== null && option.number <= 9 && !isTyping(dialog) ? String(option.number) : arrows(dialog.options, option)

const arrows = (options: ReadonlyArray<DialogOption>, to: DialogOption): string => {
  const steps = options.indexOf(to) - Math.max(0, options.findIndex(({ selected }) => selected))
  return (steps < 0 ? up : down).repeat(Math.abs(steps))
}

const choose = (dialog: Dialog, option: DialogOption, ticked: boolean): AnswerKeys => {
  if (option.number !== null && option.number <= 9 && !isTyping(dialog)) return keys(String(option.number))
  const move = arrows(dialog.options, option)
  const take = ticked ? space : enter
  return move === "" ? keys(take) : keys(move, take)
}

/** How leap types into GitHub Copilot CLI. */
export const copilotInput: InputProtocol = {
  bracketedPaste: true,
  submit: enter,
  // Once, and whatever is in the box. Escape would have to come twice and apart, and before a turn's first output it takes the
  // prompt back into the box instead.
  interrupt: "\u0003",
  clear,
  quit: ["\u0004"],
  showsPasted,
  answer
}
