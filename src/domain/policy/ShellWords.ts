/** A word of a shell command line, without its quotes and escapes. */
export interface ShellWord {
  /** What the shell would put in (`$NAME`, `$(…)`) is spelled, more or less, as it was written. */
  readonly text: string
  /** So many characters from its beginning are certain; all of them, where nothing is put in. */
  readonly sure: number
  /** What is not certain can only become names of files (`*`, `?`, `[…]`). */
  readonly globs: boolean
  /** So many characters from its beginning were written without quotes and escapes. */
  readonly bare: number
}

/** Where a command's standard input comes from, as far as the line tells. */
export type ShellInput =
  | { readonly _tag: "Inherited" }
  | { readonly _tag: "Pipe" }
  | { readonly _tag: "File" }
  /** A heredoc or here-string. `sure`: nothing is put into it. */
  | { readonly _tag: "Text"; readonly text: string; readonly sure: boolean }

/** One simple command. */
export interface ShellCommand {
  readonly assignments: ReadonlyArray<ShellWord>
  readonly words: ReadonlyArray<ShellWord>
  /** Files that redirections open for writing and for reading. */
  readonly writes: ReadonlyArray<ShellWord>
  readonly reads: ReadonlyArray<ShellWord>
  readonly input: ShellInput
}

/** What the lexer makes of one command line. */
export interface ShellLine {
  /** In the order in which they end; those inside substitutions included. */
  readonly commands: ReadonlyArray<ShellCommand>
  /** Some command's output becomes part of the line, or of a file name in it. */
  readonly substitutes: boolean
  /** What the lexer is not certain of; null when it is certain of everything. */
  readonly unclear: string | null
  /** The work done, in characters. */
  readonly steps: number
}

/** A word that says exactly this. */
export const plainWord = (text: string): ShellWord => ({ text, sure: text.length, globs: false, bare: text.length })

/** Nothing is put into the word. */
export const isSure = (word: ShellWord): boolean => word.sure === word.text.length

/** The last component of a program's path. */
export const baseName = (program: string): string => program.slice(program.lastIndexOf("/") + 1)

/** Words as one text, and how much of its beginning is certain. */
export const joinWords = (words: ReadonlyArray<ShellWord>): { readonly text: string; readonly sure: number } => {
  let sure = 0
  for (const [i, word] of words.entries()) {
    sure += word.sure + (i > 0 ? 1 : 0)
    if (!isSure(word)) break
  }
  return { text: words.map((word) => word.text).join(" "), sure }
}
