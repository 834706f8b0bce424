import { commandNames } from "../domain/Tag.ts"

/** A command line, sorted before any parser sees it. */
export interface CommandLine {
  /** Words for leap's own parser. */
  readonly words: ReadonlyArray<string>
  /** Everything behind the first lone `--`, as it stands. */
  readonly rest: ReadonlyArray<string>
}

/**
 * Splits at the first lone `--` and gives the short forms their long ones: `leap <tag> …` is `leap start <tag> …`,
 * `leap queue <tag>` is `leap queue show <tag>`, `leap --reconfigure` is `leap hooks install`.
 */
export const parseCommandLine = (argv: ReadonlyArray<string>, queueVerbs: ReadonlySet<string>): CommandLine => {
  const end = argv.indexOf("--")
  const words = end < 0 ? argv : argv.slice(0, end)
  const rest = end < 0 ? [] : argv.slice(end + 1)
  const [first, second] = words
  if (first === undefined) return { words: ["start"], rest }
  if (first === "--reconfigure") return { words: ["hooks", "install", ...words.slice(1)], rest }
  if (first === "queue" && second !== undefined && !second.startsWith("-") && !queueVerbs.has(second)) {
    return { words: ["queue", "show", ...words.slice(1)], rest }
  }
  if (first.startsWith("-")) return { words, rest }
  if ((commandNames as ReadonlyArray<string>).includes(first)) return { words, rest }
  return { words: ["start", ...words], rest }
}
