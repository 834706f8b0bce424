/**
 * What stands on the keys of keyboards that are not Latin, row by row, and under it the character that the same key has
 * on a US keyboard: for terminals that do not report a key's place. Only what no two usual layouts have in different
 * places. ЙЦУКЕН as Russians, Ukrainians and Belarusians have it; Greek; Hebrew (SI 1452); what Arabic (101) and
 * Persian share. Serbian, Macedonian and Bulgarian have ЙЦУКЕН's letters elsewhere: there only the terminal can tell.
 */
const layouts: ReadonlyArray<readonly [keys: string, latin: string]> = [
  ["йцукенгшщзхъ", "qwertyuiop[]"],
  ["фывапролджэ", "asdfghjkl;'"],
  ["ячсмитьбю", "zxcvbnm,."],
  // Ukrainian and Belarusian besides
  ["ёїієґў", "`]s'\\o"],
  ["ςερτυθιοπ", "wertyuiop"],
  ["ασδφγηξκλ", "asdfghjkl"],
  ["ζχψωβνμ", "zxcvbnm"],
  ["קראטוןםפ", "ertyuiop"],
  ["שדגכעיחלךף", "asdfghjkl;"],
  ["זסבהנמצתץ", "zxcvbnm,."],
  ["ضصثقفغعهخحج", "qwertyuiop["],
  ["شسبلاتنم", "asfghjkl"]
]

const latin = new Map(layouts.flatMap(([keys, on]) => Array.from(keys, (key, i) => [key, on.charAt(i)] as const)))

/** The character that a US keyboard has on this one's key, in its case; the character itself where none is known. */
export const latinOf = (char: string): string => {
  const lower = char.toLowerCase()
  const found = latin.get(lower)
  return found === undefined ? char : char === lower ? found : found.toUpperCase()
}
