/** How a process ended, in words. */
export const exitText = (exit: { readonly code: number | null; readonly signal: string | null }): string =>
  exit.signal !== null ? `killed by ${exit.signal}` : `exit code ${exit.code ?? "unknown"}`
