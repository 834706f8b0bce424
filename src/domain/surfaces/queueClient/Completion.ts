import { naturalOrder } from "../../words/text/naturalOrder.ts"
import type { Editor } from "../tui/Editor.ts"

export type CompletionKind = "command" | "file"

export interface Completion {
  readonly kind: CompletionKind
  /** The start of the word in the text, including its `/` or `@`. */
  readonly from: number
  readonly word: string
  readonly ref: number
  readonly items: ReadonlyArray<string>
  readonly selected: number
  /** The user has moved the selection. */
  readonly moved: boolean
}

/** The start of a command or mention before the cursor; null for any other text. */
export const wordBefore = ({
  cursor,
  text
}: Pick<Editor, "cursor" | "text">): Pick<Completion, "kind" | "from" | "word"> | null => {
  const before = text.slice(0, cursor)
  // The word must end at the cursor.
  if (/^[^\s]/.test(text.slice(cursor))) return null
  const command = /^\/([^\s/]*)$/.exec(before)
  if (command !== null) return { kind: "command", from: 0, word: command[1] ?? "" }
  const file = /(?:^|\s)@([^\s@"]*)$/.exec(before)
  return file === null ? null : { kind: "file", from: cursor - (file[1] ?? "").length - 1, word: file[1] ?? "" }
}

export const offeredMost = 50

/** How well a name matches; null for no match. Less is better. */
const fit = (name: string, word: string): number | null => {
  const [lower, wanted] = [name.toLowerCase(), word.toLowerCase()]
  const base = lower.replace(/\/$/, "").lastIndexOf("/") + 1
  if (lower.startsWith(wanted)) return 0
  if (lower.startsWith(wanted, base)) return 1
  if (lower.includes(wanted, base)) return 2
  if (lower.includes(wanted)) return 3
  let at = 0
  for (const char of wanted) {
    at = lower.indexOf(char, at) + 1
    if (at === 0) return null
  }
  return 4
}

const depth = (name: string): number => name.replace(/\/$/, "").split("/").length

/** The names that match a word, the best first. Among equal matches the one with fewer directories comes first. */
export const rank = (names: ReadonlyArray<string>, word: string): ReadonlyArray<string> =>
  [...new Set(names)]
    .flatMap((name) => {
      const fits = fit(name, word)
      return fits === null ? [] : [{ name, fits }]
    })
    .toSorted((a, b) => a.fits - b.fits || depth(a.name) - depth(b.name) || naturalOrder(a.name, b.name))
    .slice(0, offeredMost)
    .map(({ name }) => name)

/** The text of a chosen name. After a directory the user continues typing. */
export const textOf = (kind: CompletionKind, name: string): string =>
  kind === "command" ? `/${name} ` : name.endsWith("/") ? `@${name}` : /\s/.test(name) ? `@"${name}" ` : `@${name} `
