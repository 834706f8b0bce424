import { Effect, Latch, Stream } from "effect"
import { latin1ToText, toLatin1 } from "../../domain/Bytes.ts"
import { incomplete } from "../../domain/OutputScanner.ts"
import type { Recorded } from "../../domain/Recording.ts"
import type { PtySize } from "../../services/Pty.ts"

/** Characters that the past is remembered for; about ten minutes of a busy CLI. */
const memoryLimit = 4 << 20
/** Characters between two key frames: the past can be cut off at each. */
const frameDistance = 512 << 10
/** Markers that are kept beyond the cut: what the CLI said of itself before the past that is remembered begins. */
const contextLimit = 200
const contextSize = 64 << 10
/** Characters in one batch, so that a long past does not make one endless line on the wire. */
const batchLimit = 256 << 10

export interface RecorderOptions {
  readonly now: () => number
  /** Text that draws the whole screen as it is now. */
  readonly keyFrame: () => string
  readonly size: () => PtySize
  readonly memoryLimit?: number
  readonly frameDistance?: number
}

interface Entry extends Recorded {
  /** The past may begin here: the screen as this entry found it. */
  readonly frame: { readonly size: PtySize; readonly data: string } | null
}

export interface Recording {
  readonly size: PtySize
  readonly at: number
  readonly batches: Stream.Stream<ReadonlyArray<Recorded>>
}

const weight = (entry: Entry): number => entry.data.length + (entry.frame?.data.length ?? 0) + 64

/**
 * The session's flight recorder: it always remembers the last stretch of what went in and out, so that a recording asked
 * for after something odd still has it. Bounded: what is older goes, up to a key frame that draws the screen anew.
 */
export const makeRecorder = (options: RecorderOptions) => {
  const most = options.memoryLimit ?? memoryLimit
  const distance = options.frameDistance ?? frameDistance
  const decoder = new TextDecoder("utf-8", { ignoreBOM: true })
  /** The decoder holds the first bytes of a character. */
  let cut = false
  let entries: Array<Entry> = []
  /** How many entries were dropped before the first that is kept. */
  let dropped = 0
  let held = 0
  let sinceFrame = Infinity
  let context: Array<Recorded> = []
  let ended = false
  const readers = new Set<Latch.Latch>()
  const wake = () => {
    for (const latch of readers) latch.openUnsafe()
  }

  const frame = (): Entry["frame"] => {
    sinceFrame = 0
    return { size: options.size(), data: options.keyFrame() }
  }

  const trim = () => {
    if (held <= most) return
    const wanted = held - Math.floor(most * 0.75)
    let count = 0
    let freed = 0
    while (count < entries.length && (freed < wanted || entries[count]!.frame === null)) freed += weight(entries[count++]!)
    // nothing to begin at again: all of it is one stretch that is still being written
    if (count >= entries.length) return
    const gone = entries.slice(0, count)
    context = [...context, ...gone.filter(({ code, data }) => code === "m" && data.length < contextSize)].slice(-contextLimit)
    entries = entries.slice(count)
    dropped += count
    held -= freed
  }

  const push = (code: Recorded["code"], data: string) => {
    // an entry that comes before the first key frame, or long after the last, carries the screen that it found
    const entry: Entry = { at: options.now(), code, data, frame: sinceFrame >= distance && !cut ? frame() : null }
    entries.push(entry)
    held += weight(entry)
    sinceFrame += data.length
    trim()
    wake()
  }

  const drawn = ({ at, frame }: Entry): ReadonlyArray<Recorded> =>
    frame === null ? [] : [{ at, code: "r", data: `${frame.size.cols}x${frame.size.rows}` }, { at, code: "o", data: frame.data }]

  const plain = ({ at, code, data }: Entry): Recorded => ({ at, code, data })

  return {
    /** Bytes that the CLI is about to be shown to have written; before they reach the screen. */
    output: (chunk: Uint8Array): void => {
      const text = decoder.decode(chunk, { stream: true })
      if (text !== "") push("o", text)
      cut = incomplete(toLatin1(chunk.subarray(-3))) > 0
    },
    /** Bytes (latin1) that reach the CLI. */
    input: (latin1: string, by: "user" | "leap"): void => {
      if (by === "leap") push("m", "by:leap")
      push("i", latin1ToText(latin1))
    },
    resize: ({ cols, rows }: PtySize): void => push("r", `${cols}x${rows}`),
    marker: (label: string): void => push("m", label),
    /** The session is over: recordings end behind what is there. */
    end: (): void => {
      ended = true
      wake()
    },

    /** The past that is remembered (or nothing of it), then what comes, until the session ends or `follow` is false. */
    record: ({ follow, past }: { readonly past: boolean; readonly follow: boolean }): Recording => {
      const first = entries[0]
      const fromPast = past && first !== undefined
      let cursor = fromPast ? dropped : dropped + entries.length
      const now = options.now()
      const opening: ReadonlyArray<Recorded> = fromPast
        ? [...context, ...drawn(first).filter(({ code }) => code === "o")]
        : [{ at: now, code: "o", data: options.keyFrame() }]
      const size = fromPast ? first.frame?.size ?? options.size() : options.size()
      const end = follow ? Infinity : dropped + entries.length
      const latch = Latch.makeUnsafe(true)
      let begun = false

      const next = (): ReadonlyArray<Recorded> | null => {
        if (!begun) {
          begun = true
          return opening
        }
        const batch: Array<Recorded> = []
        if (cursor < dropped) {
          // the reader was too slow for what is remembered: it goes on from the next key frame
          batch.push({ at: options.now(), code: "m", data: "note:a part is missing: it came faster than it was read" })
          cursor = dropped
          batch.push(...drawn(entries[0]!))
        }
        let length = 0
        while (cursor < dropped + entries.length && cursor < end && length < batchLimit) {
          const entry = entries[cursor++ - dropped]!
          length += entry.data.length
          batch.push(plain(entry))
        }
        if (batch.length > 0) return batch
        if (ended || cursor >= end) return null
        latch.closeUnsafe()
        return []
      }
      return {
        size,
        at: opening[0]?.at ?? first?.at ?? now,
        batches: Stream.unwrap(
          Effect.acquireRelease(Effect.sync(() => readers.add(latch)), () => Effect.sync(() => readers.delete(latch))).pipe(
            Effect.as(
              Stream.fromEffectRepeat(Effect.andThen(latch.await, Effect.sync(next))).pipe(
                Stream.takeWhile((batch) => batch !== null),
                Stream.filter((batch) => batch.length > 0)
              )
            )
          )
        )
      }
    }
  }
}

export type Recorder = ReturnType<typeof makeRecorder>
