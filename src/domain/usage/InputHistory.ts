import { fieldsOf } from "./Fields.ts"

type Env = Readonly<Record<string, string>>

/** Where a CLI keeps what was typed into it, and how that is read: total pure functions. */
export interface InputHistory {
  /** A file that has to be read before the other one can be named; null for none. */
  readonly index: ((env: Env) => string) | null
  /** The file for a directory; null where the index (its text, if it was to be read) knows of none. */
  readonly file: (env: Env, cwd: string, index: string | null) => string | null
  /** One entry a line: of a long file the last lines will do. Otherwise it is one document. */
  readonly lines: boolean
  /** What was typed in this directory, oldest first. What is no such file holds nothing. */
  readonly prompts: (text: string, cwd: string) => ReadonlyArray<string>
}

/** A text's JSON; null where it is none. */
export const jsonOf = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}

/** The records of a file with one on each line; a line that is none is passed over. */
export const recordsOf = (text: string): ReadonlyArray<Readonly<Record<string, unknown>>> =>
  text.split("\n").flatMap((line) => line.trim() === "" ? [] : [fieldsOf(jsonOf(line))])

/** Those that say something. */
export const filled = (texts: ReadonlyArray<unknown>): ReadonlyArray<string> =>
  texts.filter((text) => typeof text === "string" && text.trim() !== "") as ReadonlyArray<string>
