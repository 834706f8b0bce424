/**
 * How long a call to a host may take, on every surface: longer than a host needs to choose an option of a dialog, key
 * by key, or to deliver what is on its way before it interrupts. One that has not answered by then does not answer.
 */
export const callPatience = "45 seconds"

/** The same for a call that ends a session: its CLI may take its time to leave. */
export const stopPatience = "60 seconds"
