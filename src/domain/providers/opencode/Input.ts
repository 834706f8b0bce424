import { type AnswerKeys, type InputProtocol, usualKeys } from "../../cli/provider/InputProtocol.ts"
import { answering, hasDigit, labelled } from "../../cli/provider/AnswerTable.ts"
import { arrows, enter, keys, outOfReach, refused, tab, take } from "../../cli/provider/OptionKeys.ts"
import type { Dialog, DialogOption } from "../../words/session/Screen.ts"
import { showsPictures } from "../../engine/queue/MessageText.ts"
import { showsFolded } from "../../words/reading/TextShape.ts"
import { ownAnswer } from "./Dialog.ts"
import { commandFolder, type CommandSource } from "../../cli/provider/CommandSource.ts"
import { opencodeConfig } from "./Identity.ts"
import { namesIn } from "../../words/text/namesIn.ts"

const sideways = ["\u001b[D", "\u001b[C"] as const
/**
 * Escape in the kitty protocol, which OpenCode always reads. A plain Escape followed by a key in the same write would
 * be Alt.
 */
const escape = "\u001b[27u"

/**
 * Deletes the text after the cursor, then the text before it. Ctrl+C might end OpenCode, and Escape decline a dialog.
 */
const clear = "\u000b\u001b[3~".repeat(20) + "\u0015\u007f".repeat(20)

const folded = /^\[Pasted ~(\d+) lines?\]$/

const showsPasted = showsFolded(folded, ([, lines], text) => Number(lines) === text.trim().split(/\r\n?|\n/).length)

/** The option that takes a free text; its label has a colon while one is being typed. */
const takesText = ({ label }: DialogOption): boolean => /^(?:\[.\] )?Type your own answer(?:$|:)/.test(label)
const typedText = ({ label }: DialogOption): string | null => {
  const at = label.indexOf(`${ownAnswer}:`)
  return at < 0 ? null : label.slice(at + ownAnswer.length + 1).trim()
}

/** A question with several answers: a number ticks an option, and the key that sends them is on another page. */
const isMultiSelect = ({ options }: Dialog): boolean => options.some(({ label }) => /^\[.\] /.test(label))

/** While a free-text answer is typed, digits are text; Escape returns to the options. */
const leaveTextRow = (options: ReadonlyArray<DialogOption>): ReadonlyArray<string> =>
  options.some((option) => typedText(option) !== null) ? [escape] : []

const choose = (options: ReadonlyArray<DialogOption>, option: DialogOption): AnswerKeys => {
  if (option.number !== null) {
    return option.number <= 9
      ? keys(...leaveTextRow(options), String(option.number))
      : refused("an option behind the ninth has no key; answer it there (leap attach)")
  }
  // The options are side by side, and only the colour shows the selected one.
  return options.filter(({ selected }) => selected).length === 1
    ? take(arrows(options, option, sideways))
    : refused("the screen does not show which option is chosen; answer it there (leap attach)")
}

const answer = answering({
  first: ({ options }) => outOfReach(options),
  several: { is: isMultiSelect, send: ({ options }) => keys(...leaveTextRow(options), tab) },
  called: (options, text) => labelled(options, text, (label) => label.replace(/^\[.\] /, "").replace(/ ✓$/, "")),
  takesText,
  choose: ({ options }, option) => choose(options, option),
  type: (_dialog, option, text) => {
    const typedBefore = typedText(option)
    if (typedBefore !== null) return keys(...(typedBefore === "" ? [] : [clear]), text, enter)
    return hasDigit(option)
      ? keys(String(option.number), text, enter)
      : refused("the row for a text of one's own is too far down; answer it there (leap attach)")
  }
})

const ownCommands = namesIn(
  "compact details editor exit export help init models new redo sessions share themes undo unshare"
)

export const opencodeInput: InputProtocol = {
  ...usualKeys,
  // Its own commands run from the menu that opens while one is typed. Those from files run when pasted, too.
  typed: (text) => ownCommands.some((name) => text === `/${name}`),
  // The CLI wants the key twice.
  interrupt: escape + escape,
  clear,
  // The first key empties the box or declines a dialog, or already ends the CLI.
  quit: ["\u0003", "\u0003"],
  // OpenCode attaches a picture whose path is pasted; a mention attaches only what was chosen in its own menu.
  picture: { pasted: (path) => (/\s/.test(path) ? `'${path}'` : path) },
  showsPasted: showsPictures(/\[Image \d+\]/g, showsPasted),
  answer
}

export const opencodeCommands: CommandSource = {
  known: ownCommands,
  folders: (env, cwd) =>
    [`${cwd}/.opencode`, opencodeConfig(env)].flatMap((root) =>
      ["command", "commands"].map((name) => commandFolder(`${root}/${name}`, ".md", { between: "/" }))
    )
}
