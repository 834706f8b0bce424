import type { AnswerKeys, InputProtocol } from "../../cli/provider/InputProtocol.ts"
import { arrows, keys, refused, typedAnswer } from "../../cli/provider/OptionKeys.ts"
import type { Dialog, DialogOption } from "../../words/session/Screen.ts"
import { showsPictures } from "../../engine/queue/MessageText.ts"
import { textShape } from "../../words/reading/TextShape.ts"

const tab = "\t"
const enter = "\r"

/**
 * To the end of the text (at the end of a line the key moves on to the next line's end), then back over some twenty
 * lines, two keys each. It is not longer because Codex draws a frame for each key. Ctrl+C would also empty the box, but
 * it stops a turn, and in an empty box it ends the CLI.
 */
const clear = "\u0005".repeat(8) + "\u0015".repeat(40)

/** Pastes of more than 1,000 characters are folded; a second one of the same length gets a number. */
const folded = /^\[Pasted Content (\d+) chars\](?: #\d+)?$/

const showsPasted = (draft: string, text: string): boolean => {
  const placeholder = folded.exec(draft.trim().replaceAll(/\s*\n\s*/g, " "))
  if (placeholder !== null) return Array.from(text.replaceAll(/\r\n?/g, "\n")).length === Number(placeholder[1])
  const draftShape = textShape(draft)
  return draftShape !== "" && draftShape === textShape(text)
}

/** An option's text without the key after it. */
const labelText = (label: string): string => label.replace(/ \((?:\w|esc)\)$/, "").toLowerCase()

/** The option of a question for a free-text answer, which is entered as its notes. */
const takesText = ({ label }: DialogOption): boolean => /^None of the above$/.test(label)

const answer = (dialog: Dialog, answerText: string): AnswerKeys => {
  const { options } = dialog
  const text = typedAnswer(answerText)
  if (text === "") return refused("the answer is empty")
  if (options.length === 0)
    return refused("the dialog on screen has no options to choose from; answer it there (leap attach)")
  const isNumber = /^\d+$/.test(text)
  const chosen = isNumber
    ? options.find(({ number }) => number === Number(text))
    : options.find(({ label }) => labelText(label) === labelText(text))
  if (chosen !== undefined) return choose(dialog, chosen)
  const offered = options.map(({ label, number }) => `${number} ${label}`).join(", ")
  if (isNumber) return refused(`there is no option ${text}; on screen are: ${offered}`)
  const textOption = dialog.kind === "question" ? options.find(takesText) : undefined
  if (textOption === undefined) return refused(`this dialog takes no text; on screen are: ${offered}`)
  const move = arrows(options, textOption)
  return keys(...(move === "" ? [] : [move]), tab, text, enter)
}

/** The kinds of dialog, those during a turn, in which a digit chooses at once. */
const digitKinds: ReadonlySet<Dialog["kind"]> = new Set(["permission", "question", "plan"])

const choose = ({ kind, options }: Dialog, option: DialogOption): AnswerKeys => {
  if (digitKinds.has(kind) && option.number !== null && option.number <= 9) return keys(String(option.number))
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
  // It attaches a pasted path; a mention is plain text to it.
  picture: { pasted: (path) => (/\s/.test(path) ? `'${path}'` : path) },
  showsPasted: showsPictures(/\[Image #\d+\]/g, showsPasted),
  answer
}
