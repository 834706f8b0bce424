import { asks } from "../../domain/words/session/states.ts"
import { Clock, Context, Effect, Layer, Result, Schedule, Semaphore } from "effect"
import { hasOwnText, isCommand, isSameAgain, userDraft } from "../../domain/engine/delivery/Box.ts"
import { timing } from "../../domain/engine/delivery/DeliveryLimits.ts"
import { keysFor, messageKeys } from "../../domain/engine/queue/MessageText.ts"
import { utf8ToLatin1 } from "../../domain/words/text/Bytes.ts"
import { CLIProvider } from "../../services/CLIProvider.ts"
import { RefusedError } from "../../services/HostProtocol.ts"
import { type TakenDraft } from "../../services/HostRpc.ts"
import { Keyboard } from "./Keyboard.ts"
import { SessionRuntime } from "./SessionRuntime.ts"

/** Moves the user's unsent text out of the CLI's box and back, while the screen shows it with certainty. */
export class BoxDraft extends Context.Service<
  BoxDraft,
  {
    /** The text; null if there is none, or if it is uncertain. Waits until the last typed keys are echoed. */
    readonly read: Effect.Effect<string | null>
    /** Waits for the echo of the last keys. Returns the milliseconds left for it; negative for the time since. */
    readonly echoed: Effect.Effect<number>
    /** Removes this text from the box. `doubt`: it may disappear later. */
    readonly take: (text: string) => Effect.Effect<TakenDraft>
    /** The text in the box now; null if leap or a dialog uses the box, or if the text is incomplete. */
    readonly now: () => string | null
    /** Replaces the text in the box. `doubt`: the old text may be gone, or still be there. */
    readonly replace: (shown: string, text: string) => Effect.Effect<TakenDraft>
    readonly put: (text: string) => Effect.Effect<void, RefusedError>
  }
>()("leap/programs/host/BoxDraft") {}

const pollInterval = "20 millis"

const make = Effect.gen(function* () {
  const { input } = yield* CLIProvider
  const runtime = yield* SessionRuntime
  const keyboard = yield* Keyboard
  const mutex = yield* Semaphore.make(1)

  /** The text of a complete box that neither leap nor a dialog uses; else null. */
  const draft = (): string | null => {
    const { delivery } = runtime.memory()
    const { exited, screen, view, whole } = delivery.evidence
    if (exited || asks(view.state) || !whole || screen === null || screen.dialog !== null || screen.picker) return null
    return hasOwnText(delivery) ? null : userDraft(delivery)
  }
  const until = (holds: () => boolean, timeout: number): Effect.Effect<boolean> =>
    Effect.suspend(() => (holds() ? Effect.void : Effect.fail("not yet"))).pipe(
      Effect.retry(Schedule.spaced(pollInterval)),
      Effect.timeout(timeout),
      Effect.match({ onSuccess: () => true, onFailure: () => false })
    )

  const echoed = Effect.gen(function* () {
    const { userKeyAt } = runtime.memory().delivery.evidence
    const echoes = (userKeyAt ?? 0) + timing.quiet - (yield* Clock.currentTimeMillis)
    if (echoes > 0) yield* Effect.sleep(echoes)
    return echoes
  })
  const read = Effect.gen(function* () {
    // processes pending keys first
    yield* runtime.between(() => Effect.succeed([]))
    const echoes = yield* echoed
    // a slow CLI draws late, or is in the middle of a drawing
    yield* until(() => (draft() ?? "") !== "", Math.max(timing.quiet, echoes + timing.clear))
    const text = draft()
    return text === null || text === "" || !isSameAgain(text) ? null : text
  })
  const take = (text: string) =>
    Effect.gen(function* () {
      if (draft() !== text) return "left"
      keyboard.pressOwn(utf8ToLatin1(input.clear))
      return (yield* until(() => draft() === "", timing.clear)) ? "taken" : "doubt"
    })
  const put = Effect.fnUntraced(function* (text: string) {
    const keys = keysFor(input, text)
    if (Result.isFailure(keys)) return yield* RefusedError.because("invalid", keys.failure)
    if (!(yield* until(() => draft() === "", timing.clear)))
      return yield* RefusedError.because("refused", "the CLI's box is not free")
    keyboard.pressOwn(utf8ToLatin1(keys.success))
  })
  /** Appends a blank to a command, which closes the menu that the CLI opens over the text. */
  const placed = (text: string) => Result.map(messageKeys(input, text), (keys) => (isCommand(text) ? `${keys} ` : keys))
  const replace = Effect.fnUntraced(function* (shown: string, text: string) {
    const keys = text === "" ? Result.succeed("") : placed(text)
    if (Result.isFailure(keys) || draft() !== shown) return "left" as const
    if (shown !== "") keyboard.pressOwn(utf8ToLatin1(input.clear))
    if (!(yield* until(() => draft() === "", timing.clear))) return "doubt" as const
    if (text === "") return "taken" as const
    keyboard.pressOwn(utf8ToLatin1(keys.success))
    const shows = yield* until(() => input.showsPasted(draft() ?? "", text), timing.clear)
    // some CLIs take an Enter right after a paste as part of it
    yield* Effect.sleep(timing.settle)
    return shows ? ("taken" as const) : ("doubt" as const)
  })
  return BoxDraft.of({
    read,
    echoed,
    now: draft,
    replace: (shown, text) => mutex.withPermits(1)(replace(shown, text)),
    take: (text) => mutex.withPermits(1)(take(text)),
    put: (text) => mutex.withPermits(1)(put(text))
  })
})

export const layer = Layer.effect(BoxDraft, make)
