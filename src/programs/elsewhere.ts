import { Effect, FileSystem, Option, Schema } from "effect"
import type { SessionRecord } from "../domain/sessions/SessionRecord.ts"
import { Machine } from "../services/Machine.ts"
import { ProcessTable } from "../services/ProcessTable.ts"
import { environmentOf } from "../services/CLIProvider.ts"
import { providerOf, Providers } from "../services/Providers.ts"

const decode = Schema.decodeUnknownOption(Schema.fromJsonString(Schema.Unknown))

/**
 * Pids of living processes that have the session, by the word of the CLI: where no host runs it, somebody has it open outside
 * of leap. Such a process need not hold the session's files open; it would begin them anew where they were.
 */
export const runningElsewhere = Effect.fn("runningElsewhere")(function*({ base, cli, sessionId }: Pick<SessionRecord, "base" | "cli" | "sessionId">) {
  const provider = providerOf(yield* Providers, { base, cli })
  if (provider === undefined || provider.ownStatus === null) return []
  const { ownStatus } = provider
  const machine = yield* Machine
  const fs = yield* FileSystem.FileSystem
  const processes = yield* ProcessTable
  const env = environmentOf(provider, machine)
  const directory = ownStatus.directory(env)
  const names = yield* fs.readDirectory(directory).pipe(Effect.orElseSucceed(() => []))
  const pids = yield* Effect.forEach(names, (name) =>
    Effect.gen(function*() {
      const content = decode(yield* fs.readFileString(`${directory}/${name}`).pipe(Effect.orElseSucceed(() => "")))
      const said = Option.isSome(content) ? ownStatus.runs(name, content.value) : null
      return said !== null && said.sessionId === sessionId && (yield* processes.isAlive(said.process)) ? [said.process.pid] : []
    }), { concurrency: 8 })
  return pids.flat()
})
