/** A pattern of several tags: `*` is any text, `?` one character. */
export const isPattern = (word: string): boolean => /^[A-Za-z0-9_*?-]+$/.test(word) && /[*?]/.test(word)

/** Whether a tag matches a pattern. The time is proportional to both, whatever the pattern. */
export const fitsPattern = (pattern: string, tag: string): boolean => {
  let [p, t] = [0, 0]
  // Where to continue if the text after the last star does not match: after the star, one character further.
  let back: readonly [star: number, from: number] | null = null
  while (t < tag.length) {
    const wanted = pattern[p]
    if (wanted === "*") back = [p++, t]
    else if (wanted === "?" || wanted === tag[t]) [p, t] = [p + 1, t + 1]
    else if (back !== null) {
      back = [back[0], back[1] + 1]
      ;[p, t] = [back[0] + 1, back[1]]
    } else return false
  }
  return /^\**$/.test(pattern.slice(p))
}
