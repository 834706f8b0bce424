import type { AnswerKeys, InputProtocol } from "../InputProtocol.ts"
import type { Dialog, DialogOption } from "../Screen.ts"
import { showsPictures } from "../MessageText.ts"
import { textShape } from "../TextShape.ts"
import { ownAnswer } from "./OpenCodeDialog.ts"

const left = "\u001b[D"
const right = "\u001b[C"
const tab = "\t"
const enter = "\r"
/**
 * Escape in the form of the kitty protocol, which OpenCode always reads: two plain ones in one write would be taken for Alt
 * with Escape, and one before another key for Alt with that key.
 */
const escape = "\u001b[27u"

/**
 * What is behind the cursor line by line, then what is before it. Ctrl+C would empty the box as well, but an empty one makes it
 * end OpenCode, and Escape would decline a dialog that comes up just then.
 */
const clear = "\u000b\u001b[3~".repeat(20) + "\u0015\u007f".repeat(20)

const folded = /^\[Pasted ~(\d+) lines?\]$/

const showsPasted = (draft: string, text: string): boolean => {
  const placeholder = folded.exec(draft.trim())
  if (placeholder !== null) return Number(placeholder[1]) === text.trim().split(/\r\n?|\n/).length
  const shown = textShape(draft)
  return shown !== "" && shown === textShape(text)
}

const refused = (why: string): AnswerKeys => ({ _tag: "Refused", why })
const keys = (...writes: ReadonlyArray<string>): AnswerKeys => ({ _tag: "Keys", writes })

/** The row that takes a text of one's own; with a colon while one is being typed. */
const takesText = ({ label }: DialogOption): boolean => /^(?:\[.\] )?Type your own answer(?:$|:)/.test(label)
const typed = ({ label }: DialogOption): string | null => {
  const at = label.indexOf(`${ownAnswer}:`)
  return at < 0 ? null : label.slice(at + ownAnswer.length + 1).trim()
}

/** A question with several answers: a number ticks one, and another page has the key that sends them. */
const isTicked = ({ options }: Dialog): boolean => options.some(({ label }) => /^\[.\] /.test(label))

const named = ({ label }: DialogOption): string => label.replace(/^\[.\] /, "").replace(/ ✓$/, "").toLowerCase()

const answer = (dialog: Dialog, given: string): AnswerKeys => {
  const { options } = dialog
  const text = given.trim().replaceAll(/[\s\p{Cc}]+/gu, " ")
  if (text === "") return refused("the answer is empty")
  if (options.length === 0) return refused("the dialog on screen has no options to choose from; answer it there (leap attach)")
  if (options.some(({ number }, index) => number !== null && number !== index + 1)) {
    return refused("only a part of the dialog's options is on screen; answer it there (leap attach)")
  }
  const ticked = isTicked(dialog)
  if (ticked && /^(?:next|submit)$/i.test(text)) return keys(...leave(options), tab)
  const isNumber = /^\d+$/.test(text)
  const wanted = isNumber ? options[Number(text) - 1] : options.find((option) => named(option) === text.toLowerCase())
  if (wanted !== undefined) {
    return takesText(wanted) ? refused(`option ${text} takes a text: answer with that text`) : choose(options, wanted)
  }
  const offered = `${options.map(({ label, number }, index) => `${number ?? index + 1} ${label}`).join(", ")}${
    ticked ? ", or 'next' when all are ticked" : ""
  }`
  if (isNumber) return refused(`there is no option ${text}; on screen are: ${offered}`)
  const free = options.find(takesText)
  if (free === undefined) return refused(`this dialog takes no text; on screen are: ${offered}`)
  const before = typed(free)
  if (before !== null) return keys(...before === "" ? [] : [clear], text, enter)
  return free.number !== null && free.number <= 9
    ? keys(String(free.number), text, enter)
    : refused("the row for a text of one's own is too far down; answer it there (leap attach)")
}

/** While an own answer is typed, digits are text: Escape goes back to the options. */
const leave = (options: ReadonlyArray<DialogOption>): ReadonlyArray<string> =>
  options.some((option) => typed(option) !== null) ? [escape] : []

const choose = (options: ReadonlyArray<DialogOption>, option: DialogOption): AnswerKeys => {
  if (option.number !== null) {
    return option.number <= 9
      ? keys(...leave(options), String(option.number))
      : refused("an option behind the ninth has no key; answer it there (leap attach)")
  }
  // side by side, and the choice is shown by colour only
  const lit = options.flatMap(({ selected }, index) => selected ? [index] : [])
  const at = lit[0]
  if (at === undefined || lit.length > 1) return refused("the screen does not show which option is chosen; answer it there (leap attach)")
  const steps = options.indexOf(option) - at
  return steps === 0 ? keys(enter) : keys((steps < 0 ? left : right).repeat(Math.abs(steps)), enter)
}

/** How leap types into OpenCode. */
export const opencodeInput: InputProtocol = {
  bracketedPaste: true,
  submit: enter,
  // it wants the key twice
  interrupt: escape + escape,
  clear,
  // the first empties the box or declines a dialog, or ends it already
  quit: ["\u0003", "\u0003"],
  // It attaches what is pasted as a path; a mention attaches only what its own menu has put in.
  picture: { pasted: (path) => /\s/.test(path) ? `'${path}'` : path },
  showsPasted: showsPictures(/\[Image \d+\]/g, showsPasted),
  answer
}
