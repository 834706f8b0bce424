import { type AnswerKeys, type InputProtocol, usualKeys } from "../../cli/provider/InputProtocol.ts"
import { answering, labelled, typeInto } from "../../cli/provider/AnswerTable.ts"
import { choose, enter, keys, keyTo, offer, outOfReach, refused } from "../../cli/provider/OptionKeys.ts"
import type { DialogOption } from "../../words/session/Screen.ts"
import { showsPictures } from "../../engine/queue/MessageText.ts"
import { showsFolded, showsText } from "../../words/reading/TextShape.ts"
import { customAnswer, doneTicking, submitAnswers, textField } from "./Dialog.ts"
import { commandFolder, type CommandSource } from "../../cli/provider/CommandSource.ts"
import { geminiHome } from "./Identity.ts"
import { namesIn } from "../../words/text/namesIn.ts"

/**
 * Moves to the end of the line, then deletes back over some twenty lines: Ctrl+U empties a line, and Backspace joins it
 * with the one above and removes a folded paste as a whole. Ctrl+C would also empty the box, but it interrupts a turn,
 * and in an empty box it is half of a quit; Escape twice in an empty box opens the list of checkpoints.
 */
const clear = `\u0005${"\u0015\u007f".repeat(20)}`

/** Pastes of more than 5 lines or 500 characters are folded; equal ones are numbered. */
const folded = /^\[Pasted Text: (\d+) (lines|chars)(?: #\d+)?\]$/

export const mentionOf = (path: string): string => `@${path.replaceAll(/[\s()[\]{};|*?$`'"#&<>!~\\]/g, "\\$&")}`

const showsWhole = showsFolded(folded, ([, count, unit], text) => {
  const pasted = text.replaceAll(/\r\n?/g, "\n")
  const lines = pasted.split("\n").length
  return unit === "chars" ? lines <= 5 && pasted.length === Number(count) : lines === Number(count)
})

const showsPasted = (draft: string, text: string): boolean =>
  showsWhole(draft, text) || showsText(draft, mentionOf(text.trim()))

type Options = ReadonlyArray<DialogOption>

const labelText = (label: string): string => label.replace(/^\[.\] /, "")
const takesText = ({ label }: DialogOption): boolean => labelText(label).startsWith(customAnswer)

const isDone = ({ label, number }: DialogOption): boolean => number === null && label === doneTicking

/** Answers pages without options; null: the page has options. */
const pageAnswer = (options: Options, text: string): AnswerKeys | null => {
  const [only] = options
  if (only === undefined) return outOfReach(options)
  if (only.number === null && only.label.startsWith(textField)) return keys(text, enter)
  if (only.number !== null || only.label !== submitAnswers) return null
  return /^(?:1|yes|submit(?: answers)?|next)$/i.test(text)
    ? keys(enter)
    : refused(`this page only sends the answers: answer with 1`)
}

const numberedOf = (options: Options): Options => options.filter(({ number }) => number !== null)

/** A digit chooses its option, or moves to one with a text. From ten options on the CLI waits for a second digit. */
const isDigit = (options: Options, { number }: DialogOption): boolean => number !== null && options.length <= 9

const answer = answering({
  first: ({ options }, text) => {
    const numbered = numberedOf(options)
    const page = pageAnswer(options, text) ?? (numbered.length === 0 ? null : outOfReach(numbered))
    const done = options.find(isDone)
    if (page !== null || done === undefined || !/^(?:next|submit|done)$/i.test(text)) return page
    return choose(options, done, false)
  },
  isNumbered: true,
  called: (options, text) =>
    labelled(options, text.replace(/ \(esc\)$/i, ""), (label) => labelText(label).replace(/ \(esc\)$/, "")),
  takesText,
  choose: ({ options }, option) => {
    // On the free-text option a digit is text.
    const typing = options.some((other) => other.selected && takesText(other))
    return choose(options, option, isDigit(options, option) && !typing)
  },
  type: ({ options }, option, text) => typeInto(option, keyTo(options, option, isDigit(options, option)), text),
  offer: (options) => offer(numberedOf(options), options.some(isDone))
})

/** An Enter within 40 ms of a paste (30 of a key) makes a new line. */
export const geminiInput: InputProtocol = {
  ...usualKeys,
  clear,
  // The CLI wants the key twice.
  quit: ["\u0003", "\u0003"],
  picture: { mention: mentionOf },
  showsPasted: showsPictures(/\[Image [^\]\n]*\]/g, showsPasted),
  answer
}

export const geminiCommands: CommandSource = {
  known: namesIn(
    `about auth bug chat clear compress copy directory docs editor extensions help ide init mcp memory model
      privacy quit restore settings stats theme tools vim`
  ),
  folders: (env, cwd) =>
    [`${cwd}/.gemini`, geminiHome(env)].map((root) => commandFolder(`${root}/commands`, ".toml", { between: ":" }))
}
