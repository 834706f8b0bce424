const units: Readonly<Record<string, number>> = { s: 1, m: 60, h: 3_600, d: 86_400, w: 604_800 }

/**
 * The time that `--since` names, in milliseconds since the epoch: a span ago (`90m`, `12h`, `3d`, `2w`), or a date with
 * or without a time (ISO 8601). Null if it cannot be read.
 */
export const sinceTime = (text: string, now: number): number | null => {
  const [, amount, unit = ""] = /^(\d{1,6})([smhdw])$/.exec(text.trim()) ?? []
  if (amount !== undefined) return now - Number(amount) * (units[unit] ?? 0) * 1_000
  if (!/^\d{4}-\d\d-\d\d(?:[T ]|$)/.test(text.trim())) return null
  const at = Date.parse(text.trim().replace(" ", "T"))
  return Number.isNaN(at) ? null : at
}
