import type { AnswerKeys, InputProtocol } from "../InputProtocol.ts"
import type { Dialog, DialogOption } from "../Screen.ts"
import { showsPictures } from "../MessageText.ts"
import { textShape } from "../TextShape.ts"

const up = "\u001b[A"
const down = "\u001b[B"
const tab = "\t"
const enter = "\r"

/**
 * To the end of the text (at a line's end the key goes on to the next one's), then back over some twenty lines, two keys each.
 * No more at once: Codex draws a frame for each. Ctrl+C would empty the box as well, but it stops a turn, and in an empty box
 * it ends the CLI.
 */
const clear = "\u0005".repeat(8) + "\u0015".repeat(40)

/** More than 1,000 characters are folded; a second one of the same length is numbered. */
const folded = /^\[Pasted Content (\d+) chars\](?: #\d+)?$/

const showsPasted = (draft: string, text: string): boolean => {
  const placeholder = folded.exec(draft.trim().replaceAll(/\s*\n\s*/g, " "))
  if (placeholder !== null) return Array.from(text.replaceAll(/\r\n?/g, "\n")).length === Number(placeholder[1])
  const shown = textShape(draft)
  return shown !== "" && shown === textShape(text)
}

const refused = (why: string): AnswerKeys => ({ _tag: "Refused", why })
const keys = (...writes: ReadonlyArray<string>): AnswerKeys => ({ _tag: "Keys", writes })

/** An option's words without the key that stands behind them. */
const words = (label: string): string => label.replace(/ \((?:\w|esc)\)$/, "").toLowerCase()

/** The row of a question for an answer in one's own words, which are its notes. */
const takesText = ({ label }: DialogOption): boolean => /^None of the above$/.test(label)

const answer = (dialog: Dialog, given: string): AnswerKeys => {
  const { options } = dialog
  const text = given.trim().replaceAll(/[\s\p{Cc}]+/gu, " ")
  if (text === "") return refused("the answer is empty")
  if (options.length === 0) return refused("the dialog on screen has no options to choose from; answer it there (leap attach)")
  const isNumber = /^\d+$/.test(text)
  const wanted = isNumber ? options[Number(text) - 1] : options.find(({ label }) => words(label) === words(text))
  if (wanted !== undefined) return choose(dialog, wanted)
  const offered = options.map(({ label, number }) => `${number} ${label}`).join(", ")
  if (isNumber) return refused(`there is no option ${text}; on screen are: ${offered}`)
  const free = dialog.kind === "question" ? options.find(takesText) : undefined
  if (free === undefined) return refused(`this dialog takes no text; on screen are: ${offered}`)
  const move = arrows(options, free)
  return keys(...(move === "" ? [] : [move]), tab, text, enter)
}

const arrows = (options: ReadonlyArray<DialogOption>, to: DialogOption): string => {
  const steps = options.indexOf(to) - Math.max(0, options.findIndex(({ selected }) => selected))
  return (steps < 0 ? up : down).repeat(Math.abs(steps))
}

/** In what it asks during a turn a digit chooses at once. */
const byDigit: ReadonlySet<Dialog["kind"]> = new Set(["permission", "question", "plan"])

const choose = ({ kind, options }: Dialog, option: DialogOption): AnswerKeys => {
  if (byDigit.has(kind) && option.number !== null && option.number <= 9) return keys(String(option.number))
  const move = arrows(options, option)
  return move === "" ? keys(enter) : keys(move, enter)
}

/** How leap types into Codex. */
export const codexInput: InputProtocol = {
  bracketedPaste: true,
  submit: enter,
  interrupt: "\u001b",
  clear,
  quit: ["\u0004"],
  // It attaches what is pasted as a path, and takes a mention for words.
  picture: { pasted: (path) => /\s/.test(path) ? `'${path}'` : path },
  showsPasted: showsPictures(/\[Image #\d+\]/g, showsPasted),
  answer
}
