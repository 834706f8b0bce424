import { type AnswerKeys, type InputProtocol, usualKeys } from "../../cli/provider/InputProtocol.ts"
import { refused } from "../../cli/provider/OptionKeys.ts"
import { textShape } from "../../words/reading/TextShape.ts"
import type { Dialog, DialogOption } from "../../words/session/Screen.ts"
import { cutDraft, freeLabel } from "./Screen.ts"
import { commandFolder, type CommandSource } from "../../cli/provider/CommandSource.ts"

const showsPasted = (draft: string, text: string): boolean => {
  const lines = text.split(/\r\n?|\n/)
  const draftShape = textShape(draft)
  if (
    draftShape === textShape(`[pasted ${lines.length} lines]`) ||
    draftShape === textShape(`[pasted ${lines.join("\n").length} characters]`)
  )
    return true
  return draft.startsWith(cutDraft) && draftShape.length > 1
    ? textShape(text).endsWith(draftShape.slice(cutDraft.length))
    : draftShape === textShape(text)
}

const up = "\u001b[A"
const backspace = "\u007f"

const takesText = (option: DialogOption): boolean => option.label.startsWith(freeLabel)

/** Digits choose at once. While the free-text option is selected they are text, so the selection moves away first. */
const answer = (dialog: Dialog, answerText: string): AnswerKeys => {
  const text = answerText.trim()
  const textOption = dialog.options.find(takesText)
  const numbered = dialog.options.find(
    ({ label, number }) => number !== null && (String(number) === text || label.toLowerCase() === text.toLowerCase())
  )
  if (numbered !== undefined && numbered !== textOption) {
    return { _tag: "Keys", writes: [...(textOption?.selected === true ? [up] : []), String(numbered.number)] }
  }
  const numbers = dialog.options.map(({ number }) => number).join(", ")
  if (text === "") return refused("the answer is empty")
  if (numbered !== undefined) return refused(`option ${text} takes a text of your own: answer with that text`)
  if (textOption === undefined || /^\d+$/.test(text))
    return refused(`'${text}' is none of the options on screen (${numbers})`)
  const typed = [...textOption.label.slice(freeLabel.length).trim()].length
  const focus = textOption.selected ? (typed === 0 ? [] : [backspace.repeat(typed)]) : [String(textOption.number)]
  return { _tag: "Keys", writes: [...focus, text.replaceAll(/[\s\p{Cc}]+/gu, " "), "\r"] }
}

export const demoInput: InputProtocol = {
  ...usualKeys,
  clear: "\u0015",
  quit: ["\u0004"],
  showsPasted,
  answer
}

/** Commands of the bundled demo CLI; those in a project's `.demo/commands` are only offered. */
export const demoCommands: CommandSource = {
  known: ["exit", "help", "model"],
  folders: (_env, cwd) => [commandFolder(`${cwd}/.demo/commands`, ".md", { between: ":" })]
}
