import { Context, Effect, Layer } from "effect"
import { type Rpc, RpcTest } from "effect/rpc"
import { AttachChannel } from "../../../src/services/AttachChannel.ts"
import { ControlSocket, ControlSocketError, type HostRpcs, NoHostError } from "../../../src/services/ControlSocket.ts"
import { HostRpc } from "../../../src/services/HostRpc.ts"
import { linked } from "../fakes/LinkFake.ts"

/** What a test can see of control sockets, and break. */
export class ControlSocketFake extends Context.Service<
  ControlSocketFake,
  {
    /** Paths on which a host answers now. */
    readonly open: () => ReadonlyArray<string>
    /** The next host cannot open its socket, for this reason. */
    readonly failNext: (why: string) => void
    /** A cleaner takes this socket away, and nobody reaches its host. */
    readonly lose: (path: string) => void
  }
>()("test/ControlSocketFake") {}

/** Control sockets in memory: clients and handlers meet in one process, requests and streams run as over a wire. */
export const layer: Layer.Layer<ControlSocket | ControlSocketFake> = Layer.effectContext(
  Effect.sync(() => {
    const served = new Map<string, Context.Context<AttachChannel | Rpc.ToHandler<HostRpcs>>>()
    const failures: Array<string> = []
    const sockets = ControlSocket.of({
      serve: (path) =>
        Effect.gen(function* () {
          const failure = failures.shift()
          if (failure !== undefined) return yield* new ControlSocketError({ path, why: failure })
          const handlers = yield* Effect.context<AttachChannel | Rpc.ToHandler<HostRpcs>>()
          const bind = Effect.sync(() => void served.set(path, handlers))
          yield* Effect.acquireRelease(bind, () => Effect.sync(() => served.delete(path)))
          const refusal = Effect.sync(() => failures.shift())
          return {
            isReachable: Effect.sync(() => served.get(path) === handlers),
            bindAgain: Effect.flatMap(refusal, (why) =>
              why === undefined ? bind : Effect.fail(new ControlSocketError({ path, why }))
            )
          }
        }),
      connect: (path) =>
        Effect.suspend(() => {
          const handlers = served.get(path)
          return handlers === undefined
            ? Effect.fail(new NoHostError({ path, why: "there is none" }))
            : Effect.provideContext(RpcTest.makeClient(HostRpc), handlers)
        }),
      attach: (path) =>
        Effect.gen(function* () {
          const handlers = served.get(path)
          if (handlers === undefined) return yield* new NoHostError({ path, why: "there is none" })
          const { client, host } = linked()
          yield* Context.get(handlers, AttachChannel)
            .serve(host)
            .pipe(Effect.ensuring(Effect.sync(() => host.end())), Effect.forkScoped({ startImmediately: true }))
          yield* Effect.addFinalizer(() => Effect.sync(() => client.end()))
          return client
        })
    })
    return Context.make(ControlSocket, sockets).pipe(
      Context.add(ControlSocketFake, {
        open: () => [...served.keys()],
        failNext: (why) => void failures.push(why),
        lose: (path) => void served.delete(path)
      })
    )
  })
)
