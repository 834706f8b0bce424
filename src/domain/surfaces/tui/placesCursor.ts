/** Whether the terminal of this environment can place its cursor, which all whole screens need. */
export const placesCursor = (env: Readonly<Record<string, string | undefined>>): boolean =>
  !["", "dumb"].includes(env["TERM"] ?? "")
