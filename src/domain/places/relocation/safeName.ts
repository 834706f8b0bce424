/** A name that can be put into a path: a letter or digit, then letters, digits, `-` and `_`; not overlong. */
export const isSafeName = (name: string): boolean => /^[A-Za-z0-9][A-Za-z0-9_-]{0,127}$/.test(name)
