import { assert, describe } from "@effect/vitest"
import { Clock, Deferred, Effect, Fiber, Layer } from "effect"
import { ChildProcessSpawner } from "effect/process"
import { TestClock } from "effect/testing"
import { Tag } from "../../../src/domain/words/session/Tag.ts"
import { attach } from "../../../src/programs/attach/attach.ts"
import { awaitHost } from "../../../src/programs/attach/attachedWire.ts"
import * as ScreenXterm from "../../../src/layers/terminal/ScreenXterm.ts"
import { System } from "../../../src/services/System.ts"
import { Clipboard } from "../../../src/services/Clipboard.ts"
import { Output } from "../../../src/services/Output.ts"
import { Providers } from "../../../src/services/Providers.ts"
import { SharedFile } from "../../../src/services/SharedFile.ts"
import { ControlSocket, type HostClient, NoHostError } from "../../../src/services/ControlSocket.ts"
import { UserTerminalFake } from "../../support/fakes/UserTerminalFake.ts"
import * as UserTerminal from "../../support/fakes/UserTerminalFake.ts"
import { hostDemo, until, world } from "../../support/host/stage.ts"
import { effectWith } from "../../support/run/effects.ts"

/** Attaches a terminal to a session of the demo CLI, writes in it and leaves it. */
const visit = Effect.gen(function* () {
  const { child, status } = yield* hostDemo()
  const fake = yield* UserTerminalFake
  const attached = yield* Effect.forkScoped(attach({ tag: Tag.make("one"), readOnly: false }), {
    startImmediately: true
  })
  yield* until(
    () => fake.screen().includes("ask anything"),
    () => `the CLI's screen: ${fake.screen()} ${JSON.stringify(attached.pollUnsafe())}`
  )
  yield* status.until((now) => now.attached === 1, "attached")
  yield* fake.type("hello")
  yield* until(
    () => fake.screen().includes("hello"),
    () => `an echo: ${fake.screen()}`
  )
  yield* fake.type("\x1c")
  yield* until(() => attached.pollUnsafe() !== undefined, "detached")
  yield* status.until((now) => now.attached === 0, "nobody is attached")
  assert.include(child.written(), "hello")
  assert.deepStrictEqual(
    fake.left().filter((left) => !left.startsWith("last words")),
    [],
    "nothing is left behind"
  )
})

/** A terminal that waits for a host which answers so. */
const waiting = Effect.fnUntraced(function* (answer: Effect.Effect<string>) {
  const fake = yield* UserTerminalFake
  const fiber = yield* Effect.forkChild(Effect.scoped(awaitHost(Tag.make("one"), answer)))
  const due = Effect.repeat(Effect.yieldNow, { times: 50 })
  yield* due
  return {
    ...fake,
    fiber,
    type: (text: string) => Effect.andThen(fake.type(text), due),
    passes: Effect.andThen(TestClock.adjust("1 second"), due),
    isOver: () => fiber.pollUnsafe() !== undefined
  }
})
const waitsAt = Layer.merge(
  UserTerminal.layer(80, 24).pipe(Layer.provide(ScreenXterm.layer)),
  Layer.mock(System, { env: {}, cwd: "/", pid: 1, version: "1", node: "24", platform: "linux", self: [] })
)

describe("a terminal that waits for a session's host", () => {
  for (const [name, key] of [
    ["Ctrl-C", "\x03"],
    ["the key that detaches", "\x1c"]
  ] as const)
    effectWith(waitsAt)(`is raw from the first moment, and ${name} leaves it as it was`, function* () {
      const { fiber, isOver, isRaw, left, type } = yield* waiting(Effect.never)
      assert.isTrue(isRaw())
      yield* type("x")
      assert.isFalse(isOver())
      yield* type(key)
      assert.deepInclude(yield* Effect.flip(Fiber.join(fiber)), { exitCode: 130 })
      assert.deepStrictEqual(left(), [])
    })

  effectWith(waitsAt)("says that there is no answer and what leaves: an Escape from before is the CLI's", function* () {
    const { fiber, isOver, passes, screen, type } = yield* waiting(Effect.never)
    yield* type("\x1b")
    assert.isFalse(isOver())
    assert.strictEqual(screen(), "")
    yield* passes
    assert.include(screen(), "[session 'one' has not answered yet; Esc or Ctrl-C leaves]")
    yield* type("\x1b")
    assert.match((yield* Effect.flip(Fiber.join(fiber))).message, /'one' has not answered, and nothing that was typed/)
  })

  effectWith(waitsAt)("gives what was typed to who reads on", function* () {
    const answer = yield* Deferred.make<string>()
    const { fiber, type } = yield* waiting(Deferred.await(answer))
    yield* type("he")
    yield* type("y\r")
    yield* Deferred.succeed(answer, "hello")
    const { typed, value } = yield* Fiber.join(fiber)
    assert.strictEqual(value, "hello")
    assert.strictEqual(Buffer.concat(typed).toString(), "hey\r")
  })
})

const outsideWith = (terminal: ReturnType<typeof UserTerminal.layer>) =>
  Layer.mergeAll(
    world,
    terminal,
    Layer.mock(Providers, { all: [] }),
    Layer.mock(SharedFile, {}),
    Layer.mock(Clipboard, {}),
    Layer.mock(ChildProcessSpawner.ChildProcessSpawner, {})
  ).pipe(
    Layer.merge(
      Layer.mock(Output, {
        colour: true,
        isTerminal: true,
        inputIsTerminal: true,
        errorIsTerminal: true,
        note: () => Effect.void
      })
    )
  )

const outside = outsideWith(UserTerminal.layer(80, 24))

/** A host that answers, and takes no second connection. */
const deaf = Layer.effect(
  ControlSocket,
  Effect.map(ControlSocket, (sockets) =>
    ControlSocket.of({
      ...sockets,
      attach: (path) => Effect.fail(new NoHostError({ path, why: "it does not answer" }))
    })
  )
)

/** A host that says once how the session is, and then is busy: a later question has no answer. */
const busy = Layer.effect(
  ControlSocket,
  Effect.map(ControlSocket, (sockets) =>
    ControlSocket.of({
      ...sockets,
      connect: (path, options) =>
        Effect.map(sockets.connect(path, options), (client) => {
          let asked = 0
          const Status = (...args: Parameters<HostClient["Status"]>) =>
            asked++ > 0 ? Effect.never : client.Status(...args)
          return new Proxy(client, {
            get: (host, name) => (name === "Status" ? Status : host[name as keyof HostClient])
          })
        })
    })
  )
)

describe("a terminal attached to a session", () => {
  effectWith(outside)("shows it, takes what is typed, and leaves nothing behind", function* () {
    yield* visit
  })

  effectWith(Layer.provideMerge(busy, outside))("is left at once, however busy its host is", function* () {
    const { status } = yield* hostDemo()
    const fake = yield* UserTerminalFake
    const attached = yield* Effect.forkScoped(attach({ tag: Tag.make("one"), readOnly: false }), {
      startImmediately: true
    })
    yield* status.until((now) => now.attached === 1, "attached")
    const before = yield* Clock.currentTimeMillis
    yield* fake.type("\x1c")
    yield* until(() => attached.pollUnsafe() !== undefined, "detached")
    assert.isBelow((yield* Clock.currentTimeMillis) - before, 100)
  })

  effectWith(Layer.provideMerge(deaf, outside))(
    "says that it cannot be shown where the host lets none in",
    function* () {
      yield* hostDemo()
      const refused = yield* Effect.flip(attach({ tag: Tag.make("one"), readOnly: false }))
      assert.match(refused.message, /session 'one' cannot be shown: no host answers on .*: it does not answer/)
      const { left } = yield* UserTerminalFake
      assert.deepStrictEqual(left(), [], "nothing is left behind")
    }
  )

  effectWith(outsideWith(UserTerminal.layer(80, 24, () => "")))(
    "is shown by a terminal that answers nothing as soon as by any other",
    function* () {
      const { status } = yield* hostDemo()
      const before = yield* Clock.currentTimeMillis
      yield* Effect.forkScoped(attach({ tag: Tag.make("one"), readOnly: false }), { startImmediately: true })
      yield* status.until((now) => now.attached === 1, "attached")
      assert.isBelow((yield* Clock.currentTimeMillis) - before, 200)
    }
  )

  effectWith(outsideWith(UserTerminal.layer(80, 24, () => "")))(
    "has program status once it says that it reads it, however late",
    function* () {
      const { status } = yield* hostDemo()
      const fake = yield* UserTerminalFake
      yield* Effect.forkScoped(attach({ tag: Tag.make("one"), readOnly: false }), { startImmediately: true })
      yield* status.until((now) => now.attached === 1, "attached")
      yield* TestClock.adjust("2 seconds")
      const asked = "\x1b]7501;?\x1b\\"
      assert.strictEqual(fake.written().split("\x1b]7501;").length, 2, "the question alone")
      yield* fake.type(`${asked}\x1b[?62;22c`)
      yield* until(() => /\x1b\]7501;state=\w+/.test(fake.written()), "the session's status")
    }
  )
})
