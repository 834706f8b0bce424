import { Schedule } from "effect"

/** How much slower than a quiet machine this one is: measured at the start of a run (`bundle.ts`), or set by hand. */
const factor = Math.max(1, Number(process.env["LEAP_PATIENCE"] ?? 1) || 1)

/**
 * How long a live test waits for what must come, in milliseconds. There is one bound for all: it says only that a wait
 * ends, and never how fast something is. A wait that ends by its state costs nothing of it.
 */
export const patience = 60_000 * factor

/** How long a whole test may take: longer than waits of its, so that a wait says what was waited for. */
export const testPatience = 4 * patience

/** The same for a test of many processes, one after the other. */
export const longTestPatience = 10 * patience

/** Looks again and again, as long as that. */
export const lookingAgain = (every: number) => Schedule.max([Schedule.spaced(every), Schedule.during(patience)])
