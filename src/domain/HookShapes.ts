import type { HookShape } from "./HookSettings.ts"

/** The ways of writing hooks down that more than one CLI shares. */

/** A field of what may be an object; undefined where it is none or has none. */
export const fieldOf = (value: unknown, key: string): unknown =>
  typeof value === "object" && value !== null ? (value as Readonly<Record<string, unknown>>)[key] : undefined

/** What says that all hooks are switched off, in the words of CLIs that have `disableAllHooks`. */
export const allDisabled = (settings: unknown): ReadonlyArray<string> =>
  fieldOf(settings, "disableAllHooks") === true ? ["disableAllHooks is set: no hook will run"] : []

/** Groups with an optional matcher, each hook a shell command with its time-out in seconds. */
export const groupedHooks: HookShape = {
  hook: ({ timeout }, command) => ({ type: "command", command, timeout }),
  grouped: true,
  fields: {},
  switchedOff: allDisabled
}

/**
 * The command for CLIs that take a hook's failure for a refusal: one whose script is gone must neither keep a tool from
 * running nor say so in the middle of a turn.
 */
export const harmless = (command: string): string => `${command} 2>/dev/null || true`
