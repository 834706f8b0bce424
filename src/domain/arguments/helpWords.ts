import { commandNames } from "../session/tagRules.ts"

const word = /^[a-z][a-z-]*$/

/**
 * The words of the command whose help page a command line asks for, and nothing else: `leap queue edit --help`,
 * `leap help queue edit`; none for leap's own. Null for every other line. Whether there is such a page is not said.
 */
export const helpWords = (argv: ReadonlyArray<string>): ReadonlyArray<string> | null => {
  const [first, second] = argv
  const isCommand = (name: string | undefined) => (commandNames as ReadonlyArray<string | undefined>).includes(name)
  const isNamed = first === "help" && second !== undefined && !second.startsWith("-")
  const flagged = argv.at(-1) === "--help" || argv.at(-1) === "-h"
  const words = isNamed ? argv.slice(1) : first === "help" ? [] : flagged ? argv.slice(0, -1) : null
  if (words === null || (first === "help" && argv.length > 1 && !isNamed)) return null
  return words.every((one) => word.test(one)) && (words.length === 0 || isCommand(words[0])) ? words : null
}
