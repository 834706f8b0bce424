import { Effect, Option, Schema, Scope, Stream } from "effect"
import { fromLatin1, utf8ToLatin1 } from "../domain/Bytes.ts"
import * as Cast from "../domain/Cast.ts"
import { type Detection, readOnce } from "../domain/Detection.ts"
import * as InputBytes from "../domain/InputBytes.ts"
import * as Lines from "../domain/Lines.ts"
import * as OutputScanner from "../domain/OutputScanner.ts"
import { defaultModes } from "../domain/Session.ts"
import type { SessionEvent } from "../domain/SessionEvent.ts"
import type { Signal } from "../domain/Signal.ts"
import * as Tracker from "../domain/Tracker.ts"
import { Providers, type UnknownProviderError } from "../services/Providers.ts"
import { Screen, type ScreenHandle } from "../services/Screen.ts"

/** A recording that cannot be replayed, and the line that is to blame. */
export class ReplayError extends Schema.TaggedError<ReplayError>()("ReplayError", {
  line: Schema.Int,
  why: Schema.String
}) {
  override get message() {
    return `line ${this.line} of the recording cannot be replayed: ${this.why}`
  }
}

export interface ReplayOptions {
  /** The provider to read the recording with; else its header names one. */
  readonly provider: Option.Option<string>
  /** Drop hook and session markers and program-status reports. */
  readonly noHooks: boolean
}

/** A line of a recording is no longer than this many characters; leap writes none that comes near. */
export const lineLimit = 16 << 20

/**
 * Runs the state machine over the text of a recording, as it comes, and gives the lines of the answer. Time is the
 * recording's own: a line first fires every timer that is due by then, and time stops at the last line.
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
      { onHalt: ({ text }) => text === "" ? [] : [{ lines: [text], tooLong: false }] }
    )
  )
  return run(options, batches, `it is longer than the ${limit} characters that a line may have`)
}

/** The same for lines that have been cut already. */
export const replay = <E, R>(
  options: ReplayOptions,
  lines: Stream.Stream<string, E, R>
): Stream.Stream<string, E | ReplayError | UnknownProviderError, R | Screen | Providers> =>
  run(options, Stream.map(Stream.chunks(lines), (lines) => ({ lines, tooLong: false })), "")

/** Lines that came together, and whether the one behind them is too long to be read. */
type Batch = Pick<Lines.Split, "lines" | "tooLong">

const run = <E, R>(options: ReplayOptions, batches: Stream.Stream<Batch, E, R>, whyTooLong: string) =>
  Stream.unwrap(Effect.gen(function*() {
    // The emulator lives as long as the stream.
    const scope = yield* Effect.scope
    let number = 0
    let machine: Machine | null = null
    const begin = Effect.fnUntraced(function*(line: string) {
      const header = Cast.parseHeader(number === 1 ? line.replace(/^\uFEFF/, "") : line)
      if (header._tag === "Empty") return []
      if (header._tag === "Malformed") return yield* new ReplayError({ line: number, why: header.why })
      const opened = yield* Scope.provide(open(options, header.value, number), scope)
      machine = opened
      return opened.first()
    })
    const take = (machine: Machine, line: string, answers: Array<string>): string | null => {
      const parsed = Cast.parseLine(line)
      if (parsed._tag === "Malformed") return parsed.why
      if (parsed._tag === "Parsed") answers.push(...machine.take(parsed.value))
      return null
    }
    /** What came of a batch: what was answered before a line that cannot be replayed is answered all the same. */
    const step = Effect.fnUntraced(function*({ lines, tooLong }: Batch) {
      const answers: Array<string> = []
      for (const line of lines) {
        number++
        if (machine === null) answers.push(...yield* begin(line))
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
        const told = Stream.fromArray(answers)
        return error === null ? told : Stream.concat(told, Stream.fail(error))
      })
    )
    const empty = Stream.suspend(() =>
      machine === null ? Stream.fail(new ReplayError({ line: Math.max(1, number), why: "it ends before its header" })) : Stream.empty
    )
    return Stream.concat(answers, empty)
  }))

const open = Effect.fnUntraced(function*(
  options: ReplayOptions,
  header: Cast.Header,
  line: number
): Effect.fn.Return<Machine, ReplayError | UnknownProviderError, Screen | Providers | Scope.Scope> {
  const name = Option.getOrUndefined(options.provider) ?? header.leap?.provider ?? header.leap?.cli
  if (name === undefined) {
    return yield* new ReplayError({ line, why: "its header names no provider; say which with --provider NAME" })
  }
  const { detection } = yield* (yield* Providers).get(name)
  const screen = yield* (yield* Screen).make({ cols: header.width, rows: header.height, scrollback: 0 })
  return machineOf(detection, screen, options.noHooks, (header.timestamp ?? 0) * 1000)
})

/** Takes the recording's lines and gives the answer's; synchronous, and the only holder of its state. */
interface Machine {
  readonly first: () => ReadonlyArray<string>
  readonly take: (line: Cast.Line) => ReadonlyArray<string>
}

/** Output is drawn in pieces of so many characters: the memory that drawing takes is a multiple of theirs. */
const pieceLength = 64 << 10

const silent = { programStatus: false, ownStatus: false, turnHooks: false }

const machineOf = (detection: Detection, screen: ScreenHandle, noHooks: boolean, base: number): Machine => {
  const track = Tracker.track({ tells: noHooks ? { ...detection.tells, ...silent } : detection.tells })
  let memory = Tracker.start(base, defaultModes)
  let printed = ""
  let now = base
  const readScreen = readOnce(detection.readScreen)
  let input = InputBytes.start
  let scanner = OutputScanner.start
  /** The first half of a character that was cut in two. */
  let half = ""
  let out: Array<string> = []
  let by: "user" | "leap" = "user"

  const print = (tick: boolean) => {
    const { dialog, ready, reason, state } = memory.view
    const shown = `${state} ${ready} ${dialog}`
    if (!tick && shown === printed) return
    printed = shown
    const t = Math.round((now - base) * 1000) / 1_000_000
    out.push(JSON.stringify({ t, state, ready, dialog, reason, ...(tick ? { tick } : {}) }))
  }
  const event = (next: SessionEvent) => {
    memory = track(memory, next)
  }
  const signals = (source: string, list: ReadonlyArray<Signal>) => {
    for (const signal of list) event({ _tag: "Signaled", at: now, source, signal })
  }
  const advance = (to: number) => {
    for (let due = memory.view.changesAt; due !== null && due <= to; due = memory.view.changesAt) {
      now = due
      event({ _tag: "Tick", at: now })
      print(false)
    }
    now = to
  }
  const look = () => {
    const view = screen.view()
    event({ _tag: "Output", at: now, screen: view.whole ? readScreen(view) : null })
  }
  const draw = (data: string) => {
    const text = half + data
    half = /[\uD800-\uDBFF]$/.exec(text)?.[0] ?? ""
    const scanned = OutputScanner.scan(scanner, utf8ToLatin1(half === "" ? text : text.slice(0, -1)))
    scanner = scanned.state
    for (const segment of scanned.segments) {
      screen.feed(fromLatin1(segment.data))
      if (segment._tag === "Report" && segment.report !== null && !noHooks) {
        event({ _tag: "Reported", at: now, report: segment.report })
      }
    }
  }
  const output = (data: string) => {
    for (let from = 0; from < data.length || from === 0; from += pieceLength) draw(data.slice(from, from + pieceLength))
    look()
  }
  const keys = (data: string) => {
    const sorted = InputBytes.classify(input, utf8ToLatin1(data), now)
    input = sorted.state
    const pressed = sorted.parts.flatMap((part) => part._tag === "Keys" ? [part.kind] : [])
    const continues = sorted.parts[0]?.continues === true
    if (pressed.length > 0 || continues) event({ _tag: "Input", at: now, keys: pressed, by, ...continues ? { continues } : {} })
    by = "user"
  }
  const resize = (data: string) => {
    const size = Cast.parseSize(data)
    if (size === null) return
    screen.resize(size.cols, size.rows)
    event({ _tag: "Resize", at: now, ...size })
  }
  const marker = (label: string) => {
    const read = Cast.parseMarker(label)
    switch (read._tag) {
      case "Hook":
        return noHooks ? undefined : signals(`hook ${read.event}`, detection.readHook(read.event, read.payload))
      case "OwnStatus":
        return noHooks ? undefined : signals("session file", detection.readOwnStatus(read.content))
      case "Transcript":
        return noHooks ? undefined : signals("transcript", detection.readTranscript(read.record))
      case "By":
        by = read.by
        return
      case "Signal":
        return noHooks ? undefined : signals(`signal ${read.state}`, bareSignal(read.state))
      case "Send":
        return event({ _tag: "Send", at: now })
      case "Exit":
        return event({ _tag: "Exited", at: now, exit: { code: null, signal: null } })
      case "Other":
    }
  }
  const took = () => {
    const lines = out
    out = []
    return lines
  }
  return {
    first: () => {
      print(false)
      return took()
    },
    take: ([seconds, code, data]) => {
      advance(Math.max(now, base + seconds * 1000))
      switch (code) {
        case "o":
          output(data)
          break
        case "i":
          keys(data)
          break
        case "r":
          resize(data)
          break
        case "m":
          marker(data)
      }
      print(code === "k")
      return took()
    }
  }
}

/** A bare state, as the predecessor's hook script wrote it to its signal file. */
const bareSignal = (state: string): ReadonlyArray<Signal> => {
  switch (state) {
    case "idle":
      return [{ _tag: "TurnEnded", response: null, background: null }]
    case "needs_permission":
      return [{ _tag: "Asked", kind: "permission", tool: null, message: null }]
    case "needs_input":
    case "has_question":
      return [{ _tag: "Asked", kind: "question", tool: null, message: null }]
    case "interrupted":
      return [{ _tag: "Interrupted", at: null }]
    default:
      return []
  }
}
