import { clean } from "./Cells.ts"
import type { Key } from "./Keys.ts"

/** A text of one line that is edited at its end. It is kept short: what is beyond the limit is not taken. */
export const queryLimit = 256

/** The text after a key; null when the key does not edit text. */
export const edit = (text: string, key: Key): string | null => {
  switch (key.key) {
    case "text":
      return append(text, key.text)
    case "paste":
      // cleaned on its own, so that neighbours do not matter
      return append(text, clean(key.text.trim()).replace(/ +/g, " "))
    case "backspace":
      return [...new Intl.Segmenter().segment(text)].slice(0, -1).map(({ segment }) => segment).join("")
    case "delete-word":
      return text.replace(/\S*\s*$/u, "")
    case "clear":
      return ""
    default:
      return null
  }
}

const append = (text: string, more: string): string => [...text + more].slice(0, queryLimit).join("")
