import { Clock, Effect, Semaphore, Stream } from "effect"
import { failureDocument, type FanOutRow, fanOutTable } from "../../domain/cli/headless/runReport.ts"
import type { AgentResult } from "../../domain/cli/headless/AgentResult.ts"
import { incompleteness } from "../../domain/cli/headless/incomplete.ts"
import { oneLine, printable } from "../../domain/words/text/printable.ts"
import type { AgentError, AgentProviderShape, AgentRunOptions } from "../../services/AgentProvider.ts"
import { Output } from "../../services/Output.ts"
import { CommandError, describe, exitCode } from "../exit.ts"
import { type Asked, promptFor } from "./promptText.ts"
import { type Format, writeDocument } from "./renderRun.ts"

/** What a table and a line of JSON say of a provider's run. */
const endedOf = (
  provider: string,
  ms: number,
  ended: AgentResult | AgentError
): FanOutRow & { readonly document: object } => {
  if ("_tag" in ended) {
    const { exitCode, message } = describe(ended)
    const { error, schema } = failureDocument(ended, exitCode)
    const document = { schema, exitCode, provider, error }
    return { provider, exitCode, ms, tokens: null, cost: null, text: message, document }
  }
  const incomplete = incompleteness(ended)
  const code = incomplete === null ? 0 : exitCode.incomplete
  const document = { schema: 1, exitCode: code, ...ended, ...(incomplete === null ? {} : { incomplete }) }
  return {
    provider,
    exitCode: code,
    ms,
    tokens: ended.tokens,
    cost: ended.cost,
    text: incomplete ?? ended.text,
    document
  }
}

/** Asks several providers at once. Prints a JSON line for each, or a table; ends with the worst exit code. */
export const fanOut = Effect.fn("agents.fanOut")(function* (
  agents: ReadonlyArray<AgentProviderShape>,
  asked: Asked,
  options: AgentRunOptions,
  { format, progress }: { readonly format: Format; readonly progress: boolean }
) {
  const output = yield* Output
  const forPeople = format === "text" && output.isTerminal
  const one = yield* Semaphore.make(1)
  const ask = Effect.fnUntraced(function* (agent: AgentProviderShape) {
    const { name } = agent
    const prompt = yield* promptFor(asked, agent)
    const from = yield* Clock.currentTimeMillis
    let last: AgentResult | AgentError | undefined
    yield* Stream.runForEach(agent.execute(prompt, options), (item) => {
      if (item._tag === "Result") {
        last = item.result
        return Effect.void
      }
      if (format === "stream-json") return one.withPermits(1)(writeDocument({ provider: name, ...item }))
      return progress && item._tag === "ToolStarted"
        ? output.note(`· ${name}: ${oneLine(item.tool, 40)} ${oneLine(item.preview)}`)
        : Effect.void
    }).pipe(Effect.catch((error) => Effect.sync(() => void (last = error))))
    if (last === undefined) return null
    const ended = endedOf(name, (yield* Clock.currentTimeMillis) - from, last)
    yield* one.withPermits(1)(
      forPeople ? output.line(`== ${name}\n${printable(ended.text).trimEnd()}\n`) : writeDocument(ended.document)
    )
    return ended
  })
  const all = Effect.forEach(agents, ask, { concurrency: "unbounded" })
  const ended = yield* Effect.raceFirst(output.outputClosed, all)
  if (typeof ended === "number") return yield* new CommandError({ message: "", exitCode: ended })
  const rows = ended.filter((row) => row !== null)
  if (forPeople) yield* output.line(fanOutTable(rows, yield* output.columns))
  const worst = Math.max(...rows.map((row) => row.exitCode))
  if (worst !== 0) return yield* new CommandError({ message: "", exitCode: worst })
})
