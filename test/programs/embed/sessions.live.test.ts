import { assert, describe, it } from "@effect/vitest"
import { Deferred, Effect, Exit, Fiber, Layer, References, Scope } from "effect"
import { connectSession, hostSession, launchSession, layer, type TurnError } from "../../../src/host.ts"
import { HookInstaller } from "../../../src/services/HookInstaller.ts"
import { Providers } from "../../../src/services/Providers.ts"
import { System } from "../../../src/services/System.ts"
import { type TrialOutcome, WiringTrial } from "../../../src/services/WiringTrial.ts"
import * as SystemNode from "../../../src/layers/system/SystemNode.ts"
import { alive, eventually, makeRoom, type Room } from "../../support/processes/Room.ts"
import { isThorough } from "../../support/run/thorough.ts"
import { patience } from "../../support/run/patience.ts"

const services = (room: Room, parts?: Layer.Layer<never>) =>
  Layer.merge(
    layer({ env: room.env, self: room.command, ...(parts === undefined ? {} : { parts }) }),
    Layer.succeed(References.MinimumLogLevel, "Error")
  )

/** What is run under the services of a room of its own. */
const inRoom = <A, E>(body: (room: Room) => Effect.Effect<A, E>) =>
  makeRoom("0.3").pipe(Effect.flatMap(body), Effect.scoped, Effect.timeout(patience))

describe.runIf(isThorough)("sessions of a program that embeds leap", () => {
  it.live("a turn that is interrupted fails its answer, with what was said until then", () =>
    inRoom((room) =>
      Effect.gen(function* () {
        const session = yield* hostSession({ tag: "one", cli: "demo" })
        const { answer } = yield* session.send("a long answer")
        const awaited = yield* Effect.forkChild(Effect.flip(answer), { startImmediately: true })
        yield* session.until(({ state }) => state === "running")
        yield* session.interrupt
        const error = (yield* Fiber.join(awaited)) as TurnError
        assert.strictEqual(error._tag, "TurnError")
        assert.strictEqual(error.outcome, "interrupted")
        assert.match(error.message, /in 'one' did not come to its end \(interrupted\)/)
      }).pipe(Effect.scoped, Effect.provide(services(room)))
    )
  )

  it.live("a session that is hosted here ends with its scope; one in a process of its own goes on", () =>
    inRoom((room) =>
      Effect.gen(function* () {
        const scope = yield* Scope.make()
        const here = yield* Scope.provide(hostSession({ tag: "here", cli: "demo" }), scope)
        const apart = yield* Scope.provide(launchSession({ tag: "apart", cli: "demo" }), scope)
        const { pid } = yield* here.until(({ ready }) => ready)
        const there = yield* apart.until(({ ready }) => ready)
        yield* Scope.close(scope, Exit.void)
        yield* eventually(() => !alive(pid!), "the end of the hosted CLI")
        assert.isTrue(alive(there.pid!))
        const again = yield* connectSession("apart")
        assert.strictEqual((yield* again.status).hostPid, there.hostPid)
        yield* again.stop
        const gone = yield* Effect.flip(connectSession("here"))
        assert.strictEqual(gone._tag, "NoSessionError")
      }).pipe(Effect.scoped, Effect.provide(services(room)))
    )
  )

  it.live("a service of the program's own takes the place of leap's, where leap's others stand on it too", () =>
    inRoom((room) =>
      Effect.gen(function* () {
        const asked = yield* Deferred.make<string>()
        const own = Layer.effect(
          System,
          Effect.map(System, (system) => ({
            ...system,
            which: (...request: Parameters<typeof system.which>) =>
              Effect.andThen(Deferred.succeed(asked, request[0]), system.which(...request))
          }))
        ).pipe(Layer.provide(SystemNode.layerWith({ version: "1", self: room.command, env: room.env })))
        yield* Effect.gen(function* () {
          const session = yield* hostSession({ tag: "one", cli: "demo" })
          yield* session.until(({ ready }) => ready)
          assert.strictEqual(yield* Deferred.await(asked), room.command[0])
        }).pipe(Effect.scoped, Effect.provide(services(room, own)))
      })
    )
  )

  it.live("what cannot be started is an error that says why", () =>
    inRoom((room) =>
      Effect.gen(function* () {
        const why = (options: Parameters<typeof hostSession>[0]) =>
          Effect.map(Effect.flip(hostSession(options)), ({ message }) => message)
        assert.match(yield* why({ tag: "status", cli: "demo" }), /'status' is a command, not a tag/)
        assert.match(yield* why({ tag: "one", cli: "nothing" }), /no CLI is called 'nothing'/)
        assert.match(yield* why({ tag: "one", cli: "demo", cwd: "/no/such" }), /there is no directory \/no\/such/)
        assert.match(yield* why({ tag: "one", hooks: "install" }), /needs the name of a CLI/)
      }).pipe(Effect.scoped, Effect.provide(services(room)))
    )
  )
})

describe("hooks that a program has installed", () => {
  it.live("are tried on the CLI first, and left out of its settings where it refuses them", () =>
    inRoom((room) =>
      Effect.gen(function* () {
        const tried: Array<string> = []
        const trial = (outcome: TrialOutcome) =>
          Layer.succeed(WiringTrial, {
            run: ({ id }) =>
              Effect.as(
                Effect.sync(() => tried.push(id)),
                outcome
              )
          })
        const state = Effect.gen(function* () {
          return (yield* (yield* HookInstaller).status(yield* (yield* Providers).get("demo"))).state
        })
        yield* Effect.gen(function* () {
          yield* (yield* HookInstaller).remove(yield* (yield* Providers).get("demo"))
          const refused = yield* Effect.flip(hostSession({ tag: "one", cli: "demo", hooks: "install" }))
          assert.strictEqual(refused._tag, "HookRefusedError")
          assert.deepStrictEqual([yield* state, tried.length > 0], ["missing", true])
        }).pipe(Effect.scoped, Effect.provide(services(room, trial("refused"))))
        yield* Effect.gen(function* () {
          const session = yield* hostSession({ tag: "one", cli: "demo", hooks: "install" })
          yield* session.until(({ ready }) => ready)
          assert.strictEqual(yield* state, "installed")
          const before = tried.length
          yield* hostSession({ tag: "two", cli: "demo", hooks: "install" })
          assert.strictEqual(tried.length, before, "those that are there are not tried again")
        }).pipe(Effect.scoped, Effect.provide(services(room, trial("accepted"))))
      })
    )
  )
})
