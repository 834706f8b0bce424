import type { InputPart } from "./InputBytes.ts"

/** The encodings of one key, as terminals send it. */
export type DetachKey = ReadonlySet<string>

/** `ctrl-<character>` in the encodings of today's terminals: the control byte, kitty's CSI u, xterm's modifyOtherKeys. */
export const detachKey = (name = "ctrl-\\"): DetachKey | null => {
  const match = /^(?:ctrl-|c-|\^)([a-z@[\\\]^_])$/i.exec(name.trim())
  if (match === null) return null
  const letter = match[1]!.toLowerCase()
  const control = String.fromCharCode(letter.toUpperCase().charCodeAt(0) & 0x1f)
  // Enter, Tab and Escape are keys of their own that nobody can give up
  if (control === "\r" || control === "\t" || control === "\x1b") return null
  const code = letter.charCodeAt(0)
  // Ctrl is 4 beside the 1 that modifiers count from; Caps Lock (64) and Num Lock (128) may be on
  const modifiers = [5, 5 + 64, 5 + 128, 5 + 64 + 128]
  return new Set([control, ...modifiers.flatMap((mod) => [`\x1b[${code};${mod}u`, `\x1b[${code};${mod}:1u`, `\x1b[27;${mod};${code}~`])])
}

/** The bytes before the detach key, and whether it was pressed. A paste that holds its byte is no key. */
export const splitAtDetach = (
  parts: ReadonlyArray<InputPart>,
  key: DetachKey
): { readonly before: string; readonly detached: boolean } => {
  let before = ""
  for (const part of parts) {
    if (part._tag === "Keys" && part.kind !== "paste" && key.has(part.data)) return { before, detached: true }
    before += part.data
  }
  return { before, detached: false }
}
