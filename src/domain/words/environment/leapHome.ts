import { absolutePath, normalPath } from "../text/paths.ts"

/**
 * LEAP_HOME as an absolute path, so that it means the same to processes started elsewhere: relative to the directory of
 * the command, and with `~` expanded, which shells do not do within quotes. Undefined if it is not set.
 */
export const leapHomeIn = (
  env: Readonly<Record<string, string | undefined>>,
  cwd: () => string,
  home: string
): string | undefined => {
  const value = env["LEAP_HOME"]
  if (!value) return undefined
  if (value === "~" || value.startsWith("~/")) return normalPath(home + value.slice(1))
  // The directory may have been deleted, and does not matter to an absolute path.
  return normalPath(value.startsWith("/") ? value : absolutePath(cwd(), value))
}

/** An environment for processes that are started elsewhere. */
export const handedOn = (
  env: Readonly<Record<string, string | undefined>>,
  cwd: () => string,
  home: string
): Record<string, string> => {
  const all = { ...env, LEAP_HOME: leapHomeIn(env, cwd, home) }
  return Object.fromEntries(Object.entries(all).filter((entry): entry is [string, string] => entry[1] !== undefined))
}
