/**
 * The flow of bytes on the attach channel. Each side may send so many bytes of data as the other has granted; who takes
 * data grants as much again when it is done with it. Both begin with one window, so what is under way between them, and
 * what either has to keep, is never more than that.
 */

/** Bytes of data that may be under way in one direction. */
export const window = 256 << 10

/** What a sender may still send, in bytes. */
export type Credit = number

/** After a grant; null when it is more than was ever spent. */
export const granted = (credit: Credit, bytes: number): Credit | null =>
  bytes > 0 && credit + bytes <= window ? credit + bytes : null

/** What a receiver has granted. */
export interface Allowance {
  /** Bytes that may still come. */
  readonly left: number
  /** Bytes that were taken and not granted again yet. */
  readonly taken: number
}

export const start: Allowance = { left: window, taken: 0 }

/** After data has come; null when it is more than was granted. */
export const received = (allowance: Allowance, bytes: number): Allowance | null =>
  bytes <= allowance.left ? { ...allowance, left: allowance.left - bytes } : null

/** After data has been dealt with. `grant`: what to tell the sender now; 0: one for each key would cost too much. */
export const done = (
  { left, taken }: Allowance,
  bytes: number
): { readonly allowance: Allowance; readonly grant: number } => {
  const grant = taken + bytes
  return grant * 4 >= window
    ? { allowance: { left: left + grant, taken: 0 }, grant }
    : { allowance: { left, taken: grant }, grant: 0 }
}
