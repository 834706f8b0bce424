/** The text with these in the places of its `%`, in their order. */
export const filled = (text: string, of: ReadonlyArray<string | number>): string => {
  const [first = "", ...others] = text.split("%")
  return first + others.map((part, at) => `${of[at] ?? ""}${part}`).join("")
}
