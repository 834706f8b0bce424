import { withoutOwn } from "./knownPrograms/table.ts"
import { elsewhereIn, ownIn } from "./knownPrograms/Program.ts"
import {
  alwaysRecursive,
  following,
  maxOperandsForCwd,
  readsUnlessOption,
  recursiveWithOption,
  writers,
  writing
} from "./knownPrograms/searching.ts"
import { findParts } from "./findWords.ts"
import { inert } from "./knownPrograms/shellPrograms.ts"
import { baseName, isSure, plainWord, type ShellWord, unknownWord, variableOf, type Words } from "./ShellWords.ts"

/** The command itself, without the builtins that only run it. */
export const withoutRunner = (words: Words): Words => {
  let i = 0
  while (/^(?:command|builtin|-|noglob|nocorrect)$/.test(words[i]?.text ?? "") && words[i + 1] !== undefined) {
    i++
    while (/^-[^vV]*$/.test(words[i]?.text ?? "") && words[i + 1] !== undefined) i++
  }
  return words.slice(i)
}

/** Its program, and its arguments. */
const commandIn = (words: Words): readonly [program: string, args: Words] => {
  const [head, ...args] = withoutRunner(words)
  return [baseName(head?.text ?? ""), args]
}

/** Whether an argument is what the table has for the program. */
const hasOption = (table: Readonly<Record<string, RegExp>>, program: string, args: Words): boolean => {
  const option = ownIn(table, program)
  return option !== undefined && args.some(({ text }) => option.test(text))
}

/** Whether the command changes the directory of the commands after it. */
export const changesDirectory = (words: Words): boolean =>
  /^(?:cd|pushd|popd|chdir)$/.test(withoutRunner(words)[0]?.text ?? "")

const anywhere: ShellWord = { ...unknownWord, text: "/**" }

/** The target of a change of directory; unknown for `cd -` and `popd`. */
const target = (words: Words): ShellWord => {
  const [head, ...rest] = withoutRunner(words)
  const at = rest.findIndex(({ text }) => text === "-" || text === "--" || !text.startsWith("-"))
  const to = rest[at]?.text === "--" ? rest[at + 1] : rest[at]
  if (head?.text === "popd" || to?.text === "-" || /^[-+]\d/.test(rest[0]?.text ?? "")) return anywhere
  if (to === undefined) return head?.text === "pushd" ? anywhere : plainWord("~")
  return to
}

/** Where the changes of directory in these commands lead, in order. `popd` after a `pushd` leads nowhere new. */
export const cdTarget = (found: ReadonlyArray<Words>): Words => {
  let pushed = 0
  return found.filter(changesDirectory).flatMap((words) => {
    const program = withoutRunner(words)[0]?.text
    if (program === "pushd") pushed++
    return program === "popd" && words.length === 1 && pushed-- > 0 ? [] : [target(words)]
  })
}

/** What a line's reading tells of its words. */
interface LineWords {
  readonly files: Words
  readonly found: ReadonlyArray<Words>
  readonly through: ReadonlyMap<string, Words>
}

/** The other directories to which file names of this command line may be relative. */
export const directoriesOf = ({ files, found }: LineWords): Words => {
  // tar -C, git -C, make -C
  const own = found.flatMap((words) =>
    words.slice(1).flatMap((word, i): Words => {
      const value = /^(?:-[A-Za-z]*?C|--(?:directory|chdir|cwd|prefix|work-tree)(?:=|$))(.*)$/s.exec(word.text)?.[1]
      return value === undefined
        ? []
        : value === ""
          ? words.slice(i + 2, i + 3)
          : [{ ...word, text: value, sure: isSure(word) ? value.length : 0 }]
    })
  )
  const assigned = files.filter(({ text }) => /^[A-Za-z_]\w*=/.test(text))
  const isSearched = assigned.some(({ text }) => text.startsWith("CDPATH="))
  return [...cdTarget(found), ...own, ...assigned.flatMap(elsewhereIn), ...(isSearched ? [anywhere] : [])]
}

/** The words of a loop, instead of its variable. */
export const throughLoop = (word: ShellWord, { through }: Pick<LineWords, "through">): Words =>
  through.get(variableOf(word)) ?? [word]

/** What each of these directories may be. */
export const changesOf = (reading: LineWords): ReadonlyArray<Words> =>
  directoriesOf(reading).map((word) => throughLoop(word, reading))

/** The target of a link that the command line creates, and the possible names of the link. */
export interface Link {
  readonly to: ShellWord
  readonly names: ReadonlyArray<string>
}

/** The links and mounts that the commands create. */
export const linksOf = (found: ReadonlyArray<Words>): ReadonlyArray<Link> =>
  found.flatMap((words) => {
    const [program, args] = commandIn(words)
    const isLinking =
      /^(?:ln|link|mount|bindfs)$/.test(program) ||
      (program === "cp" && args.some(({ text }) => /^-\w*s|^--sy/.test(text)))
    const operands = isLinking ? args.filter(({ text }) => !text.startsWith("-")) : []
    const nameOf = (word: ShellWord): string => baseName(word.text.replace(/\/+$/, ""))
    return operands.map((to) => ({ to, names: [nameOf(to), ...operands.slice(-1).map(nameOf)] }))
  })

/** Whether a command of git takes in the content of all files below. */
const takesAll = (verb: string, rest: Words): boolean =>
  verb === "stash" || (verb === "add" && !rest.some(({ text }) => /^[^-.*:]|^\.[^/]/.test(text)))

/**
 * The operands that the command searches recursively. `outside`: the directories outside the session's in which it may
 * run; without further words it may search these, too.
 */
export const recursiveOperands = (words: Words, outside: Words): Words => {
  const [program, args] = commandIn(words)
  if (program === "git") {
    const [verb, ...rest] = withoutOwn(program, args)
    if (verb?.text === "grep") return recursiveOperands([plainWord("grep"), plainWord("-r"), ...rest], outside)
    return [...args.flatMap(elsewhereIn), ...(takesAll(verb?.text ?? "", rest) ? outside : [])]
  }
  if (alwaysRecursive.has(program) || hasOption(recursiveWithOption, program, args)) return startsOf(program, args)
  // an unknown program may search a whole directory outside its own
  const isKnown = isReader(program) || ownIn(recursiveWithOption, program) !== undefined
  return isKnown ? [] : [...args.flatMap(elsewhereIn), ...outside]
}

/** The words below which a command follows links that it finds there. */
export const followedBy = (words: Words): Words => {
  const [program, args] = commandIn(words)
  return hasOption(following, program, args) ? startsOf(program, args) : []
}

/**
 * The directories in which a command finds names that are handed on to what opens them, by itself or through `xargs`
 * (`isHanded`), and what is said of these names.
 */
export const handedBy = (
  words: Words,
  isHanded: boolean
): ReadonlyArray<{ readonly start: string; readonly name: string }> => {
  const [head, ...args] = withoutRunner(words)
  const isFind = /^g?find$/.test(head?.text ?? "")
  const { expression, options, starts } = isFind
    ? findParts(args)
    : { expression: [], options: [], starts: args.filter((word) => !/^-/.test(word.text)) }
  const is = (form: RegExp) => (one: ShellWord | undefined) => form.test(one?.text ?? "")
  const runs = expression.flatMap((one, i) => (is(/^-(?:exec|ok)/)(one) ? [i] : []))
  const isRun = runs.some((i) => !is(/^(?:rm|echo|ls)$/)(expression[i + 1]))
  if (!(isFind ? isHanded || isRun : isHanded && is(/^(?:fd(?:find)?|ls)$/)(head))) return []
  // only plain tests before the first command say what each command gets
  const tests = expression.some(is(/^(?:,|-o|-or)$|[\\$`]/)) ? [] : expression.slice(0, runs[0])
  const valueOf = (test: RegExp) =>
    tests.find((_, i) => is(test)(tests[i - 1]) && !is(/^(?:!|-not|\()$/)(tests[i - 2]))?.text
  // a plain file leads nowhere else
  if (valueOf(/^-type$/) === "f" && ![...options, ...expression].some(is(/^-\w*L|^-follow$/))) return []
  const name = valueOf(/^-i?name$/) ?? "*"
  return (starts.length === 0 ? [plainWord(".")] : starts).filter(isSure).map((start) => ({ start: start.text, name }))
}

/** The directories that a command searches: its operands, or its own directory. */
const startsOf = (program: string, args: Words): Words => {
  const operands = args.filter(({ text }) => !text.startsWith("-"))
  const most = ownIn(maxOperandsForCwd, program) ?? -1
  const begins = program.endsWith("find") && args[0]?.text.startsWith("-") !== false
  // a number is an option's value
  return begins || operands.filter(({ text }) => !/^\d+$/.test(text)).length <= most
    ? [...operands, plainWord(".")]
    : operands
}

/** The program, if it is none of `writers`, writes to a file that its words name only if an argument says so. */
export const isReader = (program: string): boolean => readsUnlessOption.has(program) || inert.has(program)

/** Whether a command writes to files that it names; `maybe` for an unknown program. */
export const writesNamed = (words: Words): "yes" | "maybe" | "no" => {
  const [program, args] = commandIn(words)
  if (writers.has(program)) return "yes"
  if (!isReader(program)) return "maybe"
  return hasOption(writing, program, args) ? "maybe" : "no"
}
