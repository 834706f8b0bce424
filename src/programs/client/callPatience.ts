/** How long a call may take, on every surface: longer than a dialog's keys or a delivery before an interrupt. */
export const callPatience = "45 seconds"

/** The same for a call that ends a session: its CLI may take its time to leave. */
export const stopPatience = "60 seconds"
