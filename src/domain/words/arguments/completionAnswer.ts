import { oneLine } from "../text/printable.ts"
import type { Candidate, CompletionSource, Wanted } from "./Completion.ts"
import type { CompletionShell } from "./completionShells.ts"

/** More than anyone would choose from. */
const limit = 500
const textLimit = 60

/** Characters without a meaning to any shell. A candidate with others is not offered. */
const harmless = /^[\w.,=@+:-]+$/

/**
 * The answer to a shell: a line with the kind of candidates (`words`, `files`, `directories`), then a line for each
 * word, for some shells with a description after a tab. Lines contain only characters of words and printable text,
 * whatever sessions and settings contain.
 */
export const completionAnswer = (
  shell: CompletionShell,
  { before, prefix, sources, without }: Wanted,
  candidatesOf: (source: CompletionSource) => ReadonlyArray<Candidate>
): string => {
  const [only] = sources
  if (sources.length === 1 && only?._tag === "Files") return "files"
  if (sources.length === 1 && only?._tag === "Directories") return "directories"
  const taken = new Set(without)
  const found = sources
    .flatMap(candidatesOf)
    .filter(({ value }) => value.startsWith(prefix) && !taken.has(value) && harmless.test(before + value))
    .slice(0, limit)
  const lines = found.map(({ text, value }) => {
    const shown = shell === "bash" ? "" : oneLine(text, textLimit)
    return `${before}${value}${shown === "" ? "" : `\t${shown}`}`
  })
  return ["words", ...new Set(lines)].join("\n")
}
