/** What of the settings file cannot be used, in one line for who meets it on the way; null where all of it can. */
export const warningLine = (file: string, [first, ...more]: ReadonlyArray<string>): string | null =>
  first === undefined ? null : `${file}: ${first}${more.length === 0 ? "" : `, and ${more.length} more`}: 'leap doctor' tells what follows`
