/** What of the settings file cannot be used, in one line for commands that come across it; null if nothing. */
export const warningLine = (file: string, [first, ...more]: ReadonlyArray<string>): string | null =>
  first === undefined
    ? null
    : `${file}: ${first}${more.length === 0 ? "" : `, and ${more.length} more`}: 'leap doctor' tells what follows`
