/** The mark after a cut text, or in place of a list's part: the total number. */
export const cutMark = (count: number, what: "characters" | "paths"): string => `… [${count} ${what} in all]`

export const isCut = (text: string): boolean => /… \[\d+ \w+ in all\]$/.test(text)
