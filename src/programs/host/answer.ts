import { Effect, Equal, Schedule, Semaphore } from "effect"
import { utf8ToLatin1 } from "../../domain/Bytes.ts"
import type { Dialog } from "../../domain/Screen.ts"
import type { ProviderRecord } from "../../services/CLIProvider.ts"
import { RefusedError } from "../../services/HostRpc.ts"
import type { Runtime } from "./runtime.ts"

/** How long a dialog may take to show what a key did. */
const keyPatience = "1 second"
/** A CLI may drop keys that come right behind its dialog, lest they were meant for something else: so often they are repeated. */
const keyTries = 4

export interface AnswererOptions {
  readonly tag: string
  readonly provider: Pick<ProviderRecord, "input">
  readonly runtime: Pick<Runtime, "memory">
  /** Keys (latin1) that go to the CLI. */
  readonly keys: (data: string) => Effect.Effect<void>
}

/** What was answered: the dialog as it was, and the option or text that answered it. */
export interface Answered {
  readonly asked: Dialog
  readonly answer: string
}

/** Answers the dialog on screen. With `expected` only this one, and with each key pressed but once. */
export type Answerer = (answer: string, expected?: Dialog) => Effect.Effect<Answered, RefusedError>

const refuse = (why: string) => new RefusedError({ why, exitCode: 5 })

/**
 * Presses the keys of one answer, each a write of its own. Before each press a dialog must be on the screen (a key for one
 * that has gone would land in the input box), and after it the dialog must have changed or gone. One answer at a time.
 */
export const makeAnswerer = Effect.fn("makeAnswerer")(function*({ keys, provider, runtime, tag }: AnswererOptions): Effect.fn.Return<Answerer> {
  const turn = yield* Semaphore.make(1)
  const shown = () => runtime.memory().tracker.facts.screen.dialog
  /** Some dialogs end the CLI: its host goes too, so nothing may wait then. */
  const ended = () => runtime.memory().tracker.view.state === "exited"
  const changed = (before: Dialog) =>
    Effect.suspend(() => !ended() && Equal.equals(shown(), before) ? Effect.fail("the same") : Effect.void).pipe(
      Effect.retry(Schedule.spaced("20 millis")),
      Effect.timeout(keyPatience),
      Effect.match({ onSuccess: () => true, onFailure: () => false })
    )
  const press = Effect.fn("answerDialog")(function*(answer: string, expected: Dialog | undefined) {
    const asked = shown()
    if (asked === null) {
      const { reason, state } = runtime.memory().tracker.view
      return yield* refuse(`there is no dialog to answer: '${tag}' is ${state} (${reason})`)
    }
    if (expected !== undefined && !Equal.equals(asked, expected)) return yield* refuse("the dialog has changed")
    const answers = provider.input.answer(asked, answer)
    if (answers._tag === "Refused") return yield* refuse(answers.why)
    for (const write of answers.writes) {
      if (ended()) break
      let took = false
      for (let tries = expected === undefined ? keyTries : 1; !took && tries > 0; tries--) {
        const before = shown()
        if (before === null) return yield* refuse("the dialog went away before the answer was complete")
        yield* keys(utf8ToLatin1(write))
        took = yield* changed(before)
      }
      if (!took) return yield* refuse(`the dialog did not react to ${JSON.stringify(write)}: answer it in 'leap attach ${tag}'`)
    }
    const wanted = answer.trim().toLowerCase()
    const chosen = asked.options.find(({ label, number }, index) => String(number ?? index + 1) === wanted || label.toLowerCase() === wanted)
    return { asked, answer: chosen?.label ?? answer.trim() }
  })
  return (answer, expected) => turn.withPermits(1)(press(answer, expected))
})
