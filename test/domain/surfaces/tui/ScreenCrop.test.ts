import { assert, describe, it } from "@effect/vitest"
import { Effect, Schema } from "effect"
import { paint } from "../../../../src/domain/surfaces/tui/Paint.ts"
import { cropModes, cropped, cropOrigin } from "../../../../src/domain/surfaces/tui/ScreenCrop.ts"
import * as TerminalModes from "../../../../src/domain/terminal/sequences/TerminalModes.ts"
import * as ScreenXterm from "../../../../src/layers/terminal/ScreenXterm.ts"
import { Screen } from "../../../../src/services/Screen.ts"
import { clipFaults } from "../../../support/terminal/clipTruth.ts"
import { effectWith } from "../../../support/run/effects.ts"

const draw = Effect.fnUntraced(function* (
  bytes: string,
  size: { readonly cols: number; readonly rows: number },
  room: { readonly cols: number; readonly rows: number }
) {
  const screens = yield* Screen
  const host = yield* screens.make({ ...size, scrollback: 50 })
  const window = yield* screens.make({ ...room, scrollback: 50 })
  host.feed(Buffer.from(bytes))
  const drawn = cropped(host.view(), host.picture(), room)
  window.feed(Buffer.from(paint(null, drawn)))
  return { drawn, host: host.view(), window: window.view() }
})

const Side = Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: 30 }))
const Size = Schema.Struct({ cols: Schema.Int.check(Schema.isBetween({ minimum: 2, maximum: 50 })), rows: Side })
const Piece = Schema.Union([
  Schema.Literals([
    "word ",
    "日本",
    "é",
    "🎉",
    "\r\n",
    "\t",
    "────────────",
    "\x1b[7m",
    "\x1b[41m",
    "\x1b[m",
    "\x1b[K"
  ]),
  Schema.Literals(["\x1b]8;;https://a.example\x1b\\link\x1b]8;;\x1b\\", "\x1b[?25l", "\x1b[?1049h", "\x1b[2J"]),
  Schema.Struct({ x: Side, y: Side })
])

describe("a screen in a window of another size", () => {
  it.effect.prop(
    "is in each cell the screen's, a mark where it is cut, or outside of its frame",
    {
      pieces: Schema.Array(Piece),
      size: Size,
      room: Size
    },
    ({ pieces, room, size }) =>
      Effect.gen(function* () {
        const bytes = pieces
          .map((piece) => (typeof piece === "string" ? piece : `\x1b[${piece.y};${piece.x}H`))
          .join("")
        const { drawn, host, window } = yield* draw(bytes, size, room)
        assert.deepStrictEqual(clipFaults(host, window, room), [])
        assert.strictEqual(drawn.rows.length, room.rows)
        const { left, top } = cropOrigin(host, room)
        assert.isTrue(host.cursor.y >= top && host.cursor.y < top + room.rows, "the cursor is in sight")
        if (host.cursor.visible) assert.isTrue(host.cursor.x >= left && host.cursor.x < left + room.cols)
        assert.strictEqual(window.cursor.visible, host.cursor.visible)
        if (host.cursor.visible)
          assert.deepStrictEqual([window.cursor.x, window.cursor.y], [host.cursor.x - left, host.cursor.y - top])
      }).pipe(Effect.scoped, Effect.provide(ScreenXterm.layer)),
    { arbitrary: { runs: 300 } }
  )

  effectWith(ScreenXterm.layer)("says that it is cut, on each side", function* () {
    const text = Array.from({ length: 9 }, (_, i) => `${i}${"abcdefghij".repeat(3)}`).join("\r\n")
    const { window } = yield* draw(`${text}\x1b[5;1H`, { cols: 40, rows: 9 }, { cols: 10, rows: 3 })
    assert.deepStrictEqual(window.lines, ["4abcdefgh^", "5abcdefgh>", "6abcdefghv"])
    const aside = yield* draw(`${text}\x1b[9;20H`, { cols: 40, rows: 9 }, { cols: 10, rows: 2 })
    assert.deepStrictEqual(aside.window.lines, ["<fghijabc^", "<fghijabc>"])
    // nothing of what is drawn is out of sight
    const blank = yield* draw(`\x1b[8;1Htwo\x1b[9;1Hrows`, { cols: 10, rows: 9 }, { cols: 10, rows: 2 })
    assert.deepStrictEqual(blank.window.lines, ["two", "rows"])
  })

  effectWith(ScreenXterm.layer)("has a frame where there is room left, with its size", function* () {
    const { window } = yield* draw("one\r\ntwo", { cols: 12, rows: 2 }, { cols: 16, rows: 5 })
    assert.deepStrictEqual(window.lines, ["one         │", "two         │", "────── 12×2 ┘", "", ""])
  })

  it("asks its terminal for the keyboard's modes alone, and for the same kind of screen", () => {
    const modes = TerminalModes.track(
      TerminalModes.start,
      "\x1b[?2004h\x1b[?1000h\x1b[?1006h\x1b[>5u\x1b[3;9r\x1b[?25l\x1b[31m"
    )
    assert.strictEqual(cropModes(modes), "\x1b[>5u\x1b[?2004h")
    assert.strictEqual(cropModes(TerminalModes.track(modes, "\x1b[?1049h\x1b[>1u")), "\x1b[?1049h\x1b[>1u\x1b[?2004h")
  })
})
