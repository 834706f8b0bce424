import { assert, describe } from "@effect/vitest"
import { Effect, Latch } from "effect"
import { TestClock } from "effect/testing"
import * as ChannelFrame from "../../../src/domain/surfaces/attachChannel/ChannelFrame.ts"
import * as Credit from "../../../src/domain/surfaces/attachChannel/Credit.ts"
import * as FrameStream from "../../../src/domain/surfaces/attachChannel/FrameStream.ts"
import { channelWire } from "../../../src/programs/attach/attachedWire.ts"
import { type FakeLink, linked } from "../../support/fakes/LinkFake.ts"
import { effect } from "../../support/run/effects.ts"

const request: ChannelFrame.ViewerRequest = {
  viewer: "v",
  cols: 80,
  rows: 24,
  readOnly: false,
  programStatus: false,
  notices: false
}
const bytes = (text: string) => Buffer.from(text, "latin1")
const told = (frame: ChannelFrame.ChannelFrame): string =>
  "data" in frame ? `${frame._tag} ${Buffer.from(frame.data).toString("latin1")}` : frame._tag

/** A host's end of the channel, which answers nothing by itself. */
const hostOn = (link: FakeLink) => {
  const frames: Array<ChannelFrame.ChannelFrame> = []
  let stream = FrameStream.introduced
  link.listen({
    data: (data) => {
      const next = ChannelFrame.read(stream, data)
      stream = next.state
      assert.isNull(next.problem)
      frames.push(...next.frames)
    },
    closed: () => {}
  })
  const granted = () => frames.reduce((sum, frame) => sum + (frame._tag === "Credit" ? frame.bytes : 0), 0)
  return { frames, granted, link, send: (frame: ChannelFrame.ChannelFrame) => link.send(ChannelFrame.encode(frame)) }
}

/** A terminal on the channel, which takes a frame when the gate is open. */
const channelWith = Effect.fnUntraced(function* (atOnce: boolean) {
  const { client, host: link } = linked()
  const shown: Array<string> = []
  const gate = yield* Latch.make(true)
  const wire = yield* channelWire(client, request, {
    show: (frame) =>
      Effect.andThen(
        gate.await,
        Effect.sync(() => void shown.push(told(frame)))
      ),
    showNow: (frame) => {
      if (!atOnce || frame._tag !== "Output") return false
      shown.push(told(frame))
      return true
    }
  })
  return { gate, host: hostOn(link), shown, wire }
})
const channel = channelWith(false)

describe("a terminal on the attach channel", () => {
  effect(
    "says who it is, then sends what is typed at once and in order, and shows what comes in the same turn",
    function* () {
      const { host, shown, wire } = yield* channel
      wire.input("a\xff")
      wire.resize({ cols: 100, rows: 30 }, 4)
      wire.input("b")
      assert.deepStrictEqual(host.frames, [
        { _tag: "Attach", request },
        { _tag: "Input", data: Uint8Array.of(97, 255) },
        { _tag: "Resize", cols: 100, rows: 30, reserved: 4 },
        { _tag: "Input", data: Uint8Array.of(98) }
      ])
      host.send({ _tag: "Repaint", reserved: 0, data: bytes("screen") })
      host.send({ _tag: "Output", data: bytes("x\xe9") })
      host.send({ _tag: "Exited", exit: { code: 0, signal: null } })
      assert.deepStrictEqual(shown, ["Repaint screen", "Output x\xe9", "Exited"])
      host.link.end()
      assert.isNull(yield* wire.closed)
    }
  )

  effect("does a request behind what was typed before it, and holds what is typed after it until then", function* () {
    const { host, wire } = yield* channel
    const typed = () => host.frames.flatMap((frame) => (frame._tag === "Attach" ? [] : [told(frame)]))
    const gate = yield* Latch.make(false)
    const asked: Array<string> = []
    const ask = (name: string) =>
      wire.behind(
        Effect.gen(function* () {
          asked.push(`${name} behind ${typed().join(" ")}`)
          yield* gate.await
          return yield* Effect.fail("whatever comes of it")
        })
      )
    wire.input("a")
    ask("one")
    ask("two")
    wire.input("b")
    yield* TestClock.adjust(1)
    assert.deepStrictEqual([asked, typed()], [["one behind Input a"], ["Input a"]])
    yield* Effect.andThen(gate.open, TestClock.adjust(1))
    assert.deepStrictEqual(asked, ["one behind Input a", "two behind Input a"])
    assert.deepStrictEqual(typed(), ["Input a", "Input b"])
    yield* wire.sent
  })

  effect("shows everything in order, however it is cut, and draws a repaint of several parts once", function* () {
    const { gate, host, shown, wire } = yield* channel
    const all = Buffer.concat(
      [
        { _tag: "Part", data: bytes("one ") } as const,
        { _tag: "Part", data: bytes("two ") } as const,
        { _tag: "Repaint", reserved: 2, data: bytes("three") } as const,
        { _tag: "Output", data: bytes("more") } as const
      ].map(ChannelFrame.encode)
    )
    yield* gate.close
    for (const byte of all) host.link.send(Uint8Array.of(byte))
    host.link.end()
    assert.deepStrictEqual(shown, [])
    yield* Effect.andThen(gate.open, TestClock.adjust(1))
    assert.deepStrictEqual(shown, ["Repaint one two three", "Output more"])
    assert.isNull(yield* wire.closed, "what had come before the end is shown first")
  })

  effect("grants more when its terminal has taken what came, and refuses more than that", function* () {
    const { gate, host, shown, wire } = yield* channel
    yield* gate.close
    const data = new Uint8Array(Credit.window / 4)
    for (let i = 0; i < 4; i++) host.send({ _tag: "Output", data })
    assert.strictEqual(host.granted(), 0)
    yield* Effect.andThen(gate.open, TestClock.adjust(1))
    assert.strictEqual(host.granted(), Credit.window)
    for (let i = 0; i < 40; i++) host.send({ _tag: "Part", data })
    assert.strictEqual(host.granted(), 11 * Credit.window, "parts are kept, and granted again at once")
    yield* gate.close
    for (let i = 0; i < 5; i++) host.send({ _tag: "Output", data })
    yield* Effect.andThen(gate.open, TestClock.adjust(1))
    assert.strictEqual(yield* wire.closed, "more came than was granted")
    assert.strictEqual(shown.length, 8, "the rest counts")
  })

  effect("shows at once what can be, but nothing before what came before it", function* () {
    const { gate, host, shown } = yield* channelWith(true)
    yield* gate.close
    host.send({ _tag: "Output", data: bytes("a") })
    assert.deepStrictEqual(shown, ["Output a"])
    host.send({ _tag: "Repaint", reserved: 0, data: bytes("b") })
    const data = new Uint8Array(Credit.window / 4)
    for (let i = 0; i < 3; i++) host.send({ _tag: "Output", data })
    assert.deepStrictEqual(shown, ["Output a"], "the repaint is under way")
    yield* Effect.andThen(gate.open, TestClock.adjust(1))
    assert.deepStrictEqual(
      shown.map((one) => one.slice(0, 8)),
      ["Output a", "Repaint ", "Output \0", "Output \0", "Output \0"]
    )
    for (let i = 0; i < 20; i++) host.send({ _tag: "Output", data })
    assert.strictEqual(shown.length, 25, "what was shown at once is granted again")
  })

  effect("keeps what is typed until it is granted, and tells when all is sent", function* () {
    const { host, wire } = yield* channel
    yield* wire.sent
    const paste = "p".repeat(Credit.window + 10)
    wire.input(paste)
    wire.resize({ cols: 10, rows: 10 }, 0)
    wire.input("q")
    const input = () =>
      host.frames.filter((frame) => frame._tag === "Input").reduce((n, { data }) => n + data.length, 0)
    assert.strictEqual(input(), Credit.window)
    const sent = yield* Effect.forkScoped(wire.sent, { startImmediately: true })
    yield* TestClock.adjust(1)
    assert.isUndefined(sent.pollUnsafe())
    host.send({ _tag: "Credit", bytes: Credit.window })
    yield* TestClock.adjust(1)
    assert.strictEqual(input(), paste.length + 1)
    assert.deepStrictEqual(host.frames.slice(-2).map(told), ["Resize", "Input q"], "in order")
    assert.isDefined(sent.pollUnsafe())
  })

  effect("gives up a host that refuses, or does not keep to the frames, and says why", function* () {
    const breaking: ReadonlyArray<readonly [(host: ReturnType<typeof hostOn>) => void, RegExp]> = [
      [(host) => host.send({ _tag: "Refused", why: "not you" }), /^not you$/],
      [(host) => host.send({ _tag: "Input", data: bytes("x") }), /a host sends no Input/],
      [(host) => host.send({ _tag: "Credit", bytes: 1 }), /more was granted than was sent/],
      [(host) => host.link.send(bytes('{"_tag":"Defect"}\n')), /is too long/]
    ]
    for (const [breach, why] of breaking) {
      const { host, shown, wire } = yield* channel
      host.send({ _tag: "Output", data: bytes("before") })
      breach(host)
      host.send({ _tag: "Output", data: bytes("after") })
      assert.match((yield* wire.closed) ?? "", why)
      assert.deepStrictEqual(shown, ["Output before"])
    }
  })
})
