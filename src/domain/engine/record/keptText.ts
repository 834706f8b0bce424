import { cutMark } from "../../words/text/cutMark.ts"
import { oneLine } from "../../words/text/printable.ts"
import { maskSecrets } from "../../words/text/Secrets.ts"

/** A longer message or answer is cut. In UTF-16 units. */
export const longestText = 32_768

/** A message or an answer for storage: bounded, and with apparent secrets masked. */
export const keptText = (text: string): string => {
  const clean = maskSecrets(text.slice(0, longestText))
  return text.length <= longestText ? clean : `${clean}${cutMark(text.length, "characters")}`
}

/** The same for a line of leap's own, or of the CLI's screen. */
export const keptLine = (text: string, limit = 200): string => oneLine(maskSecrets(text.slice(0, 4 * limit)), limit)
