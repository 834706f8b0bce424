import { type Cause, Clock, Effect, FiberHandle, Queue, Stream } from "effect"
import * as Paint from "../domain/picker/Paint.ts"
import type { Key } from "../domain/picker/Keys.ts"
import type { Size } from "../domain/picker/Layout.ts"
import * as Picker from "../domain/picker/Picker.ts"
import { view } from "../domain/picker/PickerView.ts"
import type { PickRow, Preview } from "../domain/picker/Rows.ts"
import { Output } from "../services/Output.ts"
import { UserTerminal } from "../services/UserTerminal.ts"
import { terminalKeys } from "./terminalKeys.ts"

export type { PickRow, Preview } from "../domain/picker/Rows.ts"
export { askNewTag } from "./askNewTag.ts"

export interface PickOptions<R> {
  readonly rows: ReadonlyArray<PickRow>
  /** The user's home directory, shown as `~`. */
  readonly home: string
  /** The directory whose sessions are marked. */
  readonly cwd: string
  /** Finds out a session's last exchange; what fails shows nothing. */
  readonly preview: (row: PickRow) => Effect.Effect<Preview, unknown, R>
}

/** What the picker reacts to. */
type Happening =
  | { readonly _tag: "Pressed"; readonly key: Key }
  | { readonly _tag: "Resized"; readonly size: Size }
  | { readonly _tag: "Previewed"; readonly key: string; readonly preview: Preview | null }
  /** Time went by. */
  | { readonly _tag: "Passed" }

/** A selection that moves on within this time is not looked into. */
const previewDelay = "80 millis"
/** Ages are drawn anew this often. */
const agePeriod = "10 seconds"

/**
 * Lets the user pick a session on the whole screen; null when nothing was picked, the terminal's end included. The
 * terminal is put back as it was on every way out.
 */
export const pickSession = Effect.fn("pickSession")(function*<R>(options: PickOptions<R>) {
  // effect/cli's prompts end at Escape, take the lines of a paste for Enter, and cannot draw but after a key
  const terminal = yield* UserTerminal
  const { colour } = yield* Output
  // ends after the screen was given back: a look into a session that cannot be stopped keeps nobody waiting before it
  const looking = yield* FiberHandle.make<void, never>()
  const happenings = yield* Queue.unbounded<Happening, Cause.Done>()

  return yield* Effect.gen(function*() {
    yield* terminal.raw
    yield* terminal.lastWords(Paint.leave)
    yield* Effect.addFinalizer(() => Effect.andThen(terminal.write(Paint.leave), terminal.lastWords(null)))
    yield* terminal.write(Paint.enter)
    const keys = yield* terminalKeys
    yield* Stream.fromQueue(keys).pipe(
      Stream.runForEach((key) => Queue.offer(happenings, { _tag: "Pressed", key })),
      Effect.ensuring(Queue.end(happenings)),
      Effect.forkScoped
    )
    yield* terminal.sizes.pipe(
      Stream.runForEach((size) => Queue.offer(happenings, { _tag: "Resized", size })),
      Effect.forkScoped({ startImmediately: true })
    )
    yield* Effect.forever(Effect.delay(Queue.offer(happenings, { _tag: "Passed" }), agePeriod)).pipe(Effect.forkScoped)

    let state = Picker.start({ ...options, size: yield* terminal.size })
    let drawn: Paint.Drawn | null = null
    let wanted: string | null = null
    const look = Effect.suspend(() => {
      const entry = Picker.wantsPreview(state)
      if ((entry?.key ?? null) === wanted) return Effect.void
      wanted = entry?.key ?? null
      // what looks into the one before is stopped, and nobody waits until it is
      return FiberHandle.run(looking, entry === null ? Effect.void : options.preview(entry.row).pipe(
        Effect.catchCause(() => Effect.succeed(null)),
        Effect.flatMap((preview) => Queue.offer(happenings, { _tag: "Previewed", key: entry.key, preview })),
        Effect.delay(previewDelay),
        Effect.asVoid
      ))
    })
    for (;;) {
      const next = Paint.encode(view(state, yield* Clock.currentTimeMillis), colour)
      yield* terminal.write(Paint.paint(drawn, next))
      drawn = next
      yield* look
      // all that came while it was drawn is drawn at once
      const batch: ReadonlyArray<Happening> = yield* Queue.takeAll(happenings).pipe(Effect.orElseSucceed(() => []))
      if (batch.length === 0) return null
      const before = state
      state = batch.reduce(happened, state)
      if (state.done !== null) return state.done.picked
      if (state.size !== before.size || state.redraws !== before.redraws) drawn = null
    }
  }).pipe(Effect.scoped)
}, Effect.scoped)

const happened = (state: Picker.PickerState, happening: Happening): Picker.PickerState => {
  switch (happening._tag) {
    case "Pressed":
      return Picker.update(state, happening.key)
    case "Resized":
      return Picker.resized(state, happening.size)
    case "Previewed":
      return Picker.previewed(state, happening.key, happening.preview)
    case "Passed":
      return state
  }
}
