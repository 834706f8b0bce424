/**
 * Reads the readable part of damaged JSON, by a grammar of its own over jsonc-parser's scanner. The library's tree
 * reads text after a missing colon or bracket as members of another object: `{"a" [{"x": 1, "y": 2}], "b": 3}` is
 * `{"y": 2}`. It also overflows the stack at 8000 levels, and keeps every error: 1.6 GB for 16 MB of commas.
 */

import { createScanner } from "jsonc-parser"

/** The scanner's kinds of token; its own enumeration exists only for the type checker. */
const token = {
  openBrace: 1,
  closeBrace: 2,
  openBracket: 3,
  closeBracket: 4,
  comma: 5,
  colon: 6,
  null: 7,
  true: 8,
  false: 9,
  string: 10,
  number: 11,
  firstTrivia: 12,
  lastTrivia: 15,
  unknown: 16,
  end: 17
} as const

const tokenTrouble: ReadonlyArray<string> = [
  "",
  "a comment is never closed",
  "a text is never closed",
  "a number is not complete",
  "a \\u needs four hexadecimal digits",
  "a backslash stands before a letter that it cannot stand before",
  "a text holds a control character"
]

export interface LenientProblem {
  readonly offset: number
  readonly why: string
}

/** The readable part of a value. `whole`: all of it was readable, and it was closed. */
export type LenientNode =
  | {
      readonly kind: "object"
      readonly offset: number
      readonly whole: boolean
      readonly members: ReadonlyArray<LenientMember>
    }
  | {
      readonly kind: "array"
      readonly offset: number
      readonly whole: boolean
      readonly items: ReadonlyArray<LenientNode>
    }
  | {
      readonly kind: "leaf"
      readonly offset: number
      readonly whole: boolean
      readonly value: string | number | boolean | null
    }

export interface LenientMember {
  readonly key: string
  readonly offset: number
  readonly value: LenientNode
}

export interface LenientText {
  readonly root: LenientNode | null
  readonly problems: ReadonlyArray<LenientProblem>
}

/** Deeper containers are left out: leap reads nothing that is nested so deeply, and the stack is limited. */
const depthLimit = 40
const problemLimit = 50

/**
 * Reads JSON with comments and trailing commas. In a damaged text only a missing, cut or wrong part is lost. `exact`:
 * false if U+FFFD replaces bytes that were not UTF-8.
 */
export const parse = (text: string, exact = true): LenientText => {
  const scanner = createScanner(text, false)
  const problems: Array<LenientProblem> = []
  let count = 0
  const problem = (why: string, offset = scanner.getTokenOffset()): void => {
    count++
    if (problems.length < problemLimit) problems.push({ offset, why })
  }
  let kind: number = token.end
  let damaged = false
  const is = (wanted: number): boolean => kind === wanted
  const next = (): void => {
    do {
      kind = scanner.scan()
      const error: number = scanner.getTokenError()
      damaged = error !== 0 || (!exact && kind === token.string && scanner.getTokenValue().includes("\uFFFD"))
      if (damaged) problem(tokenTrouble[error] || "a text is not UTF-8")
    } while (kind >= token.firstTrivia && kind <= token.lastTrivia)
  }

  /** Skips a container without recursion. */
  const skip = (): void => {
    let depth = 0
    do {
      if (kind === token.openBrace || kind === token.openBracket) depth++
      if (kind === token.closeBrace || kind === token.closeBracket) depth--
      next()
    } while (depth > 0 && kind !== token.end)
  }

  const leaf = (value: string | number | boolean | null): LenientNode => {
    const offset = scanner.getTokenOffset()
    const whole = !damaged
    next()
    return { kind: "leaf", offset, whole, value }
  }

  /** The value that begins here. The token must be its start, or an unknown one. */
  const value = (depth: number, inObject: boolean, inArray: boolean): LenientNode => {
    const offset = scanner.getTokenOffset()
    switch (kind) {
      case token.string:
        return leaf(scanner.getTokenValue())
      case token.number:
        return leaf(Number(scanner.getTokenValue()))
      case token.true:
        return leaf(true)
      case token.false:
        return leaf(false)
      case token.null:
        return leaf(null)
      case token.openBrace:
      case token.openBracket:
        if (depth >= depthLimit) {
          problem("it is nested too deeply")
          skip()
          return { kind: "leaf", offset, whole: false, value: null }
        }
        return container(depth, inObject, inArray)
      default:
        problem(
          `a value is expected, not ${JSON.stringify(text.slice(offset, offset + Math.min(scanner.getTokenLength(), 20)))}`
        )
        next()
        return { kind: "leaf", offset, whole: false, value: null }
    }
  }

  const isValue = (): boolean =>
    kind === token.unknown ||
    kind === token.openBrace ||
    kind === token.openBracket ||
    (kind >= token.null && kind <= token.number)

  /** The member that begins here, with its key; null if it has no value, or its key is damaged. */
  const memberAt = (depth: number, inArray: boolean): LenientMember | null => {
    const offset = scanner.getTokenOffset()
    const key = damaged ? null : scanner.getTokenValue()
    next()
    if (!is(token.colon)) {
      problem("a colon is missing")
      return null
    }
    next()
    if (!isValue()) {
      problem("a value is missing")
      return null
    }
    const read = value(depth + 1, true, inArray)
    return key === null ? null : { key, offset, value: read }
  }

  const container = (depth: number, inObject: boolean, inArray: boolean): LenientNode => {
    const offset = scanner.getTokenOffset()
    const isObject = is(token.openBrace)
    const part = isObject ? "a property" : "a value"
    const before = count
    const members: Array<LenientMember> = []
    const items: Array<LenientNode> = []
    let comma = true
    let lost = false
    let whole = false
    next()
    for (;;) {
      if (is(isObject ? token.closeBrace : token.closeBracket)) {
        // A problem with the token after it does not concern this container.
        whole = count === before
        next()
        break
      }
      if (is(token.end) || (isObject ? inArray && is(token.closeBracket) : inObject && is(token.closeBrace))) {
        problem(`a ${isObject ? "}" : "]"} is missing`)
        break
      }
      if (is(token.comma)) {
        if (comma) problem(`${part} is expected, not a comma`)
        comma = true
        lost = false
        next()
        continue
      }
      if (isObject ? !is(token.string) : !isValue()) {
        // In an object, one report for a run of such tokens.
        if (!lost) problem(`${part} is expected`)
        lost = isObject
        comma = !isObject
        if (is(token.openBrace) || is(token.openBracket)) skip()
        else next()
        continue
      }
      if (!comma && !lost) problem("a comma is missing")
      comma = false
      lost = false
      if (!isObject) items.push(value(depth + 1, inObject, true))
      else {
        const found = memberAt(depth, inArray)
        if (found !== null) members.push(found)
      }
    }
    return isObject ? { kind: "object", offset, whole, members } : { kind: "array", offset, whole, items }
  }

  next()
  if (kind === token.end) return { root: null, problems }
  const root = value(0, false, false)
  if (kind !== token.end) problem("something stands behind the end")
  return { root, problems }
}

/** A member's value; the last of several with this name counts, as everywhere in JSON. */
export const member = (node: LenientNode | null, key: string): LenientNode | null =>
  node === null || node.kind !== "object" ? null : (node.members.findLast((it) => it.key === key)?.value ?? null)

/** Decodes UTF-8 without its byte-order mark; `exact` is false if U+FFFD replaces bytes that were not UTF-8. */
export const decodeText = (bytes: Uint8Array): { readonly text: string; readonly exact: boolean } => {
  try {
    return { text: new TextDecoder("utf-8", { fatal: true }).decode(bytes), exact: true }
  } catch {
    return { text: new TextDecoder("utf-8").decode(bytes), exact: false }
  }
}
