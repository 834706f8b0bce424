import xterm, { type IUnicodeVersionProvider, type Terminal } from "@xterm/headless"
import { Effect, Layer } from "effect"
import { fromLatin1, toLatin1 } from "../../domain/words/text/Bytes.ts"
import { cellProperties, charWidth } from "../../domain/words/text/CharWidth.ts"
import * as Pen from "../../domain/terminal/sequences/Pen.ts"
import type { ScreenPicture, ScreenRun, ScreenView } from "../../domain/words/session/Screen.ts"
import * as RepeatBound from "../../domain/terminal/sequences/RepeatBound.ts"
import * as Repeated from "../../domain/terminal/sequences/Repeated.ts"
import * as TerminalModes from "../../domain/terminal/sequences/TerminalModes.ts"
import { Screen, type ScreenHandle, type ScreenMark } from "../../services/Screen.ts"
import { makeChangedRows, compactRows, restoreRows, withRows, trimRight } from "./compactRows.ts"
import { makePainter, runsOf } from "./ScreenXtermCells.ts"
import { type Laziness, makeUndrawn, standardLaziness } from "./undrawn.ts"
import { boundCount, guardErase, fillByCopying, isPlain } from "./xtermInternals.ts"

/** The cursor that the program saved (DECSC), in rows of the whole buffer. */
interface SavedCursor {
  readonly x: number
  readonly line: number
}

/**
 * Character widths of present terminals and CLIs. xterm's own table dates from 2010 and has emoji as narrow, which
 * would put the text after one into the wrong column.
 */
const widths: IUnicodeVersionProvider = { version: "leap", wcwidth: charWidth, charProperties: cellProperties }

/** A link with a longer address is no link, as in other terminals. */
const longestLink = 8192

/** Whether output is inside a control string that is too long to matter: it is dropped until the string ends. */
const isWithinLong = ({ vt }: TerminalModes.TerminalModes): boolean => vt.passing && /^(?:Osc|[A-Z]+)$/.test(vt.phase)
const stringEnd = /[\x07\x18\x1a\x1b]/

interface Size {
  readonly cols: number
  readonly rows: number
  readonly scrollback: number
}

/** An xterm with leap's widths. Without scrollback it loses rows when it widens, and throws on writing to them. */
const plainTerminal = (size: Size): Terminal => {
  const terminal = new xterm.Terminal({
    ...size,
    scrollback: Math.max(1, size.scrollback),
    allowProposedApi: true,
    logLevel: "off"
  })
  terminal.unicode.register(widths)
  terminal.unicode.activeVersion = widths.version
  return terminal
}

const open = (size: Size, create: (size: Size) => Terminal, lazy: Laziness) => {
  let modes = TerminalModes.start
  let terminal = create(size)
  const saved: { normal: SavedCursor | null; alternate: SavedCursor | null } = { normal: null, alternate: null }

  const changed = makeChangedRows()
  const watch = (terminal: Terminal): void => {
    changed.watch(terminal)
    fillByCopying(terminal)
    for (const name of RepeatBound.repeating)
      boundCount(terminal, { intermediates: name.slice(0, -1), final: name.slice(-1) }, () =>
        RepeatBound.mostOf(name, terminal)
      )
    // leap keeps titles itself, bounded; xterm would keep up to twenty of ten megabytes.
    for (const title of [0, 1, 2]) terminal.parser.registerOscHandler(title, () => true)
    terminal.parser.registerOscHandler(8, (link) => link.length > longestLink)
    const saveCursor = (): boolean => {
      const buffer = terminal.buffer.active
      saved[buffer.type] = { x: Math.min(buffer.cursorX, terminal.cols - 1), line: buffer.baseY + buffer.cursorY }
      // false lets xterm's own handler run as well.
      return false
    }
    terminal.parser.registerEscHandler({ final: "7" }, saveCursor)
    terminal.parser.registerCsiHandler({ final: "s" }, saveCursor)
    terminal.parser.registerCsiHandler({ prefix: "?", final: "h" }, (params) =>
      params.includes(1048) || params.includes(1049) ? saveCursor() : false
    )
    terminal.parser.registerCsiHandler({ intermediates: "!", final: "p" }, () => {
      saved[terminal.buffer.active.type] = null
      return false
    })
    terminal.parser.registerEscHandler({ final: "c" }, () => {
      saved.normal = null
      saved.alternate = null
      return false
    })
    guardErase(terminal)
  }
  watch(terminal)

  const write = (data: Uint8Array | string): void => {
    // After user input (even empty) xterm parses the next write at once, not in a later turn of the event loop.
    terminal.input("", true)
    terminal.write(data)
  }

  const draw = (data: Uint8Array): void => {
    const said = TerminalModes.isText(modes, data) ? null : toLatin1(data)
    const text = said === null ? null : Repeated.shown(said)
    // xterm would store up to ten million characters of this string, one by one.
    if (text !== null && isWithinLong(modes) && !stringEnd.test(text)) return
    try {
      write(text === null || text.length === data.length ? data : fromLatin1(text))
      if (said !== null) modes = TerminalModes.track(modes, said)
    } catch {
      // An error in xterm blocks its queue, but the drawn screen is intact: a new emulator continues with it, without
      // the rest of this chunk, which the program will draw over.
      modes = TerminalModes.track(modes, said ?? toLatin1(data))
      const drawn = repaint()
      const { cols, rows } = terminal
      terminal.dispose()
      terminal = create({ ...size, cols, rows })
      watch(terminal)
      write(drawn)
    }
  }
  // xterm itself is asked, because `modes` does not track all sequences, such as those that begin with C1 controls.
  const scrolls = (): boolean => isPlain(terminal) && modes.vt.phase === "Ground" && modes.ansi.length === 0
  const undrawn = makeUndrawn({
    lazy,
    draw,
    scrolls,
    // Twice the height: if the cursor is above the last row, the first line feeds only move it and do not scroll.
    rows: () => terminal.rows * 2 + Math.max(1, size.scrollback)
  })
  const { settle } = undrawn
  const feed = (data: Uint8Array): void => {
    if (data.length === 0) return
    cachedView = null
    undrawn.add(data)
  }
  /** Readers see everything that was fed. */
  const settled =
    <A extends ReadonlyArray<unknown>, B>(look: (...args: A) => B) =>
    (...args: A): B => {
      settle()
      return look(...args)
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

  let cachedView: ScreenView | null = null
  const view = (): ScreenView => {
    settle()
    return (cachedView ??= readView())
  }
  const readView = (): ScreenView => {
    const buffer = terminal.buffer.active
    return {
      cols: terminal.cols,
      rows: terminal.rows,
      lines: changed.read(terminal),
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

  const mark = (): ScreenMark => {
    const marked = terminal
    // xterm makes no marker on the alternate screen, which has no scrollback.
    const marker = terminal.registerMarker(-terminal.buffer.active.cursorY)
    return {
      line: () =>
        marked !== terminal || marker === undefined ? null : marker.isDisposed ? 0 : Math.max(0, marker.line),
      release: () => marker?.dispose()
    }
  }

  const picture = (): ScreenPicture => {
    const buffer = terminal.buffer.active
    const cell = buffer.getNullCell()
    return {
      extent: (y) => {
        const line = buffer.getLine(buffer.baseY + y)
        for (let x = terminal.cols - 1; x >= 0; x--) {
          if (line?.getCell(x, cell) === undefined) continue
          if (cell.getWidth() === 0 || cell.getChars() !== "" || !cell.isBgDefault()) return x + 1
        }
        return 0
      },
      part: (y, from, to) => {
        const painter = makePainter(terminal)
        const end = painter.part(buffer, buffer.baseY + y, from, to)
        return { drawn: painter.result(), width: end - from }
      }
    }
  }

  const repaint = (options?: { readonly scrollback?: boolean | ScreenMark; readonly main?: boolean }): string => {
    const painter = makePainter(terminal)
    const { normal, alternate } = terminal.buffer
    const moveTo = (x: number, y: number): void => painter.raw(`\x1b[${y + 1};${x + 1}H`)
    const cursor = (buffer: typeof normal, originTop: number): void => {
      const y = buffer.cursorY - originTop
      if (buffer.cursorX < terminal.cols) return moveTo(buffer.cursorX, y)
      // The cursor waits for a wrap after the last column. Only writing that cell again restores this.
      const line = buffer.getLine(buffer.baseY + buffer.cursorY)
      const wide = line?.getCell(terminal.cols - 1)?.getWidth() === 0
      moveTo(terminal.cols - (wide ? 2 : 1), y)
      painter.redraw(buffer, terminal.cols - (wide ? 2 : 1), buffer.baseY + buffer.cursorY)
    }
    const savedCursor = (buffer: typeof normal, kept: SavedCursor | null, screen: TerminalModes.ScreenModes): void => {
      if (kept === null) return
      const y = Math.max(0, Math.min(terminal.rows - 1, kept.line - buffer.baseY))
      // A terminal that has saved nothing restores the top left corner and a plain pen in any case.
      if (kept.x === 0 && y === 0 && Pen.parameters(screen.savedPen) === "") return
      moveTo(kept.x, y)
      painter.raw(`${Pen.sequence(screen.savedPen)}\x1b7\x1b[m`)
    }
    const onMain = terminal.buffer.active.type === "normal"
    const drawsMain = onMain || options?.main !== false
    if (drawsMain) {
      // Row by row: some terminals copy the screen into their scrollback when one sequence erases all of it.
      painter.raw(`\x1b[H${"\x1b[2K\x1b[B".repeat(terminal.rows - 1)}\x1b[2K\x1b[H`)
      const scrollback = options?.scrollback ?? true
      const since = typeof scrollback === "boolean" ? (scrollback ? 0 : null) : scrollback.line()
      const top = Math.min(since ?? normal.baseY, normal.baseY)
      withRows(terminal, (rows) => painter.rows(rows, top, normal.baseY + terminal.rows))
    }
    painter.raw(TerminalModes.screenSequence(modes.main))
    if (drawsMain && (onMain || modes.alternate !== 1049)) savedCursor(normal, saved.normal, modes.main)
    if (!onMain) {
      if (drawsMain) cursor(normal, 0)
      // Switching saves this pen together with the cursor.
      painter.raw(Pen.sequence(modes.main.savedPen))
      painter.raw(TerminalModes.alternateSequence(modes))
      painter.raw("\x1b[m\x1b[H\x1b[2J")
      painter.rows(alternate, alternate.baseY, alternate.baseY + terminal.rows)
      painter.raw(TerminalModes.screenSequence(modes.alt))
      savedCursor(alternate, saved.alternate, modes.alt)
    }
    painter.raw(TerminalModes.originSequence(modes))
    const active = onMain ? modes.main : modes.alt
    cursor(terminal.buffer.active, TerminalModes.isOn(modes, 6) && active.region !== null ? active.region.top - 1 : 0)
    painter.raw(TerminalModes.modeSequence(modes) + TerminalModes.lastSequence(modes))
    return painter.result()
  }

  const handle: ScreenHandle = {
    feed,
    resize: (cols, rows) => {
      if (cols === terminal.cols && rows === terminal.rows) return
      settle()
      cachedView = null
      restoreRows(terminal, cols, rows)
      terminal.resize(cols, rows)
      changed.touchAll()
      modes = TerminalModes.resized(modes)
    },
    view,
    repaint: settled(repaint),
    picture: settled(picture),
    mark: settled(mark),
    text: () => view().lines.join("\n").replace(/\n+$/, ""),
    modes: settled(() => modes),
    scrolls: settled(scrolls),
    compact: settled(() => compactRows(terminal))
  }
  return { handle, dispose: () => terminal.dispose() }
}

export const layerWith = (
  create: (size: Size) => Terminal = plainTerminal,
  lazy: Laziness = standardLaziness
): Layer.Layer<Screen> =>
  Layer.succeed(Screen, {
    make: (size) =>
      Effect.acquireRelease(
        Effect.sync(() => open(size, create, lazy)),
        ({ dispose }) => Effect.sync(dispose)
      ).pipe(Effect.map(({ handle }) => handle))
  })

export const layer: Layer.Layer<Screen> = layerWith()
