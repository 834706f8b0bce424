import { cutMark } from "../../words/text/cutMark.ts"
import { oneLine } from "../../words/text/printable.ts"
import { maskSecrets } from "../../words/text/Secrets.ts"

/** Of a longer message or answer its beginning is kept. In UTF-16 units. */
export const longestText = 32_768

/** A message or an answer as it may be stored: what looks like a secret masked, bounded. */
export const keptText = (text: string): string => {
  const clean = maskSecrets(text.slice(0, longestText))
  return text.length <= longestText ? clean : `${clean}${cutMark(text.length, "characters")}`
}

/** A line of leap's own, or of the CLI's screen, as it may be stored. */
export const keptLine = (text: string, limit = 200): string => oneLine(maskSecrets(text.slice(0, 4 * limit)), limit)
