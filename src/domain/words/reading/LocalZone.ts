const name = /^(?:UTC|GMT|[A-Z]\w+(?:\/[A-Z][\w+-]*)+)$/

/** The time zone's name, from `TZ` or from the real path of `/etc/localtime`; null if neither is a name (ask ICU). */
export const localZone = (tz: string | undefined, localtime: string | null): string | null => {
  const said =
    tz !== undefined && tz !== "" ? tz : (/\/zoneinfo(?:\.\w+)?\/(?:posix\/)?(.+)$/.exec(localtime ?? "")?.[1] ?? "")
  return name.test(said) ? said : null
}
