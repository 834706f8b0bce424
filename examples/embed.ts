// A session of a CLI in this process: sent to, waited for, read, watched, stopped.
import { Console, Effect, Stream } from "effect"
import { hostSession, layer } from "leap/host"

const program = Effect.gen(function* () {
  const session = yield* hostSession({ tag: "example", cli: process.argv[2] ?? "demo", hooks: "install" })
  yield* session.states.pipe(
    Stream.map(({ state }) => state),
    Stream.changes,
    Stream.runForEach((state) => Console.log(`state: ${state}`)),
    Effect.forkScoped
  )
  yield* Console.log(`answer: ${yield* session.ask("say hello")}`)
  yield* session.stop
})

await Effect.runPromise(program.pipe(Effect.scoped, Effect.provide(layer())))
