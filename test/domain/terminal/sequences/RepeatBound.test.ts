import { assert, describe, it } from "@effect/vitest"
import { Schema } from "effect"
import {
  type Bounds,
  isPlain,
  longest,
  mostOf,
  pass,
  repeating,
  start
} from "../../../../src/domain/terminal/sequences/RepeatBound.ts"
import { fromLatin1, utf8ToLatin1 } from "../../../../src/domain/words/text/Bytes.ts"
import { cut, Cuts, join, Stream } from "../../../support/data/streams.ts"

const screen: Bounds = { rows: 24, cols: 80 }

const through = (pieces: ReadonlyArray<string>) => {
  let state = start
  let out = ""
  for (const piece of pieces) {
    const [next, passed] = pass(state, piece, screen)
    state = next
    out += passed
  }
  return { out, held: state.held, dropping: state.dropping }
}
const of = (text: string) => {
  const { dropping, held, out } = through([text])
  assert.isFalse(dropping)
  return out + held
}
const huge = "2147483647"

/** A control sequence of any kind with a count of any size, in all the ways in which it can be written. */
const Sequence = Schema.Struct({
  introducer: Schema.Literals(["\x1b[", "\xc2\x9b"]),
  count: Schema.Literals([
    "",
    "0",
    "1",
    "7",
    "24",
    "80",
    "81",
    "999",
    "1921",
    huge,
    "00000000000099999",
    "9".repeat(400)
  ]),
  inside: Schema.Literals(["", "\n", "\x07\x7f"]),
  others: Schema.Literals(["", ";5", ":3", ";;;", ";99999999;1:2", ";1".repeat(300)]),
  prefix: Schema.Literals(["", "", "", "?", ">"]),
  intermediates: Schema.Literals(["", "", "", " ", "'", "!", "$ "]),
  final: Schema.Literals([..."@ABCDEFGHIJKLMPSTXZ`abcdefghlmnpqrstu}~"])
})
const Pieces = Schema.Array(
  Schema.Union([Sequence, Schema.String, Schema.Literals(["\x1b", "\xc2", "\x18", "é", "5P", "\n"])])
)

const written = (piece: typeof Sequence.Type, count = piece.count): string => {
  const { final, inside, intermediates, introducer, others, prefix } = piece
  const middle = Math.ceil(count.length / 2)
  return introducer + prefix + count.slice(0, middle) + inside + count.slice(middle) + others + intermediates + final
}

describe("repeat counts", () => {
  it("are bounded by what the screen has", () => {
    for (const final of ["S", "T", "L", "M"]) assert.strictEqual(of(`a\x1b[${huge}${final}b`), `a\x1b[24${final}b`)
    for (const final of ["@", "P", "X", "I", "Z", " @", " A", "'}", "'~"])
      assert.strictEqual(of(`a\x1b[${huge}${final}b`), `a\x1b[80${final}b`)
    assert.strictEqual(of(`a\x1b[${huge}b`), `a\x1b[1920b`)
  })

  it("are found in each form of a control sequence", () => {
    assert.strictEqual(of(`\xc2\x9b${huge}S`), "\xc2\x9b24S")
    assert.strictEqual(of(`\x1b[${huge}:1;5S`), "\x1b[24:1;5S")
    assert.strictEqual(of("\x1b[99\r\n99\x7fS"), "\x1b[\r\n\x7f24S")
    assert.strictEqual(of(`\x1b[${"0".repeat(60_000)}30S`), "\x1b[24S")
    assert.strictEqual(of(`\x1bP\x1b[${huge}S`), "\x1bP\x1b[24S")
  })

  it("of nothing that repeats stay, and what is no sequence", () => {
    for (const text of [
      `\x1b[${huge}C\x1b[${huge};${huge}H\x1b[?${huge}h\x1b[>${huge}u\x1b[38;2;999;999;999m\x1b[${huge}t`,
      `\x1b[?${huge}S`,
      `\x1b[${huge}!S`,
      `\x1b[${huge}éS and 99999S`,
      `\x1b]0;99999S\x07\x1bP0;99999Sq\x1b\\`,
      `\x1b[99999\x18S\x1b[99999\x1bS`
    ])
      assert.strictEqual(of(utf8ToLatin1(text)), utf8ToLatin1(text))
  })

  it("of a sequence that no program means are left out with it, wherever it is cut", () => {
    const endless = `a\x1b[${"0".repeat(longest)}`
    assert.deepStrictEqual(through([endless, "99\n99", "99999;5Sb\x1b[5Sc"]), {
      out: "a\nb\x1b[5Sc",
      held: "",
      dropping: false
    })
    assert.strictEqual(through([endless, "99\x1b[3Sb"]).out, "a\x1b[3Sb")
    // held is never more than that
    const { held } = through(Array.from({ length: 3 * longest }, () => "\x1b[9"))
    assert.isAtMost(held.length, longest)
  })

  it.prop(
    "that a screen can hold pass with everything else as they came",
    { stream: Stream, cuts: Cuts },
    ({ cuts, stream }) => {
      const text = join(stream)
      const { held, out } = through(cut(text, cuts))
      assert.strictEqual(out + held, text)
    }
  )

  it.prop(
    "do not depend on where the stream is cut, and touch nothing else",
    { pieces: Pieces, cuts: Cuts },
    ({ cuts, pieces }) => {
      const text = pieces.map((it) => (typeof it === "string" ? utf8ToLatin1(it) : written(it))).join("")
      const { held, out } = through(cut(text, cuts))
      const whole = through([text])
      assert.strictEqual(out + held, whole.out + whole.held)
      // a second time nothing is beyond what the screen has
      assert.strictEqual(through([out + held]).out + through([out + held]).held, out + held)
      const letters = (it: string) => it.replace(/[\d\x00-\x1f\x7f]/g, "")
      assert.strictEqual(letters(out + held), letters(text))
    }
  )

  it.prop("beyond it become the bound, all others stay", { piece: Sequence }, ({ piece }) => {
    const most = mostOf(piece.intermediates + piece.final, screen)
    const isBeyond = piece.prefix === "" && Number(piece.count) > most
    const expected = isBeyond
      ? `${piece.introducer}${piece.inside}${most}${piece.others}${piece.intermediates}${piece.final}`
      : written(piece)
    assert.strictEqual(of(written(piece)), expected)
  })

  it("of nothing are in bytes that are plain", () => {
    const plain = (text: string) => isPlain(start, fromLatin1(text))
    assert.isTrue(plain("99S\r\n") && plain(utf8ToLatin1("naïve · 5°")))
    assert.isFalse(plain("\x1b") || plain("a\xc2") || plain("a\xc2\x9b5S"))
    assert.isFalse(isPlain({ held: "\x1b", dropping: false }, fromLatin1("[5S")))
  })

  it("are of all that xterm repeats", () => {
    assert.includeMembers([...repeating], ["S", "T", "L", "M", "I", "Z", "@", "P", "X", "b"])
  })
})
