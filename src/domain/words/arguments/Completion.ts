import { sessionStates } from "../session/states.ts"
import { type CompletionShell, completionShells } from "./completionShells.ts"

/**
 * What a shell offers after the words of a command line: leap's own words, and the kind of live names. The caller looks
 * up sessions, messages and CLIs.
 */

/** A flag as completions know it. `values`: its possible values, empty for any; null for a flag without a value. */
export interface CompletionFlag {
  readonly names: ReadonlyArray<string>
  readonly values: ReadonlyArray<string> | null
  readonly text: string
}

/** A command with its operands in order; an operand whose name ends in `...` takes all further words. */
export interface CompletionCommand {
  readonly name: string
  readonly text: string
  readonly flags: ReadonlyArray<CompletionFlag>
  readonly operands: ReadonlyArray<string>
  readonly commands: ReadonlyArray<CompletionCommand>
}

export interface Candidate {
  readonly value: string
  readonly text: string
}

export type CompletionSource =
  | { readonly _tag: "Words"; readonly words: ReadonlyArray<Candidate> }
  | { readonly _tag: "Tags"; readonly of: "running" | "ended" | "all" }
  | { readonly _tag: "Clis" }
  /** Other machines, by their names. */
  | { readonly _tag: "Hosts" }
  /** Waiting messages of a session, by their short ids. */
  | { readonly _tag: "Messages"; readonly tag: string }
  /** Names of leap's settings, and the values of one of them. */
  | { readonly _tag: "Settings" }
  | { readonly _tag: "SettingValues"; readonly name: string }
  | { readonly _tag: "Options"; readonly tag: string }
  /** The shell knows them best. */
  | { readonly _tag: "Files" }
  | { readonly _tag: "Directories" }

/** The candidates to offer: those of the sources that begin with `prefix`, each preceded by `before`. */
export interface Wanted {
  readonly sources: ReadonlyArray<CompletionSource>
  readonly prefix: string
  readonly before: string
  readonly exclude: ReadonlyArray<string>
}

const words = (values: ReadonlyArray<string>): CompletionSource => ({
  _tag: "Words",
  words: values.map((value) => ({ value, text: "" }))
})

const keyWords = words([
  "Esc",
  "Enter",
  "Tab",
  "S-Tab",
  "Space",
  "Up",
  "Down",
  "Left",
  "Right",
  "Backspace",
  "C-c",
  "C-d"
])

/** States that can be waited for, without `starting`: a session is in it only once, before anybody waits. */
const stateWords = words(sessionStates.filter((state) => state !== "starting"))

/** Commands for running sessions. `forget` is for ended ones, all others are for both. */
const ofRunning: ReadonlySet<string> = new Set(
  "answer attach edit force hold interrupt keys move record release remove retry screen send stop wait".split(" ")
)

const flagSources: Readonly<Record<string, CompletionSource>> = {
  "--tag": { _tag: "Tags", of: "all" },
  "--tags": { _tag: "Tags", of: "running" },
  "--as": { _tag: "Tags", of: "all" },
  "--cli": { _tag: "Clis" },
  "--provider": { _tag: "Clis" },
  "--fallback": { _tag: "Clis" },
  "--base": { _tag: "Clis" },
  "--to": { _tag: "Clis" },
  "--until": stateWords,
  "--cwd": { _tag: "Directories" },
  "--image": { _tag: "Files" },
  "--schema": { _tag: "Files" },
  "--prompt-file": { _tag: "Files" },
  "--state": { _tag: "Files" }
}

const listed: ReadonlySet<string> = new Set(["--tags", "--until", "--provider", "--fallback"])

const flagsOf = (command: CompletionCommand): CompletionSource => ({
  _tag: "Words",
  words: command.flags.flatMap(({ names, text }) =>
    names.filter((name) => name.startsWith("--")).map((value) => ({ value, text }))
  )
})

const subcommandsOf = (command: CompletionCommand): CompletionSource => ({
  _tag: "Words",
  words: command.commands.map(({ name, text }) => ({ value: name, text }))
})

/** The candidates of an operand, by its name on the help page. */
const operandSources = (
  path: ReadonlyArray<string>,
  name: string,
  before: ReadonlyArray<string>
): ReadonlyArray<CompletionSource> => {
  const [first = ""] = path
  const command = path.at(-1) ?? ""
  switch (name.replace(/\.\.\.$/, "")) {
    case "tag":
    case "tag, then text":
    case "tag, then keys":
      if (first === "forget") return [{ _tag: "Tags", of: "ended" }]
      // 'leap move' moves a session, ended or not; 'leap queue move' moves a message of a running one.
      return [{ _tag: "Tags", of: ofRunning.has(command) && path.join(" ") !== "move" ? "running" : "all" }]
    case "id":
      if (first === "queue") return before[0] === undefined ? [] : [{ _tag: "Messages", tag: before[0] }]
      return command === "add" ? [] : [{ _tag: "Clis" }]
    case "answer":
      return before[0] === undefined ? [] : [{ _tag: "Options", tag: before[0] }]
    case "name":
      if (first === "hosts" && command !== "add") return [{ _tag: "Hosts" }]
      return first === "settings" ? [{ _tag: "Settings" }] : []
    case "value":
      return first === "settings" && before[0] !== undefined ? [{ _tag: "SettingValues", name: before[0] }] : []
    case "cli":
    case "base":
      return [{ _tag: "Clis" }]
    case "shell":
      return [words(completionShells)]
    case "file":
    case "recording":
      return [{ _tag: "Files" }]
    case "dir":
    case "directory":
      return [{ _tag: "Directories" }]
    default:
      return []
  }
}

const texts: ReadonlySet<string> = new Set(["tag, then text", "tag, then keys"])

/** For bash `=` is a word of its own: without it the flag and its value, empty so far or not, are two words. */
const uncut = (line: ReadonlyArray<string>): ReadonlyArray<string> =>
  line.flatMap((word, i) => {
    if (word !== "=" || line[i - 1]?.startsWith("--") !== true) return [word]
    return i === line.length - 1 ? [""] : []
  })

/** The command at the start of the words, and how many words name it; `leap <tag> …` is `leap start <tag> …`. */
const commandAt = (root: CompletionCommand, line: ReadonlyArray<string>) => {
  let command = root
  const path: Array<string> = []
  for (const word of line) {
    const next = command.commands.find(({ name }) => name === word)
    if (next === undefined) break
    command = next
    path.push(word)
  }
  const bare = line[path.length]
  if (bare === undefined || bare.startsWith("-")) return { command, path, named: path.length }
  const implied = path.length === 0 ? "start" : path.length === 1 && path[0] === "queue" ? "show" : null
  const found = implied === null ? undefined : command.commands.find(({ name }) => name === implied)
  return found === undefined
    ? { command, path, named: path.length }
    : { command: found, path: [...path, found.name], named: path.length }
}

const nothing: Wanted = { sources: [], prefix: "", before: "", exclude: [] }

/** The value of a flag; in a list only the part after the last comma. */
const valueOf = (flag: CompletionFlag, name: string, typed: string, before: string): Wanted => {
  const known = flagSources[name]
  const sources = (flag.values ?? []).length > 0 ? [words(flag.values ?? [])] : known === undefined ? [] : [known]
  const end = listed.has(name) ? typed.lastIndexOf(",") + 1 : 0
  const list = typed.slice(0, end)
  return { sources, prefix: typed.slice(end), before: before + list, exclude: list.split(",") }
}

/** What is the same on all machines. */
const everywhere: ReadonlySet<CompletionSource["_tag"]> = new Set(["Words", "Settings", "SettingValues"])

/** The candidates for the last word, which is being typed. `line`: without the program's own name. */
export const wanted = (root: CompletionCommand, shell: CompletionShell, line: ReadonlyArray<string>): Wanted => {
  const [first, host = "", ...rest] = line
  if (first !== "--host") return wantedHere(root, shell, line)
  if (rest.length === 0) return { ...nothing, sources: [{ _tag: "Hosts" }], prefix: host }
  const there = wantedHere(root, shell, rest)
  return { ...there, sources: there.sources.filter(({ _tag }) => everywhere.has(_tag)) }
}

const wantedHere = (root: CompletionCommand, shell: CompletionShell, line: ReadonlyArray<string>): Wanted => {
  const all = shell === "bash" ? uncut(line) : line
  const typed = all.at(-1) ?? ""
  const done = all.slice(0, -1)
  if (done.includes("--")) return { ...nothing, sources: [{ _tag: "Files" }], prefix: typed }
  const isHelp = done[0] === "help"
  const { command, named, path } = commandAt(root, isHelp ? done.slice(1) : done)
  if (isHelp) return { ...nothing, sources: [subcommandsOf(command)], prefix: typed }
  const given: Array<string> = []
  const flags = new Set<string>()
  const flagNamed = (name: string) => command.flags.find(({ names }) => names.includes(name))
  for (let i = named; i < done.length; i++) {
    const word = done[i]!
    if (!word.startsWith("-") || word === "-") given.push(word)
    else {
      const name = word.split("=", 1)[0]!
      flags.add(name)
      const flag = flagNamed(name)
      if (flag === undefined || flag.values === null || name !== word) continue
      if (i === done.length - 1) return valueOf(flag, name, typed, "")
      i++
    }
  }
  const attached = /^(--[^=]+)=(.*)$/s.exec(typed)
  if (attached !== null) {
    const [, name = "", value = ""] = attached
    const flag = flagNamed(name)
    return flag === undefined || flag.values === null ? nothing : valueOf(flag, name, value, `${name}=`)
  }
  const offer = (sources: ReadonlyArray<CompletionSource>): Wanted => ({
    sources,
    prefix: typed,
    before: "",
    exclude: [...given, ...flags]
  })
  if (typed.startsWith("-")) return offer([flagsOf(command)])
  const last = command.operands.at(-1)
  const name = command.operands[given.length] ?? (last?.endsWith("...") === true ? last : undefined)
  const isText = name !== undefined && texts.has(name.replace(/\.\.\.$/, ""))
  if (isText && (given.length > 0 || flags.has("--all") || flags.has("--tags")))
    return offer(path[0] === "keys" ? [keyWords] : [])
  const own = command.commands.length === 0 || given.length > 0 ? [] : [subcommandsOf(command)]
  if (path.length === 0 && named === 0 && given.length === 0) return offer([...own, { _tag: "Tags", of: "all" }])
  if (path.join(" ") === "queue" && given.length === 0) return offer([...own, { _tag: "Tags", of: "all" }])
  return offer(name === undefined ? own : [...own, ...operandSources(path, name, given)])
}
