import { minutesOfDay, nextMoment, wallMinutes } from "../../words/reading/DayTime.ts"

/** Hours of the day as users write them (`22:30-07:00`), in minutes since midnight; null if invalid. */
export const quietSpan = (text: string): { readonly from: number; readonly to: number } | null => {
  const [from, to, ...rest] = text.split(/\s*[-–]\s*/).map(minutesOfDay)
  return from === undefined || to === undefined || from === null || to === null || rest.length > 0 || from === to
    ? null
    : { from, to }
}

/** When the present quiet hours end, in milliseconds since the epoch; null outside of them. */
export const quietUntil = (hours: string | null, at: number, zone: string): number | null => {
  const span = hours === null ? null : quietSpan(hours)
  if (span === null) return null
  const now = wallMinutes(at, zone)
  const inside = span.from < span.to ? now >= span.from && now < span.to : now >= span.from || now < span.to
  return inside ? nextMoment(span.to, at, zone) : null
}
