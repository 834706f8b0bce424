import { isControl } from "./KeyReport.ts"

export interface DetachKey {
  readonly control: string
}

/** A detach key such as `ctrl-\`, sent as a control byte or as {@link isControl} reads it; null for other names. */
export const detachKey = (name = "ctrl-\\"): DetachKey | null => {
  const match = /^(?:ctrl-|c-|\^)([a-z@[\\\]^_])$/i.exec(name.trim())
  if (match === null) return null
  const control = String.fromCharCode(match[1]!.toUpperCase().charCodeAt(0) & 0x1f)
  // These control bytes are Enter, Tab and Escape, which the CLI needs.
  return control === "\r" || control === "\t" || control === "\x1b" ? null : { control }
}

export const isPressOf = ({ control }: DetachKey, data: string): boolean =>
  data === control || (data.length > 3 && isControl(data, control))

export const isPressedIn = ({ control }: DetachKey, data: string): boolean =>
  data.includes(control) || (data.match(/\x1b\[[\d:;]+[u~]/g) ?? []).some((key) => isControl(key, control))
