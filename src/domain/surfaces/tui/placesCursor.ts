/** Whether the terminal of this environment can position its cursor, which every full-screen view needs. */
export const placesCursor = (env: Readonly<Record<string, string | undefined>>): boolean =>
  !["", "dumb"].includes(env["TERM"] ?? "")
