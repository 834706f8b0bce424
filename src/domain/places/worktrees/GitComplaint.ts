/** How a git command ended, and what it and its hooks and filters printed. */
interface Ended {
  /** Null where it was killed, took too long or could not be started. */
  readonly code: number | null
  readonly out: string
  readonly err: string
}

/** What git says of its progress, and its advice. */
const asides: ReadonlyArray<RegExp> = [
  /^(?:Preparing worktree|HEAD is now at)/,
  /^(?:(?:Updating|Checking out) files|Filtering content|Resolving deltas):/,
  /^(?:Counting|Compressing|Receiving|Enumerating) objects:/,
  /^(?:hint:|Please |and the repository exists)/
]

/** A program, or what is to run a script, is not there: all that fails after it fails over that. */
const notThere: ReadonlyArray<RegExp> = [
  /: (?:command not found|not found|No such file or directory|Permission denied)$/i,
  /\b(?:cannot run|was not found on your path)\b/i
]

const troubled = /\b(?:err(?:or)?\b|err!|fail|fatal|cannot|could not|unable|missing|denied|refus|not found|invalid)/i

const isOf = (patterns: ReadonlyArray<RegExp>, line: string): boolean => patterns.some((one) => one.test(line))

const fatal = /^fatal: /
const error = /^error: /

/** git's word on what a hook has forbidden, which does not say why. */
const byHook = /\b(?:aborted|declined|rejected) by (?:the )?(?:[\w-]+ )?hook\b|\bhook declined\b/
/** Longer words of a hook's are told by the line that tells most. */
const wordsMost = 240

/**
 * The line that tells most of why a git command failed: that a program of a hook or filter is missing, with git's own
 * word on what failed over it; git's first fatal word, behind those of a hook that has forbidden it; of a hook that ran
 * behind git's work its first word of trouble, or that it failed. Empty where nothing tells anything.
 */
export const gitComplaint = ({ code, err, out }: Ended): string => {
  // progress overwrites its own line
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
  // git has come to its end: what runs behind it is the hook
  const isHook = code !== 0 && all.some((line) => line.startsWith("HEAD is now at"))
  return isHook ? `the post-checkout hook failed: ${said(told)}` : said(told)
}
