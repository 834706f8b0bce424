import { carriers, gitCarries, inputRunners, shells, withoutVersion, type Wrapper, wrappers } from "./ShellPrograms.ts"
import { readShell } from "./ShellLexer.ts"
import { baseName, isSure, joinWords, plainWord, type ShellCommand, type ShellInput, type ShellWord } from "./ShellWords.ts"

/** How many programs that run programs are looked through. */
const deepest = 24
/** Command lines inside command lines (`sh -c "sh -c …"`). */
const deepestScript = 8
/** Characters and words that are looked at beyond the line itself: so that no line can hold up a session. */
const mostWork = 100_000

type Words = ReadonlyArray<ShellWord>

/** All that a command line runs, as far as it can be told. */
export interface ShellReading {
  /** The line's own simple commands. */
  readonly commands: ReadonlyArray<ShellCommand>
  readonly substitutes: boolean
  /** Why it is not certain that everything was found; null when it is. */
  readonly unclear: string | null
  /** Every command found, as words: as written, and what wrappers, shells and the like would run. */
  readonly found: ReadonlyArray<Words>
  /** Texts in which a command may be named that a program then runs: code of other languages, arguments of `ssh`. */
  readonly carried: ReadonlyArray<string>
  /** Words and targets of redirections that may name files. */
  readonly files: Words
  readonly steps: number
}

/** What one command runs in turn. */
interface Inner {
  readonly commands: ReadonlyArray<Words>
  readonly scripts: ReadonlyArray<string>
  readonly unclear: string | null
}

const nothing: Inner = { commands: [], scripts: [], unclear: null }
const runs = (words: Words): Inner => words.length === 0 ? nothing : { commands: [words], scripts: [], unclear: null }
const script = (text: string): Inner => ({ commands: [], scripts: [text], unclear: null })
const unclear = (why: string): Inner => ({ commands: [], scripts: [], unclear: why })

/** The words behind a wrapper's own options and operands. */
const unwrap = (wrapper: Wrapper, words: Words): Words => {
  const long = wrapper.long?.split(" ") ?? []
  let operands = wrapper.operands ?? 0
  let i = 1
  let options = true
  for (; i < words.length; i++) {
    const { text } = words[i]!
    if (options && text === "--") options = false
    else if (options && text.startsWith("--")) {
      if (long.includes(text)) i++
    } else if (options && text.length > 1 && /^[-+]/.test(text)) {
      const at = [...text].findIndex((letter, j) => j > 0 && wrapper.short.includes(letter))
      if (at === [...text].length - 1) i++
    } else if (wrapper.assigns === true && /^[A-Za-z_]\w*=/.test(text)) continue
    else if (operands > 0) {
      operands--
      options = false
    } else break
  }
  return words.slice(i)
}

/** Words in which the place for an argument is filled by something unknown. */
const filled = (words: Words, place: string): Words =>
  words.map((word) => {
    const at = place === "" ? -1 : word.text.indexOf(place)
    return at < 0 ? word : { ...word, text: word.text.replaceAll(place, "$(…)"), sure: Math.min(word.sure, at), globs: false }
  })

const unknownTail: ShellWord = { text: "$(…)", sure: 0, globs: false, bare: 0 }

const xargs = (words: Words, inner: Words): Inner => {
  if (inner.length === 0) return nothing
  const own = words.slice(1, words.length - inner.length).map((word) => word.text)
  const at = own.findIndex((text) => /^(?:-[A-Za-z0-9]*[IiJ]|--replace|-i$)/.test(text))
  if (at < 0) return runs([...inner, unknownTail])
  const place = /^(?:-[A-Za-z0-9]*?[IJ]|-i|--replace=?)(.*)$/.exec(own[at]!)?.[1] ?? ""
  return runs(filled(inner, place !== "" ? place : /[IJ]$/.test(own[at]!) ? own[at + 1] ?? "{}" : "{}"))
}

const shell = (words: Words, input: ShellInput): Inner => {
  let command = false
  for (let i = 1; i < words.length; i++) {
    const { text } = words[i]!
    if (!isSure(words[i]!) && !command) return unclear("a shell's arguments are not certain")
    if (/^--(?:command|c)=/.test(text)) return script(text.slice(text.indexOf("=") + 1))
    if (/^(?:--command|-Command|-EncodedCommand)$/.test(text)) command = true
    else if (/^(?:--rcfile|--init-file|--init-command|-C|[-+][A-Za-z]*[oO])$/.test(text)) {
      command ||= /^-[A-Za-z]*c/.test(text)
      i++
    } else if (!command && (text === "-" || text === "--" || /^-[A-Za-z]*s[A-Za-z]*$/.test(text) && !text.includes("c"))) break
    else if (/^[-+]/.test(text) && text.length > 1) command ||= /^-[A-Za-z]*c/.test(text)
    else if (command) return script(joinWords(text === "--" ? words.slice(i + 1) : [words[i]!]).text)
    else return /^\/(?:dev|proc)\//.test(text) ? unclear("a shell reads its commands from its input") : nothing
  }
  if (command) return unclear("a shell's command is missing")
  return input._tag === "Text" ? script(input.text) : unclear("a shell reads its commands from its input")
}

/** The commands of find's `-exec` and the like. */
const findCommands = (words: Words): Inner => {
  const commands: Array<Words> = []
  let start: number | null = null
  for (const [i, { text }] of words.entries()) {
    if (start === null && /^-(?:exec|execdir|ok|okdir)$/.test(text)) start = i + 1
    else if (start !== null && (text === ";" || text === "+") || start !== null && i === words.length - 1) {
      commands.push(filled(words.slice(start, text === ";" || text === "+" ? i : i + 1), "{}"))
      start = null
    }
  }
  return { ...nothing, commands: commands.filter((words) => words.length > 0) }
}

/** The word behind the first of these options, or in it (`--command=…`). */
const optionValue = (words: Words, names: RegExp): string | null => {
  for (const [i, { text }] of words.entries()) {
    if (i === 0 || !names.test(text)) continue
    const equals = text.indexOf("=")
    return text.startsWith("--") && equals > 0 ? text.slice(equals + 1) : words[i + 1]?.text ?? null
  }
  return null
}

/** What a command runs in turn. */
const innerOf = (program: string, words: Words, input: ShellInput): Inner => {
  const rest = words.slice(1)
  switch (program) {
    case "eval":
      return script(joinWords(rest[0]?.text === "--" ? rest.slice(1) : rest).text)
    case "source":
    case ".":
      return unclear("it reads commands from a file")
    case "trap":
      return script(rest.find((word) => !/^-[lp-]?$/.test(word.text))?.text ?? "")
    case "alias":
    case "abbr":
      return { ...nothing, scripts: rest.map((word) => word.text.slice(word.text.indexOf("=") + 1)) }
    case "find":
    case "gfind":
      return findCommands(words)
    case "command":
      if (asksWhere(program, words)) return nothing
      break
    case "watch":
      return script(joinWords(unwrap({ short: "nq", long: "--interval --equexit" }, words)).text)
    case "su":
    case "runuser":
    case "script":
    case "flock":
    case "npx":
    case "nix-shell": {
      const text = optionValue(words, /^(?:-[A-Za-z]*c|--command(?:=.*)?|--call(?:=.*)?|--run(?:=.*)?)$/)
      if (text !== null) return script(text)
      if ((program === "su" || program === "runuser") && input._tag !== "Inherited") return shell(words.slice(0, 1), input)
      break
    }
    case "env": {
      const split = rest.findIndex(({ text }) => /^(?:-[A-Za-z0]*S|--split-string)/.test(text))
      if (split < 0) break
      const own = rest[split]!.text.replace(/^(?:-[A-Za-z0]*?S|--split-string=?)/, "")
      // what follows `-S` is read as more arguments of env
      return script(joinWords([plainWord("env"), plainWord(own), ...rest.slice(split + 1)]).text)
    }
    default:
      break
  }
  if (shells.has(program)) return shell(words, input)
  if (inputRunners.has(program) && input._tag !== "Inherited") {
    return input._tag === "Text" ? script(input.text) : unclear(`${program} reads its commands from its input`)
  }
  const wrapper = wrappers.get(program)
  if (wrapper === undefined) return nothing
  const inner = unwrap(wrapper, words)
  return program === "xargs" ? xargs(words, inner) : runs(inner)
}

/** `command -v rm` asks where rm is. */
const asksWhere = (program: string, words: Words): boolean => program === "command" && /^-[pvV]*[vV]/.test(words[1]?.text ?? "")

const carries = (program: string, words: Words): boolean =>
  program === "git" ? words.some((word) => gitCarries.has(word.text.split("=", 1)[0]!)) : carriers.has(program) && !asksWhere(program, words) || /^ld[-.].*so|^ld\.so/.test(program)

/** Reads a command line, and every command line inside it. */
export const readCommandLine = (line: string): ShellReading => {
  const found: Array<Words> = []
  const carried: Array<string> = []
  const files: Array<ShellWord> = []
  let doubt: string | null = null
  let steps = 0
  let commands: ReadonlyArray<ShellCommand> = []
  let substitutes = false
  const limit = line.length + mostWork

  /** `inside`: the command stands in one whose text has been carried already. */
  const look = (words: Words, input: ShellInput, depth: number, scripts: number, inside: boolean): void => {
    const [head] = words
    if (head === undefined) return
    found.push(words)
    steps += words.length
    if (!isSure(head)) return
    const program = withoutVersion(baseName(head.text).toLowerCase())
    const carrier = carries(program, words)
    if (carrier && !inside) {
      const text = joinWords(words.slice(1)).text
      carried.push(input._tag === "Text" ? `${text}\n${input.text}` : text)
    }
    // an alias can be any command of git
    if (program === "git" && words.some((word) => /(?:^|=)alias\./i.test(word.text))) carried.push("git")
    if (depth >= deepest || steps > limit) {
      doubt ??= "programs that run programs are nested too deeply"
      return
    }
    const inner = innerOf(program, words, input)
    doubt ??= inner.unclear
    for (const more of inner.commands) look(more, input, depth + 1, scripts, inside || carrier)
    for (const text of inner.scripts) readScript(text, scripts + 1)
  }

  const readScript = (text: string, scripts: number): void => {
    if (scripts > deepestScript || steps + text.length > limit) {
      doubt ??= "command lines are nested too deeply"
      return
    }
    const read = readShell(text)
    steps += read.steps
    doubt ??= read.unclear
    if (scripts === 0) {
      commands = read.commands
      substitutes = read.substitutes
    }
    for (const command of read.commands) {
      for (const some of [command.words, command.assignments, command.writes, command.reads]) for (const word of some) files.push(word)
      // a command may be handed on in the environment: GIT_SSH_COMMAND, PAGER
      for (const { text } of command.assignments) carried.push(text.slice(text.indexOf("=") + 1))
      look(command.words, command.input, 0, scripts, false)
    }
  }

  readScript(line, 0)
  return { commands, substitutes, unclear: doubt, found, carried, files, steps }
}
