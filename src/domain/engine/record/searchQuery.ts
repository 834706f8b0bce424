/** More words are no search. */
const mostWords = 32

/**
 * The words that a person searches for as a query of FTS5: each is a phrase, all must be there, and the last may be the
 * beginning of a word. Nothing of what was typed is an operator. Null for no words.
 */
export const searchQuery = (words: string): string | null => {
  const phrases = words
    .replaceAll("\u0000", " ")
    .split(/\s+/)
    // a phrase without a letter or a digit matches nothing, and would spoil the others
    .filter((word) => /[\p{L}\p{N}]/u.test(word))
    .slice(0, mostWords)
    .map((word) => `"${word.replaceAll('"', '""')}"`)
  return phrases.length === 0 ? null : `${phrases.join(" ")}*`
}
