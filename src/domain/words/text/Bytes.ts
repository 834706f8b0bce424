/** Bytes as a latin1 string, one char a byte: scanners work on strings and lose nothing. */
export const toLatin1 = (bytes: Uint8Array): string => {
  // apply() takes its arguments on the stack, which is limited.
  const step = 8192
  if (bytes.length <= step) return String.fromCharCode.apply(null, bytes as unknown as Array<number>)
  let text = ""
  for (let i = 0; i < bytes.length; i += step) {
    text += String.fromCharCode.apply(null, bytes.subarray(i, i + step) as unknown as Array<number>)
  }
  return text
}

export const fromLatin1 = (text: string): Uint8Array => {
  const bytes = new Uint8Array(text.length)
  for (let i = 0; i < text.length; i++) bytes[i] = text.charCodeAt(i)
  return bytes
}

export const concat = (pieces: ReadonlyArray<Uint8Array>, size: number): Uint8Array => {
  const whole = new Uint8Array(size)
  let at = 0
  for (const piece of pieces) {
    whole.set(piece, at)
    at += piece.length
  }
  return whole
}

const encoder = new TextEncoder()
const decoder = new TextDecoder()

export const utf8ToLatin1 = (text: string): string => toLatin1(encoder.encode(text))
/** The text of UTF-8 bytes; invalid bytes become U+FFFD. */
export const latin1ToText = (bytes: string): string => decoder.decode(fromLatin1(bytes))

/** The number of bytes at the end of a latin1 string that begin a cut UTF-8 character. */
export const cutCharacter = (text: string): number => {
  for (let length = 1; length <= Math.min(3, text.length); length++) {
    const byte = text.charCodeAt(text.length - length)
    if (byte < 0x80) return 0
    if (byte >= 0xc0) return length < (byte >= 0xf0 ? 4 : byte >= 0xe0 ? 3 : 2) ? length : 0
  }
  return 0
}

export const toBase64 = (bytes: string): string => btoa(bytes)
/** The bytes of a base64 text, or null if it is not base64. */
export const fromBase64 = (text: string): string | null => {
  try {
    return atob(text)
  } catch {
    return null
  }
}
