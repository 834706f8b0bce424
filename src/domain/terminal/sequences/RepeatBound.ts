/**
 * Bounds the repeat counts of control sequences to what a screen can hold. In some terminals `ESC[2147483647S` scrolls
 * by that many lines, one by one and for minutes, although the screen is empty once every row has scrolled out.
 * xterm.js is such a terminal, and leap's own screen, its page and editors use it. This filters bytes (latin1) in front
 * of everything that draws. Only counts beyond the bound change, so the resulting screen is the same. A sequence whose
 * end a chunk lacks is held until its end arrives; it draws nothing before. `VtScanner` cannot find these sequences:
 * like most terminals it reads C1 controls as text, but xterm.js does not.
 */

/** The size that bounds a count: the screen's, or a larger one. `cells`: the screen's, if not `rows * cols`. */
export interface Bounds {
  readonly rows: number
  readonly cols: number
  readonly cells?: number
}

export interface RepeatState {
  readonly held: string
  /** The sequence is longer than any that a program means, so its rest is dropped, too. */
  readonly dropping: boolean
}

export const start: RepeatState = { held: "", dropping: false }

/** The most bytes of a control sequence. Terminals keep at most some hundred parameters of five digits. */
export const longest = 4096

/** What the first parameter repeats, by intermediate and final byte: lines, cells of a row, or characters. */
const repeats: ReadonlyMap<string, "rows" | "cols" | "cells"> = new Map(
  Object.entries({
    S: "rows",
    T: "rows",
    L: "rows",
    M: "rows",
    I: "cols",
    Z: "cols",
    "@": "cols",
    P: "cols",
    X: "cols",
    " @": "cols",
    " A": "cols",
    "'}": "cols",
    "'~": "cols",
    b: "cells"
  })
)

/** The highest count of a sequence. `name`: its intermediates and its final byte. */
export const mostOf = (name: string, { cells, cols, rows }: Bounds): number => {
  const what = repeats.get(name)
  return what === "rows" ? rows : what === "cols" ? cols : what === "cells" ? (cells ?? rows * cols) : Infinity
}

export const repeating: ReadonlyArray<string> = [...repeats.keys()]

/** A parameter before the final byte of a repeating sequence. Every count that may need a bound matches this. */
const suspect = /[\d:;][\x00-\x1a\x1c-\x1f\x7f ']*[SLMTIZPXb@A}~]/
const controls = /[\x00-\x1f\x7f]+/g
const introducer = /\x1b\[|\xc2\x9b/g

/** The end of the sequence whose parameters begin at `at`; null if the text does not contain it. */
const endOf = (text: string, at: number): number | null => {
  for (let i = at; i < text.length; i++) {
    const code = text.charCodeAt(i)
    // ESC, CAN, SUB and bytes outside ASCII abort the sequence. Other controls are executed inside it.
    if (code === 0x1b || code === 0x18 || code === 0x1a || code >= 0x80) return i
    if (code >= 0x40 && code < 0x7f) return i + 1
  }
  return null
}

const shape = /^(\d*)((?:[:;][\d:;]*)?)([ -/]*)([@-~])$/

const controlsIn = (text: string): string => (text.match(controls) ?? []).join("")

const bounded = (body: string, bounds: Bounds): string => {
  const match = shape.exec(body) ?? shape.exec(body.replace(controls, ""))
  if (match === null) return body
  const [, count = "", others = "", intermediates = "", final = ""] = match
  const most = mostOf(intermediates + final, bounds)
  if (Number(count) <= most) return body
  // Controls are executed before the sequence, wherever they stand in it.
  return `${controlsIn(body)}${most}${others}${intermediates}${final}`
}

/** Where an unfinished sequence begins; the text's length if there is none. */
const openAt = (text: string): number => {
  const at = Math.max(text.lastIndexOf("\x1b["), text.lastIndexOf("\xc2\x9b"))
  if (at >= 0 && endOf(text, at + 2) === null) return at
  return /[\x1b\xc2]$/.test(text) ? text.length - 1 : text.length
}

/** The state after a chunk, and the chunk's bytes with bounded counts. */
export const pass = (state: RepeatState, chunk: string, bounds: Bounds): readonly [RepeatState, string] => {
  let text = state.held + chunk
  if (state.dropping) {
    const end = endOf(text, 0)
    if (end === null) return [state, controlsIn(text)]
    text = controlsIn(text.slice(0, end)) + text.slice(end)
  }
  const open = openAt(text)
  const whole = open === text.length ? text : text.slice(0, open)
  let out = whole
  if (suspect.test(whole)) {
    out = ""
    let from = 0
    introducer.lastIndex = 0
    for (let match = introducer.exec(whole); match !== null; match = introducer.exec(whole)) {
      const at = match.index + 2
      const end = endOf(whole, at) ?? whole.length
      out += whole.slice(from, at) + bounded(whole.slice(at, end), bounds)
      from = end
      introducer.lastIndex = end
    }
    out += whole.slice(from)
  }
  const held = open === text.length ? "" : text.slice(open)
  if (held.length <= longest) return [held === "" ? start : { held, dropping: false }, out]
  return [{ held: "", dropping: true }, out + controlsIn(held.slice(2))]
}

/** Whether bytes pass unchanged and leave no state, as most do: no ESC and no C1 control CSI begins in them. */
export const isPlain = ({ dropping, held }: RepeatState, bytes: Uint8Array): boolean => {
  if (held !== "" || dropping || bytes.includes(0x1b)) return false
  for (let at = bytes.indexOf(0xc2); at >= 0; at = bytes.indexOf(0xc2, at + 1))
    if (at + 1 === bytes.length || bytes[at + 1] === 0x9b) return false
  return true
}
