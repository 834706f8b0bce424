import { type InputProtocol, usualKeys } from "../../cli/provider/InputProtocol.ts"
import { answering, hasDigit, labelled, typeInto } from "../../cli/provider/AnswerTable.ts"
import { choose, enter, keys, keyTo, outOfReach, refused } from "../../cli/provider/OptionKeys.ts"
import type { Dialog, DialogOption } from "../../words/session/Screen.ts"
import { textShape } from "../../words/reading/TextShape.ts"
import { answerField } from "./Dialog.ts"
import type { CommandSource } from "../../cli/provider/CommandSource.ts"
import { namesIn } from "../../words/text/namesIn.ts"

const space = " "

/**
 * Moves to the end of the text, then deletes line by line back to its beginning; there further keys only leave the
 * shell's box. Backspace comes first: Ctrl+U only hides an attachment, and the next message would carry it. Repeated
 * keys of one kind would count as a paste. Ctrl+C also empties the box, but it stops a turn.
 */
const clear = `\u001b[1;5F${"\u007f\u0015".repeat(20)}\u007f`

/** The box's text for a picture's pasted path, if that is the whole text. */
const attached = /^\[📷 ([^\]]+)\]$/u
const fileName = (path: string): string =>
  path
    .trim()
    .replace(/^(['"])([^]*)\1$/, "$2")
    .replaceAll(/\\(.)/g, "$1")
    .replace(/^[^]*\//, "")

const folded = /^\[Paste #\d+ - (\d+) lines\]$/
const saved = /^\[Saved pasted content to workspace \(([\d.]+) ([KM]i?B)\) id=\d+\]$/

const showsPasted = (draft: string, text: string): boolean => {
  const draftText = draft.trim()
  const picture = attached.exec(draftText)?.[1]
  if (picture !== undefined && picture === fileName(text)) return true
  const lines = folded.exec(draftText)
  if (lines !== null) return Number(lines[1]) === text.trimEnd().split(/\r\n?|\n/).length
  const size = saved.exec(draftText)
  if (size !== null)
    return isNear(Number(size[1]) * (size[2]?.startsWith("K") === true ? 1 : 1_000), text.length / 1_000)
  const shape = textShape(draftText)
  const whole = textShape(text)
  // The box has a maximum height and shows the end of a longer text.
  const isTail = draft.split("\n").length >= boxRows && whole.endsWith(shape)
  return shape !== "" && (shape === whole || isTail)
}

const boxRows = 10

/** Whether a rounded size in kilobytes fits this many thousand characters of one to four bytes each. */
const isNear = (kilobytes: number, thousands: number): boolean =>
  kilobytes >= thousands * 0.9 && kilobytes <= thousands * 4.1

const takesText = (option: DialogOption, { kind, options }: Dialog): boolean =>
  option.label === answerField ||
  /^(?:[✓•] )?Other \(type your answer|^No, and tell Copilot what to do\b|\(Esc to stop\)$/.test(option.label) ||
  (kind === "plan" && option === options.at(-1))

/** A question with several answers: the space bar ticks an option, and all answers are sent together. */
const isMultiSelect = ({ options }: Dialog): boolean => options.some(({ label }) => /^[✓•] /.test(label))

/** While an option that takes a text is selected, digits are text. */
const isTyping = (dialog: Dialog): boolean =>
  dialog.options.some((option) => option.selected && takesText(option, dialog))

const answer = answering({
  first: ({ options }, text) =>
    options.length === 0
      ? refused("the dialog's options are not all on screen; answer it there (leap attach)")
      : (outOfReach(options) ?? (options.some(({ label }) => label === answerField) ? keys(text, enter) : null)),
  several: { is: isMultiSelect, send: () => keys(enter) },
  called: (options, text) => labelled(options, text, (label) => label.replace(/^[✓•] | \(Esc\)$/g, "")),
  takesText,
  choose: (dialog, option) =>
    choose(dialog.options, option, hasDigit(option) && !isTyping(dialog), isMultiSelect(dialog) ? space : enter),
  // On an option that takes a text, a digit only moves the selection there.
  type: (dialog, option, text) =>
    typeInto(option, keyTo(dialog.options, option, hasDigit(option) && !isTyping(dialog)), text)
})

export const copilotInput: InputProtocol = {
  ...usualKeys,
  // One key, whatever is in the box. Escape would have to be pressed twice, with a pause, and before a turn's first
  // output it puts the prompt back into the box instead.
  interrupt: "\u0003",
  clear,
  quit: ["\u0004"],
  showsPasted,
  answer
}

export const copilotCommands: CommandSource = {
  known: namesIn(
    `add-dir clear cwd exit feedback help list-dirs login logout mcp model reset-allowed-tools session theme
      usage user`
  ),
  folders: () => []
}
