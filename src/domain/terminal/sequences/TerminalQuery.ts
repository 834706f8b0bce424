import { numbers, type VtToken } from "./VtScanner.ts"

/** A colour that a program asks for: OSC 4 with a palette index, or OSC 10 to 19 with none. */
export interface ColorSlot {
  readonly code: number
  readonly index: number | null
}

/** A program's question to its terminal. `Other`: a query that leap recognizes and does not answer. */
export type TerminalQuery =
  /** DA1. */
  | { readonly _tag: "PrimaryAttributes" }
  /** DA2. */
  | { readonly _tag: "SecondaryAttributes" }
  /** DA3. */
  | { readonly _tag: "TertiaryAttributes" }
  /** XTVERSION. */
  | { readonly _tag: "Version" }
  /** DSR 5. */
  | { readonly _tag: "OperatingStatus" }
  /** CPR; `extended`: DECXCPR, with the `?`. */
  | { readonly _tag: "CursorPosition"; readonly extended: boolean }
  | { readonly _tag: "KittyKeyboard" }
  /** DECRQM; `dec`: a private mode, with the `?`. */
  | { readonly _tag: "Mode"; readonly mode: number; readonly dec: boolean }
  | { readonly _tag: "Colors"; readonly slots: ReadonlyArray<ColorSlot>; readonly bell: boolean }
  /** XTGETTCAP; names as the program wrote them, in hexadecimal. */
  | { readonly _tag: "Capabilities"; readonly names: ReadonlyArray<string> }
  /** DECRQSS. */
  | { readonly _tag: "Setting"; readonly name: string }
  /** XTWINOPS 14, 16, 18. */
  | { readonly _tag: "WindowSize"; readonly unit: "pixels" | "cell" | "cells" }
  | { readonly _tag: "ColorScheme" }
  | { readonly _tag: "Other" }

const other: TerminalQuery = { _tag: "Other" }

/** The colours of one OSC: `4;n;?;m;?`, or `10;?;?`, which continues with 11. */
const colorSlots = (body: string): ReadonlyArray<ColorSlot> => {
  const [head = "", ...rest] = body.split(";")
  const slots: Array<ColorSlot> = []
  if (head === "4") {
    for (let i = 0; i + 1 < rest.length; i += 2) {
      if (rest[i + 1] === "?" && /^\d{1,3}$/.test(rest[i]!)) slots.push({ code: 4, index: Number(rest[i]) })
    }
  } else if (/^1[0-9]$/.test(head)) {
    rest.forEach((word, i) => {
      if (word === "?" && Number(head) + i <= 19) slots.push({ code: Number(head) + i, index: null })
    })
  }
  return slots
}

const csiQuery = (token: Extract<VtToken, { _tag: "Csi" }>): TerminalQuery | null => {
  const { final, intermediates, params, prefix } = token
  // Most sequences are colours and cursor moves.
  if (prefix === "" && intermediates === "" && final !== "c" && final !== "n" && final !== "t") return null
  switch (prefix + intermediates + final) {
    case "c":
      return numbers(params)[0] === 0 ? { _tag: "PrimaryAttributes" } : null
    case ">c":
      return numbers(params)[0] === 0 ? { _tag: "SecondaryAttributes" } : null
    case "=c":
      return numbers(params)[0] === 0 ? { _tag: "TertiaryAttributes" } : null
    case ">q":
      return numbers(params)[0] === 0 ? { _tag: "Version" } : null
    case "n":
      return params === "5"
        ? { _tag: "OperatingStatus" }
        : params === "6"
          ? { _tag: "CursorPosition", extended: false }
          : null
    case "?n":
      return params === "6"
        ? { _tag: "CursorPosition", extended: true }
        : params === "996"
          ? { _tag: "ColorScheme" }
          : params === "5"
            ? { _tag: "OperatingStatus" }
            : other
    case "?u":
      return { _tag: "KittyKeyboard" }
    case "$p":
      return { _tag: "Mode", mode: numbers(params)[0]!, dec: false }
    case "?$p":
      return { _tag: "Mode", mode: numbers(params)[0]!, dec: true }
    case "?m":
      return params === "4" || params === "1" || params === "2" ? other : null
    case "?S":
      return other
    case "t":
      switch (numbers(params)[0]) {
        case 14:
          return { _tag: "WindowSize", unit: "pixels" }
        case 16:
          return { _tag: "WindowSize", unit: "cell" }
        case 18:
          return { _tag: "WindowSize", unit: "cells" }
        case 11:
        case 13:
        case 15:
        case 19:
        case 20:
        case 21:
          return other
        default:
          return null
      }
    default:
      return null
  }
}

export const queryOf = (token: VtToken): TerminalQuery | null => {
  switch (token._tag) {
    case "Csi":
      return csiQuery(token)
    case "Escape":
      // DECID, the older form of DA1.
      return token.intermediates === "" && token.final === "Z" ? { _tag: "PrimaryAttributes" } : null
    case "Osc": {
      if (!token.body.includes("?")) return null
      const slots = colorSlots(token.body)
      if (slots.length > 0) return { _tag: "Colors", slots, bell: token.bell }
      // Clipboard (52), kitty's colours (21).
      return /^(52;[^;]*;\?$|21;(.*;)?[^;=]*=\?)/s.test(token.body) ? other : null
    }
    case "String":
      if (token.kind === "DCS") {
        if (token.body.startsWith("+q")) return { _tag: "Capabilities", names: token.body.slice(2).split(";") }
        if (token.body.startsWith("$q")) return { _tag: "Setting", name: token.body.slice(2) }
        return null
      }
      // kitty graphics: "is this supported?"
      return token.kind === "APC" && /^G(?:[^;]*,)?a=q(?:[,;]|$)/.test(token.body) ? other : null
    default:
      return null
  }
}
