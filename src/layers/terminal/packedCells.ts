/**
 * The cells of a terminal's row as a string of bytes, without loss. This takes a third to a twentieth of xterm's memory
 * for them (three words a cell), and it is in V8's heap, which returns unused memory. The string has runs of cells that
 * look alike, each with a count and two flags, its two words of attributes if they differ from those of the run before,
 * and its characters: one for each cell, or one for all. Everything after the last run is blank.
 */

const wordsPerCell = 3
/** The character's word of an unwritten cell; narrow characters differ from it in their code alone. */
const blank = 0x40_0000

const sameAttributes = 1
const repeated = 2
const countShift = 2

/** The most bytes that a cell can take: a run of its own, with all of its words. */
const bytesPerCell = 20

let bytes = Buffer.allocUnsafeSlow(256 * bytesPerCell)

export const pack = (words: Uint32Array): string => {
  let end = words.length
  while (end > 0 && words[end - 3] === blank && words[end - 2] === 0 && words[end - 1] === 0) end -= wordsPerCell
  if (end === 0) return ""
  if (bytes.length < (end / wordsPerCell) * bytesPerCell)
    bytes = Buffer.allocUnsafeSlow((end / wordsPerCell) * bytesPerCell)
  const out = bytes
  let length = 0
  const put = (value: number): void => {
    let rest = value
    while (rest > 127) {
      out[length++] = (rest & 127) | 128
      rest >>>= 7
    }
    out[length++] = rest
  }
  let fg = 0
  let bg = 0
  for (let at = 0; at < end;) {
    const runFg = words[at + 1]!
    const runBg = words[at + 2]!
    let to = at + wordsPerCell
    while (to < end && words[to + 1] === runFg && words[to + 2] === runBg) to += wordsPerCell
    const first = words[at]!
    let alike = at + wordsPerCell
    while (alike < to && words[alike] === first) alike += wordsPerCell
    const isRepeated = alike === to
    const isSame = runFg === fg && runBg === bg
    put((((to - at) / wordsPerCell) << countShift) | (isRepeated ? repeated : 0) | (isSame ? sameAttributes : 0))
    if (!isSame) {
      put(runFg)
      put(runBg)
      fg = runFg
      bg = runBg
    }
    if (isRepeated) put(first ^ blank)
    else
      for (let x = at; x < to; x += wordsPerCell) {
        const value = words[x]! ^ blank
        if (value < 128) out[length++] = value
        else put(value)
      }
    at = to
  }
  return out.toString("latin1", 0, length)
}

export const unpack = (text: string, words: Uint32Array): void => {
  let at = 0
  let x = 0
  const take = (): number => {
    let byte = text.charCodeAt(at++)
    let value = byte & 127
    for (let shift = 7; byte > 127; shift += 7) {
      byte = text.charCodeAt(at++)
      value |= (byte & 127) << shift
    }
    return value
  }
  let fg = 0
  let bg = 0
  while (at < text.length) {
    const head = take()
    if ((head & sameAttributes) === 0) {
      fg = take()
      bg = take()
    }
    const isRepeated = (head & repeated) !== 0
    let word = isRepeated ? take() ^ blank : 0
    for (let count = head >>> countShift; count > 0; count--) {
      if (!isRepeated) word = take() ^ blank
      words[x] = word
      words[x + 1] = fg
      words[x + 2] = bg
      x += wordsPerCell
    }
  }
  for (; x < words.length; x += wordsPerCell) {
    words[x] = blank
    words[x + 1] = 0
    words[x + 2] = 0
  }
}
