import { commandName } from "./InnerCommands.ts"
import { isReader } from "./directoryEffects.ts"
import { placesIn, setOf, type Target } from "./knownPrograms/Program.ts"
import { dependencyPath, placesOf } from "./knownPrograms/table.ts"
import { takesText } from "./knownPrograms/shellPrograms.ts"
import { isSure, plainWord, printsRevision, type ShellInput, type ShellWord, type Words } from "./ShellWords.ts"

/** The shell computes the word's beginning, but it cannot be an option: a directory, an exit code, a revision. */
const cannotBeOption = ({ globs, sure, text }: ShellWord, undashed: ReadonlySet<string>): boolean =>
  sure > 0
    ? !text.startsWith("-")
    : // no name that it finds is an option: that is looked up on disk
      (globs && undashed.has("*")) ||
      /^\$(?:HOME|PWD|\{HOME\}|\{PWD\})(?:\/|$)|^\$\((?:pwd|nproc)\)|^\$\?$/.test(text) ||
      printsRevision.test(text) ||
      undashed.has(/^\$\{?(\w+)\}?/.exec(text)?.[1] ?? "")

/** Whether a word with an unknown beginning, after the word `before`, is certainly not an option. */
const isOperand =
  (program: string, undashed: ReadonlySet<string>) =>
  (word: ShellWord, before: ShellWord | undefined): boolean =>
    takesText(program, before?.text ?? "") || cannotBeOption(word, undashed)

const ofOtherPlaces = setOf("docker podman kubectl terraform gh curl")

/** The places that a command with an unknown program may change: the program's own, and those that its words name. */
const placesNamed = (program: string, args: Words): ReadonlyArray<Target> =>
  isReader(program) || ofOtherPlaces.has(program) ? [] : [{ effect: "stay", word: plainWord(".") }, ...placesIn(args)]

/**
 * The effects of a command on files and directories; null if an argument may have an unknown effect. `patternText`: the
 * allow rule's. `undashed`: variables whose values never begin with a dash; `*`: nor does a name that a wildcard finds.
 */
export const effectsOf = (
  [head, ...args]: Words,
  input: ShellInput,
  patternText: string,
  undashed: ReadonlySet<string>
): ReadonlyArray<Target> | null => {
  const path = head?.text ?? ""
  const program = commandName(path)
  const words = new Set(patternText.split(" ").slice(1))
  words.delete("*")
  const described = placesOf(program, args, input, isOperand(program, undashed), words)
  if (described === undefined)
    return dependencyPath.test(path) && !patternText.startsWith(path) ? null : placesNamed(program, args)
  // If the rule contains every argument literally, the user allows the effects on the named files, not the directory.
  const isLiteralInPattern = args.length > 0 && args.every((word) => isSure(word) && words.has(word.text))
  return isLiteralInPattern
    ? (described ?? []).filter(({ effect }) => effect === "stay" || effect === "obey")
    : described
}
