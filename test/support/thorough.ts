/**
 * Whether the operation with this number is tried. The ordinary test command tries every fifth, each test another fifth;
 * `npm run test:thorough` tries all.
 */
export const isTried = (k: number, test: number): boolean => process.env["LEAP_THOROUGH"] === "1" || (k + test) % 5 === 0
