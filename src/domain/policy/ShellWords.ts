/** A word of a shell command line, without quotes and escapes. */
export interface ShellWord {
  /** Expansions (`$NAME`, `$(…)`) are spelled as written. */
  readonly text: string
  /** The certain UTF-16 units from its beginning: all of them if the shell expands nothing. */
  readonly sure: number
  /** The uncertain part can only become file names (`*`, `?`, `[…]`). */
  readonly globs: boolean
  /** No part of it was quoted or escaped. */
  readonly bare: boolean
}

export type Words = ReadonlyArray<ShellWord>

/** The source of a command's standard input, as far as the line shows it. */
export type ShellInput =
  | { readonly _tag: "Inherited" }
  /** A pipe or several redirections: nobody can read it beforehand. */
  | { readonly _tag: "Pipe" }
  | { readonly _tag: "File"; readonly word: ShellWord }
  /** A heredoc or here-string. `sure`: the shell expands nothing in it. */
  | { readonly _tag: "Text"; readonly text: string; readonly sure: boolean }

export const inherited: ShellInput = { _tag: "Inherited" }

/** A variable that a command line sets: before a command, alone, or by a loop. */
export interface ShellAssignment {
  readonly name: string
  readonly value: ShellWord
}

export interface ShellCommand {
  readonly assignments: ReadonlyArray<ShellAssignment>
  readonly words: Words
  /** Files that redirections open for writing, and for reading. */
  readonly writes: Words
  readonly reads: Words
  readonly input: ShellInput
}

/** A command of these words alone. */
export const plainCommand = (words: Words, input: ShellInput = inherited): ShellCommand => ({
  assignments: [],
  words,
  writes: [],
  reads: [],
  input
})

/** A pipeline, or a command outside of one, with all its content: any text in it may reach any of its commands. */
export interface ShellPart {
  readonly commands: ReadonlyArray<ShellCommand>
  readonly texts: ReadonlyArray<string>
}

export interface ShellLine {
  /** In the order of their beginnings, including those inside substitutions. */
  readonly commands: ReadonlyArray<ShellCommand>
  /** Words of no command: what loops go through, operands of tests, subjects of `case`. */
  readonly others: Words
  readonly parts: ReadonlyArray<ShellPart>
  readonly loops: ReadonlyArray<string>
  /** The possible values of loop variables that nothing else in the line sets; each value is one word. */
  readonly through: ReadonlyMap<string, Words>
  /** Loop variables and others that never begin with a dash. */
  readonly undashed: ReadonlyArray<string>
  /** Why shells may read the line differently, for the user; null if all read it alike. */
  readonly uncommon: string | null
  /** What cannot be read at all, for the user; null for nothing. */
  readonly unclear: string | null
}

export const plainWord = (text: string): ShellWord => ({ text, sure: text.length, globs: false, bare: true })

/** A word of which nothing is known. */
export const unknownWord: ShellWord = { text: "$(…)", sure: 0, globs: false, bare: true }

/** What the shell substitutes for `<(…)`: the file that gives the inner command's output. */
export const innerFile = plainWord("/dev/fd/63")

export const isSure = (word: ShellWord): boolean => word.sure === word.text.length

/** Outside quotes, a variable with this value becomes several words, or file names. */
export const becomesMore = (value: ShellWord): boolean =>
  /\s/.test(value.text) || (isSure(value) && /[*?[]/.test(value.text))

/** It prints one name of a commit or branch: no option, and no path that leads out of the project. */
export const printsRevision =
  /^\$\(git (?:merge-base [\w./ -]+|rev-parse(?: --short(?:=\d+)?| --verify)? HEAD|describe(?: --(?:tags|always|dirty|abbrev=\d+|long))*)\)/

export const isRevision = ({ text }: ShellWord): boolean => printsRevision.exec(text)?.[0] === text

/** The word behind this text. */
export const prefixed = (text: string, word: ShellWord): ShellWord => ({
  ...word,
  text: text + word.text,
  sure: text.length + word.sure
})

/** The word from there on. */
export const wordFrom = (word: ShellWord, at: number): ShellWord => ({
  ...word,
  text: word.text.slice(at),
  sure: Math.max(0, word.sure - at)
})

export const assignmentWord = ({ name, value }: ShellAssignment): ShellWord => prefixed(`${name}=`, value)

/** The variable that a word consists of; empty for none. */
export const variableOf = ({ text }: ShellWord): string => /^\$\{?(\w+)\}?$/.exec(text)?.[1] ?? ""

/** The words without those that are the same. */
export const distinct = (words: Words): Words => [
  ...new Map(words.map((word) => [`${word.sure} ${word.text}`, word])).values()
]

/** The last component of a program's path. */
export const baseName = (program: string): string => program.slice(program.lastIndexOf("/") + 1)

/** Words as one text, and the number of certain UTF-16 units from its beginning. */
export const joinWords = (words: Words): { readonly text: string; readonly sure: number } => {
  let sure = 0
  for (const [i, word] of words.entries()) {
    sure += word.sure + (i > 0 ? 1 : 0)
    if (!isSure(word)) break
  }
  return { text: words.map((word) => word.text).join(" "), sure }
}
