import { commandNames } from "../session/tagRules.ts"

const word = /^[a-z][a-z-]*$/

/**
 * The words of the command whose help page a command line asks for, and nothing else: `leap queue edit --help`,
 * `leap help queue edit`; none for leap's own. Null for every other line. Whether there is such a page is not said.
 */
export const helpWords = (argv: ReadonlyArray<string>): ReadonlyArray<string> | null => {
  const isFlagged = argv.at(-1) === "--help" || argv.at(-1) === "-h"
  if (argv[0] !== "help" && !isFlagged) return null
  const words = argv[0] === "help" ? argv.slice(1) : argv.slice(0, -1)
  const [first] = words
  const isCommand = first === undefined || (commandNames as ReadonlyArray<string>).includes(first)
  return isCommand && words.every((one) => word.test(one)) ? words : null
}
