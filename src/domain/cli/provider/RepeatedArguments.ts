import { namesIn } from "../../words/text/namesIn.ts"

/** The syntax of a CLI's command line. An unlisted option may be of a newer version. */
export interface ArgumentSyntax {
  readonly none: ReadonlyArray<string>
  /** Options whose value is the next word, whatever it is. */
  readonly one: ReadonlyArray<string>
  /** Options whose value is the next word, unless that is an option. */
  readonly maybe: ReadonlyArray<string>
  /** Options whose values are all words up to the next option. */
  readonly many: ReadonlyArray<string>
  /** Options of one start: its conversation and directory, one-time actions, the first prompt, secrets. */
  readonly once: ReadonlyArray<string>
  readonly commands: ReadonlyArray<string>
  /** The meaning of a word without an option. */
  readonly word: string
}

type Arity = "none" | "one" | "maybe" | "many"
type Options = Partial<Readonly<Record<Arity, string>>>

/** A syntax from lists of options, separated by blanks: of the session, and of one start. */
export const syntaxOf = ({
  commands = [],
  kept,
  once,
  word = "the prompt"
}: { readonly kept: Options; readonly once: Options } & Partial<
  Pick<ArgumentSyntax, "commands" | "word">
>): ArgumentSyntax => {
  const optionsOf = (arity: Arity) => [kept, once].flatMap((options) => namesIn(options[arity] ?? ""))
  return {
    none: optionsOf("none"),
    one: optionsOf("one"),
    maybe: optionsOf("maybe"),
    many: optionsOf("many"),
    once: Object.values(once).flatMap(namesIn),
    commands,
    word
  }
}

export interface DividedArguments {
  /** The arguments of the session; `leftOut`: the names of the others, each once. */
  readonly kept: ReadonlyArray<string>
  readonly leftOut: ReadonlyArray<string>
}

const isOption = (word: string): boolean => word.startsWith("-") && word !== "-"

/** The option in a word, and whether the word contains its value (`--model=x`, `-mx`). */
const optionIn = (word: string): { readonly name: string; readonly valued: boolean } => {
  const equals = word.indexOf("=")
  if (word.startsWith("--")) return { name: equals < 0 ? word : word.slice(0, equals), valued: equals >= 0 }
  return { name: word.slice(0, 2), valued: word.length > 2 }
}

const valuesOf = (syntax: ArgumentSyntax, name: string, following: ReadonlyArray<string>): number => {
  const next = following[0]
  if (next === undefined || syntax.none.includes(name)) return 0
  if (syntax.one.includes(name)) return 1
  if (isOption(next)) return 0
  const end = following.findIndex(isOption)
  if (syntax.many.includes(name)) return end < 0 ? following.length : end
  // After an unknown option, or one with an optional value, the next word counts as its value.
  return 1
}

/**
 * Splits a CLI's arguments into those that are repeated when its conversation continues, and those of one start. A word
 * with spaces after an unknown option may be a prompt: neither is repeated. If the CLI's syntax is unknown, all belong
 * to the session.
 */
export const divideArguments = (syntax: ArgumentSyntax | null, args: ReadonlyArray<string>): DividedArguments => {
  if (syntax === null) return { kept: args, leftOut: [] }
  const known = new Set([...syntax.none, ...syntax.one, ...syntax.maybe, ...syntax.many])
  const kept: Array<string> = []
  const leftOut = new Set<string>()
  for (let i = 0; i < args.length; i++) {
    const word = args[i]!
    if (word === "--") {
      if (i + 1 < args.length) leftOut.add(syntax.word)
      break
    }
    if (!isOption(word)) {
      leftOut.add(syntax.commands.includes(word) ? word : syntax.word)
      continue
    }
    const { name, valued } = optionIn(word)
    const count = valued ? 0 : valuesOf(syntax, name, args.slice(i + 1))
    const values = args.slice(i + 1, i + 1 + count)
    i += count
    if (syntax.once.includes(name)) leftOut.add(name)
    else if (!known.has(name) && values.some((value) => /\s/.test(value))) leftOut.add(name).add(syntax.word)
    else kept.push(word, ...values)
  }
  return { kept, leftOut: [...leftOut] }
}
