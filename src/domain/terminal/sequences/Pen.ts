/** The pen as SGR sets it, for repaints. xterm gives the attributes of cells, but neither current nor saved pen. */

/** How a terminal draws the next characters (SGR). Colours are SGR parameters, "" for the default. */
export interface Pen {
  readonly bold: boolean
  readonly faint: boolean
  readonly italic: boolean
  /** 0 none, 1 single, 2 double, 3 curly, 4 dotted, 5 dashed. */
  readonly underline: number
  readonly blink: boolean
  readonly inverse: boolean
  readonly hidden: boolean
  readonly struck: boolean
  readonly overline: boolean
  readonly foreground: string
  readonly background: string
  readonly underlineColor: string
}

export const plain: Pen = {
  bold: false,
  faint: false,
  italic: false,
  underline: 0,
  blink: false,
  inverse: false,
  hidden: false,
  struck: false,
  overline: false,
  foreground: "",
  background: "",
  underlineColor: ""
}

type Draft = { -readonly [K in keyof Pen]: Pen[K] }

/** An indexed colour, in its short form if it has one. `base`: 38 or 48. */
export const indexed = (base: 38 | 48, index: number): string =>
  index < 8 ? `${base - 8 + index}` : index < 16 ? `${base + 52 + index - 8}` : `${base};5;${index}`

export const rgb = (base: 38 | 48, red: number, green: number, blue: number): string =>
  `${base};2;${red};${green};${blue}`

// Terminals without coloured underlines skip sub-parameters, but would take 58;2;… for "faint" and more.
export const underlineIndexed = (index: number): string => `58:5:${index}`
export const underlineRgb = (red: number, green: number, blue: number): string => `58:2::${red}:${green}:${blue}`

const byte = (text: string | undefined): number => Math.min(255, Number(text === undefined || text === "" ? "0" : text))

/** The colour at parameter `i` (38, 48 or 58) and how many further parameters it takes. */
const color = (params: ReadonlyArray<string>, i: number): { readonly color: string | null; readonly used: number } => {
  const inner = params[i]!.split(":")
  const base = Number(inner[0])
  const make = (kind: string | undefined, values: ReadonlyArray<string | undefined>): string | null => {
    if (kind === "5") return base === 58 ? underlineIndexed(byte(values[0])) : indexed(base as 38 | 48, byte(values[0]))
    if (kind !== "2") return null
    const [red, green, blue] = [byte(values[0]), byte(values[1]), byte(values[2])]
    return base === 58 ? underlineRgb(red, green, blue) : rgb(base as 38 | 48, red, green, blue)
  }
  // 38:2::r:g:b has a colour space id; the older 38:2:r:g:b has none.
  if (inner.length > 1)
    return { color: make(inner[1], inner[1] === "2" && inner.length > 5 ? inner.slice(3) : inner.slice(2)), used: 0 }
  const kind = params[i + 1]
  return kind === "5"
    ? { color: make(kind, params.slice(i + 2, i + 3)), used: 2 }
    : kind === "2"
      ? { color: make(kind, params.slice(i + 2, i + 5)), used: 4 }
      : { color: null, used: params.length }
}

/** The pen after `CSI params m`. */
export const select = (pen: Pen, params: string): Pen => {
  if (params === "" || params === "0") return plain
  const draft: Draft = { ...pen }
  const list = params.includes(";") ? params.split(";") : [params]
  for (let i = 0; i < list.length; i++) {
    const word = list[i]!
    const code = Number.parseInt(word, 10) || 0
    if (code >= 30 && code <= 37) draft.foreground = `${code}`
    else if (code >= 40 && code <= 47) draft.background = `${code}`
    else if (code >= 90 && code <= 97) draft.foreground = `${code}`
    else if (code >= 100 && code <= 107) draft.background = `${code}`
    else {
      switch (code) {
        case 0:
          Object.assign(draft, plain)
          break
        case 1:
          draft.bold = true
          break
        case 2:
          draft.faint = true
          break
        case 3:
          draft.italic = true
          break
        case 4: {
          const style = word.includes(":") ? Number(word.split(":")[1] || "1") : 1
          draft.underline = style <= 5 ? style : 1
          break
        }
        case 5:
        case 6:
          draft.blink = true
          break
        case 7:
          draft.inverse = true
          break
        case 8:
          draft.hidden = true
          break
        case 9:
          draft.struck = true
          break
        case 21:
          draft.underline = 2
          break
        case 22:
          draft.bold = false
          draft.faint = false
          break
        case 23:
          draft.italic = false
          break
        case 24:
          draft.underline = 0
          break
        case 25:
          draft.blink = false
          break
        case 27:
          draft.inverse = false
          break
        case 28:
          draft.hidden = false
          break
        case 29:
          draft.struck = false
          break
        case 38:
        case 48:
        case 58: {
          const found = color(list, i)
          i += found.used
          if (found.color === null) break
          if (code === 38) draft.foreground = found.color
          else if (code === 48) draft.background = found.color
          else draft.underlineColor = found.color
          break
        }
        case 39:
          draft.foreground = ""
          break
        case 49:
          draft.background = ""
          break
        case 53:
          draft.overline = true
          break
        case 55:
          draft.overline = false
          break
        case 59:
          draft.underlineColor = ""
          break
      }
    }
  }
  return draft
}

/** SGR parameters that make this pen from a plain one. */
export const parameters = (pen: Pen): string => {
  const list: Array<string> = []
  if (pen.bold) list.push("1")
  if (pen.faint) list.push("2")
  if (pen.italic) list.push("3")
  if (pen.underline > 0) list.push(pen.underline === 1 ? "4" : `4:${pen.underline}`)
  if (pen.blink) list.push("5")
  if (pen.inverse) list.push("7")
  if (pen.hidden) list.push("8")
  if (pen.struck) list.push("9")
  if (pen.overline) list.push("53")
  if (pen.foreground !== "") list.push(pen.foreground)
  if (pen.background !== "") list.push(pen.background)
  if (pen.underlineColor !== "") list.push(pen.underlineColor)
  return list.join(";")
}

/** The sequence that makes this pen from any other. */
export const sequence = (pen: Pen): string => {
  const list = parameters(pen)
  return list === "" ? "\x1b[m" : `\x1b[0;${list}m`
}
