import { asks } from "../../domain/words/session/states.ts"
import { Clock, Context, Effect, Layer, Result, Semaphore } from "effect"
import { hasOwnText, isCommand, isSameAgain, userDraft } from "../../domain/engine/delivery/Box.ts"
import { timing } from "../../domain/engine/delivery/DeliveryLimits.ts"
import { keysFor, messageKeys } from "../../domain/engine/queue/MessageText.ts"
import { utf8ToLatin1 } from "../../domain/words/text/Bytes.ts"
import { CLIProvider } from "../../services/CLIProvider.ts"
import { RefusedError } from "../../services/HostProtocol.ts"
import { type TakenDraft } from "../../services/HostRpc.ts"
import { Keyboard } from "./Keyboard.ts"
import { SessionRuntime } from "./SessionRuntime.ts"
import { holdsWithin } from "./waits.ts"

/** Moves the user's unsent text out of the CLI's box and back, if the screen shows all of it. */
export class BoxDraft extends Context.Service<
  BoxDraft,
  {
    /** The text; null if there is none, or if it is uncertain. Waits until the last typed keys are echoed. */
    readonly read: Effect.Effect<string | null>
    /** Waits until the last typed keys are echoed. Returns the wait in milliseconds; negative if it was over before. */
    readonly echoed: Effect.Effect<number>
    /** Removes this text from the box. `doubt`: it may disappear later. */
    readonly take: (text: string) => Effect.Effect<TakenDraft>
    /** The text in the box now; null if there is no box, if leap or a dialog uses it, or if the text is incomplete. */
    readonly now: () => string | null
    /** Replaces the text in the box. `doubt`: the old text may be gone, or still be there. */
    readonly replace: (shown: string, text: string) => Effect.Effect<TakenDraft>
    readonly put: (text: string) => Effect.Effect<void, RefusedError>
  }
>()("leap/programs/host/BoxDraft") {}

const make = Effect.gen(function* () {
  const { input } = yield* CLIProvider
  const runtime = yield* SessionRuntime
  const keyboard = yield* Keyboard
  const mutex = yield* Semaphore.make(1)

  const draft = (): string | null => {
    const { delivery } = runtime.memory()
    const { exited, screen, view, whole } = delivery.evidence
    if (exited || asks(view.state) || !whole || screen === null || screen.dialog !== null || screen.picker) return null
    return hasOwnText(delivery) ? null : userDraft(delivery)
  }

  const echoed = Effect.gen(function* () {
    const { userKeyAt } = runtime.memory().delivery.evidence
    const wait = (userKeyAt ?? 0) + timing.quiet - (yield* Clock.currentTimeMillis)
    if (wait > 0) yield* Effect.sleep(wait)
    return wait
  })
  /** Whether the box has this text. A CLI that draws its screen anew shows none in the middle of it. */
  const shows = (text: string) => holdsWithin(() => draft() === text, timing.quiet)
  const read = Effect.gen(function* () {
    // processes pending keys first
    yield* runtime.between(() => Effect.succeed([]))
    const waited = yield* echoed
    // a slow CLI draws late, or is in the middle of a drawing
    yield* holdsWithin(() => (draft() ?? "") !== "", Math.max(timing.quiet, waited + timing.clear))
    const text = draft()
    return text === null || text === "" || !isSameAgain(text) ? null : text
  })
  const take = (text: string) =>
    Effect.gen(function* () {
      if (!(yield* shows(text))) return "left"
      keyboard.pressOwn(utf8ToLatin1(input.clear))
      return (yield* holdsWithin(() => draft() === "", timing.clear)) ? "taken" : "doubt"
    })
  const put = Effect.fnUntraced(function* (text: string) {
    const keys = keysFor(input, text)
    if (Result.isFailure(keys)) return yield* RefusedError.because("invalid", keys.failure)
    if (!(yield* holdsWithin(() => draft() === "", timing.clear)))
      return yield* RefusedError.because("refused", "the CLI's box is not free")
    keyboard.pressOwn(utf8ToLatin1(keys.success))
  })
  /** The keys for a text. A blank after a command closes the menu that the CLI opens over it. */
  const keysOf = (text: string) => Result.map(messageKeys(input, text), (keys) => (isCommand(text) ? `${keys} ` : keys))
  const replace = Effect.fnUntraced(function* (shown: string, text: string) {
    const keys = text === "" ? Result.succeed("") : keysOf(text)
    if (Result.isFailure(keys) || !(yield* shows(shown))) return "left" as const
    if (shown !== "") keyboard.pressOwn(utf8ToLatin1(input.clear))
    if (!(yield* holdsWithin(() => draft() === "", timing.clear))) return "doubt" as const
    if (text === "") return "taken" as const
    keyboard.pressOwn(utf8ToLatin1(keys.success))
    const isShown = yield* holdsWithin(() => input.showsPasted(draft() ?? "", text), timing.clear)
    // some CLIs take an Enter right after a paste as part of it
    yield* Effect.sleep(timing.settle)
    return isShown ? ("taken" as const) : ("doubt" as const)
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
