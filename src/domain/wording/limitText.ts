/** A span in words, to the minute: `2 h 10 min`. */
const spanText = (span: number): string => {
  const minutes = Math.ceil(span / 60_000)
  const [days, hours] = [Math.floor(minutes / 1_440), Math.floor((minutes % 1_440) / 60)]
  const parts = [days > 0 ? `${days} d` : "", hours > 0 ? `${hours} h` : "", `${minutes % 60} min`]
  return parts.filter((part) => part !== "").join(" ")
}

/** When a limit ends (ISO 8601), and how long that is from now (milliseconds since the epoch), where that is given. */
export const limitText = (until: string, now: number | null): string => {
  const end = Date.parse(until)
  if (Number.isNaN(end)) return `until ${until}`
  const moment = `until ${until.slice(0, 16).replace("T", " ")}Z`
  return now === null ? moment : end <= now ? `${moment}, which is over` : `${moment}, in ${spanText(end - now)}`
}
