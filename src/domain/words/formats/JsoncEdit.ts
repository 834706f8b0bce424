import { Result } from "effect"
import {
  applyEdits,
  createScanner,
  type Edit,
  getNodeValue,
  type Node,
  type ParseError,
  parseTree,
  printParseErrorCode
} from "jsonc-parser"
import { type EditProblem, problemAt } from "./EditProblem.ts"

/**
 * Edits of JSON text (comments and trailing commas allowed) that change only what they add or remove, and that undo
 * each other: removing an addition restores the text byte for byte. jsonc-parser's own `modify` reformats the
 * surroundings of an edit: `{"a":1}` with a member added and removed has three lines. The text alone does not show
 * whether an empty container was empty before the edits. Adding to an empty container therefore leaves spaces after its
 * bracket, at the end of the line, where they mean nothing: see `mark`.
 */

/** The scanner's kinds of token; its own enumeration exists only for the type checker. */
const token = { comma: 5, lineComment: 12, blockComment: 13, end: 17 } as const

/** `PropertyNameExpected` → `property name expected`. */
const words = (code: string): string => code.replace(/(?<=.)([A-Z])/g, " $1").toLowerCase()

/** The root of a valid JSON text; null for a blank one. */
export const parse = (text: string): Result.Result<Node | null, EditProblem> => {
  const errors: Array<ParseError> = []
  let root: Node | undefined
  try {
    root = parseTree(text, errors, { allowTrailingComma: true, allowEmptyContent: true })
  } catch {
    return Result.fail({ line: 1, column: 1, why: "it is nested too deeply" })
  }
  const [first] = errors
  return first === undefined
    ? Result.succeed(root ?? null)
    : Result.fail(problemAt(text, first.offset, words(printParseErrorCode(first.error))))
}

/** The value of a text with comments and trailing commas; null if it is missing, blank or damaged. */
export const valueOf = (text: string | null | undefined): unknown => {
  const file = parseFile(text ?? "")
  return Result.isSuccess(file) && file.success.root !== null ? getNodeValue(file.success.root) : null
}

/** A file's content. The text is without the byte-order mark; the root is null if it is blank. */
export interface JsoncFile {
  readonly bom: string
  readonly text: string
  readonly root: Node | null
}

export const parseFile = (content: string): Result.Result<JsoncFile, EditProblem> => {
  const bom = content.startsWith("\uFEFF") ? "\uFEFF" : ""
  const text = content.slice(bom.length)
  return Result.map(parse(text), (root) => ({ bom, text, root }))
}

const end = (node: Node): number => node.offset + node.length
const children = (node: Node): ReadonlyArray<Node> => node.children ?? []

interface Style {
  readonly eol: string
  readonly unit: string
}

const styleOf = (text: string, root: Node): Style => {
  const first = children(root)[0]
  const lead = first === undefined ? null : leadOf(text, first.offset)
  return { eol: text.includes("\r\n") ? "\r\n" : "\n", unit: lead === null || lead === "" ? "  " : lead }
}

/** The line up to the offset. */
const lineTo = (text: string, offset: number): string => {
  const lines = text.slice(0, offset).split(/[\r\n]/)
  return lines.at(-1) ?? ""
}

/** The white space between the start of the line and the offset, or null if there is anything else. */
const leadOf = (text: string, offset: number): string | null => {
  const line = lineTo(text, offset)
  return /^[ \t]*$/.test(line) && line.length < offset ? line : null
}

const indentAt = (text: string, offset: number): string => /^[ \t]*/.exec(lineTo(text, offset))?.[0] ?? ""

interface Gap {
  readonly comma: number | null
  /** The end of its last comma or comment; its start if there is none. */
  readonly lastEnd: number
  readonly comments: boolean
  readonly endsInLineComment: boolean
}

/** The text between two values: white space, comments, at most one comma. */
const gap = (text: string, from: number, to: number): Gap => {
  const scanner = createScanner(text.slice(from, to), false)
  let comma: number | null = null
  let lastEnd = from
  let comments = false
  let endsInLineComment = false
  for (let kind: number = scanner.scan(); kind !== token.end; kind = scanner.scan()) {
    const isComment = kind === token.lineComment || kind === token.blockComment
    if (!isComment && kind !== token.comma) continue
    if (isComment) comments = true
    else comma = from + scanner.getTokenOffset()
    lastEnd = from + scanner.getTokenOffset() + scanner.getTokenLength()
    endsInLineComment = kind === token.lineComment
  }
  return { comma, lastEnd, comments, endsInLineComment }
}

const render = (key: string | null, value: unknown, style: (Style & { readonly indent: string }) | null): string => {
  const name = key === null ? "" : `${JSON.stringify(key)}:${style === null ? "" : " "}`
  if (style === null) return name + JSON.stringify(value)
  return name + JSON.stringify(value, null, style.unit).replaceAll("\n", style.eol + style.indent)
}

/** Adds a property (or, without a key, an element) at the end of a container, with `mark` spaces if it was empty. */
export const append = (
  text: string,
  root: Node,
  container: Node,
  key: string | null,
  value: unknown,
  mark: number
): string => {
  const style = styleOf(text, root)
  const open = container.offset + 1
  const close = end(container) - 1
  const inside = children(container)
  const first = inside[0]
  const last = inside.at(-1)
  if (first === undefined || last === undefined) {
    const base = indentAt(text, open)
    const indent = base + style.unit
    const { comments, endsInLineComment, lastEnd } = gap(text, open, close)
    const content = `${" ".repeat(comments ? 0 : mark)}${style.eol}${indent}${render(key, value, { ...style, indent })}${
      endsInLineComment ? "" : style.eol + base
    }`
    return applyEdits(text, [{ offset: lastEnd, length: 0, content }])
  }
  const { comma, endsInLineComment, lastEnd } = gap(text, end(last), close)
  const lead = leadOf(text, last.offset) ?? leadOf(text, first.offset)
  let content: string
  if (lead !== null || endsInLineComment) {
    const indent = lead ?? indentAt(text, open) + style.unit
    content = `${style.eol}${indent}${render(key, value, { ...style, indent })}`
  } else {
    content = `${/^ /.test(text.slice(open, first.offset)) ? " " : ""}${render(key, value, null)}`
  }
  return applyEdits(
    text,
    comma === null
      ? [
          { offset: end(last), length: 0, content: "," },
          { offset: lastEnd, length: 0, content }
        ]
      : [{ offset: lastEnd, length: 0, content: `${content},` }]
  )
}

export const replace = (text: string, root: Node, node: Node, value: unknown): string => {
  const style = styleOf(text, root)
  const isCompact = !/[\r\n]/.test(text.slice(node.offset, end(node))) && leadOf(text, node.offset) === null
  const content = render(null, value, isCompact ? null : { ...style, indent: indentAt(text, node.offset) })
  return applyEdits(text, [{ offset: node.offset, length: node.length, content }])
}

/** The number of spaces that {@link append} left after a container's bracket. */
export const markOf = (text: string, container: Node): number =>
  /^( *)\r?\n/.exec(text.slice(container.offset + 1, end(container)))?.[1]?.length ?? 0

/** Whether the container, which has at most one child, has a comment beside it. */
export const hasComments = (text: string, container: Node): boolean => {
  const [only] = children(container)
  if (only === undefined) return gap(text, container.offset + 1, end(container) - 1).comments
  return gap(text, container.offset + 1, only.offset).comments || gap(text, end(only), end(container) - 1).comments
}

/** Removes a child from its container, with the comma and the white space that belong to it; the container stays. */
export const takeOut = (text: string, root: Node, container: Node, child: Node): string => {
  const style = styleOf(text, root)
  const close = end(container) - 1
  const inside = children(container)
  const index = inside.indexOf(child)
  const previous = inside[index - 1]
  const next = inside[index + 1]
  const before = gap(text, previous === undefined ? container.offset + 1 : end(previous), child.offset)
  const after = gap(text, end(child), next === undefined ? close : next.offset)
  const edits: Array<Edit> = []

  // Removing the first of several children leaves the bracket and the spaces after it, which may be a mark.
  if (previous === undefined && next !== undefined && !after.comments) {
    return applyEdits(text, [{ offset: child.offset, length: next.offset - child.offset, content: "" }])
  }
  let from = before.lastEnd
  let to = end(child)
  if (previous === undefined && next === undefined) {
    // Only a line comment keeps the line break at its end.
    const closing = style.eol + indentAt(text, container.offset + 1)
    if (!before.endsInLineComment) {
      if (after.comma === null && text.startsWith(closing, to)) to += closing.length
      else if (!after.comments && after.comma === null) to = close
    }
  } else if (before.endsInLineComment && next !== undefined && !/[\r\n]/.test(text.slice(end(child), next.offset))) {
    from = child.offset
  }
  if (after.comma !== null) edits.push({ offset: after.comma, length: 1, content: "" })
  else if (previous !== undefined && before.comma !== null) edits.push({ offset: before.comma, length: 1, content: "" })
  edits.push({ offset: from, length: to - from, content: "" })
  return applyEdits(text, edits)
}
