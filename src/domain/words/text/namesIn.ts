/** The names in a text, separated by white space: long lists of names are written like this. */
export const namesIn = (text: string): ReadonlyArray<string> => text.split(/\s+/).filter((name) => name !== "")
