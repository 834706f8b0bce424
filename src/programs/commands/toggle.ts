import { Flag } from "effect/cli"

/**
 * A flag that is there or not. It takes no word behind it for its value, as the parser's own would: in
 * `leap forget --worktree y` the `y` is a session. `--worktree=false` says that it is not there.
 */
export const toggle = (name: string, description: string) =>
  Flag.Boolean(name).pipe(Flag.withOptionalValue("true"), Flag.withDescription(description), Flag.withDefault(false))

/** The type that a help page has of a flag: a toggle has none to tell, and what can be chosen stands behind. */
export const typeOnPage = (type: string): string =>
  type === "[=boolean]" || type === "boolean" ? "" : /^<.*\|.*>$/.test(type) ? "choice" : type
