import { Effect, Layer, Option, Schema } from "effect"
import { type ChildProcessByStdio, spawn } from "node:child_process"
import * as fs from "node:fs"
import type { Readable, Writable } from "node:stream"
import { errorCodeOf, errorTextOf } from "../../domain/words/reading/Fields.ts"
import { systemErrorText } from "../../domain/places/relocation/systemErrorText.ts"
import type { HostSpec } from "../../domain/words/session/HostSpec.ts"
import { hostEnvironment } from "../../domain/words/session/hostMemory.ts"
import { HostLauncher, HostReady, HostStartError } from "../../services/HostLauncher.ts"
import { System } from "../../services/System.ts"

const logLimit = 1 << 20

const decodeReady = Schema.decodeUnknownOption(Schema.fromJsonString(HostReady))

/**
 * For Node itself, both in Node's own documentation: a young generation whose halves stay small (3 MB less resident),
 * and the function that gives memory back after a flood. They are on the host's command line alone: no CLI gets them.
 */
const hostFlags = ["--max-semi-space-size=2", "--expose-gc"]

const make = Effect.gen(function* () {
  const system = yield* System
  const start = Effect.fn("HostLauncher.start")(function* (spec: HostSpec, logFile: string) {
    const failed = (why: string, exitCode = 1) => new HostStartError({ tag: spec.tag, why, exitCode })
    const line = yield* Effect.callback<string, HostStartError>((resume) => {
      let log: number
      try {
        // one older log is kept beside it, so that neither grows without bound
        if ((fs.statSync(logFile, { throwIfNoEntry: false })?.size ?? 0) > logLimit)
          fs.renameSync(logFile, `${logFile}.old`)
        log = fs.openSync(logFile, "a", 0o600)
      } catch (cause) {
        resume(failed(`its log ${logFile} cannot be written: ${errorTextOf(cause)}`))
        return
      }
      const [command = process.execPath, ...args] = system.self
      // detached: a session leader of its own, so that neither the terminal's hang-up nor its Ctrl+C reaches it
      // who runs leap by a program of their own has not necessarily Node there
      const flags = command === process.execPath ? hostFlags : []
      const child = spawn(command, [...flags, ...args, "__host"], {
        detached: true,
        cwd: "/",
        env: hostEnvironment(system.env),
        stdio: ["pipe", "pipe", log]
      }) as ChildProcessByStdio<Writable, Readable, null>
      fs.closeSync(log)
      let text = ""
      child.once("error", (cause) => resume(failed(systemErrorText(errorCodeOf(cause), cause.message))))
      // where no file is left for its pipes, it has none, and the error is still to come
      if ((child.stdout as Readable | undefined) === undefined) return
      child.once("close", (code, signal) =>
        resume(failed(`its host ended at once (${signal ?? `exit ${code}`}); see ${logFile}`))
      )
      child.stdout.setEncoding("utf8")
      child.stdout.on("data", (data: string) => {
        text += data
        const end = text.indexOf("\n")
        if (end < 0) return
        child.stdout.destroy()
        child.removeAllListeners("close")
        child.unref()
        resume(Effect.succeed(text.slice(0, end)))
      })
      child.stdin.on("error", () => {})
      child.stdin.end(JSON.stringify(spec))
    }).pipe(
      Effect.timeoutOrElse({
        duration: "20 seconds",
        orElse: () => failed(`its host did not come up within 20 seconds; see ${logFile}`)
      })
    )
    const ready = decodeReady(line)
    if (Option.isNone(ready)) return yield* failed(`its host answered nonsense; see ${logFile}`)
    if (!ready.value.ready) return yield* failed(ready.value.message, ready.value.exitCode)
  })
  return HostLauncher.of({ start })
})

export const layer: Layer.Layer<HostLauncher, never, System> = Layer.effect(HostLauncher, make)
