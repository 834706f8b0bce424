import { fieldsOf } from "../../words/reading/Fields.ts"
import type { HookShape } from "./HookSettings.ts"

/** A field of a possible object; undefined if it is no object or lacks the field. */
export const fieldOf = (value: unknown, key: string): unknown => fieldsOf(value)[key]

/** The reason why no hook runs, for CLIs that have `disableAllHooks`. */
export const allDisabled = (settings: unknown): ReadonlyArray<string> =>
  fieldOf(settings, "disableAllHooks") === true ? ["disableAllHooks is set: no hook will run"] : []

/** Groups with an optional matcher, each hook a shell command with its timeout in seconds. */
export const groupedHooks: HookShape = {
  hook: ({ timeout }, command) => ({ type: "command", command, timeout }),
  grouped: true,
  fields: {},
  switchedOff: allDisabled
}
