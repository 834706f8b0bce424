import { fieldsOf } from "../../words/reading/Fields.ts"
import { jsonOf } from "../../words/formats/Json.ts"

type Env = Readonly<Record<string, string>>

/** Where a CLI keeps its input history, and how it is read. The functions are pure and never throw. */
export interface InputHistory {
  /** The CLI itself recalls its entries with the arrow keys, including pasted text. */
  readonly recalls: boolean
  /** The index file that names the history file; null: none. */
  readonly index: ((env: Env) => string) | null
  /** The history file for a directory; null if `index` names none. `index`: that file's text; null if there is none. */
  readonly file: (env: Env, cwd: string, index: string | null) => string | null
  /** True: one entry a line, so that of a long file the last lines suffice. False: the file is one document. */
  readonly lines: boolean
  /** What was typed in this directory, oldest first; empty for a file of another form. */
  readonly prompts: (text: string, cwd: string) => ReadonlyArray<string>
}

/** The history of a CLI that recalls it itself; by default in one file, with one entry on each line. */
export const recalled = (parts: Pick<InputHistory, "file" | "prompts"> & Partial<InputHistory>): InputHistory => ({
  recalls: true,
  index: null,
  lines: true,
  ...parts
})

/** The records of a file with one on each line; an invalid line is an empty record. */
export const recordsOf = (text: string): ReadonlyArray<Readonly<Record<string, unknown>>> =>
  text.split("\n").flatMap((line) => (line.trim() === "" ? [] : [fieldsOf(jsonOf(line))]))

/** The texts that are not blank. */
export const filled = (texts: ReadonlyArray<unknown>): ReadonlyArray<string> =>
  texts.filter((text) => typeof text === "string" && text.trim() !== "") as ReadonlyArray<string>
