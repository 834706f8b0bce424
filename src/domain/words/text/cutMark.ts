/** What stands behind a text, or in the place of some of a list, that was cut: of how much in all. */
export const cutMark = (count: number, what: "characters" | "paths"): string => `… [${count} ${what} in all]`

/** Whether a text was cut so. */
export const isCut = (text: string): boolean => /… \[\d+ \w+ in all\]$/.test(text)
