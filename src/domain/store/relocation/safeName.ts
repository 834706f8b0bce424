/** A name that is safe in a path: a letter or digit, then letters, digits, `-` and `_`; at most 128 characters. */
export const isSafeName = (name: string): boolean => /^[A-Za-z0-9][A-Za-z0-9_-]{0,127}$/.test(name)
