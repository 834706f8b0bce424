import { assert, describe, it } from "@effect/vitest"
import { Schema } from "effect"
import {
  bodyLimit,
  decode,
  encode,
  frames,
  introduced,
  preamble,
  type RawFrame,
  type StreamState
} from "../../../../src/domain/surfaces/attachChannel/FrameStream.ts"
import { concat } from "../../../../src/domain/words/text/Bytes.ts"

const joined = (pieces: ReadonlyArray<Uint8Array>) =>
  concat(
    pieces,
    pieces.reduce((sum, piece) => sum + piece.length, 0)
  )
const plain = ({ body, kind }: RawFrame) => ({ kind, body: [...body] })

/** What a stream gives that comes in pieces of these lengths, over and over. */
const read = (start: StreamState, bytes: Uint8Array, cuts: ReadonlyArray<number>) => {
  let state = start
  const found: Array<ReturnType<typeof plain>> = []
  for (let at = 0, i = 0; at < bytes.length; i++) {
    const length = Math.max(1, cuts[i % Math.max(1, cuts.length)] ?? bytes.length)
    const decoded = decode(state, bytes.subarray(at, at + length))
    state = decoded.state
    found.push(...decoded.frames.map(plain))
    at += length
  }
  return { state, found }
}

const Frame = Schema.Struct({
  kind: Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 255 })),
  body: Schema.Array(Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 255 }))).check(Schema.isMaxLength(40))
})
const Frames = Schema.Array(Frame).check(Schema.isMaxLength(12))
const Cuts = Schema.Array(Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: 30 }))).check(Schema.isMaxLength(10))
const bytesOf = (list: typeof Frames.Type) => list.map(({ body, kind }) => encode(kind, Uint8Array.from(body)))

describe("a stream of frames", () => {
  it.prop("gives the same frames, wherever it is cut", [Frames, Cuts], ([list, cuts]) => {
    const { found, state } = read(introduced, joined([preamble, ...bytesOf(list)]), cuts)
    assert.deepStrictEqual(found, list as typeof found)
    assert.strictEqual(state.size, 0, "nothing is left")
    assert.isNull(state.problem)
  })

  it.prop(
    "gives the frames that are whole, and no more, where it ends in the middle of one",
    [Frames, Cuts],
    ([list, cuts]) => {
      const cut = joined([...bytesOf(list), encode(7, Uint8Array.from([1, 2, 3])).subarray(0, 7)])
      const { found, state } = read(frames, cut, cuts)
      assert.deepStrictEqual(found, list as typeof found)
      assert.strictEqual(state.size, 7)
    }
  )

  it("is refused from a frame on that is too long; the ones before it count", () => {
    const long = Uint8Array.of(0, 2, 0, 1, 9)
    const { found, state } = read(frames, joined([encode(1, Uint8Array.of(5)), long, encode(1, Uint8Array.of(6))]), [])
    assert.deepStrictEqual(found, [{ kind: 1, body: [5] }])
    assert.match(state.problem ?? "", /131073 bytes is too long/)
    assert.deepStrictEqual(decode(state, encode(1, Uint8Array.of(7))).frames, [], "nothing after it is read")
    const huge = decode(frames, Uint8Array.of(255, 255, 255, 255, 1))
    assert.match(huge.state.problem ?? "", /4294967295 bytes/)
  })

  it("takes the longest frame that there is, byte by byte, and quickly", () => {
    const body = Uint8Array.from({ length: bodyLimit }, (_, i) => i)
    const bytes = encode(3, body)
    let state = frames
    for (let at = 0; at < bytes.length - 1; at++) {
      const decoded = decode(state, bytes.subarray(at, at + 1))
      assert.strictEqual(decoded.frames.length, 0)
      state = decoded.state
      if (state.held.length > 20) assert.fail(`it holds ${state.held.length} pieces`)
    }
    const [frame] = decode(state, bytes.subarray(-1)).frames
    assert.deepStrictEqual(frame?.body, body)
  })

  it("that must begin with the channel's name is refused without it, at its first wrong byte", () => {
    for (const wrong of ['{"_tag":"Request"}', "\0leap\x02 and more", "\0leep\x01"]) {
      const { found, state } = read(introduced, Buffer.from(wrong), [3])
      assert.deepStrictEqual(found, [])
      assert.match(state.problem ?? "", /no attach channel of version 1/, wrong)
    }
    assert.isNull(decode(introduced, preamble.subarray(0, 4)).state.problem, "it may still come")
  })
})
