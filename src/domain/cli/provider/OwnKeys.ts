import { Result } from "effect"
import { keyNamed } from "../../terminal/sequences/KeyNames.ts"

/** The files of the user's own key bindings, and the key that sends the input box. */
export interface OwnKeys {
  readonly files: (env: Readonly<Record<string, string>>) => ReadonlyArray<string>
  /** The bytes of the key; null: the CLI's default. `texts`: the files' contents, null for a missing one. */
  readonly submit: (texts: ReadonlyArray<string | null>) => string | null
}

const modifiers: Readonly<Record<string, number>> = {
  shift: 1,
  alt: 2,
  meta: 2,
  opt: 2,
  option: 2,
  ctrl: 4,
  control: 4
}
const enterNames: ReadonlySet<string> = new Set(["enter", "return", "kpenter"])

export const bytesOf = (name: string): string | null => {
  const keys = name
    .trim()
    .toLowerCase()
    .split(/\s+/)
    .map((key) => bytesOfOne(key))
  return keys.every((bytes) => bytes !== null) && keys.length > 0 ? keys.join("") : null
}

const bytesOfOne = (name: string): string | null => {
  const parts = name.split(/[+-]/)
  const base = parts.pop() ?? ""
  let held = 0
  for (const part of parts) {
    const modifier = modifiers[part]
    if (modifier === undefined) return null
    held |= modifier
  }
  if (enterNames.has(base)) return held === 0 ? "\r" : held === 2 ? "\u001b\r" : `\u001b[13;${held + 1}u`
  if (/^[a-z]$/.test(base)) {
    const key = (held & 4) === 0 ? base : String.fromCharCode(base.charCodeAt(0) & 0x1f)
    return held === 4 ? key : held === 2 || held === 6 ? `\u001b${key}` : null
  }
  const known = held === 0 && base.length > 1 ? keyNamed(base) : null
  return known !== null && Result.isSuccess(known) && !known.success.isText ? known.success.bytes : null
}

/** The first of these keys that can be pressed; null if Enter alone is one of them, or none can. */
export const firstKey = (names: ReadonlyArray<string>): string | null => {
  const keys = names.map(bytesOf)
  return keys.includes("\r") ? null : (keys.find((key) => key !== null) ?? null)
}
