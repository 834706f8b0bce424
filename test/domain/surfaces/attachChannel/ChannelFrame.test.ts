import { assert, describe, it } from "@effect/vitest"
import { Schema } from "effect"
import {
  type ChannelFrame,
  dataLimit,
  dataOf,
  decode,
  encode,
  read,
  ViewerRequest
} from "../../../../src/domain/surfaces/attachChannel/ChannelFrame.ts"
import * as FrameStream from "../../../../src/domain/surfaces/attachChannel/FrameStream.ts"
import { Notice } from "../../../../src/domain/surfaces/notify/Notice.ts"
import { ExitStatus } from "../../../../src/domain/words/session/Session.ts"

const between = (minimum: number, maximum: number) => Schema.Int.check(Schema.isBetween({ minimum, maximum }))
const Data = Schema.Array(between(0, 255)).check(Schema.isMaxLength(30))
const Frame = Schema.Union([
  Schema.TaggedStruct("Attach", { request: ViewerRequest }),
  Schema.TaggedStruct("Input", { data: Data }),
  Schema.TaggedStruct("Part", { data: Data }),
  Schema.TaggedStruct("Output", { data: Data }),
  Schema.TaggedStruct("Repaint", { data: Data, reserved: between(0, 0xffff) }),
  Schema.TaggedStruct("Resize", { cols: between(1, 2000), rows: between(1, 2000), reserved: between(0, 0xffff) }),
  Schema.TaggedStruct("ReadsStatus", {}),
  Schema.TaggedStruct("Credit", { bytes: between(1, 0xffff_ffff) }),
  Schema.TaggedStruct("Notice", { notice: Notice }),
  Schema.TaggedStruct("Exited", { exit: ExitStatus }),
  Schema.TaggedStruct("Refused", { why: Schema.String })
])
/** Numbers that stand in JSON lose the sign of their zero there. */
const oneZero = (value: unknown): unknown =>
  typeof value === "number"
    ? value + 0
    : Array.isArray(value)
      ? value.map(oneZero)
      : typeof value === "object" && value !== null
        ? Object.fromEntries(Object.entries(value).map(([key, one]) => [key, oneZero(one)]))
        : value
const frameOf = (frame: typeof Frame.Type): ChannelFrame =>
  "data" in frame ? { ...frame, data: Uint8Array.from(frame.data) } : (oneZero(frame) as typeof frame)

const raw = (kind: number, ...body: ReadonlyArray<number>) => decode({ kind, body: Uint8Array.from(body) })

describe("a frame of the attach channel", () => {
  it.prop(
    "is read as it was written, in whatever pieces it comes",
    [Schema.Array(Frame), between(1, 50)],
    ([list, step]) => {
      const sent = list.map(frameOf)
      let state = FrameStream.frames
      const got: Array<ChannelFrame> = []
      for (const bytes of sent.map(encode)) {
        for (let at = 0; at < bytes.length; at += step) {
          const next = read(state, bytes.subarray(at, at + step))
          assert.isNull(next.problem)
          state = next.state
          got.push(...next.frames)
        }
      }
      assert.deepStrictEqual(got, sent)
    }
  )

  it("of no known kind, or with a body that is none of its kind, ends what is read; those before it count", () => {
    const wrong: ReadonlyArray<readonly [number, ReadonlyArray<number>]> = [
      [0, []],
      [99, [1]],
      [1, [...Buffer.from("{}")]],
      [1, [...Buffer.from('{"viewer":"v","cols":0,"rows":1,"readOnly":false,"programStatus":false,"notices":false}')]],
      [3, [0, 80, 0, 24]],
      [3, [0, 0, 0, 24, 0, 0]],
      [3, [8, 0, 0, 24, 0, 0]],
      [4, [0, 0, 0, 0]],
      [4, [1]],
      [17, [0]],
      [19, [...Buffer.from('{"kind":"needs"}')]],
      [20, [...Buffer.from("null")]],
      [21, [0xff]]
    ]
    for (const [kind, body] of wrong) {
      assert.isNull(raw(kind, ...body), `${kind}: ${body.join(" ")}`)
      const output: ChannelFrame = { _tag: "Output", data: Uint8Array.of(7) }
      const bytes = Buffer.concat([encode(output), FrameStream.encode(kind, Uint8Array.from(body)), encode(output)])
      const got = read(FrameStream.frames, bytes)
      assert.deepStrictEqual(got.frames, [output])
      assert.match(got.problem ?? "", new RegExp(`kind ${kind} with ${body.length} bytes`))
      assert.deepStrictEqual(read(got.state, encode(output)).frames, [], "nothing after it is read")
    }
  })

  it("fits into its stream with as much data as it may carry", () => {
    const data = new Uint8Array(dataLimit)
    for (const frame of [
      { _tag: "Output", data },
      { _tag: "Repaint", reserved: 3, data }
    ] as const) {
      assert.deepStrictEqual(read(FrameStream.frames, encode(frame)).frames, [frame])
      assert.strictEqual(dataOf(frame), dataLimit)
    }
    assert.strictEqual(dataOf({ _tag: "Credit", bytes: 5 }), 0, "only what is shown or typed needs credit")
  })
})
