/**
 * Flow control on the attach channel. Each side may send as many bytes of data as the other has granted. A receiver
 * grants bytes again once it has handled them. Both sides begin with one window, so never more than one window is in
 * transit or buffered.
 */

/** The most bytes of data in transit in one direction. */
export const window = 256 << 10

export type Credit = number

/** The credit after a grant; null if more is granted than was spent. */
export const granted = (credit: Credit, bytes: number): Credit | null =>
  bytes > 0 && credit + bytes <= window ? credit + bytes : null

export interface Allowance {
  readonly left: number
  /** Bytes that were handled and are not granted again yet. */
  readonly taken: number
}

export const start: Allowance = { left: window, taken: 0 }

/** The allowance after data has arrived; null if more arrived than was granted. */
export const received = (allowance: Allowance, bytes: number): Allowance | null =>
  bytes <= allowance.left ? { ...allowance, left: allowance.left - bytes } : null

/** The allowance after data was handled. `grant`: bytes to grant now; 0 until there are enough of them. */
export const done = (
  { left, taken }: Allowance,
  bytes: number
): { readonly allowance: Allowance; readonly grant: number } => {
  const grant = taken + bytes
  return grant * 4 >= window
    ? { allowance: { left: left + grant, taken: 0 }, grant }
    : { allowance: { left, taken: grant }, grant: 0 }
}
