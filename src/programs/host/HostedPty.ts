import { Context, Effect, FiberHandle, Layer, type Scope } from "effect"
import type { PtySize, PtySpawnError } from "../../services/Pty.ts"
import { CliProcess, type HostedChild } from "./CliProcess.ts"
import { Outbox } from "./Outbox.ts"
import { StatusPublisher } from "./StatusPublisher.ts"

/** The session's pseudo-terminal, without a process until the host takes the CLI's. */
export class HostedPty extends Context.Service<
  HostedPty,
  {
    readonly child: () => HostedChild | null
    /** Takes the CLI's process and gives it the bytes in the outbox; it ends with the scope at the latest. */
    readonly start: (
      size: PtySize,
      args: ReadonlyArray<string>
    ) => Effect.Effect<HostedChild, PtySpawnError, Scope.Scope>
    /** Resizes the terminal of a running CLI; of several sizes in a row only the last is used. */
    readonly resize: (size: PtySize) => void
    /** Makes a running CLI redraw its screen, by removing a row of its terminal and restoring it. */
    readonly redraw: (size: PtySize) => void
  }
>()("leap/programs/host/HostedPty") {}

/** The time without the row: a CLI that reads its size late ignores an unchanged one. */
const lostRow = "200 millis"

const make = Effect.gen(function* () {
  const cli = yield* CliProcess
  const outbox = yield* Outbox
  const publisher = yield* StatusPublisher
  const runResize = yield* FiberHandle.runtime(yield* FiberHandle.make())<never>()
  let child: HostedChild | null = null

  const start = Effect.fn("HostedPty.start")(function* (size: PtySize, args: ReadonlyArray<string>) {
    const started = yield* cli.start(size, args)
    child = started
    yield* publisher.update({ pid: started.pid })
    yield* Effect.forkScoped(outbox.deliverTo(started))
    return started
  })

  return HostedPty.of({
    child: () => child,
    start,
    resize: (size) => {
      if (child !== null) runResize(child.resize(size))
    },
    redraw: (size) => {
      if (child === null) return
      const { resize } = child
      const smaller = resize({ ...size, rows: Math.max(1, size.rows - 1) })
      runResize(smaller.pipe(Effect.andThen(Effect.sleep(lostRow)), Effect.andThen(resize(size))))
    }
  })
})

export const layer = Layer.effect(HostedPty, make)
