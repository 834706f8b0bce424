import { Effect, Layer, Option, Schema } from "effect"
import * as fs from "node:fs"
import type { Readable } from "node:stream"
import { errorCodeOf } from "../../domain/words/reading/Fields.ts"
import { systemErrorText } from "../../domain/store/relocation/systemErrorText.ts"
import type { HostOrder, HostSpec } from "../../domain/words/session/HostSpec.ts"
import { HostLauncher, HostReady, HostStartError } from "../../services/HostLauncher.ts"
import { System } from "../../services/System.ts"
import { takeHost } from "./hostProcess.ts"

const decodeReady = Schema.decodeUnknownOption(Schema.fromJsonString(HostReady))

/** An ending host has asked its CLI to end, and has ended it, within this time. */
const endTimeout = "10 seconds"

/** Appends a host's output before it had its log. */
const addTo = (logFile: string, text: string): void => {
  try {
    if (text !== "") fs.appendFileSync(logFile, text, { mode: 0o600 })
  } catch {
    // Its end is reported anyway.
  }
}

const make = Effect.gen(function* () {
  const { env, self } = yield* System
  const start = Effect.fn("HostLauncher.start")(function* (spec: HostSpec, logFile: string) {
    const failed = (why: string, exitCode = 1) => new HostStartError({ tag: spec.tag, why, exitCode })
    const line = yield* Effect.callback<string, HostStartError>((resume) => {
      const host = takeHost({ self, env })
      host.once("error", (cause) => resume(failed(systemErrorText(errorCodeOf(cause), cause.message))))
      // Without free file descriptors it has no pipes, and the error is still to come.
      if ((host.stdout as Readable | undefined) === undefined) return
      let said = ""
      host.stderr.setEncoding("utf8")
      host.stderr.on("data", (data: string) => (said += data))
      host.once("close", (code, signal) => {
        addTo(logFile, said)
        resume(failed(`its host ended at once (${signal ?? `exit ${code}`}); see ${logFile}`))
      })
      let text = ""
      host.stdout.setEncoding("utf8")
      host.stdout.on("data", (data: string) => {
        text += data
        const end = text.indexOf("\n")
        if (end < 0) return
        for (const pipe of [host.stdout, host.stderr]) pipe.destroy()
        host.removeAllListeners("close")
        host.unref()
        resume(Effect.succeed(text.slice(0, end)))
      })
      host.stdin.on("error", () => {})
      host.stdin.end(JSON.stringify({ spec, log: logFile } satisfies HostOrder))
      // A caller that is interrupted or stops waiting has no session, so no host may remain for the next start.
      return Effect.callback<void>((ended) => {
        if (host.exitCode !== null || host.signalCode !== null || !host.kill("SIGTERM")) return ended(Effect.void)
        host.once("exit", () => ended(Effect.void))
      }).pipe(Effect.timeoutOption(endTimeout), Effect.asVoid)
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
