import { Clock, Effect, type Latch } from "effect"
import type { ExitStatus } from "../../domain/session/Session.ts"
import type { InputState } from "../../domain/terminal/InputBytes.ts"
import type { Notice } from "../../domain/notify/Notice.ts"
import { toBase64, utf8ToLatin1 } from "../../domain/text/Bytes.ts"
import { AttachFrame } from "../../services/HostRpc.ts"
import type { PtySize } from "../../services/Pty.ts"
import type { ScreenMark } from "../../services/Screen.ts"
import type { Clip } from "./ViewerClip.ts"

/** Bytes a viewer may lag behind before its backlog is dropped and its screen repainted instead. */
const backlogLimit = 4 << 20
/** Bytes in one frame, so that a flood does not make one endless line on the wire. */
const frameLimit = 256 << 10

/** One attached terminal, and what it has not taken yet. */
export interface Viewer {
  readonly id: string
  readonly readOnly: boolean
  readonly programStatus: boolean
  /** It shows notices to its user. */
  readonly notices: boolean
  size: PtySize
  /** Rows at its bottom that are not the session's: its own program draws there. */
  reserved: number
  /** How it is drawn while its size is not the session's; else null. */
  clip: Clip | null
  /** What it was shown last as it came; null before anything was. */
  since: ScreenMark | null
  /** What it needs to be as if it had never been clipped: the screen as it was then, and the output since. */
  replay: { readonly screen: string; output: string } | null
  input: InputState
  /** Order in which viewers were last active; the highest writing one is primary. */
  active: number
  pending: Array<string>
  pendingBytes: number
  repaint: boolean
  /** Nothing was drawn on it yet. */
  fresh: boolean
  /** It has not got the scrollback yet. */
  unscrolled: boolean
  exit: ExitStatus | null
  /** What its user is to be told, behind what was drawn. */
  told: Array<Notice>
  readonly latch: Latch.Latch
}

/**
 * Text that draws the screen as it is now. `first`: on a terminal that still shows its user's own lines; `scrollback`:
 * all, none, or what has scrolled since.
 */
export type Repaint = (how: { readonly first: boolean; readonly scrollback: boolean | ScreenMark }) => string

/**
 * How viewers get what they are shown: in frames, each when it asks for one. `reports`: what program status a repainted
 * terminal is told, as bytes.
 */
export const makeFrames = (repaintText: Repaint, reports: (viewer: Viewer) => string) => {
  /** Keeps output for later, no more than a viewer may lag behind. */
  const keep = (viewer: Viewer, data: string): void => {
    if (viewer.replay === null) return
    viewer.replay.output += data
    if (viewer.replay.output.length > backlogLimit) viewer.replay = null
  }

  const push = (viewer: Viewer, data: string): void => {
    if (viewer.repaint && viewer.clip === null) keep(viewer, data)
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

  const repaint = (viewer: Viewer): AttachFrame => {
    const { clip, fresh, replay, reserved, since } = viewer
    viewer.repaint = false
    const text =
      clip !== null
        ? clip.first(fresh)
        : (replay?.screen ?? repaintText({ first: fresh, scrollback: fresh || viewer.unscrolled || (since ?? false) }))
    if (clip === null && replay !== null) {
      viewer.replay = null
      push(viewer, replay.output)
    }
    if (clip === null) {
      since?.release()
      viewer.since = null
    }
    viewer.unscrolled = clip !== null && (fresh || viewer.unscrolled)
    viewer.fresh = false
    return AttachFrame.cases.Repaint.make({
      data: toBase64(reports(viewer) + utf8ToLatin1(text)),
      ...(reserved > 0 ? { reserved } : {})
    })
  }

  const take = (viewer: Viewer): AttachFrame | undefined => {
    if (viewer.clip?.isStale() === true) viewer.repaint = true
    // what it has not taken yet comes first, for its scrollback
    if (viewer.repaint && viewer.pendingBytes === 0) return repaint(viewer)
    if (viewer.pendingBytes > 0) {
      const all = viewer.pending.length === 1 ? viewer.pending[0]! : viewer.pending.join("")
      const data = all.slice(0, frameLimit)
      viewer.pending = data.length < all.length ? [all.slice(frameLimit)] : []
      viewer.pendingBytes = all.length - data.length
      return AttachFrame.cases.Output.make({ data: toBase64(data) })
    }
    const drawn = viewer.clip?.next(viewer.exit !== null) ?? ""
    if (drawn !== "") return AttachFrame.cases.Output.make({ data: toBase64(utf8ToLatin1(drawn)) })
    const notice = viewer.told.shift()
    if (notice !== undefined) return AttachFrame.cases.Notice.make({ notice })
    if (viewer.exit !== null) return AttachFrame.cases.Exited.make({ exit: viewer.exit })
    viewer.latch.closeUnsafe()
    return undefined
  }

  const nextFrame = (viewer: Viewer): Effect.Effect<AttachFrame> =>
    Effect.gen(function* () {
      for (;;) {
        const wait = viewer.clip?.wait(yield* Clock.currentTimeMillis) ?? 0
        if (wait > 0 && !viewer.repaint && viewer.exit === null) {
          yield* Effect.sleep(wait)
          continue
        }
        const frame = take(viewer)
        if (frame !== undefined) {
          viewer.clip?.drawnAt(yield* Clock.currentTimeMillis)
          return frame
        }
        yield* viewer.latch.await
      }
    })

  return { keep, nextFrame, push }
}
