import { type Cause, Clock, Effect, FiberHandle, Queue, Option } from "effect"
import * as Picker from "../../domain/surfaces/picker/Picker.ts"
import { view } from "../../domain/surfaces/picker/PickerView.ts"
import type { PickRow, Preview } from "../../domain/surfaces/picker/Rows.ts"
import { UserTerminal } from "../../services/UserTerminal.ts"
import { runScreen } from "../prompts/runScreen.ts"
import type { SessionRecord } from "../../domain/store/conversations/SessionRecord.ts"
import * as UsageState from "../../domain/cli/usage/UsageState.ts"
import { providerOf, Providers } from "../../services/Providers.ts"
import { factsAtEnd } from "./conversationOf.ts"

/** The most bytes of a transcript that are read for a preview. */
const previewBytes = 1 << 20

/** The last exchange in a session's transcript. Never fails: unreadable parts are null. */
export const previewOf = Effect.fn("previewOf")(function* (
  session: Pick<SessionRecord, "cli" | "base" | "transcriptPath">
) {
  const provider = Option.getOrUndefined(yield* providerOf(yield* Providers, session))
  const { facts } = yield* factsAtEnd(provider, session.transcriptPath, previewBytes)
  const { prompt, response } = facts.reduce(UsageState.fold, UsageState.start)
  return { lastUser: prompt?.text ?? null, lastAssistant: response?.text ?? null } satisfies Preview
})

export interface PickOptions<R> {
  readonly rows: ReadonlyArray<PickRow>
  readonly home: string
  readonly cwd: string
  /** Reads a session's last exchange; when it fails nothing is shown. */
  readonly preview: (row: PickRow) => Effect.Effect<Preview, unknown, R>
}

/** A preview is loaded only for a row that stays selected this long. */
const previewDelay = "80 millis"
/** Ages are redrawn this often, in milliseconds. */
const agePeriod = 10_000

/** Lets the user pick a session; null for none, also when the terminal hangs up. Always restores the terminal. */
export const pickSession = Effect.fn("pickSession")(function* <R>(options: PickOptions<R>) {
  const terminal = yield* UserTerminal
  const clock = yield* Clock.Clock
  // its scope ends after the terminal is restored, so that an uninterruptible preview does not delay that
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
