import { Result } from "effect"

/** Splits text into words as a shell does: with quotes and backslashes, unexpanded. Fails on an unclosed quote. */
export const splitWords = (text: string): Result.Result<ReadonlyArray<string>, string> => {
  const words: Array<string> = []
  let word: string | null = null
  for (let i = 0; i < text.length; i++) {
    const char = text[i]!
    if (char === " " || char === "\t" || char === "\n") {
      if (word !== null) words.push(word)
      word = null
    } else if (char === "'" || char === '"') {
      word ??= ""
      for (i++; i < text.length && text[i] !== char; i++) {
        if (char === '"' && text[i] === "\\" && /["\\$`]/.test(text[i + 1] ?? "")) i++
        word += text[i]
      }
      if (i >= text.length) return Result.fail(`a ${char} is never closed`)
    } else if (char === "\\" && i + 1 < text.length) word = (word ?? "") + text[++i]
    else word = (word ?? "") + char
  }
  if (word !== null) words.push(word)
  return Result.succeed(words)
}
