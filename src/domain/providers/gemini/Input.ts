import type { AnswerKeys, InputProtocol } from "../../cli/provider/InputProtocol.ts"
import { arrows, keys, refused, typedAnswer } from "../../cli/provider/OptionKeys.ts"
import type { Dialog, DialogOption } from "../../words/session/Screen.ts"
import { showsPictures } from "../../engine/queue/MessageText.ts"
import { textShape } from "../../words/reading/TextShape.ts"
import { customAnswer, doneTicking, submitAnswers, textField } from "./Dialog.ts"

const enter = "\r"

/**
 * To the end of the line, then back over some twenty lines: Ctrl+U empties a line, and Backspace joins it with the one
 * above and removes a folded paste as a whole. Ctrl+C would also empty the box, but it interrupts a turn, and in an
 * empty box it is half of a quit; Escape twice in an empty box opens the list of checkpoints.
 */
const clear = `\u0005${"\u0015\u007f".repeat(20)}`

/** Pastes of more than 5 lines or 500 characters are folded; equal ones are numbered. */
const folded = /^\[Pasted Text: (\d+) (lines|chars)(?: #\d+)?\]$/

export const mentionOf = (path: string): string => `@${path.replaceAll(/[\s()[\]{};|*?$`'"#&<>!~\\]/g, "\\$&")}`

const showsPasted = (draft: string, text: string): boolean => {
  const placeholder = folded.exec(draft.trim().replaceAll(/\s*\n\s*/g, " "))
  if (placeholder !== null) {
    const pasted = text.replaceAll(/\r\n?/g, "\n")
    const lines = pasted.split("\n").length
    if (placeholder[2] === "chars") return lines <= 5 && pasted.length === Number(placeholder[1])
    return lines === Number(placeholder[1])
  }
  const draftShape = textShape(draft)
  // A pasted path becomes a mention.
  return draftShape !== "" && (draftShape === textShape(text) || draftShape === textShape(mentionOf(text.trim())))
}

const labelText = (label: string): string => label.replace(/^\[.\] /, "")
const takesText = ({ label }: DialogOption): boolean => labelText(label).startsWith(customAnswer)

const answer = (dialog: Dialog, answerText: string): AnswerKeys => {
  const { options } = dialog
  const text = typedAnswer(answerText)
  if (text === "") return refused("the answer is empty")
  const [only] = options
  if (only === undefined)
    return refused("the dialog on screen has no options to choose from; answer it there (leap attach)")
  if (only.number === null && only.label.startsWith(textField)) return keys(text, enter)
  if (only.number === null && only.label === submitAnswers) {
    return /^(?:1|yes|submit(?: answers)?|next)$/i.test(text)
      ? keys(enter)
      : refused(`this page only sends the answers: answer with 1`)
  }
  const numbered = options.filter(({ number }) => number !== null)
  if (numbered.some(({ number }, index) => number !== index + 1)) {
    return refused("only a part of the dialog's options is on screen; answer it there (leap attach)")
  }
  const done = options.find(({ label, number }) => number === null && label === doneTicking)
  if (done !== undefined && /^(?:next|submit|done)$/i.test(text)) return choose(options, done)
  const isNumber = /^\d+$/.test(text)
  const chosen = isNumber
    ? numbered[Number(text) - 1]
    : options.find(
        ({ label }) =>
          labelText(label)
            .replace(/ \(esc\)$/, "")
            .toLowerCase() === text.toLowerCase().replace(/ \(esc\)$/, "")
      )
  if (chosen !== undefined)
    return takesText(chosen) ? refused(`option ${text} takes a text: answer with that text`) : choose(options, chosen)
  const offered =
    numbered.map(({ label, number }) => `${number} ${label}`).join(", ") +
    (done === undefined ? "" : ", or 'next' when all are ticked")
  if (isNumber) return refused(`there is no option ${text}; on screen are: ${offered}`)
  const textOption = options.find(takesText)
  if (textOption === undefined) return refused(`this dialog takes no text; on screen are: ${offered}`)
  return keys(...(textOption.selected ? [] : [select(options, textOption)]), text, enter)
}

/**
 * A digit moves to its option; from ten options on the CLI waits for a second digit. On the free-text option a digit is
 * text.
 */
const select = (options: ReadonlyArray<DialogOption>, option: DialogOption): string =>
  option.number !== null && options.length <= 9 ? String(option.number) : arrows(options, option)

const choose = (options: ReadonlyArray<DialogOption>, option: DialogOption): AnswerKeys => {
  const typing = options.some((other) => other.selected && takesText(other))
  if (option.number !== null && options.length <= 9 && !typing) return keys(String(option.number))
  const move = arrows(options, option)
  return move === "" ? keys(enter) : keys(move, enter)
}

/**
 * How leap types into Gemini CLI. An Enter within 30 ms of a key, or 40 ms of a paste, makes a new line, so typed text
 * must be on screen before it is sent.
 */
export const geminiInput: InputProtocol = {
  bracketedPaste: true,
  submit: enter,
  interrupt: "\u001b",
  clear,
  // The CLI wants the key pressed twice.
  quit: ["\u0003", "\u0003"],
  picture: { mention: mentionOf },
  showsPasted: showsPictures(/\[Image [^\]\n]*\]/g, showsPasted),
  answer
}
