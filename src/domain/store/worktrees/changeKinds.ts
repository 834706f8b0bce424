/** How a file differs, by git's letters. Quick commands need it, so it is apart from the schemas of changes. */
export const kinds = {
  A: "added",
  M: "changed",
  D: "removed",
  R: "renamed",
  C: "copied",
  T: "retyped",
  U: "unmerged"
} as const

/** The letter of a kind. */
export const letters: Readonly<Record<string, string>> = Object.fromEntries(
  Object.entries(kinds).map(([letter, kind]) => [kind, letter])
)
