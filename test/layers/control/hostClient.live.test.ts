import { assert, describe, it } from "@effect/vitest"
import { Cause, Deferred, Effect, Exit, Fiber, Layer, Option, Scope, Stream } from "effect"
import * as fs from "node:fs"
import * as net from "node:net"
import * as os from "node:os"
import * as path from "node:path"
import * as ControlSocketUnix from "../../../src/layers/control/ControlSocketUnix.ts"
import type { QueuedMessage } from "../../../src/domain/words/session/Message.ts"
import { AttachChannel } from "../../../src/services/AttachChannel.ts"
import { ControlSocket } from "../../../src/services/ControlSocket.ts"
import { RefusedError } from "../../../src/services/HostProtocol.ts"
import { HostRpc } from "../../../src/services/HostRpc.ts"
import { eventually } from "../../support/processes/Room.ts"
import { rowsOf } from "../../support/data/fields.ts"

const receipt: QueuedMessage = {
  id: "1",
  text: "go",
  images: [],
  queuedAt: "2026-11-23T08:00:00.000Z",
  status: "done",
  force: false,
  why: null
}

const directory = Effect.acquireRelease(
  Effect.sync(() => fs.mkdtempSync(path.join(os.tmpdir(), "leap-client-"))),
  (dir) => Effect.sync(() => fs.rmSync(dir, { recursive: true, force: true }))
)

/** A served socket that says who is connected to it, and whose screen is given when the gate opens. */
const served = Effect.gen(function* () {
  const file = path.join(yield* directory, "host.sock")
  const gate = yield* Deferred.make<string>()
  const seen = { screens: 0, interrupted: 0 }
  const handlers = {
    Hello: () => Effect.succeed({ protocol: 1, version: "1", tag: "t", hostPid: 1, ended: false }),
    Answer: ({ answer }: { readonly answer: string }) =>
      answer === "no"
        ? Effect.fail(RefusedError.because("refused", "there is no dialog"))
        : Effect.succeed({ dialog: "Allow?", answer }),
    Interrupt: () => Effect.void,
    Receipt: ({ id }: { readonly id: string }) => Stream.make({ ...receipt, id }, { ...receipt, id, text: "gone" }),
    Screen: () => {
      seen.screens++
      return Deferred.await(gate).pipe(
        Effect.map((text) => ({ text, cols: 80, rows: 24 })),
        Effect.onInterrupt(() => Effect.sync(() => seen.interrupted++))
      )
    }
  }
  const handled = HostRpc.toLayer(handlers as unknown as Parameters<typeof HostRpc.toLayer>[0])
  const channel = Layer.succeed(AttachChannel, { serve: () => Effect.void })
  yield* (yield* ControlSocket).serve(file).pipe(Effect.provide(Layer.merge(handled, channel)))
  return { file, gate, seen }
})

/** A listener that says what it is told to, and the connections that it has. */
const scripted = Effect.fnUntraced(function* (answer: (line: string, socket: net.Socket) => void) {
  const file = path.join(yield* directory, "host.sock")
  const open = new Set<net.Socket>()
  const server = net.createServer((socket) => {
    open.add(socket)
    socket.on("close", () => open.delete(socket)).on("error", () => {})
    socket.setEncoding("utf8").on("data", (data: string) => {
      for (const line of data.trim().split("\n")) answer(line, socket)
    })
  })
  yield* Effect.acquireRelease(
    Effect.callback<void>((resume) => void server.listen(file, () => resume(Effect.void))),
    () =>
      Effect.callback<void>((resume) => {
        for (const socket of open) socket.destroy()
        server.close(() => resume(Effect.void))
      })
  )
  return { file, open }
})

const tagOf = (exit: Exit.Exit<unknown, { readonly _tag: string }>): string | null =>
  Exit.isFailure(exit) ? Option.getOrNull(Option.map(Cause.findErrorOption(exit.cause), ({ _tag }) => _tag)) : null

const live = <A, E>(effect: Effect.Effect<A, E, Scope.Scope | ControlSocket>) =>
  effect.pipe(Effect.scoped, Effect.provide(ControlSocketUnix.layer))

const connect = (file: string) => Effect.flatMap(ControlSocket, (sockets) => sockets.connect(file))

describe("a connection for single calls", () => {
  it.live("gives each call its own answer, whichever comes first, and a refusal as a refusal", () =>
    live(
      Effect.gen(function* () {
        const { file, gate } = yield* served
        const client = yield* connect(file)
        const screen = yield* Effect.forkChild(client.Screen(), { startImmediately: true })
        assert.strictEqual((yield* client.Hello()).tag, "t")
        assert.isUndefined(yield* client.Interrupt())
        assert.deepStrictEqual(yield* client.Answer({ answer: "yes" }), { dialog: "Allow?", answer: "yes" })
        const refused = yield* Effect.flip(client.Answer({ answer: "no" }))
        assert.instanceOf(refused, RefusedError)
        assert.strictEqual(refused.message, "there is no dialog")
        yield* Deferred.succeed(gate, "the screen")
        assert.deepStrictEqual(yield* Fiber.join(screen), { text: "the screen", cols: 80, rows: 24 })
      })
    )
  )

  it.live("tells the host when an answer is not wanted any more, and goes on", () =>
    live(
      Effect.gen(function* () {
        const { file, seen } = yield* served
        const client = yield* connect(file)
        const screen = yield* Effect.forkChild(client.Screen(), { startImmediately: true })
        yield* eventually(() => seen.screens === 1, "it is asked")
        yield* Fiber.interrupt(screen)
        yield* eventually(() => seen.interrupted === 1, "it is told")
        assert.strictEqual((yield* client.Hello()).protocol, 1)
      })
    )
  )

  it.live("streams too, and has all calls then", () =>
    live(
      Effect.gen(function* () {
        const { file, gate, seen } = yield* served
        const client = yield* connect(file)
        const early = yield* Effect.forkChild(client.Screen(), { startImmediately: true })
        yield* eventually(() => seen.screens === 1, "it is asked")
        const receipts = yield* Stream.runCollect(client.Receipt({ id: "7" }))
        assert.deepStrictEqual(rowsOf([...receipts], "id", "text"), [
          ["7", "go"],
          ["7", "gone"]
        ])
        const late = yield* Effect.forkChild(client.Screen(), { startImmediately: true })
        yield* eventually(() => seen.screens === 2, "it is asked again")
        yield* Deferred.succeed(gate, "the screen")
        assert.strictEqual((yield* Fiber.join(early)).text, "the screen", "what was asked before")
        assert.strictEqual((yield* Fiber.join(late)).text, "the screen", "and what is asked then")
        assert.isUndefined(yield* client.Interrupt({ headers: { a: "b" } } as never))
      })
    )
  )

  it.live("that has come to stream is one connection, not two", () =>
    live(
      Effect.gen(function* () {
        const { file, open } = yield* scripted((line, socket) => {
          const { _tag, id, tag } = JSON.parse(line) as Readonly<Record<string, string>>
          if (_tag !== "Request" || tag !== "Hello") return
          const value = { protocol: 1, version: "1", tag: "t", hostPid: 1, ended: false }
          socket.write(`${JSON.stringify({ _tag: "Exit", requestId: id, exit: { _tag: "Success", value } })}\n`)
        })
        const client = yield* connect(file)
        yield* client.Hello()
        assert.strictEqual(open.size, 1)
        const [first] = open
        yield* Effect.forkChild(Stream.runDrain(client.Watch()))
        yield* eventually(() => open.size === 1 && !open.has(first!), "the first one is closed")
        assert.strictEqual((yield* client.Hello()).tag, "t")
        assert.strictEqual(open.size, 1)
      })
    )
  )

  it.live.each<readonly [how: string, answer: (line: string, socket: net.Socket) => void]>([
    ["breaks", (_, socket) => socket.destroy()],
    ["ends", (_, socket) => socket.end()],
    ["says what is no word of the wire", (_, socket) => socket.write("nonsense\n")]
  ])("fails what waits for an answer when it %s, and what is asked after that", ([, answer]) =>
    live(
      Effect.gen(function* () {
        const { file } = yield* scripted(answer)
        const client = yield* connect(file)
        assert.strictEqual(tagOf(yield* Effect.exit(client.Hello())), "RpcClientError")
        assert.strictEqual(tagOf(yield* Effect.exit(client.Hello())), "RpcClientError")
      })
    )
  )

  it.live("that ends with its scope interrupts what waits, and closes", () =>
    live(
      Effect.gen(function* () {
        const { file, open } = yield* scripted(() => {})
        const scope = yield* Scope.make()
        const client = yield* Effect.provideService(connect(file), Scope.Scope, scope)
        const hello = yield* Effect.forkChild(client.Hello(), { startImmediately: true })
        yield* eventually(() => open.size === 1, "it is connected")
        yield* Scope.close(scope, Exit.void)
        const exit = yield* Fiber.await(hello)
        assert.isTrue(Exit.isFailure(exit) && Cause.hasInterruptsOnly(exit.cause))
        yield* eventually(() => open.size === 0, "it is closed")
      })
    )
  )
})
