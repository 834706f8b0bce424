/** Whether the terminal that these variables tell of can place its cursor: what draws on the whole screen needs it. */
export const placesCursor = (env: Readonly<Record<string, string | undefined>>): boolean =>
  !["", "dumb"].includes(env["TERM"] ?? "")
