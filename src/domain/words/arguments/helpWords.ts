import { commandNames } from "../session/tagRules.ts"

/** The word after `leap help` that lists all commands. The page is stored under this word. */
export const allCommands = "--all"

const word = /^[a-z][a-z-]*$/

/**
 * The words of the command whose help page a command line asks for: `leap queue edit --help`, `leap help queue edit`;
 * none for leap's own page, `--all` for that of all commands. Null for every other line. The page need not exist.
 */
export const helpWords = (argv: ReadonlyArray<string>): ReadonlyArray<string> | null => {
  if (argv.length === 2 && argv[0] === "help" && argv[1] === allCommands) return [allCommands]
  const isFlagged = argv.at(-1) === "--help" || argv.at(-1) === "-h"
  if (argv[0] !== "help" && !isFlagged) return null
  const words = argv[0] === "help" ? argv.slice(1) : argv.slice(0, -1)
  const [first] = words
  const isCommand = first === undefined || commandNames.includes(first)
  return isCommand && words.every((one) => word.test(one)) ? words : null
}
