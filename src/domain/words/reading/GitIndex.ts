/** git's index (versions 2 to 4) as far as it takes to see which files of a work tree were changed since. */

/** A file as git saw it last. `certain`: it has changed whatever it looks like (a conflict, a file to be added). */
export interface IndexedFile {
  readonly path: string
  readonly seconds: number
  /** 0 where the file system or git keeps none. */
  readonly nanoseconds: number
  readonly size: number
  readonly certain: boolean
}

const decoder = new TextDecoder()
const kindMask = 0xf000
const submodule = 0xe000
const flag = { assumed: 0x8000, extended: 0x4000, stage: 0x3000 } as const
const extendedFlag = { skipped: 0x4000, toBeAdded: 0x2000 } as const
/** Bytes of an entry's fields before its flags, with a SHA-1. */
const fixed = 60

/** A number as git packs them for the paths of version 4; null where it does not end. */
const packed = (bytes: Uint8Array, from: number): { readonly value: number; readonly end: number } | null => {
  let byte = bytes[from]
  if (byte === undefined) return null
  let at = from + 1
  let value = byte & 0x7f
  while ((byte & 0x80) !== 0) {
    byte = bytes[at++]
    if (byte === undefined || at - from > 5) return null
    value = (value + 1) * 128 + (byte & 0x7f)
  }
  return { value, end: at }
}

/**
 * The files of an index, but for those that git was told not to look at; null where it has more than `most`, or is not
 * understood.
 */
export const readIndex = (bytes: Uint8Array, most: number): ReadonlyArray<IndexedFile> | null => {
  if (bytes.length < 12 || decoder.decode(bytes.subarray(0, 4)) !== "DIRC") return null
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const version = view.getUint32(4)
  const count = view.getUint32(8)
  if (version < 2 || version > 4 || count > most) return null
  const files: Array<IndexedFile> = []
  const conflicts = new Set<string>()
  let at = 12
  let before = new Uint8Array()
  for (let i = 0; i < count; i++) {
    const start = at
    if (start + fixed + 2 > bytes.length) return null
    const flags = view.getUint16(start + fixed)
    const isExtended = (flags & flag.extended) !== 0
    if (isExtended && (version === 2 || start + fixed + 4 > bytes.length)) return null
    const more = isExtended ? view.getUint16(start + fixed + 2) : 0
    at = start + fixed + (isExtended ? 4 : 2)
    let kept = 0
    if (version === 4) {
      const strip = packed(bytes, at)
      if (strip === null || strip.value > before.length) return null
      kept = before.length - strip.value
      at = strip.end
    }
    const end = bytes.indexOf(0, at)
    if (end < 0) return null
    const name = new Uint8Array(kept + end - at)
    name.set(before.subarray(0, kept))
    name.set(bytes.subarray(at, end), kept)
    before = name
    at = version === 4 ? end + 1 : start + Math.ceil((end - start + 1) / 8) * 8
    const path = decoder.decode(name)
    const isIgnored = (flags & flag.assumed) !== 0 || (more & extendedFlag.skipped) !== 0
    if (isIgnored || (view.getUint32(start + 24) & kindMask) === submodule) continue
    const isConflict = (flags & flag.stage) !== 0
    // the sides of a conflict are entries of one file
    if (isConflict && conflicts.has(path)) continue
    if (isConflict) conflicts.add(path)
    files.push({
      path,
      seconds: view.getUint32(start + 8),
      nanoseconds: view.getUint32(start + 12),
      size: view.getUint32(start + 36),
      certain: isConflict || (more & extendedFlag.toBeAdded) !== 0
    })
  }
  return files
}

/** The branch that a HEAD names, the beginning of its commit where it is on none; null for what is neither. */
export const readHead = (text: string): string | null => {
  const head = text.trim()
  const branch = /^ref: refs\/heads\/(.+)$/.exec(head)?.[1]
  // a repository that keeps its references otherwise has this in place of its head
  if (branch === ".invalid") return null
  return branch ?? (/^[0-9a-f]{40,64}$/.test(head) ? head.slice(0, 7) : null)
}
