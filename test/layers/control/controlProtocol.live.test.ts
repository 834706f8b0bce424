import { assert, describe, it } from "@effect/vitest"
import { Deferred, Effect, Exit, Fiber, Layer, Logger, Scope, Stream } from "effect"
import { spawnSync } from "node:child_process"
import * as fs from "node:fs"
import * as net from "node:net"
import * as os from "node:os"
import * as path from "node:path"
import * as ControlSocketUnix from "../../../src/layers/control/ControlSocketUnix.ts"
import { callLimit, longestLine, subscriptionLimit } from "../../../src/layers/control/controlProtocol.ts"
import { AttachChannel, type ByteLink } from "../../../src/services/AttachChannel.ts"
import { ControlSocket } from "../../../src/services/ControlSocket.ts"
import { HostRpc } from "../../../src/services/HostRpc.ts"
import { eventually } from "../../support/processes/Room.ts"
import { patience } from "../../support/run/patience.ts"
import { liveWith } from "../../support/run/effects.ts"

const hello = { protocol: 1, version: "1", tag: "t", hostPid: 1, ended: false }
/** More than a socket holds: two of them wait for the client to read. */
const large = "x".repeat(1 << 20)

/** A served socket of which each screen is given when the gate opens. */
const served = Effect.gen(function* () {
  const dir = yield* Effect.acquireRelease(
    Effect.sync(() => fs.mkdtempSync(path.join(os.tmpdir(), "leap-protocol-"))),
    (dir) => Effect.sync(() => fs.rmSync(dir, { recursive: true, force: true }))
  )
  const gate = yield* Deferred.make<string>()
  const calls = { running: 0, most: 0, begun: 0, interrupted: 0, subscriptions: 0 }
  const handlers = {
    Hello: () => Effect.succeed(hello),
    Status: () => Effect.die("nobody knows"),
    Watch: () => {
      calls.subscriptions++
      return Stream.fromEffect(Effect.never)
    },
    Screen: () => {
      calls.begun++
      calls.running++
      calls.most = Math.max(calls.most, calls.running)
      return Deferred.await(gate).pipe(
        Effect.map((text) => ({ text, cols: 80, rows: 24 })),
        Effect.onInterrupt(() => Effect.sync(() => calls.interrupted++)),
        Effect.ensuring(Effect.sync(() => calls.running--))
      )
    }
  }
  const file = path.join(dir, "host.sock")
  /** What came over attach channels, with a dot at the end of each; what is served is said back. */
  const channels: Array<string> = []
  const serve = (link: ByteLink) =>
    Effect.callback<void>((resume) => {
      const at = channels.push("") - 1
      link.listen({
        data: (bytes) => {
          channels[at] += Buffer.from(bytes).toString("latin1")
          link.send(bytes)
          if (bytes.includes(0x21)) resume(Effect.void)
        },
        closed: () => {
          channels[at] += "."
          resume(Effect.void)
        }
      })
    })
  const handled = HostRpc.toLayer(handlers as unknown as Parameters<typeof HostRpc.toLayer>[0])
  let counted = 0
  const socket = yield* (yield* ControlSocket)
    .serve(file, (bytes) => void (counted += bytes))
    .pipe(Effect.provide(Layer.merge(handled, Layer.succeed(AttachChannel, { serve }))))
  return { file, gate, calls, channels, socket, heard: () => counted }
})

const requests = (tag: string, count: number): string =>
  Array.from(
    { length: count },
    (_, i) => `${JSON.stringify({ _tag: "Request", id: String(i + 1), tag, payload: null, headers: [] })}\n`
  ).join("")

/** A client that does not read until it is told to. */
const client = (file: string) =>
  Effect.acquireRelease(
    Effect.callback<net.Socket>((resume) => {
      const socket = net.connect({ path: file })
      socket.on("error", () => {})
      socket.pause().once("connect", () => resume(Effect.succeed(socket)))
    }),
    (socket) => Effect.sync(() => socket.destroy())
  )

/** What a client reads, by the tags of the messages. */
const reading = (socket: net.Socket) => {
  const found = { exits: 0, text: "" }
  let begun: Array<string> = []
  socket.setEncoding("utf8").on("data", (data: string) => {
    begun.push(data)
    if (!data.includes("\n")) return
    const lines = begun.join("").split("\n")
    begun = [lines.pop() ?? ""]
    for (const line of lines) {
      if (line.includes('"_tag":"Exit"')) found.exits++
      found.text += line.slice(0, 500)
    }
  })
  socket.resume()
  return found
}

const roundTrip = (file: string) =>
  Effect.gen(function* () {
    assert.strictEqual((yield* (yield* (yield* ControlSocket).connect(file)).Hello()).tag, "t")
  }).pipe(Effect.scoped)

describe("one connection", () => {
  liveWith(ControlSocketUnix.layer)("is there for a process that stood still for longer than it waits", function* () {
    const { file } = yield* served
    const asked = yield* Effect.forkChild(roundTrip(file), { startImmediately: true })
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 2_100)
    yield* Fiber.join(asked)
  })

  liveWith(ControlSocketUnix.layer)("has so many requests answered at once, and in the end all", function* () {
    const { calls, file, gate } = yield* served
    const socket = yield* client(file)
    socket.write(requests("Screen", 200))
    yield* eventually(() => calls.running >= callLimit, "requests are answered")
    yield* roundTrip(file)
    assert.strictEqual(calls.most, callLimit)
    const read = reading(socket)
    yield* Deferred.succeed(gate, "done")
    yield* eventually(() => read.exits === 200, "all are answered")
    assert.strictEqual(calls.most, callLimit)
  })

  liveWith(ControlSocketUnix.layer)(
    "that asks and never reads is not heard any more, and nobody else waits for it",
    function* () {
      const { calls, file, gate } = yield* served
      yield* Deferred.succeed(gate, large)
      const socket = yield* client(file)
      socket.write(requests("Screen", 64))
      yield* eventually(() => calls.begun >= callLimit, "requests are answered")
      for (let i = 0; i < 5; i++) yield* roundTrip(file)
      assert.strictEqual(calls.begun, callLimit)
      const read = reading(socket)
      yield* eventually(() => read.exits === 64, "it reads, and is heard again")
    }
  )

  liveWith(ControlSocketUnix.layer)(
    "has so many subscriptions; more are refused, and other requests go on",
    function* () {
      const { calls, file, gate } = yield* served
      yield* Deferred.succeed(gate, "the screen")
      const socket = yield* client(file)
      const read = reading(socket)
      socket.write(requests("Watch", subscriptionLimit + 3))
      yield* eventually(() => read.exits === 3, "three are refused")
      assert.include(read.text, `more than ${subscriptionLimit} subscriptions`)
      assert.strictEqual(calls.subscriptions, subscriptionLimit)
      socket.write(requests("Screen", 100).replaceAll('"id":"', '"id":"1000'))
      yield* eventually(() => read.exits === 103, "the screens are given")
    }
  )

  liveWith(ControlSocketUnix.layer)("that goes away has its requests cancelled", function* () {
    const { calls, file } = yield* served
    const socket = yield* client(file)
    socket.write(requests("Screen", callLimit - 1))
    yield* eventually(() => calls.running === callLimit - 1, "requests are at work")
    socket.destroy()
    yield* eventually(() => calls.running === 0, "none is at work any more")
    assert.strictEqual(calls.interrupted, callLimit - 1)
  })

  liveWith(ControlSocketUnix.layer)("may end in any way without a word in the log", function* () {
    const said: Array<unknown> = []
    const logger = Logger.make(({ message }) => void said.push(message))
    yield* Effect.gen(function* () {
      const { calls, file, gate } = yield* served
      yield* Deferred.succeed(gate, large)
      const endings: ReadonlyArray<(socket: net.Socket) => void> = [
        (socket) => socket.destroy(),
        (socket) => socket.end(),
        (socket) => void socket.end("nonsense\n")
      ]
      for (const [index, end] of endings.entries()) {
        const socket = yield* client(file)
        socket.write(requests("Screen", 3) + requests("Watch", 1).replace('"id":"1"', '"id":"w"'))
        yield* eventually(() => calls.begun === 3 * (index + 1) && calls.subscriptions === index + 1, "it is heard")
        end(socket)
        yield* roundTrip(file)
      }
    }).pipe(Effect.scoped, Effect.provide(Logger.layer([logger])))
    assert.deepStrictEqual(said, [])
  })
})

describe("what a connection asks first", () => {
  const hellos = (count: number) => requests("Hello", count)
  /** The answers, as they stand on the wire, to what is written piece by piece. */
  const answers = Effect.fnUntraced(function* (file: string, pieces: ReadonlyArray<string>, count: number) {
    const socket = yield* client(file)
    const read = { text: "" }
    socket.setEncoding("utf8").on("data", (data: string) => (read.text += data))
    socket.resume()
    const exits = () => read.text.split("\n").filter((line) => line.includes('"_tag":"Exit"'))
    for (const piece of pieces) {
      const before = exits().length
      socket.write(piece)
      if (piece.endsWith("\n")) yield* eventually(() => exits().length > before, "an answer")
      else yield* Effect.sleep("20 millis")
    }
    yield* eventually(() => exits().length === count, "all answers")
    return exits().toSorted()
  })

  liveWith(ControlSocketUnix.layer)("is answered in the same bytes with a server for it and without", function* () {
    const { file } = yield* served
    for (const asked of [
      hellos(1),
      hellos(3),
      requests("Status", 1),
      hellos(1) + requests("Status", 1).replace('"id":"1"', '"id":"2"')
    ]) {
      const count = asked.split("\n").length - 1
      const alone = yield* answers(file, [asked], count)
      // whatever is more than plain calls is the server's, with all that came in one piece with it
      const served = yield* answers(file, [`{"_tag":"Ping"}\n${asked}`], count)
      assert.deepStrictEqual(alone, served)
      assert.match(alone[0] ?? "", /"exit":\{"_tag":"(?:Success","value":\{"protocol":1|Failure)/)
    }
  })

  it.live.each<readonly [why: string, pieces: ReadonlyArray<string>, count: number]>([
    ["in two pieces", [hellos(1).slice(0, 20), hellos(1).slice(20)], 1],
    ["many times", [hellos(100)], 100],
    ["again and again", [hellos(1), hellos(2), hellos(1)], 4],
    ["before other calls", [hellos(1), requests("Screen", 2)], 3],
    ["with others in one piece", [hellos(1) + requests("Screen", 2)], 3],
    ["with a word that is not known", [hellos(1).replace('"headers"', '"more":1,"headers"')], 1],
    ["after other calls", [requests("Screen", 1), hellos(1)], 2]
  ])("is answered %s, and so is what comes after it", ([, pieces, count]) =>
    Effect.gen(function* () {
      const { file, gate } = yield* served
      yield* Deferred.succeed(gate, "done")
      const all = yield* answers(file, pieces, count)
      assert.isTrue(
        all.every((line) => line.includes('"_tag":"Success"')),
        all.join("\n")
      )
      yield* roundTrip(file)
    }).pipe(Effect.scoped, Effect.provide(ControlSocketUnix.layer))
  )
})

describe("a connection that begins with a zero byte", () => {
  liveWith(ControlSocketUnix.layer)(
    "is an attach channel from its first byte on, both ways; others speak RPC beside it",
    function* () {
      const { channels, file } = yield* served
      const link = yield* (yield* ControlSocket).attach(file)
      let back = ""
      let closed = false
      link.listen({
        data: (bytes) => (back += Buffer.from(bytes).toString("latin1")),
        closed: () => (closed = true)
      })
      link.send(Buffer.from("\0one"))
      yield* eventually(() => back === "\0one", "it is served")
      link.send(Buffer.from("two"))
      yield* roundTrip(file)
      yield* eventually(() => back === "\0onetwo", "the same connection")
      link.send(Buffer.from("end!"))
      yield* eventually(() => closed, "the host ends it when it is done")
      assert.strictEqual(back, "\0onetwoend!", "what was sent last has come")
      assert.strictEqual(channels[0], "\0onetwoend!.")
    }
  )

  liveWith(ControlSocketUnix.layer)(
    "may end in any way, and whoever connects and says nothing costs nobody anything",
    function* () {
      const { calls, channels, file } = yield* served
      const [killed, silent, garbage] = [yield* client(file), yield* client(file), yield* client(file)]
      killed.write("\0half a fra")
      yield* eventually(() => channels[0] === "\0half a fra", "it has begun")
      killed.destroy()
      yield* eventually(() => channels[0]!.endsWith("."), "its end is seen")
      silent.end()
      garbage.write("\xff\xfe no JSON and no channel \n\0\0\0")
      yield* roundTrip(file)
      assert.strictEqual(channels.length, 1, "neither is a channel")
      assert.strictEqual(calls.running, 0)
    }
  )

  liveWith(ControlSocketUnix.layer)(
    "does not keep a host that ends, whether it was served or nothing of it had come",
    function* () {
      const scope = yield* Scope.make()
      const { channels, file } = yield* Effect.provideService(served, Scope.Scope, scope)
      const [one, silent] = [yield* client(file), yield* client(file)]
      one.write("\0one")
      yield* eventually(() => channels.length === 1, "it is served")
      let ends = 0
      for (const socket of [one, silent]) socket.resume().on("close", () => ends++)
      yield* Effect.timeout(Scope.close(scope, Exit.void), patience)
      yield* eventually(() => ends === 2, "both are told")
      assert.deepStrictEqual(channels, ["\0one."])
    }
  )
})

describe("a session's socket", () => {
  liveWith(ControlSocketUnix.layer)("is its user's alone, and nothing else is created under its mask", function* () {
    const umask = process.umask.bind(process)
    const before = umask()
    const left: Array<number> = []
    yield* Effect.acquireRelease(
      Effect.sync(() => {
        process.umask = (mask: string | number = before) => {
          // before the socket can tell that it listens
          process.nextTick(() => left.push(umask()))
          return umask(mask)
        }
      }),
      () => Effect.sync(() => void (process.umask = umask))
    )
    const sockets = yield* Effect.all([served, served, served], { concurrency: "unbounded" })
    assert.deepStrictEqual([...new Set(left)], [before])
    assert.deepStrictEqual(
      sockets.map(({ file }) => fs.statSync(file).mode & 0o777),
      [0o600, 0o600, 0o600]
    )
  })
})

describe("a connection whose line does not end", () => {
  liveWith(ControlSocketUnix.layer)(
    "is not heard any more beyond what any request takes, and costs nobody else anything",
    function* () {
      const { file, heard } = yield* served
      const socket = yield* client(file)
      let closed = false
      socket.once("close", () => (closed = true)).resume()
      const piece = Buffer.alloc(1 << 20, "x")
      for (let i = 0; i < 40 && !closed; i++) {
        socket.write(piece)
        yield* Effect.sleep("10 millis")
      }
      yield* eventually(() => closed, "it is closed")
      assert.isAtLeast(heard(), longestLine)
      yield* roundTrip(file)
    }
  )
})

describe("a socket that is taken away while it is served", () => {
  it.live.each([
    ["removed", (file: string) => fs.rmSync(file)],
    [
      "replaced by a file",
      (file: string) => {
        fs.rmSync(file)
        fs.writeFileSync(file, "")
      }
    ],
    [
      "replaced by another's socket",
      (file: string) => {
        fs.rmSync(file)
        spawnSync(process.execPath, [
          "-e",
          `require("net").createServer().listen(${JSON.stringify(file)}, () => process.kill(process.pid, 9))`
        ])
      }
    ]
  ] as const)("%s: it is bound again, connections of before go on, and none is lost with the old one", ([, lose]) =>
    Effect.gen(function* () {
      const { calls, file, gate, socket } = yield* served
      const before = yield* client(file)
      const read = reading(before)
      before.write(requests("Screen", 3))
      yield* eventually(() => calls.running === 3, "requests are at work")
      for (let round = 0; round < 3; round++) {
        assert.isTrue(yield* socket.isReachable)
        lose(file)
        assert.isFalse(yield* socket.isReachable)
        yield* socket.bindAgain
        assert.isTrue(yield* socket.isReachable)
        assert.strictEqual(fs.lstatSync(file).mode & 0o777, 0o600)
        yield* roundTrip(file)
      }
      yield* Deferred.succeed(gate, "done")
      yield* eventually(() => read.exits === 3, "what was asked before is answered")
      // the last connection of a socket that nobody finds any more ends that: the present one stays
      before.destroy()
      yield* Effect.sleep("50 millis")
      assert.isTrue(yield* socket.isReachable)
      yield* roundTrip(file)
    }).pipe(Effect.scoped, Effect.provide(ControlSocketUnix.layer))
  )

  liveWith(ControlSocketUnix.layer)(
    "by a directory: that is not deleted, it is said, and the socket is bound when it is gone",
    function* () {
      const { file, socket } = yield* served
      fs.rmSync(file)
      fs.mkdirSync(file)
      assert.include(
        (yield* Effect.flip(socket.bindAgain)).message,
        `${file}: something else is in its place: remove it`
      )
      assert.isFalse(yield* socket.isReachable)
      fs.rmdirSync(file)
      yield* socket.bindAgain
      yield* roundTrip(file)
    }
  )
})
