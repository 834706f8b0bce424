import xterm, { type IUnicodeVersionProvider, type Terminal } from "@xterm/headless"
import { Effect, Layer } from "effect"
import { toLatin1 } from "../domain/Bytes.ts"
import { makeWidths } from "../domain/CharWidth.ts"
import * as Pen from "../domain/Pen.ts"
import type { ScreenRun, ScreenView } from "../domain/Screen.ts"
import * as TerminalModes from "../domain/TerminalModes.ts"
import { Screen, type ScreenHandle } from "../services/Screen.ts"
import { makePainter, runsOf } from "./ScreenXtermCells.ts"
import { makeRowReader } from "./ScreenXtermRows.ts"

/** The cursor as saved by the program (DECSC), in rows of the whole buffer. */
interface SavedCursor {
  readonly x: number
  readonly line: number
}

/** A loop, for every row of every frame comes through here: a pattern would look behind each of its blanks. */
const trimRight = (text: string): string => {
  let end = text.length
  while (end > 0 && text.charCodeAt(end - 1) === 32) end--
  return end === text.length ? text : text.slice(0, end)
}

/**
 * Widths as terminals and CLIs have them today. xterm's own table is of 2010 and takes emoji for narrow, which would put
 * what follows one in the wrong column.
 */
const widths: IUnicodeVersionProvider = (() => {
  const wcwidth = makeWidths()
  return {
    version: "leap",
    wcwidth,
    // a property is width << 1, with bit 0 for "joins the character before it"
    charProperties: (code, preceding) => {
      const width = wcwidth(code)
      const before = (preceding >> 1) & 3
      return width === 0 && before > 0 ? (before << 1) | 1 : width << 1
    }
  }
})()

/** The parts of xterm's inside that mend a fault of its own. */
interface Inner {
  readonly _core?: { readonly _inputHandler?: { readonly eraseInDisplay?: (params: { readonly params: ReadonlyArray<number> }) => unknown } }
}

interface Size {
  readonly cols: number
  readonly rows: number
  readonly scrollback: number
}

/** An xterm that has leap's widths. With no scrollback at all it loses rows when it gets wider, and throws when they are written to. */
const plainTerminal = (size: Size): Terminal => {
  const terminal = new xterm.Terminal({ ...size, scrollback: Math.max(1, size.scrollback), allowProposedApi: true, logLevel: "off" })
  terminal.unicode.register(widths)
  terminal.unicode.activeVersion = widths.version
  return terminal
}

const open = (size: Size, create: (size: Size) => Terminal) => {
  let modes = TerminalModes.start
  let terminal = create(size)
  const saved: { normal: SavedCursor | null; alternate: SavedCursor | null } = { normal: null, alternate: null }

  const watch = (terminal: Terminal): void => {
    const saveCursor = (): boolean => {
      const buffer = terminal.buffer.active
      saved[buffer.type] = { x: Math.min(buffer.cursorX, terminal.cols - 1), line: buffer.baseY + buffer.cursorY }
      // false lets the terminal's own handler run as well
      return false
    }
    terminal.parser.registerEscHandler({ final: "7" }, saveCursor)
    terminal.parser.registerCsiHandler({ final: "s" }, saveCursor)
    terminal.parser.registerCsiHandler({ prefix: "?", final: "h" }, (params) =>
      params.includes(1048) || params.includes(1049) ? saveCursor() : false)
    terminal.parser.registerCsiHandler({ intermediates: "!", final: "p" }, () => {
      saved[terminal.buffer.active.type] = null
      return false
    })
    terminal.parser.registerEscHandler({ final: "c" }, () => {
      saved.normal = null
      saved.alternate = null
      return false
    })
    // "Erase all above" in the bottom right corner looks for a row below and throws. There it means the whole screen.
    for (const prefix of [undefined, "?"]) {
      terminal.parser.registerCsiHandler({ ...(prefix === undefined ? {} : { prefix }), final: "J" }, (params) => {
        const buffer = terminal.buffer.active
        if (params[0] !== 1 || buffer.cursorX < terminal.cols - 1 || buffer.cursorY + 1 < buffer.length) return false
        const handler = (terminal as unknown as Inner)._core?._inputHandler
        handler?.eraseInDisplay?.({ params: [2] })
        return true
      })
    }
  }
  watch(terminal)

  const write = (data: Uint8Array | string): void => {
    // After (even empty) user input xterm parses the next write at once instead of in a later turn of the event loop.
    terminal.input("", true)
    terminal.write(data)
  }

  const feed = (data: Uint8Array): void => {
    if (data.length === 0) return
    seen = null
    try {
      write(data)
      modes = TerminalModes.track(modes, toLatin1(data))
    } catch {
      // A fault in xterm leaves its queue stuck. What it shows is still there: a new one goes on from it, without the
      // rest of this chunk, which the program will draw over.
      modes = TerminalModes.track(modes, toLatin1(data))
      const drawn = repaint()
      const { cols, rows } = terminal
      terminal.dispose()
      terminal = create({ ...size, cols, rows })
      watch(terminal)
      write(drawn)
    }
  }

  const rowText = makeRowReader()
  const lines = (): Array<string> => {
    const buffer = terminal.buffer.active
    return Array.from({ length: terminal.rows }, (_, y) =>
      // rows of the alternate screen keep what a narrower window has hidden
      rowText(buffer.getLine(buffer.baseY + y), terminal.cols))
  }

  const faint = (y: number): string => {
    const buffer = terminal.buffer.active
    const line = y >= 0 && y < terminal.rows ? buffer.getLine(buffer.baseY + y) : undefined
    if (line === undefined) return ""
    const cell = buffer.getNullCell()
    let text = ""
    for (let x = 0; x < terminal.cols; x++) {
      if (line.getCell(x, cell) === undefined) break
      const width = cell.getWidth()
      if (width > 0) text += cell.isDim() !== 0 && cell.getChars() !== "" ? cell.getChars() : " ".repeat(width)
    }
    return trimRight(text)
  }

  const runs = (y: number): ReadonlyArray<ScreenRun> =>
    y >= 0 && y < terminal.rows ? runsOf(terminal.buffer.active, terminal.buffer.active.baseY + y, terminal.cols) : []

  /** The last view, for as long as nothing was fed since. */
  let seen: ScreenView | null = null
  const view = (): ScreenView => seen ??= look()
  const look = (): ScreenView => {
    const buffer = terminal.buffer.active
    return {
      cols: terminal.cols,
      rows: terminal.rows,
      lines: lines(),
      faint,
      runs,
      cursor: {
        x: Math.min(buffer.cursorX, terminal.cols - 1),
        y: buffer.cursorY,
        visible: TerminalModes.isOn(modes, 25)
      },
      alternate: buffer.type === "alternate",
      title: TerminalModes.titleText(modes),
      whole: !terminal.modes.synchronizedOutputMode
    }
  }

  const repaint = (options?: { readonly scrollback?: boolean; readonly main?: boolean }): string => {
    const painter = makePainter(terminal)
    const { normal, alternate } = terminal.buffer
    const place = (x: number, y: number): void => painter.raw(`\x1b[${y + 1};${x + 1}H`)
    const cursor = (buffer: typeof normal, originTop: number): void => {
      const y = buffer.cursorY - originTop
      if (buffer.cursorX < terminal.cols) return place(buffer.cursorX, y)
      // the cursor waits behind the last column: only writing there again brings it there
      const line = buffer.getLine(buffer.baseY + buffer.cursorY)
      const wide = line?.getCell(terminal.cols - 1)?.getWidth() === 0
      place(terminal.cols - (wide ? 2 : 1), y)
      painter.again(buffer, terminal.cols - (wide ? 2 : 1), buffer.baseY + buffer.cursorY)
    }
    const savedCursor = (buffer: typeof normal, kept: SavedCursor | null, screen: TerminalModes.ScreenModes): void => {
      if (kept === null) return
      const y = Math.max(0, Math.min(terminal.rows - 1, kept.line - buffer.baseY))
      // the top left corner and a plain pen is where a terminal that saved nothing goes anyway
      if (kept.x === 0 && y === 0 && Pen.parameters(screen.savedPen) === "") return
      place(kept.x, y)
      painter.raw(`${Pen.sequence(screen.savedPen)}\x1b7\x1b[m`)
    }
    const onMain = terminal.buffer.active.type === "normal"
    const drawsMain = onMain || options?.main !== false
    if (drawsMain) {
      painter.raw("\x1b[H\x1b[2J")
      const top = options?.scrollback === false ? normal.baseY : 0
      painter.rows(normal, top, normal.baseY + terminal.rows)
    }
    painter.raw(TerminalModes.screenSequence(modes.main))
    if (drawsMain && (onMain || modes.alternate !== 1049)) savedCursor(normal, saved.normal, modes.main)
    if (!onMain) {
      if (drawsMain) cursor(normal, 0)
      // switching saves this pen together with the cursor
      painter.raw(Pen.sequence(modes.main.savedPen))
      painter.raw(TerminalModes.alternateSequence(modes))
      painter.raw("\x1b[m\x1b[H\x1b[2J")
      painter.rows(alternate, alternate.baseY, alternate.baseY + terminal.rows)
      painter.raw(TerminalModes.screenSequence(modes.alt))
      savedCursor(alternate, saved.alternate, modes.alt)
    }
    painter.raw(TerminalModes.originSequence(modes))
    const here = onMain ? modes.main : modes.alt
    cursor(terminal.buffer.active, TerminalModes.isOn(modes, 6) && here.region !== null ? here.region.top - 1 : 0)
    painter.raw(TerminalModes.modeSequence(modes) + TerminalModes.lastSequence(modes))
    return painter.result()
  }

  const handle: ScreenHandle = {
    feed,
    resize: (cols, rows) => {
      if (cols === terminal.cols && rows === terminal.rows) return
      seen = null
      terminal.resize(cols, rows)
      modes = TerminalModes.resized(modes)
    },
    view,
    repaint,
    text: () => lines().join("\n").replace(/\n+$/, ""),
    modes: () => modes
  }
  return { handle, dispose: () => terminal.dispose() }
}

/** Screens over terminals that `create` makes. */
export const layerWith = (create: (size: Size) => Terminal): Layer.Layer<Screen> =>
  Layer.succeed(Screen, {
    make: (size) =>
      Effect.acquireRelease(
        Effect.sync(() => open(size, create)),
        ({ dispose }) => Effect.sync(dispose)
      ).pipe(Effect.map(({ handle }) => handle))
  })

export const layer: Layer.Layer<Screen> = layerWith(plainTerminal)
