import { assert, describe } from "@effect/vitest"
import { Effect, Latch } from "effect"
import { TestClock } from "effect/testing"
import * as ChannelFrame from "../../../src/domain/surfaces/attachChannel/ChannelFrame.ts"
import * as Credit from "../../../src/domain/surfaces/attachChannel/Credit.ts"
import * as FrameStream from "../../../src/domain/surfaces/attachChannel/FrameStream.ts"
import { inputBacklog, serveViewer } from "../../../src/programs/host/ViewerChannel.ts"
import { ControlSocket } from "../../../src/services/ControlSocket.ts"
import { type FakeLink, linked } from "../../support/fakes/LinkFake.ts"
import { hosted } from "../../support/host/hosted.ts"
import { attach, settle, startHost, until, watch } from "../../support/host/stage.ts"
import { effect } from "../../support/run/effects.ts"
import { each } from "../../support/data/fields.ts"

const request: ChannelFrame.ViewerRequest = {
  viewer: "v",
  cols: 80,
  rows: 24,
  readOnly: false,
  programStatus: false,
  notices: false
}

/** A viewer on its end of a connection, of which the test decides what it sends and grants. */
const viewerOn = (link: Pick<FakeLink, "listen" | "send">, how: { readonly grants: boolean }) => {
  const frames: Array<ChannelFrame.ChannelFrame> = []
  let stream = FrameStream.frames
  let closed = false
  let data = 0
  const send = (frame: ChannelFrame.ChannelFrame) => link.send(ChannelFrame.encode(frame))
  link.listen({
    data: (bytes) => {
      const next = ChannelFrame.read(stream, bytes)
      stream = next.state
      assert.isNull(next.problem)
      for (const frame of next.frames) {
        frames.push(frame)
        const size = ChannelFrame.dataOf(frame)
        data += size
        if (how.grants && size > 0) send({ _tag: "Credit", bytes: size })
      }
    },
    closed: () => void (closed = true)
  })
  link.send(FrameStream.preamble)
  return {
    frames,
    send,
    type: (text: string) => send({ _tag: "Input", data: Buffer.from(text) }),
    /** The kinds of frames, neighbours of a kind once. */
    kinds: () => frames.map(({ _tag }) => _tag).filter((tag, i, all) => tag !== all[i - 1]),
    shown: () => frames.map((frame) => ("data" in frame ? Buffer.from(frame.data).toString("latin1") : "")).join(""),
    data: () => data,
    isClosed: () => closed
  }
}

/** A host whose CLI is the test's, and viewers on its attach channel. */
const session = Effect.gen(function* () {
  const host = yield* startHost()
  const child = yield* host.child
  const client = yield* host.connect
  const status = yield* watch(client)
  const sockets = yield* ControlSocket
  const connect = Effect.fnUntraced(function* (own: Partial<ChannelFrame.ViewerRequest> = {}, grants = true) {
    const link = (yield* sockets.attach(host.paths.socket)) as FakeLink
    const viewer = viewerOn(link, { grants })
    viewer.send({ _tag: "Attach", request: { ...request, ...own } })
    yield* settle
    return { ...viewer, link }
  })
  const attached = (count: number) => status.until((now) => now.attached === count, `${count} attached`)
  return { ...host, attached, child, client, connect, sockets, status }
})

describe("a viewer on the attach channel", () => {
  hosted("is shown what one by RPC is shown, and its keys are at the CLI when they have come", function* () {
    const { attached, child, client, connect } = yield* session
    yield* child.print("before\r\n")
    yield* settle
    const other = yield* attach(client, "rpc", { cols: 80, rows: 24 })
    const viewer = yield* connect()
    yield* attached(2)
    for (const text of ["one", "é\x1b[31mtwo\x1b[m", "\x1b]0;a title", "\x07\x1b[6n", "x".repeat(200_000)]) {
      yield* child.print(text)
      yield* settle
    }
    const plain = (text: string) => text.replaceAll("\x1b[6n", "")
    assert.strictEqual(plain(Buffer.from(viewer.shown(), "latin1").toString()), plain(other.text()))
    assert.deepStrictEqual(viewer.kinds(), ["Repaint", "Output"])
    viewer.type("k")
    assert.strictEqual(child.written().at(-1), "k", "in the turn in which it came")
    viewer.send({ _tag: "Resize", cols: 70, rows: 20, reserved: 0 })
    assert.deepStrictEqual(child.sizes().at(-1), { cols: 70, rows: 20 })
    yield* child.exit(3)
    yield* until(viewer.isClosed, "the end")
    assert.deepStrictEqual(viewer.frames.at(-1), { _tag: "Exited", exit: { code: 3, signal: null } })
  })

  hosted("gets what the CLI printed before it came behind the screen, which would wipe it", function* () {
    const host = yield* startHost({ waitForViewer: true })
    const child = yield* host.child
    yield* child.print("first words")
    const link = (yield* (yield* ControlSocket).attach(host.paths.socket)) as FakeLink
    const viewer = viewerOn(link, { grants: true })
    viewer.send({ _tag: "Attach", request })
    yield* settle
    assert.deepStrictEqual(viewer.kinds(), ["Repaint", "Output"])
    assert.include(viewer.shown(), "first words")
  })

  hosted("gets the first output of a turn at once, and the rest of the turn in one frame", function* () {
    const { child, connect } = yield* session
    const viewer = yield* connect()
    const before = viewer.frames.length
    for (const text of ["a", "b", "\x1b[1mc", "d"]) child.printUnsafe(text)
    yield* settle
    const frames = viewer.frames
      .slice(before)
      .map((frame) => ("data" in frame ? Buffer.from(frame.data).toString() : ""))
    assert.deepStrictEqual(frames, ["a", "b\x1b[1mcd"])
  })

  hosted("of another size is drawn all there is, the last output too", function* () {
    const { child, connect } = yield* session
    const large = yield* connect({ viewer: "large", cols: 120, rows: 40 })
    yield* connect({ viewer: "small", cols: 60, rows: 20 })
    for (const word of ["first", "second", "third"]) {
      yield* child.print(`\x1b[H\x1b[2J${word}`)
      yield* settle
      assert.include(large.shown().slice(-400), word)
    }
  })

  hosted("only reads where it is to; an escape by itself is one, its sequence is waited for", function* () {
    const { child, connect } = yield* session
    const reader = yield* connect({ viewer: "reader", readOnly: true })
    reader.type("no")
    const viewer = yield* connect()
    viewer.type("\x1b")
    assert.strictEqual(child.written(), "\x1b")
    viewer.type("[")
    viewer.type("A")
    assert.strictEqual(child.written(), "\x1b[A")
    viewer.type("\x1b[20")
    assert.strictEqual(child.written(), "\x1b[A", "it may be the beginning of a paste")
    yield* TestClock.adjust("2 seconds")
    assert.strictEqual(child.written(), "\x1b[A\x1b[20")
  })

  hosted("that takes nothing is sent one window and costs no more than a backlog, then is drawn anew", function* () {
    const { child, connect } = yield* session
    const stalled = yield* connect({ viewer: "stalled" }, false)
    const other = yield* connect()
    const before = other.data()
    const line = `${"x".repeat(78)}\r\n`
    const flood = line.repeat(3_000)
    const rounds = 30
    for (let i = 0; i < rounds; i++) yield* Effect.andThen(child.print(flood), TestClock.adjust(1))
    yield* until(
      () => other.data() - before >= rounds * flood.length,
      () => `${other.data() - before} came`
    )
    assert.strictEqual(other.data() - before, rounds * flood.length, "all of it came to who takes it")
    assert.isAtMost(stalled.data(), Credit.window)
    yield* child.print("\x1b[2J\x1b[Hthe end of the flood")
    yield* settle
    const [sent] = [stalled.data()]
    const seen = stalled.frames.length
    stalled.send({ _tag: "Credit", bytes: sent })
    yield* until(() => stalled.shown().includes("the end of the flood"), "the end")
    const after = stalled.frames.slice(seen)
    assert.include(each(after, "_tag"), "Repaint")
    assert.isBelow(stalled.data(), 3 * Credit.window, "what it had missed it is not sent")
    stalled.type("k")
    assert.strictEqual(child.written(), "k", "it can still type")
  })

  hosted("is drawn a long scrollback in parts, of which none goes beyond what it granted", function* () {
    const { child, connect } = yield* session
    for (let i = 0; i < 10; i++) yield* child.print(`${"é".repeat(70)}${i}\r\n`.repeat(600))
    yield* settle
    const viewer = yield* connect({}, false)
    assert.isAtMost(viewer.data(), Credit.window)
    let granted = 0
    while (viewer.frames.at(-1)?._tag !== "Repaint") {
      if (viewer.data() === granted) assert.fail("nothing more came")
      const bytes = viewer.data() - granted
      granted += bytes
      viewer.send({ _tag: "Credit", bytes })
      yield* settle
      assert.isAtMost(viewer.data() - granted, Credit.window)
    }
    assert.deepStrictEqual(viewer.kinds(), ["Part", "Repaint"])
    assert.isAbove(viewer.data(), 2 * Credit.window)
    assert.strictEqual(viewer.shown().match(/é{70}/g)?.length ?? 0, 0, "its bytes are UTF-8")
    assert.isAbove(
      Buffer.from(viewer.shown(), "latin1")
        .toString()
        .match(/é{70}\d/g)?.length ?? 0,
      4_000
    )
  })

  hosted("that breaks the rules is told so and let go; the session and other viewers go on", function* () {
    const { attached, child, connect, sockets, paths } = yield* session
    const other = yield* connect({ viewer: "other" })
    const breaking: ReadonlyArray<readonly [string, (send: (bytes: Uint8Array) => void) => void, RegExp]> = [
      ["garbage", (send) => send(Buffer.from("\xff\xfe\xfd garbage", "latin1")), /too long/],
      ["too long", (send) => send(Uint8Array.of(0, 16, 0, 0, 2)), /too long/],
      ["unknown", (send) => send(FrameStream.encode(77, Uint8Array.of(1))), /kind 77/],
      ["a host's", (send) => send(ChannelFrame.encode({ _tag: "Output", data: Uint8Array.of(1) })), /no Output/],
      ["again", (send) => send(ChannelFrame.encode({ _tag: "Attach", request })), /no Attach/],
      ["credit", (send) => send(ChannelFrame.encode({ _tag: "Credit", bytes: 1 << 30 })), /more was granted/]
    ]
    for (const [name, breach, why] of breaking) {
      const viewer = yield* connect({ viewer: name })
      yield* attached(2)
      breach(viewer.link.send)
      yield* until(viewer.isClosed, name)
      const last = viewer.frames.at(-1)
      assert.strictEqual(last?._tag, "Refused", name)
      if (last?._tag === "Refused") assert.match(last.why, why, name)
      yield* attached(1)
    }
    for (const wrong of [FrameStream.encode(2, Uint8Array.of(65)), FrameStream.encode(1, Buffer.from("{}"))]) {
      const viewer = viewerOn(yield* sockets.attach(paths.socket), { grants: true })
      viewer.send({ _tag: "Credit", bytes: 1 })
      assert.strictEqual(viewer.frames.at(-1)?._tag, "Refused", String(wrong))
    }
    yield* child.print("still here")
    yield* settle
    assert.include(other.shown(), "still here")
    assert.strictEqual(child.written(), "", "nothing was typed")
  })

  hosted("that is gone in the middle of a frame is no viewer any more, and half a frame is not typed", function* () {
    const { attached, child, connect } = yield* session
    const viewer = yield* connect()
    yield* attached(1)
    const frame = ChannelFrame.encode({ _tag: "Input", data: Buffer.from("rm -rf") })
    viewer.link.send(frame.subarray(0, frame.length - 2))
    viewer.link.end()
    yield* attached(0)
    assert.strictEqual(child.written(), "")
  })

  effect("is granted input as the CLI takes it, and refused more than that", function* () {
    let waiting = 0
    const taken: Array<string> = []
    const less = yield* Latch.make(false)
    const { client, host } = linked()
    yield* Effect.scoped(
      serveViewer(host, {
        viewers: { join: () => Effect.succeed({ next: () => Effect.never }), resize: () => {}, readsStatus: () => {} },
        input: {
          take: (_, data) => {
            taken.push(data)
            waiting += data.length
            return false
          }
        },
        logins: { attached: () => {} },
        outbox: { waiting: () => waiting, awaitBelow: () => less.await }
      })
    ).pipe(Effect.forkScoped({ startImmediately: true }))
    const viewer = viewerOn(client, { grants: true })
    viewer.send({ _tag: "Attach", request })
    const piece = "x".repeat(64 << 10)
    const granted = () => viewer.frames.reduce((sum, frame) => sum + (frame._tag === "Credit" ? frame.bytes : 0), 0)
    let typed = 0
    while (Credit.window + granted() - typed >= piece.length && typed < 10 * Credit.window) {
      viewer.type(piece)
      typed += piece.length
    }
    assert.strictEqual(typed, Credit.window + inputBacklog, "then it has to wait")
    waiting = 0
    yield* Effect.andThen(less.open, TestClock.adjust(1))
    assert.strictEqual(granted(), typed, "all of it was taken")
    viewer.type("more")
    assert.strictEqual(taken.join(""), piece.repeat(typed / piece.length) + "more", "in order, and once")
    waiting = Infinity
    yield* less.close
    for (let i = 0; i < 5; i++) viewer.type(piece)
    assert.deepStrictEqual(viewer.frames.at(-1), { _tag: "Refused", why: "more input came than was granted" })
  })
})
