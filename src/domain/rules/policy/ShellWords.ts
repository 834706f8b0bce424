/** A word of a shell command line, without its quotes and escapes. */
export interface ShellWord {
  /** Expansions (`$NAME`, `$(…)`) are spelled as they were written. */
  readonly text: string
  /** The number of UTF-16 units from its beginning that are certain: all of them, where the shell expands nothing. */
  readonly sure: number
  /** The uncertain part can only become names of files (`*`, `?`, `[…]`). */
  readonly globs: boolean
  /** No part of it was quoted or escaped. */
  readonly bare: boolean
}

/** Where a command's standard input comes from, as far as the line shows. */
export type ShellInput =
  | { readonly _tag: "Inherited" }
  /** Behind a pipe, or of several redirections: nobody can read it beforehand. */
  | { readonly _tag: "Pipe" }
  | { readonly _tag: "File" }
  /** A heredoc or here-string. `sure`: the shell expands nothing in it. */
  | { readonly _tag: "Text"; readonly text: string; readonly sure: boolean }

/** A variable that a command line sets: before a command, by itself, or by a loop. */
export interface ShellAssignment {
  readonly name: string
  readonly value: ShellWord
}

/** One simple command. */
export interface ShellCommand {
  readonly assignments: ReadonlyArray<ShellAssignment>
  readonly words: ReadonlyArray<ShellWord>
  /** Files that redirections open for writing and for reading. */
  readonly writes: ReadonlyArray<ShellWord>
  readonly reads: ReadonlyArray<ShellWord>
  readonly input: ShellInput
}

/** A pipeline, or a command outside of one, with all that is inside it: any text in it may reach any of its commands. */
export interface ShellPart {
  readonly commands: ReadonlyArray<ShellCommand>
  /** Its heredocs and here-strings. */
  readonly texts: ReadonlyArray<string>
}

/** One command line as its parser reads it. */
export interface ShellLine {
  /** In the order in which they begin; those inside substitutions included. */
  readonly commands: ReadonlyArray<ShellCommand>
  /** Words that belong to no command: what loops go through, operands of tests, subjects of `case`. */
  readonly others: ReadonlyArray<ShellWord>
  /** Its pipelines, and commands outside of one, each with all that is in it. */
  readonly parts: ReadonlyArray<ShellPart>
  /** The variables that loops set. */
  readonly loops: ReadonlyArray<string>
  /** What those of them may be that nothing else in the line sets, each to one word. */
  readonly through: ReadonlyMap<string, ReadonlyArray<ShellWord>>
  /** Those of these, and variables set otherwise, that never begin with a dash. */
  readonly undashed: ReadonlyArray<string>
  /** Why shells may read the line in different ways, for the user; null where all of them read it as this one does. */
  readonly uncommon: string | null
  /** What cannot be read at all, for the user; null for nothing. */
  readonly unclear: string | null
}

/** A word with exactly this text. */
export const plainWord = (text: string): ShellWord => ({ text, sure: text.length, globs: false, bare: true })

/** A word of which nothing is known. */
export const unknownWord: ShellWord = { text: "$(…)", sure: 0, globs: false, bare: true }

/** What the shell puts in for `<(…)`: the file from which what is inside can be read. */
export const innerFile = plainWord("/dev/fd/63")

/** The shell expands nothing in the word. */
export const isSure = (word: ShellWord): boolean => word.sure === word.text.length

/** A variable with that value becomes several words, or names of files, where it stands without quotes. */
export const becomesMore = (value: ShellWord): boolean =>
  /\s/.test(value.text) || (isSure(value) && /[*?[]/.test(value.text))

/** It prints one name of a commit or branch: no option, and no path that leads out of the project. */
export const printsRevision =
  /^\$\(git (?:merge-base [\w./ -]+|rev-parse(?: --short(?:=\d+)?| --verify)? HEAD|describe(?: --(?:tags|always|dirty|abbrev=\d+|long))*)\)/

/** The word is that name, and nothing else. */
export const isRevision = ({ text }: ShellWord): boolean => printsRevision.exec(text)?.[0] === text

/** `NAME=value` as one word. */
export const assignmentWord = ({ name, value }: ShellAssignment): ShellWord => ({
  ...value,
  text: `${name}=${value.text}`,
  sure: name.length + 1 + value.sure
})

/** The last component of a program's path. */
export const baseName = (program: string): string => program.slice(program.lastIndexOf("/") + 1)

/** Words as one text, and the number of UTF-16 units from its beginning that are certain. */
export const joinWords = (words: ReadonlyArray<ShellWord>): { readonly text: string; readonly sure: number } => {
  let sure = 0
  for (const [i, word] of words.entries()) {
    sure += word.sure + (i > 0 ? 1 : 0)
    if (!isSure(word)) break
  }
  return { text: words.map((word) => word.text).join(" "), sure }
}
