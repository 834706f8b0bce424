/** All is tried. */
export const isThorough = process.env["LEAP_THOROUGH"] === "1"

/**
 * Whether the operation with this number is tried. The ordinary test command tries every fifth, each test another
 * fifth;
 * `npm run thorough faults` tries all.
 */
export const isTried = (k: number, test: number): boolean => isThorough || (k + test) % 5 === 0

/** How long a law may take in all its runs, in milliseconds: what hangs is found by its bounds within. */
export const propertyTimeout = isThorough ? 300_000 : 60_000
