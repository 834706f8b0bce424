import { controlOf } from "./KeyReport.ts"

/** A key with Ctrl, by its control character. */
export interface DetachKey {
  readonly control: string
}

/**
 * The key of `ctrl-<character>`: its control byte, or kitty's CSI u and xterm's modifyOtherKeys, on any layout that
 * {@link controlOf} knows.
 */
export const detachKey = (name = "ctrl-\\"): DetachKey | null => {
  const match = /^(?:ctrl-|c-|\^)([a-z@[\\\]^_])$/i.exec(name.trim())
  if (match === null) return null
  const control = String.fromCharCode(match[1]!.toUpperCase().charCodeAt(0) & 0x1f)
  // These control bytes are also Enter, Tab and Escape, which the CLI needs.
  return control === "\r" || control === "\t" || control === "\x1b" ? null : { control }
}

/** Whether these bytes, a whole token, are a press of the key. */
export const isPressOf = ({ control }: DetachKey, data: string): boolean =>
  data === control || (data.length > 3 && controlOf(data) === control)

export const isPressedIn = ({ control }: DetachKey, data: string): boolean =>
  data.includes(control) || (data.match(/\x1b\[[\d:;]+[u~]/g) ?? []).some((key) => controlOf(key) === control)
