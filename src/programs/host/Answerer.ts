import { reasonWords } from "../../domain/words/wording/reasonWords.ts"
import { Context, Effect, Equal, Layer, Result, Semaphore } from "effect"
import { choiceOf } from "../../domain/cli/provider/DialogChoice.ts"
import type { AnswerKeys } from "../../domain/cli/provider/InputProtocol.ts"
import type { Dialog, DialogOption } from "../../domain/words/session/Screen.ts"
import { stripControls } from "../../domain/engine/queue/MessageText.ts"
import { utf8ToLatin1 } from "../../domain/words/text/Bytes.ts"
import { CLIProvider } from "../../services/CLIProvider.ts"
import { RefusedError } from "../../services/HostProtocol.ts"
import { Keyboard } from "./Keyboard.ts"
import { SessionContext } from "./SessionContext.ts"
import { SessionRuntime } from "./SessionRuntime.ts"
import { holdsWithin } from "./waits.ts"

export interface Answered {
  readonly dialog: Dialog
  readonly answer: string
}

/**
 * Answers the dialog on screen with the keys of its CLI, one answer at a time. Each key is a separate write. Before
 * each key a dialog must be on the screen, because otherwise the key would land in the input box. After each key the
 * dialog must have changed or closed.
 */
export class Answerer extends Context.Service<
  Answerer,
  {
    /** With `expected` it answers only this dialog, and presses each key only once. */
    readonly answer: (answer: string, expected?: Dialog) => Effect.Effect<Answered, RefusedError>
  }
>()("leap/programs/host/Answerer") {}

const keyTimeout = "1 second"
/** A CLI may ignore keys right after its dialog opened, so a key is pressed up to this many times. */
const keyTries = 4

/** The keys that delete the text from an input box that received it by mistake. */
const backspaces = (text: string): string => "\u007f".repeat([...text].length)

const refuse = (why: string) => RefusedError.because("refused", why)

const make = Effect.gen(function* () {
  const { spec } = yield* SessionContext
  const { input } = yield* CLIProvider
  const runtime = yield* SessionRuntime
  const keyboard = yield* Keyboard
  const mutex = yield* Semaphore.make(1)
  const present = () => runtime.memory().tracker.facts.screen.dialog
  const draft = () => runtime.memory().tracker.facts.screen.box?.draft ?? ""
  /** Some dialogs end the CLI and its host, so nothing may wait then. */
  const hasEnded = () => runtime.memory().tracker.view.state === "exited"
  /** Whether the dialog changes or closes, or the session ends, in time. */
  const changes = (before: Dialog) => holdsWithin(() => hasEnded() || !Equal.equals(present(), before), keyTimeout)
  /** The keys for an option, by its number or label; without an option, for the answer as given. */
  const keysFor = (dialog: Dialog, option: DialogOption | null, answer: string): AnswerKeys => {
    if (option === null) return input.answer(dialog, answer)
    const isCounted = dialog.options.every(({ number }) => number === null)
    const number = option.number ?? (isCounted ? dialog.options.indexOf(option) + 1 : null)
    const byNumber = number === null ? null : input.answer(dialog, String(number))
    const isSettled = byNumber !== null && (byNumber._tag === "Keys" || option.number !== null)
    const keys = isSettled ? byNumber : input.answer(dialog, option.label)
    // If the label alone does not select the option, it expects a text, which is the answer itself.
    const asText = keys._tag === "Keys" || /^\d+$/.test(answer.trim()) ? keys : input.answer(dialog, answer)
    return asText._tag === "Keys" ? asText : keys
  }
  const press = Effect.fn("Answerer.answer")(function* (answer: string, expected: Dialog | undefined) {
    const dialog = present()
    if (dialog === null) {
      const { view } = runtime.memory().tracker
      return yield* refuse(`there is no dialog to answer: '${spec.tag}' is ${view.state} (${reasonWords(view)})`)
    }
    // The keys of an unknown dialog, and the meaning of its options, are not known.
    if (runtime.memory().tracker.facts.screen.unknown === true)
      return yield* refuse(`this dialog is not known to leap: answer it in 'leap attach ${spec.tag}'`)
    if (expected !== undefined && !Equal.equals(dialog, expected)) return yield* refuse("the dialog has changed")
    const choice = expected === undefined ? choiceOf(dialog, answer) : Result.succeed({ _tag: "Other" } as const)
    if (Result.isFailure(choice)) return yield* refuse(choice.failure)
    const option = choice.success._tag === "Option" ? choice.success.option : null
    const keys = keysFor(dialog, option, answer)
    if (keys._tag === "Refused") return yield* refuse(keys.why)
    for (const write of keys.writes) {
      if (hasEnded()) break
      let hasReacted = false
      for (let tries = expected === undefined ? keyTries : 1; !hasReacted && tries > 0; tries--) {
        const before = present()
        if (before === null) return yield* refuse("the dialog went away before the answer was complete")
        const held = draft()
        const text = stripControls(write)
        const elsewhere = `the keys go to its input box, and not to the dialog: answer it in 'leap attach ${spec.tag}'`
        // a key that is no text could send or change the text in the box
        if (text === "" && held !== "") return yield* refuse(elsewhere)
        keyboard.pressOwn(utf8ToLatin1(write), text)
        hasReacted = yield* changes(before)
        if (!hasReacted && text !== "" && draft() === held + text) {
          keyboard.pressOwn(backspaces(text), "")
          return yield* refuse(elsewhere)
        }
      }
      if (!hasReacted) {
        const why = `the dialog did not react to ${JSON.stringify(write)}: answer it in 'leap attach ${spec.tag}'`
        return yield* refuse(why)
      }
    }
    const wanted = answer.trim().toLowerCase()
    const chosen =
      option ??
      dialog.options.find(
        ({ label, number }, index) => String(number ?? index + 1) === wanted || label.toLowerCase() === wanted
      )
    return { dialog, answer: chosen?.label ?? answer.trim() }
  })
  return Answerer.of({ answer: (answer, expected) => mutex.withPermits(1)(press(answer, expected)) })
})

export const layer = Layer.effect(Answerer, make)
