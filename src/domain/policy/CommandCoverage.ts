import { asksOnly } from "./AddressOperands.ts"
import { allows, type CommandPattern, commandPattern } from "./CommandPattern.ts"
import { changesDirectory } from "./directoryEffects.ts"
import { isHarmless, isHarmlessName } from "./ShellBuiltins.ts"
import { commandName, innerOf } from "./InnerCommands.ts"
import { readCommandLine, type ShellReading } from "./ShellInner.ts"
import { effectsOf } from "./commandEffects.ts"
import type { Target } from "./knownPrograms/Program.ts"
import { withoutOwn } from "./knownPrograms/table.ts"
import { transparent, wrappers } from "./knownPrograms/shellPrograms.ts"
import {
  assignmentWord,
  isSure,
  joinWords,
  plainCommand,
  type ShellCommand,
  type ShellWord,
  variableOf,
  type Words
} from "./ShellWords.ts"
import type { UrlPattern } from "./UrlPattern.ts"

/** The most levels of commands inside commands that are examined. */
const deepest = 8

/** A program name that all shells read alike. */
const plainName = /^(?:[\w.~/][\w.+@%:,~/-]*|\[|\[\[|:)$/

const harmlessTargets: ReadonlySet<string> = new Set(["/dev/null", "/dev/stdout", "/dev/stderr"])
export const isHarmlessTarget = (word: ShellWord): boolean => isSure(word) && harmlessTargets.has(word.text)

/** The redirection reads a file, and not a connection. */
const isFile = (word: ShellWord): boolean =>
  isHarmlessTarget(word) || (isSure(word) && word.text !== "" && !/^\/*(?:dev|proc)\//.test(word.text))

/** A file by its name, or files that a pattern finds. */
const isNamed = (word: ShellWord): boolean => word.globs || isFile(word)

const isRelative = ({ text }: ShellWord): boolean => /^[^/~].*\//.test(text)
const isRelativeProgram = ({ words: [head, ...args] }: ShellCommand): boolean =>
  head !== undefined && (isRelative(head) || (/^(?:source|\.)$/.test(head.text) && args.some(isRelative)))

/** Why no pattern can allow a command line, for the user; null if patterns can. */
export const notAllowable = (reading: ShellReading): string | null => {
  const { commands, loops, through, uncommon, unclear } = reading
  const isRead = (word: ShellWord): boolean =>
    isFile(word) || (!word.bare && through.get(variableOf(word))?.every(isNamed) === true)
  if (unclear !== null) return unclear
  if (uncommon !== null) return uncommon
  if (commands.every(({ words }) => words.length === 0)) return "it runs no command"
  if (!loops.every(isHarmlessName)) return "a loop sets a variable that other programs may go by"
  if (commands.some(({ words }) => changesDirectory(words)) && commands.some(isRelativeProgram))
    return "it runs a program by a name that depends on the directory"
  for (const { assignments, reads, words } of commands) {
    const set = assignments.find(({ name }) => !isHarmlessName(name))
    if (set !== undefined && words.length === 0) return `it sets ${set.name}, which other programs may go by`
    if (!reads.every(isRead)) return "it reads from something that is not known"
    const [head] = words
    if (head !== undefined && !(isSure(head) && plainName.test(head.text))) return "what it runs is not certain"
  }
  return null
}

/** The spellings of a command that a pattern may match. */
const spellings = ({ assignments, words }: Pick<ShellCommand, "assignments" | "words">): ReadonlyArray<Words> => {
  const program = commandName(words[0]?.text ?? "")
  const harmless = assignments.every((one) => isHarmless(one, program))
  const short = harmless ? withoutPlace(words) : null
  return [
    ...(assignments.length > 0 ? [[...assignments.map(assignmentWord), ...words]] : []),
    ...(harmless ? [words] : []),
    ...(short === null ? [] : [short])
  ]
}

/** Without options for another directory: `git -C dir status` is `git status`. Null if there are none. */
export const withoutPlace = ([head, ...args]: Words): Words | null => {
  const rest = withoutOwn(commandName(head?.text ?? ""), args)
  return head === undefined || rest.length === args.length || rest.length === 0 ? null : [head, ...rest]
}

/** The pattern's text up to its first wildcard. */
const literalStart = (text: string): string => text.split(/[*?\\]/, 1)[0] ?? ""

/** The rules that cover the effects on these places, or null. `isLost`: the starting directory is unknown. */
type Reach<A> = (places: ReadonlyArray<Target>, pattern: string, isLost: boolean) => ReadonlyArray<A> | null

interface Pattern {
  readonly command: CommandPattern | null
  readonly url: UrlPattern | null
}
const anything: Pattern = { command: commandPattern("*", ""), url: null }

/** The patterns that together cover a command; null if they do not. */
export const coveredBy = <A extends Pattern>(
  patterns: ReadonlyArray<A>,
  command: ShellCommand,
  loops: ReadonlySet<string>,
  reach: Reach<A>,
  isLost = false,
  depth = 0
): ReadonlyArray<A> | null => {
  const { assignments, input, words } = command
  const [head] = words
  if (head === undefined) return []
  if (depth > deepest || !isSure(head)) return null
  const program = commandName(head.text)
  const inner = innerOf(program, words, input)
  if (inner.unclear !== null || (input._tag === "Text" && !input.sure && inner.scripts.length > 0)) return null
  const spelled = spellings({ assignments, words }).map(joinWords)
  const reached: Array<A> = []
  const own = patterns.find(({ command: pattern, url }) => {
    if (pattern === null || (url !== null && (assignments.length > 0 || !asksOnly(url, words)))) return false
    if (!spelled.some((joined) => allows(pattern, joined))) return false
    const places = effectsOf(words, input, pattern.text, loops)
    const by = places === null ? null : reach(places, pattern.text, isLost)
    reached.push(...(by ?? []))
    return by !== null
  })
  const used: Array<A> = own === undefined ? [] : [own, ...reached]
  const runs = inner.commands.length + inner.scripts.length > 0
  if (!runs) return own === undefined || (wrappers.has(program) && !words.every(isSure)) ? null : used
  // A pattern that spells out everything up to the inner program covers that program too.
  const first = inner.commands[0]
  if (own !== undefined && first !== undefined && inner.commands.length === 1) {
    const { sure, text } = joinWords(words.slice(0, words.indexOf(first[0]!) + 1))
    if (text !== "" && sure === text.length && literalStart(own.command?.text ?? "").startsWith(`${text} `)) return used
  }
  if (own !== undefined && inner.isElsewhere === true) {
    // the container may have the project's files, at an unknown place
    const changed = (places: ReadonlyArray<Target>) =>
      reach(
        places.filter(({ effect }) => effect !== "stay" && effect !== "obey"),
        "",
        true
      )
    const isContained = (some: Words): boolean =>
      coveredBy([anything], plainCommand(some, input), loops, changed, true, depth + 1) !== null
    return inner.commands.every(isContained) ? used : null
  }
  const outer = words.length - Math.max(0, ...inner.commands.map((some) => some.length))
  if (!words.slice(0, Math.max(1, outer)).every(isSure)) return null
  const isTransparent = transparent.has(program) && assignments.every((one) => isHarmless(one, program))
  if (own === undefined && (!isTransparent || effectsOf(words, input, "", loops)?.length !== 0)) return null
  if (
    program === "env" &&
    !words.slice(1, outer).every(({ text }) => /^-[iv0]?$|^--$/.test(text) || isHarmlessName(text.split("=")[0] ?? ""))
  )
    return null
  const isElsewhere = isLost || words.some(({ text }) => /^-(?:exec|ok)dir$/.test(text))
  const all: Array<ShellCommand | null> = inner.commands.map((some) => plainCommand(some, input))
  for (const text of inner.scripts) all.push(...(scriptCommands(text) ?? [null]))
  const changes =
    isElsewhere || all.some((one) => one !== null && inner.scripts.length > 0 && changesDirectory(one.words))
  for (const one of all) {
    const found = one === null ? null : coveredBy(patterns, one, loops, reach, changes, depth + 1)
    if (found === null) return null
    used.push(...found)
  }
  return used
}

/** The commands of a nested command line; null if any of them is uncertain. */
const scriptCommands = (text: string): ReadonlyArray<ShellCommand> | null => {
  const reading = readCommandLine(text)
  return notAllowable(reading) === null && reading.commands.every(({ writes }) => writes.every(isHarmlessTarget))
    ? reading.commands
    : null
}
