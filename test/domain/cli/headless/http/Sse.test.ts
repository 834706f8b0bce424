import { assert, describe, it } from "@effect/vitest"
import { Schema } from "effect"
import { endSse, noSse, readSse, type SseEvent } from "../../../../../src/domain/cli/headless/http/Sse.ts"

const encoder = new TextEncoder()
const bytes = (text: string | Uint8Array): Uint8Array => (typeof text === "string" ? encoder.encode(text) : text)

const read = (pieces: ReadonlyArray<Uint8Array>, limit?: number): ReadonlyArray<SseEvent> => {
  const events: Array<SseEvent> = []
  let state = noSse
  for (const piece of pieces) {
    const [next, more] = readSse(state, piece, limit)
    state = next
    events.push(...more)
  }
  return [...events, ...endSse(state, limit)]
}

const event = (data: string, event = ""): SseEvent => ({ _tag: "Event", event, data })

const Piece = Schema.Literals([
  "data: a",
  "data:b",
  "data: é🎉",
  "data",
  "data: ",
  ": comment",
  ":",
  "event: error",
  "id: 7",
  "retry: 10",
  "unknown: x",
  "\n",
  "\r",
  "\r\n",
  "\n\n",
  "\r\n\r\n",
  "\ufeff",
  "x",
  "data: [DONE]",
  'data: {"a":1}'
])
const Pieces = Schema.Array(Piece)
const Cuts = Schema.Array(Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 1_000 })))

/** The bytes in pieces, cut at these parts of a thousand. */
const cut = (whole: Uint8Array, cuts: ReadonlyArray<number>): ReadonlyArray<Uint8Array> => {
  const points = [
    0,
    ...cuts.map((part) => Math.floor((part * whole.length) / 1_000)).sort((a, b) => a - b),
    whole.length
  ]
  return points.slice(1).map((to, i) => whole.subarray(points[i] ?? 0, to))
}

describe("server-sent events", () => {
  it.each<readonly [string, string | Uint8Array, ReadonlyArray<SseEvent>]>([
    ["one", "data: a\n\n", [event("a")]],
    ["without a space, and with two", "data:a\n\ndata:  a\n\n", [event("a"), event(" a")]],
    ["data in several lines of either kind", "data: a\r\ndata: b\rdata: c\r\n\r\n", [event("a\nb\nc")]],
    ["data in several lines", "data: a\ndata:\ndata: b\n\n", [event("a\n\nb")]],
    ["comments and blank lines between", ": ping\n\n\n: x\ndata: a\n: y\n\n", [event("a")]],
    ["a byte order mark at the start, and only there", "\ufeffdata: a\n\n\ufeffdata: b\n\n", [event("a")]],
    ["names of events, which last for one", "event: error\ndata: a\n\ndata: b\n\n", [event("a", "error"), event("b")]],
    ["an event without data is none", "event: ping\n\nid: 3\n\n", []],
    ["data that says nothing", "data\n\n", [event("")]],
    ["the last one without its blank line", "data: a\n\ndata: b", [event("a"), event("b")]],
    ["nothing", "", []],
    [
      "bytes that are no UTF-8",
      Uint8Array.of(...encoder.encode("data: <"), 0xff, 0xc3, ...encoder.encode(">\n\n")),
      [event("<\ufffd\ufffd>")]
    ]
  ])("%s", (_, text, events) => {
    assert.deepStrictEqual(read([bytes(text)]), events)
    assert.deepStrictEqual(read([...bytes(text)].map((byte) => Uint8Array.of(byte))), events)
  })

  it("passes over what is too long, tells how long it was, and reads on", () => {
    const text = `data: ${"x".repeat(50)}\n\ndata: a\n\ndata: 123456789\ndata: 123456789\n\ndata: b\n\n: ${"y".repeat(60)}\n\ndata: c\n\n`
    const expected = [
      { _tag: "Overlong", size: 56 },
      event("a"),
      { _tag: "Overlong", size: 30 },
      event("b"),
      { _tag: "Overlong", size: 62 },
      event("c")
    ]
    assert.deepStrictEqual(read([bytes(text)], 20), expected as ReadonlyArray<SseEvent>)
  })

  it("keeps no more of an event than the limit, however long it grows", () => {
    let state = noSse
    for (let i = 0; i < 1_000; i++) {
      state = readSse(state, bytes("data: 0123456789"), 100)[0]
      assert.isAtMost(
        state.pieces.reduce((sum, { length }) => sum + length, 0),
        100
      )
    }
    assert.strictEqual(state.lineSize, 16_000)
  })

  it.prop(
    "are the same wherever the stream is cut",
    { pieces: Pieces, cuts: Cuts, limit: Schema.Literals([8, 64, 1_000_000]) },
    ({ cuts, limit, pieces }) => {
      const whole = bytes(pieces.join(""))
      assert.deepStrictEqual(read(cut(whole, cuts), limit), read([whole], limit))
    }
  )

  it.prop(
    "garbage takes nothing from what came before it",
    { pieces: Pieces, garbage: Schema.Uint8Array, cuts: Cuts },
    ({ cuts, garbage, pieces }) => {
      const before = [...pieces, "\n\n"].join("")
      const events = read([bytes(before)])
      const all = read(cut(Uint8Array.of(...bytes(before), ...garbage), cuts))
      assert.deepStrictEqual(all.slice(0, events.length), events)
    }
  )
})
