const nameOf = (word: string): string | null => /^--[a-z][\w-]*/i.exec(word)?.[0] ?? null

/** The user's flags without those that the run itself has: many CLIs accept a flag only once. */
export const withoutRepeated = (flags: ReadonlyArray<string>, args: ReadonlyArray<string>): ReadonlyArray<string> => {
  const present = new Set(args.map(nameOf))
  const kept: Array<string> = []
  let dropping = false
  for (const word of flags) {
    const name = nameOf(word)
    // a word after a dropped flag that is no flag itself is that flag's value
    dropping = name === null ? dropping && !word.startsWith("-") : present.has(name)
    if (!dropping) kept.push(word)
    if (name !== null && word.includes("=")) dropping = false
  }
  return kept
}
