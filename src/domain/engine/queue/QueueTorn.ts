import { isCutObject } from "../../words/formats/cutJson.ts"
import { checked } from "./QueueSum.ts"

/**
 * The start of a log line: how many bytes of the line follow. It tells a line that was cut off during the write from
 * one that was written whole and changed later. Lines of older versions begin with their first field.
 */
export const startOf = (bytes: number): string => `{"bytes":${bytes},`

const start = /^\{"bytes":(\d{1,9}),/
const cutStart = /^\{"bytes":\d{0,9}$/
/** A line with its length was written with a checksum. */
export const isSized = (line: Uint8Array): boolean => start.test(String.fromCharCode(...line.subarray(0, 24)))

const firstField = '"_tag":"'
const sum = ',"sum":"'
const cutSum = /^[0-9a-f]{0,8}$|^[0-9a-f]{8}"$/

/** The text, which may end within a character; null for other bytes. */
const textOf = (bytes: Uint8Array): string | null => {
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes, { stream: true })
  } catch {
    return null
  }
}

/** The tail is an incomplete line as leap writes it: only a write that was cut off leaves that. */
export const isTorn = (tail: Uint8Array): boolean => {
  const text = textOf(tail)
  if (text === null) return false
  if (startOf(0).startsWith(text) || cutStart.test(text)) return true
  const [its = "{", bytes] = start.exec(text) ?? []
  // A tail of the full length or longer was written whole.
  if (!text.startsWith(its) || (bytes !== undefined && tail.length >= its.length + Number(bytes))) return false
  const fields = text.slice(its.length)
  if (!fields.startsWith(firstField) && !firstField.startsWith(fields)) return false
  const at = fields.indexOf(sum)
  return (at < 0 || cutSum.test(fields.slice(at + sum.length))) && isCutObject(`{${fields}`)
}

/** A part of a line. `isWhole`: its own length and checksum prove a line that was written whole. */
export interface LinePiece {
  readonly bytes: Uint8Array
  readonly isWhole: boolean
}

/** The whole lines within a damaged one, and the bytes around them, such as zeros or a line without its end. */
export const piecesOf = (line: Uint8Array): ReadonlyArray<LinePiece> => {
  const text = new TextDecoder("latin1").decode(line)
  const pieces: Array<LinePiece> = []
  let done = 0
  for (let at = text.indexOf('{"bytes":'); at >= 0; at = text.indexOf('{"bytes":', Math.max(at + 1, done))) {
    const found = start.exec(text.slice(at, at + 24))
    if (found === null) continue
    const end = at + found[0].length + Number(found[1])
    const bytes = line.subarray(at, end)
    if (end > line.length || checked(bytes) !== "right") continue
    if (at > done) pieces.push({ bytes: line.subarray(done, at), isWhole: false })
    pieces.push({ bytes, isWhole: true })
    done = end
  }
  return done < line.length ? [...pieces, { bytes: line.subarray(done), isWhole: false }] : pieces
}
