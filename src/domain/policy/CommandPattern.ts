import { type CommandShape, hasShape, shapeOf } from "./CommandShape.ts"
import type { Likelihood } from "./Likelihood.ts"
import { type ShellReading } from "./ShellInner.ts"
import { baseName, isSure, joinWords, type ShellCommand, type ShellWord } from "./ShellWords.ts"
import { matches, matchesAll, matchesSome, type TextGlob, textGlob } from "./TextGlob.ts"

/** A command pattern, read. */
export interface CommandPattern {
  readonly glob: TextGlob
  /** The same with `~` spelled out. */
  readonly atHome: TextGlob | null
  readonly shape: CommandShape | null
  /** The first word; null where the pattern begins with `*`. */
  readonly program: TextGlob | null
  /** It has an operator of the shell, so that it can only match a whole line. */
  readonly wholeLine: boolean
}

const tilde = (text: string, home: string): string => text.replace(/(^| )~(?=\/| |$)/g, (_, before: string) => before + home)

/** Reads a pattern; null for a malformed one. */
export const commandPattern = (pattern: string, home: string): CommandPattern | null => {
  const text = pattern.trim().replace(/[ \t\n]+/g, " ")
  const glob = textGlob(text)
  if (glob === null) return null
  const first = text.split(" ", 1)[0]!
  return {
    glob,
    atHome: text.includes("~") ? textGlob(tilde(text, home)) : null,
    shape: shapeOf(text),
    program: first.startsWith("*") ? null : textGlob(baseName(first)),
    wholeLine: hasOperator(text)
  }
}

/** A pattern with `|`, `;`, `&`, `<` or `>` matches no simple command. */
export const hasOperator = (pattern: string): boolean => /[|;&<>]/.test(pattern.replace(/\\./g, ""))

const harmlessTargets: ReadonlySet<string> = new Set(["/dev/null", "/dev/stdout", "/dev/stderr"])
const harmless = (word: ShellWord): boolean => isSure(word) && harmlessTargets.has(word.text)

/** Why no pattern can allow a command line; null where patterns may. */
export const notAllowable = ({ commands, substitutes, unclear }: ShellReading): string | null => {
  if (unclear !== null) return unclear
  if (substitutes) return "it puts a command's output into another"
  if (commands.length === 0) return "it runs no command"
  for (const { assignments, input, reads, words, writes } of commands) {
    if (words.length + assignments.length === 0 && writes.every(harmless) && reads.every(harmless)) continue
    if (!writes.every(harmless)) return "it writes to a file by redirection"
    if (!reads.every(harmless)) return "it reads a file by redirection"
    if (input._tag === "Text" && !input.sure || [...assignments, ...words].some((word) => !isSure(word) && !word.globs) || assignments.some((word) => !isSure(word))) {
      return "the shell puts something into it that is not known"
    }
    const [head] = words
    if (head !== undefined && (!isSure(head) || /[\s\u0000-\u001f]/.test(head.text))) return "what it runs is not certain"
  }
  return null
}

/** Whether the pattern matches the command exactly as it is written, whatever files its `*` stand for. */
export const allows = ({ glob }: CommandPattern, { assignments, words }: ShellCommand): boolean => {
  const { sure, text } = joinWords([...assignments, ...words])
  return sure === text.length ? matches(glob, text) : matchesAll(glob, text.slice(0, sure))
}

/** What deny and ask rules look at, made once for a line. */
export interface Suspects {
  readonly line: string
  readonly unclear: boolean
  readonly commands: ReadonlyArray<{
    readonly words: ReadonlyArray<ShellWord>
    readonly texts: ReadonlyArray<string>
    readonly sure: number
    /** The program's name is certain. */
    readonly named: boolean
  }>
  /** Names in texts that may hold commands. */
  readonly names: ReadonlySet<string>
}

export const suspects = (line: string, { carried, found, unclear }: ShellReading, home: string): Suspects => ({
  line: line.trim().replace(/[ \t\n]+/g, " "),
  unclear: unclear !== null,
  commands: found.map((words) => {
    const head = words[0]!
    const { sure, text } = joinWords(words)
    const short = baseName(head.text) + text.slice(head.text.length)
    return {
      words,
      texts: [...new Set([text, short, ...(text.includes("~") ? [tilde(text, home), tilde(short, home)] : [])])],
      sure: Math.max(0, sure - (text.length - short.length)),
      named: isSure(head)
    }
  }),
  names: new Set(carried.flatMap((text) => text.split(/[^\w.+/-]+/).map(baseName)).filter((name) => name !== ""))
})

/** Whether a line runs, or may run, what the pattern describes. */
export const finds = (pattern: CommandPattern, { commands, line, names, unclear }: Suspects): Likelihood => {
  const { atHome, glob, program, shape, wholeLine } = pattern
  const globs = atHome === null ? [glob] : [glob, atHome]
  if (wholeLine && globs.some((glob) => matches(glob, line))) return "yes"
  let maybe = unclear
  for (const { named, sure, texts, words } of commands) {
    if (texts.some((text) => globs.some((glob) => matches(glob, text)))) return "yes"
    const shaped = shape === null ? "no" : hasShape(shape, words)
    if (shaped === "yes") return "yes"
    const short = texts[1] ?? texts[0]!
    maybe ||= shaped === "maybe" || !named ||
      sure < short.length && [short, texts[0]!].some((text) => globs.some((glob) => matchesSome(glob, text.slice(0, sure)))) ||
      // a file system that takes no notice of case
      words[0]!.text !== words[0]!.text.toLowerCase() && matches(glob, baseName(words[0]!.text).toLowerCase() + texts[0]!.slice(words[0]!.text.length))
  }
  if (!maybe && program !== null) for (const name of names) maybe ||= matches(program, name)
  return maybe ? "maybe" : "no"
}
