const alphabet = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"

export const ulidRandomness = 16

/** ULID: 48 bits of time and 80 of randomness in Crockford's base 32, so ids sort by age. */
export const ulid = (now: number, random: Uint8Array): string => {
  let time = ""
  for (let rest = now, i = 0; i < 10; i++, rest = Math.floor(rest / 32)) time = alphabet[rest % 32] + time
  return time + Array.from(random, (byte) => alphabet[byte % 32]).join("")
}

/** When this ULID was made; null for other ids. */
export const ulidTime = (id: string): number | null =>
  /^[0-7][0-9A-HJKMNP-TV-Z]{25}$/.test(id)
    ? Array.from(id.slice(0, 10)).reduce((time, char) => time * alphabet.length + alphabet.indexOf(char), 0)
    : null
