/** How a git command ended, and what it and its hooks and filters printed. */
interface Ended {
  /** Null if it was killed, took too long or could not be started. */
  readonly code: number | null
  readonly out: string
  readonly err: string
}

/** git's progress and advice. */
const asides: ReadonlyArray<RegExp> = [
  /^(?:Preparing worktree|HEAD is now at)/,
  /^(?:(?:Updating|Checking out) files|Filtering content|Resolving deltas):/,
  /^(?:Counting|Compressing|Receiving|Enumerating) objects:/,
  /^(?:hint:|Please |Not committing merge;|and the repository exists)/
]

/** A program, or a script's interpreter, is missing: all later errors follow from that. */
const notThere: ReadonlyArray<RegExp> = [
  /: (?:command not found|not found|No such file or directory|Permission denied)$/i,
  /\b(?:cannot run|was not found on your path)\b/i
]

const troubled = /\b(?:err(?:or)?\b|err!|fail|fatal|cannot|could not|unable|missing|denied|refus|not found|invalid)/i

const isOf = (patterns: ReadonlyArray<RegExp>, line: string): boolean => patterns.some((one) => one.test(line))

const fatal = /^fatal: /
const error = /^error: /

/** git's message about a hook that refused, which does not say why. */
const byHook = /\b(?:aborted|declined|rejected) by (?:the )?(?:[\w-]+ )?hook\b|\bhook (?:declined|refused)\b/
/** If a hook printed more characters, only its most telling line is used. */
const wordsMost = 240

/**
 * The line that best tells why a git command failed. A missing program of a hook or filter comes with git's message on
 * what failed because of it. A refusing hook's own text comes before git's first fatal line. A hook that runs after
 * git's work gives its first line of trouble, or the fact that it failed. Empty if nothing tells the reason.
 */
export const gitComplaint = ({ code, err, out }: Ended): string => {
  // Progress overwrites its own line.
  const all = `${out}\n${err}`.split(/[\r\n]/).map((line) => line.trim())
  const lines = all.filter((line) => line !== "" && !isOf(asides, line))
  const said = (line: string): string => line.replace(/^(?:fatal|error): /, "")
  const final = lines.find((line) => fatal.test(line))
  const cause = lines.find((line) => isOf(notThere, line) && !fatal.test(line))
  const tellingOf = (words: ReadonlyArray<string>): string | undefined =>
    words.find((line) => error.test(line)) ?? words.find((line) => troubled.test(line)) ?? words.at(-1)
  const forbids = final ?? lines.find((line) => byHook.test(line))
  if (forbids !== undefined && byHook.test(forbids) && cause === undefined) {
    const its = lines.filter((line) => !byHook.test(line) && !fatal.test(line)).map(said)
    const words = its.join(" / ")
    return its.length === 0 ? said(forbids) : `${words.length > wordsMost ? tellingOf(its) : words} (${said(forbids)})`
  }
  if (final !== undefined) return cause === undefined ? said(final) : `${said(cause)} (${said(final)})`
  const told = cause ?? tellingOf(lines) ?? (code === null ? "" : `it ended with code ${code}`)
  // git has finished: what runs after it is the hook.
  const isHook = code !== 0 && all.some((line) => line.startsWith("HEAD is now at"))
  return isHook ? `the post-checkout hook failed: ${said(told)}` : said(told)
}
