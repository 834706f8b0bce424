/** How much of a window is used, in whole per cent; exact halves go to the even neighbour (12.5 → 12). */
export const percentOf = (used: number, window: number | null): number | null => {
  if (window === null) return null
  if (!(window > 0) || !Number.isFinite(used)) return 0
  const exact = Math.min(100, Math.max(0, (100 * used) / window))
  const below = Math.floor(exact)
  const rest = exact - below
  return rest > 0.5 || (rest === 0.5 && below % 2 === 1) ? below + 1 : below
}
