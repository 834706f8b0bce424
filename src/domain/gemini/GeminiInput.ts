import type { AnswerKeys, InputProtocol } from "../InputProtocol.ts"
import type { Dialog, DialogOption } from "../Screen.ts"
import { showsPictures } from "../MessageText.ts"
import { textShape } from "../TextShape.ts"
import { customAnswer, doneTicking, submitAnswers, textField } from "./GeminiDialog.ts"

const up = "\u001b[A"
const down = "\u001b[B"
const enter = "\r"

/**
 * To the end of the line, then back over some twenty lines: Ctrl+U empties one, Backspace joins it with the one above and
 * takes a folded paste as a whole. Ctrl+C would empty the box as well, but it interrupts a turn, and on an empty box it is
 * half of a quit; Escape twice in an empty box opens the list of checkpoints.
 */
const clear = `\u0005${"\u0015\u007f".repeat(20)}`

/** More than 5 lines or 500 characters are folded; equal ones are numbered. */
const folded = /^\[Pasted Text: (\d+) (lines|chars)(?: #\d+)?\]$/

const mentionOf = (path: string): string => `@${path.replaceAll(/[\s()[\]{};|*?$`'"#&<>!~\\]/g, "\\$&")}`

const showsPasted = (draft: string, text: string): boolean => {
  const placeholder = folded.exec(draft.trim().replaceAll(/\s*\n\s*/g, " "))
  if (placeholder !== null) {
    const pasted = text.replaceAll(/\r\n?/g, "\n")
    const lines = pasted.split("\n").length
    if (placeholder[2] === "chars") return lines <= 5 && pasted.length === Number(placeholder[1])
    return lines === Number(placeholder[1])
  }
  const shown = textShape(draft)
  // A paste that is a path to something becomes a mention of it.
  return shown !== "" && (shown === textShape(text) || shown === textShape(mentionOf(text.trim())))
}

const refused = (why: string): AnswerKeys => ({ _tag: "Refused", why })
const keys = (...writes: ReadonlyArray<string>): AnswerKeys => ({ _tag: "Keys", writes })

const bare = (label: string): string => label.replace(/^\[.\] /, "")
const isText = ({ label }: DialogOption): boolean => bare(label).startsWith(customAnswer)

const answer = (dialog: Dialog, given: string): AnswerKeys => {
  const { options } = dialog
  const text = given.trim().replaceAll(/[\s\p{Cc}]+/gu, " ")
  if (text === "") return refused("the answer is empty")
  const [only] = options
  if (only === undefined) return refused("the dialog on screen has no options to choose from; answer it there (leap attach)")
  if (only.number === null && only.label.startsWith(textField)) return keys(text, enter)
  if (only.number === null && only.label === submitAnswers) {
    return /^(?:1|yes|submit(?: answers)?|next)$/i.test(text) ? keys(enter) : refused(`this page only sends the answers: answer with 1`)
  }
  const numbered = options.filter(({ number }) => number !== null)
  if (numbered.some(({ number }, index) => number !== index + 1)) {
    return refused("only a part of the dialog's options is on screen; answer it there (leap attach)")
  }
  const done = options.find(({ label, number }) => number === null && label === doneTicking)
  if (done !== undefined && /^(?:next|submit|done)$/i.test(text)) return choose(options, done)
  const isNumber = /^\d+$/.test(text)
  const wanted = isNumber
    ? numbered[Number(text) - 1]
    : options.find(({ label }) => bare(label).replace(/ \(esc\)$/, "").toLowerCase() === text.toLowerCase().replace(/ \(esc\)$/, ""))
  if (wanted !== undefined) return isText(wanted) ? refused(`option ${text} takes a text: answer with that text`) : choose(options, wanted)
  const offered = `${numbered.map(({ label, number }) => `${number} ${label}`).join(", ")}${done === undefined ? "" : ", or 'next' when all are ticked"}`
  if (isNumber) return refused(`there is no option ${text}; on screen are: ${offered}`)
  const free = options.find(isText)
  if (free === undefined) return refused(`this dialog takes no text; on screen are: ${offered}`)
  return keys(...(free.selected ? [] : [select(options, free)]), text, enter)
}

/** A digit goes to its row; from ten rows on the CLI waits for a second one. On the text's row a digit is text. */
const select = (options: ReadonlyArray<DialogOption>, option: DialogOption): string =>
  option.number !== null && options.length <= 9 ? String(option.number) : arrows(options, option)

const arrows = (options: ReadonlyArray<DialogOption>, to: DialogOption): string => {
  const steps = options.indexOf(to) - Math.max(0, options.findIndex(({ selected }) => selected))
  return (steps < 0 ? up : down).repeat(Math.abs(steps))
}

const choose = (options: ReadonlyArray<DialogOption>, option: DialogOption): AnswerKeys => {
  const typing = options.some((other) => other.selected && isText(other))
  if (option.number !== null && options.length <= 9 && !typing) return keys(String(option.number))
  const move = arrows(options, option)
  return move === "" ? keys(enter) : keys(move, enter)
}

/**
 * How leap types into Gemini CLI. An Enter within 30 ms of a key, or 40 ms of a paste, makes a new line: what is typed must
 * be on the screen before it is sent.
 */
export const geminiInput: InputProtocol = {
  bracketedPaste: true,
  submit: enter,
  interrupt: "\u001b",
  clear,
  // It asks to have the key repeated.
  quit: ["\u0003", "\u0003"],
  picture: { mention: mentionOf },
  showsPasted: showsPictures(/\[Image [^\]\n]*\]/g, showsPasted),
  answer
}
