import { Effect, Layer, Result, Schedule } from "effect"
import * as crypto from "node:crypto"
import { existsSync } from "node:fs"
import * as fs from "node:fs/promises"
import * as os from "node:os"
import * as path from "node:path"
import { overlay } from "../../domain/cli/provider/Environment.ts"
import type { HookWiring, WiringTrialRun } from "../../domain/cli/wiring/HookWiring.ts"
import { type TrialOptions, WiringTrial } from "../../services/WiringTrial.ts"
import { briefRun } from "./briefRun.ts"

/** A CLI calls its first hook within two seconds or so. */
const timeout = "15 seconds"

/** Replaces leap's hook script: records that it was called, and nothing else. */
const script = '#!/bin/sh\n: > "${0%/*}/called-$1"\n'

const temporary = Effect.acquireRelease(
  Effect.promise(() => fs.mkdtemp(path.join(os.tmpdir(), "leap-trial-")).then((directory) => fs.realpath(directory))),
  (directory) => Effect.promise(() => fs.rm(directory, { recursive: true, force: true }).catch(() => {}))
)

/** The CLI's behaviour at the trial's event with all of leap's hooks, or with only that one. */
const tryWith = (wiring: HookWiring, trial: WiringTrialRun, options: TrialOptions, only: string | undefined) =>
  Effect.gen(function* () {
    const directory = yield* temporary
    const [settings, work] = [path.join(directory, "settings"), path.join(directory, "work")]
    const env = overlay(options.env, trial.env(settings))
    const hook = path.join(directory, "leap-hook.sh")
    const files = wiring.files({
      env,
      script: hook,
      statusLineScript: path.join(directory, "leap-statusline.sh"),
      statusLine: false,
      realPath: (file) => file,
      sha256: (text) => crypto.createHash("sha256").update(text, "utf8").digest("hex"),
      version: options.version,
      ...(only === undefined ? {} : { only })
    })
    for (const folder of [settings, work]) yield* Effect.promise(() => fs.mkdir(folder))
    yield* Effect.promise(() => fs.writeFile(hook, script, { mode: 0o700 }))
    for (const file of files) {
      const text = Result.getOrElse(
        file.install(null, () => null),
        () => null
      )
      // Nothing is written outside the trial's own directory.
      if (text === null || !file.path.startsWith(`${settings}/`)) continue
      yield* Effect.promise(() => fs.mkdir(path.dirname(file.path), { recursive: true }))
      yield* Effect.promise(() => fs.writeFile(file.path, text))
    }
    const called = path.join(directory, `called-${trial.event}`)
    const isOver = yield* briefRun({ program: options.program, args: trial.args, env }, work, timeout).pipe(
      Effect.map(({ ended }) => ended),
      Effect.raceFirst(
        Effect.repeat(
          Effect.sync(() => existsSync(called)),
          { until: (isThere) => isThere, schedule: Schedule.spaced("50 millis") }
        )
      )
    )
    return existsSync(called) ? ("called" as const) : isOver ? ("silent" as const) : ("late" as const)
  }).pipe(
    Effect.scoped,
    // Without room for the trial's files, for instance, the result is unknown.
    Effect.catchDefect(() => Effect.succeed("late" as const))
  )

/** Runs the CLIs of this machine. */
export const layer: Layer.Layer<WiringTrial> = Layer.succeed(WiringTrial, {
  run: Effect.fn("WiringTrial.run")(function* ({ hooks }, options) {
    const trial = hooks?.trial
    if (hooks === null || trial === undefined) return "unknown"
    const withAll = yield* tryWith(hooks, trial, options, undefined)
    if (withAll === "called") return "accepted"
    // The CLI has refused the other hooks only if it ended without this one, and calls this one without the others.
    if (withAll === "late") return "unknown"
    return (yield* tryWith(hooks, trial, options, trial.event)) === "called" ? "refused" : "unknown"
  })
})
