import { Flag } from "effect/cli"

/**
 * A boolean flag that takes no separate word as its value, unlike the parser's own: in `leap forget --worktree y` the
 * `y` is a session. `--worktree=false` switches it off.
 */
export const toggle = (name: string, description: string) =>
  Flag.Boolean(name).pipe(Flag.withOptionalValue("true"), Flag.withDescription(description), Flag.withDefault(false))

/** The type on a help page: none for a toggle, and "choice" where the description lists the values. */
export const typeOnPage = (type: string): string =>
  type === "[=boolean]" || type === "boolean" ? "" : /^<.*\|.*>$/.test(type) ? "choice" : type
