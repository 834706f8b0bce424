/**
 * Columns of text on a terminal, counted by what people see as one character: an emoji of several code points (skin
 * tones, joined people, flags, keycaps) takes two, as in present terminals and CLIs. East Asian width comes from
 * get-east-asian-width. Zero width comes from the Unicode category, because xterm's own table ends with Unicode 6.
 * Existing code does not fit: xterm's `@xterm/addon-unicode-graphemes` 0.4 adds 34 KB to each bundle, knows only the
 * emoji of Unicode 15, and works only in a terminal. `Intl.Segmenter` needs the whole text, and time that a command
 * does not have. The tests compare this with both.
 */

import { eastAsianWidth } from "get-east-asian-width"

/** Marks and format characters, and the Hangul vowels and final consonants that join the previous syllable. */
const invisible = /^[\p{Mn}\p{Me}\p{Cf}\u1160-\u11ff\ud7b0-\ud7ff]$/u

const softHyphen = 0xad
const zeroWidthJoiner = 0x200d
/** Shows the previous character as an emoji. */
const emojiSelector = 0xfe0f

const measure = (code: number): 0 | 1 | 2 =>
  // Terminals draw a soft hyphen, although it is a format character.
  code !== softHyphen && invisible.test(String.fromCodePoint(code)) ? 0 : eastAsianWidth(code)

const plain = 0
/** May begin an emoji of several code points, or be joined to one. */
const pictograph = 1
/** A half of a flag. */
const regional = 2
/** A digit, `#` or `*`: an emoji if the selector follows. */
const keycap = 3
const skinTone = 4
const joiner = 5
const selector = 6
/** The kind of no code point: an emoji that was joined to another one. It takes a skin tone, but no other emoji. */
const extended = 7
type Kind = 0 | 1 | 2 | 3 | 4 | 5 | 6 | 7

const kindOf = (code: number): Kind => {
  if (code < 0x7f) return (code >= 0x30 && code <= 0x39) || code === 0x23 || code === 0x2a ? keycap : plain
  if (code === zeroWidthJoiner) return joiner
  if (code === emojiSelector) return selector
  if (code >= 0x1f1e6 && code <= 0x1f1ff) return regional
  if (code >= 0x1f3fb && code <= 0x1f3ff) return skinTone
  return /^\p{Extended_Pictographic}$/u.test(String.fromCodePoint(code)) ? pictograph : plain
}

/** Code points from here on are rare, and none is an emoji: the memo does without them. */
const tableSize = 0x20000
/** A memo by code point: the width, and the kind above it; 255 is unknown. */
const table = new Uint8Array(tableSize).fill(255)

const entryOf = (code: number): number => {
  if (code >= tableSize) return code > 0x10ffff ? 1 : measure(code)
  const known = table[code]!
  if (known !== 255) return known
  const width =
    code < 0x20 || (code >= 0x7f && code < 0xa0)
      ? 0
      : code < 0x7f || (code >= 0xd800 && code < 0xe000)
        ? 1
        : measure(code)
  return (table[code] = width | (kindOf(code) << 2))
}

/** Columns of a code point that stands alone; controls have none. */
export const charWidth = (code: number): 0 | 1 | 2 => (entryOf(code) & 3) as 0 | 1 | 2

/** The most code points of one character: more are a flood, which a cell of a terminal would have to keep. */
const longest = 64

/**
 * The properties of a code point after one with the properties `preceding` (0: none), in xterm's form: whether it joins
 * the previous character (bit 0), the width of that character with it (bits 1 and 2), and the state for the next one.
 */
export const charProperties = (code: number, preceding: number): number => {
  const entry = entryOf(code)
  const width = entry & 3
  const kind = entry >> 2
  const before = (preceding >> 1) & 3
  if (before > 0 && (width === 0 || (kind !== plain && kind !== keycap))) {
    const last = (preceding >> 3) & 7
    const count = (preceding >> 6) + 1
    if (count < longest) {
      const joined = (columns: number, next: Kind): number => (count << 6) | (next << 3) | (columns << 1) | 1
      const rest = last === joiner || last === extended ? extended : plain
      if (kind === joiner) return joined(before, last === pictograph ? joiner : rest)
      if (kind === selector) return last === pictograph || last === keycap ? joined(2, last) : joined(before, rest)
      if (width === 0) return joined(before, last === pictograph ? pictograph : rest)
      if (kind === skinTone && last === pictograph) return joined(2, pictograph)
      if (kind === skinTone && rest === extended) return joined(2, extended)
      if (kind === pictograph && last === joiner) return joined(2, pictograph)
      if (kind === regional && last === regional) return joined(2, plain)
    }
    // A mark too many for the previous character stands alone, or it would combine with the next one.
    else if (width === 0) return 1 << 1
  }
  return (kind << 3) | (width << 1)
}

/** Whether a code point belongs to the previous character. */
export const joins = (properties: number): boolean => (properties & 1) === 1
export const widthOf = (properties: number): number => (properties >> 1) & 3

/**
 * As {@link charProperties}, for xterm: a zero-width code point with nothing to join gets a column, because xterm would
 * otherwise write a cell without width there and move on.
 */
export const cellProperties = (code: number, preceding: number): number => {
  const properties = charProperties(code, preceding)
  return widthOf(properties) === 0 ? properties | (1 << 1) : properties
}

/** The properties of a text's last code point for the next one. */
export const propertiesOf = (text: string): number => {
  let properties = 0
  for (const char of text) properties = charProperties(char.codePointAt(0)!, properties)
  return properties
}

const ascii = /^[ -~]*$/

export const textWidth = (text: string): number => {
  if (ascii.test(text)) return text.length
  let sum = 0
  let properties = 0
  for (const char of text) {
    const next = charProperties(char.codePointAt(0)!, properties)
    sum += widthOf(next) - (joins(next) ? widthOf(properties) : 0)
    properties = next
  }
  return sum
}

export const charactersOf = (text: string): ReadonlyArray<{ readonly text: string; readonly width: number }> => {
  const characters: Array<{ text: string; width: number }> = []
  let properties = 0
  for (const char of text) {
    properties = charProperties(char.codePointAt(0)!, properties)
    const last = characters.at(-1)
    if (joins(properties) && last !== undefined) {
      last.text += char
      last.width = widthOf(properties)
    } else characters.push({ text: char, width: widthOf(properties) })
  }
  return characters
}

/** The length, in UTF-16 units, of the longest start of a text that fits into these columns. */
export const fittingLength = (text: string, columns: number): number => {
  let used = 0
  let fits = 0
  let end = 0
  let properties = 0
  for (const char of text) {
    const next = charProperties(char.codePointAt(0)!, properties)
    if (!joins(next)) fits = end
    used += widthOf(next) - (joins(next) ? widthOf(properties) : 0)
    if (used > columns) return fits
    properties = next
    end += char.length
  }
  return text.length
}
