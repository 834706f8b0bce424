import * as fs from "node:fs"
import * as path from "node:path"
import { bellFile } from "../../domain/store/hookSpool/HookFile.ts"

/** A bell file longer than this is deleted during a pause. */
const longest = 1 << 20
const newLine = 10

/** On other systems a watched directory promptly reports only new and deleted files, so scripts create files there. */
export const isBellUsed = process.platform === "linux"

const { O_CREAT, O_NOFOLLOW, O_NONBLOCK, O_RDONLY } = fs.constants

/**
 * A spool's bell, a file to which scripts append lines. Every function throws if the spool is gone. `readMarks` also
 * throws if the bell cannot be opened, as a link cannot.
 */
export interface Bell {
  /** The lines added since the last call; creates a missing bell. */
  readonly readMarks: () => ReadonlyArray<string>
  /** Deletes a long bell. A line that is being added at this moment may be lost. */
  readonly shorten: () => void
}

/** Nothing is read before the first call of `readMarks`. */
export const makeBell = (spool: string): Bell => {
  const file = path.join(spool, bellFile)
  let identity = ""
  let offset = 0
  return {
    readMarks: () => {
      const handle = fs.openSync(file, O_RDONLY | O_CREAT | O_NOFOLLOW | O_NONBLOCK, 0o600)
      try {
        const stat = fs.fstatSync(handle, { bigint: true })
        if (!stat.isFile()) return []
        // Inode numbers are reused immediately, so the birth counts too.
        const now = `${stat.ino}:${stat.birthtimeNs}`
        const size = Number(stat.size)
        if (now !== identity || size < offset) offset = 0
        identity = now
        if (size === offset) return []
        const buffer = Buffer.allocUnsafe(Math.min(size - offset, longest))
        const length = fs.readSync(handle, buffer, 0, buffer.length, offset)
        const whole = buffer.subarray(0, length).lastIndexOf(newLine) + 1
        // A line that exceeds the limit is not leap's.
        offset += whole === 0 && length === longest ? length : whole
        return buffer
          .toString("latin1", 0, whole)
          .split("\n")
          .filter((line) => line !== "")
      } finally {
        fs.closeSync(handle)
      }
    },
    shorten: () => {
      if (offset > longest) fs.rmSync(file)
    }
  }
}
