import { assert, describe, it } from "@effect/vitest"
import { Effect, Schema } from "effect"
import { shown } from "../../../../src/domain/terminal/sequences/Repeated.ts"
import * as ScreenXterm from "../../../../src/layers/terminal/ScreenXterm.ts"
import { Screen } from "../../../../src/services/Screen.ts"

const settings = [
  "\x1b[?1049h",
  "\x1b[?1049l",
  "\x1b[?47h",
  "\x1b[?47l",
  "\x1b[?1047h",
  "\x1b[?1047l",
  "\x1b[?1048h",
  "\x1b[?2004l",
  "\x1b[?3h",
  "\x1b[4h",
  "\x1b[1;31m",
  "\x1b[m",
  "\x1b[2J",
  "\x1b[1J",
  "\x1b7",
  "\x1b8",
  "\x1bc",
  "\x1b]4;1;rgb:ff/00/00\x1b\\",
  "\x1b]8;;http://x.y/\x07",
  "\x1b]8;;\x1b\\"
]

describe("what is set again and again", () => {
  it.each<readonly [what: string, bytes: string, kept: string | null]>([
    ["one of them, an odd number of times", "\x1b[1m".repeat(9), "\x1b[1m".repeat(5)],
    ["two in turn", "\x1b[?5h\x1b[?5l".repeat(300), "\x1b[?5h\x1b[?5l".repeat(2)],
    [
      "another screen",
      "a\x1b[?1049h\x1b[?1049lb\x1b[31m".repeat(3),
      "a\x1b[?1049h\x1b[?1049lb\x1b[31m" + "a\x1b7b\x1b[31m".repeat(2)
    ],
    ["another screen, with its cursor", "\x1b[?47h\x1b[?47la".repeat(3), "\x1b[?47h\x1b[?47laaa"],
    ["twice stays", "a\x1b[1m\x1b[1mb", "a\x1b[1m\x1b[1mb"],
    ["a text between", "\x1b[1ma".repeat(5), "\x1b[1ma".repeat(5)],
    ["what moves", "\x1b[A".repeat(5), "\x1b[A".repeat(5)],
    ["a full reset: all before it", "a\x1b[1m\x1bcb\x1b]0;t\x07\x1bc\x1b[2mc", "\x1bc\x1b[2mc"],
    [
      "a screen that is left, with what was in it",
      "a\x1b[?1049h\x1b[31m\x1b[H\x1b[2Jx\u00c3\u00a9\r\n\x1b[?1049lb",
      "a\x1b[?1049h\x1b[?1049lb"
    ],
    ...["\x1b[r", "\x1b[?25l", "\x1b7", "\x1b]0;t\x07", "\x1b[6n", "\x0e", "\u00c2\u009bm"].map(
      (stays) => [`the same, with ${JSON.stringify(stays)} in it`, `\x1b[?1049h${stays}x\x1b[?1049l`, null] as const
    ),
    ["others that differ", "\x1b[31m\x1b[32m\x1b[33m".repeat(3), "\x1b[31m\x1b[32m\x1b[33m".repeat(3)]
  ])("%s", (_, bytes, kept) => assert.strictEqual(shown(bytes), kept ?? bytes))

  const Flood = Schema.Array(
    Schema.Union([
      Schema.Struct({
        unit: Schema.Array(Schema.Literals(settings)).check(Schema.isMinLength(1), Schema.isMaxLength(2)),
        times: Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: 7 }))
      }),
      Schema.Literals([
        "\x1b[?1049htext\x1b[3A\x1b[31mmore\x1b[?1049l",
        "\x1b[?1049h\x1b[9;9H\x1b[2Jx\r\n\n\n\x1b[4T\x1b[?1049l",
        "\x1b[?1049h\x1b[?1049ltext",
        "\x1b[?1047h\x1b[?1047l\x1b[5;3H",
        "\x1b#8",
        "text",
        "\r\n",
        "\x1b[5;9H",
        "\x1b[3A",
        "\x1b[r",
        "\x1b[2;4r",
        "w\u00e9"
      ])
    ])
  )
  it.effect.prop("leaves the same screen", [Flood], ([parts]) =>
    Effect.gen(function* () {
      const bytes = parts
        .map((part) => (typeof part === "string" ? part : part.unit.join("").repeat(part.times)))
        .join("")
      const drawn = Effect.fnUntraced(function* (text: string, pieces: boolean) {
        const screen = yield* (yield* Screen).make({ cols: 20, rows: 5, scrollback: 20 })
        // a sequence a piece: nothing is repeated in what is drawn at once
        for (const one of pieces ? text.split(/(?=\x1b(?!\\))/) : [text]) {
          screen.feed(Buffer.from(one, "latin1"))
          if (pieces) screen.view()
        }
        const { alternate, cursor, lines } = screen.view()
        return { alternate, cursor, lines: [...lines], drawn: screen.repaint() }
      })
      assert.deepStrictEqual(yield* drawn(bytes, false), yield* drawn(bytes, true))
    }).pipe(Effect.scoped, Effect.provide(ScreenXterm.layer))
  )
})
