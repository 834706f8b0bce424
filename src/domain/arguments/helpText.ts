import { columnsOf } from "../text/columns.ts"
import { wrapWords } from "../text/wrapWords.ts"

/** What a command's help page says. */
export interface HelpPage {
  readonly description: string
  readonly usage: ReadonlyArray<string>
  /** Arguments, flags and commands, under a title: each its names, its type or none, and what it is. */
  readonly lists: ReadonlyArray<
    readonly [title: string, rows: ReadonlyArray<readonly [name: string, type: string, says: string]>]
  >
}

/** Lines that are longer are hard to follow. */
const mostColumns = 100
const fewestColumns = 40
/** Where standard output is no terminal. */
const usualColumns = 80
/** Names that are longer have a line for themselves. */
const longestName = 30

/** How wide a help page is where the terminal has so many columns; null for no terminal. */
export const helpColumns = (terminal: number | null): number =>
  Math.min(mostColumns, Math.max(fewestColumns, terminal ?? usualColumns))

/** A help page in so many columns, with ANSI colours or without. */
export const helpText = (
  { description, lists, usage }: HelpPage,
  { colour, columns }: { readonly colour: boolean; readonly columns: number }
): string => {
  const paint = (sgr: number) => (text: string) => (colour && text !== "" ? `\u001b[${sgr}m${text}\u001b[0m` : text)
  const [bold, dim, green, cyan] = [paint(1), paint(2), paint(32), paint(36)]
  const within = (text: string, indent: string) => wrapWords(text, columns - indent.length).map((line) => indent + line)
  const sections = lists.map(([title, rows]) => {
    const widths = rows.map(([name, type]) => columnsOf(name) + (type === "" ? 0 : 1 + columnsOf(type)))
    const start = 2 + Math.max(...widths.filter((width) => width <= longestName), 0) + 2
    const indent = " ".repeat(start)
    const lines = rows.flatMap(([name, type, says], i) => {
      const named = (title === "SUBCOMMANDS" ? cyan : green)(name)
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
