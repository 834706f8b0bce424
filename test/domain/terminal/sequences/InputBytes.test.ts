import { assert, describe, it } from "@effect/vitest"
import { Schema } from "effect"
import {
  classify,
  escapeMs,
  type InputPart,
  type InputState,
  sequenceMs,
  start
} from "../../../../src/domain/terminal/sequences/InputBytes.ts"
import { heldLimit } from "../../../../src/domain/terminal/sequences/VtScanner.ts"
import { joined, Pieces, Raw } from "../../../support/data/inputs.ts"
import { cut, Cuts } from "../../../support/data/streams.ts"

const ESC = "\x1b"
const feed = (pieces: ReadonlyArray<string>, at = 0) => {
  let state: InputState = start
  const parts: Array<InputPart> = []
  for (const piece of pieces) {
    const classified = classify(state, piece, at)
    state = classified.state
    parts.push(...classified.parts)
  }
  return { state, parts }
}
/** What a part is taken for, and its bytes. */
const short = (part: InputPart) => `${part._tag === "Keys" ? part.kind : part._tag}:${part.data}`
const of = (...pieces: ReadonlyArray<string>) => feed(pieces).parts.map(short)
/** What one whole sequence is taken for; "pending" when nothing was given out. */
const kind = (text: string): string => {
  const parts = of(text)
  if (parts.length === 0) return "pending"
  const found = parts[0]!.slice(0, parts[0]!.indexOf(":"))
  assert.deepStrictEqual(parts, [`${found}:${text}`], JSON.stringify(text))
  return found
}
/** Sequences that begin with ESC, each without it. */
const escaped = (sequences: string) => sequences.split(" ").map((sequence) => ESC + sequence)
const kinds = (table: Readonly<Record<string, ReadonlyArray<string>>>) => {
  for (const [expected, texts] of Object.entries(table))
    for (const text of texts) assert.strictEqual(kind(text), expected, JSON.stringify(text))
}

describe("keys", () => {
  it("plain bytes", () => {
    kinds({
      text: ["hello", "\xc3\xa9"],
      enter: ["\r"],
      edit: ["\n", "\x7f", "\x08", "\t", "\x15", "\x17", "\x0b"],
      "ctrl-c": ["\x03"],
      "ctrl-d": ["\x04"],
      navigate: ["\x01", "\x05"],
      other: ["\x0c", "\x12", "\x00", "\x1c"]
    })
    assert.deepStrictEqual(of("ab\rc\x03"), ["text:ab", "enter:\r", "text:c", "ctrl-c:\x03"])
  })

  it("cursor, function and editing keys", () => {
    kinds({ navigate: escaped("[A [1;5C [H [F [1~ [4~ [5~ [6~ [15~ [24~ [P [1;2P OA OH OP OS [[A [5;5~") })
    kinds({
      edit: ["\x1b[3~", "\x1b[3;5~"],
      other: ["\x1b[2~", "\x1b[Z"],
      enter: ["\x1bOM"],
      text: ["\x1bOp"]
    })
  })

  it("Enter, Escape, Ctrl+C and Ctrl+D as kitty encodes them", () => {
    kinds({
      enter: ["\x1b[13u", "\x1b[13;1u", "\x1b[13;1:1u", "\x1b[13;129u", "\x1b[57414u"],
      edit: escaped("[13;2u [13;5u [13;3u [127u [127;5u [119;5u [117;5u [9u"),
      escape: ["\x1b[27u", "\x1b[27;1:2u", "\x1b[27;65u"],
      "ctrl-c": escaped("[99;5u [99;69u [99:67;6u [99;5:1u [1089::99;5u [1089;5u"),
      "ctrl-d": ["\x1b[27;5;1074~", "\x1b[100;5u"],
      navigate: ["\x1b[1080::98;3u", "\x1b[97;5u", "\x1b[98;3u", "\x1b[57417u", "\x1b[57376u"],
      text: ["\x1b[99u", "\x1b[99;3u", "\x1b[97;1;97u", "\x1b[233u"],
      other: ["\x1b[9;2u", "\x1b[108;5u", "\x1b[97;9u", "\x1b[57352u"]
    })
  })

  it("a key that is released, a modifier or a lock is no key", () => {
    kinds({ NoKey: escaped("[13;1:3u [27;1:3u [99;5:3u [97;1:3u [1;1:3A [3;1:3~ [57441u [57442;5u [57358u") })
  })

  it("Alt with a key is that, not Escape", () => {
    kinds({
      text: escaped("a \xc3\xa9 [ ] P O _ ^ X"),
      navigate: ["\x1bb", "\x1bf", "\x1b\x1b[A"],
      edit: ["\x1bd", "\x1b\x7f", "\x1b\r"]
    })
    assert.deepStrictEqual(of("\x1b]hello\r"), ["text:\x1b]hello", "enter:\r"])
  })

  it("Escape twice is Escape twice", () => {
    assert.deepStrictEqual(of("\x1b\x1b"), ["escape:\x1b", "escape:\x1b"])
    assert.deepStrictEqual(of("\x1b\x03"), ["escape:\x1b", "ctrl-c:\x03"])
    assert.deepStrictEqual(of("\x1b\x1b[I"), ["escape:\x1b", "Focus:\x1b[I"])
  })
})

describe("a lone ESC", () => {
  it("is Escape at once", () => {
    assert.deepStrictEqual(of("a\x1b"), ["text:a", "escape:\x1b"])
  })

  it("turns out to begin a sequence when the rest comes in time", () => {
    const first = classify(start, ESC, 1000)
    const second = classify(first.state, "[A", 1000 + escapeMs)
    assert.deepStrictEqual(second.parts, [{ _tag: "Keys", kind: "navigate", data: "[A", continues: true }])
    const reply = classify(first.state, "[?62;22c", 1000 + escapeMs)
    assert.deepStrictEqual(reply.parts, [{ _tag: "Reply", data: "[?62;22c", continues: true }])
  })

  it("stays Escape when the rest comes too late, or is no rest", () => {
    const first = classify(start, ESC, 1000)
    assert.deepStrictEqual(classify(first.state, "[A", 1001 + escapeMs).parts.map(short), ["text:[A"])
    assert.deepStrictEqual(classify(first.state, "a", 1001).parts.map(short), ["text:a"])
    assert.deepStrictEqual(classify(first.state, "\r", 1001).parts.map(short), ["enter:\r"])
    assert.deepStrictEqual(classify(first.state, ESC, 1001).parts.map(short), ["escape:\x1b"])
  })

  it("in a piece of its own begins a paste, a byte at a time", () => {
    const parts = feed([..."\x1b[200~x\r\x1b[201~\r"]).parts
    assert.deepStrictEqual(
      parts.map((part) => (part._tag === "Keys" ? part.kind : part._tag)),
      ["escape", ...parts.slice(1, -1).map(() => "paste"), "enter"]
    )
    assert.strictEqual(parts.map(({ data }) => data).join(""), "\x1b[200~x\r\x1b[201~\r")
  })
})

describe("what is no key", () => {
  it("replies to queries", () => {
    const replies = [
      "\x1b[?62;22c",
      "\x1b[>1;10;0c",
      "\x1bP!|00000000\x1b\\",
      "\x1bP>|term 1.0\x1b\\",
      "\x1b[0n",
      "\x1b[?997;1n",
      "\x1b[24;80R",
      "\x1b[1;2R",
      "\x1b[?3;4R",
      "\x1b[?2026;2$y",
      "\x1b[4;2$y",
      "\x1b[?1u",
      "\x1b[?0u",
      "\x1b]11;rgb:0000/0000/0000\x1b\\",
      "\x1b]4;1;rgb:ff/00/00\x07",
      "\x1bP1+r544e=78\x1b\\",
      "\x1bP0$r\x1b\\",
      "\x1bP1$r0m\x1b\\",
      "\x1b_Gi=1;OK\x1b\\",
      "\x1b]7501;?\x1b\\",
      "\x1b]52;c;aGk=\x1b\\",
      "\x1b[8;24;80t",
      "\x1b[4;600;800t",
      "\x1b[48;24;80;600;800t",
      "\x1b[>4;2m"
    ]
    for (const text of replies) assert.strictEqual(kind(text), "Reply", JSON.stringify(text))
    assert.deepStrictEqual(of(`a${replies.join("")}b`), ["text:a", ...replies.map((text) => `Reply:${text}`), "text:b"])
  })

  it("focus and mouse reports", () => {
    kinds({
      Focus: ["\x1b[I", "\x1b[O"],
      Mouse: ["\x1b[<0;10;20M", "\x1b[<64;1;1m", "\x1b[M !!", "\x1b[M\xff\xff\x20", "\x1b[32;10;20M"]
    })
    assert.deepStrictEqual(of("\x1b[M !\x1b"), ["text:\x1b[M !", "escape:\x1b"])
  })

  it("waits for the rest of a reply, and takes it for keys when the wait gets long", () => {
    const first = classify(start, "\x1b]11;rgb:00", 0)
    assert.deepStrictEqual(first.parts, [])
    assert.deepStrictEqual(classify(first.state, "00/0/0\x07", sequenceMs).parts.map(short), [
      "Reply:\x1b]11;rgb:0000/0/0\x07"
    ])
    assert.deepStrictEqual(classify(first.state, "x", sequenceMs + 1).parts.map(short), ["text:\x1b]11;rgb:00x"])
    // nothing more comes, and somebody looks
    assert.deepStrictEqual(classify(first.state, "", sequenceMs), { state: first.state, parts: [] })
    const late = classify(first.state, "", sequenceMs + 1)
    assert.deepStrictEqual([late.parts.map(short), late.state.pending], [["text:\x1b]11;rgb:00"], ""])
    assert.deepStrictEqual(classify(first.state, "\r", 1).parts.map(short), ["text:\x1b]11;rgb:00", "enter:\r"])
  })

  it("lets a long reply pass without holding it", () => {
    const text = `\x1b]52;c;${"A".repeat(50_000)}\x07`
    let state: InputState = start
    let given = ""
    for (let i = 0; i < text.length; i += 1000) {
      const classified = classify(state, text.slice(i, i + 1000), 0)
      state = classified.state
      assert.isTrue(classified.parts.every(({ _tag }) => _tag === "Reply"))
      assert.isAtMost(state.pending.length, heldLimit)
      given += classified.parts.map(({ data }) => data).join("")
    }
    assert.strictEqual(given, text)
    const late = classify(start, `\x1b]52;c;${"A".repeat(heldLimit)}\x1b`, 0).state
    assert.deepStrictEqual(classify(late, "\\a", 60_000).parts.map(short), ["Reply:\x1b\\", "text:a"])
    assert.deepStrictEqual(classify(state, "a", 0).parts.map(short), ["text:a"])
  })
})

describe("a bracketed paste", () => {
  it("is paste to its end: Enter, Escape and Ctrl+C inside are none", () => {
    const text = "\x1b[200~a\rb\x1b\x03\x1b[A\x1b[200~\x1b[201~"
    assert.deepStrictEqual(of(`${text}\r`), [`paste:${text}`, "enter:\r"])
  })

  it("lasts over many pieces and any time", () => {
    const first = classify(start, "\x1b[200~a", 0)
    assert.deepStrictEqual(classify(first.state, "b\r", 1e9).parts.map(short), ["paste:b\r"])
  })
})

describe("what could be a key by itself", () => {
  it("is given out apart from the text before it, which its continuation does not take back", () => {
    const first = classify(start, "ab\x1b[", 0)
    assert.deepStrictEqual(first.parts.map(short), ["text:ab", "text:\x1b["])
    assert.deepStrictEqual(
      classify(first.state, "A", 10).parts.map(({ data, ...part }) => [data, "continues" in part]),
      [["A", true]]
    )
  })
})

describe("properties", () => {
  it.prop(
    "no byte is lost or invented, whatever comes and however it is cut",
    { pieces: Schema.Union([Pieces, Raw]), cuts: Cuts, slow: Schema.Boolean },
    ({ cuts, pieces, slow }) => {
      const text = pieces.join("")
      let state: InputState = start
      let out = ""
      cut(text, cuts).forEach((piece, i) => {
        const classified = classify(state, piece, slow ? i * 400 : 0)
        state = classified.state
        assert.isTrue(classified.parts.every(({ data }) => data !== ""))
        out += classified.parts.map(({ data }) => data).join("")
      })
      assert.strictEqual(out + state.pending.slice(state.given), text)
    },
    { arbitrary: { runs: 1000 } }
  )

  it.prop(
    "does not care where input is cut, but for what could be a key by itself",
    { pieces: Pieces, cuts: Cuts },
    ({ cuts, pieces }) => {
      const text = pieces.join("")
      // a piece that ends in ESC, or ESC and a character that begins sequences, is the exception
      const fair = cuts.filter((part) => !/\x1b[[\]OP_]?$/.test(text.slice(0, Math.floor((part * text.length) / 1000))))
      assert.deepStrictEqual(joined(feed(cut(text, fair)).parts), joined(feed([text]).parts))
    },
    { arbitrary: { runs: 1000 } }
  )

  it.prop(
    "a chunk of one whole thing is never pending",
    { piece: Pieces },
    ({ piece }) => {
      const text = piece.filter((one) => one !== "\x1b[?" && one !== "\x1b[200~").join("")
      assert.strictEqual(feed([text]).state.pending, "")
    },
    { arbitrary: { runs: 200 } }
  )
})
