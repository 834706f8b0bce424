import { assert, describe } from "@effect/vitest"
import { Effect, Fiber, Layer, Option } from "effect"
import { TestClock } from "effect/testing"
import { connectToSend, sendMessage } from "../../../src/programs/client/sendMessage.ts"
import { ControlSocket, type HostClient, NoHostError } from "../../../src/services/ControlSocket.ts"
import { protocolVersion, RefusedError } from "../../../src/services/HostProtocol.ts"
import { Paths } from "../../../src/services/Paths.ts"
import { ProcessTable } from "../../../src/services/ProcessTable.ts"
import { Providers } from "../../../src/services/Providers.ts"
import { QueueStore } from "../../../src/services/QueueStore.ts"
import { SessionLock } from "../../../src/services/SessionLock.ts"
import { StatusStore } from "../../../src/services/StatusStore.ts"
import { accepted } from "../../support/data/queueFixtures.ts"
import { sessionStatus } from "../../support/data/sessionStatus.ts"
import { pathsOf } from "../../support/host/parts.ts"
import { hosted } from "../../support/host/hosted.ts"
import { hostDemo, passing, refusal } from "../../support/host/stage.ts"
import { tag } from "../../support/processes/Room.ts"
import { effect } from "../../support/run/effects.ts"
import { each } from "../../support/data/fields.ts"

type Answer = ReturnType<HostClient["Send"]>
const takes: Answer = Effect.succeed({ id: "MINE0001" })
const message = { id: "MINE0001", text: "hello", images: [], front: false, force: false }

/** Sends over connections that give these answers, one each; null where no host is left to connect to. */
const over = (
  answers: readonly [Answer, ...ReadonlyArray<Answer | null>],
  log: ReadonlyArray<string> = [],
  stopped = false
) => {
  const sent: Array<unknown> = []
  const clientOf = (answer: Answer): HostClient => {
    const client: Partial<HostClient> = {
      Hello: (() =>
        Effect.succeed({
          protocol: protocolVersion,
          version: "1",
          tag: "t",
          hostPid: 1,
          ended: false
        })) as HostClient["Hello"],
      Send: ((given: unknown) => {
        sent.push(given)
        return answer
      }) as HostClient["Send"]
    }
    return client as HostClient
  }
  const [first, ...later] = answers
  const layer = Layer.mergeAll(
    Layer.mock(ControlSocket, {
      connect: (path) => {
        const next = later.shift() ?? null
        return next === null ? Effect.fail(new NoHostError({ path, why: "gone" })) : Effect.succeed(clientOf(next))
      }
    }),
    Layer.mock(Paths, {
      state: "/s",
      config: "/c",
      sessions: "/s",
      hookScript: "/s/hook",
      session: () => pathsOf("t")
    }),
    Layer.mock(Providers, { all: [], get: () => Effect.die("no CLI") }),
    Layer.mock(StatusStore, { read: () => Effect.succeed(Option.some(sessionStatus({ sessionId: null }))) }),
    Layer.mock(SessionLock, { holder: () => Effect.succeed(stopped ? { pid: 42 } : null) }),
    Layer.mock(ProcessTable, { isStopped: () => Effect.succeed(stopped) }),
    Layer.mock(QueueStore, {
      recover: () => Effect.succeed({ records: log.map((id) => accepted(id)), problem: null })
    })
  )
  return {
    layer,
    sent,
    result: sendMessage(tag("t"), clientOf(first), message).pipe(Effect.scoped, Effect.provide(layer))
  }
}

describe("sending a message whose answer may be lost", () => {
  effect("takes the first answer that comes", function* () {
    const { result, sent } = over([takes])
    assert.strictEqual((yield* result).id, "MINE0001")
    assert.deepStrictEqual(sent, [message])
  })

  effect("sends once more under the same id where the host left without an answer", function* () {
    const { result, sent } = over([Effect.interrupt, takes])
    assert.strictEqual((yield* result).id, "MINE0001")
    assert.deepStrictEqual(sent, [message, message])
  })

  effect("says that it may have been queued, how to look and how to send again, where nobody answers", function* () {
    const { result } = over([Effect.never, Effect.never])
    const sending = yield* Effect.forkChild(Effect.flip(result), { startImmediately: true })
    yield* TestClock.adjust("1 minute")
    const { message: text } = yield* Fiber.join(sending)
    for (const part of ["may have been queued", "'leap queue t'", "'leap send t --id MINE0001"])
      assert.include(text, part)
  })

  effect("says of a host that is stopped within a second and a half what is known of the message", function* () {
    const toldOf = Effect.fnUntraced(function* (log: ReadonlyArray<string>) {
      const { result, sent } = over([Effect.never, Effect.never], log, true)
      const sending = yield* Effect.forkChild(Effect.flip(result), { startImmediately: true })
      yield* TestClock.adjust("1500 millis")
      const { message: text } = yield* Fiber.join(sending)
      assert.lengthOf(sent, 1)
      assert.include(text, "is stopped (SIGSTOP): 'kill -CONT 42' lets it go on")
      return text
    })
    assert.match(yield* toldOf(["MINE0001"]), /^message E0001 was queued and is on disk, and nobody sends it: /)
    assert.match(yield* toldOf(["OTHER001"]), /^message E0001 may have been queued: /)
  })

  effect("says that nothing was queued where it was never sent", function* () {
    const { layer, sent } = over([takes, Effect.never], [], true)
    const silent = Layer.mock(ControlSocket, {
      connect: () => Effect.succeed({ Hello: (() => Effect.never) as HostClient["Hello"] } as HostClient)
    })
    const connecting = yield* Effect.forkChild(
      connectToSend(tag("t")).pipe(Effect.flip, Effect.scoped, Effect.provide(silent), Effect.provide(layer))
    )
    yield* TestClock.adjust("1500 millis")
    assert.match((yield* Fiber.join(connecting)).message, /^not queued: .*is stopped .*CONT 42' lets it go on$/)
    assert.deepStrictEqual(sent, [])
  })

  effect("tells a message that was taken from one that was not, where the session has ended", function* () {
    const taken = yield* Effect.flip(over([Effect.interrupt, null], ["MINE0001"]).result)
    assert.strictEqual(taken._tag, "HeldByEndError")
    assert.match(taken.message, /was queued, but .* ended and it is held .*'leap t'/)
    const lost = yield* Effect.flip(over([Effect.interrupt, null], ["OTHER001"]).result)
    assert.strictEqual(lost._tag, "NoSessionError")
  })

  effect("does not repeat what was refused", function* () {
    const { result, sent } = over([Effect.fail(RefusedError.because("refused", "the queue is full")), takes])
    assert.match((yield* Effect.flip(result)).message, /queue is full/)
    assert.strictEqual(sent.length, 1)
  })

  hosted("a host takes one id once, and another text under it not at all", function* () {
    const { client, status } = yield* hostDemo()
    const one = { ...message, text: "tool 60" }
    assert.deepStrictEqual(yield* passing(client.Send(one)), { id: one.id })
    assert.deepStrictEqual(yield* passing(client.Send(one)), { id: one.id })
    yield* status.until(({ state }) => state === "running", "its turn")
    assert.deepStrictEqual(yield* passing(client.Send(one)), { id: one.id })
    assert.match((yield* refusal(passing(client.Send(message)))).why, /another message of that id/)
    const { queue, recent } = yield* passing(client.Queue())
    assert.deepStrictEqual(each([...queue, ...recent], "id"), [one.id])
  })
})
