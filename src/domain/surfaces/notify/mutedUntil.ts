/** Until when (milliseconds since the epoch) a session is mute: Infinity for good, null if it is not mute. */
export const mutedUntil = (mute: string | undefined, at: number): number | null => {
  if (mute === undefined || mute === "off") return null
  if (mute === "on") return Infinity
  const until = Date.parse(mute)
  return until > at ? until : null
}
