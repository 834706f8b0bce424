/** The text of these bytes; null if they are not UTF-8. `stream`: they may end within a character. */
const decoded = (bytes: Uint8Array, stream = false): string | null => {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes, { stream })
  } catch {
    return null
  }
}

/** The text of UTF-8 bytes, without a byte order mark; or the position of the first invalid byte, from 1. */
export const utf8Text = (bytes: Uint8Array): string | { readonly at: number } => {
  const text = decoded(bytes)
  if (text !== null) return text
  // The longest valid prefix, and the shortest invalid one.
  let good = 0
  let bad = bytes.length + 1
  while (bad - good > 1) {
    const middle = (good + bad) >> 1
    if (decoded(bytes.subarray(0, middle), true) === null) bad = middle
    else good = middle
  }
  while (decoded(bytes.subarray(0, good)) === null) good--
  return { at: good + 1 }
}

export const notUtf8 = (what: string, at: number): string =>
  `${what} is no text in UTF-8: byte ${at} is part of no character`
