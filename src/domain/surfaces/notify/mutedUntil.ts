/** Until when (milliseconds since the epoch) a session is muted: Infinity: permanently; null: it is not. */
export const mutedUntil = (mute: string | undefined, at: number): number | null => {
  if (mute === undefined || mute === "off") return null
  if (mute === "on") return Infinity
  const until = Date.parse(mute)
  return until > at ? until : null
}
