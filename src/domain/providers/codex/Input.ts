import { type InputProtocol, usualKeys } from "../../cli/provider/InputProtocol.ts"
import { answering, hasDigit } from "../../cli/provider/AnswerTable.ts"
import { arrows, choose, enter, keys, outOfReach, tab } from "../../cli/provider/OptionKeys.ts"
import type { Dialog } from "../../words/session/Screen.ts"
import { showsPictures } from "../../engine/queue/MessageText.ts"
import { showsFolded } from "../../words/reading/TextShape.ts"
import { commandFolder, type CommandSource } from "../../cli/provider/CommandSource.ts"
import { codexHome } from "./Identity.ts"
import { namesIn } from "../../words/text/namesIn.ts"

/**
 * Moves down over at most eight line ends (at the end of a line the key goes to the next line's end), then deletes back
 * over some twenty lines, two keys each. The sequence is not longer because Codex draws a frame for each key. Ctrl+C
 * would also empty the box, but it stops a turn, and on an empty box it ends the CLI.
 */
const clear = "\u0005".repeat(8) + "\u0015".repeat(40)

/** Pastes of more than 1,000 characters are folded; a second one of the same length gets a number. */
const folded = /^\[Pasted Content (\d+) chars\](?: #\d+)?$/

const showsPasted = showsFolded(
  folded,
  ([, count], text) => Array.from(text.replaceAll(/\r\n?/g, "\n")).length === Number(count)
)

const labelText = (label: string): string => label.replace(/ \((?:\w|esc)\)$/, "").toLowerCase()

/** The dialogs during a turn, in which a digit chooses at once. */
const digitKinds: ReadonlySet<Dialog["kind"]> = new Set(["permission", "question", "plan"])

const answer = answering({
  first: ({ options }) => (options.length === 0 ? outOfReach(options) : null),
  isNumbered: true,
  called: (options, text) => options.find(({ label }) => labelText(label) === labelText(text)),
  // The option for a free-text answer, which is entered as its notes.
  takesText: ({ label }, { kind }) => kind === "question" && label === "None of the above",
  choosesText: true,
  choose: ({ kind, options }, option) => choose(options, option, digitKinds.has(kind) && hasDigit(option)),
  type: ({ options }, option, text) => {
    const move = arrows(options, option)
    return keys(...(move === "" ? [] : [move]), tab, text, enter)
  },
  offer: (options) => options.map(({ label, number }) => `${number} ${label}`).join(", ")
})

export const codexInput: InputProtocol = {
  ...usualKeys,
  clear,
  quit: ["\u0004"],
  // Codex attaches a picture whose path is pasted; it reads a mention as plain text.
  picture: { pasted: (path) => (/\s/.test(path) ? `'${path}'` : path) },
  showsPasted: showsPictures(/\[Image #\d+\]/g, showsPasted),
  answer
}

export const codexCommands: CommandSource = {
  known: namesIn(
    "approvals clear compact diff exit feedback init logout mcp mention model new quit resume review status"
  ),
  folders: (env) => [commandFolder(`${codexHome(env)}/prompts`, ".md", { prefix: "prompts:" })]
}
