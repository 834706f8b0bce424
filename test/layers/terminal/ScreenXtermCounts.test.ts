import { assert, describe, layer } from "@effect/vitest"
import xterm, { type Terminal } from "@xterm/headless"
import { Effect, Schema } from "effect"
import { mostOf, repeating } from "../../../src/domain/terminal/sequences/RepeatBound.ts"
import * as ScreenXterm from "../../../src/layers/terminal/ScreenXterm.ts"
import { Screen } from "../../../src/services/Screen.ts"

const size = { cols: 20, rows: 6, scrollback: 50 }
const huge = "2147483647"

/** What xterm does for one write: rows moved, stops of tabs looked for, cells and characters written. */
let steps = 0
const stepsMost = 2_000_000
const step = (many: number): void => {
  steps += many
  if (steps > stepsMost) throw new Error("the emulator does not end")
}

interface Core {
  readonly _core: {
    readonly _bufferService: {
      readonly buffers: Record<"normal" | "alt", Record<string, (...args: Array<never>) => unknown>>
    }
    readonly _inputHandler: { print: (data: Uint32Array, start: number, end: number) => void }
  }
}

/** Cells that were written one by one, and rows that were moved one by one. */
let cells = 0

/** All terminals share what writes cells and moves rows. */
let isCounting = false
const countCells = (buffer: unknown): void => {
  if (isCounting) return
  isCounting = true
  const { lines } = buffer as { readonly lines: { readonly length: number; readonly get: (at: number) => object } }
  const count = (of: object, name: string, costs: (...args: Array<never>) => number) => {
    const its = Object.getPrototypeOf(of) as Record<string, (...args: Array<never>) => unknown>
    const was = its[name]!
    its[name] = function (...args) {
      cells += costs.apply(this, args)
      return was.apply(this, args)
    }
  }
  count(lines.get(0), "setCell", () => 1)
  count(lines.get(0), "setCellFromCodepoint", () => 1)
  count(lines, "splice", function (this: { readonly length: number }, start: number) {
    return this.length - start
  })
}

/** An xterm that counts what it does. */
const counted = (options: typeof size): Terminal => {
  const terminal = new xterm.Terminal({ ...options, allowProposedApi: true, logLevel: "off" })
  const { _bufferService, _inputHandler } = (terminal as unknown as Core)._core
  countCells(_bufferService.buffers.normal)
  for (const buffer of [_bufferService.buffers.normal, _bufferService.buffers.alt])
    for (const name of ["getBlankLine", "nextStop", "prevStop"]) {
      const its = buffer[name]!.bind(buffer)
      buffer[name] = (...args) => {
        step(1)
        return its(...args)
      }
    }
  const print = _inputHandler.print.bind(_inputHandler)
  _inputHandler.print = (data, start, end) => {
    step(end - start)
    print(data, start, end)
  }
  return terminal
}

const bytes = (text: string): Uint8Array => Buffer.from(text, "latin1")
const filled = Array.from({ length: 9 }, (_, y) => `${y} line of text`).join("\r\n")

const shown = (text: string | Uint8Array) =>
  Effect.gen(function* () {
    const screen = yield* (yield* Screen).make(size)
    screen.feed(bytes(filled))
    screen.feed(typeof text === "string" ? bytes(text) : text)
    const { cursor, lines, title } = screen.view()
    return { repaint: screen.repaint(), cursor, lines, title, modes: screen.modes() }
  }).pipe(Effect.scoped)

const finals = Array.from({ length: 0x7f - 0x40 }, (_, i) => String.fromCharCode(0x40 + i))

const Flood = Schema.Struct({
  introducer: Schema.Literals(["\x1b[", "\xc2\x9b"]),
  prefix: Schema.Union([Schema.Literal(""), Schema.Literals(["?", ">", "=", "<"])]),
  count: Schema.Literals(["19999999", "999999", "0".repeat(500) + "70000", "9".repeat(3000), "4294967297"]),
  // xterm leaves broken characters out, in sequences too
  inside: Schema.Literals(["", "\n", "\xff", "\x80\x80", "\xef\xbb\xbf"]),
  others: Schema.Literals(["", `;${huge}`, `:${huge}:1`, `;${huge}`.repeat(40), ":1".repeat(400), ";".repeat(2000)]),
  intermediates: Schema.Union([Schema.Literal(""), Schema.Literals([" ", "'", "!", "$", '"', "#", "*", " '", "    "])]),
  final: Schema.Union([Schema.Literals(finals), Schema.Literals(["S", "T", "L", "M", "I", "Z", "b"])]),
  before: Schema.Literals(["", "x", "日", "\x1b[2;4r", "\x1b[?1049h", "\x1b[3g", "\x1b[4h", "\x1b[?7l"])
})
const floodOf = ({
  before,
  count,
  final,
  inside,
  intermediates,
  introducer,
  others,
  prefix
}: typeof Flood.Type): string =>
  before + introducer + prefix + count.slice(0, 3) + inside + count.slice(3) + others + intermediates + final

const text = "x".repeat(100)
const strings = Schema.Struct({
  begin: Schema.Literals([
    "\x1b]",
    "\x1b]0;",
    "\x1b]2;",
    "\x1b]4;",
    "\x1b]8;;",
    "\x1b]8;id=1;",
    "\x1b]52;c;",
    "\x1b]104;",
    "\x1bP",
    "\x1bPq",
    "\x1bP$q",
    "\x1bP+q",
    "\x1bX",
    "\x1b^",
    "\x1b_G",
    "\xc2\x9d2;",
    "\xc2\x90q"
  ]),
  body: Schema.Literals([text, `${huge};`, "1;rgb:f/f/f;", "!99999999~", ";", ":", "é", "\xff"]),
  times: Schema.Literals([1, 200, 3000]),
  end: Schema.Literals(["\x1b\\", "\x07", "\xc2\x9c", "\x18", ""])
})

layer(ScreenXterm.layerWith(counted))("output that would keep the emulator busy", (it) => {
  describe("control sequences with huge counts", () => {
    for (const name of repeating)
      it.effect(`'${name}' ends, and with what the bounded count draws`, () =>
        Effect.gen(function* () {
          steps = 0
          // a count of characters is one of memory too: enough to see it, not to die of it
          const flood = name === "b" ? "9999999" : huge
          const after = yield* shown(`\x1b[${flood}${name}`)
          const drawn = steps
          const bounded = yield* shown(`\x1b[${mostOf(name, size)}${name}`)
          assert.deepStrictEqual(after, bounded)
          assert.isBelow(drawn, 5000)
        })
      )

    it.effect.prop(
      "of any kind, in any form, cost no more than a screenful",
      { flood: Flood, cut: Schema.Literals([1, 3, 9, 99_999]) },
      ({ cut, flood }) =>
        Effect.gen(function* () {
          steps = 0
          const text = floodOf(flood)
          const screen = yield* (yield* Screen).make(size)
          for (let at = 0; at < text.length; at += cut) screen.feed(bytes(text.slice(at, at + cut)))
          screen.feed(bytes("\x18\r\nend"))
          assert.isTrue(screen.view().lines.some((line) => line.includes("end")))
          assert.isBelow(steps, 5000 + 2 * text.length)
        }).pipe(Effect.scoped)
    )

    it.effect("many of them in one chunk cost a screenful each, not what they ask for", () =>
      Effect.gen(function* () {
        for (const name of ["S", "T", "L", "M", "I", "Z", "b"]) {
          steps = 0
          yield* shown(`x\x1b[${huge}${name}`.repeat(1000))
          assert.isBelow(steps, 1000 * (size.rows * size.cols + size.rows + 2) + 5000, name)
        }
      })
    )
  })

  describe("floods of sequences", () => {
    const wide = { cols: 80, rows: 24, scrollback: 100 }
    const counts = ["", "23", "999999"]
    const sequences = [
      ...["", "?"].flatMap((prefix) =>
        (prefix === "" ? counts : [""]).flatMap((count) => finals.map((final) => `\x1b[${prefix}${count}${final}`))
      ),
      ...repeating.flatMap((name) => counts.map((count) => `\x9b${count}${name}`)),
      ...finals.map((final) => `\x1b${final}`),
      ...["47", "1047", "1049"].flatMap((mode) => [`\x1b[?${mode}hx\x1b[?${mode}l`, `\x1b[?${mode}h\x1b[?${mode}lx\n`]),
      "\x1b#8",
      "\x1b[44m\x1b[2J",
      "\x1b[2;20r\x1b[23S",
      "\x1b[H\x1b[22L",
      "\x1b[2;4r\x1b[3;1H\x1b[M",
      "\n",
      "\t"
    ]
    /** Before each sequence, so that no two are the same: what is repeated, too. */
    const texts = ["ab", "日本", "5#", "é\u0301ü\u0301", "👩‍💻👍🏽", "🇨🇭"]

    it.effect("cost no more for each byte than a row has cells, whatever their kind", () =>
      Effect.gen(function* () {
        const screens = yield* Screen
        const dear: Array<string> = []
        for (const sequence of sequences)
          for (const [n, text] of texts.entries()) {
            if (n > 1 && !sequence.endsWith("b")) continue
            const screen = yield* screens.make(wide)
            screen.feed(bytes(filled))
            screen.view()
            const chars = [...text]
            const flood = Buffer.from(
              Array.from({ length: 30 }, (_, i) => `${chars[i % chars.length]}${sequence}`).join("")
            )
            cells = 0
            screen.feed(flood)
            screen.view()
            // what moves columns does so in all rows, and a screen that is entered is a new one
            const most = /[ '][@A}~]$|h\w*\x1b/.test(sequence) ? (wide.cols * wide.rows) / 4 : wide.cols
            if (cells > most * flood.length)
              dear.push(`${JSON.stringify(sequence)} behind ${text}: ${Math.round(cells / flood.length)} a byte`)
          }
        assert.deepStrictEqual(dear, [])
      }).pipe(Effect.scoped)
    )
  })

  describe("modes set and reset for ever", () => {
    it.effect("leave no more behind than terminals have", () =>
      Effect.gen(function* () {
        const set = Array.from(
          { length: 20_000 },
          (_, mode) => `\x1b[?${mode}h${mode % 50 === 0 ? "\x1b[!p" : ""}\x1b[>1u\x1b[22;0t\x1b[?${mode}s`
        )
        const { modes } = yield* shown(set.join(""))
        assert.isBelow(JSON.stringify(modes).length + modes.aside.size + modes.colors.size, 10_000)
      })
    )
  })

  describe("strings of any length", () => {
    it.effect.prop("leave nothing behind that is as long as they are", strings.fields, ({ begin, body, end, times }) =>
      Effect.gen(function* () {
        steps = 0
        const after = yield* shown(`${begin}${body.repeat(times)}${end}`)
        assert.isBelow(after.repaint.length, 40_000)
        assert.isBelow(JSON.stringify(after.modes).length, 40_000)
        assert.isBelow(after.title.length, 10_000)
      })
    )
  })
})
