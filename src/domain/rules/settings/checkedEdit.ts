import { Result } from "effect"
import { setIn, type SettingsEdit } from "./editSettings.ts"
import { readSettings } from "./readSettings.ts"

/** What reading says of a text, without the places, which an edit moves. */
const faultsOf = (text: string | null, builtin: ReadonlyArray<string>): ReadonlyArray<string> =>
  readSettings(text === null ? null : new TextEncoder().encode(text), builtin).faults

/**
 * An edit after which the file is read as it is meant: one that reading would complain of more than before is refused,
 * with what it would say. `builtin`: the ids of leap's own CLIs.
 */
export const checkedEdit =
  (edit: SettingsEdit, builtin: ReadonlyArray<string>): SettingsEdit =>
  (text) =>
    Result.flatMap(edit(text), (after) => {
      const before = new Set(faultsOf(text, builtin))
      const fresh = faultsOf(after, builtin).find((fault) => !before.has(fault))
      return fresh === undefined ? Result.succeed(after) : Result.fail(fresh)
    })

/** What a word of a command line may mean as a value: what it is as JSON, or itself. */
const meanings = (word: string): ReadonlyArray<unknown> => {
  try {
    return [JSON.parse(word), word]
  } catch {
    return [word]
  }
}

/** Sets the setting of this name to what the word means there, if it can mean anything there. */
export const setting =
  (name: string, word: string, builtin: ReadonlyArray<string>): SettingsEdit =>
  (text) => {
    const tried = meanings(word).map((value) => checkedEdit(setIn(name.split("."), value), builtin)(text))
    return tried.find(Result.isSuccess) ?? tried[0] ?? Result.fail("it has no value")
  }
