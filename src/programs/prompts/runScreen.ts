import { type Cause, Clock, Effect, Option, Queue, Stream } from "effect"
import * as Keys from "../../domain/surfaces/tui/Keys.ts"
import * as Paint from "../../domain/surfaces/tui/Paint.ts"
import type { ScreenEvent, ScreenState, Updated } from "../../domain/surfaces/tui/Screen.ts"
import { Output } from "../../services/Output.ts"
import { takeKeys } from "../../services/takeKeys.ts"
import { UserTerminal } from "../../services/UserTerminal.ts"

export interface ScreenProgram<S extends ScreenState, C, E extends { readonly _tag: string }, R> {
  readonly state: S
  readonly update: (state: S, event: E | ScreenEvent) => Updated<S, C>
  readonly view: (state: S) => Paint.PaintFrame
  /** Events other than the user's input. The program ends when the queue does. */
  readonly events: Queue.Queue<E | ScreenEvent, Cause.Done>
  /** Starts a command without waiting for it. */
  readonly begin: (command: C) => Effect.Effect<void, never, R>
  readonly givesUp?: (command: C) => boolean
  /** Milliseconds until the view changes by itself, counted from the last such change. */
  readonly changesIn: (state: S) => number
  readonly pressed?: (state: S) => Effect.Effect<void, never, R>
  readonly drawn?: (state: S) => Effect.Effect<void, never, R>
  readonly pointer?: true
}

/** Runs a full-screen program until the user leaves it or it releases the terminal; always restores the terminal. */
export const runScreen = Effect.fn("runScreen")(function* <
  S extends ScreenState,
  C,
  E extends { readonly _tag: string },
  R
>(program: ScreenProgram<S, C, E, R>) {
  const terminal = yield* UserTerminal
  const { colour } = yield* Output
  const { events, update } = program
  const leave = (program.pointer === true ? Keys.pointerOff : "") + Paint.leave
  yield* terminal.raw
  yield* terminal.restoreOnExit(leave)
  yield* Effect.addFinalizer(() => terminal.leave(leave))
  yield* terminal.write(Paint.enter + (program.pointer === true ? Keys.pointerOn : ""))
  const offer = (event: ScreenEvent) => Queue.offer(events, event)
  yield* takeKeys(
    (key) => Effect.flatMap(Clock.currentTimeMillis, (at) => offer({ _tag: "Pressed", key, at })),
    Queue.end(events)
  )
  yield* terminal.sizes.pipe(
    Stream.runForEach((size) => offer({ _tag: "Resized", size })),
    Effect.forkScoped({ startImmediately: true })
  )
  let { state } = update(program.state, { _tag: "Resized", size: yield* terminal.size })
  let drawn: Paint.Drawn | null = null
  let timePassedAt = yield* Clock.currentTimeMillis
  for (;;) {
    const next = Paint.encode(program.view(state), colour)
    yield* terminal.write(Paint.paint(drawn, next))
    drawn = next
    if (program.drawn !== undefined) yield* program.drawn(state)
    // all events that arrived during drawing are applied before the next frame
    const due = timePassedAt + program.changesIn(state)
    const taken = yield* Queue.takeAll(events).pipe(
      Effect.timeoutOption(Math.max(0, due - (yield* Clock.currentTimeMillis))),
      Effect.orElseSucceed(() => null)
    )
    if (taken === null) return { state, command: null }
    const at = yield* Clock.currentTimeMillis
    if (Option.isNone(taken)) timePassedAt = at
    const batch: ReadonlyArray<E | ScreenEvent> = Option.getOrElse(taken, () => [{ _tag: "TimePassed" as const, at }])
    const before = state
    for (const [i, event] of batch.entries()) {
      const updated = update(state, event)
      state = updated.state
      if (program.pressed !== undefined && isPress(event)) yield* program.pressed(state)
      for (const command of updated.commands) {
        if (program.givesUp?.(command) === true) {
          // keys typed after the command are not for this screen
          yield* Queue.offerAll(
            events,
            batch.slice(i + 1).filter((event) => !isPress(event))
          )
          return { state, command }
        }
        yield* program.begin(command)
      }
    }
    if (state.left) return { state, command: null }
    if (state.size !== before.size || state.redraws !== before.redraws) drawn = null
  }
}, Effect.scoped)

const isPress = ({ _tag }: { readonly _tag: string }): boolean => _tag === "Pressed"
