import type { Detection } from "../Detection.ts"
import type { AnswerKeys, InputProtocol } from "../InputProtocol.ts"
import type { Dialog, DialogOption } from "../Screen.ts"
import { textShape } from "../TextShape.ts"
import { readDemoHook } from "./DemoHooks.ts"
import { cutDraft, freeLabel, readDemoScreen } from "./DemoScreen.ts"

/** What the bundled demo CLI shows and says. */
export const demoDetection: Detection = {
  readScreen: readDemoScreen,
  readHook: readDemoHook,
  readOwnStatus: () => [],
  readTranscript: () => [],
  tells: { programStatus: true, ownStatus: false, turnHooks: true }
}

const showsPasted = (draft: string, text: string): boolean => {
  const lines = text.split(/\r\n?|\n/)
  const shown = textShape(draft)
  if (shown === textShape(`[pasted ${lines.length} lines]`) || shown === textShape(`[pasted ${lines.join("\n").length} characters]`)) return true
  return draft.startsWith(cutDraft) && shown.length > 1
    ? textShape(text).endsWith(shown.slice(cutDraft.length))
    : shown === textShape(text)
}

const up = "\u001b[A"
const backspace = "\u007f"

const refused = (why: string): AnswerKeys => ({ _tag: "Refused", why })
const isFree = (option: DialogOption): boolean => option.label.startsWith(freeLabel)

/** Digits choose at once, but while the free row is selected they are text: then the selection moves away first. */
const answer = (dialog: Dialog, given: string): AnswerKeys => {
  const wanted = given.trim()
  const free = dialog.options.find(isFree)
  const numbered = dialog.options.find(({ label, number }) => String(number) === wanted || label.toLowerCase() === wanted.toLowerCase())
  if (numbered !== undefined && numbered !== free) {
    return { _tag: "Keys", writes: [...(free?.selected === true ? [up] : []), String(numbered.number)] }
  }
  const numbers = dialog.options.map(({ number }) => number).join(", ")
  if (wanted === "") return refused("the answer is empty")
  if (numbered !== undefined) return refused(`option ${wanted} takes a text of your own: answer with that text`)
  if (free === undefined || /^\d+$/.test(wanted)) return refused(`'${wanted}' is none of the options on screen (${numbers})`)
  const typed = [...free.label.slice(freeLabel.length).trim()].length
  const focus = free.selected ? (typed === 0 ? [] : [backspace.repeat(typed)]) : [String(free.number)]
  return { _tag: "Keys", writes: [...focus, wanted.replaceAll(/[\s\p{Cc}]+/gu, " "), "\r"] }
}

/** How leap types into the bundled demo CLI. */
export const demoInput: InputProtocol = {
  bracketedPaste: true,
  submit: "\r",
  interrupt: "\u001b",
  clear: "\u0015",
  quit: ["\u0004"],
  showsPasted,
  answer
}
