import { Clock, Context, Effect, Layer, Scope } from "effect"
import { awaitedEvents } from "../../domain/engine/approvals/HookRules.ts"
import { silentAnswers } from "../../domain/engine/approvals/silentAnswers.ts"
import { CLIProvider } from "../../services/CLIProvider.ts"
import { HookInbox } from "../../services/HookInbox.ts"
import { PidMap } from "../../services/PidMap.ts"
import { Pty, type PtyHandle, type PtySize, type PtySpawnError } from "../../services/Pty.ts"
import { UserSettings } from "../../services/UserSettings.ts"
import { CliCommand } from "./CliCommand.ts"
import { SessionContext } from "./SessionContext.ts"

export interface HostedChild extends PtyHandle {
  /** Milliseconds since the epoch. */
  readonly startedAt: number
}

/**
 * The process of the session's CLI. Where a terminal waits for it, it is started before the rest of the host is loaded:
 * what it writes meanwhile is kept, its queries wait for that terminal as they do anyway, its hooks' events wait in the
 * spool, and hooks that may get a decision wait for the host. Without a terminal it is the host that answers queries, and
 * a CLI does not wait long for their answers: it starts once the host can give them.
 */
export class CliProcess extends Context.Service<
  CliProcess,
  {
    /**
     * The process, which ends with the scope at the latest. The first call gives the one that was started ahead, if
     * any, with the arguments of the session's start.
     */
    readonly start: (
      size: PtySize,
      args: ReadonlyArray<string>
    ) => Effect.Effect<HostedChild, PtySpawnError, Scope.Scope>
  }
>()("leap/programs/host/CliProcess") {}

/** Tells the CLI's hooks to wait for each decision that any mode or rule could bring. */
const holdHooks = Effect.gen(function* () {
  const { permissions } = yield* CLIProvider
  const { paths } = yield* SessionContext
  const { policy } = (yield* (yield* UserSettings).read).settings
  const events = awaitedEvents(permissions.decisions, policy, "always")
  yield* (yield* HookInbox).announceAwaited(paths.spool, events, silentAnswers(permissions, policy))
})

const make = Effect.gen(function* () {
  const { paths, spec } = yield* SessionContext
  const { args: ownArgs, command, env } = yield* CliCommand
  const pty = yield* Pty
  const pids = yield* PidMap

  const spawn = Effect.fn("CliProcess.spawn")(function* (size: PtySize, args: ReadonlyArray<string>) {
    const handle = yield* pty.spawn({ command, args, cwd: spec.cwd, env, size })
    const child: HostedChild = { ...handle, startedAt: yield* Clock.currentTimeMillis }
    yield* pids.register({ cliPid: child.pid, spool: paths.spool })
    return child
  })

  const { cols, rows } = spec
  const scope = yield* Effect.acquireRelease(Scope.make(), Scope.close)
  const first = Effect.andThen(holdHooks, Effect.result(Scope.provide(spawn({ cols, rows }, ownArgs), scope)))
  let ahead = spec.waitForViewer ? yield* first : null

  return CliProcess.of({
    start: Effect.fnUntraced(function* (size, args) {
      const started = ahead
      ahead = null
      if (started === null) return yield* spawn(size, args)
      yield* Effect.addFinalizer((exit) => Scope.close(scope, exit))
      const child = yield* Effect.fromResult(started)
      if (size.cols !== cols || size.rows !== rows) yield* child.resize(size)
      return child
    })
  })
})

export const layer = Layer.effect(CliProcess, make)
