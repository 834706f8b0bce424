/**
 * Until when a session is mute that has this mode, in milliseconds since the epoch; Infinity for as long as it is not
 * unmuted, null where it is not. What cannot be read mutes nothing.
 */
export const mutedUntil = (mute: string | undefined, at: number): number | null => {
  if (mute === undefined || mute === "off") return null
  if (mute === "on") return Infinity
  const until = Date.parse(mute)
  return until > at ? until : null
}
