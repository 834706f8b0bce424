/** Any shell takes these letters as they stand; zsh takes an `=` at the beginning for a program's path. */
const plain = /^[\w@%+:,./-][\w@%+=:,./-]*$/

/** A word as shells read it back. A backslash stands outside of the quotes, because in them fish takes it away. */
export const shellWord = (word: string): string =>
  plain.test(word) ? word : `'${word.replaceAll(/['\\]/g, String.raw`'\$&'`)}'`

export const shellWords = (words: ReadonlyArray<string>): string => words.map(shellWord).join(" ")
