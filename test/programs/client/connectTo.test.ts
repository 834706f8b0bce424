import { assert, describe } from "@effect/vitest"
import { Effect, Fiber, Layer, Option } from "effect"
import { RpcClientDefect, RpcClientError } from "effect/rpc/RpcClientError"
import { TestClock } from "effect/testing"
import { connectTo, unlessStopped } from "../../../src/programs/client/client.ts"
import { askHost } from "../../../src/programs/client/statuses.ts"
import { ControlSocket, type HostClient, NoHostError } from "../../../src/services/ControlSocket.ts"
import { protocolVersion } from "../../../src/services/HostProtocol.ts"
import { Paths } from "../../../src/services/Paths.ts"
import { ProcessTable } from "../../../src/services/ProcessTable.ts"
import { QueueStore } from "../../../src/services/QueueStore.ts"
import { SessionLock } from "../../../src/services/SessionLock.ts"
import { StatusStore } from "../../../src/services/StatusStore.ts"
import { sessionStatus } from "../../support/data/sessionStatus.ts"
import { pathsOf } from "../../support/host/parts.ts"
import { tag } from "../../support/processes/Room.ts"
import { effect, effectOfEach } from "../../support/run/effects.ts"

type Greeting = ReturnType<HostClient["Hello"]>
const broken: Greeting = Effect.fail(
  new RpcClientError({ reason: new RpcClientDefect({ message: "closed", cause: null }) })
)
const greets = (version: string): Greeting =>
  Effect.succeed({ protocol: protocolVersion, version, tag: "t", hostPid: 1, ended: false })

/** Connects where the hosts that are found, one after the other, greet so; null where there is none. */
const over = (
  greetings: ReadonlyArray<Greeting | null>,
  own: { readonly lives?: boolean; readonly exit?: boolean; readonly stopped?: boolean } = {}
) => {
  let found = 0
  const layer = Layer.mergeAll(
    Layer.mock(ControlSocket, {
      connect: (path) => {
        const greeting = greetings[Math.min(found++, greetings.length - 1)] ?? null
        return greeting === null
          ? Effect.fail(new NoHostError({ path, why: "gone" }))
          : Effect.succeed({ Hello: (() => greeting) as HostClient["Hello"] } as HostClient)
      }
    }),
    Layer.mock(Paths, {
      state: "/s",
      config: "/c",
      sessions: "/s/sessions",
      hookScript: "/s/hook",
      session: () => pathsOf("t")
    }),
    Layer.mock(StatusStore, {
      read: () =>
        Effect.succeed(
          Option.some(sessionStatus({ sessionId: null, exit: own.exit === true ? { code: 0, signal: null } : null }))
        )
    }),
    Layer.mock(ProcessTable, { isStopped: () => Effect.succeed(own.stopped === true) }),
    Layer.mock(SessionLock, { holder: () => Effect.succeed(own.lives === true ? { pid: 42 } : null) }),
    Layer.mock(QueueStore, { recover: () => Effect.succeed({ records: [], problem: null }) })
  )
  return {
    layer,
    connecting: connectTo(tag("t")).pipe(
      Effect.flatMap((client) => client.Hello()),
      Effect.scoped,
      Effect.provide(layer)
    ),
    found: () => found
  }
}

describe("connecting to a session whose host is just ending", () => {
  effectOfEach([
    ["a broken connection", broken],
    ["an interrupted greeting", Effect.interrupt]
  ] as const)("%s, and no host behind it: there is no session", function* ([, greeting]) {
    const connecting = yield* Effect.forkChild(Effect.flip(over([greeting, greeting, null]).connecting))
    yield* TestClock.adjust("200 millis")
    assert.deepInclude(yield* Fiber.join(connecting), { _tag: "NoSessionError", ended: true })
  })

  effect("the host that follows is the session's", function* () {
    const connecting = yield* Effect.forkChild(over([broken, greets("2")]).connecting)
    yield* TestClock.adjust("200 millis")
    assert.strictEqual((yield* Fiber.join(connecting)).version, "2")
  })

  effect("what breaks off each time is told as it is, within a bound", function* () {
    const { connecting, found } = over([broken])
    const told = yield* Effect.forkChild(Effect.flip(connecting))
    yield* TestClock.adjust("2 seconds")
    assert.strictEqual((yield* Fiber.join(told))._tag, "RpcClientError")
    assert.isBelow(found(), 30)
  })

  effect("a host that was silent for long before is not asked again", function* () {
    const { connecting, found } = over([Effect.andThen(Effect.sleep("5 seconds"), broken)])
    const told = yield* Effect.forkChild(Effect.flip(connecting))
    yield* TestClock.adjust("5 seconds")
    assert.strictEqual((yield* Fiber.join(told))._tag, "RpcClientError")
    assert.strictEqual(found(), 1)
  })
})

describe("connecting where nobody answers at the address", () => {
  effect("a host that holds the lock is waited for, since it makes its socket again", function* () {
    const none = Array.from({ length: 8 }, () => null)
    const connecting = yield* Effect.forkChild(over([...none, greets("2")], { lives: true }).connecting)
    yield* TestClock.adjust("1 second")
    assert.strictEqual((yield* Fiber.join(connecting)).version, "2")
  })

  effect("within a bound: then it is said that it lives, which process it is, and how it can be ended", function* () {
    const { connecting, found } = over([null], { lives: true })
    const told = yield* Effect.forkChild(Effect.flip(connecting))
    yield* TestClock.adjust("3 seconds")
    const error = yield* Fiber.join(told)
    assert.strictEqual(error._tag, "UnreachedHostError")
    assert.match(error.message, /session 't' runs: .*lives \(process 42\).* at .*host\.sock.*'leap stop t --force'/)
    assert.isBelow(found(), 30)
  })

  effectOfEach([
    ["nobody holds the lock", {}],
    ["its host has written its end down, and holds the lock for a moment longer", { lives: true, exit: true }]
  ] as const)("%s: it has ended, at once", function* ([, own]) {
    const told = yield* Effect.flip(over([null], own).connecting)
    assert.deepInclude(told, { _tag: "NoSessionError", ended: true })
  })
})

describe("connecting to a host that the system says is stopped", () => {
  const silent: Greeting = Effect.never

  effect("is given up within a second and a half, with the command that lets it go on", function* () {
    const told = yield* Effect.forkChild(Effect.flip(over([silent], { lives: true, stopped: true }).connecting))
    yield* TestClock.adjust("1500 millis")
    const { message } = yield* Fiber.join(told)
    assert.match(
      message,
      /^session 't' runs: .*is stopped \(SIGSTOP\): 'kill -CONT 42' lets it go on \(its log: .*--force/
    )
    assert.notInclude(message, "may be done", "it was asked nothing yet")
  })

  effectOfEach([
    ["nobody says that it is stopped", { lives: true }],
    ["nobody has its lock: its number may be another process's", { stopped: true }]
  ] as const)("%s: it is waited for", function* ([, own]) {
    const told = yield* Effect.forkChild(
      over([Effect.andThen(Effect.sleep("10 seconds"), greets("1"))], own).connecting
    )
    yield* TestClock.adjust("9 seconds")
    assert.isUndefined(told.pollUnsafe())
    yield* TestClock.adjust("11 seconds")
    assert.strictEqual((yield* Fiber.join(told)).version, "1")
  })

  effect("what it was asked before is said to be still there to be done", function* () {
    const { layer } = over([greets("1")], { lives: true, stopped: true })
    const told = yield* Effect.forkChild(Effect.flip(unlessStopped(tag("t"), Effect.never)).pipe(Effect.provide(layer)))
    yield* TestClock.adjust("1500 millis")
    assert.match((yield* Fiber.join(told)).message, /lets it go on, and what was asked may be done then/)
  })
})

describe("a host that is asked with the greeting", () => {
  const hello = (change: object): Greeting => Effect.map(greets("1"), (greeted) => Object.assign({}, greeted, change))

  effect("is asked before it has answered that, once, and each time for a host that follows", function* () {
    const late = Effect.andThen(Effect.sleep("10 seconds"), greets("1"))
    let asked = 0
    const { layer } = over([Effect.andThen(Effect.sleep("100 millis"), broken), late])
    const answer = yield* askHost(tag("t"), () => Effect.sync(() => ++asked)).pipe(
      Effect.provide(layer),
      Effect.forkChild
    )
    yield* TestClock.adjust("50 millis")
    assert.strictEqual(asked, 1)
    yield* TestClock.adjust("200 millis")
    assert.strictEqual(asked, 2)
    assert.isUndefined(answer.pollUnsafe())
    yield* TestClock.adjust("10 seconds")
    assert.strictEqual(yield* Fiber.join(answer), 2)
  })

  effectOfEach([
    ["ProtocolMismatchError", hello({ protocol: protocolVersion + 1 })],
    ["NoSessionError", hello({ ended: true })]
  ] as const)(
    "has a greeting to go by (%s), and what it was asked is not waited for",
    function* ([expected, greeting]) {
      let left = 0
      const never = Effect.onInterrupt(Effect.never, () => Effect.sync(() => left++))
      const { layer } = over([Effect.andThen(Effect.sleep("1 second"), greeting)])
      const told = yield* Effect.forkChild(Effect.flip(askHost(tag("t"), () => never)).pipe(Effect.provide(layer)))
      yield* TestClock.adjust("1 second")
      assert.strictEqual((yield* Fiber.join(told))._tag, expected)
      assert.strictEqual(left, 1)
    }
  )
})
