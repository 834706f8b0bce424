const mostWords = 32

/**
 * The FTS5 query for the words of a search: each is a phrase, all must match, and the last may be the start of a word.
 * No typed text is an operator. Null for no words.
 */
export const searchQuery = (words: string): string | null => {
  const phrases = words
    .replaceAll("\u0000", " ")
    .split(/\s+/)
    // A phrase without a letter or a digit matches nothing, and would exclude the others.
    .filter((word) => /[\p{L}\p{N}]/u.test(word))
    .slice(0, mostWords)
    .map((word) => `"${word.replaceAll('"', '""')}"`)
  return phrases.length === 0 ? null : `${phrases.join(" ")}*`
}
