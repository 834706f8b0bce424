import { Effect, Queue, Stream } from "effect"
import * as ControlSocketUnix from "../../src/layers/control/ControlSocketUnix.ts"
import { ControlSocket } from "../../src/services/ControlSocket.ts"
import { hostEnd } from "./screen.ts"
import { median, type Row } from "./table.ts"
import type { World } from "./world.ts"

const rounds = 15
const tag = "bench-report"

/**
 * Measures, from the key that makes a CLI report its state to its terminal, when a subscriber knows of it, beside when
 * what the CLI prints with it is on the attached terminal.
 */
export const benchReports = async (world: World): Promise<ReadonlyArray<Row>> => {
  world.leap(tag, "--cli", "generic", "--detach", "--", world.standIn, "bench-report")
  const took = { shown: [] as Array<number>, told: [] as Array<number> }
  const screen = await hostEnd(world, tag)
  await screen.waitFor("stand-in-is-up")
  const program = Effect.gen(function* () {
    const sockets = yield* ControlSocket
    const client = yield* sockets.connect(world.socketOf(tag))
    const changes = yield* Queue.unbounded<string>()
    yield* Effect.forkScoped(Stream.runForEach(client.Watch(), ({ state }) => Queue.offer(changes, state)))
    const until = (state: string) =>
      Effect.gen(function* () {
        while ((yield* Queue.take(changes)) !== state);
      }).pipe(Effect.timeoutOrElse({ duration: "20 seconds", orElse: () => Effect.die(`no ${state}`) }))
    const turn = (round: number) =>
      Effect.gen(function* () {
        const begun = performance.now()
        const shown = screen.type("w", "WORKING")
        yield* until("running")
        const told = performance.now() - begun
        const ms = yield* Effect.promise(() => shown)
        if (round >= 0) {
          took.told.push(told)
          took.shown.push(ms)
        }
        yield* Effect.promise(() => screen.type("d", "DONE"))
        yield* until("idle")
      })
    for (let round = -2; round < rounds; round++) yield* turn(round)
  })
  try {
    await Effect.runPromise(program.pipe(Effect.scoped, Effect.provide(ControlSocketUnix.layer)) as Effect.Effect<void>)
  } finally {
    screen.close()
    world.leap("stop", tag, "--force")
  }
  return [
    {
      what: "from the key for a report of the CLI's own to a subscriber who knows",
      unit: "ms",
      leap: median(took.told),
      base: { what: "… to what the CLI prints with it", value: median(took.shown) }
    }
  ]
}
