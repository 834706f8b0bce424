import { type AnswerKeys, type InputProtocol, usualKeys } from "../../cli/provider/InputProtocol.ts"
import { answering, hasDigit, labelled, typeInto } from "../../cli/provider/AnswerTable.ts"
import { choose, enter, keys, keyTo, offer, outOfReach, refused, tab } from "../../cli/provider/OptionKeys.ts"
import type { Dialog, DialogOption } from "../../words/session/Screen.ts"
import { showsPictures } from "../../engine/queue/MessageText.ts"
import { showsFolded } from "../../words/reading/TextShape.ts"
import { commandFolder, type CommandSource } from "../../cli/provider/CommandSource.ts"
import { claudeDirectory } from "./Identity.ts"
import { namesIn } from "../../words/text/namesIn.ts"

/**
 * Moves to the end of the line, then deletes back over some twenty lines, two keys each. It must not be longer: the CLI
 * takes a write of more than some fifty bytes for a paste. Ctrl+C would also empty the box, but it interrupts a turn;
 * Escape twice in an empty box opens the list of checkpoints.
 */
const clear = `\u0005${"\u0015".repeat(40)}`

const folded = /^\[Pasted text #\d+(?: \+(\d+) lines?)?\]$/

const showsPasted = showsFolded(
  folded,
  ([, lines = "0"], text) => Number(lines) === text.trimEnd().split(/\r\n?|\n/).length - 1
)

const takesText = ({ label }: DialogOption): boolean =>
  /^(?:(?:\[.\] )?Type something\.?|Tell Claude what to change)$/.test(label)

/** A question with several answers: a number ticks an option, and all answers are sent together. */
const isMultiSelect = ({ options }: Dialog): boolean => options.some(({ label }) => /^\[.\] /.test(label))

/** An option that ends the CLI. Some dialogs have it first, where others have "yes". */
const endsIt = ({ label }: DialogOption): boolean => /^(?:No, )?exit\b/i.test(label)

/** In the look for a screen reader, numbers are typed and sent. A text goes to its option; a review takes yes or no. */
const answerTyped = ({ options }: Dialog, held: string, text: string): AnswerKeys => {
  // Text already in the field would become part of the answer.
  const typing = (...writes: ReadonlyArray<string>) =>
    keys(...(held === "" ? [] : ["\u007f".repeat([...held].length)]), ...writes)
  if (/^\d+(?:[ ,]+\d+)+$/.test(text) && text.split(/[ ,]+/).every((n) => options[Number(n) - 1]?.number != null))
    return typing(text, enter)
  const chosen = /^\d+$/.test(text)
    ? options[Number(text) - 1]
    : options.find(({ label }) => label.toLowerCase() === text.toLowerCase())
  const other = options.find(({ label }) => label === "Other")
  if (chosen !== undefined && chosen !== other)
    return typing(chosen.number === null ? (chosen === options[0] ? "y" : "n") : String(chosen.number), enter)
  if (/^\d+$/.test(text))
    return refused(
      chosen === undefined
        ? `there is no option ${text}; on screen are: ${offer(options)}`
        : `option ${text} takes a text: answer with that text`
    )
  return other?.number == null
    ? refused(`this dialog takes no text; on screen are: ${offer(options)}`)
    : typing(String(other.number), enter, text, enter)
}

/** A digit chooses at once, or moves to an option with a text field. In such an option a digit is text. */
const answer = answering({
  first: (dialog, text) =>
    outOfReach(dialog.options) ?? (dialog.typed === undefined ? null : answerTyped(dialog, dialog.typed, text)),
  several: { is: isMultiSelect, send: () => keys(tab) },
  called: (options, text) => labelled(options, text, (label) => label.replace(/^\[.\] /, "")),
  takesText,
  choose: (dialog, option, text) => {
    const { kind, options } = dialog
    if (text === "1" && endsIt(option))
      return refused(
        `option 1 is '${option.label}', which ends Claude Code: if that is meant, answer with its words; ` +
          `on screen are: ${offer(options)}`
      )
    const typing = options.some(
      (other) => other.selected && (takesText(other) || / tell Claude what to do /.test(other.label))
    )
    // Beside pictures a digit only moves to its option, and no text can be given.
    const isPictured = kind === "question" && !isMultiSelect(dialog) && !options.some(takesText)
    const moves = isPictured && options.some(({ selected }) => selected)
    return choose(options, option, hasDigit(option) && !typing && !moves)
  },
  type: (dialog, option, text) => {
    const move = keyTo(dialog.options, option, hasDigit(option))
    return isMultiSelect(dialog) ? keys(...(option.selected ? [] : [move]), text) : typeInto(option, move, text)
  }
})

export const claudeInput: InputProtocol = {
  ...usualKeys,
  clear,
  // The CLI wants the key twice.
  quit: ["\u0004", "\u0004"],
  // A mention attaches the image and stays unchanged; a bare path becomes a placeholder.
  showsPasted: showsPictures(/\[Image #\d+\]/g, showsPasted),
  answer
}

export const claudeCommands: CommandSource = {
  known: namesIn(
    `add-dir agents bug clear compact config context cost doctor exit export help hooks init login logout mcp
      memory model permissions resume review rewind status statusline usage vim`
  ),
  folders: (env, cwd) =>
    [`${cwd}/.claude`, claudeDirectory(env)].flatMap((root) => [
      commandFolder(`${root}/commands`, ".md", { between: ":" }),
      commandFolder(`${root}/skills`, "/SKILL.md")
    ])
}
