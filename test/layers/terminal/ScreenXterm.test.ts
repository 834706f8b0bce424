import { assert, describe, layer } from "@effect/vitest"
import xterm from "@xterm/headless"
import { Effect, Schema } from "effect"
import { fromLatin1, utf8ToLatin1 } from "../../../src/domain/words/text/Bytes.ts"
import * as TerminalModes from "../../../src/domain/terminal/sequences/TerminalModes.ts"
import * as ScreenXterm from "../../../src/layers/terminal/ScreenXterm.ts"
import { Screen, type ScreenHandle } from "../../../src/services/Screen.ts"
import { cut, Cuts } from "../../support/data/streams.ts"
import { effectWith } from "../../support/run/effects.ts"

const bytes = (text: string) => new TextEncoder().encode(text)
const size = { cols: 20, rows: 6, scrollback: 50 }

const make = Effect.fnUntraced(function* (options: Partial<typeof size> = {}) {
  return yield* (yield* Screen).make({ ...size, ...options })
})
/** A screen that was fed a text. */
const fed = (text: string, options?: Partial<typeof size>) =>
  Effect.map(make(options), (screen) => {
    screen.feed(bytes(text))
    return screen
  })
/** A fresh screen of the same size that was fed another's repaint. */
const repainted = (screen: ScreenHandle) => {
  const { cols, rows } = screen.view()
  return fed(screen.repaint(), { cols, rows })
}
/** What a user would see and what the CLI's terminal would do next. */
const sight = (screen: ScreenHandle) => {
  const view = screen.view()
  const modes = screen.modes()
  return {
    lines: view.lines,
    faint: view.lines.map((_, y) => view.faint(y)),
    cursor: view.cursor,
    alternate: view.alternate,
    title: view.title,
    whole: view.whole,
    dec: [...modes.dec].sort((a, b) => a - b),
    ansi: modes.ansi,
    kitty: [modes.main.kitty, modes.alternate === null ? null : modes.alt.kitty],
    regions: [modes.main.region, modes.alternate === null ? null : modes.alt.region],
    keypad: modes.applicationKeypad,
    cursorStyle: modes.cursorStyle,
    keys: modes.keyOptions,
    pen: modes.pen,
    charsets: modes.charsets,
    shift: modes.shift,
    colors: modes.colors,
    link: modes.link,
    progress: modes.progress,
    pointer: modes.pointer
  }
}

/** A test of screens on the test's clock. */
const drawn = effectWith(ScreenXterm.layer)

layer(ScreenXterm.layer)("ScreenXterm", (it) => {
  describe("feeding", () => {
    drawn("is done when feed returns, however much it is", function* () {
      const screen = yield* make({ cols: 80, rows: 24, scrollback: 100 })
      for (let i = 0; i < 20; i++) {
        screen.feed(bytes(`line ${i}\r\n`))
        assert.strictEqual(screen.view().lines[i], `line ${i}`)
      }
      const megabyte = Array.from({ length: 20_000 }, (_, i) => `\x1b[3${i % 8}mrow ${i} ${"x".repeat(40)}\r\n`).join(
        ""
      )
      assert.isAbove(megabyte.length, 1 << 20)
      screen.feed(bytes(`${megabyte}the end`))
      assert.strictEqual(screen.view().lines[23], "the end")
      assert.match(screen.view().lines[22]!, /^row 19999 /)
      screen.feed(bytes("!"))
      assert.strictEqual(screen.view().lines[23], "the end!")
    })

    drawn("takes characters and sequences that are cut", function* () {
      const screen = yield* make()
      for (const byte of bytes("é日\x1b[31m🎉x\x1b]0;Tïtle\x07")) screen.feed(Uint8Array.of(byte))
      assert.strictEqual(screen.view().lines[0], "é日🎉x")
      assert.strictEqual(screen.view().title, "Tïtle")
    })

    drawn("never answers by itself and leaks nothing into later writes", function* () {
      const screen = yield* fed("a\x1b[c\x1b[6nb")
      assert.strictEqual(screen.text(), "ab")
    })
  })

  it.effect("goes on from what it showed when the emulator fails", () =>
    Effect.gen(function* () {
      const screen = yield* make()
      screen.feed(bytes("\x1b[?2004hbefore\r\n\x1b[31mred"))
      screen.feed(bytes("\x1b[99zlost"))
      screen.feed(bytes(" after"))
      assert.deepStrictEqual(screen.view().lines.slice(0, 2), ["before", "red after"])
      assert.deepStrictEqual([screen.modes().dec, screen.modes().pen.foreground], [[2004], "31"])
      screen.feed(bytes("\x1b[99z"))
      assert.strictEqual(screen.text(), "before\nred after")
    }).pipe(
      Effect.provide(
        ScreenXterm.layerWith((options) => {
          const terminal = new xterm.Terminal({ ...options, allowProposedApi: true })
          terminal.parser.registerCsiHandler({ final: "z" }, () => {
            throw new Error("a fault")
          })
          return terminal
        })
      )
    )
  )

  it.effect("gives the emulator neither what is set again and again nor a string without an end", () => {
    let written = 0
    return Effect.gen(function* () {
      const screen = yield* make()
      screen.feed(bytes(`a${"\x1b[?1049h\x1b[?1049l".repeat(5_000)}b`))
      assert.strictEqual(screen.text(), "ab")
      assert.isBelow(written, 200)
      for (const [begin, end] of [
        ["\x1b]0;", "\x07"],
        ["\x1b]8;;", "\x1b\\"],
        ["\x1bP$q", "\x1b\\"],
        ["\x1b_", "\x18"]
      ] as const) {
        written = 0
        screen.feed(bytes(begin))
        for (let n = 0; n < 100; n++) {
          screen.feed(bytes("x".repeat(10_000)))
          assert.strictEqual(screen.text(), "ab")
        }
        screen.feed(bytes(end))
        assert.strictEqual(screen.text(), "ab")
        assert.isBelow(written, 30_000)
      }
      screen.feed(bytes("c\x1b]0;short\x07"))
      assert.deepStrictEqual([screen.text(), screen.view().title], ["abc", "short"])
    }).pipe(
      Effect.provide(
        ScreenXterm.layerWith((options) => {
          const terminal = new xterm.Terminal({ ...options, allowProposedApi: true })
          const write = terminal.write.bind(terminal)
          terminal.write = (data, done) => {
            written += data.length
            write(data, done)
          }
          return terminal
        })
      )
    )
  })

  drawn("erases above the bottom right corner, where xterm alone fails", function* () {
    for (const erase of ["\x1b[1J", "\x1b[?1J"]) {
      const screen = yield* fed(`top\x1b[6;20Hx${erase}`)
      assert.strictEqual(screen.text(), "")
      screen.feed(bytes("\x1b[Hgoes on"))
      assert.strictEqual(screen.text(), "goes on")
    }
  })

  describe("the view", () => {
    drawn("has rows, cursor, title and alternate screen", function* () {
      const screen = yield* fed("one  \r\ntwo\x1b]2;my title\x1b\\\x1b[?25l")
      assert.deepInclude(screen.view(), { cols: 20, rows: 6, alternate: false, title: "my title", whole: true })
      assert.deepStrictEqual(screen.view().lines, ["one", "two", "", "", "", ""])
      assert.deepStrictEqual(screen.view().cursor, { x: 3, y: 1, visible: false })
      assert.strictEqual(screen.text(), "one\ntwo")
      screen.feed(bytes("\x1b[?1049h\x1b[Halt\x1b[?25h"))
      assert.deepStrictEqual(
        [screen.view().alternate, screen.text(), screen.view().cursor.visible],
        [true, "alt", true]
      )
    })

    drawn("shows the viewport, not the scrollback", function* () {
      const screen = yield* fed(Array.from({ length: 10 }, (_, i) => `row ${i}`).join("\r\n"))
      assert.deepStrictEqual(screen.view().lines, ["row 4", "row 5", "row 6", "row 7", "row 8", "row 9"])
      assert.strictEqual(screen.view().cursor.y, 5)
    })

    drawn("tells faint text from the rest, in its place", function* () {
      const screen = yield* fed("> \x1b[2mhint 日\x1b[22m x\x1b[2my")
      assert.strictEqual(screen.view().faint(0), "  hint 日  y")
      assert.strictEqual(screen.view().faint(3), "")
      assert.strictEqual(screen.view().faint(99), "")
    })

    drawn("tells stretches of a row by their colours", function* () {
      const screen = yield* fed("a \x1b[30;48;2;1;2;3m On \x1b[m 日\x1b[7mx\x1b[m")
      assert.deepStrictEqual(
        screen
          .view()
          .runs(0)
          .map(({ background, foreground, text, x }) => [x, text.trimEnd(), foreground, background]),
        [
          [0, "a", "", ""],
          [2, " On", "30", "48;2;1;2;3"],
          [6, " 日", "", ""],
          [9, "x", "background", "foreground"],
          [10, "", "", ""]
        ]
      )
      assert.deepStrictEqual([screen.view().runs(99), screen.view().runs(-1)], [[], []])
    })

    drawn("is not whole inside a synchronized update", function* () {
      const screen = yield* fed("\x1b[?2026h")
      assert.isFalse(screen.view().whole)
      screen.feed(bytes("\x1b[?2026l"))
      assert.isTrue(screen.view().whole)
    })

    drawn("gives emoji and East Asian characters two columns", function* () {
      for (const [text, columns] of [
        ["🎉", 2],
        ["日", 2],
        ["é", 1],
        ["e\u0301", 1],
        ["✔", 1],
        ["✅", 2],
        ["🇩🇪", 2],
        ["❯", 1],
        ["│", 1]
      ] as const) {
        assert.strictEqual((yield* fed(text)).view().cursor.x, columns, text)
      }
    })

    drawn("shows nothing beyond a window that became narrower", function* () {
      const screen = yield* fed("\x1b[?1049hone         two\x1b[2mfnt")
      screen.resize(10, 6)
      assert.deepStrictEqual([screen.view().lines[0], screen.view().faint(0), screen.text()], ["one", "", "one"])
    })

    drawn("keeps its rows with no scrollback, however wide it gets", function* () {
      const screen = yield* fed(`${"x".repeat(119)}\r\n`.repeat(7), { cols: 120, rows: 40, scrollback: 0 })
      screen.resize(40, 12)
      screen.resize(120, 40)
      screen.feed(bytes(`\u001b[H\u001b[2J${"\r\n".repeat(39)}last`))
      assert.strictEqual(screen.view().lines[39], "last")
    })

    drawn("follows a resize", function* () {
      const screen = yield* fed("\x1b[2;4r\x1b[Hhello world, hello")
      screen.resize(10, 4)
      assert.deepStrictEqual([screen.view().cols, screen.view().rows], [10, 4])
      assert.strictEqual(screen.view().lines.length, 4)
      assert.isNull(screen.modes().main.region)
    })
  })

  describe("a repaint", () => {
    const same = Effect.fnUntraced(function* (text: string) {
      const screen = yield* fed(text)
      const copy = yield* repainted(screen)
      assert.deepStrictEqual(sight(copy), sight(screen), JSON.stringify([text, screen.repaint()]))
      // the repaint tells all there is to see, colours and scrollback included: two screens that give the same are
      // the same
      assert.strictEqual(copy.repaint(), screen.repaint(), JSON.stringify(text))
      return copy
    })

    drawn("of a fresh screen turns nothing on", function* () {
      const screen = yield* make()
      assert.notMatch(screen.repaint(), /\x1b\[[?=><]|\x1b\]|\x1b[=>78(]/)
      assert.deepStrictEqual(sight(yield* repainted(screen)), sight(screen))
    })

    it.effect("restores colours, attributes and backgrounds, to the cell", () =>
      same(
        "\x1b[1;31mbold\x1b[0;48;2;1;2;3m bg \x1b[K\r\n\x1b[m\x1b[4:3;58:2::9:8:7mcurl\x1b[m \x1b[38;5;200;7mx\x1b[m\r\n\x1b[44m\x1b[2Cgap\x1b[3;5;8;9;53;21mall\x1b[m"
      )
    )

    drawn("restores scrollback on the main screen", function* () {
      const copy = yield* same(Array.from({ length: 30 }, (_, i) => `\x1b[3${i % 8}mrow ${i}`).join("\r\n"))
      // scrolling back up by enlarging shows what scrolled out
      copy.resize(20, 20)
      assert.strictEqual(copy.view().lines[0], "row 10")
    })

    drawn("can leave the scrollback out", function* () {
      const screen = yield* fed(Array.from({ length: 30 }, (_, i) => `row ${i}`).join("\r\n"))
      assert.include(screen.repaint(), "row 3")
      const slim = screen.repaint({ scrollback: false })
      assert.notInclude(slim, "row 3\r")
      const copy = yield* fed(slim)
      assert.deepStrictEqual(sight(copy), sight(screen))
    })

    drawn("keeps wrapped lines wrapped", function* () {
      const copy = yield* same(`${"abcdefghij".repeat(5)}\r\nend\r\n\x1b[45m${"k".repeat(30)}\x1b[m\r\n.`)
      copy.resize(60, 6)
      assert.strictEqual(copy.view().lines[0], "abcdefghij".repeat(5))
      assert.strictEqual(copy.view().lines[2], "k".repeat(30))
    })

    drawn("leaves no background where a wrap or a switch of screens would", function* () {
      yield* same(`\x1b[6;1H\x1b[44m${"k".repeat(30)}\x1b[m\x1b[K`)
      yield* same(`\x1b[6;1H\x1b[44m${"k".repeat(30)}\x1b[m\x1b[1K\x1b[15Gx`)
      yield* same("\x1b[44m\x1b[?1049h\x1b[T")
    })

    it.effect("wraps wide characters that have no room", () => same(`${"a".repeat(19)}日x\r\n${"日".repeat(15)}`))

    drawn("leaves the cursor waiting behind the last column", function* () {
      const copy = yield* same("a".repeat(20))
      copy.feed(bytes("b"))
      assert.deepStrictEqual(copy.view().lines.slice(0, 2), ["a".repeat(20), "b"])
      yield* same(`${"a".repeat(18)}日`)
      yield* same(`\x1b[31m${"a".repeat(20)}\x1b[32m`)
    })

    drawn("restores the alternate screen above the main one", function* () {
      for (const mode of [1049, 1047, 47]) {
        const copy = yield* same(`main\r\nscreen\x1b[?${mode}h\x1b[2;3H\x1b[42malt\x1b[5;5H`)
        assert.isTrue(copy.view().alternate)
        copy.feed(bytes(`\x1b[?${mode}l`))
        assert.deepStrictEqual(copy.view().lines.slice(0, 2), ["main", "screen"])
        if (mode === 1049) assert.deepStrictEqual(copy.view().cursor, { x: 6, y: 1, visible: true })
      }
    })

    drawn("restores modes, keyboard, mouse, title and cursor", function* () {
      const on =
        "\x1b[?1h\x1b=\x1b[?2004h\x1b[?1004h\x1b[?1000h\x1b[?1002h\x1b[?1003h\x1b[?1006h\x1b[?2031h\x1b[>5u\x1b[>4;2m\x1b[5 q\x1b[?25l\x1b]0;ti tle\x07\x1b]11;#102030\x07\x1b]9;4;1;50\x07\x1b]22;text\x07"
      const screen = yield* fed(on)
      const copy = yield* same(on)
      assert.deepInclude(sight(copy), {
        dec: [1, 25, 1003, 1004, 1006, 2004, 2031],
        keypad: true,
        cursorStyle: 5,
        title: "ti tle"
      })
      for (const text of [
        "\x1b[?1h",
        "\x1b=",
        "\x1b[?2004h",
        "\x1b[?1004h",
        "\x1b[?1003h",
        "\x1b[?1006h",
        "\x1b[?2031h",
        "\x1b[>5u",
        "\x1b[>4;2m",
        "\x1b[5 q",
        "\x1b[?25l"
      ]) {
        assert.include(screen.repaint(), text)
      }
      assert.notInclude(screen.repaint(), "\x1b[?1000h")
    })

    drawn("restores keyboard flags to the screen that has them", function* () {
      const copy = yield* same("\x1b[>1u\x1b[?1049h\x1b[>7u\x1b[>3u")
      assert.strictEqual(TerminalModes.kittyFlags(copy.modes()), 3)
      copy.feed(bytes("\x1b[<2u\x1b[?1049l"))
      assert.strictEqual(TerminalModes.kittyFlags(copy.modes()), 1)
    })

    drawn("turns nothing on that was turned off again", function* () {
      const screen = yield* fed(
        "\x1b[?2004h\x1b[?1002h\x1b[?1006h\x1b[>1u\x1b[?1049h\x1b[31mx\x1b[?1049l\x1b[<u\x1b[?1006l\x1b[?1002l\x1b[?2004l\x1b[m\x1b[?25l\x1b[?25h\x1b]11;#fff\x07\x1b]111\x07"
      )
      assert.strictEqual(screen.repaint(), (yield* make()).repaint())
    })

    drawn("restores scroll region, origin mode and the saved cursor", function* () {
      const copy = yield* same("1\r\n2\r\n3\r\n4\r\n5\r\n6\x1b[2;4r\x1b[3;3H\x1b[31m\x1b7\x1b[?6h\x1b[2;2H")
      copy.feed(bytes("\x1b[3;1H\n"))
      assert.deepStrictEqual(copy.view().lines, ["1", "3", "4", "", "5", "6"])
      copy.feed(bytes("\x1b[?6l\x1b8x"))
      assert.strictEqual(copy.view().lines[2], "4 x")
      assert.strictEqual(copy.modes().pen.foreground, "31")
    })

    drawn("goes on in the middle of line drawing", function* () {
      const copy = yield* same("\x1b(0lqk\x1b)0\x0e")
      copy.feed(bytes("x"))
      assert.strictEqual(copy.view().lines[0], "┌─┐│")
    })

    drawn("keeps hyperlinks", function* () {
      const screen = yield* fed("\x1b]8;;http://a.test/x\x1b\\link\x1b]8;;\x1b\\ \x1b]8;id=1;http://b.test\x1b\\open")
      assert.include(screen.repaint(), "\x1b]8;;http://a.test/x\x1b\\link\x1b]8;;\x1b\\")
      assert.strictEqual((yield* repainted(screen)).repaint(), screen.repaint())
    })

    it.effect("of a half drawn frame is half drawn too", () => same("\x1b[?2026hab"))

    drawn("on a used terminal whose modes were undone is as good as on a fresh one", function* () {
      const screen = yield* fed("\x1b[?2004hnew\r\nscreen\x1b[33m")
      const used = yield* fed("old\r\nold old\x1b[?1h\x1b[?1003h\x1b[2;3r\x1b[>1u\x1b[?1049h\x1b[41malt\x1b[?7l\x1b[4h")
      used.feed(bytes(`${TerminalModes.restoreSequence(used.modes())}${screen.repaint()}`))
      assert.deepStrictEqual(sight(used), sight(screen))
    })

    const Pieces = Schema.Array(
      Schema.Literals([
        "a",
        "bc",
        "hello ",
        "日",
        "🎉",
        "e\u0301",
        "👍🏽",
        "👩\u200d💻",
        "🇩🇪",
        "🇩",
        "1\ufe0f\u20e3",
        "❤\ufe0f",
        // behind something: alone in a cell, where the cursor waits to wrap, they cannot be drawn again
        "a\u200d",
        "🏽",
        "a\ufe0f",
        "│",
        "x".repeat(19),
        "y".repeat(20),
        "z".repeat(33),
        "\r\n",
        "\n",
        "\r",
        "\b",
        "\t",
        "\x1b[m",
        "\x1b[31m",
        "\x1b[44m",
        "\x1b[1;2m",
        "\x1b[22m",
        "\x1b[4:3m",
        "\x1b[24m",
        "\x1b[7m",
        "\x1b[38;5;99m",
        "\x1b[48;2;9;8;7m",
        "\x1b[39;49m",
        "\x1b[58:5:3m",
        "\x1b[H",
        "\x1b[3;7H",
        "\x1b[6;20H",
        "\x1b[2A",
        "\x1b[3C",
        "\x1b[5G",
        "\x1b[4d",
        "\x1b[K",
        "\x1b[1K",
        "\x1b[2K",
        "\x1b[J",
        "\x1b[1J",
        "\x1b[2J",
        "\x1b[3X",
        "\x1b[2P",
        "\x1b[2@",
        "\x1b[L",
        "\x1b[2M",
        "\x1b[2S",
        "\x1b[T",
        "\x1bM",
        "\x1bD",
        "\x1b[2;5r",
        "\x1b[r",
        "\x1b7",
        "\x1b8",
        "\x1b[?1049h",
        "\x1b[?1049l",
        "\x1b[?47h",
        "\x1b[?47l",
        "\x1b[?7l",
        "\x1b[?7h",
        "\x1b[?25l",
        "\x1b[?25h",
        "\x1b[?2004h",
        "\x1b[?2004l",
        "\x1b[?1000h",
        "\x1b[?1003h",
        "\x1b[?1003l",
        "\x1b[?1006h",
        "\x1b[4h",
        "\x1b[4l",
        "\x1b[>1u",
        "\x1b[<u",
        "\x1b[=3;1u",
        "\x1b]0;t\x07",
        "\x1b(0",
        "\x1b(B",
        "\x0e",
        "\x0f",
        "\x1b[3 q",
        "\x1b=",
        "\x1b>",
        "\x1b[?2026h",
        "\x1b[?2026l",
        "\x1b[?6h",
        "\x1b[?6l",
        "\x1b]8;;u\x07",
        "\x1b]8;;\x07",
        "\x1bc"
      ])
    )

    drawn("keeps characters apart that would join, also where the second one has wrapped", function* () {
      for (const [text, cols] of [
        ["a🎉\x1b(B🏽b", 20],
        ["hello 🎉\x1b(B🏽", 9],
        ["hello 🎉\x1b(B🏽", 8]
      ] as const) {
        const screen = yield* fed(text, { cols })
        assert.deepStrictEqual(sight(yield* fed(screen.repaint(), { cols })), sight(screen), JSON.stringify(text))
      }
    })

    const isWide = (piece: string) => /[^\x00-\u02ff]/.test(piece)
    /**
     * Without autowrap xterm writes over the right half of a wide character in the last column and keeps its left half,
     * and of one that grows there to two columns it keeps what is left of both; no terminal shows that.
     */
    const halves = (pieces: ReadonlyArray<string>) => pieces.includes("\x1b[?7l") && pieces.some(isWide)

    it.effect.prop(
      "of anything shows the same on a fresh terminal",
      { pieces: Pieces, cuts: Cuts, cols: Schema.Literals([20, 7, 2]) },
      ({ cols, cuts, pieces }) =>
        Effect.gen(function* () {
          if (halves(pieces)) return
          const screen = yield* make({ cols })
          const text = utf8ToLatin1(pieces.join(""))
          for (const piece of cut(text, cuts)) screen.feed(fromLatin1(piece))
          const copy = yield* fed(screen.repaint(), { cols })
          assert.deepStrictEqual(sight(copy), sight(screen))
          assert.strictEqual(copy.repaint(), screen.repaint())
        }).pipe(Effect.scoped),
      { arbitrary: { runs: 400 } }
    )

    drawn("draws a blank for a wide character that a narrower window cuts", function* () {
      const screen = yield* fed("\x1b[?1049h\x1b[Hab日cd\r\nnext\x1b[5;1H")
      screen.resize(3, 6)
      assert.deepStrictEqual((yield* repainted(screen)).view().lines.slice(0, 2), ["ab", "nex"])
    })

    it.effect.prop(
      "of anything that was resized, too",
      { before: Pieces, after: Pieces, cols: Schema.Literals([20, 9, 33]), rows: Schema.Literals([6, 3, 11]) },
      ({ after, before, cols, rows }) =>
        Effect.gen(function* () {
          if (halves([...before, ...after])) return
          // a wide character that is cut in half is a case of its own
          const screen = yield* fed(before.filter((piece) => !isWide(piece)).join(""))
          screen.resize(cols, rows)
          screen.feed(bytes(after.join("")))
          const copy = yield* fed(screen.repaint(), { cols, rows })
          assert.deepStrictEqual(sight(copy), sight(screen))
        }).pipe(Effect.scoped),
      { arbitrary: { runs: 300 } }
    )

    it.effect.prop(
      "has the modes that xterm itself has",
      { pieces: Pieces },
      ({ pieces }) =>
        Effect.gen(function* () {
          const text = pieces.filter((piece) => piece !== "\x1b[1J").join("")
          const screen = yield* fed(text)
          const emulate = (data: string) => {
            const terminal = new xterm.Terminal({ cols: 20, rows: 6, scrollback: 50, allowProposedApi: true })
            terminal.input("", true)
            terminal.write(data)
            const modes = {
              ...Object.fromEntries(
                Object.keys(Object.getOwnPropertyDescriptors(Object.getPrototypeOf(terminal.modes))).map((key) => [
                  key,
                  (terminal.modes as unknown as Record<string, unknown>)[key]
                ])
              ),
              ...terminal.modes
            }
            const type = terminal.buffer.active.type
            terminal.dispose()
            return { modes, type }
          }
          const before = emulate(text)
          assert.isTrue("bracketedPasteMode" in before.modes)
          assert.deepStrictEqual(emulate(screen.repaint()), before)
        }).pipe(Effect.scoped),
      { arbitrary: { runs: 200 } }
    )

    it.effect.prop(
      "undone leaves a terminal as it was",
      { pieces: Pieces },
      ({ pieces }) =>
        Effect.gen(function* () {
          const screen = yield* fed(pieces.join(""))
          screen.feed(bytes(TerminalModes.restoreSequence(screen.modes())))
          const { alternate, colors, cursor, dec, keypad, kitty, link, pen, regions, whole } = {
            ...sight(screen),
            ...screen.view()
          }
          assert.deepStrictEqual(
            { alternate, colors, dec, keypad, kitty, link, regions, visible: cursor.visible, whole, pen },
            {
              alternate: false,
              colors: new Map(),
              dec: [],
              keypad: false,
              kitty: [[0], null],
              link: "",
              regions: [null, null],
              visible: true,
              whole: true,
              pen: TerminalModes.start.pen
            }
          )
        }).pipe(Effect.scoped),
      { arbitrary: { runs: 300 } }
    )
  })
})
