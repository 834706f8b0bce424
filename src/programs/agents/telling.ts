import { Effect, Stream } from "effect"
import { failureDocument, progressOf, usageOf } from "../../domain/agents/report.ts"
import type { AgentResult } from "../../domain/agents/AgentResult.ts"
import type { AgentError, AgentRun } from "../../services/AgentProvider.ts"
import { Output } from "../../services/Output.ts"
import { CommandError } from "../exit.ts"

/** What standard output gets: the answer, one document at the end, or each event as it comes. */
export const formats = ["text", "json", "stream-json"] as const
export type Format = (typeof formats)[number]

/** Runs a turn and tells of it; `document` is what is told of its result. Nobody reads any more: the run ends too. */
export const telling = Effect.fn("agents.telling")(function*<R>(run: AgentRun<R>, how: {
  readonly format: Format
  readonly progress: boolean
  readonly resultOf: (result: R) => AgentResult
  readonly document: (result: R) => object
}) {
  const output = yield* Output
  let ended: R | undefined
  const told = Stream.runForEach(run, (event) => {
    if (event._tag === "Result") {
      ended = event.result
      return how.format === "stream-json" ? output.line(JSON.stringify({ _tag: "Result", ...how.document(event.result) })) : Effect.void
    }
    if (how.format === "stream-json") return output.line(JSON.stringify(event))
    const line = how.progress ? progressOf(event) : null
    return line === null ? Effect.void : output.note(line)
  })
  yield* Effect.raceFirst(told, output.readerGone).pipe(Effect.catch((error: AgentError) => Effect.gen(function*() {
    if (how.format === "json") yield* output.line(JSON.stringify(failureDocument(error)))
    if (how.format === "stream-json") yield* output.line(JSON.stringify({ _tag: "Error", ...failureDocument(error) }))
    return yield* error
  })))
  // nobody is there to read the rest
  if (ended === undefined) return yield* new CommandError({ message: "", exitCode: 0 })
  const result = how.resultOf(ended)
  if (how.format === "json") yield* output.line(JSON.stringify(how.document(ended)))
  if (how.format === "text") {
    if (how.progress) yield* output.note(usageOf(result))
    if (result.text !== "") yield* output.line(result.text)
    else if (result.refused.length > 0) yield* output.note(`leap: there is no answer: ${result.refused.map(({ tool }) => tool).join(", ")} was refused`)
  }
  return ended
})
