import { asksWhere, commandName, innerOf } from "./InnerCommands.ts"
import { withoutOwnOptions } from "./CommandShape.ts"
import { gitCommands } from "./knownPrograms/git.ts"
import { setOf, type Target } from "./knownPrograms/Program.ts"
import { obeysFiles, placesOf } from "./knownPrograms/table.ts"
import {
  gitCarries,
  inert,
  namesPackages,
  readsByText,
  readsList,
  takesLists,
  takesText
} from "./knownPrograms/shellPrograms.ts"
import { builtinDoubt, isHarmlessName } from "./ShellBuiltins.ts"
import { namesNoFile } from "./PathWords.ts"
import { withoutRunner } from "./directoryEffects.ts"
import { suspicion } from "./ShellSuspicion.ts"
import { readShell } from "./ShellTree.ts"
import {
  assignmentWord,
  becomesMore,
  inherited,
  innerFile,
  isRevision,
  isSure,
  joinWords,
  plainWord,
  type ShellAssignment,
  type ShellCommand,
  type ShellInput,
  type ShellLine,
  type ShellPart,
  type ShellWord,
  unknownWord,
  variableOf,
  type Words
} from "./ShellWords.ts"

/** The most nested wrappers that are unwrapped. */
const deepest = 24
/** The most command lines inside command lines that are read (`sh -c "sh -c …"`). */
const deepestScript = 8
/** The most names of files that are sought in one text of another language. */
const mostPieces = 500
/** The most work beyond the line itself, in UTF-16 units and words, so that no line can block a session. */
const mostWork = 100_000

/** A command line, and everything that it runs, as far as it can be determined. */
export interface ShellReading extends Omit<ShellLine, "parts"> {
  /** Every command that was found, as words: the written ones, and those that wrappers, shells and the like run. */
  readonly found: ReadonlyArray<Words>
  /** Texts that may name a command for a program to run: code of other languages, arguments of `ssh`. */
  readonly carried: ReadonlyArray<string>
  /** Names in command lines that shells may read in different ways: each of them may be a command. */
  readonly suspects: ReadonlyArray<string>
  /** Words and targets of redirections that may name files. */
  readonly files: Words
  /** Those of them that a program may open: not words that are only printed, compared or set. */
  readonly openable: Words
}

/** A command, and what its program's description says of it. */
interface Met {
  readonly words: Words
  readonly input: ShellInput
  /** The program's name in the tables. */
  readonly program: string
  /** Its effects, if the description covers all of it: then it runs nothing from its input. */
  readonly effects: ReadonlyArray<Target> | null
  /** It may run what its arguments name. */
  readonly carries: boolean
  /** It may run its input, or files in its directory. */
  readonly obeys: boolean
}

const none: ReadonlySet<string> = new Set()
const metOf = (words: Words, input: ShellInput): Met => {
  const program = commandName(words[0]?.text ?? "")
  const described = (input: ShellInput) => placesOf(program, words.slice(1), input, () => false, none) ?? null
  const effects = described(input)
  const carries =
    program === "git"
      ? words.some(({ text }) => gitCarries.has(text.split("=", 1)[0]!)) ||
        (words.some(({ text }, i) => /\s|^ext::/.test(text) && !isText(words, i)) && described(inherited) === null)
      : !inert.has(program) && !asksWhere(program, words) && !(effects !== null && namesPackages(words))
  return { words, input, program, effects, carries, obeys: carries && (obeysFiles(program) || effects === null) }
}

/** Text of the line itself reaches it. */
const isGiven = ({ input, words }: Met): boolean => /Pipe|Text/.test(input._tag) || words.includes(innerFile)
const isNamed =
  (name: string) =>
  ({ program }: Met): boolean =>
    program === name

const isGit = isNamed("git")

/** git follows files whose names begin with a dot. */
const isForGit = (word: ShellWord): boolean => !isSure(word) || /(?:^|\/)\.(?!\.?(?:\/|$))/.test(word.text)

/** The parts that have such a command. */
const partsWith = (line: ReadonlyArray<ReadonlyArray<Met>>, has: (met: Met) => boolean): ReadonlySet<number> =>
  new Set(line.flatMap((part, i) => (part.some(has) ? [i] : [])))

/** The files that a command creates or writes. */
const madeBy = ({ input, words, writes }: ShellCommand): Words => [
  ...writes.filter((word) => !/^\/dev\/(?:null|std(?:out|err))$/.test(word.text)),
  ...(metOf(words, input).effects ?? []).flatMap(({ effect, word }) => (/^(?:write|fill)$/.test(effect) ? [word] : []))
]

/** The command inside a wrapper: its program, and its arguments. The names of both are not texts that are passed on. */
const withoutWrapper = (words: Words): readonly [program: string, args: Words] => {
  const [head, ...args] = innerOf(commandName(words[0]?.text ?? ""), words, inherited).commands[0] ?? words
  return [commandName(head?.text ?? ""), args]
}

/** Programs that print names of what is there, or what they are given, and those that pass on what they read. */
const naming =
  /^(?:(?:g?find|fd(?:find)?|ls|echo|printf|seq|basename|dirname|realpath|readlink|pwd) |(?:rg|ag|ack|[ef]?grep) (?:.* )?(?:-[A-Za-z]*[lL]|--files)|git .*(?:ls-files|ls-tree|rev-parse|--name-))/s
const filtering = /^(?:sort|uniq|head|tail|tee|tac|(?:e|f)?grep|g?sed|[gmn]?awk|cut|tr)$/
/** It prints only names of what is there, or what it is given: not the content of a file. */
const printsNames = ({ input, words }: ShellCommand): boolean => {
  const [program, args] = withoutWrapper(words)
  if (naming.test(`${program} ${joinWords(args).text}`)) return true
  const operands = args.filter(({ text }) => /^[^-]/.test(text)).slice(/^[sht]..?[^d]|^u/.test(program) ? 0 : 1)
  return input._tag === "Pipe" && filtering.test(program) && !operands.some(({ text }) => /[A-Za-z]{2}|[./]/.test(text))
}

/** It prints no list's name (`@x`), of itself or of what it reads. */
const printsNoList = ({ words }: ShellCommand): boolean => {
  const [program, args] = withoutWrapper(words)
  const { sure, text } = joinWords(args)
  if (/^g?find$/.test(program)) return !/@|-f?printf/.test(text)
  if (/^(?:[ef]?grep|sort|uniq|head|tail|tac|tee)$/.test(program)) return !/(?:^| )-\w*o/.test(text)
  return /^(?:echo|printf|seq)$/.test(program) && sure === text.length && !/[@%\\]/.test(text.replace(/%s|\\[n0]/g, ""))
}

/** All texts in a part of a line that its commands may pass on. */
const textsOf = ({ commands, texts }: ShellPart): ReadonlyArray<string> => [
  ...texts,
  ...commands.map(
    ({ assignments, words }) => joinWords([...withoutWrapper(words)[1], ...assignments.map(({ value }) => value)]).text
  )
]

/** Commands that open none of the files that their arguments name. */
const unopening = setOf(
  "echo printf true false : [ test [[ export set exit return sleep kill cd pushd seq expr which type command"
)

/** The value of an option that is only a text. */
const isText = (words: Words, i: number): boolean =>
  takesText(commandName(words[0]?.text ?? ""), words[i - 1]?.text ?? "")

/** The last readings: a line is read for what it reaches on disk, again for its rules, and for each command in it. */
const recent = new Map<string, ShellReading>()
const mostRecent = 16

/**
 * Reads a command line, and every command line inside it. Total, and bounded by `mostWork`. `foreign`: why the shell that
 * is to run it reads another language; null for bash, zsh, dash and their like.
 */
export const readCommandLine = (line: string, foreign: string | null = null): ShellReading => {
  const key = `${foreign ?? ""}\0${line}`
  const reading = recent.get(key) ?? readWhole(line, foreign)
  recent.delete(key)
  recent.set(key, reading)
  for (const oldest of recent.keys()) if (recent.size > mostRecent) recent.delete(oldest)
  return reading
}

const readWhole = (line: string, foreign: string | null): ShellReading => {
  const found: Array<Words> = []
  const carried: Array<string> = []
  const files: Array<ShellWord> = []
  const openable: Array<ShellWord> = []
  const suspects: Array<string> = []
  let unclearReason: string | null = null
  let steps = 0
  const others: Array<ShellWord> = []
  /** The commands of the part that is being read. */
  let met: Array<Met> = []
  const limit = 3 * line.length + mostWork

  /** Code of another language may open the files that it names, and xargs splits its input; printf fills `%s`. */
  const openPieces = (text: string, isSplit: boolean): void => {
    if (!isSplit && !/[\s('"<]/.test(text)) return
    const filled = text.replace(/%[\d.-]*[a-z]/g, "**").replace(/(?<![\w./*-])\*\*/g, "/**")
    for (const piece of filled.split(/[^\w.+/~*-]+/).slice(0, mostPieces))
      if (/[./]/.test(piece) && piece !== "/**")
        // sed's commands precede a name without a blank
        for (const { index } of [{ index: -1 }, ...[...piece.matchAll(/[rRwW](?=[\w./~])/g)].slice(0, 8)]) {
          const name = piece.slice(index + 1)
          // code joins it to the directories that it knows
          for (const text of /^[/.]/.test(name) ? [name, `~/${name}`, `./${name}`] : [name])
            openable.push({ ...unknownWord, text })
        }
  }

  /** Passes texts on to a program that may run what they name, or open it. */
  const pass = (texts: ReadonlyArray<string>): void => {
    for (const text of texts) {
      carried.push(text)
      openPieces(text, true)
    }
  }

  /** `inside`: an outer command's text, which contains this one, is in `carried` already. */
  const visit = (words: Words, input: ShellInput, depth: number, scripts: number, inside: boolean): void => {
    const [head] = words
    if (head === undefined) return
    found.push(words)
    const one = metOf(words, input)
    met.push(one)
    steps += words.length
    if (!isSure(head)) return
    const { carries, effects, obeys, program } = one
    const inner = innerOf(program, words, input)
    // the inner command is examined separately
    const carrier = obeys || (carries && inner.commands.length + inner.scripts.length > 0)
    const at = words.indexOf(inner.commands[0]?.[0] ?? head)
    const given = words.slice(1, at > 0 ? at : undefined).filter((word) => !inner.scripts.includes(word.text))
    if (carrier && !inside) carried.push(joinWords(given).text)
    if ((carrier && !inside) || readsByText.has(program)) {
      // a script of sed's that its description covers opens no files
      const isPlain = program.endsWith("sed") && effects !== null
      for (const { text } of isPlain ? [] : given) openPieces(text, program.endsWith("sed"))
    }
    if (readsList(program, given)) openable.push(unknownWord)
    // git's commands are programs, too
    if (program.startsWith("git-"))
      visit([plainWord("git"), plainWord(program.slice(4)), ...words.slice(1)], input, depth + 1, scripts, inside)
    if (program === "git") {
      const [, verb, ...rest] = withoutOwnOptions(words)
      if (verb?.text === "for-each-repo") found.push([head, ...rest.filter(({ text }) => !text.startsWith("-"))])
      const isAlias = verb !== undefined && isSure(verb) && !verb.text.startsWith("-") && !gitCommands.has(verb.text)
      // what an alias runs is not known, nor what an included file of settings says
      if (isAlias || words.some(({ text }) => /(?:^|=|^-c)include(?:if)?\./i.test(text))) found.push([unknownWord])
      // An alias can be any command of git.
      if (words.some(({ text }) => /(?:^|=|^-c)alias\./i.test(text))) carried.push("git")
    }
    if (depth >= deepest || steps > limit) {
      unclearReason ??= "programs that run programs are nested too deeply"
      return
    }
    unclearReason ??= inner.unclear
    for (const more of inner.commands) {
      // a word that begins with a read name is mostly in the directory
      for (const one of more)
        if (one.text.includes(unknownWord.text) && /\//.test(one.text))
          openable.push(one.text.startsWith(unknownWord.text) ? { ...one, text: `./${one.text}` } : one)
      visit(more, input, depth + 1, scripts, inside || (carrier && at <= 0))
    }
    for (const text of inner.scripts) readScript(text, scripts + 1)
  }

  const readScript = (text: string, scripts: number): ShellLine | null => {
    if (scripts > deepestScript || steps + text.length > limit) {
      unclearReason ??= "command lines are nested too deeply"
      return null
    }
    steps += text.length
    const read = readShell(text)
    unclearReason ??= read.unclear
    const doubt =
      foreign ??
      read.uncommon ??
      read.commands.reduce<string | null>((found, { words }) => found ?? builtinDoubt(words), null)
    if (doubt !== null) {
      const { names, unknown, words } = suspicion(text)
      for (const name of names) suspects.push(name)
      for (const word of words) openable.push({ ...unknownWord, text: word })
      if (unknown) unclearReason ??= doubt
    }
    for (const words of [others, files, openable]) words.push(...read.others)
    const given = read.commands.flatMap(({ assignments }) => assignments)
    // a loop may set a variable whose value other programs run
    if (!read.loops.every(isHarmlessName)) carried.push(...read.others.map(({ text }) => text))
    const isKnown = ({ value }: ShellAssignment): boolean => isSure(value) || value.globs || isRevision(value)
    const set = new Set([...read.loops, ...given.map(({ name }) => name)])
    for (const one of given) if (!isKnown(one)) set.delete(one.name)
    const hasOwnBlanks = given.some(({ name }) => name === "IFS")
    const isParted = (value: ShellWord): boolean => hasOwnBlanks || (becomesMore(value) && !namesNoFile(value))
    const parted = new Set(given.flatMap(({ name, value }) => (isParted(value) ? [name] : [])))
    if (read.others.some(isParted)) for (const name of read.loops) parted.add(name)
    /** A value from a loop or an assignment of this line is compared there. */
    const isSetHere = (word: ShellWord): boolean =>
      set.has(variableOf(word)) && !(word.bare && parted.has(variableOf(word)))
    const outer = met
    const line: Array<ReadonlyArray<Met>> = []
    let isFed = false
    for (const part of read.parts) {
      met = []
      /** The last command that is `xargs` or runs it, with what `xargs` runs. */
      let handing: readonly [from: number, input: ShellInput, runs: ReadonlyArray<Met>] | null = null
      for (const [from, command] of part.commands.entries()) {
        const before = met.length
        const [head] = withoutRunner(command.words)
        const opens = !unopening.has(head?.text ?? "")
        const tests = /^(?:\[|test)$/.test(head?.text ?? "") && command.words.every(isSure)
        for (const some of [command.words, command.writes, command.reads])
          for (const [i, word] of some.entries()) {
            // testing whether a file exists does not open it
            if (some !== command.words || !tests) files.push(word)
            if ((some !== command.words || (opens && (i > 0 || !isSure(word)) && !isText(some, i))) && !isSetHere(word))
              openable.push(word)
          }
        for (const assignment of command.assignments) {
          files.push(assignmentWord(assignment))
          if (isKnown(assignment)) openable.push(assignmentWord(assignment))
          // A variable may name a command that a program runs: GIT_SSH_COMMAND, PAGER.
          if (!isHarmlessName(assignment.name)) pass([assignment.value.text])
        }
        visit(command.words, command.input, 0, scripts, false)
        const runs = met.slice(before)
        const at = runs.findIndex(isNamed("xargs"))
        if (at >= 0) handing = [from, command.input, runs.slice(at + 1)]
      }
      const fed = met.filter(isGiven)
      const isObeyed = fed.some(({ obeys }) => obeys)
      isFed ||= isObeyed
      if (isObeyed) pass(textsOf(part))
      else if (fed.some(isNamed("xargs"))) for (const text of textsOf(part)) openPieces(text, true)
      // a file may contain any name, and a name may be that of a list
      if (handing !== null) {
        const [from, input, runs] = handing
        const feeding = part.commands.slice(0, from)
        const pieces = [...feeding.map(({ words }) => joinWords(words).text), input._tag === "Text" ? input.text : ""]
          .flatMap((text) => text.split(/\s+|\\n/))
          .map((text) => ({ text }))
        const mayList = ({ program }: Met): boolean =>
          readsList(program, pieces) || (takesLists(program) && !feeding.every(printsNoList))
        if (input._tag === "File" || !feeding.every(printsNames) || runs.some(mayList)) openable.push(unknownWord)
      }
      line.push(met)
    }
    const values = [...read.others, ...given.map(({ value }) => value)]
    // the value of a loop or an assignment may be what such a command reads
    if (isFed) for (const { text } of values) carried.push(text)
    // or a list that names any file; the shell may split it
    const pieces = values.flatMap(({ text }) => text.split(/[\s,{}]+/)).map((text) => ({ text }))
    if (line.flat().some(({ program }) => readsList(program, pieces))) openable.push(unknownWord)
    const git = partsWith(line, isGit)
    const obeying = partsWith(line, (met) => !isGit(met) && metOf(met.words, inherited).obeys)
    for (const [i, part] of read.parts.entries()) {
      const made = part.commands.flatMap(madeBy)
      // a single command does not run what it writes
      const isElsewhere = (parts: ReadonlySet<number>): boolean =>
        parts.size > (part.commands.length > 1 || !parts.has(i) ? 0 : 1)
      if (made.length > 0 && (isElsewhere(obeying) || (made.some(isForGit) && isElsewhere(git)))) pass(textsOf(part))
    }
    met = [...outer, ...line.flat()]
    return { ...read, uncommon: doubt }
  }

  const own = readScript(line, 0)!
  return { ...own, unclear: unclearReason, found, carried, suspects, others, files, openable }
}
