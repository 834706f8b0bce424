/** East Asian wide and fullwidth ranges. */
const wide: ReadonlyArray<readonly [number, number]> = [
  [0x1100, 0x115f], [0x2329, 0x232a], [0x2e80, 0x303e], [0x3041, 0xa4cf], [0xa960, 0xa97f], [0xac00, 0xd7a3],
  [0xf900, 0xfaff], [0xfe10, 0xfe19], [0xfe30, 0xfe6f], [0xff01, 0xff60], [0xffe0, 0xffe6], [0x16fe0, 0x18d8f],
  [0x1aff0, 0x1b2ff], [0x1d300, 0x1d376], [0x1f200, 0x1f2ff], [0x20000, 0x3fffd]
]
const emoji = /^\p{Emoji_Presentation}$/u
const invisible = /^[\p{Mn}\p{Me}\p{Cf}\u1160-\u11ff\ud7b0-\ud7ff]$/u

const measure = (code: number): 0 | 1 | 2 => {
  const char = String.fromCodePoint(code)
  // a soft hyphen is drawn
  if (code !== 0xad && invisible.test(char)) return 0
  // a flag is two indicators of one column each
  if (emoji.test(char)) return code >= 0x1f1e6 && code <= 0x1f1ff ? 1 : 2
  return wide.some(([from, to]) => code >= from && code <= to) ? 2 : 1
}

/** A table of terminal columns by code point, filled as it is asked; controls have none. */
export const makeWidths = (): (code: number) => 0 | 1 | 2 => {
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
