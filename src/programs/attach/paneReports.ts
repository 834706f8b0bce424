import { Clock, Effect, Stream } from "effect"
import { ChildProcess } from "effect/process"
import type { SessionStatus } from "../../domain/words/session/Session.ts"
import { paneReport } from "../../domain/words/wording/SessionReport.ts"

/** The time limit of each call of herdr. The end of the scope waits for the last call. */
const timeout = "2 seconds"

/**
 * Reports the session's state to herdr until the scope ends, if the environment names a pane of herdr's. It uses the
 * command for unknown agents (`herdr pane report-agent`). Nothing waits for a report, and failures are ignored.
 */
export const reportToPane = Effect.fnUntraced(function* (
  env: Readonly<Record<string, string | undefined>>,
  watch: Stream.Stream<SessionStatus, unknown>
) {
  const pane = env["HERDR_PANE_ID"] ?? ""
  if (env["HERDR_ENV"] !== "1" || pane === "") return
  let last = 0
  const herdr = (verb: string, ...args: ReadonlyArray<string>) =>
    Effect.gen(function* () {
      // herdr drops reports that are not newer than the last of the same source
      last = Math.max(last + 1, yield* Clock.currentTimeMillis)
      const words = ["pane", verb, pane, "--source", "leap", "--agent", "leap", ...args, "--seq", String(last)]
      const command = ChildProcess.make(env["HERDR_BIN_PATH"] || "herdr", words, {
        stdin: "ignore",
        stdout: "ignore",
        stderr: "ignore"
      })
      yield* Effect.flatMap(command, ({ exitCode }) => exitCode)
    }).pipe(Effect.scoped, Effect.timeout(timeout), Effect.ignore)
  yield* Effect.addFinalizer(() => herdr("release-agent"))
  yield* watch.pipe(
    Stream.map(paneReport),
    Stream.changesWith((a, b) => a.state === b.state && a.message === b.message),
    // only the newest of several waiting reports is sent
    Stream.buffer({ capacity: 1, strategy: "sliding" }),
    Stream.runForEach(({ message, state }) => herdr("report-agent", "--state", state, "--message", message)),
    Effect.ignore,
    Effect.forkScoped
  )
})
