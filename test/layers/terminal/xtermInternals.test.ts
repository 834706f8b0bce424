import { assert, describe, it } from "@effect/vitest"
import xterm, { type IBufferLine, type Terminal } from "@xterm/headless"
import { Effect, Schema } from "effect"
import { cellProperties, charWidth } from "../../../src/domain/words/text/CharWidth.ts"
import {
  boundCount,
  cellInternals,
  characterWord,
  eraseScreen,
  fillByCopying,
  guardErase,
  hyperlinkOf,
  hyperlinksOf,
  isCombined,
  isPlain,
  isUnderlineRequested,
  onRowsDrawn,
  rowInternals,
  storedRows
} from "../../../src/layers/terminal/xtermInternals.ts"
import { effect } from "../../support/run/effects.ts"
import { each, rowsOf } from "../../support/data/fields.ts"

/** What to tell whoever upgrades xterm. */
const moved = (field: string): string =>
  `this version of @xterm/headless has moved or changed ${field}: mend src/layers/terminal/xtermInternals.ts`

const open = (text: string) =>
  Effect.callback<Terminal>((resume) => {
    const terminal = new xterm.Terminal({ cols: 10, rows: 3, scrollback: 10, allowProposedApi: true })
    terminal.write(text, () => resume(Effect.succeed(terminal)))
  })
const write = (terminal: Terminal, text: string) =>
  Effect.callback<void>((resume) => terminal.write(text, () => resume(Effect.void)))

const lineOf = (terminal: Terminal, y = 0): IBufferLine => {
  const line = terminal.buffer.active.getLine(y)
  if (line === undefined) throw new Error(`no line ${y}`)
  return line
}
const cellAt = (terminal: Terminal, x: number) => {
  const cell = lineOf(terminal).getCell(x)
  if (cell === undefined) throw new Error(`no cell ${x}`)
  return cellInternals(cell)
}

/** What moves, fills and repeats rows, and what it meets. */
const drawing = [
  ...["", "2", "3", "5", "12", "40", "99"].flatMap((count) =>
    ["S", "T", "L", "M", "b"].map((final) => `\x1b[${count}${final}`)
  ),
  "x",
  "日",
  "e\u0301",
  "5",
  "👩‍💻",
  "🇨",
  "🇨🇭",
  "word and more",
  "\r\n",
  "\x1bM",
  "\x1b[A",
  "\x1b[H",
  "\x1b[3;4H",
  "\x1b[9;10H",
  "\x1b[44m",
  "\x1b[4:3m",
  "\x1b[m",
  "\x1b[2;4r",
  "\x1b[3;6r",
  "\x1b[r",
  "\x1b[4h",
  "\x1b[4l",
  "\x1b[?7l",
  "\x1b[?7h",
  "\x1b[?6h",
  "\x1b[?6l",
  "\x1b[J",
  "\x1b[2J",
  "\x1b[1J",
  "\x1b[?2J",
  '\x1b[1"q',
  '\x1b["q',
  "\x1b#8",
  "\x1b]8;;http://a\x07",
  "\x1b]8;;\x07",
  "\x1b[?1049h",
  "\x1b[?1049l"
]

/** All that a terminal keeps of its rows, its cursor and the rows that are marked. */
const kept = (terminal: Terminal, marks: ReadonlyArray<{ readonly line: number }>) => {
  const buffer = terminal.buffer.active
  return {
    cursor: [buffer.cursorX, buffer.cursorY, buffer.baseY],
    marks: marks.map(({ line }) => line),
    rows: Array.from({ length: buffer.length }, (_, y) => {
      const line = buffer.getLine(y)!
      const cells = Array.from({ length: terminal.cols }, (_, x) => {
        const cell = line.getCell(x)!
        const { bg, extended, fg } = cellInternals(cell)
        return [cell.getChars(), cell.getWidth(), fg, bg, cell.isUnderline() === 0 ? 0 : extended?.ext].join(" ")
      })
      return [line.isWrapped, ...cells].join("|")
    })
  }
}

describe("what draws rows at once", () => {
  it.effect.prop(
    "leaves what xterm leaves, which draws them one by one",
    { pieces: Schema.Array(Schema.Literals(drawing)), cols: Schema.Literals([7, 10]) },
    ({ cols, pieces }) =>
      Effect.gen(function* () {
        const [ours, theirs] = yield* Effect.forEach([true, false], (isOurs) =>
          Effect.gen(function* () {
            const terminal = new xterm.Terminal({ cols, rows: 6, scrollback: 8, allowProposedApi: true })
            terminal.unicode.register({ version: "leap", wcwidth: charWidth, charProperties: cellProperties })
            terminal.unicode.activeVersion = "leap"
            guardErase(terminal)
            if (isOurs) {
              fillByCopying(terminal)
              for (const final of ["S", "T", "L", "M", "b"])
                boundCount(terminal, { intermediates: "", final }, () => 60)
            }
            const marks = [0, 2, 4].map((y) => terminal.registerMarker(y)!)
            for (const [n, piece] of pieces.entries()) {
              // halves of flags are repeated over a row at most: they would cost more than they fill
              const most = piece.endsWith("b") && (pieces[n - 1] ?? "").startsWith("🇨") ? cols : 60
              yield* write(
                terminal,
                piece.replace(/\d+(?=[STLMb]$)/, (count) => String(Math.min(Number(count), most)))
              )
            }
            return kept(terminal, marks)
          })
        )
        assert.deepStrictEqual(ours, theirs)
      }),
    { arbitrary: { runs: 400 } }
  )
})

describe("xterm's internals", () => {
  effect("erase the whole screen", function* () {
    const terminal = yield* open("one\r\ntwo")
    eraseScreen(terminal)
    const left = [0, 1, 2].map((y) => lineOf(terminal, y).translateToString(true))
    assert.deepStrictEqual(left, ["", "", ""], moved("Terminal._core._inputHandler.eraseInDisplay"))
  })

  effect("tell which rows are written to, and which are moved", function* () {
    const terminal = yield* open("")
    const touched: Array<readonly [number, number]> = []
    assert.isTrue(
      onRowsDrawn(terminal, (from, to) => void touched.push([from, to])),
      moved("Terminal._core._inputHandler.onRequestRefreshRows")
    )
    const after = Effect.fnUntraced(function* (text: string) {
      touched.length = 0
      yield* write(terminal, text)
      return [Math.min(...touched.map(([from]) => from)), Math.max(...touched.map(([, to]) => to))]
    })
    assert.deepStrictEqual(yield* after("\x1b[2;1Htext"), [0, 1])
    assert.deepStrictEqual(yield* after("more"), [1, 1])
    assert.deepStrictEqual(yield* after("\x1b[3;1H\n"), [0, 2], moved("what is told of a screen that scrolls"))
    assert.deepStrictEqual(yield* after("\x1b[1;2r\x1b[2;1H\n"), [0, 2], moved("what is told of a region"))
  })

  effect("tell whether text is drawn as it comes and line feeds move all rows", function* () {
    const plain = Effect.fnUntraced(function* (bytes: string) {
      const terminal = yield* open("")
      terminal.write(Uint8Array.from(bytes, (char) => char.charCodeAt(0)))
      yield* write(terminal, "")
      return isPlain(terminal)
    })
    for (const bytes of ["", "text\r\n", "\x1b[1;2r\x1b[r", "\xe2\x94\x80", "\x1b]0;t\x07"])
      assert.isTrue(yield* plain(bytes), moved(`what isPlain reads (${JSON.stringify(bytes)})`))
    for (const bytes of ["\x1b[1;2r", "\xc2\x9b2;3r", "\xe2\x94", "\x1b[3", "\x1b]0;t", "\x1bP", "\xc2\x90"])
      assert.isFalse(yield* plain(bytes), moved(`what isPlain reads (${JSON.stringify(bytes)})`))
  })

  effect("say where a hyperlink leads", function* () {
    const terminal = yield* open("\x1b]8;id=7;https://a.example/\x1b\\a\x1b]8;;\x1b\\b\x1b[4:3mc")
    const number = hyperlinkOf(cellAt(terminal, 0))
    assert.notStrictEqual(number, 0, moved("BufferCell.extended.urlId or BufferCell.hasExtendedAttrs"))
    assert.strictEqual(hyperlinkOf(cellAt(terminal, 1)), 0, moved("BufferCell.hasExtendedAttrs"))
    assert.strictEqual(hyperlinkOf(cellAt(terminal, 2)), 0, moved("BufferCell.extended.urlId"))
    assert.deepInclude(
      hyperlinksOf(terminal)(number),
      { id: "7", uri: "https://a.example/" },
      moved("Terminal._core._oscLinkService.getLinkData")
    )
  })

  effect("tell the underline that a program asked for from that of a hyperlink", function* () {
    const terminal = yield* open("\x1b]8;;https://a.example/\x1b\\a\x1b[4mb\x1b]8;;\x1b\\")
    const asked = [0, 1].map((x) => isUnderlineRequested(cellAt(terminal, x)))
    assert.deepStrictEqual(asked, [false, true], moved("BufferCell.fg or its bit for an underline"))
  })

  effect("have the two words of attributes, which differ when the drawing does", function* () {
    const terminal = yield* open("a\x1b[1mb\x1b[41mc\x1b[4:3md")
    const { bg, extended, fg } = cellAt(terminal, 3)
    assert.isNumber(fg, moved("BufferCell.fg"))
    assert.isNumber(bg, moved("BufferCell.bg"))
    assert.isNumber(extended?.ext, moved("BufferCell.extended.ext"))
    assert.notStrictEqual(cellAt(terminal, 0).fg, cellAt(terminal, 1).fg, moved("BufferCell.fg"))
    assert.notStrictEqual(cellAt(terminal, 1).bg, cellAt(terminal, 2).bg, moved("BufferCell.bg"))
    assert.notStrictEqual(cellAt(terminal, 2).extended?.ext, extended?.ext, moved("BufferCell.extended.ext"))
  })

  effect("know an underline's style and colour", function* () {
    const terminal = yield* open("\x1b[4:3;58:2::1:2:3ma\x1b[0;4;58:5:9mb\x1b[0;4mc")
    const known = [0, 1, 2].map((x) => {
      const cell = cellAt(terminal, x)
      const isDefault = cell.isUnderlineColorDefault?.()
      return {
        style: cell.getUnderlineStyle?.(),
        isDefault,
        isRgb: cell.isUnderlineColorRGB?.(),
        color: isDefault === true ? null : (cell.getUnderlineColor?.() ?? 0) & 0xffffff
      }
    })
    assert.deepStrictEqual(each(known, "style"), [3, 1, 1], moved("BufferCell.getUnderlineStyle"))
    assert.deepStrictEqual(
      rowsOf(known, "isDefault", "isRgb"),
      [
        [false, true],
        [false, false],
        [true, false]
      ],
      moved("BufferCell.isUnderlineColorDefault or .isUnderlineColorRGB")
    )
    assert.strictEqual(known[0]?.color, 0x010203, moved("BufferCell.getUnderlineColor"))
    assert.strictEqual((known[1]?.color ?? 0) & 255, 9, moved("BufferCell.getUnderlineColor"))
  })

  effect("hold a row's characters in words, and the row's object when it moves", function* () {
    const terminal = yield* open("aé日e\u0301")
    const where = "BufferLineApiView._line._data"
    const before = rowInternals(lineOf(terminal), 10)
    assert.isNotNull(before, moved(where))
    if (before === null) return
    const words = [0, 1, 2, 3, 4].map((x) => characterWord(before.data, x))
    assert.deepStrictEqual(
      words.slice(0, 3).map((word) => word & 0x1f_ffff),
      ["a", "é", "日"].map((char) => char.codePointAt(0)),
      moved(`${where}: three words a cell, the character in the first`)
    )
    assert.deepStrictEqual(
      words.map(isCombined),
      [false, false, false, false, true],
      moved(`${where}: the combined bit`)
    )
    yield* write(terminal, "\rb")
    assert.notStrictEqual(characterWord(before.data, 0), words[0], moved(`${where}: the words of now`))
    yield* write(terminal, "\r\n\n\n\n")
    assert.strictEqual(rowInternals(lineOf(terminal), 10)?.row, before.row, moved("BufferLineApiView._line"))
    assert.isNull(rowInternals(lineOf(terminal), 11), "a row that is shorter than asked is not read this way")
  })

  effect("keep the rows of the main screen, which begin above it, whichever screen shows", function* () {
    const terminal = yield* open("one\r\ntwo\u0301\r\n\x1b[4:3mthree\r\nfour\r\nfive\x1b[?1049h")
    const where = "Terminal._core._bufferService.buffers.normal"
    const rows = storedRows(terminal)
    assert.strictEqual(rows?.above, 2, moved(`${where}.ybase`))
    assert.isUndefined(rows?.get(5), moved(`${where}.lines.get`))
    const [one, two, three] = [0, 1, 2].map((y) => rows?.get(y))
    assert.deepStrictEqual([one?.length, one?._data.length], [10, 30], moved("BufferLine.length or ._data"))
    assert.deepStrictEqual(one?._combined, {}, moved("BufferLine._combined"))
    assert.deepStrictEqual(two?._combined, { 2: "o\u0301" }, moved("BufferLine._combined"))
    assert.deepStrictEqual(Object.keys(three?._extendedAttrs ?? {}), ["0", "1", "2", "3", "4"])
    yield* write(terminal, `\x1b[?1049l${"\r\n".repeat(20)}`)
    assert.deepStrictEqual(rows?.get(0)?._combined, {}, "a row that is used again has its own")
  })
})
