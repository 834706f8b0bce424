/** Follows a cut text, or replaces part of a list: how much there is in all. */
export const cutMark = (count: number, what: "characters" | "paths"): string => `… [${count} ${what} in all]`

export const isCut = (text: string): boolean => /… \[\d+ \w+ in all\]$/.test(text)
