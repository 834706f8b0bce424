import type { ScreenPicture, ScreenView } from "../../domain/words/session/Screen.ts"
import type { TerminalModes } from "../../domain/terminal/sequences/TerminalModes.ts"
import * as VtScanner from "../../domain/terminal/sequences/VtScanner.ts"
import { type Drawn, paint } from "../../domain/surfaces/tui/Paint.ts"
import { cropModes, cropped, cropTitle } from "../../domain/surfaces/tui/ScreenCrop.ts"
import type { PtySize } from "../../services/Pty.ts"

export interface CropSource {
  readonly size: () => PtySize
  readonly view: () => ScreenView
  readonly picture: () => ScreenPicture
  readonly modes: () => TerminalModes
}

/** The session's screen in a viewer's window of another size: drawn completely once, then only its changes. */
export interface ViewerCrop {
  readonly changed: () => void
  /** Separates what is for the terminal and draws nothing (bells, notifications, the clipboard) from the rest. */
  readonly splitForTerminal: (output: string) => { readonly forTerminal: string; readonly rest: string }
  /** The beginning of an escape sequence whose end has not arrived. It is not part of `rest`. */
  readonly incompleteSequence: () => string
  /** The screen has changed and needs other modes of the viewer's terminal, so all must be drawn. */
  readonly isStale: () => boolean
  /** Milliseconds to wait, and then to ask again; 0: a frame may be drawn, or there is nothing to draw. */
  readonly msUntilDraw: (now: number) => number
  readonly drawnAt: (now: number) => void
  /** Draws everything. `fresh`: the terminal still shows the user's earlier output, which is scrolled away first. */
  readonly drawAll: (fresh: boolean) => string
  /** Draws the changes since the last frame; "" for none. `last`: the program has ended. */
  readonly drawChanges: (last: boolean) => string
}

/** OSC 9 (except progress), 52, 99, 777, and BEL. */
const isForTerminal = (token: VtScanner.VtToken): boolean =>
  token._tag === "Osc"
    ? /^(?:9;(?!4;)|52;|99;|777;)/.test(token.body)
    : token._tag === "Control" && token.raw === "\x07"

const blank: Drawn = { rows: [], cursor: { x: -1, y: -1 } }

/** Milliseconds between two frames. */
const frameMs = 30
/** Milliseconds after which an unfinished synchronized update is drawn. */
const updateMs = 200

export const makeViewerCrop = (source: CropSource, room: PtySize): ViewerCrop => {
  let dirty = false
  let before: Drawn | null = null
  let modes = ""
  let title = ""
  let lastDrawnAt = 0
  let ended = false
  let scan = VtScanner.start
  let updatingSince: number | null = null

  const draw = (fresh: boolean): string => {
    dirty = false
    const now = cropped(source.view(), source.picture(), room)
    const titled = cropTitle(source.modes())
    // row by row: some terminals copy the screen into their scrollback when one sequence erases all of it
    const out = (titled === title ? "" : titled) + paint(fresh || before === null ? blank : before, now)
    title = titled
    before = now
    return out
  }

  return {
    changed: () => {
      dirty = true
    },
    splitForTerminal: (output) => {
      const { state, tokens } = VtScanner.scan(scan, output)
      scan = state
      let forTerminal = ""
      let rest = ""
      for (const token of tokens) {
        if (isForTerminal(token)) forTerminal += token.raw
        else rest += token.raw
      }
      return { forTerminal, rest }
    },
    incompleteSequence: () => scan.carry,
    isStale: () => dirty && modes !== cropModes(source.modes()),
    msUntilDraw: (now) => {
      if (!dirty || ended) return 0
      updatingSince = source.view().whole ? null : (updatingSince ?? now)
      if (updatingSince !== null && now - updatingSince < updateMs) return frameMs
      return Math.max(0, lastDrawnAt + frameMs - now)
    },
    drawnAt: (now) => {
      lastDrawnAt = now
    },
    drawAll: (fresh) => {
      modes = cropModes(source.modes())
      title = ""
      const lines = fresh && !source.view().alternate ? "\r\n".repeat(room.rows) : ""
      return lines + modes + draw(true)
    },
    drawChanges: (last) => {
      const end = last && !ended ? `\x1b[${room.rows};1H\r\n\x1b[J` : ""
      ended ||= last
      if (!dirty) return end
      return draw(false) + end
    }
  }
}
