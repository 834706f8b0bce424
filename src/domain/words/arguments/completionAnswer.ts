import { oneLine } from "../text/printable.ts"
import type { Candidate, CompletionSource, Wanted } from "./Completion.ts"
import type { CompletionShell } from "./completionShells.ts"

/** The largest number of candidates in an answer. */
const limit = 500
const textLimit = 60

/** Characters without a meaning to any shell. A candidate with others is not offered. */
const harmless = /^[\w.,=@+:-]+$/

/**
 * The answer to a shell: a line with the kind of candidates (`words`, `files`, `directories`), then a line for each
 * word, for some shells with a description after a tab. Names from sessions and settings are filtered: values have only
 * characters that are safe in a shell, and descriptions are printable.
 */
export const completionAnswer = (
  shell: CompletionShell,
  { before, prefix, sources, exclude }: Wanted,
  candidatesOf: (source: CompletionSource) => ReadonlyArray<Candidate>
): string => {
  const [only] = sources
  if (sources.length === 1 && only?._tag === "Files") return "files"
  if (sources.length === 1 && only?._tag === "Directories") return "directories"
  const excluded = new Set(exclude)
  const found = sources
    .flatMap(candidatesOf)
    .filter(({ value }) => value.startsWith(prefix) && !excluded.has(value) && harmless.test(before + value))
    .slice(0, limit)
  const lines = found.map(({ text, value }) => {
    // bash shows no descriptions.
    const shown = shell === "bash" ? "" : oneLine(text, textLimit)
    return `${before}${value}${shown === "" ? "" : `\t${shown}`}`
  })
  return ["words", ...new Set(lines)].join("\n")
}
