const literals = ["true", "false", "null"].flatMap((word) => Array.from(word, (_, at) => word.slice(at + 1)))
/** Endings that complete a value that was cut off outside or inside of a string. */
const outside = ["", "0", ":0", '"":0', ...literals]
const inside = ["", '"', "0", "00", "000", "0000"].flatMap((rest) => [`${rest}"`, `${rest}":0`])

const isJson = (text: string): boolean => {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}

/** Whether this text is the incomplete start of an object from `JSON.stringify`, as an interrupted write leaves it. */
export const isCutObject = (text: string): boolean => {
  if (!text.startsWith("{")) return false
  const closers: Array<string> = []
  let inString = false
  for (let at = 0; at < text.length; at++) {
    const char = text[at]!
    if (inString) {
      if (char === "\\") at += 1
      else if (char === '"') inString = false
    } else if (char === '"') inString = true
    else if (char === "{") closers.push("}")
    else if (char === "[") closers.push("]")
    // `JSON.stringify` puts no blanks between tokens.
    else if (char <= " ") return false
    else if (char === "}" || char === "]") {
      closers.pop()
      if (closers.length === 0) return false
    }
  }
  const close = closers.toReversed().join("")
  return (inString ? inside : outside).some((rest) => isJson(`${text}${rest}${close}`))
}
