import { isEnvironment } from "./ShellBuiltins.ts"
import {
  elsewhere,
  inputRunners,
  interpreters,
  shells,
  withoutVersion,
  type Wrapper,
  wrappers
} from "./knownPrograms/shellPrograms.ts"
import { execsIn, litterIn } from "./findWords.ts"
import { withoutOwn } from "./knownPrograms/table.ts"
import { baseName, isSure, joinWords, plainWord, type ShellInput, unknownWord, type Words } from "./ShellWords.ts"

/** The commands and command lines that one command runs. */
export interface Inner {
  readonly commands: ReadonlyArray<Words>
  readonly scripts: ReadonlyArray<string>
  readonly unclear: string | null
  /** They run in a container: a rule for the outer command may cover them, too (`coveredBy`). */
  readonly isElsewhere?: boolean
}

const nothing: Inner = { commands: [], scripts: [], unclear: null }
const runs = (words: Words): Inner => (words.length === 0 ? nothing : { commands: [words], scripts: [], unclear: null })
const script = (text: string): Inner => ({ commands: [], scripts: [text], unclear: null })
const unclear = (why: string): Inner => ({ commands: [], scripts: [], unclear: why })

/** The words after a wrapper's own options and operands. */
const unwrap = (wrapper: Wrapper, words: Words): Words => {
  const long = wrapper.long?.split(" ") ?? []
  let operands = wrapper.operands ?? 0
  let i = 1
  let options = true
  for (; i < words.length; i++) {
    const { text } = words[i]!
    if (options && text === "--") options = false
    else if (options && text.startsWith("--")) {
      if (text.length > 2 && long.some((one) => one.startsWith(text))) i++
    } else if (options && text.length > 1 && /^[-+]/.test(text)) {
      const valued = wrapper.short + (wrapper.optional ?? "")
      const at = [...text].findIndex((letter, j) => j > 0 && valued.includes(letter))
      if (at === [...text].length - 1 && wrapper.short.includes(text.at(-1)!)) i++
    } else if (wrapper.assigns === true && /^[A-Za-z_]\w*=/.test(text)) continue
    else if (operands > 0) {
      operands--
      options = false
    } else break
  }
  return words.slice(i)
}

/** Replaces a placeholder (`{}`) by unknown text. */
const filled = (words: Words, place: string): Words =>
  words.map((word) => {
    const at = place === "" ? -1 : word.text.indexOf(place)
    return at < 0
      ? word
      : { ...word, text: word.text.replaceAll(place, "$(…)"), sure: Math.min(word.sure, at), globs: false }
  })

const xargs = (words: Words, inner: Words): Inner => {
  if (inner.length === 0) return nothing
  const options = words.slice(1, words.length - inner.length).map((word) => word.text)
  const at = options.findIndex((text) => /^(?:-[A-Za-z0-9]*[IiJ]|--replace|-i$)/.test(text))
  if (at < 0) return runs([...inner, unknownWord])
  const place = /^(?:-[A-Za-z0-9]*?[IJ]|-i|--replace=?)(.*)$/.exec(options[at]!)?.[1] ?? ""
  return runs(filled(inner, place !== "" ? place : /[IJ]$/.test(options[at]!) ? (options[at + 1] ?? "{}") : "{}"))
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
    } else if (
      !command &&
      (text === "-" || text === "--" || (/^-[A-Za-z]*s[A-Za-z]*$/.test(text) && !text.includes("c")))
    )
      break
    else if (/^[-+]/.test(text) && text.length > 1) command ||= /^-[A-Za-z]*c/.test(text)
    else if (command) return script(joinWords(text === "--" ? words.slice(i + 1) : [words[i]!]).text)
    else return /^\/(?:dev|proc)\//.test(text) ? unclear("a shell reads its commands from its input") : nothing
  }
  if (command) return unclear("a shell's command is missing")
  return input._tag === "Text" ? script(input.text) : unclear("a shell reads its commands from its input")
}

const findCommands = (words: Words): Inner => {
  const isFollowing = words.some(({ text }) => text === "-follow")
  const commands = execsIn(words).commands.map(({ at, own }) => {
    const names = isFollowing ? null : litterIn(words.slice(1, at))
    return filled(names === null ? own : own.flatMap((word) => (word.text === "{}" ? names : [word])), "{}")
  })
  return { ...nothing, commands: commands.filter((words) => words.length > 0) }
}

/** The value of the first of these options: the next word, or the part after `=` (`--command=…`). */
const optionValue = (words: Words, names: RegExp): string | null => {
  for (const [i, { text }] of words.entries()) {
    if (i === 0 || !names.test(text)) continue
    const equals = text.indexOf("=")
    return text.startsWith("--") && equals > 0 ? text.slice(equals + 1) : (words[i + 1]?.text ?? null)
  }
  return null
}

/** The name of a program in the tables: `/usr/bin/Python3.12` is `python`. */
export const commandName = (program: string): string => withoutVersion(baseName(program).toLowerCase())

export const innerOf = (program: string, words: Words, input: ShellInput): Inner => {
  const rest = words.slice(1)
  switch (program) {
    case "eval":
      return script(joinWords(rest[0]?.text === "--" ? rest.slice(1) : rest).text)
    case "source":
    case ".":
      return isEnvironment(rest) ? nothing : unclear("it reads commands from a file")
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
    case "watch": {
      const run = unwrap({ short: "nq", long: "--interval --equexit" }, words)
      const isExecuted = words.slice(1, -run.length).some(({ text }) => /^-\w*x|^--ex/.test(text))
      // the letter may be another option's value
      return { ...(isExecuted ? runs(run) : nothing), scripts: [joinWords(run).text] }
    }
    case "su":
    case "runuser":
    case "script":
    case "flock":
    case "npx":
    case "nix-shell": {
      const text = optionValue(words, /^(?:-[A-Za-z]*c|--command(?:=.*)?|--call(?:=.*)?|--run(?:=.*)?)$/)
      if (text !== null) return script(text)
      if ((program === "su" || program === "runuser") && input._tag !== "Inherited")
        return shell(words.slice(0, 1), input)
      break
    }
    case "env": {
      const split = rest.findIndex(({ text }) => /^(?:-[A-Za-z0]*S|--split-string)/.test(text))
      if (split < 0) break
      const own = rest[split]!.text.replace(/^(?:-[A-Za-z0]*?S|--split-string=?)/, "")
      // The words of `-S`, and those after it, are further arguments of env.
      return script(joinWords([plainWord("env"), plainWord(own), ...rest.slice(split + 1)]).text)
    }
    default:
      break
  }
  if (shells.has(program)) return shell(words, input)
  if (
    interpreters.has(program) &&
    /Pipe|File/.test(input._tag) &&
    rest.every(({ text }) => /^-(?![cemrf]|-eval|-run)/.test(text))
  )
    return unclear(`${program} reads what it runs from its input`)
  if (inputRunners.has(program) && input._tag !== "Inherited") {
    return input._tag === "Text" ? script(input.text) : unclear(`${program} reads its commands from its input`)
  }
  const own = wrappers.get(program)
  const behind = own === undefined ? withoutOwn(program, rest) : words
  const [verb, next] = behind.map(({ text }) => text)
  const nested = elsewhere.get(`${program} ${verb} ${next}`)
  const inContainer = nested ?? elsewhere.get(`${program} ${verb}`)
  const wrapper = own ?? inContainer ?? wrappers.get(`${program} ${verb}`)
  if (wrapper === undefined) return nothing
  const inside = unwrap(wrapper, nested === undefined ? behind : behind.slice(1))
  const inner = inContainer !== undefined && inside[0]?.text === "--" ? inside.slice(1) : inside
  // an interactive shell in the container
  if (inContainer !== undefined && inner.length === 1 && shells.has(inner[0]!.text) && input._tag === "Inherited")
    return { ...nothing, isElsewhere: true }
  if (wrapper.script?.test(inner[0]?.text ?? "") === true) return runs([plainWord("python"), ...inner])
  return program === "xargs" ? xargs(words, inner) : { ...runs(inner), isElsewhere: inContainer !== undefined }
}

/** `command -v rm` only prints the place of rm. */
export const asksWhere = (program: string, words: Words): boolean =>
  program === "command" && /^-[pvV]*[vV]/.test(words[1]?.text ?? "")
