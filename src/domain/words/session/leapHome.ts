import { absoluteIn, normalPath } from "../text/normalPath.ts"

/**
 * What LEAP_HOME says, absolute, so that whoever is started elsewhere means the same: from the directory where the
 * command stands, and with `~` as shells mean it, which leave it alone within quotes. Undefined where it says nothing.
 */
export const leapHomeIn = (
  env: Readonly<Record<string, string | undefined>>,
  cwd: () => string,
  home: string
): string | undefined => {
  const value = env["LEAP_HOME"]
  if (!value) return undefined
  if (value === "~" || value.startsWith("~/")) return normalPath(home + value.slice(1))
  // the directory may have been deleted, and is of no interest to an absolute path
  return normalPath(value.startsWith("/") ? value : absoluteIn(cwd(), value))
}

/** An environment as it is handed on to who is started elsewhere. */
export const handedOn = (
  env: Readonly<Record<string, string | undefined>>,
  cwd: () => string,
  home: string
): Record<string, string> => {
  const all = { ...env, LEAP_HOME: leapHomeIn(env, cwd, home) }
  return Object.fromEntries(Object.entries(all).filter((entry): entry is [string, string] => entry[1] !== undefined))
}
