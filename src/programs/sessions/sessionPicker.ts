import { type Cause, Clock, Effect, FiberHandle, Queue, Stream } from "effect"
import * as Paint from "../../domain/surfaces/tui/Paint.ts"
import type { TuiKey } from "../../domain/surfaces/tui/Keys.ts"
import type { Size } from "../../domain/surfaces/tui/Layout.ts"
import * as Picker from "../../domain/surfaces/picker/Picker.ts"
import { view } from "../../domain/surfaces/picker/PickerView.ts"
import type { PickRow, Preview } from "../../domain/surfaces/picker/Rows.ts"
import { Output } from "../../services/Output.ts"
import { UserTerminal } from "../../services/UserTerminal.ts"
import { terminalKeys } from "../attach/terminalKeys.ts"

export type { PickRow, Preview } from "../../domain/surfaces/picker/Rows.ts"
export { askNewTag } from "./askNewTag.ts"

export interface PickOptions<R> {
  readonly rows: ReadonlyArray<PickRow>
  /** The user's home directory, shown as `~`. */
  readonly home: string
  /** The directory whose sessions are marked. */
  readonly cwd: string
  /** Reads a session's last exchange; when it fails nothing is shown. */
  readonly preview: (row: PickRow) => Effect.Effect<Preview, unknown, R>
}

/** The events that change the picker. */
type PickerEvent =
  | { readonly _tag: "Pressed"; readonly key: TuiKey }
  | { readonly _tag: "Resized"; readonly size: Size }
  | { readonly _tag: "Previewed"; readonly key: string; readonly preview: Preview | null }
  /** Some time has passed. */
  | { readonly _tag: "TimePassed" }

/** A preview is loaded only for a row that stays selected this long. */
const previewDelay = "80 millis"
/** Ages are redrawn this often. */
const agePeriod = "10 seconds"

/**
 * Lets the user pick a session on the whole screen; null when none was picked, also when the terminal ends. On every
 * way out the terminal is restored.
 */
export const pickSession = Effect.fn("pickSession")(function* <R>(options: PickOptions<R>) {
  // effect/cli's prompts end at Escape, read the lines of a paste as Enter, and draw only after a key
  const terminal = yield* UserTerminal
  const { colour } = yield* Output
  // its scope ends after the terminal is restored, so that a preview that cannot be interrupted does not delay that
  const previewFiber = yield* FiberHandle.make<void, never>()
  const events = yield* Queue.unbounded<PickerEvent, Cause.Done>()

  return yield* Effect.gen(function* () {
    yield* terminal.raw
    yield* terminal.restoreOnExit(Paint.leave)
    yield* Effect.addFinalizer(() => terminal.leave(Paint.leave))
    yield* terminal.write(Paint.enter)
    const keys = yield* terminalKeys
    yield* Stream.fromQueue(keys).pipe(
      Stream.runForEach((key) => Queue.offer(events, { _tag: "Pressed", key })),
      Effect.ensuring(Queue.end(events)),
      Effect.forkScoped
    )
    yield* terminal.sizes.pipe(
      Stream.runForEach((size) => Queue.offer(events, { _tag: "Resized", size })),
      Effect.forkScoped({ startImmediately: true })
    )
    yield* Effect.forever(Effect.delay(Queue.offer(events, { _tag: "TimePassed" }), agePeriod)).pipe(Effect.forkScoped)

    let state = Picker.start({ ...options, size: yield* terminal.size })
    let drawn: Paint.Drawn | null = null
    let previewedKey: string | null = null
    const loadPreview = Effect.suspend(() => {
      const entry = Picker.wantsPreview(state)
      if ((entry?.key ?? null) === previewedKey) return Effect.void
      previewedKey = entry?.key ?? null
      // interrupts the former preview without waiting for its end
      return FiberHandle.run(
        previewFiber,
        entry === null
          ? Effect.void
          : options.preview(entry.row).pipe(
              Effect.catchCause(() => Effect.succeed(null)),
              Effect.flatMap((preview) => Queue.offer(events, { _tag: "Previewed", key: entry.key, preview })),
              Effect.delay(previewDelay),
              Effect.asVoid
            )
      )
    })
    for (;;) {
      const next = Paint.encode(view(state, yield* Clock.currentTimeMillis), colour)
      yield* terminal.write(Paint.paint(drawn, next))
      drawn = next
      yield* loadPreview
      // all events that arrived during drawing are applied before the next frame
      const batch: ReadonlyArray<PickerEvent> = yield* Queue.takeAll(events).pipe(Effect.orElseSucceed(() => []))
      if (batch.length === 0) return null
      const before = state
      state = batch.reduce(applyEvent, state)
      if (state.done !== null) return state.done.picked
      if (state.size !== before.size || state.redraws !== before.redraws) drawn = null
    }
  }).pipe(Effect.scoped)
}, Effect.scoped)

const applyEvent = (state: Picker.PickerState, event: PickerEvent): Picker.PickerState => {
  switch (event._tag) {
    case "Pressed":
      return Picker.update(state, event.key)
    case "Resized":
      return Picker.resized(state, event.size)
    case "Previewed":
      return Picker.previewed(state, event.key, event.preview)
    case "TimePassed":
      return state
  }
}
