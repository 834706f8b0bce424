const name = /^(?:UTC|GMT|[A-Z]\w+(?:\/[A-Z][\w+-]*)+)$/

/**
 * The time zone's name that the environment's `TZ` or else the real path of `/etc/localtime` gives; null where neither
 * says it as a name (`CET-1CEST`, a copied file): then only asking ICU tells.
 */
export const localZone = (tz: string | undefined, localtime: string | null): string | null => {
  const said =
    tz !== undefined && tz !== "" ? tz : (/\/zoneinfo(?:\.\w+)?\/(?:posix\/)?(.+)$/.exec(localtime ?? "")?.[1] ?? "")
  return name.test(said) ? said : null
}
