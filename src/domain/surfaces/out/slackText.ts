import { maskSecrets } from "../../words/text/Secrets.ts"
import { plainText } from "../web/plainText.ts"

/**
 * A text of a session's for a place of Slack's where nothing is markup: without what would hide or reorder parts of it,
 * what looks like a secret masked, and of at most `limit` characters.
 */
export const slackPlain = (text: string, limit: number): string => {
  const clean = maskSecrets(plainText(text.slice(0, 4 * limit + 1_000), 4 * limit + 1_000)).toWellFormed()
  if (clean.length <= limit) return clean
  const cut = clean.slice(0, limit - 1)
  // never half of a character
  return `${/[\ud800-\udbff]$/.test(cut) ? cut.slice(0, -1) : cut}…`
}

/** The longest line that a notification shows. */
const textMost = 300

/**
 * A line for where Slack reads markup: `<!channel>`, `<@U…>` and links are the characters that they are written with.
 * Names with an `@` are broken, so that nobody is called by one either.
 */
export const slackText = (text: string): string =>
  slackPlain(text.replace(/\s+/g, " "), textMost)
    .replaceAll("&", "&amp;")
    .replaceAll("<", "&lt;")
    .replaceAll(">", "&gt;")
    .replace(/@(?=\S)/g, "@\u200a")
    .replace(/[*_~`]/g, (mark) => `${mark}\u200a`)
