import type { HereDoc, ParsedScript, Redirect, SyntaxNode, Word } from "unbash"
import { setOf } from "./knownPrograms/Program.ts"

/**
 * The small language that bash, zsh and dash read alike, as a closed list: a line belongs to it only if every node of
 * its syntax tree is listed. Anything else is uncommon. Tested against the shells themselves.
 */

/** Words that are special in zsh, ksh or dash, and a plain command (or nothing) in bash. */
const foreign = setOf(
  "- always coproc end float foreach function integer nameref nocorrect noglob private repeat select"
)

/** Tests of files and texts that do not evaluate their operands. */
const plainTests = setOf("-b -c -d -e -f -g -h -k -L -n -p -r -s -S -u -w -x -z")
const plainComparisons = setOf("= == !=")

const redirections = setOf("> >> >| < &> &>> >& <&")

const plain = setOf(
  "Script Statement CompoundList AndOr Pipeline Negation If Elif While Subshell BraceGroup Redirected",
  "SingleQuoted DoubleQuoted FileDescriptor HereDocDelimiter HereDocBody TestCommand TestNot Default"
)

/** Why shells read a line's characters differently, for the user; null if they do not. */
export const uncommonText = (line: string): string | null => {
  // eslint-disable-next-line no-control-regex
  if (/[\u0000-\u0008\u000b-\u001f\u007f]/.test(line)) return "it has control characters"
  // Between blanks it only joins two lines; within a word it could make one of two harmless words.
  if (/(?<![ \t])\\\n/.test(line)) return "a word goes on in the next line"
  // zsh runs such a command in the background, and the next one begins after the mark.
  if (line.includes("&!")) return "it has a &!"
  return null
}

const wordReason = ({ parts, text }: Word): string | null => {
  const literal =
    parts === undefined ? text : parts.map((part) => (part.type === "Literal" ? part.text : "\u0001")).join("")
  const open = literal.replace(/\\[^]/g, "\u0001")
  if (/^[#=]/.test(open)) return `a word begins with ${open[0]}`
  if (/^~[^/]/.test(open)) return "another user's home directory is named"
  if (open.includes("\\")) return "a backslash stands at its end"
  if (/[{}]/.test(/^(?:-I)?\{\}$/.test(open) ? "" : open.replace(/@\{[\w.-]+\}/g, ""))) return "a word has braces"
  return dollarReason(literal)
}

/** A dollar sign that begins no expansion in bash. */
const dollarReason = (literal: string): string | null =>
  /\$(?![ |)]|$)/.test(literal.replace(/\\[^]/g, "")) ? "a dollar sign begins something" : null

const expansionReason = (end: number, line: string): string | null =>
  line[end] === "[" ? "a bracket follows a variable" : null

const isPlainRedirect = ({ descriptor, end, operator, target }: Redirect, line: string): boolean =>
  redirections.has(operator) &&
  target !== undefined &&
  (descriptor === undefined || (descriptor.type === "FileDescriptor" && descriptor.value <= 2)) &&
  (!/^[<>]&$/.test(operator) || (/^[012]$/.test(target.text) && /^(?:$|[\s;|&)])/.test(line.slice(end, end + 1))))

const hereDocReason = ({ body, closing, delimiter }: HereDoc, line: string): string | null => {
  if (delimiter === undefined || closing === undefined || !/^(['"]?)[A-Za-z_][\w.-]*\1$/.test(delimiter.text))
    return "the end of a heredoc is unusual"
  const rest = line.slice(closing.pos).split("\n", 1)[0] ?? ""
  if (rest.replace(/^\t+/, "") !== delimiter.value) return "the end of a heredoc is unusual"
  return delimiter.quoted || !/[\\`]/.test(body.text) ? null : "a heredoc has a backslash"
}

/** Why shells read a node differently, apart from its content, for the user; null if they do not. */
export const uncommonNode = (node: SyntaxNode | ParsedScript, line: string): string | null => {
  switch (node.type) {
    case "Literal":
      return dollarReason(node.text)
    case "Word":
      return wordReason(node)
    case "Command": {
      const { args, name, redirects } = node
      // zsh runs `cat` or `more` there.
      if (name === undefined && redirects.length > 0) return "a redirection stands alone"
      if (name !== undefined && foreign.has(name.text)) return `"${name.text}" is a word of other shells`
      // dash takes `&>` for the end of the command.
      const last = args.at(-1)?.end ?? name?.end ?? 0
      return redirects.some((one) => one.operator.startsWith("&>") && one.pos < last)
        ? "words follow its redirection"
        : null
    }
    case "ProcessSubstitution":
      // dash rejects every line with one.
      return node.operator === "<" ? null : "it writes to a command"
    case "Subshell":
      // bash first tries it as arithmetic, and then reads a heredoc in it as commands.
      return line[node.pos + 1] === "(" ? "two brackets begin it" : null
    case "Time":
      return node.posix === undefined && node.endOfOptions === undefined ? null : "time has options"
    case "For":
      return node.wordlist !== undefined && /^[A-Za-z_]\w*$/.test(node.name.text) ? null : "a loop is unusual"
    case "Assignment":
      return node.index === undefined && node.append === undefined && node.value.type === "Word"
        ? null
        : "it sets a part of a variable"
    case "SimpleExpansion":
      return /^\$(?:[A-Za-z_]\w*|[?$])$/.test(node.text) ? expansionReason(node.end, line) : `it uses ${node.text}`
    case "ParameterExpansion":
      return node.prefix === undefined &&
        node.index === undefined &&
        /^\$\{[A-Za-z_]\w*/.test(node.text) &&
        (node.operation === undefined ||
          (node.operation.type === "Default" && /^:?[-+]$/.test(node.operation.operator)))
        ? expansionReason(node.end, line)
        : "an expansion is unusual"
    case "CommandExpansion":
      return /^\$\((?!\()/.test(node.text) ? null : "a substitution is unusual"
    case "ArithmeticExpansion":
      return /^\$\(\([\d\s+*/%-]+\)\)$/.test(node.text) ? null : "it calculates"
    case "BraceExpansion":
      return /^\{[\w.,/@:+-]*\}$/.test(node.text) ? null : "a word has braces"
    case "Glob":
      return node.kind !== "bracket" || /^\[[!^]?[\w.-]+\]$/.test(node.text) ? null : "a pattern is unusual"
    case "TestUnary":
      return plainTests.has(node.operator) ? null : `it tests with ${node.operator}`
    case "TestBinary":
      return plainComparisons.has(node.operator) ? null : `it tests with ${node.operator}`
    case "Redirect":
      return isPlainRedirect(node, line) ? null : "a redirection is unusual"
    case "HereString":
      return node.descriptor === undefined ? null : "a redirection is unusual"
    case "HereDoc":
      return node.descriptor === undefined ? hereDocReason(node, line) : "a redirection is unusual"
    default:
      return plain.has(node.type) ? null : `it has a part that shells read in different ways (${node.type})`
  }
}
