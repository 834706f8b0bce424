import { assert, describe, it } from "@effect/vitest"
import {
  isOn,
  isText,
  kittyFlags,
  modeSequence,
  resized,
  restoreSequence,
  start,
  track
} from "../../../../src/domain/terminal/sequences/TerminalModes.ts"
import { fromLatin1 } from "../../../../src/domain/words/text/Bytes.ts"
import { cut, Cuts, join, Stream } from "../../../support/data/streams.ts"

const after = (text: string) => track(start, text)
const pop = "\x1b[23;0t"
/** What detaching writes after a CLI wrote this, without the title that is always put back. */
const undone = (text: string) => {
  const sequence = restoreSequence(after(text))
  assert.isTrue(sequence.endsWith(pop), JSON.stringify(sequence))
  return sequence.slice(0, -pop.length)
}

describe("tracking", () => {
  it("knows what is on", () => {
    assert.isTrue(isOn(start, 25))
    assert.isTrue(isOn(start, 7))
    assert.isFalse(isOn(start, 2004))
    const modes = after("\x1b[?25;7l\x1b[?2004h\x1b[?1049h\x1b=")
    assert.deepStrictEqual(
      [25, 7, 2004, 1049, 47, 66, 1003].map((mode) => isOn(modes, mode)),
      [false, false, true, true, true, true, false]
    )
  })

  it("takes one mouse mode for the other, as terminals do", () => {
    const modes = after("\x1b[?1000h\x1b[?1002h\x1b[?1006h\x1b[?1003h")
    assert.deepStrictEqual(modes.dec, [1006, 1003])
    assert.deepStrictEqual(track(modes, "\x1b[?1003l").dec, [1006])
  })

  it("keeps a stack of keyboard flags for each screen", () => {
    const modes = after("\x1b[>1u\x1b[>5u")
    assert.strictEqual(kittyFlags(modes), 5)
    assert.strictEqual(kittyFlags(track(modes, "\x1b[<u")), 1)
    assert.strictEqual(kittyFlags(track(modes, "\x1b[<9u")), 0)
    assert.strictEqual(kittyFlags(track(modes, "\x1b[=2;2u")), 7)
    assert.strictEqual(kittyFlags(track(modes, "\x1b[=4;3u")), 1)
    const alternate = track(modes, "\x1b[?1049h")
    assert.strictEqual(kittyFlags(alternate), 0)
    assert.strictEqual(kittyFlags(track(track(alternate, "\x1b[>31u"), "\x1b[?1049l")), 5)
    assert.isAtMost(after("\x1b[>1u".repeat(1000)).main.kitty.length, 17)
  })

  it("knows title, icon and the stack of titles", () => {
    const modes = after("\x1b]0;one\x07\x1b[22;0t\x1b]2;two\x07")
    assert.deepStrictEqual([modes.title, modes.icon], ["two", "one"])
    assert.strictEqual(track(modes, "\x1b[23;0t").title, "one")
  })

  it("puts modes aside and takes them back", () => {
    assert.deepStrictEqual(after("\x1b[?2004h\x1b[?2004;1s\x1b[?2004l\x1b[?1h\x1b[?2004;1r").dec, [2004])
  })

  it("saves the pen with the cursor, on each screen", () => {
    const modes = after("\x1b[31m\x1b7\x1b[32m\x1b[?1049h\x1b[33m\x1b8")
    assert.strictEqual(modes.pen.foreground, "")
    assert.strictEqual(track(modes, "\x1b[?1049l").pen.foreground, "32")
  })

  it("a full reset leaves titles alone and nothing else", () => {
    const { dec, main, pen, title } = after("\x1b]0;t\x07\x1b[?2004h\x1b[>1u\x1b[31m\x1b[2;3r\x1bc")
    assert.deepStrictEqual({ dec, main, pen, title }, { dec: [], main: start.main, pen: start.pen, title: "t" })
  })

  it("forgets scroll regions at a resize", () => {
    assert.isNull(resized(after("\x1b[2;3r")).main.region)
    assert.strictEqual(resized(start), start)
  })

  it("stays small whatever comes", () => {
    let flood = ""
    for (let i = 0; i < 5000; i++) flood += `\x1b[?${i + 3000}h\x1b[22;0t\x1b]4;${i};#fff\x07\x1b[?${i}s`
    const modes = after(flood)
    assert.isAtMost(modes.dec.length, 64)
    assert.isAtMost(modes.titles.length, 10)
    assert.isAtMost(modes.colors.size, 280)
    assert.isAtMost(modes.aside.size, 64)
  })

  it.prop(
    "does not care where output is cut",
    { stream: Stream, cuts: Cuts },
    ({ cuts, stream }) => {
      const text = join(stream)
      assert.deepStrictEqual(cut(text, cuts).reduce(track, start), after(text))
    },
    { arbitrary: { runs: 300 } }
  )
})

describe("restoreSequence", () => {
  it("undoes each thing, and only that", () => {
    const table: Readonly<Record<string, string>> = {
      "\x1b[?2004h": "\x1b[?2004l",
      "\x1b[?1004h": "\x1b[?1004l",
      "\x1b[?1006h": "\x1b[?1006l",
      "\x1b[?1003h": "\x1b[?1003l",
      "\x1b[?1000h\x1b[?1003h": "\x1b[?1000l\x1b[?1003l",
      "\x1b[?2026h": "\x1b[?2026l",
      "\x1b[?1h": "\x1b[?1l",
      "\x1b=": "\x1b>",
      "\x1b[?25l": "\x1b[?25h",
      "\x1b[?7l": "\x1b[?7h",
      "\x1b[4h": "\x1b[4l",
      "\x1b[31m": "\x1b[m",
      "\x1b[3 q": "\x1b[0 q",
      "\x1b[>1u": "\x1b[<1u",
      "\x1b[>1u\x1b[>5u\x1b[=1u": "\x1b[<2u",
      "\x1b[=1;1u": "\x1b[=0;1u",
      "\x1b[>4;2m": "\x1b[>4m",
      "\x1b[2;5r": "\x1b7\x1b[r\x1b8",
      "\x1b[?1049h": "\x1b[?1049l\x1b[m",
      "\x1b[?47h": "\x1b[?47l\x1b[m",
      "\x1b[>1u\x1b[?1049h\x1b[>3u\x1b[2;5r": "\x1b[<1u\x1b[r\x1b[?1049l\x1b[<1u\x1b[m",
      "\x1b(0": "\x1b(B",
      "\x0e": "\x0f",
      "\x1b]8;;http://a\x07": "\x1b]8;;\x1b\\",
      "\x1b]11;#123456\x07": "\x1b]111\x1b\\",
      "\x1b]4;1;#123456\x07": "\x1b]104\x1b\\",
      "\x1b]9;4;1;50\x07": "\x1b]9;4;0\x1b\\",
      "\x1b]22;pointer\x07": "\x1b]22;\x1b\\",
      "\x1b]7501;state=working\x07": "\x1b]7501;state=clear\x1b\\",
      "\x1b]0;half": "\x18\x1b\\",
      "\x1b[22;0t": pop
    }
    for (const [text, undoing] of Object.entries(table)) assert.strictEqual(undone(text), undoing, JSON.stringify(text))
  })

  it("undoes nothing that the program undid itself", () => {
    for (const text of [
      "\x1b[?2004h\x1b[?2004l",
      "\x1b[?1049h\x1b[?1049l",
      "\x1b[>1u\x1b[<u",
      "\x1b[31m\x1b[m",
      "\x1b[?25l\x1b[?25h",
      "\x1b=\x1b>",
      "\x1b[22;0t\x1b[23;0t",
      "\x1b[2;5r\x1b[r",
      "\x1b]11;#fff\x07\x1b]111\x07",
      "\x1b]8;;a\x07\x1b]8;;\x07",
      "\x1b[?1000h\x1b[?1002h\x1b[?1002l\x1b[?1000l",
      "\x1b]7501;state=idle\x07\x1b]7501;state=clear\x07",
      "\x1b[>4;2m\x1b[>4m",
      "\x1b[4h\x1b[4l",
      "\x1b]9;4;1;5\x07\x1b]9;4;0\x07",
      "\x1b]7501;?\x1b\\"
    ])
      assert.strictEqual(undone(text), "", JSON.stringify(text))
  })

  it("does not pop a title that is not its own", () => {
    assert.strictEqual(restoreSequence(after("\x1b[23;0t")), "")
    assert.strictEqual(restoreSequence(after("\x1b[23;0t\x1b[22;0t")), pop)
  })

  it("undoes what some terminals keep where others forget", () => {
    assert.include(undone("\x1b[?2004h\x1b[!p"), "\x1b[?2004l")
    assert.include(undone("\x1b[?1000h\x1b[?1003h\x1b[?1003l"), "\x1b[?1000l")
  })

  it.prop(
    "is not changed by what is taken for text",
    { before: Stream, chunk: Stream },
    ({ before, chunk }) => {
      const modes = after(join(before))
      const text = join(chunk)
      if (isText(modes, fromLatin1(text))) assert.deepStrictEqual(track(modes, text), modes)
      else assert.isTrue(modes.vt.phase !== "Ground" || /[\x0e\x0f\x1b]/.test(text), "all other is text")
    },
    { arbitrary: { runs: 300 } }
  )

  it.prop(
    "leaves nothing to undo",
    { stream: Stream },
    ({ stream }) => {
      const modes = after(join(stream))
      const again = track(modes, restoreSequence(modes))
      assert.strictEqual(restoreSequence({ ...again, titles: [], overPopped: 0 }), pop)
    },
    { arbitrary: { runs: 300 } }
  )
})

describe("modeSequence", () => {
  it("sets nothing on a terminal where nothing was changed", () => assert.strictEqual(modeSequence(start), ""))

  it("writes titles as text, without what could break out of them", () => {
    assert.strictEqual(modeSequence(after("\x1b]2;T\xc3\xaf\x01tle\x07")), "\x1b]1;\x1b\\\x1b]2;Tïtle\x1b\\")
  })
})
