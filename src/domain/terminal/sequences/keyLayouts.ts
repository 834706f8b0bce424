/**
 * The keys of keyboards without Latin letters, row by row, each row beside the US keyboard's, for terminals that do not
 * report a key's place. It holds only letters that the usual layouts have in the same place: ЙЦУКЕН in Russian,
 * Ukrainian and Belarusian; Greek; Hebrew (SI 1452); what Arabic (101) and Persian share. Serbian, Macedonian and
 * Bulgarian have these letters elsewhere: there only the terminal can tell.
 */
const layouts: ReadonlyArray<readonly [keys: string, latin: string]> = [
  ["йцукенгшщзхъ", "qwertyuiop[]"],
  ["фывапролджэ", "asdfghjkl;'"],
  ["ячсмитьбю", "zxcvbnm,."],
  // Further letters of Russian, Ukrainian and Belarusian. і is in the Ukrainian place: see `latinsOf`.
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

/** The character of a US keyboard on the same key, in the same case; the character itself if none is known. */
export const latinOf = (char: string): string => {
  const lower = char.toLowerCase()
  const found = latin.get(lower)
  return found === undefined ? char : char === lower ? found : found.toUpperCase()
}

/** Letters that another usual layout has in a second place: Belarusian has і on B. */
const secondPlaces: ReadonlyMap<string, string> = new Map([["і", "b"]])

/** As {@link latinOf}, for each key on which usual layouts have the character. */
export const latinsOf = (char: string): ReadonlyArray<string> => {
  const second = secondPlaces.get(char.toLowerCase())
  return second === undefined ? [latinOf(char)] : [latinOf(char), second]
}
