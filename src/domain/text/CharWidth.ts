/**
 * Columns of characters on a terminal. East Asian width is get-east-asian-width's; what takes no column is determined
 * here by its Unicode category, because xterm's own table ends with Unicode 6.
 */

import { eastAsianWidth } from "get-east-asian-width"

/** Marks and format characters, and the Hangul vowels and final consonants that join the syllable before them. */
const invisible = /^[\p{Mn}\p{Me}\p{Cf}\u1160-\u11ff\ud7b0-\ud7ff]$/u

const softHyphen = 0xad

const measure = (code: number): 0 | 1 | 2 =>
  // Terminals draw a soft hyphen, though it is a format character.
  code !== softHyphen && invisible.test(String.fromCodePoint(code)) ? 0 : eastAsianWidth(code)

/** A table of terminal columns by code point, filled as it is asked; controls have none. */
export const makeWidths = (): ((code: number) => 0 | 1 | 2) => {
  const known = new Uint8Array(0x20000)
  return (code) => {
    if (code < 0x7f) return code < 0x20 ? 0 : 1
    if (code < 0xa0 || (code >= 0xd800 && code < 0xe000) || code > 0x10ffff) return code < 0xa0 ? 0 : 1
    if (code >= known.length) return measure(code)
    const width = known[code]!
    if (width > 0) return (width - 1) as 0 | 1 | 2
    const measured = measure(code)
    known[code] = measured + 1
    return measured
  }
}
