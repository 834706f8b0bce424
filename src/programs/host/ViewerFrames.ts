import { Clock, Effect, type Latch } from "effect"
import { dataLimit, type ViewerFrame } from "../../domain/surfaces/attachChannel/ChannelFrame.ts"
import type { ExitStatus } from "../../domain/words/session/Session.ts"
import type { InputState } from "../../domain/terminal/sequences/InputBytes.ts"
import type { Notice } from "../../domain/surfaces/notify/Notice.ts"
import { fromLatin1, utf8ToLatin1, concat } from "../../domain/words/text/Bytes.ts"
import type { PtySize } from "../../services/Pty.ts"
import type { ScreenMark } from "../../services/Screen.ts"
import type { ViewerCrop } from "./ViewerCrop.ts"

/** Bytes that wait for a viewer, in order. */
interface Backlog {
  readonly size: () => number
  readonly add: (data: Uint8Array) => void
  readonly take: (limit: number) => Uint8Array
  readonly moveTo: (other: Backlog) => void
  readonly clear: () => void
}

/** Shorter pieces are merged into blocks. A small `Uint8Array` uses many times its length in memory. */
const minSeparatePiece = 4 << 10
const blockSize = 16 << 10

export const makeBacklog = (): Backlog => {
  let pieces: Array<Uint8Array> = []
  let takenCount = 0
  let size = 0
  /** The block of the last piece, if it has room. */
  let block: Uint8Array | null = null

  const clear = (): void => {
    pieces = []
    takenCount = 0
    size = 0
    block = null
  }
  const add = (data: Uint8Array): void => {
    if (data.length === 0) return
    size += data.length
    if (data.length >= minSeparatePiece) {
      pieces.push(data)
      block = null
      return
    }
    const last = block === null ? undefined : pieces.at(-1)
    if (block === null || last === undefined || last.byteOffset + last.length + data.length > block.length) {
      block = new Uint8Array(blockSize)
      block.set(data)
      pieces.push(block.subarray(0, data.length))
      return
    }
    const end = last.byteOffset + last.length
    block.set(data, end)
    pieces[pieces.length - 1] = block.subarray(last.byteOffset, end + data.length)
  }

  return {
    size: () => size,
    add,
    take: (limit) => {
      const taken: Array<Uint8Array> = []
      let length = 0
      while (length < limit && takenCount < pieces.length) {
        const piece = pieces[takenCount]!
        const part = piece.length > limit - length ? piece.subarray(0, limit - length) : piece
        taken.push(part)
        length += part.length
        if (part.length < piece.length) pieces[takenCount] = piece.subarray(part.length)
        else takenCount++
      }
      size -= length
      if (takenCount === pieces.length) clear()
      // Taken pieces are removed in batches, because `slice` copies the rest.
      else if (takenCount > 64) {
        pieces = pieces.slice(takenCount)
        takenCount = 0
      }
      return taken.length === 1 ? taken[0]! : concat(taken, length)
    },
    moveTo: (other) => {
      for (let at = takenCount; at < pieces.length; at++) other.add(pieces[at]!)
      clear()
    },
    clear
  }
}

/** Bytes a viewer may lag behind before its backlog is dropped and its screen repainted instead. */
const backlogLimit = 4 << 20

export interface Viewer {
  readonly id: string
  readonly readOnly: boolean
  programStatus: boolean
  readonly notices: boolean
  /** Takes output at once; false if it must wait. Null for a viewer that requests each frame. */
  readonly direct: ((data: Uint8Array) => boolean) | null
  size: PtySize
  /** Rows at its bottom in which the viewer's own program draws. */
  reserved: number
  /** How it is drawn while it does not fit the session's screen; else null. */
  clip: ViewerCrop | null
  /** The screen's mark when clipping began, until an unclipped repaint; null if it was clipped from the start. */
  since: ScreenMark | null
  /** What an unclipped terminal would have received: the screen when clipping began, and the output since. */
  replay: { readonly screen: string; readonly output: Backlog } | null
  input: InputState
  /** Higher for a viewer that was active later; of those that may write, the highest is primary. */
  active: number
  readonly pending: Backlog
  repaint: boolean
  fresh: boolean
  unscrolled: boolean
  exit: ExitStatus | null
  told: Array<Notice>
  readonly latch: Latch.Latch
}

/**
 * Text that draws the current screen. `first`: on a terminal that still shows its user's own lines. `scrollback`: all,
 * none, or what has scrolled since the mark.
 */
export type Repaint = (how: { readonly first: boolean; readonly scrollback: boolean | ScreenMark }) => string

/**
 * Builds the frames of viewers, each on request. `reports`: the program-status bytes for a repainted terminal. `drawn`
 * is called when a viewer that got the screen requests more, because later output must not overtake the screen.
 */
export const makeFrames = (repaintText: Repaint, reports: (viewer: Viewer) => string, drawn = () => {}) => {
  /** Stores output for an unclipped terminal, up to the backlog limit. */
  const keep = (viewer: Viewer, data: Uint8Array): void => {
    const { replay } = viewer
    if (replay === null || data.length === 0) return
    replay.output.add(data)
    if (replay.output.size() > backlogLimit) viewer.replay = null
  }

  const push = (viewer: Viewer, data: Uint8Array): void => {
    if (viewer.repaint && viewer.clip === null) keep(viewer, data)
    if (data.length === 0 || viewer.repaint) return
    if (viewer.pending.size() === 0 && viewer.direct?.(data) === true) return
    viewer.pending.add(data)
    if (viewer.pending.size() > backlogLimit) {
      viewer.pending.clear()
      viewer.repaint = true
    }
    viewer.latch.openUnsafe()
  }

  const repaint = (viewer: Viewer): ViewerFrame => {
    const { clip, fresh, replay, reserved, since } = viewer
    viewer.repaint = false
    const text =
      clip !== null
        ? clip.drawAll(fresh)
        : (replay?.screen ?? repaintText({ first: fresh, scrollback: fresh || viewer.unscrolled || (since ?? false) }))
    const data = fromLatin1(reports(viewer) + utf8ToLatin1(text))
    if (clip === null && replay !== null) {
      viewer.replay = null
      replay.output.moveTo(viewer.pending)
    }
    if (clip === null) {
      since?.release()
      viewer.since = null
    }
    viewer.unscrolled = clip !== null && (fresh || viewer.unscrolled)
    viewer.fresh = false
    return { _tag: "Repaint", data, reserved }
  }

  const take = (viewer: Viewer, limit: number): ViewerFrame | undefined => {
    if (viewer.clip?.isStale() === true) viewer.repaint = true
    // untaken output comes first, for its scrollback
    if (viewer.repaint && viewer.pending.size() === 0) return repaint(viewer)
    if (viewer.pending.size() > 0) return { _tag: "Output", data: viewer.pending.take(limit) }
    const drawn = viewer.clip?.drawChanges(viewer.exit !== null) ?? ""
    if (drawn !== "") return { _tag: "Output", data: fromLatin1(utf8ToLatin1(drawn)) }
    const notice = viewer.told.shift()
    if (notice !== undefined) return { _tag: "Notice", notice }
    if (viewer.exit !== null) return { _tag: "Exited", exit: viewer.exit }
    viewer.latch.closeUnsafe()
    return undefined
  }

  /** The next frame, with at most `limit` bytes of output; a drawing may have more. */
  const nextFrame = (viewer: Viewer, limit: () => number = () => dataLimit): Effect.Effect<ViewerFrame> =>
    Effect.gen(function* () {
      if (!viewer.fresh) drawn()
      for (;;) {
        const wait = viewer.clip?.msUntilDraw(yield* Clock.currentTimeMillis) ?? 0
        if (wait > 0 && !viewer.repaint && viewer.exit === null) {
          yield* Effect.sleep(wait)
          continue
        }
        const frame = take(viewer, limit())
        if (frame !== undefined) {
          viewer.clip?.drawnAt(yield* Clock.currentTimeMillis)
          return frame
        }
        yield* viewer.latch.await
        // the caller continues first: more output may come in this turn, and the screen may lack the latest
        yield* Effect.yieldNow
      }
    })

  return { keep, nextFrame, push }
}
