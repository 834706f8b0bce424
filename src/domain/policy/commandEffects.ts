import { commandName } from "./InnerCommands.ts"
import type { Target } from "./knownPrograms/Program.ts"
import { dependencyPath, placesOf } from "./knownPrograms/table.ts"
import { placesNamed } from "./Reach.ts"
import { takesText } from "./knownPrograms/shellPrograms.ts"
import { isSure, printsRevision, type ShellInput, type ShellWord } from "./ShellWords.ts"

/** A word with an unknown beginning that is still no option: a directory, or a loop's variable. */
const cannotBeOption = ({ globs, sure, text }: ShellWord, dashlessVariables: ReadonlySet<string>): boolean =>
  sure > 0
    ? !text.startsWith("-")
    : // no name that it finds is an option: that is looked up on disk
      (globs && dashlessVariables.has("*")) ||
      /^\$(?:HOME|PWD|\{HOME\}|\{PWD\})(?:\/|$)|^\$\((?:pwd|nproc)\)|^\$\?$/.test(text) ||
      printsRevision.test(text) ||
      dashlessVariables.has(/^\$\{?(\w+)\}?/.exec(text)?.[1] ?? "")

/** Whether a word with an unknown beginning is certainly no option, after the word `before`. */
const isOperand =
  (program: string, loops: ReadonlySet<string>) =>
  (word: ShellWord, before: ShellWord | undefined): boolean =>
    takesText(program, before?.text ?? "") || cannotBeOption(word, loops)

/**
 * What a command does to places; null if its arguments may make it do more. `named`: the text of the allowing pattern.
 * `loops`: variables that cannot begin with a dash.
 */
export const effectsOf = (
  [head, ...args]: ReadonlyArray<ShellWord>,
  input: ShellInput,
  patternText: string,
  loops: ReadonlySet<string>
): ReadonlyArray<Target> | null => {
  const path = head?.text ?? ""
  const program = commandName(path)
  const words = new Set(patternText.split(" ").slice(1))
  words.delete("*")
  const described = placesOf(program, args, input, isOperand(program, loops), words)
  if (described === undefined)
    return dependencyPath.test(path) && !patternText.startsWith(path) ? null : placesNamed(program, args)
  // A command that the pattern spells out is intended, in its own place.
  const isLiteralInPattern = args.length > 0 && args.every((word) => isSure(word) && words.has(word.text))
  return isLiteralInPattern
    ? (described ?? []).filter(({ effect }) => effect === "stay" || effect === "obey")
    : described
}
