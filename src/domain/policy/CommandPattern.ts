import { type CommandShape, hasShape, shapeOf, withoutOwnOptions } from "./CommandShape.ts"
import { setOf } from "./knownPrograms/Program.ts"
import type { Likelihood } from "./Likelihood.ts"
import { type ShellReading } from "./ShellInner.ts"
import { baseName, isSure, joinWords, type Words } from "./ShellWords.ts"
import { matches, matchesAll, matchesSome, type TextGlob, textGlob } from "./TextGlob.ts"

export interface CommandPattern {
  /** The written pattern, with single blanks. */
  readonly text: string
  readonly glob: TextGlob
  /** The pattern, and also with `~` replaced by the home directory if it has one. */
  readonly globs: ReadonlyArray<TextGlob>
  readonly shape: CommandShape | null
  /** The pattern, ignoring the case of words other than options. */
  readonly caseless: TextGlob
  readonly caselessShape: CommandShape | null
  /** The program's name in the first word; null if the pattern begins with `*`. */
  readonly program: TextGlob | null
  /** The pattern has a shell operator, so it matches only whole lines. */
  readonly wholeLine: boolean
}

const tilde = (text: string, home: string): string =>
  text.replace(/(^| )~(?=\/| |$)/g, (_, before: string) => before + home)

/** An option means something else in the other case; other words rarely do. */
const caseless = (text: string): string =>
  text
    .split(" ")
    .map((word) => (word.startsWith("-") ? word : word.toLowerCase()))
    .join(" ")

/** Programs whose commands ignore case. */
const inAnyCase = setOf("redis-cli valkey-cli psql mysql mariadb sqlite3 duckdb")

/** Parses a pattern; null if it is malformed. */
export const commandPattern = (pattern: string, home: string): CommandPattern | null => {
  const text = pattern.trim().replace(/[ \t\n]+/g, " ")
  const glob = textGlob(text)
  if (glob === null) return null
  const first = text.split(" ", 1)[0]!
  return {
    text,
    glob,
    globs: [glob, ...(text.includes("~") ? [textGlob(tilde(text, home)) ?? glob] : [])],
    caseless: textGlob(caseless(text)) ?? glob,
    caselessShape: shapeOf(caseless(text)),
    shape: shapeOf(text),
    program: first.startsWith("*") ? null : textGlob(baseName(first)),
    wholeLine: hasOperator(text)
  }
}

/** A pattern with `|`, `;`, `&`, `<` or `>` matches no simple command. */
export const hasOperator = (pattern: string): boolean => /[|;&<>]/.test(pattern.replace(/\\./g, ""))

export const hasParentStep = (word: string): boolean => /(?:^|\/)\.\.(?:\/|$)/.test(word)

/** The pattern says that a word is below a directory (`./scripts/*`), but the word leads out of it. */
const escapesDirectory = (pattern: string, text: string): boolean => {
  if (!pattern.includes("/*")) return false
  const said = pattern.split(" ")
  const below = said.findIndex((word) => word.includes("/*"))
  const words = text.split(" ")
  // If an earlier word of the pattern has a `*`, the position of this word is unknown, so all later words are checked.
  const meant = said.slice(0, below).some((word) => word.includes("*")) ? words.slice(below) : [words[below] ?? ""]
  return !hasParentStep(said[below]!) && meant.some(hasParentStep)
}

/** Whether the pattern matches the written command, whatever file names the shell substitutes for `*`. */
export const allows = (
  { glob, text: pattern }: CommandPattern,
  { sure, text }: ReturnType<typeof joinWords>
): boolean => {
  if (escapesDirectory(pattern, text)) return false
  return sure === text.length ? matches(glob, text) : matchesAll(glob, text.slice(0, sure))
}

/** The parts of a command line that deny and ask rules compare, computed once for all rules. */
export interface CommandCandidates {
  readonly line: string
  readonly unclear: boolean
  readonly commands: ReadonlyArray<{
    readonly words: Words
    /** The program's name without its directory. */
    readonly program: string
    readonly texts: ReadonlyArray<string>
    readonly sure: number
    /** The program's name is certain. */
    readonly named: boolean
    /** Its uncertain words can only become file names, none of which begins with a dash. */
    readonly undashed: boolean
  }>
  /** The words of all texts that may contain commands. */
  readonly names: ReadonlySet<string>
}

export const commandCandidates = (
  line: string,
  { carried, found, suspects, unclear }: ShellReading,
  home: string,
  isExpanded = false
): CommandCandidates => ({
  line: line.trim().replace(/[ \t\n]+/g, " "),
  unclear: unclear !== null,
  commands: found
    .flatMap((words) => [...new Set([words, withoutOwnOptions(words)])])
    .map((words) => {
      const head = words[0]!
      const { sure, text } = joinWords(words)
      const program = baseName(head.text)
      const short = program + text.slice(head.text.length)
      return {
        words,
        program,
        texts: [...new Set([text, short, ...(text.includes("~") ? [tilde(text, home), tilde(short, home)] : [])])],
        sure: Math.max(0, sure - (text.length - short.length)),
        named: isSure(head),
        undashed: isExpanded && words.every((word) => isSure(word) || word.globs)
      }
    }),
  names: new Set([
    ...suspects,
    ...carried
      .flatMap((text) => [text, text.replace(/\\[a-z]/g, " ")])
      .flatMap((text) => text.split(/[^\w.+/-]+/).flatMap((name) => [baseName(name), name.replace(/^-[A-Za-z]/, "")]))
  ])
})

/** Whether a line runs, or may run, a command that the pattern matches. */
export const matchLikelihood = (
  pattern: CommandPattern,
  { commands, line, names, unclear }: CommandCandidates
): Likelihood => {
  const { globs, program, shape, wholeLine } = pattern
  if (wholeLine && globs.some((glob) => matches(glob, line))) return "yes"
  let maybe = unclear
  const others = [...new Set(`x${pattern.text}`)].filter((letter) => letter !== "-")
  const mayBegin = (glob: TextGlob, start: string, undashed: boolean): boolean =>
    matchesSome(glob, start) && (!undashed || others.some((letter) => matchesSome(glob, start + letter)))
  for (const { named, program: own, sure, texts, undashed, words } of commands) {
    for (const text of texts) for (const glob of globs) if (matches(glob, text)) return "yes"
    const shaped = shape === null || shape.program !== own ? "no" : hasShape(shape, words)
    if (shaped === "yes") return "yes"
    const short = texts[1] ?? texts[0]!
    const low = pattern.caselessShape
    if (
      texts.some((text) => matches(pattern.caseless, caseless(text))) ||
      (low?.program === own &&
        words.some(({ text }) => text !== caseless(text)) &&
        hasShape(
          low,
          words.map((word) => ({ ...word, text: caseless(word.text) }))
        ) !== "no")
    ) {
      if (inAnyCase.has(own)) return "yes"
      maybe = true
    }
    maybe ||=
      shaped === "maybe" ||
      !named ||
      (sure < short.length &&
        [short, texts[0]!].some((text) => globs.some((glob) => mayBegin(glob, text.slice(0, sure), undashed))))
  }
  if (!maybe && program !== null) for (const name of names) maybe ||= matches(program, name)
  return maybe ? "maybe" : "no"
}
