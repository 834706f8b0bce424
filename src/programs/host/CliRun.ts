import { Clock, Effect, Exit, Scope } from "effect"
import { flagRefused } from "../../domain/cli/provider/OwnFlag.ts"
import { DirectoryWatch } from "../../services/DirectoryWatch.ts"
import { CliCommand } from "./CliCommand.ts"
import { HostedPty } from "./HostedPty.ts"
import { PermissionResponder } from "./PermissionResponder.ts"
import { MemoryKeeper } from "./MemoryKeeper.ts"
import { Recorder } from "./Recorder.ts"
import { ScreenSampler } from "./ScreenSampler.ts"
import { SessionMetrics } from "./SessionMetrics.ts"
import { SessionScreen } from "./SessionScreen.ts"
import { SignalSources } from "./SignalSources.ts"
import { StopWatch } from "./StopWatch.ts"
import { Terminal } from "./Terminal.ts"

/** The characters kept of the beginning of the CLI's output, where it reports a flag that it rejects. */
const keptOutput = 16 * 1024

/**
 * Starts the CLI with these arguments and follows its reports. `live` shows its output until it ends, and returns the
 * exit status and the flag of leap over which it ended at once, if any. `close` ends everything of the process;
 * otherwise the scope does.
 */
export const startCli = Effect.fn("startCli")(function* (args: ReadonlyArray<string>) {
  const { bareArgs, ownFlags } = yield* CliCommand
  const recorder = yield* Recorder
  const sampler = yield* ScreenSampler
  const terminal = yield* Terminal
  const memory = yield* MemoryKeeper
  const metrics = yield* SessionMetrics
  const { stir } = yield* DirectoryWatch
  const scope = yield* Effect.acquireRelease(Scope.make(), Scope.close)
  yield* (yield* PermissionResponder).placed
  const child = yield* (yield* HostedPty)
    .start((yield* SessionScreen).size(), args)
    .pipe(Effect.provideService(Scope.Scope, scope))
  yield* (yield* SignalSources).follow(child).pipe(Effect.provideService(Scope.Scope, scope))
  yield* (yield* StopWatch).follow(child).pipe(Effect.provideService(Scope.Scope, scope))
  const canDoWithout = args.length > bareArgs.length

  const live = Effect.gen(function* () {
    const decoder = new TextDecoder()
    let output = ""
    stir()
    yield* child.follow((chunk) => {
      recorder.output(chunk)
      terminal.output(chunk)
      metrics.outputPassed()
      sampler.request()
      stir()
      memory.output(chunk.length)
      if (canDoWithout && output.length < keptOutput) output += decoder.decode(chunk, { stream: true })
    })
    const end = yield* child.exit
    const after = (yield* Clock.currentTimeMillis) - child.startedAt
    return { end, flag: canDoWithout ? flagRefused(ownFlags, { code: end.code, after, output }) : null }
  })

  return { live, close: Scope.close(scope, Exit.void) }
})
