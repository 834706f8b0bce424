import { Effect } from "effect"
import * as fs from "node:fs"
import * as path from "node:path"

/** A larger payload is not parsed. */
const largestPayload = 64 << 20
/** One that takes no time to read. */
const smallPayload = 256 << 10
/** What `raw` keeps of a payload, in characters. */
const rawLimit = 64 << 10

/**
 * The answer, or null: every file here may be gone by the time it is asked for. All of it is small and leap's own, and a CLI
 * may wait for what comes of it: the thread pool would cost more time than the calls themselves, several times over.
 */
export const attempt = <A>(run: () => A): Effect.Effect<A | null> => Effect.orElseSucceed(Effect.try(run), () => null)

const { O_NOFOLLOW, O_NONBLOCK, O_RDONLY, O_WRONLY } = fs.constants

/** Opens a regular file, never through a link and never waiting on a pipe; with its size, or null for what is none. */
const openRegular = (file: string): { readonly handle: number; readonly size: number } | null => {
  const handle = fs.openSync(file, O_RDONLY | O_NOFOLLOW | O_NONBLOCK)
  const stat = fs.fstatSync(handle)
  if (stat.isFile()) return { handle, size: stat.size }
  fs.closeSync(handle)
  return null
}

const startOf = (handle: number, length: number): string => {
  const buffer = Buffer.alloc(length)
  return buffer.toString("utf8", 0, fs.readSync(handle, buffer, 0, length, 0))
}

/** A regular file's text, or null; of one that is too large, its beginning. */
export const readBounded = (file: string): Effect.Effect<string | null> =>
  Effect.acquireUseRelease(
    attempt(() => openRegular(file)),
    (open) => {
      if (open === null) return Effect.succeed(null)
      const { handle, size } = open
      if (size > largestPayload) return attempt(() => startOf(handle, rawLimit))
      if (size <= smallPayload) return attempt(() => fs.readFileSync(handle, "utf8"))
      return Effect.callback<string | null>((resume) => fs.readFile(handle, "utf8", (error, text) => resume(Effect.succeed(error === null ? text : null))))
    },
    (open) => open === null ? Effect.void : Effect.asVoid(attempt(() => fs.closeSync(open.handle)))
  )

/** Deletes it; null when it cannot. A directory is left alone unless `whole`. */
export const remove = (file: string, whole = false): Effect.Effect<true | null> =>
  attempt(() => {
    fs.rmSync(file, { recursive: whole, force: true })
    return true as const
  })

/** Puts a file there whole, or not at all; null when it cannot. */
export const place = (file: string, text: string): Effect.Effect<true | null> => {
  const temporary = path.join(path.dirname(file), `.${path.basename(file)}.tmp`)
  return attempt(() => {
    fs.writeFileSync(temporary, text, { mode: 0o600 })
    fs.renameSync(temporary, file)
    return true as const
  }).pipe(Effect.tap((placed) => placed === null ? remove(temporary) : Effect.void))
}

/**
 * Makes one file the other, with other text in it; null when it cannot, or it is also elsewhere under another name. Where many files come and go, some file systems take
 * longer to make a new one than all else takes that comes of it.
 */
export const turnInto = (file: string, from: string, text: string): Effect.Effect<true | null> =>
  attempt(() => {
    const handle = fs.openSync(from, O_WRONLY | O_NOFOLLOW | O_NONBLOCK)
    try {
      const stat = fs.fstatSync(handle)
      if (!stat.isFile() || stat.nlink !== 1) return null
      // Whoever waits for it reads from the beginning; what was longer before may go when it is there.
      fs.writeFileSync(handle, text)
      fs.renameSync(from, file)
      fs.ftruncateSync(handle, Buffer.byteLength(text))
    } finally {
      fs.closeSync(handle)
    }
    return true
  })

/** When it was last written, in nanoseconds; null when it is not there. */
export const stamp = (file: string): Effect.Effect<bigint | null> =>
  attempt(() => fs.lstatSync(file, { bigint: true, throwIfNoEntry: false })?.mtimeNs ?? null)

/** What is kept of a payload as it came: cut to a limit, never within a character. */
export const bounded = (raw: string): string => {
  if (raw.length <= rawLimit) return raw
  const last = raw.charCodeAt(rawLimit - 1)
  return raw.slice(0, last >= 0xd800 && last < 0xdc00 ? rawLimit - 1 : rawLimit)
}
