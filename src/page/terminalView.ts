import { Terminal } from "@xterm/xterm"
import { cellProperties, charWidth } from "../domain/words/text/CharWidth.ts"
import * as RepeatBound from "../domain/terminal/sequences/RepeatBound.ts"
import * as TerminalModes from "../domain/terminal/sequences/TerminalModes.ts"
import { plainOutput } from "../domain/surfaces/web/plainText.ts"
import type { ServerFrame } from "../domain/surfaces/web/Frames.ts"
import { send } from "./connection.ts"
import { announcement, shown, unshownWhy } from "./store.ts"

/** The most characters of one frame (Frames.ts, typedMost), and of one paste. */
const typedMost = 8192
const pasteMost = 32 * typedMost

const terminal = new Terminal({
  fontFamily: 'ui-monospace, "SF Mono", Menlo, Consolas, "DejaVu Sans Mono", monospace',
  fontSize: 13,
  scrollback: 2000,
  // Needed for leap's own widths.
  allowProposedApi: true,
  // A CLI's links are text: they open nothing.
  linkHandler: { activate: () => {}, allowNonHttpProtocols: false },
  disableStdin: true,
  cursorBlink: false
})

// The same widths as in the session's own terminal: otherwise text after an emoji would be misplaced.
terminal.unicode.register({ version: "leap", wcwidth: charWidth, charProperties: cellProperties })
terminal.unicode.activeVersion = "leap"

let modes = TerminalModes.start
let decoder = new TextDecoder()
/** A host bounds its output. A host of an older version does not, and would freeze the page for minutes. */
let repeats = RepeatBound.start
let typing = false
let leave: () => void = () => {}
let change: (text: string) => string = (text) => text

const type = (text: string): void => {
  if (!typing) return
  const changed = change(text)
  if (changed.length > pasteMost) {
    announcement.value = "that is too long to be pasted: nothing was"
    return
  }
  for (let at = 0; at < changed.length; at += typedMost) send({ _tag: "Type", data: changed.slice(at, at + typedMost) })
}
terminal.onData(type)
terminal.attachCustomKeyEventHandler((event) => {
  if (event.ctrlKey && event.key === "\\") {
    if (event.type === "keydown") leave()
    return false
  }
  // A screen that nobody types into must not keep the focus of a user who goes through the page by Tab.
  return typing || event.key !== "Tab"
})

/** Scrolls the page to the cursor: on a phone a screen is mostly out of sight, and the keyboard covers it. */
const showCursor = (): void => {
  const drawn = terminal.element?.querySelector(".xterm-screen")?.getBoundingClientRect()
  if (!typing || drawn === undefined) return
  const keys = document.querySelector(".keys")?.clientHeight ?? 0
  const room = (visualViewport?.height ?? innerHeight) - keys
  const { cursorY } = terminal.buffer.active
  const row = drawn.height / terminal.rows
  const [top, bottom] = [drawn.top + cursorY * row, drawn.top + (cursorY + 2) * row]
  if (bottom > room || top < 0) scrollBy({ top: bottom - room })
}

/** Where the terminal's room was scrolled to; null: not yet for this screen. */
let scrolledTo: number | null = null

/** The last row that is not empty: there a CLI asks, and takes what is typed. */
const lastRow = (): number => {
  const { active } = terminal.buffer
  let row = terminal.rows - 1
  while (row > 0 && (active.getLine(active.baseY + row)?.translateToString(true) ?? "") === "") row--
  return row
}

/** Scrolls the terminal's room to the end of the screen's text, unless the user has scrolled it. */
const keepEnd = (): void => {
  const drawn = terminal.element?.querySelector(".xterm-screen")
  const room = terminal.element?.parentElement
  if (drawn == null || room == null || room.scrollHeight <= room.clientHeight) return
  if (scrolledTo !== null && Math.abs(room.scrollTop - scrolledTo) > 1) return
  room.scrollTop = (lastRow() + 2) * (drawn.clientHeight / terminal.rows) - room.clientHeight
  scrolledTo = room.scrollTop
}

terminal.onRender(keepEnd)

const write = (bytes: string): Promise<void> => {
  const [state, passed] = RepeatBound.pass(repeats, bytes, terminal)
  repeats = state
  const text = plainOutput(
    decoder.decode(
      Uint8Array.from(passed, (char) => char.charCodeAt(0)),
      { stream: true }
    )
  )
  return new Promise((resolve) => terminal.write(text, resolve))
}

let drawnTag: string | null = null
/** Clears another session's screen, which would look like this one's until this one's arrives. */
export const clearFor = (tag: string): void => {
  if (drawnTag === tag) return
  drawnTag = tag
  terminal.reset()
}

/** Shows a frame of the screen; resolves when it is drawn. */
export const screenFrame = (
  frame: Extract<ServerFrame, { readonly _tag: "Shown" | "Repaint" | "Output" | "Unshown" }>
): Promise<void> => {
  switch (frame._tag) {
    case "Shown": {
      const { cols, rows, tag } = frame
      if (shown.value?.tag !== tag || shown.value.typing !== frame.typing) {
        terminal.reset()
        modes = TerminalModes.start
        scrolledTo = null
      }
      if (terminal.cols !== cols || terminal.rows !== rows) terminal.resize(cols, rows)
      drawnTag = tag
      typing = frame.typing
      terminal.options.disableStdin = !typing
      terminal.options.cursorBlink = typing
      shown.value = { tag, typing, cols, rows }
      unshownWhy.value = null
      return Promise.resolve()
    }
    case "Repaint": {
      decoder = new TextDecoder()
      repeats = RepeatBound.start
      const before = TerminalModes.restoreSequence(modes) + TerminalModes.enterSequence
      const data = atob(frame.data)
      modes = TerminalModes.track(TerminalModes.start, data)
      return write(before + data).then(showCursor)
    }
    case "Output": {
      const data = atob(frame.data)
      modes = TerminalModes.track(modes, data)
      return write(data)
    }
    case "Unshown":
      typing = false
      terminal.options.disableStdin = true
      shown.value = null
      unshownWhy.value = frame.why
      return Promise.resolve()
  }
}

/** Puts the terminal into the page. `onLeave`: the user leaves it by the keyboard. */
export const mount = (element: HTMLElement, onLeave: () => void): void => {
  leave = onLeave
  if (terminal.element === undefined) terminal.open(element)
  else element.append(terminal.element)
}

export const focus = (): void => terminal.focus()

export const press = (text: string): void => {
  type(text)
  terminal.focus()
}

/** Transforms text before it is typed: a held Ctrl key, for example. */
export const onType = (by: (text: string) => string): void => {
  change = by
}

/** The arrow keys in the mode that the CLI has set. */
export const arrow = (letter: "A" | "B" | "C" | "D"): string =>
  terminal.modes.applicationCursorKeysMode ? `\x1bO${letter}` : `\x1b[${letter}`

const largestFont = 13
/** A smaller font is not readable: the screen then scrolls sideways. */
const smallestFont = 9

/** Sets the largest readable font at which the screen fits this width. */
export const fitText = (width: number): void => {
  // A monospaced character is at most this much of its size wide.
  const size = Math.floor(width / (terminal.cols * 0.61))
  const next = Math.max(smallestFont, Math.min(largestFont, size))
  if (terminal.options.fontSize !== next) terminal.options.fontSize = next
}

/** Gives the session's terminal the size that the page has room for. */
export const fitSession = (width: number): void => {
  terminal.options.fontSize = largestFont
  const drawn = terminal.element?.querySelector(".xterm-screen")
  if (drawn === null || drawn === undefined) return
  const cols = Math.floor((width / drawn.clientWidth) * terminal.cols)
  const rows = Math.floor(((innerHeight * 0.75) / drawn.clientHeight) * terminal.rows)
  send({ _tag: "Fit", cols: Math.max(20, Math.min(500, cols)), rows: Math.max(5, Math.min(200, rows)) })
  terminal.focus()
}

/** For screen readers: stores the screen's text where they find it. */
export const setHeard = (heard: boolean): void => {
  terminal.options.screenReaderMode = heard
}
