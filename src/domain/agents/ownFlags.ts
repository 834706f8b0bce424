const nameOf = (word: string): string | null => /^--[a-z][\w-]*/i.exec(word)?.[0] ?? null

/** The user's flags without those that the run itself gives: many CLIs take a flag only once. */
export const withoutRepeated = (flags: ReadonlyArray<string>, args: ReadonlyArray<string>): ReadonlyArray<string> => {
  const given = new Set(args.map(nameOf))
  const kept: Array<string> = []
  let dropping = false
  for (const word of flags) {
    const name = nameOf(word)
    // what follows a dropped flag and is none itself is its value
    dropping = name === null ? dropping && !word.startsWith("-") : given.has(name)
    if (!dropping) kept.push(word)
    if (name !== null && word.includes("=")) dropping = false
  }
  return kept
}
