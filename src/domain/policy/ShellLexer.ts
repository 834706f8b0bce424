import { ansiC } from "./AnsiC.ts"
import { isSure, type ShellCommand, type ShellInput, type ShellLine, type ShellWord } from "./ShellWords.ts"
import { WordBuilder } from "./ShellWordBuilder.ts"

/** How deep backticks and heredoc bodies may hold each other before the lexer gives up on what is inside. */
const deepest = 12
/** Commands, lists and heredocs that are read before the lexer gives up: nobody means a line of so many. A word is a tenth. */
const mostParts = 10_000

interface Command extends ShellCommand {
  readonly assignments: Array<ShellWord>
  readonly words: Array<ShellWord>
  readonly writes: Array<ShellWord>
  readonly reads: Array<ShellWord>
  input: ShellInput
}

interface Heredoc {
  readonly command: Command
  readonly delimiter: string
  readonly strip: boolean
  readonly literal: boolean
}

/** A list of commands: the line, a subshell, a substitution. */
interface List {
  readonly kind: "list"
  readonly parent: List | null
  /** What it becomes in the word around it; null for a subshell, undefined for the line itself. */
  readonly becomes: string | null | undefined
  command: Command
  word: WordBuilder | null
  /** The redirection whose target comes next. */
  redirect: string | null
  readonly heredocs: Array<Heredoc>
  /** Words of a loop's or a case's head, which is no command; counted. */
  header: { readonly of: string; words: number } | null
  /** Inside `[[ … ]]`. */
  test: boolean
  /** What is read goes nowhere: inside `${…}` and `$((…))`. */
  mute: number
}

type Frame =
  | List
  | { readonly kind: "quote" | "body"; readonly list: List }
  | { readonly kind: "parameter"; readonly list: List; readonly start: number }
  | { readonly kind: "arithmetic"; readonly list: List; readonly becomes: string | null; depth: number }

interface Shared {
  readonly commands: Array<ShellCommand>
  substitutes: boolean
  unclear: string | null
  steps: number
  parts: number
}

const inherited: ShellInput = { _tag: "Inherited" }
const pipe: ShellInput = { _tag: "Pipe" }
const newCommand = (input: ShellInput = inherited): Command => ({ assignments: [], words: [], writes: [], reads: [], input })

const dropped: ReadonlySet<string> = new Set(["if", "then", "elif", "else", "fi", "while", "until", "do", "done", "{", "}", "!", "esac"])
const headed: ReadonlySet<string> = new Set(["for", "select", "case", "function", "foreach"])
const assignment = /^[A-Za-z_]\w*(?:\[[^\]]*\])?\+?=/
const blank = (char: string | undefined) => char === " " || char === "\t"

/** Reads one text into what all of them share. `body`: the text of a heredoc, where only substitutions count. True when nothing is put in. */
const read = (source: string, out: Shared, depth: number, body: boolean): boolean => {
  const newList = (parent: List | null, becomes: List["becomes"]): List => ({
    kind: "list", parent, becomes, command: newCommand(), word: null, redirect: null, heredocs: [], header: null, test: false, mute: 0
  })
  const top = newList(null, undefined)
  const stack: Array<Frame> = [top]
  let waiting = 0
  let i = 0
  const doubt = (why: string) => void (out.unclear ??= why)
  const part = (weight = 1) => {
    out.parts += weight
    if (out.parts > mostParts) doubt("it has too many parts")
  }

  const word = (list: List): WordBuilder => list.word ??= new WordBuilder()
  const hole = (list: List, spelled: string) => {
    if (list.mute === 0) word(list).replaced(spelled)
  }
  const quoted = (list: List, text: string) => {
    if (list.mute === 0) word(list).quoted(text)
  }

  const target = (list: List, operator: string, to: ShellWord) => {
    const { command } = list
    if (operator === "<<" || operator === "<<-") {
      list.heredocs.push({ command, delimiter: to.text, strip: operator === "<<-", literal: to.bare < to.text.length || to.text === "" })
      waiting++
      part()
      // a delimiter with something put in is taken as it is spelled, which not every shell does
      if (!isSure(to)) doubt("the end of a heredoc is not certain")
      command.input = { _tag: "Text", text: "", sure: false }
    } else if (operator === "<<<") {
      command.input = { _tag: "Text", text: to.text, sure: isSure(to) }
    } else if (/^\d*-?$/.test(to.text) && (operator === ">&" || operator === "<&")) {
      return
    } else if (operator === "<" || operator === "<&") {
      command.reads.push(to)
      command.input = { _tag: "File" }
    } else {
      if (operator === "<>") command.reads.push(to)
      command.writes.push(to)
    }
  }

  const startsCommand = ({ command }: List) => command.words.length === 0 && command.assignments.length === 0

  const endWord = (list: List): void => {
    if (list.word === null) return
    const done = list.word.done()
    const bare = done.bare === done.text.length && isSure(done)
    list.word = null
    part(0.1)
    if (list.redirect !== null) {
      target(list, list.redirect, done)
      list.redirect = null
    } else if (list.test) {
      list.command.words.push(done)
      if (bare && done.text === "]]") list.test = false
    } else if (list.header !== null) {
      list.header.words++
      const { of, words } = list.header
      // `for x do …`, and a function's name
      if (of === "function" || words === 2 && of !== "case" && bare && done.text === "do") list.header = null
      else if (of === "case" && bare && done.text === "in") list.header = null
    } else if (startsCommand(list) && bare && dropped.has(done.text)) {
      return
    } else if (startsCommand(list) && bare && headed.has(done.text)) {
      list.header = { of: done.text, words: 0 }
      if (done.text !== "for") doubt(`'${done.text}' is not read`)
    } else if (list.command.words.length === 0 && done.bare > done.text.indexOf("=") && assignment.test(done.text)) {
      list.command.assignments.push(done)
    } else {
      if (list.command.words.length === 0 && bare && done.text === "[[") list.test = true
      list.command.words.push(done)
    }
  }

  const endCommand = (list: List, next: ShellInput = inherited): void => {
    endWord(list)
    if (list.redirect !== null) doubt("a redirection leads nowhere")
    if (list.test) doubt("'[[' is not closed")
    const { command } = list
    if (command.words.length + command.assignments.length + command.writes.length + command.reads.length > 0 || command.input._tag === "Text") {
      out.commands.push(command)
      part()
    }
    list.command = newCommand(next)
    list.redirect = null
    list.header = null
    list.test = false
  }

  /** Opens a list of commands inside the line. */
  const open = (parent: List, becomes: string | null) => {
    if (becomes !== null) out.substitutes = true
    part()
    stack.push(newList(parent, becomes))
  }

  /** Reads the bodies of heredocs, which begin behind the end of the line at `i`. */
  const bodies = (list: List): void => {
    if (waiting > list.heredocs.length) doubt("a heredoc begins inside another command")
    for (const { command, delimiter, literal, strip } of list.heredocs.splice(0)) {
      waiting--
      const start = i
      let end: number | null = null
      while (i < source.length && end === null) {
        const newline = source.indexOf("\n", i)
        const stop = newline < 0 ? source.length : newline
        let from = i
        if (strip) while (source[from] === "\t") from++
        if (stop - from === delimiter.length && source.startsWith(delimiter, from)) end = i
        out.steps += stop - i + 1
        i = newline < 0 ? source.length : newline + 1
      }
      if (end === null) doubt("a heredoc does not end")
      const text = source.slice(start, end ?? source.length)
      if (!literal && depth >= deepest) doubt("it is nested too deeply")
      command.input = { _tag: "Text", text, sure: literal || depth < deepest && read(text, out, depth + 1, true) }
    }
  }

  /** At a `$`. */
  const dollar = (list: List, inList: boolean): void => {
    const next = source[i + 1]
    if (next === "(" && source[i + 2] === "(") {
      list.mute++
      stack.push({ kind: "arithmetic", list, becomes: "$((…))", depth: 2 })
      i += 3
    } else if (next === "(") {
      open(list, "$(…)")
      i += 2
    } else if (next === "{") {
      list.mute++
      stack.push({ kind: "parameter", list, start: i })
      i += 2
    } else if (next === "'" && inList) {
      let end = i + 2
      while (end < source.length && source[end] !== "'") end += source[end] === "\\" ? 2 : 1
      if (end >= source.length) doubt("a quote is not closed")
      out.steps += end - i
      if (list.mute === 0) {
        word(list).doubt()
        quoted(list, ansiC(source.slice(i + 2, end)))
      }
      i = end + 1
    } else if (next === "\"" && inList) {
      // a translation, or a plain dollar sign in other shells
      if (list.mute === 0) word(list).doubt()
      i++
    } else {
      const name = /^(?:[A-Za-z_]\w*|[0-9@*#?$!-])/.exec(source.slice(i + 1, i + 65))?.[0] ?? ""
      if (name === "" && next !== "[") quoted(list, "$")
      else hole(list, `$${name}`)
      i += 1 + name.length
    }
  }

  /** At a backtick: what is between two of them is a text of its own, with its escapes taken away. */
  const backtick = (list: List, inQuotes: boolean): void => {
    let end = i + 1
    while (end < source.length && source[end] !== "`") end += source[end] === "\\" ? 2 : 1
    if (end >= source.length) doubt("a backtick is not closed")
    out.steps += end - i
    out.substitutes = true
    const raw = source.slice(i + 1, end)
    part()
    if (depth >= deepest) doubt("it is nested too deeply")
    else read(raw.replace(inQuotes ? /\\([`\\$"])/g : /\\([`\\$])/g, "$1"), out, depth + 1, false)
    hole(list, "`…`")
    i = end + 1
  }

  const redirection = (list: List): void => {
    if (list.word !== null && list.word.isBare && /^(?:\d+|\{\w+\})$/.test(list.word.text)) list.word = null
    const operator = /^(?:&>>?|<<<|<<-|<<|<&|<>|<|>>|>&|>\||>)/.exec(source.slice(i, i + 3))?.[0] ?? ">"
    endWord(list)
    if ((operator === "<" || operator === ">") && source[i + 1] === "(") {
      word(list)
      open(list, `${operator}(…)`)
      i += 2
      return
    }
    if (list.redirect !== null) doubt("a redirection leads nowhere")
    list.redirect = operator
    i += operator.length
  }

  /** At an opening parenthesis that no dollar sign is before. */
  const parenthesis = (list: List): void => {
    if (list.word === null && startsCommand(list) && list.redirect === null && source[i + 1] === "(") {
      // arithmetic, as a command or as a loop's head
      if (list.header === null) word(list).quoted("((…))")
      list.mute++
      stack.push({ kind: "arithmetic", list, becomes: null, depth: 2 })
      i += 2
      return
    }
    const named = list.word !== null || list.command.words.length === 1
    if (list.word !== null || !startsCommand(list) || list.redirect !== null || list.header !== null) {
      doubt("a parenthesis stands where it is not understood")
      let close = i + 1
      while (blank(source[close])) close++
      if (named && source[close] === ")") {
        // a function: what it does counts, its name does not
        list.word = null
        list.command = newCommand()
        list.header = null
        i = close + 1
        return
      }
      endCommand(list)
    }
    open(list, null)
    i++
  }

  const closeList = (list: List): void => {
    endCommand(list)
    if (list.heredocs.length > 0) {
      doubt("a heredoc does not end")
      waiting -= list.heredocs.length
    }
    if (list.parent === null) {
      doubt("a parenthesis is not opened")
      return
    }
    stack.pop()
    if (typeof list.becomes === "string") hole(list.parent, list.becomes)
  }

  const inTest = (list: List, char: string): boolean => {
    if (!list.test || !"&|()<>\n".includes(char)) return false
    if (char === "\n") endWord(list)
    else word(list).plain(char)
    i++
    return true
  }

  const inList = (list: List): void => {
    const char = source[i]!
    if (inTest(list, char)) return
    switch (char) {
      case " ":
      case "\t":
        endWord(list)
        i++
        return
      case "\n":
        endCommand(list)
        i++
        if (waiting > 0) bodies(list)
        return
      case "'": {
        const end = source.indexOf("'", i + 1)
        if (end < 0) doubt("a quote is not closed")
        const text = source.slice(i + 1, end < 0 ? source.length : end)
        if (waiting > 0 && text.includes("\n")) doubt("a line ends inside quotes before a heredoc")
        out.steps += text.length
        quoted(list, text)
        i += text.length + 2
        return
      }
      case "\"":
        quoted(list, "")
        stack.push({ kind: "quote", list })
        i++
        return
      case "\\": {
        const next = source[i + 1]
        if (next === undefined) doubt("it ends in a backslash")
        else if (next !== "\n") quoted(list, next)
        i += 2
        return
      }
      case "$":
        return dollar(list, true)
      case "`":
        return backtick(list, false)
      case "#": {
        if (list.word !== null) break
        const newline = source.indexOf("\n", i)
        const end = newline < 0 ? source.length : newline
        // some shells end a substitution at a parenthesis in a comment
        if (list.parent !== null && source.slice(i, end).includes(")")) doubt("a comment holds a parenthesis")
        out.steps += end - i
        i = end
        return
      }
      case ";":
        endCommand(list)
        i++
        return
      case "&":
        if (source[i + 1] === ">") {
          endWord(list)
          return redirection(list)
        }
        endCommand(list)
        i += source[i + 1] === "&" ? 2 : 1
        return
      case "|":
        endCommand(list, source[i + 1] === "|" ? inherited : pipe)
        i += source[i + 1] === "|" || source[i + 1] === "&" ? 2 : 1
        return
      case "<":
      case ">":
        return redirection(list)
      case "(":
        return parenthesis(list)
      case ")":
        i++
        return closeList(list)
      default:
        if (char < " " || char === "\u007f") {
          doubt("it holds control characters")
          if (char === "\r") endWord(list)
          i++
          return
        }
    }
    word(list).plain(char)
    i++
  }

  const inQuote = (list: List, isBody: boolean): void => {
    const char = source[i]!
    if (char === "\"" && !isBody) {
      stack.pop()
      i++
    } else if (char === "\\") {
      const next = source[i + 1] ?? ""
      if (next === "\n") i += 2
      else if ("$`\\".includes(next) || next === "\"" && !isBody) {
        quoted(list, next)
        i += 2
      } else {
        quoted(list, "\\")
        i++
      }
    } else if (char === "$") {
      dollar(list, false)
    } else if (char === "`") {
      backtick(list, !isBody)
    } else {
      if (char === "\n" && waiting > 0) doubt("a line ends inside quotes before a heredoc")
      if (char === "\u0000") doubt("it holds control characters")
      else quoted(list, char)
      i++
    }
  }

  const inParameter = (frame: Frame & { readonly kind: "parameter" }): void => {
    const { list } = frame
    const char = source[i]!
    if (char === "}") {
      stack.pop()
      list.mute--
      i++
      hole(list, i - frame.start > 64 ? "${…}" : source.slice(frame.start, i))
    } else if (char === "'") {
      doubt("a quote stands inside ${…}")
      i++
    } else if (char === "\"") {
      stack.push({ kind: "quote", list })
      i++
    } else if (char === "\\") i += 2
    else if (char === "$") dollar(list, false)
    else if (char === "`") backtick(list, true)
    else i++
  }

  const inArithmetic = (frame: Frame & { readonly kind: "arithmetic" }): void => {
    const { list } = frame
    const char = source[i]!
    if (char === "$") return dollar(list, false)
    if (char === "`") return backtick(list, true)
    i++
    if (char === "\"") stack.push({ kind: "quote", list })
    else if (char === "'") doubt("a quote stands inside ((…))")
    else if (char === "\\") i++
    else if (char === "(") frame.depth++
    else if (char === ")") {
      frame.depth--
      if (frame.depth === 1 && source[i] !== ")") doubt("'((' may be a subshell")
      if (frame.depth > 0) return
      stack.pop()
      list.mute--
      if (frame.becomes !== null) hole(list, frame.becomes)
    }
  }

  if (body) stack.push({ kind: "body", list: top })
  while (i < source.length && out.parts <= mostParts) {
    out.steps++
    const frame = stack.at(-1)!
    if (frame.kind === "list") inList(frame)
    else if (frame.kind === "parameter") inParameter(frame)
    else if (frame.kind === "arithmetic") inArithmetic(frame)
    else inQuote(frame.list, frame.kind === "body")
  }
  if (body) {
    if (stack.length !== 2) doubt("a substitution is not closed")
    for (const frame of stack.slice(1)) if (frame.kind === "list") endCommand(frame)
    return top.word === null || isSure(top.word.done())
  }
  if (stack.length > 1) doubt("a quote, a parenthesis or a substitution is not closed")
  if (waiting > 0) doubt("a heredoc does not end")
  for (const frame of stack) if (frame.kind === "list") endCommand(frame)
  return true
}

/**
 * Takes a shell command line apart into its simple commands, those in substitutions included. Of what several shells read in
 * several ways, or what is not read here, it says that it is not certain, and goes on as well as it can. Takes time and
 * memory in proportion to the text; never fails.
 */
export const readShell = (source: string): ShellLine => {
  const out: Shared = { commands: [], substitutes: false, unclear: null, steps: 0, parts: 0 }
  read(source, out, 0, false)
  return out
}
