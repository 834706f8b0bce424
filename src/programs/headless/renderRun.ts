import { Clock, Effect, Exit, Option, Stream } from "effect"
import { jsonAnswer } from "../../domain/cli/headless/jsonAnswer.ts"
import * as AnswerText from "../../domain/cli/headless/AnswerText.ts"
import type { AgentEvent } from "../../domain/cli/headless/AgentEvent.ts"
import { incompleteness } from "../../domain/cli/headless/incomplete.ts"
import { isoTime } from "../../domain/engine/history/recordTimes.ts"
import { lineVersion, type StreamLine } from "../../domain/cli/headless/StreamLine.ts"
import { failureDocument, interruptedDocument, progressOf, usageOf } from "../../domain/cli/headless/runReport.ts"
import { after, nothingYet, type RunSoFar } from "../../domain/cli/headless/RunSoFar.ts"
import type { AgentResult } from "../../domain/cli/headless/AgentResult.ts"
import { oneLine, printable } from "../../domain/words/text/printable.ts"
import type { AgentRun } from "../../services/AgentProvider.ts"
import { Output } from "../../services/Output.ts"
import { CommandError, describe, exitCode } from "../exit.ts"

/** What standard output gets: the answer, one document at the end, each event as it occurs, or the CLI's own lines. */
export const formats = ["text", "json", "stream-json", "native"] as const
export type Format = (typeof formats)[number]

/** Also renders a failure in the command's format; standard error gets one line in any case. */
export const withFailureRendered =
  (format: Format) =>
  <A, E extends Error, R>(effect: Effect.Effect<A, E, R>) =>
    Effect.tapError(effect, (error) =>
      // without a message it is only an exit code
      error.message === "" ? Effect.void : writeFailure(format, failureDocument(error, describe(error).exitCode))
    )

/** A failure as a document or a line; the other formats have none. */
const writeFailure = (format: Format, document: object): Effect.Effect<void, never, Output> => {
  if (format === "json") return writeDocument(document)
  return format === "stream-json" ? writeLine({ _tag: "Error", ...document }) : Effect.void
}

/** Prints a document on one line. Escapes control characters that JSON allows, but a terminal would obey. */
export const writeDocument = Effect.fnUntraced(function* (document: unknown) {
  const output = yield* Output
  const line = JSON.stringify(document)
  yield* output.line(
    output.isTerminal
      ? line.replace(/[\u007f-\u009f]/g, (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, "0")}`)
      : line
  )
})

const writeLine = (line: { readonly _tag: (typeof StreamLine.Type)["_tag"] }) =>
  Effect.flatMap(Clock.currentTimeMillis, (now) => writeDocument({ schema: lineVersion, at: isoTime(now), ...line }))

const jsonText = ({ json, text }: AgentResult): string =>
  Option.match(jsonAnswer(text), { onNone: () => JSON.stringify(json), onSome: ({ source }) => source })

export interface RenderOptions<R, E> {
  readonly format: Format
  /** The answer must be JSON: as text only its value is printed, without surrounding text. */
  readonly json: boolean
  readonly streams: boolean
  readonly progress: boolean
  readonly resultOf: (result: R) => AgentResult
  readonly document: (result: R) => object
  /** Gets the result before it is printed, since readers may go away. If it fails, the result is still printed. */
  readonly save?: (result: R) => Effect.Effect<void, E>
  /** Gets the state of the run when it is interrupted, by a signal or a lost reader. */
  readonly onInterrupt?: (run: RunSoFar) => Effect.Effect<void>
}

export interface Rendered<R> {
  readonly result: R
  readonly incomplete: string | null
}

/** Fails for an incomplete answer. The reason has already been printed. */
export const requireComplete = ({ incomplete }: Rendered<unknown>): Effect.Effect<void, CommandError> =>
  incomplete === null ? Effect.void : Effect.fail(new CommandError({ message: "", exitCode: exitCode.incomplete }))

/** Runs a turn and prints its events and its result. The run also ends when the reader is gone. */
export const renderRun = Effect.fn("agents.renderRun")(function* <R, E = never>(
  run: AgentRun<R>,
  { document, format, json, onInterrupt, progress, resultOf, save, streams }: RenderOptions<R, E>
) {
  const output = yield* Output
  let last: { readonly result: R } | undefined
  let saved: Exit.Exit<void, E> = Exit.void
  let soFar = nothingYet
  let answer = AnswerText.noText
  // a model's text must not control the terminal
  const shown = (text: string) => (output.isTerminal ? printable(text) : text)
  const raw = (text: string) => (text === "" ? Effect.void : output.raw(shown(text)))
  const closeLine = Effect.suspend(() => {
    const [next, text] = AnswerText.closeLine(answer)
    answer = next
    return raw(text)
  })
  const documentOf = (result: R) => {
    const incomplete = incompleteness(resultOf(result))
    return { ...document(result), ...(incomplete === null ? {} : { incomplete }) }
  }
  const render = Effect.fnUntraced(function* (item: AgentEvent | { readonly _tag: "Result"; readonly result: R }) {
    if (item._tag === "Result") {
      last = item
      if (save !== undefined) saved = yield* Effect.exit(save(item.result))
      if (format === "stream-json") yield* writeLine({ _tag: "Result", ...documentOf(item.result) })
      return
    }
    soFar = after(soFar, item)
    if (format === "stream-json") return yield* writeLine(item)
    if (item._tag === "Native") return yield* output.line(shown(item.line))
    if (item._tag === "ErrorOutput" && format === "native") return yield* output.note(item.text)
    if (streams) {
      const [next, text] = AnswerText.print(answer, item)
      answer = next
      yield* raw(text)
      if (item._tag === "Text") return
    }
    const line = progress ? progressOf(item) : null
    if (line === null) return
    yield* closeLine
    yield* output.note(line)
  })
  const rendered = Effect.as(
    Effect.tapError(Stream.runForEach(run, render), () => closeLine),
    null
  )
  const interrupted = Effect.suspend(() => onInterrupt?.(soFar) ?? Effect.void)
  const readerExit = yield* Effect.raceFirst(output.outputClosed, rendered).pipe(
    Effect.onInterrupt(() =>
      Effect.gen(function* () {
        if (last !== undefined) return
        yield* interrupted
        yield* closeLine
        yield* writeFailure(format, interruptedDocument(soFar))
      })
    )
  )
  if (last === undefined) {
    yield* interrupted
    return yield* new CommandError({ message: "", exitCode: readerExit ?? exitCode.failed })
  }
  const result = resultOf(last.result)
  const incomplete = incompleteness(result)
  if (format === "json") yield* writeDocument(documentOf(last.result))
  if (format === "text") {
    const text = result.text === "" || !json ? result.text : jsonText(result)
    yield* raw(AnswerText.finish(answer, text))
    if (progress) yield* output.note(usageOf(result))
  }
  if (incomplete !== null) yield* output.note(`leap: ${oneLine(incomplete, 300)}`)
  yield* saved
  return { result: last.result, incomplete } satisfies Rendered<R>
})
