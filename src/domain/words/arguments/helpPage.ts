import { wrapWords } from "../text/wrapWords.ts"

/** The first heading of a documentation page, as plain text. */
export const pageTitle = (page: string): string => (/^# (.*)$/m.exec(page)?.[1] ?? "").replaceAll("`", "").trim()

/** What to enter at a terminal to follow a page's link; null if its words are enough. */
const destination = (to: string): string | null => {
  if (/^https?:/.test(to)) return to
  const page = /^([\w-]+)\.md(?:#.*)?$/.exec(to)?.[1]
  return page === undefined ? null : `leap help docs ${page}`
}

export const pageText = (page: string): string =>
  page
    .replaceAll(/^!\[[^\]]*\]\([^)]*\)\n*/gm, "")
    .replaceAll(/\[([^\]\n]+)\]\(([^)\s]+)\)/g, (_, words: string, to: string) => {
      const where = destination(to)
      return where === null || where === words ? words : `${words} (${where})`
    })
    .trimEnd()

/** The beginning of a list item, a quotation or a paragraph's line. */
const leads = /^(\s*(?:[-*+]|\d+[.)])\s+|(?:>\s?)+|\s*)(.*)$/

/** Shown unchanged: headings, tables, rules; `fixedAlone`: code and HTML, unless within a paragraph. */
const fixed = /^\s*(?:#{1,6}\s|\||(?:[-*_]\s*){3,}$|$)/
const fixedAlone = /^(?: {4}|\t|\s*<)/

const fence = /^\s*(```+|~~~+)/

/** Lines of a page that belong together; `lead` precedes the first. */
interface Part {
  readonly lead: string
  readonly text: string
}

const partsOf = (page: string): ReadonlyArray<Part | string> => {
  const parts: Array<Part | string> = []
  let fenced: string | null = null
  for (const line of page.split("\n")) {
    const last = parts.at(-1)
    const before = typeof last === "object" ? last : null
    const mark: string | null = fence.exec(line)?.[1] ?? null
    if (fenced !== null || mark !== null) {
      parts.push(line)
      if (fenced === null) fenced = mark
      else if (mark?.startsWith(fenced) === true) fenced = null
    } else if (fixed.test(line) || (before === null && fixedAlone.test(line))) parts.push(line)
    else {
      const [, lead = "", text = ""]: ReadonlyArray<string> = leads.exec(line) ?? []
      const goesOn = lead.trim() === "" || (lead.startsWith(">") && lead === before?.lead)
      if (before !== null && goesOn) parts[parts.length - 1] = { lead: before.lead, text: `${before.text} ${text}` }
      else parts.push({ lead, text })
    }
  }
  return parts
}

/** Wraps a page's paragraphs and lists to this many columns; tables and code stay. */
export const wrapPage = (page: string, columns: number): string =>
  partsOf(page)
    .flatMap((part) => {
      if (typeof part === "string") return [part]
      const { lead, text } = part
      const hang = lead.startsWith(">") ? lead : " ".repeat(lead.length)
      return wrapWords(text, columns - lead.length).map((line, i) => (i === 0 ? lead : hang) + line)
    })
    .join("\n")
