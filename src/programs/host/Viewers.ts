import { Context, Effect, Latch, Layer, type Scope, Stream, SubscriptionRef } from "effect"
import type { ExitStatus } from "../../domain/words/session/Session.ts"
import type { KeyKind } from "../../domain/words/session/SessionEvent.ts"
import * as InputBytes from "../../domain/terminal/sequences/InputBytes.ts"
import type { OutputSegment } from "../../domain/terminal/sequences/OutputScanner.ts"
import { dealOut } from "../../domain/terminal/relay/OutputShares.ts"
import * as ReportRelay from "../../domain/terminal/relay/ReportRelay.ts"
import type { Notice } from "../../domain/surfaces/notify/Notice.ts"
import type { StatusReport } from "../../domain/words/session/ProgramStatus.ts"
import { type SessionReport, sessionReport } from "../../domain/words/wording/SessionReport.ts"
import type { ViewerFrame } from "../../domain/surfaces/attachChannel/ChannelFrame.ts"
import { fromLatin1, toLatin1 } from "../../domain/words/text/Bytes.ts"
import type { PtySize } from "../../services/Pty.ts"
import type { ScreenMark } from "../../services/Screen.ts"
import { makeBacklog, makeFrames, type Repaint, type Viewer } from "./ViewerFrames.ts"
import { type ViewerCrop, type CropSource, makeViewerCrop } from "./ViewerCrop.ts"
import { CliOutput } from "./CliOutput.ts"
import { SessionScreen } from "./SessionScreen.ts"
import { StatusPublisher } from "./StatusPublisher.ts"
import { TerminalSize } from "./TerminalSize.ts"

export interface AttachedViewers {
  readonly hasPrimary: () => boolean
  /** Attaches a viewer until the scope ends, and replaces an attached one with the same id. */
  readonly join: (viewer: JoiningViewer) => Effect.Effect<ViewerFrames, never, Scope.Scope>
  /** The viewer's frames, up to its last; it is attached while the stream runs. */
  readonly attach: (viewer: JoiningViewer) => Stream.Stream<ViewerFrame>
  /** Passes output to all viewers, but queries only to the primary. `bytes`: the same, if it has no queries. */
  readonly output: (segments: ReadonlyArray<OutputSegment>, bytes?: Uint8Array) => void
  /** Passes on text without any sequence. */
  readonly text: (bytes: Uint8Array) => void
  /** Reports leap's program status to terminals that read it, while the CLI reports none itself. */
  readonly report: (report: StatusReport) => void
  readonly notice: (notice: Notice) => void
  /** Sorts input of a viewer's terminal (latin1): keys and reports pass, replies only from the primary viewer. */
  readonly input: (id: string, data: string, at: number) => ViewerInput
  /** A viewer's terminal has this size; its last `reserved` rows are its own program's. */
  readonly resize: (id: string, size: PtySize, reserved?: number) => void
  /** A viewer's terminal reads program status, as its answer shows, which came after it had joined. */
  readonly readsStatus: (id: string) => void
  /** The CLI has ended: every viewer gets its last bytes, then the exit status. */
  readonly exited: (exit: ExitStatus) => void
}

export interface JoiningViewer {
  readonly id: string
  readonly size: PtySize
  readonly readOnly: boolean
  readonly programStatus: boolean
  readonly notices?: boolean
  /** See `Viewer.direct`. */
  readonly direct?: (data: Uint8Array) => boolean
}

export interface ViewerFrames {
  /** Waits for the next frame; its output has at most `limit` bytes, read at that moment. */
  readonly next: (limit?: () => number) => Effect.Effect<ViewerFrame>
}

/**
 * The terminals attached to the session. Output goes to all. A terminal query goes only to the primary viewer (the
 * writing viewer that was last active), only its replies pass, and its size is the session's. Everything is
 * synchronous, so a repaint and the output after it neither overlap nor leave a gap.
 *
 * Output fits only a terminal of the session's size. Other viewers get the emulator's screen, clipped (`ViewerCrop`),
 * as often as they take a frame. A viewer that fits again gets the screen and what has scrolled since.
 */
export class Viewers extends Context.Service<
  Viewers,
  AttachedViewers & {
    /** Waits until a viewer got the screen; from then on it gets the CLI's output and queries. */
    readonly awaitDrawn: Effect.Effect<void>
    readonly awaitNone: Effect.Effect<void>
  }
>()("leap/programs/host/Viewers") {}

/** The sorted input of a viewer's terminal. */
export interface ViewerInput {
  readonly forward: string
  /** The kinds of keys; empty if no person pressed one. */
  readonly keys: ReadonlyArray<KeyKind>
  /** The bytes begin with the rest of a sequence whose first byte was passed on as the Escape key. */
  readonly continues: boolean
  /** Some bytes wait for the rest of a sequence. */
  readonly pending: boolean
}

export interface ViewersOptions {
  /** See {@link Repaint}. */
  readonly repaint: Repaint
  /** The size of the session's terminal, and the screen for clipped viewers. */
  readonly screen: CropSource & { readonly mark: () => ScreenMark }
  /** Resizes the session's terminal to the primary viewer's size. */
  readonly onSize: (size: PtySize) => void
  readonly onCount: (count: number) => Effect.Effect<void>
  /** Called when a viewer got the screen and requests the next frame. */
  readonly onDrawn?: () => void
  /** Whether the output so far ends within a sequence, so that nothing may follow it. */
  readonly withinSequence: () => boolean
}

/** See {@link Viewers}. */
export const makeViewers = (options: ViewersOptions): AttachedViewers => {
  const viewers = new Map<string, Viewer>()
  let activity = 0
  let relay = ReportRelay.start
  /** A report of leap's that waits for the end of a sequence. */
  let late = ""

  const primary = (): Viewer | undefined => {
    let best: Viewer | undefined
    for (const viewer of viewers.values()) {
      if (!viewer.readOnly && (best === undefined || viewer.active > best.active)) best = viewer
    }
    return best
  }

  let leading: Viewer | undefined
  /** The pseudo-terminal takes the size of a new primary viewer. */
  const follow = (): void => {
    const now = primary()
    if (now !== undefined && now !== leading) setSize(now.size)
    leading = now
  }
  const setSize = (size: PtySize): void => {
    const before = options.screen.size()
    if (size.cols === before.cols && size.rows === before.rows) return options.onSize(size)
    // marks their screens' beginnings before they move
    const marks = [...viewers.values()].map((viewer) => [viewer, options.screen.mark()] as const)
    options.onSize(size)
    for (const [viewer, mark] of marks) refit(viewer, mark)
  }

  /** Decides how a viewer is drawn. `resized`: the screen's beginning before a resize. */
  const refit = (viewer: Viewer, resized: ScreenMark | null): void => {
    const { cols, rows } = options.screen.size()
    const fits = viewer.reserved === 0 && viewer.size.cols === cols && viewer.size.rows === rows
    const room = { cols: viewer.size.cols, rows: Math.max(1, viewer.size.rows - viewer.reserved) }
    if (fits && viewer.clip === null && resized === null) return
    if (resized !== null) viewer.replay = null
    if (!fits && viewer.clip === null && !viewer.fresh) {
      viewer.since ??= resized ?? options.screen.mark()
      // only the viewer's own rows prevent the fit, so later output suits its terminal
      if (viewer.size.cols === cols && viewer.size.rows === rows && !viewer.repaint)
        viewer.replay = { screen: options.repaint({ first: false, scrollback: false }), output: makeBacklog() }
    }
    if (viewer.since !== resized) resized?.release()
    if (viewer.clip !== null) keep(viewer, fromLatin1(viewer.clip.incompleteSequence()))
    viewer.clip = fits ? null : makeViewerCrop(options.screen, room)
    viewer.repaint = true
    viewer.latch.openUnsafe()
  }

  const touch = (viewer: Viewer): void => {
    viewer.active = ++activity
    follow()
  }

  const { keep, nextFrame, push } = makeFrames(
    options.repaint,
    (viewer) => (viewer.programStatus ? ReportRelay.redraw(relay) : ""),
    options.onDrawn
  )

  const tell = (report: string): void => {
    late = options.withinSequence() ? report : ""
    if (late !== "") return
    const bytes = fromLatin1(report)
    for (const viewer of viewers.values()) if (viewer.programStatus) push(viewer, bytes)
  }

  let exited: ExitStatus | null = null

  /** Output for a clipped viewer: only what draws nothing passes unchanged. */
  const pushClipped = (viewer: Viewer, clip: ViewerCrop, output: string, reports: string): void => {
    clip.changed()
    const { forTerminal, rest } = clip.splitForTerminal(output)
    push(viewer, fromLatin1(forTerminal + reports))
    keep(viewer, fromLatin1(rest))
    viewer.latch.openUnsafe()
  }

  const join: AttachedViewers["join"] = ({ direct = null, notices = false, ...viewer }) =>
    Effect.acquireRelease(
      Effect.sync(() => {
        const entry: Viewer = {
          ...viewer,
          direct,
          notices,
          told: [],
          reserved: 0,
          clip: null,
          since: null,
          replay: null,
          unscrolled: false,
          input: InputBytes.start,
          active: 0,
          pending: makeBacklog(),
          repaint: true,
          fresh: true,
          exit: exited,
          latch: Latch.makeUnsafe(true)
        }
        viewers.set(viewer.id, entry)
        touch(entry)
        refit(entry, null)
        return entry
      }).pipe(Effect.tap(() => options.onCount(viewers.size))),
      (entry) =>
        Effect.suspend(() => {
          entry.since?.release()
          if (viewers.get(entry.id) !== entry) return Effect.void
          viewers.delete(entry.id)
          follow()
          return options.onCount(viewers.size)
        })
    ).pipe(Effect.map((entry): ViewerFrames => ({ next: (limit) => nextFrame(entry, limit) })))

  return {
    hasPrimary: () => primary()?.clip === null,

    join,
    attach: (viewer) =>
      Stream.unwrap(
        Effect.map(join(viewer), ({ next }) =>
          Stream.fromEffectRepeat(next()).pipe(Stream.takeUntil((frame) => frame._tag === "Exited"))
        )
      ),

    output: (segments, bytes) => {
      const shares = dealOut(relay, segments)
      relay = shares.relay
      const answering = primary()
      for (const viewer of viewers.values()) {
        if (viewer.clip === null) {
          push(viewer, bytes ?? shares.of(viewer === answering, viewer.programStatus))
          continue
        }
        pushClipped(viewer, viewer.clip, toLatin1(shares.of(false, false)), viewer.programStatus ? shares.reports : "")
      }
      if (late !== "") tell(relay.speaks ? "" : late)
    },

    text: (bytes) => {
      for (const viewer of viewers.values()) {
        if (viewer.clip === null) push(viewer, bytes)
        else pushClipped(viewer, viewer.clip, toLatin1(bytes), "")
      }
      if (late !== "") tell(relay.speaks ? "" : late)
    },

    report: (report) => {
      const [next, bytes] = ReportRelay.state(relay, report)
      relay = next
      if (bytes !== "") tell(bytes)
    },

    notice: (notice) => {
      for (const viewer of viewers.values()) {
        if (!viewer.notices) continue
        viewer.told.push(notice)
        viewer.latch.openUnsafe()
      }
    },

    input: (id, data, at) => {
      const viewer = viewers.get(id)
      if (viewer === undefined || viewer.readOnly) return { forward: "", keys: [], continues: false, pending: false }
      const scanned = InputBytes.classify(viewer.input, data, at)
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
      return {
        forward,
        keys,
        continues: scanned.parts[0]?.continues === true,
        pending: scanned.state.pending.length > scanned.state.given
      }
    },

    resize: (id, size, reserved = 0) => {
      const viewer = viewers.get(id)
      if (viewer === undefined) return
      const before = viewer.size
      const resized = before.cols !== size.cols || before.rows !== size.rows
      const isOther = viewer.reserved !== reserved
      viewer.size = size
      viewer.reserved = Math.max(0, Math.min(reserved, size.rows))
      if (primary() === viewer) setSize(size)
      if (resized || isOther) refit(viewer, resized ? options.screen.mark() : null)
    },

    readsStatus: (id) => {
      const viewer = viewers.get(id)
      if (viewer === undefined || viewer.programStatus) return
      viewer.programStatus = true
      if (!options.withinSequence()) return push(viewer, fromLatin1(ReportRelay.redraw(relay)))
      // a repaint begins with the status, and resumes the sequence that the CLI has begun
      viewer.repaint = true
      viewer.latch.openUnsafe()
    },

    exited: (exit) => {
      exited = exit
      for (const viewer of viewers.values()) {
        viewer.exit = exit
        viewer.clip?.changed()
        viewer.latch.openUnsafe()
      }
    }
  }
}

const make = Effect.gen(function* () {
  const screen = yield* SessionScreen
  const output = yield* CliOutput
  const terminal = yield* TerminalSize
  const publisher = yield* StatusPublisher
  const drawn = yield* Latch.make(false)
  const none = yield* Latch.make(true)
  const viewers = makeViewers({
    repaint: ({ first, scrollback }) => {
      // on the main screen, the user's own lines move into the scrollback first
      const room = first && !screen.view().alternate ? "\r\n".repeat(screen.size().rows) : ""
      return room + screen.repaint({ main: false, scrollback }) + output.resume()
    },
    screen,
    onSize: terminal.set,
    onDrawn: () => drawn.openUnsafe(),
    withinSequence: () => output.resume() !== "",
    onCount: (count) => {
      if (count > 0) none.closeUnsafe()
      else none.openUnsafe()
      return publisher.update({ attached: count })
    }
  })
  let lastReport: SessionReport | null = null
  yield* SubscriptionRef.changes(publisher.status).pipe(
    Stream.runForEach((status) =>
      Effect.sync(() => {
        lastReport = sessionReport(lastReport, status)
        viewers.report(lastReport.report)
      })
    ),
    Effect.forkScoped
  )
  return Viewers.of({ ...viewers, awaitDrawn: drawn.await, awaitNone: none.await })
})

export const layer = Layer.effect(Viewers, make)
