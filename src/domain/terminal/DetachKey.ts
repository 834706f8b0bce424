/** The encodings of one key, as terminals send it. */
export type DetachKey = ReadonlySet<string>

/**
 * `ctrl-<character>` in the encodings of today's terminals: the control byte, kitty's CSI u, xterm's modifyOtherKeys.
 */
export const detachKey = (name = "ctrl-\\"): DetachKey | null => {
  const match = /^(?:ctrl-|c-|\^)([a-z@[\\\]^_])$/i.exec(name.trim())
  if (match === null) return null
  const letter = match[1]!.toLowerCase()
  const control = String.fromCharCode(letter.toUpperCase().charCodeAt(0) & 0x1f)
  // these control bytes are also Enter, Tab and Escape, which the CLI needs
  if (control === "\r" || control === "\t" || control === "\x1b") return null
  const code = letter.charCodeAt(0)
  // Ctrl is 4 beside the 1 that modifiers count from; Caps Lock (64) and Num Lock (128) may be on
  const modifiers = [5, 5 + 64, 5 + 128, 5 + 64 + 128]
  return new Set([
    control,
    ...modifiers.flatMap((mod) => [`\x1b[${code};${mod}u`, `\x1b[${code};${mod}:1u`, `\x1b[27;${mod};${code}~`])
  ])
}
