const telling = /key|token|secret|passw|credential|auth/i
/** Shorter values stand in ordinary text too. */
const shortest = 8

/** Values that must not be seen: those of variables and options with telling names. Longest first. */
export const secretValues = (...named: ReadonlyArray<Readonly<Record<string, string | null | undefined>>>): ReadonlyArray<string> =>
  [...new Set(named.flatMap((values) => Object.entries(values).flatMap(([name, value]) =>
    typeof value === "string" && value.length >= shortest && telling.test(name) && !/^[\d./:~-]|^(?:true|false)$/i.test(value) ? [value] : []
  )))].toSorted((a, b) => b.length - a.length)
