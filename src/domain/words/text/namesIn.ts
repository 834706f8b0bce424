/** The names in a text, parted by blanks and line breaks: long lists of names are data that is read so. */
export const namesIn = (text: string): ReadonlyArray<string> => text.split(/\s+/).filter((name) => name !== "")
