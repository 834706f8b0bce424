/**
 * How much of a window is used, in whole per cent from 0 to 100; null where the window is not known. Rounded to the
 * nearest, exact halves to the even neighbour (12.5 → 12, 13.5 → 14), everywhere where leap shows a percentage.
 */
export const percentOf = (used: number, window: number | null): number | null => {
  if (window === null) return null
  if (!(window > 0) || !Number.isFinite(used)) return 0
  const exact = Math.min(100, Math.max(0, (100 * used) / window))
  const below = Math.floor(exact)
  const rest = exact - below
  return rest > 0.5 || (rest === 0.5 && below % 2 === 1) ? below + 1 : below
}
