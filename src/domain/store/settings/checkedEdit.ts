import { Result } from "effect"
import { setIn, type SettingsEdit } from "./editSettings.ts"
import { readSettings } from "./readSettings.ts"

const faultsOf = (text: string | null, builtin: ReadonlyArray<string>): ReadonlyArray<string> =>
  readSettings(text === null ? null : new TextEncoder().encode(text), builtin).faults

/** An edit that is refused with the first fault that it would add. `builtin`: the ids of leap's own CLIs. */
export const checkedEdit =
  (edit: SettingsEdit, builtin: ReadonlyArray<string>): SettingsEdit =>
  (text) =>
    Result.flatMap(edit(text), (after) => {
      const before = new Set(faultsOf(text, builtin))
      const fresh = faultsOf(after, builtin).find((fault) => !before.has(fault))
      return fresh === undefined ? Result.succeed(after) : Result.fail(fresh)
    })

/** The possible values of a word of a command line: the JSON value, or the word itself. */
const meanings = (word: string): ReadonlyArray<unknown> => {
  try {
    return [JSON.parse(word), word]
  } catch {
    return [word]
  }
}

/** Sets this setting to the meaning of the word that is valid there, if there is one. */
export const setting =
  (name: string, word: string, builtin: ReadonlyArray<string>): SettingsEdit =>
  (text) => {
    const tried = meanings(word).map((value) => checkedEdit(setIn(name.split("."), value), builtin)(text))
    return tried.find(Result.isSuccess) ?? tried[0] ?? Result.fail("it has no value")
  }
