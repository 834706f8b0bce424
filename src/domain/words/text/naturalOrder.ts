const parts = (text: string): ReadonlyArray<string> => text.toLowerCase().match(/\d+|\D+/g) ?? []
const isNumber = (part: string): boolean => /^\d/.test(part)

const comparePart = (a: string, b: string): number => {
  if (!isNumber(a) || !isNumber(b)) return a < b ? -1 : a > b ? 1 : 0
  const [left, right] = [a, b].map((digits) => digits.replace(/^0+/, ""))
  return left!.length - right!.length || (left! < right! ? -1 : left! > right! ? 1 : 0)
}

/**
 * The order in which people list names: numbers by value, letters without regard to case. Different names are never
 * equal. (V8's collator takes longer to load than a whole short command.)
 */
export const naturalOrder = (a: string, b: string): number => {
  const [left, right] = [parts(a), parts(b)]
  for (let i = 0; i < Math.min(left.length, right.length); i++) {
    const order = comparePart(left[i]!, right[i]!)
    if (order !== 0) return order
  }
  return left.length - right.length || (a < b ? -1 : a > b ? 1 : 0)
}
