import { completionShells } from "./completionShells.ts"
import { commandNames } from "../session/tagRules.ts"

export interface CommandLine {
  readonly words: ReadonlyArray<string>
  /** Everything after the first lone `--`, unchanged, if it is for the hosted CLI. */
  readonly rest: ReadonlyArray<string>
}

/** A command with texts as arguments, which may look like flags: only the flags listed here are flags. */
interface TextCommand {
  readonly words: ReadonlyArray<string>
  readonly flags: ReadonlySet<string>
  readonly valued: ReadonlySet<string>
  /** Flags that count only before the text: within it they must not send it to other sessions. */
  readonly leading?: { readonly flags: ReadonlySet<string>; readonly valued: ReadonlySet<string> }
}

const commonFlags = ["--help", "-h"]
const commonValued = ["--log-level", "--completions"]
const textCommands: ReadonlyArray<TextCommand> = [
  {
    words: ["send"],
    flags: new Set([...commonFlags, "--front", "--force", "--wait", "--json", "--after-background", "--after-reset"]),
    valued: new Set(["--id", "--image", "--timeout", "--at", "--after", ...commonValued]),
    leading: { flags: new Set(["--all"]), valued: new Set(["--tags"]) }
  },
  { words: ["answer"], flags: new Set([...commonFlags, "--json"]), valued: new Set(commonValued) },
  { words: ["queue", "edit"], flags: new Set(commonFlags), valued: new Set(commonValued) }
]

/** Flags of `leap clis` whose values may look like flags: `leap clis edit claude --flags "--model opus"`. */
const commandFlags: ReadonlySet<string> = new Set([
  "--flags",
  "--env",
  "--name",
  "--command",
  "--box",
  "--busy",
  "--done",
  "--dialog"
])

/** Such flags of the commands that take a prompt. */
const promptFlags: ReadonlySet<string> = new Set(["--system-prompt"])

/** Joins each of these flags with the next word (`--flag=word`), even if that looks like a flag. */
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

/** `--worktree` without a name, in the parser's form: the next word is the name, unless it is a flag or missing. */
const worktreeNamed = (words: ReadonlyArray<string>): ReadonlyArray<string> =>
  words.map((word, i) => (word === "--worktree" && words[i + 1]?.startsWith("-") !== false ? "--worktree=" : word))

/** `leap help <command>` is that command's own help; any other word is a page of the documents. */
const helpArguments = (words: ReadonlyArray<string>): ReadonlyArray<string> => {
  const [, name, ...more] = words
  if (name === undefined || name.startsWith("-")) return ["--help"]
  return commandNames.includes(name) ? [name, ...more, "--help"] : words
}

const promptCommands: ReadonlySet<string> = new Set(["exec", "chat"])

/** A word that begins like a flag, but has a blank in its name, is a prompt (a bulleted list, for example). */
const isText = (word: string): boolean => /^-[^=]*\s/.test(word)

/** The words with the prompt after a lone `--`, so that the parser never takes a part of it for a flag. */
const promptArguments = (words: ReadonlyArray<string>): ReadonlyArray<string> => {
  const bound = bindNext(words, promptFlags)
  const texts = bound.filter(isText)
  return texts.length === 0 ? bound : [...bound.filter((word) => !isText(word)), "--", ...texts]
}

/** The words with flags first and all others after a lone `--`: the parser never takes one of those for a flag. */
const textArguments = (
  command: TextCommand,
  words: ReadonlyArray<string>,
  rest: ReadonlyArray<string>
): ReadonlyArray<string> => {
  const flags: Array<string> = []
  const operands: Array<string> = []
  for (let i = command.words.length; i < words.length; i++) {
    const word = words[i]!
    const name = word.split("=", 1)[0]!
    const leading = operands.length === 0 ? command.leading : undefined
    const isValued = (flag: string) => command.valued.has(flag) || leading?.valued.has(flag) === true
    if (command.flags.has(word) || leading?.flags.has(word) === true || (word !== name && isValued(name)))
      flags.push(word)
    else if (isValued(word) && i + 1 < words.length) flags.push(word, words[++i]!)
    else operands.push(word)
  }
  return [...command.words, ...flags, "--", ...operands, ...rest]
}

/**
 * Splits at the first lone `--` and expands short forms: `leap <tag> …` is `leap start <tag> …`, `leap queue <tag>` is
 * `leap queue show <tag>`, `leap help <command>` is `leap <command> --help`, `leap --reconfigure` is `leap hooks
 * install`, `leap --resume` is `leap resume`.
 */
export const parseCommandLine = (argv: ReadonlyArray<string>, queueVerbs: ReadonlySet<string>): CommandLine => {
  const end = argv.indexOf("--")
  const words = end < 0 ? argv : argv.slice(0, end)
  const rest = end < 0 ? [] : argv.slice(end + 1)
  const [first, second] = words
  if (first === undefined) return { words: ["start"], rest }
  if (first === "--reconfigure") return { words: ["hooks", "install", ...words.slice(1)], rest }
  if (first === "--resume") return { words: ["resume", ...words.slice(1)], rest }
  if (first === "--completions" && (completionShells as ReadonlyArray<string | undefined>).includes(second))
    return { words: ["completions", ...words.slice(1)], rest }
  if (first === "help") return { words: helpArguments(words), rest }
  const textual = textCommands.find((command) => command.words.every((word, i) => words[i] === word))
  if (textual !== undefined) return { words: textArguments(textual, words, rest), rest: [] }
  if (first === "queue" && second !== undefined && !second.startsWith("-") && !queueVerbs.has(second)) {
    return { words: ["queue", "show", ...words.slice(1)], rest }
  }
  if (first === "clis") return { words: bindNext(words, commandFlags), rest }
  if (promptCommands.has(first)) return { words: promptArguments(words), rest }
  if (first.startsWith("-")) return { words, rest }
  if (first === "start") return { words: worktreeNamed(words), rest }
  if (commandNames.includes(first)) return { words, rest }
  return { words: ["start", ...worktreeNamed(words)], rest }
}

/** Whether a word is a name with one typing error: two letters swapped, one added, one missing, or one replaced. */
const isSlip = (word: string, name: string): boolean => {
  const [short, long] = word.length < name.length ? [word, name] : [name, word]
  if (long.length - short.length > 1) return false
  let i = 0
  while (i < short.length && short[i] === long[i]) i++
  if (long.length > short.length) return short.slice(i) === long.slice(i + 1)
  const isSwapped = word[i] === name[i + 1] && word[i + 1] === name[i] && word.slice(i + 2) === name.slice(i + 2)
  return isSwapped || word.slice(i + 1) === name.slice(i + 1)
}

/** What other programs of this kind (tmux, docker, git) call a command of leap's. */
const foreignNames: ReadonlyMap<string, string> = new Map([
  ...["ls", "list", "ps", "sessions"].map((name) => [name, "status"] as const),
  ...["kill", "end", "quit"].map((name) => [name, "stop"] as const),
  ...["rm", "remove", "delete"].map((name) => [name, "forget"] as const),
  ["logs", "log"],
  ["merge", "finish"]
])

/**
 * The command meant by a word that the words after it show to be no tag: a name with one typing error, or another
 * program's name for it.
 */
export const commandLike = (word: string): string | null =>
  foreignNames.get(word) ?? commandNames.find((name) => name !== word && word.length > 3 && isSlip(word, name)) ?? null

/** As {@link commandLike}, for a likely tag of small letters alone; in names below five letters only a swap counts. */
export const commandNear = (word: string): string | null =>
  /^[a-z]+$/.test(word)
    ? (foreignNames.get(word) ??
      commandNames.find(
        (name) =>
          name !== word &&
          isSlip(word, name) &&
          (name.length >= 5 || [...name].toSorted().join("") === [...word].toSorted().join(""))
      ) ??
      null)
    : null
