/** The warnings of the settings file in one line, for commands that come across them; null if there are none. */
export const warningLine = (file: string, [first, ...more]: ReadonlyArray<string>): string | null =>
  first === undefined
    ? null
    : `${file}: ${first}${more.length === 0 ? "" : `, and ${more.length} more`}: 'leap doctor' tells what follows`
