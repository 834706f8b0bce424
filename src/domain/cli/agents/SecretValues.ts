const secretName = /key|token|secret|passw|credential|auth/i
/** Shorter values are part of ordinary words. */
const shortest = 8

/** The values of variables and options whose names say that they are secrets. Longest first. */
export const secretValues = (
  ...named: ReadonlyArray<Readonly<Record<string, string | null | undefined>>>
): ReadonlyArray<string> =>
  [
    ...new Set(
      named.flatMap((values) =>
        Object.entries(values).flatMap(([name, value]) =>
          typeof value === "string" &&
          value.length >= shortest &&
          secretName.test(name) &&
          !/^[\d./:~-]|^(?:true|false)$/i.test(value)
            ? [value]
            : []
        )
      )
    )
  ].toSorted((a, b) => b.length - a.length)
