import { Effect, Option, Schema, Scope, Stream } from "effect"
import * as Cast from "../../domain/terminal/recording/Cast.ts"
import * as Lines from "../../domain/words/text/Lines.ts"
import { Providers, type UnknownProviderError } from "../../services/Providers.ts"
import { Screen } from "../../services/Screen.ts"
import { makeReplay, type Replay } from "./replaySession.ts"

/** A recording cannot be replayed because of this line. */
export class ReplayError extends Schema.TaggedError<ReplayError>()("ReplayError", {
  line: Schema.Int,
  why: Schema.String
}) {
  override get message() {
    return `line ${this.line} of the recording cannot be replayed: ${this.why}`
  }
}

/** How a recording is read. */
export interface ReplayOptions {
  /** The provider that reads the recording; by default the one in its header. */
  readonly provider: Option.Option<string>
  /** Ignore hooks, status files, transcripts, permission events and program-status reports. */
  readonly noHooks: boolean
}

/** The longest line of a recording, in characters; leap writes far shorter ones. */
export const lineLimit = 16 << 20

/**
 * Runs the state machine over the text of a recording, chunk by chunk, and emits the output lines. Time is the
 * recording's own: each line first fires every timer that is due by then, and time stops at the last line.
 */
export const replayText = <E, R>(
  options: ReplayOptions,
  text: Stream.Stream<string, E, R>,
  limit: number = lineLimit
): Stream.Stream<string, E | ReplayError | UnknownProviderError, R | Screen | Providers> => {
  const split = Lines.split(limit)
  const batches = text.pipe(
    Stream.mapAccum(
      () => Lines.start,
      (unended, piece): readonly [Lines.Unended, ReadonlyArray<Batch>] => {
        const next = split(unended, piece)
        return [next.unended, [next]]
      },
      { onHalt: ({ text }) => (text === "" ? [] : [{ lines: [text], tooLong: false }]) }
    )
  )
  return run(options, batches, `it is longer than the ${limit} characters that a line may have`)
}

/** Replays text that is already split into lines. */
export const replay = <E, R>(
  options: ReplayOptions,
  lines: Stream.Stream<string, E, R>
): Stream.Stream<string, E | ReplayError | UnknownProviderError, R | Screen | Providers> =>
  run(
    options,
    Stream.map(Stream.chunks(lines), (lines) => ({ lines, tooLong: false })),
    ""
  )

type Batch = Pick<Lines.Split, "lines" | "tooLong">

const run = <E, R>(options: ReplayOptions, batches: Stream.Stream<Batch, E, R>, whyTooLong: string) =>
  Stream.unwrap(
    Effect.gen(function* () {
      // The emulator lives as long as the stream.
      const scope = yield* Effect.scope
      let number = 0
      let machine: Replay | null = null
      const begin = Effect.fnUntraced(function* (line: string) {
        const header = Cast.parseHeader(number === 1 ? line.replace(/^\uFEFF/, "") : line)
        if (header._tag === "Empty") return []
        if (header._tag === "Malformed") return yield* new ReplayError({ line: number, why: header.why })
        const opened = yield* Scope.provide(open(options, header.value, number), scope)
        machine = opened
        return opened.first()
      })
      const take = (machine: Replay, line: string, answers: Array<string>): string | null => {
        const parsed = Cast.parseLine(line)
        if (parsed._tag === "Malformed") return parsed.why
        if (parsed._tag === "Parsed") answers.push(...machine.take(parsed.value))
        return null
      }
      /** Replays a batch; output before a failing line is kept. */
      const step = Effect.fnUntraced(function* ({ lines, tooLong }: Batch) {
        const answers: Array<string> = []
        for (const line of lines) {
          number++
          if (machine === null) answers.push(...(yield* begin(line)))
          else {
            const why = take(machine, line, answers)
            if (why !== null) return { answers, error: new ReplayError({ line: number, why }) }
          }
        }
        return { answers, error: tooLong ? new ReplayError({ line: number + 1, why: whyTooLong }) : null }
      })
      const answers = batches.pipe(
        Stream.mapEffect(step),
        Stream.flatMap(({ answers, error }) => {
          const printed = Stream.fromArray(answers)
          return error === null ? printed : Stream.concat(printed, Stream.fail(error))
        })
      )
      const empty = Stream.suspend(() =>
        machine === null
          ? Stream.fail(new ReplayError({ line: Math.max(1, number), why: "it ends before its header" }))
          : Stream.empty
      )
      return Stream.concat(answers, empty)
    })
  )

const open = Effect.fnUntraced(function* (
  options: ReplayOptions,
  header: Cast.CastHeader,
  line: number
): Effect.fn.Return<Replay, ReplayError | UnknownProviderError, Screen | Providers | Scope.Scope> {
  const name = Option.getOrUndefined(options.provider) ?? header.leap?.provider ?? header.leap?.cli
  if (name === undefined) {
    return yield* new ReplayError({ line, why: "its header names no provider; say which with --provider NAME" })
  }
  const provider = yield* (yield* Providers).get(name)
  const screen = yield* (yield* Screen).make({ cols: header.width, rows: header.height, scrollback: 0 })
  return makeReplay({ provider, screen, noHooks: options.noHooks, base: (header.timestamp ?? 0) * 1000 })
})
