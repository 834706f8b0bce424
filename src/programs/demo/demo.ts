import { Clock, Effect, Option, Queue, Ref, Schedule, Stream } from "effect"
import {
  beginShow,
  type DemoShow,
  type ShowAction,
  type ShowEvent,
  type ShowStep,
  stage,
  stepShow,
  wakesAt
} from "../../domain/providers/demo/Show.ts"
import { clean } from "../../domain/surfaces/tui/Cells.ts"
import * as Paint from "../../domain/surfaces/tui/Paint.ts"
import type { SessionStatus } from "../../domain/words/session/Session.ts"
import { Output } from "../../services/Output.ts"

/** The session of the show. The caller starts it, and ends it after the show. */
export interface DemoHost<E> {
  readonly tag: string
  /** The command line that runs leap on this session from another terminal; by default "leap". */
  readonly leap?: string
  readonly send: (text: string) => Effect.Effect<string, E>
  readonly answer: (answer: string) => Effect.Effect<void, E>
  readonly watch: Stream.Stream<SessionStatus, E>
  readonly screen: Effect.Effect<string, E>
}

/** The terminal of the show; without one it prints plain lines. */
export interface DemoTerminal {
  readonly size: Effect.Effect<{ readonly cols: number; readonly rows: number }>
  /** The user's keys; the terminal is in raw mode. Ctrl+C ends the show. */
  readonly keys: Stream.Stream<string>
}

export interface DemoOptions {
  readonly terminal: Option.Option<DemoTerminal>
  /** Factor on the show's own pauses. */
  readonly pace: number
}

const frameTime = "80 millis"
export const playDemo = Effect.fn("demo")(function* <E extends { readonly message: string }>(
  host: DemoHost<E>,
  options: DemoOptions
) {
  const output = yield* Output
  const events = yield* Queue.unbounded<ShowEvent>()
  const story = yield* Ref.make<ReadonlyArray<string>>([])
  const current = yield* Ref.make("")
  const offer = (event: (at: number) => ShowEvent) =>
    Effect.flatMap(Clock.currentTimeMillis, (at) => Queue.offer(events, event(at)))
  const failed = (why: string) => offer((at) => ({ _tag: "Failed", at, why }))

  const act = (action: ShowAction) =>
    action._tag === "Send"
      ? host.send(action.text).pipe(
          Effect.flatMap((id) => offer((at) => ({ _tag: "Sent", at, index: action.index, id }))),
          Effect.catch((error) => failed(error.message))
        )
      : host
          .answer(action.answer)
          .pipe(Effect.catch((error) => offer((at) => ({ _tag: "Refused", at, why: error.message }))))

  const narrate = (lines: ReadonlyArray<string>) =>
    Option.isSome(options.terminal)
      ? Ref.update(story, (before) => [...before, ...lines].slice(-200))
      : Effect.forEach(lines, output.line, { discard: true })

  const carryOut = Effect.fnUntraced(function* (step: ShowStep) {
    yield* narrate(step.lines)
    yield* Effect.forEach(step.actions, act, { discard: true })
    return step.show
  })

  const nextEvent = Effect.fnUntraced(function* (show: DemoShow) {
    const wake = wakesAt(show) ?? 0
    const event = yield* Queue.take(events).pipe(
      Effect.timeoutOption(Math.max(0, wake - (yield* Clock.currentTimeMillis)))
    )
    const at = yield* Clock.currentTimeMillis
    return Option.getOrElse(event, (): ShowEvent => ({ _tag: "Tick", at }))
  })

  yield* host.watch.pipe(
    Stream.runForEach((status) => offer((at) => ({ _tag: "Status", at, status }))),
    Effect.matchEffect({
      onFailure: (error) => failed(error.message),
      onSuccess: () => failed("the session has ended")
    }),
    Effect.forkScoped
  )

  const play = Effect.gen(function* () {
    let show = yield* carryOut(beginShow(host.tag, host.leap ?? "leap", yield* Clock.currentTimeMillis, options.pace))
    while (show.over === null) {
      show = yield* carryOut(stepShow(show, yield* nextEvent(show)))
      yield* Ref.set(current, show.state)
    }
    return show.over
  })

  const code = yield* Option.match(options.terminal, {
    onNone: () => play,
    onSome: (terminal) =>
      onTerminal(
        host,
        terminal,
        { story, state: current, keys: (key) => offer((at) => ({ _tag: "Key", at, key })) },
        play
      )
  })
  if (Option.isSome(options.terminal)) yield* Effect.forEach(yield* Ref.get(story), output.line, { discard: true })
  return code
}, Effect.scoped)

const ctrlC = "\u0003"
const cancelled = 130

/** Runs the play, draws its picture and reads keys; restores the terminal afterwards. */
const onTerminal = <E>(
  host: DemoHost<E>,
  terminal: DemoTerminal,
  playState: {
    readonly story: Ref.Ref<ReadonlyArray<string>>
    readonly state: Ref.Ref<string>
    readonly keys: (key: string) => Effect.Effect<unknown>
  },
  play: Effect.Effect<number>
) =>
  Effect.gen(function* () {
    const output = yield* Output
    yield* Effect.acquireRelease(output.raw(Paint.enter), () => output.raw(Paint.leave))
    let drawn: Paint.Drawn | null = null
    const draw = Effect.gen(function* () {
      const screen = yield* Effect.orElseSucceed(host.screen, () => "")
      const size = yield* terminal.size
      const lines = stage(size, screen, yield* Ref.get(playState.state), yield* Ref.get(playState.story)).map((row) =>
        Paint.fitLine(
          [Paint.span(clean(row.text), row.style === "faint" ? "faint" : "plain", row.style === "bold")],
          size.cols
        )
      )
      const next = Paint.encode({ lines, cursor: null }, true)
      const bytes = Paint.paint(drawn?.rows.length === size.rows ? drawn : null, next)
      drawn = next
      if (bytes !== "") yield* output.raw(bytes)
    })
    yield* draw.pipe(Effect.repeat(Schedule.spaced(frameTime)), Effect.forkScoped)
    const stopped = terminal.keys.pipe(
      Stream.tap(playState.keys),
      Stream.filter((key) => key === ctrlC),
      Stream.runHead,
      Effect.flatMap(Option.match({ onNone: () => Effect.never, onSome: () => Effect.succeed(cancelled) }))
    )
    return yield* Effect.raceFirst(play, stopped)
  }).pipe(Effect.scoped)
