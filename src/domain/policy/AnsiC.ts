const letters: Readonly<Record<string, string>> = {
  a: "\u0007", b: "\b", e: "\u001b", E: "\u001b", f: "\f", n: "\n", r: "\r", t: "\t", v: "\u000b", "\\": "\\", "'": "'", "\"": "\"", "?": "?"
}
const escape = /\\(?:x([0-9A-Fa-f]{1,2})|u([0-9A-Fa-f]{1,4})|U([0-9A-Fa-f]{1,8})|([0-7]{1,3})|c([\s\S])|([\s\S]))/g

/** The text of a `$'…'` string of bash, from what stands between its quotes. */
export const ansiC = (raw: string): string =>
  raw.replace(escape, (whole, x?: string, u?: string, wide?: string, octal?: string, control?: string, letter?: string) => {
    const hex = x ?? u ?? wide
    if (hex !== undefined) {
      const code = Number.parseInt(hex, 16)
      return code <= 0x10ffff ? String.fromCodePoint(code) : whole
    }
    if (octal !== undefined) return String.fromCharCode(Number.parseInt(octal, 8) & 0xff)
    if (control !== undefined) return String.fromCharCode(control.charCodeAt(0) & 0x1f)
    return letters[letter ?? ""] ?? whole
  })
