const mostWords = 32

/** The FTS5 query for some words: all must match as phrases, the last also as a start. Null for no words. */
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
