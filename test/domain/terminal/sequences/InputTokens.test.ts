import { assert, describe, it } from "@effect/vitest"
import { Schema } from "effect"
import type { InputPart } from "../../../../src/domain/terminal/sequences/InputBytes.ts"
import * as InputTokens from "../../../../src/domain/terminal/sequences/InputTokens.ts"
import { joined, Pieces, Raw } from "../../../support/data/inputs.ts"
import { cut, Cuts } from "../../../support/data/streams.ts"
import { rowsOf } from "../../../support/data/fields.ts"

/** Tokens of pieces that come without a pause, and then nothing more. */
const feed = (pieces: ReadonlyArray<string>) => {
  let state = InputTokens.start
  const tokens: Array<InputPart> = []
  const add = (next: InputTokens.Tokens): void => {
    state = next.state
    tokens.push(...next.tokens)
  }
  for (const piece of pieces) add(InputTokens.take(state, piece, 0))
  while (InputTokens.timeout(state) !== null) add(InputTokens.flushHeld(state, 0))
  return { state, tokens }
}
const short = (tokens: ReadonlyArray<InputPart>) =>
  tokens.map((token) => [token._tag === "Keys" ? token.kind : token._tag, token.data])

describe("what a terminal sends, as whole tokens", () => {
  it("an Escape waits a moment for the rest of its sequence, and is Escape when nothing comes", () => {
    const first = InputTokens.take(InputTokens.start, "a\x1b", 0)
    assert.deepStrictEqual(short(first.tokens), [["text", "a"]])
    assert.strictEqual(InputTokens.timeout(first.state), InputTokens.escapeHoldMs)
    const rest = InputTokens.take(first.state, "[A", 5)
    assert.deepStrictEqual(short(rest.tokens), [["navigate", "\x1b[A"]])
    const alone = InputTokens.flushHeld(first.state, 25)
    assert.deepStrictEqual(short(alone.tokens), [["escape", "\x1b"]])
    assert.isNull(InputTokens.timeout(alone.state))
    const late = InputTokens.take(alone.state, "[A", 40)
    assert.deepStrictEqual(
      rowsOf(late.tokens, "data", "continues"),
      [["[A", true]],
      "the rest of a sequence that came too slowly is no text"
    )
  })

  it("the beginning of a longer one waits longer, and is then keys", () => {
    const begun = InputTokens.take(InputTokens.start, "\x1b[1;", 0)
    assert.deepStrictEqual([begun.tokens, InputTokens.timeout(begun.state)], [[], 1000])
    assert.deepStrictEqual(short(InputTokens.flushHeld(begun.state, 1001).tokens), [["text", "\x1b[1;"]])
  })

  it("a paste waits as long as it takes", () => {
    const begun = InputTokens.take(InputTokens.start, "\x1b[200~text\x1b[20", 0)
    assert.isNull(InputTokens.timeout(begun.state))
    assert.deepStrictEqual(short(InputTokens.take(begun.state, "1~", 99_999).tokens), [["paste", "\x1b[201~"]])
  })

  it.prop(
    "the same bytes are the same tokens, cut anywhere",
    { pieces: Pieces, cuts: Cuts },
    ({ cuts, pieces }) => {
      const text = pieces.join("")
      assert.deepStrictEqual(joined(feed(cut(text, cuts)).tokens), joined(feed([text]).tokens))
    },
    { arbitrary: { runs: 1000 } }
  )

  it.prop(
    "no byte is lost or invented, whatever comes",
    { pieces: Schema.Union([Pieces, Raw]), cuts: Cuts, pauses: Schema.Array(Schema.Boolean) },
    ({ cuts, pauses, pieces }) => {
      const text = pieces.join("")
      let state = InputTokens.start
      let out = ""
      const add = (next: InputTokens.Tokens): void => {
        state = next.state
        out += next.tokens.map(({ data }) => data).join("")
      }
      let now = 0
      cut(text, cuts).forEach((piece, i) => {
        add(InputTokens.take(state, piece, now))
        const patience = InputTokens.timeout(state)
        if (pauses[i] === true && patience !== null) {
          now += patience
          add(InputTokens.flushHeld(state, now))
        }
      })
      const { given, pending } = state.scan
      assert.strictEqual(out + pending.slice(given) + state.held, text)
    },
    { arbitrary: { runs: 1000 } }
  )
})
