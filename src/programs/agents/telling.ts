import { Effect, Exit, Stream } from "effect"
import type { AgentEvent } from "../../domain/agents/AgentEvent.ts"
import { failureDocument, interruptedDocument, progressOf, usageOf } from "../../domain/agents/report.ts"
import type { AgentResult } from "../../domain/agents/AgentResult.ts"
import type { AgentRun } from "../../services/AgentProvider.ts"
import { Output } from "../../services/Output.ts"
import { CommandError, exitCode } from "../exit.ts"

/** What standard output gets: the answer, one document at the end, or each event as it comes. */
export const formats = ["text", "json", "stream-json"] as const
export type Format = (typeof formats)[number]

/** The longest text of a run that was cut short that is told once more, in UTF-16 units. */
const textLength = 1 << 20

/** What a run has told so far. */
export interface Heard {
  readonly sessionId: string | null
  /** The message that the model is at, or its last one. */
  readonly text: string
}

const heardMore = (heard: Heard, event: AgentEvent, message: { id: string | null }): Heard => {
  if (event._tag === "Started") return { ...heard, sessionId: event.sessionId ?? heard.sessionId }
  if (event._tag !== "Text" || event.agent !== null) return heard
  const goesOn = event.delta && event.message === message.id
  message.id = event.message
  return heard.text.length + event.text.length > textLength ? heard : { ...heard, text: goesOn ? heard.text + event.text : event.text }
}

/** Tells a failure in the command's format too; its one line on standard error comes in any. */
export const withFailureTold = (format: Format) => <A, E extends Error & { readonly exitCode?: number }, R>(effect: Effect.Effect<A, E, R>) =>
  Effect.tapError(effect, (error) => Effect.gen(function*() {
    // an end without a word
    if (format === "text" || error.message === "") return
    const document = failureDocument(error)
    yield* (yield* Output).line(JSON.stringify(format === "json" ? document : { _tag: "Error", ...document }))
  }))

/**
 * Runs a turn and tells of it; `document` is what is told of its result. When nobody reads any more the run ends too.
 * `keep` has the result before it is told, since whoever reads may go; it is told also when it could not be kept. `cut` hears
 * what there was when the run is interrupted, by a signal or because nobody reads.
 */
export const telling = Effect.fn("agents.telling")(function*<R, E = never>(run: AgentRun<R>, how: {
  readonly format: Format
  readonly progress: boolean
  readonly resultOf: (result: R) => AgentResult
  readonly document: (result: R) => object
  readonly keep?: (result: R) => Effect.Effect<void, E>
  readonly cut?: (heard: Heard) => Effect.Effect<void>
}) {
  const output = yield* Output
  let ended: R | undefined
  let kept: Exit.Exit<void, E> = Exit.void
  let heard: Heard = { sessionId: null, text: "" }
  const message = { id: null as string | null }
  const take = Effect.fnUntraced(function*(event: AgentEvent | { readonly _tag: "Result"; readonly result: R }) {
    if (event._tag === "Result") {
      ended = event.result
      if (how.keep !== undefined) kept = yield* Effect.exit(how.keep(event.result))
      if (how.format === "stream-json") yield* output.line(JSON.stringify({ _tag: "Result", ...how.document(event.result) }))
      return
    }
    heard = heardMore(heard, event, message)
    const line = how.progress ? progressOf(event) : null
    if (how.format === "stream-json") yield* output.line(JSON.stringify(event))
    else if (line !== null) yield* output.note(line)
  })
  const told = Effect.as(Stream.runForEach(run, take), null)
  const cut = Effect.suspend(() => how.cut?.(heard) ?? Effect.void)
  const gone = yield* Effect.raceFirst(told, output.readerGone).pipe(Effect.onInterrupt(() => Effect.gen(function*() {
    if (ended !== undefined) return
    yield* cut
    if (how.format === "text") return
    const document = interruptedDocument(heard)
    yield* output.line(JSON.stringify(how.format === "json" ? document : { _tag: "Error", ...document }))
  })))
  if (ended === undefined) {
    yield* cut
    return yield* new CommandError({ message: "", exitCode: gone ?? exitCode.failed })
  }
  const result = how.resultOf(ended)
  if (how.format === "json") yield* output.line(JSON.stringify(how.document(ended)))
  if (how.format === "text") {
    if (how.progress) yield* output.note(usageOf(result))
    if (result.text !== "") yield* output.line(result.text)
    else if (result.refused.length > 0) yield* output.note(`leap: there is no answer: ${result.refused.map(({ tool }) => tool).join(", ")} was refused`)
  }
  yield* kept
  return ended
})
