/** A pattern for vitest's `-t` that fits the test of this name alone; the name has those of its suites, as ` > ` joins. */
export const patternOf = (name: string): string =>
  `^ ?${name.replaceAll(/[.*+?^${}()|[\]\\/]/g, "\\$&").replaceAll(" > ", " (?:> )?")}$`
