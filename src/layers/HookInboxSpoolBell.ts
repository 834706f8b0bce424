import * as fs from "node:fs"
import * as path from "node:path"
import { bellFile } from "../domain/HookFile.ts"

/** Longer, it is begun anew when nothing goes on. */
const longest = 1 << 20
const newLine = 10

/** Elsewhere a watched directory tells in good time only of files that come and go, so scripts are to make files. */
export const isHeard = process.platform === "linux"

const { O_CREAT, O_NOFOLLOW, O_NONBLOCK, O_RDONLY } = fs.constants

/** A spool's bell, to which scripts add lines. All of it throws where the spool is gone or the bell is none. */
export interface Bell {
  /** The lines added since the last time; puts the bell there if it is missing. */
  readonly heard: () => ReadonlyArray<string>
  /** Begins it anew if it has become long. A line that is being added at this moment may be lost. */
  readonly shorten: () => void
}

/** Nothing is heard before the first call of `heard`. */
export const makeBell = (spool: string): Bell => {
  const file = path.join(spool, bellFile)
  /** Which file has been heard, and how much of it. */
  let of = ""
  let offset = 0
  return {
    heard: () => {
      const handle = fs.openSync(file, O_RDONLY | O_CREAT | O_NOFOLLOW | O_NONBLOCK, 0o600)
      try {
        const stat = fs.fstatSync(handle, { bigint: true })
        if (!stat.isFile()) return []
        // Inode numbers alone are given out again at once.
        const now = `${stat.ino}:${stat.birthtimeNs}`
        const size = Number(stat.size)
        if (now !== of || size < offset) offset = 0
        of = now
        if (size === offset) return []
        const buffer = Buffer.allocUnsafe(Math.min(size - offset, longest))
        const length = fs.readSync(handle, buffer, 0, buffer.length, offset)
        const whole = buffer.subarray(0, length).lastIndexOf(newLine) + 1
        // What has no end within the bound is no line of ours.
        offset += whole === 0 && length === longest ? length : whole
        return buffer.toString("latin1", 0, whole).split("\n").filter((line) => line !== "")
      } finally {
        fs.closeSync(handle)
      }
    },
    shorten: () => {
      if (offset > longest) fs.rmSync(file)
    }
  }
}
