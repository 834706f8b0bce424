import { graphemesIn } from "../../words/text/graphemes.ts"
import { clean } from "../tui/Cells.ts"
import type { TuiKey } from "../tui/Keys.ts"

/** A text of one line that is edited at its end; what exceeds this limit is ignored. */
export const queryLimit = 256

/** The text after a key; null when the key does not edit text. */
export const edit = (text: string, key: TuiKey): string | null => {
  switch (key.key) {
    case "text":
      return append(text, key.text)
    case "paste":
      // cleaned by itself, so that the text before it does not matter
      return append(text, clean(key.text.trim()).replace(/ +/g, " "))
    case "backspace":
      return [...graphemesIn(text)]
        .slice(0, -1)
        .map(({ segment }) => segment)
        .join("")
    case "delete-word":
      return text.replace(/\S*\s*$/u, "")
    case "clear":
      return ""
    default:
      return null
  }
}

const append = (text: string, more: string): string => [...(text + more)].slice(0, queryLimit).join("")
