import { fieldsOf } from "../../words/reading/Fields.ts"
import { jsonOf } from "../../words/reading/Json.ts"

type Env = Readonly<Record<string, string>>

/** Where a CLI keeps its input history, and how that is read: total pure functions. */
export interface InputHistory {
  /** The CLI brings its entries back with the arrow keys itself, with what was pasted. */
  readonly recalls: boolean
  /** A file that has to be read to find the history file; null for none. */
  readonly index: ((env: Env) => string) | null
  /** The history file for a directory; null if the index (its text, if there is one) has none. */
  readonly file: (env: Env, cwd: string, index: string | null) => string | null
  /** One entry a line: of a long file the last lines suffice. Otherwise it is one document. */
  readonly lines: boolean
  /** What was typed in this directory, oldest first; empty for a file of another form. */
  readonly prompts: (text: string, cwd: string) => ReadonlyArray<string>
}

/** The records of a file with one on each line; a line that is not one is an empty record. */
export const recordsOf = (text: string): ReadonlyArray<Readonly<Record<string, unknown>>> =>
  text.split("\n").flatMap((line) => (line.trim() === "" ? [] : [fieldsOf(jsonOf(line))]))

/** The texts that are not blank. */
export const filled = (texts: ReadonlyArray<unknown>): ReadonlyArray<string> =>
  texts.filter((text) => typeof text === "string" && text.trim() !== "") as ReadonlyArray<string>
