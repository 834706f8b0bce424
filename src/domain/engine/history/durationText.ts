/** A duration for people: `0.4s`, `12s`, `3m 05s`, `2h 07m`, `4d 03h`. */
export const durationText = (milliseconds: number): string => {
  const two = (value: number): string => String(value).padStart(2, "0")
  const seconds = Math.max(0, milliseconds) / 1_000
  if (seconds < 9.95) return `${seconds.toFixed(1).replace(/\.0$/, "")}s`
  const whole = Math.round(seconds)
  const minutes = Math.floor(whole / 60)
  const hours = Math.floor(minutes / 60)
  if (minutes === 0) return `${whole}s`
  if (hours === 0) return `${minutes}m ${two(whole % 60)}s`
  return hours < 48 ? `${hours}h ${two(minutes % 60)}m` : `${Math.floor(hours / 24)}d ${two(hours % 24)}h`
}
