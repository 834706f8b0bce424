const seconds = { d: 86_400, h: 3_600, m: 60, s: 1 } as const
const span = /^(?:[\d.]+d)?(?:[\d.]+h)?(?:[\d.]+m)?(?:[\d.]+s)?$/
const part = /(\d{1,7}(?:\.\d{1,3})?)([dhms])/g

/** A span as users write it (`90s`, `20m`, `1h`, `1h30m`, `1.5h`, `2d`), in milliseconds; null if invalid. */
export const spanOf = (text: string): number | null => {
  const named = text.trim()
  const parts = [...named.matchAll(part)]
  if (!span.test(named) || parts.map(([whole]) => whole).join("") !== named) return null
  const sum = parts.reduce((sum, [, count, unit]) => sum + Number(count) * seconds[unit as keyof typeof seconds], 0)
  // A far longer span would end after the year 9999, the last that dates have.
  return sum > 0 && sum <= 10_000 * seconds.d ? Math.round(sum * 1_000) : null
}
