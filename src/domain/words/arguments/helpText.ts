import { columnsOf } from "../text/columns.ts"
import { wrapWords } from "../text/wrapWords.ts"

export interface HelpPage {
  readonly description: string
  readonly usage: ReadonlyArray<string>
  /** Arguments, flags and commands under a title, each with its names, its type or none, and its description. */
  readonly lists: ReadonlyArray<
    readonly [title: string, rows: ReadonlyArray<readonly [name: string, type: string, says: string]>]
  >
}

type Form = readonly [line: string, does: string]

/** leap's first page: forms of its command line, commands by their purpose, and references. */
export interface FirstPage {
  readonly description: string
  readonly forms: ReadonlyArray<Form>
  readonly groups: ReadonlyArray<readonly [title: string, rows: ReadonlyArray<readonly [name: string, says: string]>]>
  readonly more: ReadonlyArray<Form>
}

/** Longer lines are hard to read. */
const mostColumns = 100
const fewestColumns = 40
/** The width if standard output is no terminal. */
const usualColumns = 80
/** A longer name has a line of its own. */
const longestName = 30

/** The width of a help page in a terminal with this many columns; null for no terminal. */
export const helpColumns = (terminal: number | null): number =>
  Math.min(mostColumns, Math.max(fewestColumns, terminal ?? usualColumns))

interface Look {
  readonly colour: boolean
  readonly columns: number
}

const paints = (colour: boolean) => {
  const paint = (sgr: number) => (text: string) => (colour && text !== "" ? `\u001b[${sgr}m${text}\u001b[0m` : text)
  return { bold: paint(1), dim: paint(2), green: paint(32), cyan: paint(36) }
}

/** leap's first page, which fits an ordinary terminal: without titles above, and with the purposes at the side. */
const firstPageText = ({ description, forms, groups, more }: FirstPage, look: Look): string => {
  const { colour, columns } = look
  const { bold, cyan } = paints(colour)
  const rows = groups.flatMap(([title, rows]) =>
    rows.map(([name, says], i) => [i === 0 ? title : "", name, says] as const)
  )
  const widest = (texts: ReadonlyArray<string>) => Math.max(...texts.map(columnsOf), 0)
  const padded = (text: string, to: number) => " ".repeat(to - columnsOf(text) + 2)
  const [titles, names] = [widest(rows.map(([title]) => title)), widest(rows.map(([, name]) => name))]
  const start = 2 + titles + 2 + names + 2
  const commands = rows.flatMap(([title, name, says]) => {
    const [first = "", ...others] = wrapWords(says, columns - start)
    const head = `  ${bold(title)}${padded(title, titles)}${cyan(name)}${padded(name, names)}`
    return [`${head}${first}`, ...others.map((line) => " ".repeat(start) + line)]
  })
  const lines = widest([...forms, ...more].map(([line]) => line))
  const linesOf = (pairs: ReadonlyArray<Form>) =>
    pairs.flatMap(([line, does]) =>
      2 + lines + 2 + columnsOf(does) <= columns
        ? [`  ${cyan(line)}${padded(line, lines)}${does}`]
        : [`  ${cyan(line)}`, ...wrapWords(does, columns - 4).map((row) => `    ${row}`)]
    )
  return [wrapWords(description, columns), linesOf(forms), commands, linesOf(more)]
    .map((block) => block.join("\n"))
    .join("\n\n")
}

const ofFlags: ReadonlySet<string> = new Set(["ARGUMENTS", "FLAGS", "GLOBAL FLAGS"])

export const helpText = (page: HelpPage | FirstPage, look: Look): string => {
  if ("groups" in page) return firstPageText(page, look)
  const { description, lists, usage } = page
  const { colour, columns } = look
  const { bold, cyan, dim, green } = paints(colour)
  const within = (text: string, indent: string) => wrapWords(text, columns - indent.length).map((line) => indent + line)
  const sections = lists.map(([title, rows]) => {
    const widths = rows.map(([name, type]) => columnsOf(name) + (type === "" ? 0 : 1 + columnsOf(type)))
    const start = 2 + Math.max(...widths.filter((width) => width <= longestName), 0) + 2
    const indent = " ".repeat(start)
    const lines = rows.flatMap(([name, type, says], i) => {
      const named = (ofFlags.has(title) ? green : cyan)(name)
      const head = `  ${named}${type === "" ? "" : ` ${dim(type)}`}`
      const [first = "", ...more] = within(says, indent)
      const taken = 2 + (widths[i] ?? 0)
      return taken + 2 > start ? [head, first, ...more] : [head + first.slice(taken), ...more]
    })
    return [bold(title), ...lines.map((line) => line.trimEnd())]
  })
  const about = description.split("\n").flatMap((line) => within(line.trim(), "  "))
  return [[bold("DESCRIPTION"), ...about], [bold("USAGE"), ...usage.map((line) => `  ${cyan(line)}`)], ...sections]
    .map((lines) => lines.join("\n"))
    .join("\n\n")
}
