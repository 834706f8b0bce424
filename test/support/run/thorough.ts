/** All is tried. */
export const isThorough = process.env["LEAP_THOROUGH"] === "1"

/**
 * Whether the operation with this number is tried. The ordinary test command tries every fifth, each test another
 * fifth;
 * `npm run test:thorough` tries all.
 */
export const isTried = (k: number, test: number): boolean => isThorough || (k + test) % 5 === 0
