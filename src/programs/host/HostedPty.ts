import { Clock, Context, Effect, FiberHandle, Layer, type Scope } from "effect"
import { PidMap } from "../../services/PidMap.ts"
import { Pty, type PtyHandle, type PtySize, type PtySpawnError } from "../../services/Pty.ts"
import { CliCommand } from "./CliCommand.ts"
import { Outbox } from "./Outbox.ts"
import { SessionContext } from "./SessionContext.ts"
import { StatusPublisher } from "./StatusPublisher.ts"

export interface HostedChild extends PtyHandle {
  /** Milliseconds since the epoch. */
  readonly startedAt: number
}

/** The session's pseudo-terminal, without a process until the CLI starts. */
export class HostedPty extends Context.Service<
  HostedPty,
  {
    readonly child: () => HostedChild | null
    /** Starts the CLI and gives it the bytes in the outbox; it ends with the scope at the latest. */
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
  const { paths, spec } = yield* SessionContext
  const { command, env } = yield* CliCommand
  const pty = yield* Pty
  const pids = yield* PidMap
  const outbox = yield* Outbox
  const publisher = yield* StatusPublisher
  const runResize = yield* FiberHandle.runtime(yield* FiberHandle.make())<never>()
  let child: HostedChild | null = null

  const start = Effect.fn("HostedPty.start")(function* (size: PtySize, args: ReadonlyArray<string>) {
    const handle = yield* pty.spawn({ command, args, cwd: spec.cwd, env, size })
    const started: HostedChild = { ...handle, startedAt: yield* Clock.currentTimeMillis }
    child = started
    yield* pids.register({ cliPid: started.pid, spool: paths.spool })
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
