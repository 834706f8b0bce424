import type { SessionStatus } from "../session/Session.ts"

/** A span in words, to the minute: `2 h 10 min`. */
const spanText = (span: number): string => {
  const minutes = Math.ceil(span / 60_000)
  const [days, hours] = [Math.floor(minutes / 1_440), Math.floor((minutes % 1_440) / 60)]
  const parts = [days > 0 ? `${days} d` : "", hours > 0 ? `${hours} h` : "", `${minutes % 60} min`]
  return parts.filter((part) => part !== "").join(" ")
}

const latest = Date.UTC(9999, 11, 31)

const two = (n: number): string => String(n).padStart(2, "0")

/** A time on this machine's clocks, in the form that the queue's pause and the night's plan use. */
const minuteText = (at: number): string => {
  const then = new Date(Math.min(at, latest))
  const [day, time] = [
    [then.getMonth() + 1, then.getDate()],
    [then.getHours(), then.getMinutes()]
  ]
  return `${then.getFullYear()}-${day.map(two).join("-")} ${time.map(two).join(":")}`
}

/**
 * When a limit ends (ISO 8601), and how long that is from now (milliseconds since the epoch), if `now` is given.
 * `within`: it may be this much later (milliseconds). If that is more than a minute, the latest end is shown too.
 */
export const limitText = (until: string, now: number | null, within = 0): string => {
  const from = Date.parse(until)
  if (Number.isNaN(from)) return `until ${until}`
  const to = from + within
  const moment = `until ${minuteText(from)}${within > 60_000 ? `, ${minuteText(to)} at the latest` : ""}`
  if (now === null) return moment
  if (to <= now) return `${moment}, which is over`
  return from <= now ? `${moment}, which may be over` : `${moment}, in ${spanText(from - now)}`
}

/** How long a session's usage limit lasts; null if it has met none. */
export const limitLasts = ({ problem }: Pick<SessionStatus, "problem">, now: number | null): string | null =>
  problem?.kind !== "rate_limited"
    ? null
    : problem.until === null
      ? "until a time that is not known"
      : limitText(problem.until, now, problem.within)
