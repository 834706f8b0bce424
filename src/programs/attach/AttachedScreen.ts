import { Effect, Semaphore } from "effect"
import type { ViewerFrame } from "../../domain/surfaces/attachChannel/ChannelFrame.ts"
import { fromLatin1, toLatin1, utf8ToLatin1 } from "../../domain/words/text/Bytes.ts"
import * as TerminalModes from "../../domain/terminal/sequences/TerminalModes.ts"
import type { OverlayRows } from "../../domain/surfaces/overlay/Overlay.ts"
import { oneLine } from "../../domain/words/text/printable.ts"
import { encodeLine } from "../../domain/surfaces/tui/Paint.ts"
import type { PtySize } from "../../services/Pty.ts"
import type { UserTerminal } from "../../services/UserTerminal.ts"

export type DrawingFrame = Extract<ViewerFrame, { readonly data: Uint8Array }>

/** Undoes the CLI's changes. The cursor ends below an ended CLI's output if it is still there, else at the bottom. */
const leaving = (modes: TerminalModes.TerminalModes, over: boolean): string =>
  TerminalModes.restoreSequence(modes) +
  (TerminalModes.keepsCursor(modes) && (over || modes.alternate !== null) ? "\r" : "\x1b[9999;1H\r\n")

/** Output that may set or restore a title; tmux and screen also take an APC, or the text after ESC k, for one. */
// oxlint-disable-next-line no-control-regex
const setsTitle = /\x1b\][012];|\x9d[012];|\x1b\[23;|\x1b[ck_]/

/** Leap's title followed by the CLI's, without bytes that would end the sequence. */
const titleOf = (own: string, cli: string): string => oneLine(cli === "" ? own : `${own} — ${cli}`, 200)

/** The user's terminal while it shows a session. What is drawn passes through here, in order, and can be undone. */
export const makeAttachedScreen = Effect.fnUntraced(function* (
  terminal: UserTerminal["Service"],
  colour: boolean,
  shown: (output: string) => void = () => {}
) {
  const mutex = yield* Semaphore.make(1)
  let isWriting = false
  const inTurn = (write: Effect.Effect<void>) =>
    mutex.withPermit(
      Effect.ensuring(
        Effect.suspend(() => {
          isWriting = true
          return isLeft ? Effect.void : write
        }),
        Effect.sync(() => {
          isWriting = false
        })
      )
    )
  let modes = TerminalModes.start
  let drawn = false
  let over = false
  let isLeft = false
  let reserved = 0
  let rows: OverlayRows | null = null
  let bottom = 0
  let asides = ""
  let title: string | null = null
  /** The title that was set instead of the CLI's; null if the terminal shows the CLI's. */
  let titled: string | null = null

  /** The bytes to write after the CLI's output, which ends with `data`. */
  const behind = (data: string): string => {
    if (modes.vt.phase !== "Ground") return ""
    const wanted = title === null ? null : titleOf(title, TerminalModes.titleText(modes))
    // the CLI may have set its own title over it
    const set =
      wanted !== null && (wanted !== titled || setsTitle.test(data)) ? `\x1b]0;${utf8ToLatin1(wanted)}\x1b\\` : ""
    if (wanted !== null) titled = wanted
    const all = asides + set
    asides = ""
    return all
  }

  const written = (data: string, before = "", after = ""): Uint8Array => {
    modes = TerminalModes.track(modes, data)
    return fromLatin1(before + data + after + behind(data))
  }

  // if this process dies
  yield* terminal.restoreOnExit(() => (drawn ? leaving(modes, over) : ""))

  const cursor = (): string => {
    if (rows === null || rows.beside === true || (rows.lines.length !== reserved && rows.over !== true)) return ""
    const { cursor, lines } = rows
    return cursor === null ? "\x1b[?25l" : `\x1b[${bottom - lines.length + 1 + cursor.y};${cursor.x + 1}H\x1b[?25h`
  }
  const drawRows = (): string => {
    if (rows === null) return ""
    // a stopped host may have left a sequence unfinished
    if (rows.lines.length !== reserved && (rows.over !== true || modes.vt.phase !== "Ground")) return ""
    const top = bottom - rows.lines.length
    const lines = rows.lines.map((line, y) => `\x1b[${top + y + 1};1H\x1b[2K${encodeLine(line, colour)}`)
    if (rows.beside === true) return utf8ToLatin1(`\x1b7\x1b[m${lines.join("")}\x1b8`)
    // bracketed paste, so that pastes differ from keys, whatever the CLI requests
    return utf8ToLatin1(`\x1b[?2026h\x1b[?2004h\x1b[?25l\x1b[m${lines.join("")}\x1b[?2026l${cursor()}`)
  }

  const drawing = (frame: DrawingFrame): Uint8Array => {
    // most output is plain text that changes no mode, with nothing of leap's beside it
    if (frame._tag === "Output" && reserved === 0 && asides === "" && TerminalModes.isText(modes, frame.data))
      return frame.data
    const data = toLatin1(frame.data)
    if (frame._tag === "Output") {
      shown(data)
      return written(data + cursor())
    }
    const before = drawn ? TerminalModes.restoreSequence(modes) + TerminalModes.enterSequence : ""
    modes = TerminalModes.start
    drawn = true
    // restoring the modes also restored the earlier title
    titled = null
    reserved = frame.reserved
    // one update, so that undoing and setting again is invisible
    return written(data + drawRows(), `\x1b[?2026h${before}`, "\x1b[?2026l")
  }

  return {
    frame: (frame: DrawingFrame) => inTurn(Effect.suspend(() => terminal.write(drawing(frame)))),
    /** Draws immediately if no write is in progress; false if nothing was done. */
    frameNow: (frame: DrawingFrame): boolean => !isWriting && !isLeft && terminal.writeNow(() => drawing(frame)),
    /** Draws these rows at the bottom once the host leaves room for them; null removes them. */
    overlay: (now: OverlayRows | null, size: PtySize) =>
      inTurn(
        Effect.suspend(() => {
          rows = now
          bottom = size.rows
          const drawn = drawRows()
          return drawn === "" ? Effect.void : terminal.write(written(drawn))
        })
      ),
    /** Writes bytes (latin1) that leave no trace on the screen, as soon as the CLI is between two sequences. */
    aside: (data: string) =>
      inTurn(
        Effect.suspend(() => {
          asides += data
          return terminal.write(fromLatin1(behind("")))
        })
      ),
    /** The part of the terminal's title before the CLI's; null for the CLI's alone. */
    title: (text: string | null) =>
      inTurn(
        Effect.suspend(() => {
          title = text
          return drawn ? terminal.write(fromLatin1(behind(""))) : Effect.void
        })
      ),
    /** The session has ended; its last output stays. */
    end: (): void => {
      over = true
    },
    /** Undoes everything that was written, and writes nothing afterwards. */
    leave: Effect.suspend(() => {
      if (isLeft) return Effect.void
      isLeft = true
      // the overlay is not part of the session, and must not stay
      const own = reserved > 0 ? `\x1b[${bottom - reserved + 1};1H\x1b[m\x1b[J` : ""
      return terminal.leave(own + leaving(modes, over))
    })
  }
})

export type AttachedScreen = Effect.Success<ReturnType<typeof makeAttachedScreen>>
