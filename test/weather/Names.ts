import { closeSync, openSync, readFileSync, writeFileSync, writeSync } from "node:fs"

/** The box's own file of names; null where it could not make one, and no name can be taken away. */
const file = process.env["LEAP_BOX_HOSTS"] ?? null

/** Whether names can be given and taken away here. */
export const hasNames = file !== null

const at = new Map<string, number>()

/**
 * Writes one byte of the name's line, which makes it an address or a comment: whoever reads the file meanwhile finds
 * all other names.
 */
const mark = (name: string, first: "1" | "#") => {
  const offset = at.get(name)
  if (file === null || offset === undefined) return
  const handle = openSync(file, "r+")
  try {
    writeSync(handle, first, offset)
  } finally {
    closeSync(handle)
  }
}

/** From now on the name is that of loopback. */
export const resolves = (name: string) => {
  if (file === null) throw new Error("names can be given only in the box (test/real/box)")
  if (at.has(name)) return mark(name, "1")
  const before = readFileSync(file)
  at.set(name, before.length)
  writeFileSync(file, `127.0.0.1 ${name}\n`, { flag: "a" })
}

/** From now on nobody knows the name. */
export const isGone = (name: string) => mark(name, "#")
