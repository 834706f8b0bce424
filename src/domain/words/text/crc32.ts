const table = Int32Array.from({ length: 256 }, (_, byte) => {
  let value = byte
  for (let bit = 0; bit < 8; bit++) value = (value & 1) === 1 ? (value >>> 1) ^ 0xedb88320 : value >>> 1
  return value
})

/** The CRC-32 of bytes (IEEE 802.3), as eight hexadecimal digits. Detects any change of up to four adjacent bytes. */
export const crc32 = (bytes: Uint8Array): string => {
  let sum = -1
  for (const byte of bytes) sum = (table[(sum ^ byte) & 0xff] ?? 0) ^ (sum >>> 8)
  return (~sum >>> 0).toString(16).padStart(8, "0")
}
