import {
  type Assignment,
  forEachChild,
  type HereDoc,
  type HereString,
  parse,
  type ParsedScript,
  type Redirect,
  type Redirection,
  type SyntaxNode,
  type Word,
  type WordPart
} from "unbash"
import { uncommonNode, uncommonText } from "./ShellCommon.ts"
import {
  becomesMore,
  distinct,
  inherited,
  innerFile,
  isRevision,
  type ShellAssignment,
  type ShellCommand,
  type ShellInput,
  type ShellLine,
  type ShellPart,
  type ShellWord,
  unknownWord,
  type Words
} from "./ShellWords.ts"

/** Longer command lines are not read; the user decides on them. In UTF-16 units. */
const longestLine = 100_000
/** Bounds on parts that may begin a nested command line or have parts: reading them takes more than linear time. */
const mostInner = 200
const mostExpansions = 2_000
const mostCommands = 3_000

/** Why a line is not read, for the user; null if it is. */
const unreadable = (line: string): string | null => {
  if (line.length > longestLine) return "it is too long to be read"
  if (line.includes("\u0000")) return "it has a zero byte"
  const inner = line.match(/\$\(|`|[<>]\(|<<|\(\(|\bcoproc\b/g)?.length ?? 0
  const expansions = line.match(/\$\{|[([{]/g)?.length ?? 0
  if (isDeep(line)) return "it is nested too deeply"
  return inner > mostInner || expansions > mostExpansions ? "it has too many parts to be read" : null
}

export const shellWord = ({ parts, text: written, value }: Pick<Word, "parts" | "text" | "value">): ShellWord => {
  if (parts?.length === 1 && parts[0]?.type === "ProcessSubstitution" && written.startsWith("<")) return innerFile
  let text = ""
  let sure: number | null = null
  let globs = true
  let bare = true
  const add = (part: string): void => void (text += part)
  const unknown = (part: string, isGlob: boolean): void => {
    sure ??= text.length
    globs &&= isGlob
    text += part
  }
  const read = (part: WordPart): void => {
    switch (part.type) {
      case "Literal":
        bare &&= !part.text.includes("\\")
        // A dollar that begins nothing here begins something in another shell.
        return /^(?:[^\\$]|\\[^])*$/.test(part.text) ? add(part.value) : unknown(part.value, false)
      case "SingleQuoted":
      case "AnsiCQuoted":
        bare = false
        return add(part.value)
      case "DoubleQuoted":
      case "LocaleString":
        bare = false
        return part.parts.forEach(read)
      case "Glob":
        return unknown(part.text, true)
      default:
        return unknown(part.text, false)
    }
  }
  if (parts === undefined) read({ type: "Literal", pos: 0, end: 0, value, text: written })
  else parts.forEach(read)
  return { text, sure: sure ?? text.length, globs: sure !== null && globs, bare }
}

/** Operators whose target may be a descriptor instead of a file. */
const noFile: ReadonlySet<string> = new Set([">&", "<&"])

const writesTo = (one: Redirect): boolean =>
  one.operator.includes(">") &&
  !(noFile.has(one.operator) && one.target !== undefined && /^(?:\d+-?|-)$/.test(one.target.text))

const fileOf = ({ target }: Redirect): ShellWord => (target === undefined ? unknownWord : shellWord(target))

const readsFrom = (one: Redirect): boolean => one.operator === "<" || one.operator === "<>"

const textInput = (one: HereDoc | HereString): Extract<ShellInput, { readonly _tag: "Text" }> =>
  one.type === "HereString"
    ? one.target === undefined
      ? { _tag: "Text", text: "", sure: false }
      : (({ sure, text }) => ({ _tag: "Text" as const, text, sure: sure === text.length }))(shellWord(one.target))
    : { _tag: "Text", text: one.body.text, sure: one.delimiter?.quoted === true || one.body.parts === undefined }

const several: ShellInput = { _tag: "Pipe" }

/**
 * A command's input after its redirections. Of several, bash takes the last, and zsh reads all in turn (its option
 * MULTIOS), including a pipe before the command.
 */
const inputOf = (redirections: ReadonlyArray<Redirection>, outer: ShellInput): ShellInput => {
  let input: ShellInput | null = outer._tag === "Pipe" ? outer : null
  for (const one of redirections) {
    if (one.descriptor !== undefined && !(one.descriptor.type === "FileDescriptor" && one.descriptor.value === 0))
      continue
    if (one.type !== "Redirect") input = input === null ? textInput(one) : several
    else if (readsFrom(one) || one.operator === "<&")
      input = input === null ? { _tag: "File", word: fileOf(one) } : several
  }
  return input ?? outer
}

const assignmentsOf = (some: ReadonlyArray<SyntaxNode>): ReadonlyArray<ShellAssignment> =>
  some
    .filter((one): one is Assignment => one.type === "Assignment")
    .map(({ append, index, name, value }) => ({
      name: index === undefined && append === undefined ? name : `${name}[]`,
      value: value.type === "Word" ? shellWord(value) : { ...unknownWord, text: "(…)" }
    }))

/** Deeper lines are not read: the parser recurses for each level, and reads some levels again at each. */
const deepest = 100

/** Whether more brackets may be open at once than are read. Brackets in quotes count too. */
const isDeep = (line: string): boolean => {
  let depth = 0
  for (const [bracket] of line.matchAll(/[(){}]/g)) {
    depth = "({".includes(bracket) ? depth + 1 : Math.max(0, depth - 1)
    if (depth > deepest) return true
  }
  return false
}

/** Reads a command line. Total: a line that is nested too deeply for the parser is unclear. */
export const readShell = (line: string): ShellLine => {
  const nothing = { commands: [], parts: [], others: [], loops: [], through: new Map(), undashed: [], uncommon: null }
  const why = unreadable(line)
  if (why !== null) return { ...nothing, unclear: why }
  try {
    return readTree(line)
  } catch {
    // Words that begin a level (`if`, `!`) can be as deep; the parser's failure tells no more.
    return { ...nothing, unclear: "it cannot be read as a command line" }
  }
}

/** Loops over more words are not followed. */
const mostThrough = 64

const setBy = (words: Words): ReadonlyArray<string> =>
  words.length > 1 &&
  /^(?:read|export|readonly|local|declare|typeset|printf|getopts|let|unset|mapfile)$/.test(words[0]!.text)
    ? words.flatMap(({ text }) => text.split("=", 1))
    : []

const beginsPart: ReadonlySet<string> = new Set(["Pipeline", "Command", "Redirected"])

const readTree = (line: string): ShellLine => {
  const commands: Array<ShellCommand> = []
  const others: Array<ShellWord> = []
  const parts: Array<ShellPart> = []
  let part: { readonly commands: Array<ShellCommand>; readonly texts: Array<string> } | null = null
  const loops: Array<string> = []
  const dashed = new Set<string>()
  /** Variables that the shell splits, and those set by anything but their loop. */
  const loose = new Set<string>()
  const tree = parse(line)
  let unclear: string | null = null
  let uncommon = uncommonText(line)

  /** Adds a command, and gives its input. */
  const add = (
    of: Pick<ShellCommand, "assignments" | "words">,
    redirections: ReadonlyArray<Redirection>,
    outer: ShellInput
  ): ShellInput => {
    const files = (test: (one: Redirect) => boolean) =>
      redirections.flatMap((one) =>
        one.type === "Redirect" && test(one) && one.target !== undefined ? [fileOf(one)] : []
      )
    const input = inputOf(redirections, outer)
    const command = { ...of, writes: files(writesTo), reads: files(readsFrom), input }
    commands.push(command)
    part?.commands.push(command)
    for (const one of redirections) if (one.type !== "Redirect") part?.texts.push(textInput(one).text)
    return input
  }

  const inside = (node: SyntaxNode | ParsedScript, input: ShellInput): void =>
    forEachChild(node, (child) => visit(child, input))

  /** Visits the content of a word that is no word of its own here. */
  const within = (node: SyntaxNode, input: ShellInput): void => {
    uncommon ??= uncommonNode(node, line)
    inside(node, input)
  }

  const visit = (node: SyntaxNode | ParsedScript, input: ShellInput): void => {
    uncommon ??= uncommonNode(node, line)
    if (part !== null || !beginsPart.has(node.type)) return visitInside(node, input)
    part = { commands: [], texts: [] }
    parts.push(part)
    visitInside(node, input)
    part = null
  }

  const visitInside = (node: SyntaxNode | ParsedScript, input: ShellInput): void => {
    switch (node.type) {
      case "Script":
        if ("errors" in node && node.errors !== undefined && node.errors.length > 0)
          unclear ??= `it cannot be read as a command line (${node.errors[0]?.message ?? "syntax error"})`
        return inside(node, input)
      case "Command": {
        const words = [...(node.name === undefined ? [] : [node.name]), ...node.args].map((one) =>
          one.type === "Word" ? shellWord(one) : shellWord({ text: one.text, value: one.text, parts: undefined })
        )
        add({ assignments: assignmentsOf(node.prefix), words }, node.redirects, input)
        forEachChild(node, (child) => {
          // A value that only sets a variable is examined with its assignment.
          if (child.type === "Assignment" && node.name === undefined && child.value.type === "Word") {
            uncommon ??= uncommonNode(child, line)
            return within(child.value, input)
          }
          return child.type === "Word" ? within(child, input) : visit(child, input)
        })
        return
      }
      case "Redirected":
        return inside(
          node,
          node.redirects.length === 0 ? input : add({ assignments: [], words: [] }, node.redirects, input)
        )
      case "Pipeline":
        for (const [i, command] of node.commands.entries()) visit(command, i === 0 ? input : { _tag: "Pipe" })
        for (const prefix of node.prefixes) visit(prefix, input)
        for (const operator of node.operators) if (operator !== "|") uncommon ??= "it has a |&"
        return
      case "For":
      case "Select":
        loops.push(node.name.text)
        if (node.wordlist === undefined) dashed.add(node.name.text)
        for (const word of node.wordlist ?? []) {
          const value = shellWord(word)
          const { sure, text } = value
          if (sure === 0 || text.startsWith("-")) dashed.add(node.name.text)
          if (becomesMore(value)) loose.add(node.name.text)
          visit(word, input)
        }
        return visit(node.body, input)
      case "CommandExpansion":
      case "ProcessSubstitution":
      case "ArithmeticCommandExpansion":
        if (node.script === undefined) unclear ??= "what it puts in cannot be read"
        else visit(node.script, inherited)
        return
      case "Redirect":
        // Its command already has the file.
        return node.target === undefined ? undefined : within(node.target, input)
      case "TestUnary":
        // A test of a file does not open it.
        return within(node.operand, input)
      case "Word":
        others.push(shellWord(node))
        return inside(node, input)
      default:
        return inside(node, input)
    }
  }

  visit(tree, inherited)
  if (commands.length > mostCommands) unclear ??= "it has too many commands to be read"
  const named = new Set<string>()
  const looped = new Set(loops)
  for (const { assignments, words } of commands) {
    for (const { name, value } of assignments)
      if (words.length === 0 && isRevision(value) && !looped.has(name)) named.add(name)
      else loose.add(name)
    for (const name of setBy(words)) loose.add(name)
  }
  const words = distinct(others)
  const through = new Map(
    words.length > mostThrough ? [] : loops.flatMap((name) => (loose.has(name) ? [] : [[name, words] as const]))
  )
  const undashed = [...through.keys()]
    .filter((name) => !dashed.has(name))
    .concat([...named].filter((name) => !loose.has(name)))
  return { commands, parts, others, loops, through, undashed, uncommon, unclear }
}
