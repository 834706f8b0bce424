/** A command line for another machine's leap. `host`: null if it is not named. */
export interface HostWords {
  readonly host: string | null
  readonly words: ReadonlyArray<string>
}

/** `--host NAME …` or `--host=NAME …` at the beginning; null for a command line for this machine. */
export const hostWords = ([first, ...rest]: ReadonlyArray<string>): HostWords | null => {
  if (first?.startsWith("--host=")) return { host: first.slice("--host=".length) || null, words: rest }
  if (first !== "--host") return null
  const [host, ...words] = rest
  return { host: host === undefined || host === "" || host.startsWith("-") ? null : host, words }
}

/** Commands that read their standard input without a lone `-`. */
const readers: ReadonlySet<string> = new Set(["acp", "chat", "exec", "hosts", "mcp", "queue", "replay"])

/**
 * Whether leap there gets the standard input. ssh reads all of it, also what is meant for others: the lines of
 * `while read …`, for a command that reads none of them.
 */
export const readsInput = (words: ReadonlyArray<string>): boolean => {
  const [first = ""] = words
  return readers.has(first) || words.includes("-")
}
