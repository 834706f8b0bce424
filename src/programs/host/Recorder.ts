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
 * The session's flight recorder: it remembers the latest input and output, so that a recording requested after a
 * problem still has it. Its memory is bounded: older entries are dropped up to a key frame, which redraws the screen.
 */
export class Recorder extends Context.Service<
  Recorder,
  {
    /** Takes the CLI's output; call it before the bytes reach the screen. */
    readonly output: (chunk: Uint8Array) => void
    readonly input: (latin1: string, by: "user" | "leap") => void
    readonly resize: (size: PtySize) => void
    /**
     * A note beside the bytes: a hook, a signal, a published status. With `state` it holds until the next marker of
     * that state; every recording begins with the current ones.
     */
    readonly marker: (label: string, state?: string) => void
    readonly end: () => void
    /** The remembered past, with `past`; then, with `follow`, new entries until the session ends. */
    readonly record: (wanted: { readonly past: boolean; readonly follow: boolean }) => Recording
  }
>()("leap/programs/host/Recorder") {}

export interface Recording {
  readonly size: PtySize
  /** The start of the recording, in milliseconds since the epoch. */
  readonly at: number
  readonly batches: Stream.Stream<ReadonlyArray<Recorded>>
}

/** Bytes of the remembered past; about ten minutes of a busy CLI. */
const memoryLimit = 4 << 20
/** Bytes between two key frames. The past can be cut off at each key frame. */
const frameDistance = 512 << 10
/** The least time (milliseconds) between key frames, unless half the memory fills sooner: each draws the screen. */
const framePause = 250
/** The most markers that are kept of the dropped past, and their size limit: the CLI's reports still count. */
const contextLimit = 200
const contextSize = 64 << 10
/** Bytes in one batch, so that a long past does not make one endless line on the wire. */
const batchLimit = 256 << 10
/** Larger output is stored as bytes and decoded when read, which is rare. */
const rawSize = 1024

export interface KeyFrame {
  readonly data: string
  /** Plain text that follows only draws, and scrolls the whole screen. */
  readonly scrolls: boolean
}

export interface RecorderOptions {
  readonly now: () => number
  readonly keyFrame: () => KeyFrame
  readonly size: () => PtySize
  readonly memoryLimit?: number
  readonly frameDistance?: number
}

interface Entry extends Omit<Recorded, "data"> {
  readonly data: string | Uint8Array
  readonly state: string | null
  /** The screen before this entry, if the past may begin here. */
  readonly frame: { readonly size: PtySize; readonly data: string } | null
}

/** Its input is cut between characters. */
const decoder = new TextDecoder("utf-8", { ignoreBOM: true })
const textOf = (data: string | Uint8Array): string => (typeof data === "string" ? data : decoder.decode(data))
const bytesOf = (data: string | Uint8Array): Uint8Array =>
  typeof data === "string" ? new TextEncoder().encode(data) : data

const weight = (entry: Entry): number => entry.data.length + (entry.frame?.data.length ?? 0) + 64

export const makeRecorder = (options: RecorderOptions): Recorder["Service"] => {
  const most = options.memoryLimit ?? memoryLimit
  const distance = options.frameDistance ?? frameDistance
  /** The first bytes of an incomplete character. */
  let cut = new Uint8Array()
  let entries: Array<Entry> = []
  let dropped = 0
  let held = 0
  let sinceFrame = Infinity
  let framedAt = -Infinity
  let context: Array<Recorded> = []
  const statesBefore = new Map<string, Recorded>()
  const statesNow = new Map<string, Recorded>()
  let ended = false
  const readers = new Set<Latch.Latch>()
  const wake = () => {
    for (const latch of readers) latch.openUnsafe()
  }

  /** The last key frame that was drawn, and not computed; null after a resize. */
  let drawnLast: (KeyFrame & { readonly size: PtySize }) | null = null
  /** The current content of a screen that only scrolled since the last key frame, computed from the output. */
  const scrolledSince = (rows: number): string | null => {
    const pieces: Array<Uint8Array> = []
    for (let at = entries.length - 1; at >= 0; at--) {
      const { code, data, frame } = entries[at]!
      if (code === "o") pieces.push(bytesOf(data))
      // twice the rows, because line feeds above the last row move the cursor without scrolling
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
    // No later key frame: all entries are one stretch.
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
    // The first entry, and each far from the last key frame, carries the screen before it.
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
        // The reader is slower than the memory; it continues at the next key frame.
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

/** The screen and the output on its way to it. A recording has raw output, which may end within a sequence. */
export const keyFrameOf = (
  screen: Pick<ScreenHandle, "repaint" | "scrolls">,
  output: Pick<CliOutput["Service"], "held" | "resume">,
  reports: ReadonlyArray<StatusReport>
): KeyFrame => {
  const within = output.resume() + output.held()
  const data =
    // program-status reports are state of the terminal, but not part of the picture
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
      keyFrame: () => keyFrameOf(screen, output, publisher.memory().tracker.facts.records)
    })
  )
})

export const layer = Layer.effect(Recorder, make)
