import { Effect, FileSystem, Option } from "effect"
import { parseJson } from "../../domain/words/formats/Json.ts"
import type { SessionRecord } from "../../domain/store/conversations/SessionRecord.ts"
import { System } from "../../services/System.ts"
import { ProcessTable } from "../../services/ProcessTable.ts"
import { environmentOf } from "../../domain/cli/provider/Launch.ts"
import { providerOf, Providers } from "../../services/Providers.ts"

/**
 * Pids of living processes that have the session open, according to the CLI's status files. If no host runs the
 * session, such a process was started outside leap. It may not hold the session's files open, but after a move it would
 * create them again at the old place.
 */
export const runningOutside = Effect.fn("runningElsewhere")(function* ({
  base,
  cli,
  sessionId
}: Pick<SessionRecord, "base" | "cli" | "sessionId">) {
  const provider = Option.getOrUndefined(yield* providerOf(yield* Providers, { base, cli }))
  if (provider === undefined || provider.ownStatus === null) return []
  const { ownStatus } = provider
  const system = yield* System
  const fs = yield* FileSystem.FileSystem
  const processes = yield* ProcessTable
  const env = environmentOf(provider, system)
  const directory = ownStatus.directory(env)
  const names = yield* fs.readDirectory(directory).pipe(Effect.orElseSucceed(() => []))
  const pids = yield* Effect.forEach(
    names,
    (name) =>
      Effect.gen(function* () {
        const content = parseJson(yield* fs.readFileString(`${directory}/${name}`).pipe(Effect.orElseSucceed(() => "")))
        const running = Option.isSome(content) ? ownStatus.runs(name, content.value) : null
        return running !== null && running.sessionId === sessionId && (yield* processes.isAlive(running.process))
          ? [running.process.pid]
          : []
      }),
    { concurrency: 8 }
  )
  return pids.flat()
})
