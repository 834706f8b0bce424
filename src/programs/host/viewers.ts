import { Effect, Latch, Stream } from "effect"
import { fromBase64, toBase64, utf8ToLatin1 } from "../../domain/Bytes.ts"
import * as InputBytes from "../../domain/InputBytes.ts"
import type { OutputSegment } from "../../domain/OutputScanner.ts"
import type { ExitStatus } from "../../domain/Session.ts"
import type { KeyKind } from "../../domain/SessionEvent.ts"
import { AttachFrame } from "../../services/HostRpc.ts"
import type { PtySize } from "../../services/Pty.ts"

/** Bytes a viewer may lag behind before its backlog is dropped and its screen repainted instead. */
const backlogLimit = 4 << 20
/** Bytes in one frame, so that a flood does not make one endless line on the wire. */
const frameLimit = 256 << 10

interface Viewer {
  readonly id: string
  readonly readOnly: boolean
  readonly programStatus: boolean
  size: PtySize
  input: InputBytes.InputState
  /** Order in which viewers were last active; the highest writing one is primary. */
  active: number
  pending: Array<string>
  pendingBytes: number
  repaint: boolean
  /** Nothing was drawn on it yet. */
  fresh: boolean
  exit: ExitStatus | null
  readonly latch: Latch.Latch
}

/** What became of bytes that a viewer's terminal sent. */
export interface ViewerInput {
  /** Bytes for the CLI, in order. */
  readonly forward: string
  /** The kinds of keys among them; empty when a person pressed none. */
  readonly keys: ReadonlyArray<KeyKind>
  /** They begin with the rest of a sequence whose first byte was given out as the Escape key. */
  readonly continues: boolean
  /** Some bytes wait for the rest of a sequence. */
  readonly pending: boolean
}

export interface ViewersOptions {
  /** Text that draws the screen as it is now; `first`: on a terminal that shows its user's own lines. */
  readonly repaint: (first: boolean) => string
  /** The size that the pseudo-terminal shall have: the primary viewer's. */
  readonly onSize: (size: PtySize) => void
  /** The number of viewers changed. */
  readonly onCount: (count: number) => void
}

/**
 * The terminals attached to one session. Output goes to all; a terminal query goes to the primary viewer only (the
 * writing viewer that was active last), and only its replies are let through; the size is its size. All is synchronous,
 * so a repaint and the output after it can neither overlap nor leave a gap.
 */
export const makeViewers = (options: ViewersOptions) => {
  const viewers = new Map<string, Viewer>()
  let activity = 0

  const primary = (): Viewer | undefined => {
    let best: Viewer | undefined
    for (const viewer of viewers.values()) {
      if (!viewer.readOnly && (best === undefined || viewer.active > best.active)) best = viewer
    }
    return best
  }

  let leading: Viewer | undefined
  /** The pseudo-terminal takes the size of whoever is primary now. */
  const follow = (): void => {
    const now = primary()
    if (now !== undefined && now !== leading) options.onSize(now.size)
    leading = now
  }

  const touch = (viewer: Viewer): void => {
    viewer.active = ++activity
    follow()
  }

  const push = (viewer: Viewer, data: string): void => {
    if (data === "" || viewer.repaint) return
    viewer.pending.push(data)
    viewer.pendingBytes += data.length
    if (viewer.pendingBytes > backlogLimit) {
      viewer.pending = []
      viewer.pendingBytes = 0
      viewer.repaint = true
    }
    viewer.latch.openUnsafe()
  }

  const take = (viewer: Viewer): AttachFrame | undefined => {
    if (viewer.repaint) {
      viewer.repaint = false
      const data = toBase64(utf8ToLatin1(options.repaint(viewer.fresh)))
      viewer.fresh = false
      return AttachFrame.cases.Repaint.make({ data })
    }
    if (viewer.pendingBytes > 0) {
      const all = viewer.pending.length === 1 ? viewer.pending[0]! : viewer.pending.join("")
      const data = all.slice(0, frameLimit)
      viewer.pending = data.length < all.length ? [all.slice(frameLimit)] : []
      viewer.pendingBytes = all.length - data.length
      return AttachFrame.cases.Output.make({ data: toBase64(data) })
    }
    if (viewer.exit !== null) return AttachFrame.cases.Exited.make({ exit: viewer.exit })
    viewer.latch.closeUnsafe()
    return undefined
  }

  const nextFrame = (viewer: Viewer): Effect.Effect<AttachFrame> =>
    Effect.suspend(() => {
      const frame = take(viewer)
      return frame === undefined ? Effect.andThen(viewer.latch.await, nextFrame(viewer)) : Effect.succeed(frame)
    })

  let exited: ExitStatus | null = null

  return {
    count: () => viewers.size,
    hasPrimary: () => primary() !== undefined,

    /** The viewer's frames; it is attached while the stream runs. An id that is attached already is taken over. */
    attach: (viewer: {
      readonly id: string
      readonly size: PtySize
      readonly readOnly: boolean
      readonly programStatus: boolean
    }): Stream.Stream<AttachFrame> =>
      Stream.unwrap(
        Effect.acquireRelease(
          Effect.sync(() => {
            const entry: Viewer = {
              ...viewer,
              input: InputBytes.start,
              active: 0,
              pending: [],
              pendingBytes: 0,
              repaint: true,
              fresh: true,
              exit: exited,
              latch: Latch.makeUnsafe(true)
            }
            viewers.set(viewer.id, entry)
            touch(entry)
            options.onCount(viewers.size)
            return entry
          }),
          (entry) =>
            Effect.sync(() => {
              if (viewers.get(entry.id) !== entry) return
              viewers.delete(entry.id)
              follow()
              options.onCount(viewers.size)
            })
        ).pipe(
          Effect.map((entry) =>
            Stream.fromEffectRepeat(nextFrame(entry)).pipe(Stream.takeUntil((frame) => frame._tag === "Exited"))
          )
        )
      ),

    /** Hands output to the viewers. True when the primary viewer's terminal will answer the queries in it. */
    output: (segments: ReadonlyArray<OutputSegment>): void => {
      if (viewers.size === 0) return
      const answering = primary()
      const data = { plain: "", status: "", queries: "", both: "" }
      for (const segment of segments) {
        switch (segment._tag) {
          case "Text":
            data.plain += segment.data
            data.status += segment.data
            data.queries += segment.data
            data.both += segment.data
            break
          case "Query":
            data.queries += segment.data
            data.both += segment.data
            break
          case "Report":
            data.status += segment.data
            data.both += segment.data
            break
          case "ReportQuery":
            break
        }
      }
      for (const viewer of viewers.values()) {
        push(
          viewer,
          viewer === answering
            ? viewer.programStatus ? data.both : data.queries
            : viewer.programStatus ? data.status : data.plain
        )
      }
    },

    /** Sorts what a viewer's terminal sent: keys and reports go on, replies only from the primary viewer. */
    input: (id: string, base64: string, at: number): ViewerInput => {
      const viewer = viewers.get(id)
      const bytes = fromBase64(base64)
      if (viewer === undefined || viewer.readOnly || bytes === null) return { forward: "", keys: [], continues: false, pending: false }
      const scanned = InputBytes.classify(viewer.input, bytes, at)
      viewer.input = scanned.state
      if (scanned.parts.some((part) => part._tag === "Keys")) touch(viewer)
      const isPrimary = primary() === viewer
      const keys: Array<KeyKind> = []
      let forward = ""
      for (const part of scanned.parts) {
        if (part._tag === "Keys") keys.push(part.kind)
        if (part._tag === "Reply" && !isPrimary) continue
        forward += part.data
      }
      return { forward, keys, continues: scanned.parts[0]?.continues === true, pending: scanned.state.pending.length > scanned.state.given }
    },

    resize: (id: string, size: PtySize): void => {
      const viewer = viewers.get(id)
      if (viewer === undefined) return
      viewer.size = size
      if (primary() === viewer) options.onSize(size)
    },

    /** The CLI has ended: every viewer gets its last bytes, then this. */
    exited: (exit: ExitStatus): void => {
      exited = exit
      for (const viewer of viewers.values()) {
        viewer.exit = exit
        viewer.latch.openUnsafe()
      }
    }
  }
}

export type Viewers = ReturnType<typeof makeViewers>
