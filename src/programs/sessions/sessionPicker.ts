import { type Cause, Clock, Effect, FiberHandle, Queue } from "effect"
import * as Picker from "../../domain/surfaces/picker/Picker.ts"
import { view } from "../../domain/surfaces/picker/PickerView.ts"
import type { PickRow, Preview } from "../../domain/surfaces/picker/Rows.ts"
import { UserTerminal } from "../../services/UserTerminal.ts"
import { runScreen } from "../client/runScreen.ts"

export type { PickRow, Preview } from "../../domain/surfaces/picker/Rows.ts"

export interface PickOptions<R> {
  readonly rows: ReadonlyArray<PickRow>
  readonly home: string
  readonly cwd: string
  /** Reads a session's last exchange; when it fails nothing is shown. */
  readonly preview: (row: PickRow) => Effect.Effect<Preview, unknown, R>
}

/** A preview is loaded only for a row that stays selected this long. */
const previewDelay = "80 millis"
const agePeriod = 10_000

/** Lets the user pick a session; null for none, also at the terminal's end. Restores the terminal on every way out. */
export const pickSession = Effect.fn("pickSession")(function* <R>(options: PickOptions<R>) {
  const terminal = yield* UserTerminal
  const clock = yield* Clock.Clock
  // its scope ends after the terminal is restored, so that a preview that cannot be interrupted does not delay that
  const previewFiber = yield* FiberHandle.make<void, never>()
  const events = yield* Queue.unbounded<Picker.PickerEvent, Cause.Done>()
  let previewedKey: string | null = null
  const loadPreview = (state: Picker.PickerState) => {
    const entry = Picker.wantsPreview(state)
    if ((entry?.key ?? null) === previewedKey) return Effect.void
    previewedKey = entry?.key ?? null
    // interrupts the former preview without waiting for its end
    return Effect.asVoid(
      FiberHandle.run(
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
    )
  }
  const { state } = yield* runScreen({
    state: Picker.start({ ...options, size: yield* terminal.size }),
    update: Picker.take,
    view: (state) => view(state, clock.currentTimeMillisUnsafe()),
    events,
    begin: () => Effect.void,
    changesIn: () => agePeriod,
    drawn: loadPreview
  })
  return state.picked
}, Effect.scoped)
