import { assert, describe, it } from "@effect/vitest"
import { Schema } from "effect"
import { utf8ToLatin1 } from "../../../../src/domain/words/text/Bytes.ts"
import { escapeMs, sequenceMs } from "../../../../src/domain/terminal/sequences/InputBytes.ts"
import {
  bareOf,
  commandOf,
  decode,
  type Key,
  timeout,
  flushHeld,
  start
} from "../../../../src/domain/surfaces/tui/Keys.ts"
import { cut, Cuts, fragments, join, merge, Stream } from "../../../support/data/streams.ts"

const ESC = "\x1b"

/** The keys of some chunks (latin1) after which nothing more comes; runs of typed text are one. */
const keysOf = (...chunks: ReadonlyArray<string>): ReadonlyArray<Key> => {
  let state = start
  const keys: Array<Key> = []
  for (const chunk of chunks) {
    const decoded = decode(state, chunk)
    state = decoded.state
    keys.push(...decoded.keys)
  }
  return merge<Key>([...keys, ...flushHeld(state).keys], (a, b) =>
    a.key === "text" && b.key === "text" && "text" in a && "text" in b ? { key: "text", text: a.text + b.text } : null
  )
}
const nameOf = (key: Key): string => ("text" in key ? `${key.key}:${key.text}` : key.key)
const names = (bytes: string): ReadonlyArray<string> => keysOf(utf8ToLatin1(bytes)).map(nameOf)
const bracketed = (text: string): string => `\x1b[200~${text}\x1b[201~`

describe("keys", () => {
  it.each<readonly [string, ReadonlyArray<string>]>([
    ["", []],
    ["abc", ["text:abc"]],
    // the second Escape says that no sequence follows the bracket, the third that none follows the second
    [`${ESC}[${ESC}${ESC}`, ["alt+[", "escape", "escape"]],
    [bracketed("one\r\ntwo\x07\x1b[31mthree\x00"), ["paste:one\ntwothree"]],
    [`${ESC}[200~cut off`, ["paste:cut off"]],
    [`${ESC}[200~cut off${ESC}[20`, ["paste:cut off"]],
    [
      `ab${bracketed("c\nd")}e\r${ESC}[B\x7ff`,
      ["text:ab", "paste:c\nd", "text:e", "enter", "down", "backspace", "text:f"]
    ],
    [`${ESC}[99;99X${ESC}[?25h${ESC}[5;5~x${ESC}[15~${ESC}[27~y`, ["ctrl+page-up", "text:xy"]],
    ["\r\n\t\x7f\b\x1b", ["enter", "ctrl+j", "tab", "backspace", "backspace", "escape"]],
    ["\x01\x05\x0b\x0c\x0e\x10\x15\x16\x17\x03\x04\x1f\x00", [..."aeklnpuvwcd_", "space"].map((key) => `ctrl+${key}`)],
    ["\x1b\r\x1b\x7f\x1b\b", ["alt+enter", "alt+backspace", "alt+backspace"]],
    ["\x1bOM\x1b[13u\x1b[27;1;13~", ["enter", "enter", "enter"]],
    ["\x1b[13;2u\x1b[13;3u\x1b[27;2;13~", ["shift+enter", "alt+enter", "shift+enter"]],
    ["\x1b[A\x1bOB\x1b[C\x1bOD", ["up", "down", "right", "left"]],
    ["\x1b[1;2A\x1b[1;3B\x1b[1;5C\x1b\x1b[D", ["shift+up", "alt+down", "ctrl+right", "alt+left"]],
    ["\x1b[H\x1bOH\x1b[1~\x1b[7~", ["home", "home", "home", "home"]],
    ["\x1b[F\x1bOF\x1b[4~\x1b[8~", ["end", "end", "end", "end"]],
    ["\x1b[3~\x1b[5~\x1b[6~\x1b[6;3~\x1b[Z", ["delete", "page-up", "page-down", "alt+page-down", "shift+tab"]],
    ["\x1b[9u\x1b[27u\x1b[127u", ["tab", "escape", "backspace"]],
    ["\x1bOP\x1b[11~\x1b[2~", ["f1", "f1", "insert"]],
    ["\x1bb\x1bf\x1bd\x1bx", ["alt+b", "alt+f", "alt+d", "alt+x"]],
    ["\x1b[97u\x1b[97;2u\x1b[97;5u\x1b[97;3u\x1b[57358u", ["text:aA", "ctrl+a", "alt+a"]],
    ["\x1b[99;5u\x1b[27;5;100~\x1b[117;5u\x1b[112;5u", ["ctrl+c", "ctrl+d", "ctrl+u", "ctrl+p"]],
    // ЙЦУКЕН and Greek: by the place that is reported, and by the letter where none is
    ["\x1b[1089::99;5u\x1b[1080::98;3u\x1b[1078::59;5u", ["ctrl+c", "alt+b", "ctrl+;"]],
    ["\x1b[1089;5u\x1b[27;5;1089~\x1b[968;5u\x1bи\x1bф", ["ctrl+c", "ctrl+c", "ctrl+c", "alt+b", "alt+a"]],
    ["\x1b[1092::97;;1092u\x1b[1092:1060:97;2u\x1b[1092;2u", ["text:фФФ"]],
    [`${ESC}[233u${ESC}[27;2;65~${ESC}Op${ESC}Ok`, ["text:éA0+"]],
    ["grüße 日本 👩‍👩‍👧 🎉", ["text:grüße 日本 👩‍👩‍👧 🎉"]],
    ["a\x1b[<0;2;2Mb", ["text:a", "click", "text:b"]]
  ])("%j are %j", (bytes, expected) => assert.deepStrictEqual(names(bytes), expected))

  it("characters that are cut are whole, and one that is never completed is none", () => {
    assert.deepStrictEqual(keysOf(...utf8ToLatin1("é日🎉")).map(nameOf), ["text:é日🎉"])
    assert.deepStrictEqual(keysOf("a\xe6\x97", "b\xff").map(nameOf), ["text:ab"])
    // no Escape, which leaves or interrupts
    assert.deepStrictEqual(keysOf("a\x1b\xd0", "\xb8b").map(nameOf), ["text:a", "alt+b", "text:b"])
  })

  it("what no person typed is no key: focus, answers to queries, released keys, what has no shape or no glyph", () => {
    for (const bytes of [
      `${ESC}[I${ESC}[O`,
      `${ESC}[M !!`,
      `${ESC}[?1;2c`,
      `${ESC}]11;rgb:00/00/00${ESC}\\`,
      `${ESC}[97;1:3u`,
      `${ESC}[`,
      `${ESC}[12`,
      `${ESC}O`,
      `${ESC}[[A`,
      `${ESC}[97;9u`,
      `${ESC}[57352u`,
      `${ESC}[99999999u`,
      "\x1c",
      utf8ToLatin1("\u200b\u202e\u009b")
    ])
      assert.deepStrictEqual(keysOf(bytes), [], JSON.stringify(bytes))
  })

  it.each<readonly [string, ReadonlyArray<Key>]>([
    ["\x1b[<0;1;1M", [{ key: "click", x: 0, y: 0 }]],
    ["\x1b[<0;81;24M\x1b[<0;81;24m", [{ key: "click", x: 80, y: 23 }]],
    ["\x1b[<64;3;4M", [{ key: "wheel-up", x: 2, y: 3 }]],
    ["\x1b[<65;3;4M", [{ key: "wheel-down", x: 2, y: 3 }]],
    // with Shift and Ctrl held it is the same; other buttons and drags are nothing
    ["\x1b[<20;3;4M", [{ key: "click", x: 2, y: 3 }]],
    ["\x1b[<2;3;4M\x1b[<32;3;4M\x1b[<35;3;4M", []],
    ["\x1b[<0;0;0M", []],
    // never finished
    ["\x1b[<0;1", []]
  ])("the mouse's %j is %j", (bytes, expected) => assert.deepStrictEqual(keysOf(bytes), expected))

  it("have a letter where letters are commands, and a name without modifiers where they have names", () => {
    assert.deepStrictEqual(keysOf(utf8ToLatin1("ф")).map(commandOf), ["a"])
    assert.deepStrictEqual(keysOf(bracketed("q")).map(commandOf), ["paste"])
    assert.deepStrictEqual(keysOf("\x1b[1;8A\x1b[13;2u\x1b[Z\x03\x1b[97;7u").map(bareOf), [
      "up",
      "enter",
      "tab",
      "ctrl+c",
      "ctrl+alt+a"
    ])
  })

  it("waits a moment where Escape could begin a sequence, longer for the rest of one or of a paste, and else not at all", () => {
    const after = (bytes: string) => timeout(decode(start, bytes).state)
    assert.strictEqual(after("abc\x1b[A"), null)
    assert.strictEqual(after("abc\x1b"), escapeMs)
    assert.strictEqual(after("\x1b[1;"), sequenceMs)
    assert.strictEqual(after("\x1b[200~abc"), sequenceMs)
    assert.strictEqual(after("\x1b[200~abc\x1b"), sequenceMs)
    assert.strictEqual(after("\xe6"), sequenceMs)
    assert.deepStrictEqual(decode(start, ESC).keys, [])
    assert.deepStrictEqual(decode(decode(start, ESC).state, "[B").keys, [{ key: "down" }])
  })

  it("a paste of 50 KB and more is one, and whole", () => {
    const text = "0123456789\n".repeat(6_000)
    const bytes = bracketed(text)
    const chunks = Array.from({ length: Math.ceil(bytes.length / 4096) }, (_, i) =>
      bytes.slice(i * 4096, (i + 1) * 4096)
    )
    assert.deepStrictEqual(keysOf(...chunks), [{ key: "paste", text }])
  })

  const Bursts = Schema.Array(
    Schema.Literals([
      ...fragments.filter((fragment) => fragment.length < 200),
      "\x1b[A",
      "\x1bOB",
      "\x1b\x1b[A",
      "\x1b[200~",
      "\x1b[201~",
      "\x1b[2",
      "0~",
      "\x1b[13u",
      "\x1b[M   ",
      "\x1b[<0;1;1M",
      "\x1bx",
      "\xe6\x97\xa5",
      "\xe6\x97",
      "\xf0\x9f",
      "\x80",
      "\x03",
      "\x17",
      "\r"
    ])
  )
  it.prop(
    "any bytes mean the same wherever they are cut",
    { pieces: Bursts, cuts: Cuts },
    ({ cuts, pieces }) => {
      const bytes = pieces.join("").replace(/[^\x00-\xff]/g, (char) => utf8ToLatin1(char))
      assert.deepStrictEqual(keysOf(...cut(bytes, cuts)), keysOf(bytes))
      assert.deepStrictEqual(keysOf(...bytes), keysOf(bytes))
    },
    { arbitrary: { runs: 400 } }
  )

  it.prop("nor does it matter for the streams of terminals", [Stream, Cuts], ([stream, cuts]) => {
    const bytes = join(stream)
    assert.deepStrictEqual(keysOf(...cut(bytes, cuts)), keysOf(bytes))
  })

  it.prop(
    "no key carries a control, and a paste only breaks of lines and tabs",
    { pieces: Bursts },
    ({ pieces }) => {
      for (const key of keysOf(pieces.join("").replace(/[^\x00-\xff]/g, (char) => utf8ToLatin1(char)))) {
        if (!("text" in key)) continue
        if (key.key === "text") assert.notMatch(key.text, /\p{Cc}/u)
        else assert.notMatch(key.text, /[^\P{Cc}\n\t]/u)
      }
    },
    { arbitrary: { runs: 200 } }
  )
})
