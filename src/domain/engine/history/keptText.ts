import type { Problem } from "../../words/session/Session.ts"
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

/** A line of leap's own, or of the CLI's screen, for storage. */
export const keptLine = (text: string, limit = 200): string => oneLine(maskSecrets(text.slice(0, 4 * limit)), limit)

/** A problem as a note of it is stored: its words where texts are kept, and when it is over. */
export const problemNote = ({ message, until }: Problem, isFull: boolean): string | null => {
  const end = until === null ? null : `until ${until}`
  if (!isFull) return end
  return end === null ? keptLine(message, 300) : `${keptLine(message, 297 - end.length)} (${end})`
}

/** A note's end: a full moment, so that it is not one of the CLI's words ("until 5pm"). */
const noted = /^(?:(.*) \()?until (\d{4}-\d\d-\d\dT\S+?)\)?$/s

/** The content of such a note. */
export const problemNoted = (text: string | null): Pick<Problem, "until"> & { readonly message: string | null } => {
  const [isEnd, message, until] = noted.exec(text ?? "") ?? []
  return isEnd === undefined ? { message: text, until: null } : { message: message ?? null, until: until ?? null }
}
