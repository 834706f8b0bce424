import { assert, describe, it } from "@effect/vitest"
import { utf8ToLatin1 } from "../../../../src/domain/words/text/Bytes.ts"
import { type Chord, decode, flushHeld } from "../../../../src/domain/surfaces/tui/Chords.ts"
import { start } from "../../../../src/domain/surfaces/tui/Keys.ts"
import { cut, Cuts, join, merge, Stream } from "../../../support/data/streams.ts"

const chordsOf = (...chunks: ReadonlyArray<string>): ReadonlyArray<Chord> => {
  let state = start
  const chords: Array<Chord> = []
  for (const chunk of chunks) {
    const decoded = decode(state, chunk)
    state = decoded.state
    chords.push(...decoded.keys)
  }
  return merge<Chord>([...chords, ...flushHeld(state).keys], (a, b) =>
    "text" in a && "text" in b && a.chord === "text" && b.chord === "text"
      ? { chord: "text", text: a.text + b.text }
      : null
  )
}
const names = (bytes: string): ReadonlyArray<string> =>
  chordsOf(utf8ToLatin1(bytes)).map((key) => ("text" in key ? `${key.chord}:${key.text}` : key.chord))

describe("chords", () => {
  it.each<readonly [string, ReadonlyArray<string>]>([
    ["\r\n\t\x7f\x1b", ["enter", "ctrl+j", "tab", "backspace", "escape"]],
    ["\x01\x05\x0b\x15\x16\x17\x03\x04\x1f", ["a", "e", "k", "u", "v", "w", "c", "d", "_"].map((key) => `ctrl+${key}`)],
    ["\x1b\r", ["alt+enter"]],
    ["\x1b[13;2u\x1b[13;3u\x1b[27;2;13~", ["shift+enter", "alt+enter", "shift+enter"]],
    ["\x1b[A\x1bOB\x1b[C\x1bOD", ["up", "down", "right", "left"]],
    ["\x1b[1;2A\x1b[1;3B\x1b[1;5C\x1b\x1b[D", ["shift+up", "alt+down", "ctrl+right", "alt+left"]],
    ["\x1b[H\x1b[4~\x1b[3~\x1b[5~\x1b[6~\x1b[Z", ["home", "end", "delete", "page-up", "page-down", "shift+tab"]],
    ["\x1bOP\x1b[11~", ["f1", "f1"]],
    ["\x1bb\x1bf\x1bd\x1b\x7f", ["alt+b", "alt+f", "alt+d", "alt+backspace"]],
    ["\x1b[97u\x1b[97;2u\x1b[97;5u\x1b[57358u", ["text:aA", "ctrl+a"]],
    // ЙЦУКЕН and Greek: by the place that is reported, and by the letter where none is
    ["\x1b[1089::99;5u\x1b[1080::98;3u\x1b[1078::59;5u", ["ctrl+c", "alt+b", "ctrl+;"]],
    ["\x1b[1089;5u\x1b[27;5;1089~\x1b[968;5u\x1bи\x1bф", ["ctrl+c", "ctrl+c", "ctrl+c", "alt+b", "alt+a"]],
    ["\x1b[1092::97;;1092u\x1b[1092:1060:97;2u\x1b[1092;2u", ["text:фФФ"]],
    ["grüße 日本 👩‍👩‍👧", ["text:grüße 日本 👩‍👩‍👧"]],
    ["a\x1b[200~b\r\nc\x1b[31m\x1b[201~d", ["text:a", "paste:b\nc", "text:d"]],
    ["\x1b[?1;2c\x1b]11;rgb:0/0/0\x07\x1b[I\x1b[<0;1;1M", []]
  ])("%j are %j", (bytes, expected) => assert.deepStrictEqual(names(bytes), expected))

  it("a paste of 50 KB and more is one, and whole", () => {
    const text = "0123456789\n".repeat(6_000)
    const bytes = `\x1b[200~${text}\x1b[201~`
    const chunks = Array.from({ length: Math.ceil(bytes.length / 4096) }, (_, i) =>
      bytes.slice(i * 4096, (i + 1) * 4096)
    )
    assert.deepStrictEqual(chordsOf(...chunks), [{ chord: "paste", text }])
  })

  it.prop("do not depend on how the bytes come", [Stream, Cuts], ([stream, cuts]) => {
    const bytes = join(stream)
    assert.deepStrictEqual(chordsOf(...cut(bytes, cuts)), chordsOf(bytes))
  })
})
