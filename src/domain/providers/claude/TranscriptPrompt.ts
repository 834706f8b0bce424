import { textsOf } from "../../words/reading/Fields.ts"

/** Claude Code wraps folded pastes in a tag of its own. */
const pasted = /\n*<pasted_content id="([^"\n]*)">\n([\s\S]*?)\n<\/pasted_content id="\1">\n?/g

const interrupted = /^\[Request interrupted by user(?: for tool use)?\]$/
const command = /^<command-name>([^<]*)<\/command-name>\s*<command-message>/
const argument = /<command-args>([^<]*)<\/command-args>/
/** Text that the CLI adds to the conversation in the user's name. */
const injected = /^<(?:command-|local-command-|bash-(?:stdout|stderr)|task-notification|system-reminder)/

const typedText = (raw: string): string => {
  const text = raw.replace(pasted, "$2").trim()
  const name = command.exec(text)?.[1]?.trim()
  if (name !== undefined) return `${name} ${argument.exec(text)?.[1] ?? ""}`.trim()
  return interrupted.test(text) || injected.test(text) ? "" : text
}

/**
 * The text that the user typed, from the content of a user record; null for tool results and for text of the CLI's own.
 */
export const promptText = (content: unknown): string | null =>
  textsOf(content, new Set(["text"]))
    .map(typedText)
    .filter((text) => text !== "")
    .join("\n") || null
