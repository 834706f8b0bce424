import { textsOf } from "../usage/Fields.ts"

/** Claude Code wraps what was pasted and folded in a mark of its own. */
const pasted = /\n*<pasted_content id="([^"\n]*)">\n([\s\S]*?)\n<\/pasted_content id="\1">\n?/g

const interrupted = /^\[Request interrupted by user(?: for tool use)?\]$/
const command = /^<command-name>([^<]*)<\/command-name>\s*<command-message>/
const argument = /<command-args>([^<]*)<\/command-args>/
/** What the CLI adds in the user's name. */
const added = /^<(?:command-|local-command-|bash-(?:stdout|stderr)|task-notification|system-reminder)/

const one = (raw: string): string => {
  const text = raw.replace(pasted, "$2").trim()
  const name = command.exec(text)?.[1]?.trim()
  if (name !== undefined) return `${name} ${argument.exec(text)?.[1] ?? ""}`.trim()
  return interrupted.test(text) || added.test(text) ? "" : text
}

/** What the user typed, of the content of a user record; null for tool results and what the CLI wrote itself. */
export const promptText = (content: unknown): string | null =>
  textsOf(content, new Set(["text"])).map(one).filter((text) => text !== "").join("\n") || null
