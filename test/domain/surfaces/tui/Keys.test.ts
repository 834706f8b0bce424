import { assert, describe, it } from "@effect/vitest"
import { Schema } from "effect"
import { utf8ToLatin1 } from "../../../../src/domain/words/text/Bytes.ts"
import { escapeMs, sequenceMs } from "../../../../src/domain/terminal/sequences/InputBytes.ts"
import {
  decode,
  type TuiKey,
  type KeyName,
  patience,
  flushHeld,
  start
} from "../../../../src/domain/surfaces/tui/Keys.ts"
import { cut, Cuts, fragments, merge } from "../../../support/data/streams.ts"

const ESC = "\x1b"

/** The keys of some chunks (latin1) after which nothing more comes; runs of typed text are one. */
const keysOf = (...chunks: ReadonlyArray<string>): ReadonlyArray<TuiKey> => {
  let state = start
  const keys: Array<TuiKey> = []
  for (const chunk of chunks) {
    const decoded = decode(state, chunk)
    state = decoded.state
    keys.push(...decoded.keys)
  }
  return merge<TuiKey>([...keys, ...flushHeld(state).keys], (a, b) =>
    a.key === "text" && b.key === "text" ? { key: "text", text: a.text + b.text } : null
  )
}
const text = (text: string): TuiKey => ({ key: "text", text })
const paste = (text: string): TuiKey => ({ key: "paste", text })
const named = (...keys: ReadonlyArray<KeyName>): ReadonlyArray<TuiKey> => keys.map((key) => ({ key }))
const bracketed = (text: string): string => `\x1b[200~${text}\x1b[201~`

describe("keys", () => {
  it("text, pastes, arrows, editing keys, lone Escape and mixed bursts come in order; what is unknown is dropped", () => {
    const table: ReadonlyArray<readonly [string, ReadonlyArray<TuiKey>]> = [
      ["", []],
      ["abc", [text("abc")]],
      // the second Escape says that no sequence follows the bracket, the third that none follows the second
      [`${ESC}[${ESC}${ESC}`, named("escape", "escape")],
      // a letter like any other, never "quit": it can be searched for
      ["q", [text("q")]],
      [bracketed("one\r\ntwo\x07\x1b[31mthree\x00"), [paste("one\ntwothree")]],
      [`${ESC}[200~cut off`, [paste("cut off")]],
      [`${ESC}[200~cut off${ESC}[20`, [paste("cut off")]],
      [`${ESC}[A${ESC}[B${ESC}OA${ESC}OB`, named("up", "down", "up", "down")],
      ["\r\x7f\x08\x03\x04", named("enter", "backspace", "backspace", "cancel", "cancel")],
      [ESC, named("escape")],
      [
        `ab${bracketed("c\nd")}e\r${ESC}[B\x7ff`,
        [text("ab"), paste("c\nd"), text("e"), ...named("enter", "down", "backspace"), text("f")]
      ],
      [`${ESC}[99;99X${ESC}[?25h${ESC}[5;5~x${ESC}[15~${ESC}[2~y`, [...named("page-up"), text("xy")]]
    ]
    for (const [bytes, keys] of table) assert.deepStrictEqual(keysOf(bytes), keys, JSON.stringify(bytes))
  })

  it.each<readonly [KeyName, ReadonlyArray<string>]>([
    [
      "up",
      ["\x10", "\x0b", `${ESC}[A`, `${ESC}OA`, `${ESC}[1;5A`, `${ESC}${ESC}[A`, `${ESC}[112;5u`, `${ESC}[27;5;112~`]
    ],
    ["down", ["\x0e", "\n", `${ESC}[B`, `${ESC}OB`, `${ESC}[1;2B`]],
    ["page-up", [`${ESC}[5~`]],
    ["page-down", [`${ESC}[6~`, `${ESC}[6;3~`]],
    ["home", [`${ESC}[H`, `${ESC}OH`, `${ESC}[1~`, `${ESC}[7~`]],
    ["end", [`${ESC}[F`, `${ESC}OF`, `${ESC}[4~`, `${ESC}[8~`]],
    ["enter", ["\r", `${ESC}OM`, `${ESC}[13u`, `${ESC}[27;1;13~`]],
    ["tab", ["\t", `${ESC}[Z`, `${ESC}[9u`]],
    ["escape", [ESC, `${ESC}[27u`]],
    ["clear", ["\x15", `${ESC}[117;5u`]],
    ["delete-word", ["\x17", `${ESC}\x7f`, `${ESC}\b`]],
    ["cancel", ["\x03", "\x04", `${ESC}[99;5u`, `${ESC}[27;5;100~`, `${ESC}[1089::99;5u`, `${ESC}[968;5u`]],
    ["redraw", ["\x0c"]]
  ])("%s, in all its spellings", (key, spellings) => {
    for (const bytes of spellings) assert.deepStrictEqual(keysOf(bytes), named(key), JSON.stringify(bytes))
  })

  it("characters that come encoded, by the keypad, or cut", () => {
    assert.deepStrictEqual(keysOf(`${ESC}[233u${ESC}[27;2;65~${ESC}Op${ESC}Ok`), [text("éA0+")])
    assert.deepStrictEqual(keysOf(...utf8ToLatin1("é日🎉")), [text("é日🎉")])
    // never completed, and followed by something else
    assert.deepStrictEqual(keysOf("a\xe6\x97", "b\xff"), [text("ab")])
  })

  it("what no person typed is no key: focus, mouse, answers to queries, released keys, Alt with a letter, function keys, what has no shape", () => {
    for (const bytes of [
      `${ESC}[I${ESC}[O`,
      `${ESC}[<0;10;10M${ESC}[<0;10;10m`,
      `${ESC}[M !!`,
      `${ESC}[?1;2c`,
      `${ESC}]11;rgb:00/00/00${ESC}\\`,
      `${ESC}[97;1:3u`,
      `${ESC}x`,
      `${ESC}[`,
      `${ESC}[12`,
      `${ESC}O`,
      `${ESC}[[A`,
      `${ESC}OP`,
      `${ESC}[97;3u`,
      `${ESC}[57352u`,
      `${ESC}[99999999u`,
      "\x00\x1a\x1c",
      utf8ToLatin1("\u200b\u202e\u009b\ufe0f")
    ])
      assert.deepStrictEqual(keysOf(bytes), [], JSON.stringify(bytes))
  })

  it("waits a moment where Escape could begin a sequence, longer for the rest of one or of a paste, and else not at all", () => {
    const after = (bytes: string) => patience(decode(start, bytes).state)
    assert.strictEqual(after("abc\x1b[A"), null)
    assert.strictEqual(after("abc\x1b"), escapeMs)
    assert.strictEqual(after("\x1b[1;"), sequenceMs)
    assert.strictEqual(after("\x1b[200~abc"), sequenceMs)
    assert.strictEqual(after("\x1b[200~abc\x1b"), sequenceMs)
    assert.strictEqual(after("\xe6"), sequenceMs)
    assert.deepStrictEqual(decode(start, ESC).keys, [])
    assert.deepStrictEqual(decode(decode(start, ESC).state, "[B").keys, named("down"))
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

  it.prop(
    "no key carries a control, and a paste only breaks of lines and tabs",
    { pieces: Bursts },
    ({ pieces }) => {
      for (const key of keysOf(pieces.join("").replace(/[^\x00-\xff]/g, (char) => utf8ToLatin1(char)))) {
        if (key.key === "text") assert.notMatch(key.text, /\p{Cc}/u)
        if (key.key === "paste") assert.notMatch(key.text, /[^\P{Cc}\n\t]/u)
      }
    },
    { arbitrary: { runs: 200 } }
  )
})
