import { Effect } from "effect"
import { isUtf8 } from "node:buffer"
import * as fs from "node:fs"
import * as path from "node:path"
import {
  byArrival,
  dataName,
  type HookArrival,
  type HookFileName,
  markOf,
  parseName
} from "../../domain/store/hookSpool/HookFile.ts"
import * as HookReply from "../../domain/store/hookSpool/HookReply.ts"
import { replaceFile } from "./regularFile.ts"

const largestPayload = 16 << 20
/** The largest payload that is read without yielding. */
const smallPayload = 256 << 10
const rawLimit = 64 << 10

/**
 * The result; null: the call failed, since every file here may be gone at any time. The calls are synchronous: all
 * files are small and leap's own, a CLI may wait for the result, and the thread pool takes several times as long as the
 * calls themselves.
 */
export const attempt = <A>(run: () => A): Effect.Effect<A | null> => Effect.orElseSucceed(Effect.try(run), () => null)

const { O_NOFOLLOW, O_NONBLOCK, O_RDONLY, O_WRONLY } = fs.constants

/** Opens a regular file, never through a link and never blocking on a pipe; null: not a regular file. */
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

/** A file's text, and what is wrong with it, for people; null: nothing. */
interface BoundedText {
  readonly text: string
  readonly damage: string | null
}

const decoded = (bytes: Buffer): BoundedText => ({
  text: bytes.toString("utf8"),
  damage: isUtf8(bytes) ? null : "it is not in UTF-8"
})

/** A regular file's text, or null. Of a file that is too large, only the start. */
export const readBounded = (file: string): Effect.Effect<BoundedText | null> =>
  Effect.acquireUseRelease(
    attempt(() => openRegular(file)),
    (open) => {
      if (open === null) return Effect.succeed(null)
      const { handle, size } = open
      if (size > largestPayload)
        return attempt(() => ({ text: startOf(handle, rawLimit), damage: "it is larger than leap reads" }))
      if (size <= smallPayload) return attempt(() => decoded(fs.readFileSync(handle)))
      return Effect.callback<BoundedText | null>((resume) =>
        fs.readFile(handle, (error, bytes) => resume(Effect.succeed(error === null ? decoded(bytes) : null)))
      )
    },
    (open) => (open === null ? Effect.void : Effect.asVoid(attempt(() => fs.closeSync(open.handle))))
  )

/** Deletes a file; null on failure. A directory is deleted only with `whole`. */
export const remove = (file: string, whole = false): Effect.Effect<true | null> =>
  attempt(() => {
    try {
      fs.unlinkSync(file)
    } catch (cause) {
      // A check before would cost as much as the deletion.
      if ((cause as NodeJS.ErrnoException).code !== "ENOENT") fs.rmSync(file, { recursive: whole, force: true })
    }
    return true as const
  })

export const writeWhole = (file: string, text: string): Effect.Effect<true | null> =>
  attempt(() => {
    replaceFile(file, text, path.join(path.dirname(file), `.${path.basename(file)}.tmp`))
    return true as const
  })

/**
 * Renames a file and replaces its text; null on failure, or if the file has another name as well. On some file systems
 * creating a file in a busy directory takes longer than the rest of a reply.
 */
export const rewriteAs = (file: string, from: string, text: string): Effect.Effect<true | null> =>
  attempt(() => {
    const handle = fs.openSync(from, O_WRONLY | O_NOFOLLOW | O_NONBLOCK)
    try {
      const stat = fs.fstatSync(handle)
      if (!stat.isFile() || stat.nlink !== 1) return null
      // The waiting script reads from the start; a longer rest may be cut off afterwards.
      fs.writeFileSync(handle, text)
      fs.renameSync(from, file)
      fs.ftruncateSync(handle, Buffer.byteLength(text))
    } finally {
      fs.closeSync(handle)
    }
    return true
  })

/** The time of the last write, in nanoseconds; null: no file. */
export const stamp = (file: string): Effect.Effect<bigint | null> =>
  attempt(() => fs.lstatSync(file, { bigint: true, throwIfNoEntry: false })?.mtimeNs ?? null)

export const truncated = (raw: string): string => {
  if (raw.length <= rawLimit) return raw
  const last = raw.charCodeAt(rawLimit - 1)
  return raw.slice(0, last >= 0xd800 && last < 0xdc00 ? rawLimit - 1 : rawLimit)
}

interface ArrivedEvent extends HookArrival {
  readonly mark: string
  readonly name: HookFileName
}

/**
 * The complete events in the spool, oldest first: those with a mark, and those announced by the bell. Reading a
 * directory while entries are added may yield a later entry without an earlier one. So if there are marks it is read
 * twice, and marks newer than all of the first reading wait for the next call.
 */
export const arrived = Effect.fnUntraced(function* (spool: string, rung: ReadonlyArray<string>) {
  const list = attempt(() => fs.readdirSync(spool))
  const first = new Set(yield* list)
  const names = [...first].some((name) => parseName(name) !== null) ? new Set(yield* list) : first
  const events: Array<ArrivedEvent> = []
  let newest = -1n
  for (const mark of names) {
    const name = parseName(mark)
    const at = name === null ? null : yield* stamp(path.join(spool, mark))
    if (name === null || at === null) continue
    events.push({ mark, name, at, writer: name.writer, count: name.count })
    if (first.has(mark) && at > newest) newest = at
  }
  const later = events.some((event) => event.at > newest)
  const ready = events.filter((event) => event.at <= newest)
  for (const mark of new Set(rung)) {
    const name = names.has(mark) ? null : parseName(mark)
    const at = name === null ? null : yield* stamp(path.join(spool, dataName(mark)))
    if (name !== null && at !== null) ready.push({ mark, name, at, writer: name.writer, count: name.count })
  }
  return {
    events: ready.sort(byArrival),
    later,
    calls: [...names].filter((name) => HookReply.callOf(name) !== null),
    unmarked: [...names]
      .flatMap((name) => markOf(name) ?? [])
      .filter((mark) => !names.has(mark) && !rung.includes(mark))
  }
})
