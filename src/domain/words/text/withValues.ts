/** The text with each `%` replaced by the next of these values. */
export const withValues = (text: string, of: ReadonlyArray<string | number>): string => {
  const [first = "", ...others] = text.split("%")
  return first + others.map((part, at) => `${of[at] ?? ""}${part}`).join("")
}
