import type { AnswerKeys, InputProtocol } from "../../cli/provider/InputProtocol.ts"
import { keys, refused, typedAnswer } from "../../cli/provider/OptionKeys.ts"
import type { Dialog, DialogOption } from "../../words/session/Screen.ts"
import { textShape } from "../../words/reading/TextShape.ts"
import { keysOf } from "./ScreenRows.ts"

const enter = "\r"
const up = "\u001b[A"
const down = "\u001b[B"

/** To the end of the line, then back over some twenty lines, two keys each. */
const clear = `\u0005${"\u0015".repeat(40)}`

const keyBytes: Readonly<Record<string, string>> = { esc: "\u001b", enter, tab: "\t", "shift+tab": "\u001b[Z" }

/** The key that chooses an option: its letter, else the named key. */
const keyOf = ({ label }: DialogOption): string | null => {
  const all = keysOf(label)
  const letter = all.find((key) => key.length === 1)
  return letter ?? all.map((key) => keyBytes[key]).find((key) => key !== undefined) ?? null
}

const labelText = (label: string): string =>
  label
    .replace(/^\[[a-z]\] /i, "")
    .replace(/\s*\([^()]*\)(?: \(enter\))?$/i, "")
    .replace(/^\d+\. /, "")
    .trim()

/** An option that is followed by a request for a text. */
const takesText = ({ label }: DialogOption): boolean => /\btell the agent\b|\bpropose changes\b/i.test(label)

const isMultiSelect = ({ kind, options }: Dialog): boolean =>
  kind === "question" && options.some(({ label }) => /^(?:\[.\]|[☐☑☒]) /.test(label))

const answer = (dialog: Dialog, answerText: string): AnswerKeys => {
  const { kind, options } = dialog
  const text = typedAnswer(answerText)
  if (text === "") return refused("the answer is empty")
  if (kind === "elicitation") return keys(text, enter)
  if (options.length === 0)
    return refused("the dialog on screen has no options to choose from; answer it there (leap attach)")
  if (isMultiSelect(dialog)) return refused("this question takes several answers; answer it there (leap attach)")
  const isNumber = /^\d+$/.test(text)
  const chosen = isNumber
    ? options[Number(text) - 1]
    : (options.find(({ label }) => labelText(label).toLowerCase() === text.toLowerCase()) ??
      options.find(({ label }) => keysOf(label).includes(text.toLowerCase())))
  if (chosen !== undefined) return choose(dialog, chosen)
  const offered = options.map(({ label }, index) => `${index + 1} ${labelText(label)}`).join(", ")
  if (isNumber) return refused(`there is no option ${text}; on screen are: ${offered}`)
  const textOption = options.find(takesText)
  const textOptionKey = textOption === undefined ? null : keyOf(textOption)
  return textOptionKey === null
    ? refused(`this dialog takes no text; on screen are: ${offered}`)
    : keys(textOptionKey, text, enter)
}

const choose = ({ options }: Dialog, option: DialogOption): AnswerKeys => {
  const key = keyOf(option)
  if (key !== null) return keys(key)
  const from = options.findIndex(({ selected }) => selected)
  if (from < 0) return refused("what the dialog's arrow stands on is not to be seen; answer it there (leap attach)")
  const steps = options.indexOf(option) - from
  return steps === 0 ? keys(enter) : keys((steps < 0 ? up : down).repeat(Math.abs(steps)), enter)
}

const folded = /^\[Pasted [^\]\n]*?(?:\+(\d+) lines?)?\]$/

/** How leap types into Cursor Agent. */
export const cursorAgentInput: InputProtocol = {
  bracketedPaste: true,
  submit: enter,
  // The key that the CLI itself names while it works. Escape closes its menus.
  interrupt: "\u0003",
  clear,
  quit: ["\u0004", "\u0004"],
  showsPasted: (draft, text) => {
    const placeholder = folded.exec(draft.trim())
    if (placeholder !== null) {
      const breaks = text.trimEnd().split(/\r\n?|\n/).length - 1
      return breaks > 0 && (placeholder[1] === undefined || Math.abs(Number(placeholder[1]) - breaks) <= 1)
    }
    const draftShape = textShape(draft)
    return draftShape !== "" && draftShape === textShape(text)
  },
  answer
}
