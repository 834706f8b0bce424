import { Clock, Effect, Stream } from "effect"
import { ChildProcess } from "effect/process"
import type { SessionStatus } from "../../domain/words/session/Session.ts"
import { type Share, shownStates } from "../../domain/words/session/states.ts"
import { sessionTitle } from "../../domain/words/wording/sessionTitle.ts"

/** A state as herdr names it; that something was done is its own to tell. */
const states: Readonly<Record<Share, string>> = {
  working: "working",
  waiting: "blocked",
  resting: "idle",
  over: "idle"
}

/** How long the user's terminal may be kept waiting for another's program. */
const patience = "2 seconds"

/**
 * Tells herdr what the session in its pane does, until the scope ends: by the command that it has for agents which it
 * does not know (`herdr pane report-agent`), where its environment says that this is one of its panes. Nothing of it is
 * waited for, and a failure is nobody's.
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
      // what is not newer than the last report of the same source is dropped
      last = Math.max(last + 1, yield* Clock.currentTimeMillis)
      const words = ["pane", verb, pane, "--source", "leap", "--agent", "leap", ...args, "--seq", String(last)]
      const command = ChildProcess.make(env["HERDR_BIN_PATH"] || "herdr", words, {
        stdin: "ignore",
        stdout: "ignore",
        stderr: "ignore"
      })
      yield* Effect.flatMap(command, ({ exitCode }) => exitCode)
    }).pipe(Effect.scoped, Effect.timeout(patience), Effect.ignore)
  yield* Effect.addFinalizer(() => herdr("release-agent"))
  yield* watch.pipe(
    Stream.map((status) => ({ state: states[shownStates[status.state].share], message: sessionTitle(status) })),
    Stream.changesWith((a, b) => a.state === b.state && a.message === b.message),
    // of several that come while one is told only the newest is
    Stream.buffer({ capacity: 1, strategy: "sliding" }),
    Stream.runForEach(({ message, state }) => herdr("report-agent", "--state", state, "--message", message)),
    Effect.ignore,
    Effect.forkScoped
  )
})
