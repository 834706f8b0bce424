const alphabet = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"

export const ulidRandomness = 16

/** ULID: 48 bits of time and 80 of randomness in Crockford's base 32, so ids sort by age. */
export const ulid = (now: number, random: Uint8Array): string => {
  let time = ""
  for (let rest = now, i = 0; i < 10; i++, rest = Math.floor(rest / 32)) time = alphabet[rest % 32] + time
  return time + Array.from(random, (byte) => alphabet[byte % 32]).join("")
}
