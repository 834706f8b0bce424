import { commandNames } from "./Tag.ts"

/** A command line, sorted before any parser sees it. */
export interface CommandLine {
  /** Words for leap's own parser. */
  readonly words: ReadonlyArray<string>
  /** Everything behind the first lone `--`, as it stands, where it is for the hosted CLI. */
  readonly rest: ReadonlyArray<string>
}

/** A command whose words are texts of the user's, which may look like flags: only these flags are flags. */
interface TextCommand {
  readonly words: ReadonlyArray<string>
  readonly flags: ReadonlySet<string>
  readonly valued: ReadonlySet<string>
}

const everywhere = ["--help", "-h", "--log-level", "--completions"]
const textCommands: ReadonlyArray<TextCommand> = [
  { words: ["send"], flags: new Set([...everywhere, "--front", "--force", "--wait", "--json"]), valued: new Set(["--image", "--timeout", "--log-level"]) },
  { words: ["answer"], flags: new Set([...everywhere, "--json"]), valued: new Set(["--log-level"]) },
  { words: ["queue", "edit"], flags: new Set(everywhere), valued: new Set(["--log-level"]) }
]

/** Flags whose values are flags themselves, or may look like some: `leap clis edit claude --flags "--model opus"`. */
const quoting: ReadonlySet<string> = new Set(["--flags", "--env", "--name", "--command"])

/** The same of the commands that take a prompt. */
const promptFlags: ReadonlySet<string> = new Set(["--system-prompt"])

/** Binds such a flag to the word behind it, whatever that looks like. */
const bindNext = (words: ReadonlyArray<string>, flags: ReadonlySet<string>): ReadonlyArray<string> => {
  const result: Array<string> = []
  for (let i = 0; i < words.length; i++) {
    const next = words[i + 1]
    if (flags.has(words[i]!) && next !== undefined) {
      result.push(`${words[i]}=${next}`)
      i++
    } else result.push(words[i]!)
  }
  return result
}

/** Commands whose one operand is a prompt. */
const prompting: ReadonlySet<string> = new Set(["exec", "chat"])

/** A word that begins like a flag and has a blank in its name is none: it is a prompt, a list of points, say. */
const isText = (word: string): boolean => /^-[^=]*\s/.test(word)

/** The prompt behind a lone `--`, where the parser leaves it alone, whatever it looks like. */
const prompted = (words: ReadonlyArray<string>): ReadonlyArray<string> => {
  const bound = bindNext(words, promptFlags)
  const texts = bound.filter(isText)
  return texts.length === 0 ? bound : [...bound.filter((word) => !isText(word)), "--", ...texts]
}

/** Flags first, and all else behind a lone `--`, where the parser leaves it alone. */
const texts = (command: TextCommand, words: ReadonlyArray<string>, rest: ReadonlyArray<string>): ReadonlyArray<string> => {
  const flags: Array<string> = []
  const operands: Array<string> = []
  for (let i = command.words.length; i < words.length; i++) {
    const word = words[i]!
    const name = word.split("=", 1)[0]!
    if (command.flags.has(word) || word !== name && command.valued.has(name)) flags.push(word)
    else if (command.valued.has(word) && i + 1 < words.length) flags.push(word, words[++i]!)
    else operands.push(word)
  }
  return [...command.words, ...flags, "--", ...operands, ...rest]
}

/**
 * Splits at the first lone `--` and gives the short forms their long ones: `leap <tag> …` is `leap start <tag> …`,
 * `leap queue <tag>` is `leap queue show <tag>`, `leap help <command>` is `leap <command> --help`, `leap --reconfigure` is
 * `leap hooks install`, `leap --resume` is `leap resume`.
 */
export const parseCommandLine = (argv: ReadonlyArray<string>, queueVerbs: ReadonlySet<string>): CommandLine => {
  const end = argv.indexOf("--")
  const words = end < 0 ? argv : argv.slice(0, end)
  const rest = end < 0 ? [] : argv.slice(end + 1)
  const [first, second] = words
  if (first === undefined) return { words: ["start"], rest }
  if (first === "--reconfigure") return { words: ["hooks", "install", ...words.slice(1)], rest }
  if (first === "--resume") return { words: ["resume", ...words.slice(1)], rest }
  if (first === "help") return { words: [...words.slice(1), "--help"], rest }
  const textual = textCommands.find((command) => command.words.every((word, i) => words[i] === word))
  if (textual !== undefined) return { words: texts(textual, words, rest), rest: [] }
  if (first === "queue" && second !== undefined && !second.startsWith("-") && !queueVerbs.has(second)) {
    return { words: ["queue", "show", ...words.slice(1)], rest }
  }
  if (first === "clis") return { words: bindNext(words, quoting), rest }
  if (prompting.has(first)) return { words: prompted(words), rest }
  if (first.startsWith("-")) return { words, rest }
  if ((commandNames as ReadonlyArray<string>).includes(first)) return { words, rest }
  return { words: ["start", ...words], rest }
}

/**
 * The command that a word is with two neighbouring letters swapped, or null. Nothing looser: any other word may be the tag
 * that its user wants.
 */
export const commandLike = (word: string): string | null =>
  commandNames.find((name) =>
    name !== word && name.length === word.length &&
    [...name].some((_, i) => name.slice(0, i) + (name[i + 1] ?? "") + name[i] + name.slice(i + 2) === word)
  ) ?? null
