import { type AnswerKeys, type InputProtocol, usualKeys } from "../../cli/provider/InputProtocol.ts"
import { answering, labelled } from "../../cli/provider/AnswerTable.ts"
import { arrows, enter, keys, outOfReach, refused, take } from "../../cli/provider/OptionKeys.ts"
import type { Dialog, DialogOption } from "../../words/session/Screen.ts"
import { showsFolded } from "../../words/reading/TextShape.ts"
import { keysOf } from "./ScreenRows.ts"
import { commandFolder, type CommandSource } from "../../cli/provider/CommandSource.ts"
import { namesIn } from "../../words/text/namesIn.ts"

/** Moves to the end of the line, then deletes back over some twenty lines, two keys each. */
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

const takesText = ({ label }: DialogOption): boolean => /\btell the agent\b|\bpropose changes\b/i.test(label)

const isMultiSelect = ({ kind, options }: Dialog): boolean =>
  kind === "question" && options.some(({ label }) => /^(?:\[.\]|[☐☑☒]) /.test(label))

const choose = (options: Dialog["options"], option: DialogOption): AnswerKeys => {
  const key = keyOf(option)
  if (key !== null) return keys(key)
  return options.some(({ selected }) => selected)
    ? take(arrows(options, option))
    : refused("what the dialog's arrow stands on is not to be seen; answer it there (leap attach)")
}

const answer = answering({
  first: (dialog, text) => {
    if (dialog.kind === "elicitation") return keys(text, enter)
    if (dialog.options.length === 0) return outOfReach(dialog.options)
    return isMultiSelect(dialog) ? refused("this question takes several answers; answer it there (leap attach)") : null
  },
  called: (options, text) =>
    labelled(options, text, labelText) ?? options.find(({ label }) => keysOf(label).includes(text.toLowerCase())),
  takesText: (option) => takesText(option) && keyOf(option) !== null,
  choosesText: true,
  choose: ({ options }, option) => choose(options, option),
  type: (_dialog, option, text) => keys(keyOf(option) ?? "", text, enter),
  offer: (options) => options.map(({ label }, index) => `${index + 1} ${labelText(label)}`).join(", ")
})

const folded = /^\[Pasted [^\]\n]*?(?:\+(\d+) lines?)?\]$/

export const cursorAgentInput: InputProtocol = {
  ...usualKeys,
  // The key that the CLI itself names while it works. Escape closes its menus.
  interrupt: "\u0003",
  clear,
  quit: ["\u0004", "\u0004"],
  showsPasted: showsFolded(folded, ([, lines], text) => {
    const breaks = text.trimEnd().split(/\r\n?|\n/).length - 1
    return breaks > 0 && (lines === undefined || Math.abs(Number(lines) - breaks) <= 1)
  }),
  answer
}

export const cursorAgentCommands: CommandSource = {
  known: namesIn("auto-run clear compress feedback help logout mcp model quit resume rules vim"),
  folders: (env, cwd) =>
    [`${cwd}/.cursor`, `${env["HOME"] ?? ""}/.cursor`].map((root) => commandFolder(`${root}/commands`, ".md"))
}
