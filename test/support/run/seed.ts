export const pinnedSeed = "leap"

/**
 * The seed of all that tests draw: pinned, so that a run is a function of the commit; `LEAP_SEED` sets another one, as
 * the thorough run does.
 */
export const seed = process.env["LEAP_SEED"] ?? pinnedSeed

/** The same as a number of 32 bits, for generators of tests' own: a number is itself, any other word its FNV-1a hash. */
export const seedNumber = /^\d+$/.test(seed)
  ? Number(seed) >>> 0
  : [...seed].reduce((hash, letter) => Math.imul(hash ^ (letter.codePointAt(0) ?? 0), 0x0100_0193) >>> 0, 0x811c_9dc5)
