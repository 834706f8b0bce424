/** The text of these bytes; null where they are no UTF-8. `stream`: their end may be within a character. */
const decoded = (bytes: Uint8Array, stream = false): string | null => {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes, { stream })
  } catch {
    return null
  }
}

/**
 * The text that these bytes are in UTF-8, without a byte order mark; or where they are none: the place of the first byte
 * that is no part of a character, from 1. Nothing is put in its place.
 */
export const utf8Text = (bytes: Uint8Array): string | { readonly at: number } => {
  const text = decoded(bytes)
  if (text !== null) return text
  // the fewest bytes that can be no beginning of a text, and before them the most that are one
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

/** Why bytes were not taken for text. */
export const notUtf8 = (what: string, at: number): string =>
  `${what} is no text in UTF-8: byte ${at} is part of no character`
