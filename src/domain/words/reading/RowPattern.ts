import { Result } from "effect"

/** Characters of spinners, without those that also mark the rows of a list. */
const turning = /^[\u2801-\u28ff◐-◓◜-◟◴-◷✢✳✶✻✽▖▘▝▗]$/u

export const isWheel = (char: string): boolean => turning.test(char)

type Part =
  | { readonly _tag: "Text"; readonly text: string }
  /** `*`, or `{draft}`: any text, including none. */
  | { readonly _tag: "Any"; readonly draft: boolean }
  /** `{wheel}`: one character of a spinner. */
  | { readonly _tag: "Wheel" }
  /** `{n}`: digits, with `.`, `,` and `:` among them or beside them. */
  | { readonly _tag: "Number" }
  /** Blanks: one or more; at the start of a row any number, including none. */
  | { readonly _tag: "Blank" }

/**
 * A pattern of one row of a screen, or of its title (`title: …`). It matches a whole row: `*` is any text, `{draft}`
 * the text in a box, `{wheel}` one character of a spinner, `{n}` a number. Blanks match any number of blanks (at the
 * start also none), a backslash escapes the next character, and all else is literal. It is not a regular expression, so
 * the time to match is bounded.
 */
export interface RowPattern {
  readonly source: string
  readonly of: "row" | "title"
  readonly parts: ReadonlyArray<Part>
}

const longest = 200
const mostStars = 6

const words: Readonly<Record<string, Part>> = {
  draft: { _tag: "Any", draft: true },
  wheel: { _tag: "Wheel" },
  n: { _tag: "Number" }
}

export const rowPattern = (source: string): Result.Result<RowPattern, string> => {
  if (source.length > longest) return Result.fail(`a pattern has at most ${longest} characters`)
  if (/\p{Cc}/u.test(source)) return Result.fail("it holds a control character")
  const titled = source.startsWith("title:")
  const text = titled ? source.slice("title:".length).trim() : source.trimEnd()
  const parts: Array<Part> = []
  const add = (part: Part) => {
    const before = parts.at(-1)
    if (part._tag === "Text" && before?._tag === "Text")
      parts[parts.length - 1] = { _tag: "Text", text: before.text + part.text }
    // Two of them in a row match the same as one.
    else if (!(part._tag === "Blank" && before?._tag === "Blank")) parts.push(part)
  }
  for (let at = 0; at < text.length; at++) {
    const char = text[at]!
    if (char === "\\" && at + 1 < text.length) add({ _tag: "Text", text: text[++at]! })
    else if (char === "*") add({ _tag: "Any", draft: false })
    else if (char === " ") add({ _tag: "Blank" })
    else if (char === "{") {
      const end = text.indexOf("}", at)
      const name = end < 0 ? "" : text.slice(at + 1, end)
      const part = Object.hasOwn(words, name) ? words[name] : undefined
      if (part === undefined)
        return Result.fail(
          `'${end < 0 ? text.slice(at) : text.slice(at, end + 1)}' is none of {${Object.keys(words).join("}, {")}}; ` +
            "a brace that means itself is \\{"
        )
      add(part)
      at = end
    } else add({ _tag: "Text", text: char })
  }
  const stars = parts.filter(({ _tag }) => _tag === "Any").length
  if (stars > mostStars) return Result.fail(`it has more than ${mostStars} places for any text`)
  if (parts.some((part, at) => part._tag === "Any" && parts[at + 1]?._tag === "Any"))
    return Result.fail("two places for any text stand beside each other")
  if (parts.filter((part) => part._tag === "Any" && part.draft).length > 1) return Result.fail("it has two drafts")
  if (parts.every(({ _tag }) => _tag === "Any" || _tag === "Blank" || _tag === "Number"))
    return Result.fail("it fits any row: it needs a character that only such a row has")
  return Result.succeed({ source, of: titled ? "title" : "row", parts })
}

export interface Span {
  readonly from: number
  readonly to: number
}

/** Whether a pattern matches a row (trimmed at its end), and where the draft is; null: no match. */
export const matchRow = ({ parts }: Pick<RowPattern, "parts">, row: string): { readonly draft: Span | null } | null => {
  let at = 0
  let draft: Span | null = null
  for (let from = 0; from < parts.length;) {
    const any = parts[from]!
    const isAny = any._tag === "Any"
    let to = from + (isAny ? 1 : 0)
    const first = to
    while (to < parts.length && parts[to]!._tag !== "Any") to++
    const segment = parts.slice(first, to)
    const last = to === parts.length
    // The first match of the part between two stars is as good as any later one.
    let start = at
    let end = -1
    if (isAny && last && segment.length === 0) [start, end] = [row.length, row.length]
    for (; end < 0 && start <= row.length && (isAny || start === at); start++) {
      if (start > at && inRun(segment[0], row, start)) continue
      const found = segmentEnd(segment, row, start, last)
      if (found >= 0 && (!last || found === row.length)) end = found
      if (end >= 0) break
    }
    if (end < 0) return null
    if (isAny && any.draft) draft = { from: at, to: start }
    at = end
    from = to
  }
  return at === row.length ? { draft } : null
}

const blank = /^ $/
const numeral = /^[\d.,:]$/

/** A part that begins with a run cannot match inside that run if it did not match at its start, which was tried. */
const inRun = (first: Part | undefined, row: string, at: number): boolean => {
  const kind = first?._tag === "Blank" ? blank : first?._tag === "Number" ? numeral : null
  return kind !== null && kind.test(row[at - 1] ?? "") && kind.test(row[at] ?? "")
}

/**
 * The end of the match of the parts that begin here; -1: no match. Each takes as much as it can, except blanks before
 * any text, which takes the rest of them.
 */
const segmentEnd = (parts: ReadonlyArray<Part>, row: string, start: number, last: boolean): number => {
  let at = start
  for (const [index, part] of parts.entries()) {
    const before = at
    const shortest = !last && index === parts.length - 1
    switch (part._tag) {
      case "Text":
        if (!row.startsWith(part.text, at)) return -1
        at += part.text.length
        break
      case "Wheel":
        if (!isWheel(row[at] ?? "")) return -1
        at++
        break
      case "Blank":
        while (row[at] === " " && !(shortest && at > before)) at++
        // The row's end is trimmed.
        if (at === before && at > 0 && at < row.length) return -1
        break
      case "Number": {
        let hasDigit = false
        for (let char = row[at] ?? ""; numeral.test(char); char = row[++at] ?? "") hasDigit ||= /\d/.test(char)
        if (!hasDigit) return -1
        break
      }
      case "Any":
    }
  }
  return at
}
