import { crc32 } from "../../words/text/crc32.ts"
import { splitLines } from "./QueueDamage.ts"

/** The end of a line with a checksum of all bytes before it. Lines of older versions have none. */
const sumPattern = /^,"sum":"([0-9a-f]{8})"\}$/
/** Bytes of the checksum at the end of a line. */
export const sumLength = ',"sum":"00000000"}'.length

export const checked = (line: Uint8Array): "right" | "wrong" | "none" => {
  const start = Math.max(0, line.length - sumLength)
  const sum = sumPattern.exec(String.fromCharCode(...line.subarray(start)))?.[1]
  return sum === undefined ? "none" : sum === crc32(line.subarray(0, start)) ? "right" : "wrong"
}

/** A record of this version that compaction wrote. */
const kept = /^\{(?:"bytes":\d{1,9},)?"_tag":"Kept","v":1,"entry":/

/** The message is finished, and nobody has to act on it. */
const isSettled = (line: Uint8Array): boolean => {
  const { entry } = JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(line)) as {
    readonly entry?: { readonly message?: { readonly status?: unknown; readonly outcome?: unknown } }
  }
  const { outcome, status } = entry?.message ?? {}
  return status === "removed" || (status === "done" && outcome !== "failed")
}

/**
 * Whether a host closed this log with nothing left to send and no failed turn left to report: every line is whole, has
 * its right checksum, and is about a finished message. False proves nothing.
 */
export const isFinished = (log: Uint8Array): boolean => {
  if (log.length > 0 && log.at(-1) !== 10) return false
  try {
    // Waiting messages stand last.
    return splitLines(log)
      .toReversed()
      .every(
        (line) =>
          checked(line) === "right" && kept.test(String.fromCharCode(...line.subarray(0, 60))) && isSettled(line)
      )
  } catch {
    return false
  }
}
