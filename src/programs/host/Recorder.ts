import { Clock, Context, Effect, Latch, Layer, Stream } from "effect"
import type { Recorded } from "../../domain/terminal/recording/Recording.ts"
import { encodeReport, type StatusReport } from "../../domain/words/session/ProgramStatus.ts"
import { incomplete } from "../../domain/terminal/sequences/OutputScanner.ts"
import { lastLines } from "../../domain/terminal/sequences/ScrolledOut.ts"
import { concat, latin1ToText, toLatin1 } from "../../domain/words/text/Bytes.ts"
import type { PtySize } from "../../services/Pty.ts"
import type { ScreenHandle } from "../../services/Screen.ts"
import { CliOutput } from "./CliOutput.ts"
import { SessionScreen } from "./SessionScreen.ts"
import { StatusPublisher } from "./StatusPublisher.ts"

/**
 * The session's flight recorder: it always remembers the last stretch of what went in and out, so that a recording that
 * is asked for after something odd still has it. Its memory is bounded: older entries are dropped, up to a key frame
 * that draws the screen anew.
 */
export class Recorder extends Context.Service<
  Recorder,
  {
    /** Bytes that the CLI has written; to be called before they reach the screen. */
    readonly output: (chunk: Uint8Array) => void
    /** Bytes (latin1) that go to the CLI. */
    readonly input: (latin1: string, by: "user" | "leap") => void
    readonly resize: (size: PtySize) => void
    /**
     * A note beside the bytes: a hook, a signal, what leap published. With `state`, it holds until the next marker of
     * that state: every recording begins with those that hold then.
     */
    readonly marker: (label: string, state?: string) => void
    /** The session is over: recordings end with the last entry. */
    readonly end: () => void
    /** The past that is remembered, if wanted, then what comes, until the session ends or `follow` is false. */
    readonly record: (wanted: { readonly past: boolean; readonly follow: boolean }) => Recording
  }
>()("leap/programs/host/Recorder") {}

export interface Recording {
  readonly size: PtySize
  /** Milliseconds since the epoch at which it begins. */
  readonly at: number
  readonly batches: Stream.Stream<ReadonlyArray<Recorded>>
}

/** Bytes of the past that are remembered; about ten minutes of a busy CLI. */
const memoryLimit = 4 << 20
/** Bytes between two key frames. The past can be cut off at each key frame. */
const frameDistance = 512 << 10
/** In a flood key frames are this far apart in time (milliseconds), or half the memory: each takes drawing the screen. */
const framePause = 250
/** Markers that are kept from before the remembered past: what the CLI reported of itself still counts. */
const contextLimit = 200
const contextSize = 64 << 10
/** Bytes in one batch, so that a long past does not make one endless line on the wire. */
const batchLimit = 256 << 10
/** Output of this many bytes is kept as it came, and is text when it is read: most of it never is. */
const rawSize = 1024

/** What draws a screen. */
export interface KeyFrame {
  readonly data: string
  /** Text in lines that comes then does nothing but draw, and scroll the whole screen. */
  readonly scrolls: boolean
}

export interface RecorderOptions {
  readonly now: () => number
  /** Draws the whole screen as it is now. */
  readonly keyFrame: () => KeyFrame
  readonly size: () => PtySize
  readonly memoryLimit?: number
  readonly frameDistance?: number
}

interface Entry extends Omit<Recorded, "data"> {
  readonly data: string | Uint8Array
  /** The state that this marker sets, if it sets one. */
  readonly state: string | null
  /** The screen before this entry, if the past may begin here. */
  readonly frame: { readonly size: PtySize; readonly data: string } | null
}

/** Of pieces that are cut between characters. */
const decoder = new TextDecoder("utf-8", { ignoreBOM: true })
const textOf = (data: string | Uint8Array): string => (typeof data === "string" ? data : decoder.decode(data))
const bytesOf = (data: string | Uint8Array): Uint8Array =>
  typeof data === "string" ? new TextEncoder().encode(data) : data

const weight = (entry: Entry): number => entry.data.length + (entry.frame?.data.length ?? 0) + 64

export const makeRecorder = (options: RecorderOptions): Recorder["Service"] => {
  const most = options.memoryLimit ?? memoryLimit
  const distance = options.frameDistance ?? frameDistance
  /** The first bytes of a character whose rest has not come. */
  let cut = new Uint8Array()
  let entries: Array<Entry> = []
  /** How many entries were dropped before the first that is kept. */
  let dropped = 0
  let held = 0
  let sinceFrame = Infinity
  let framedAt = -Infinity
  let context: Array<Recorded> = []
  /** The last marker of each state: before the entries that are kept, and by now. */
  const statesBefore = new Map<string, Recorded>()
  const statesNow = new Map<string, Recorded>()
  let ended = false
  const readers = new Set<Latch.Latch>()
  const wake = () => {
    for (const latch of readers) latch.openUnsafe()
  }

  /** The last key frame that was drawn; null when another size came since. */
  let drawnLast: (KeyFrame & { readonly size: PtySize }) | null = null
  /** What a screen that only scrolled since the last key frame shows now, from what was printed. */
  const scrolledSince = (rows: number): string | null => {
    const pieces: Array<Uint8Array> = []
    for (let at = entries.length - 1; at >= 0; at--) {
      const { code, data, frame } = entries[at]!
      if (code === "o") pieces.push(bytesOf(data))
      // where the cursor stood above the last row, as many feeds more only move it over rows that are drawn
      if (frame !== null) {
        const lines = lastLines(pieces.reverse(), rows * 2)
        return lines === null ? null : textOf(lines)
      }
    }
    return null
  }
  const frame = (): Entry["frame"] => {
    sinceFrame = 0
    framedAt = options.now()
    const scrolled = drawnLast?.scrolls === true ? scrolledSince(drawnLast.size.rows) : null
    if (drawnLast !== null && scrolled !== null) return { size: drawnLast.size, data: drawnLast.data + scrolled }
    drawnLast = { size: options.size(), ...options.keyFrame() }
    return drawnLast
  }

  const trim = () => {
    if (held <= most) return
    const wanted = held - Math.floor(most * 0.75)
    let count = 0
    let freed = 0
    while (count < entries.length && (freed < wanted || entries[count]!.frame === null))
      freed += weight(entries[count++]!)
    // No later key frame: all of it is one stretch that is still being written.
    if (count >= entries.length) return
    const gone = entries.slice(0, count)
    for (const entry of gone) if (entry.state !== null) statesBefore.set(entry.state, plain(entry))
    const markers = gone.filter(({ code, data, state }) => code === "m" && state === null && data.length < contextSize)
    context = [...context, ...markers.map(plain)].slice(-contextLimit)
    entries = entries.slice(count)
    dropped += count
    held -= freed
  }

  const push = (code: Recorded["code"], data: Entry["data"], state: string | null = null) => {
    // The first entry, and each that is far behind the last key frame, carries the screen as it was before it.
    const isDue = sinceFrame >= distance && (sinceFrame >= most / 2 || options.now() - framedAt >= framePause)
    const drawing = isDue && cut.length === 0 ? frame() : null
    const entry: Entry = { at: options.now(), code, data, state, frame: drawing }
    entries.push(entry)
    if (state !== null) statesNow.set(state, plain(entry))
    held += weight(entry)
    sinceFrame += data.length
    trim()
    wake()
  }

  const drawn = ({ at, frame }: Entry): ReadonlyArray<Recorded> =>
    frame === null
      ? []
      : [
          { at, code: "r", data: `${frame.size.cols}x${frame.size.rows}` },
          { at, code: "o", data: frame.data }
        ]

  const plain = ({ at, code, data }: Entry): Recorded => ({ at, code, data: textOf(data) })

  const output = (chunk: Uint8Array): void => {
    const all = cut.length === 0 ? chunk : concat([cut, chunk], cut.length + chunk.length)
    const end = all.length - incomplete(toLatin1(all.subarray(-3)))
    const whole = all.subarray(0, end)
    if (end > 0) push("o", end < rawSize ? textOf(whole) : whole)
    cut = all.slice(end)
  }

  const record = ({ follow, past }: { readonly past: boolean; readonly follow: boolean }): Recording => {
    const first = entries[0]
    const fromPast = past && first !== undefined
    let cursor = fromPast ? dropped : dropped + entries.length
    const now = options.now()
    const opening: ReadonlyArray<Recorded> = fromPast
      ? [...context, ...statesBefore.values(), ...drawn(first).filter(({ code }) => code === "o")]
      : [
          ...[...statesNow.values()].map((one) => ({ ...one, at: now })),
          { at: now, code: "o", data: options.keyFrame().data }
        ]
    const size = fromPast ? (first.frame?.size ?? options.size()) : options.size()
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
        // The reader was slower than the memory is long: it goes on from the next key frame.
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
        Effect.acquireRelease(
          Effect.sync(() => readers.add(latch)),
          () => Effect.sync(() => readers.delete(latch))
        ).pipe(
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

  return {
    output,
    input: (latin1, by) => {
      if (by === "leap") push("m", "by:leap")
      push("i", latin1ToText(latin1))
    },
    resize: ({ cols, rows }) => {
      push("r", `${cols}x${rows}`)
      drawnLast = null
    },
    marker: (label, state) => push("m", label, state),
    end: () => {
      ended = true
      wake()
    },
    record
  }
}

/** The screen, and of the output what is on its way to it: a recording has that as it comes, not in whole sequences. */
export const keyFrameOf = (
  screen: Pick<ScreenHandle, "repaint" | "scrolls">,
  output: Pick<CliOutput["Service"], "held" | "resume">,
  reports: ReadonlyArray<StatusReport>
): KeyFrame => {
  const within = output.resume() + output.held()
  const data =
    // the program-status reports that hold are no part of the picture, and yet of the screen's state
    screen.repaint({ main: false, scrollback: false }) + reports.map(encodeReport).join("") + latin1ToText(within)
  return { data, scrolls: within === "" && screen.scrolls() }
}

const make = Effect.gen(function* () {
  const clock = yield* Clock.Clock
  const screen = yield* SessionScreen
  const output = yield* CliOutput
  const publisher = yield* StatusPublisher
  return Recorder.of(
    makeRecorder({
      now: () => clock.currentTimeMillisUnsafe(),
      size: screen.size,
      // The program-status reports that hold are no part of the picture, and yet of the screen's state.
      keyFrame: () => keyFrameOf(screen, output, publisher.memory().tracker.facts.records)
    })
  )
})

export const layer = Layer.effect(Recorder, make)
