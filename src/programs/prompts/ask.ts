import { type Cause, Effect, Queue, Stream } from "effect"
import type { Key } from "../../domain/surfaces/tui/Keys.ts"
import { encodeLine } from "../../domain/surfaces/tui/Paint.ts"
import * as Prompt from "../../domain/surfaces/tui/Prompt.ts"
import { Output } from "../../services/Output.ts"
import { takeKeys } from "../../services/takeKeys.ts"
import { UserTerminal } from "../../services/UserTerminal.ts"
import { fail } from "../exit.ts"

/** Bracketed paste, and no wrapping, so that each row stays one on a narrow terminal. */
const enter = "\x1b[?2004h\x1b[?7l"
const leave = "\x1b[?25h\x1b[?7h\x1b[?2004l\r\n\x1b[J"

/** The completions of the text before the cursor; null if they are not known in time. */
export type Completing<R> = (text: string) => Effect.Effect<ReadonlyArray<string> | null, never, R>

/** Asks on the cursor's line until the entry passes `check`. Fails if the user cancels (Escape, Ctrl+C, Ctrl+D). */
const ask = Effect.fn("ask")(function* <E, R>(
  begun: Prompt.Prompt,
  check: (text: string) => Effect.Effect<string | null, E, R>,
  complete?: Completing<R>
) {
  const terminal = yield* UserTerminal
  const { colour } = yield* Output
  yield* terminal.raw
  yield* terminal.restoreOnExit(leave)
  yield* Effect.addFinalizer(() => terminal.leave(leave))
  yield* terminal.write(enter)
  /** Null: the terminal's size has changed. */
  const events = yield* Queue.unbounded<Key | null, Cause.Done>()
  yield* takeKeys((key) => Queue.offer(events, key), Queue.end(events))
  yield* terminal.sizes.pipe(
    Stream.runForEach(() => Queue.offer(events, null)),
    Effect.forkScoped({ startImmediately: true })
  )
  let prompt = begun
  for (;;) {
    const size = yield* terminal.size
    const { cursor, lines } = Prompt.view(prompt, size)
    const below = lines.length === 1 ? "" : `\x1b[${lines.length - 1}A`
    const at = cursor === null ? "\x1b[?25l" : `\x1b[${cursor.x + 1}G\x1b[?25h`
    yield* terminal.write(`\r\x1b[J${lines.map((line) => encodeLine(line, colour)).join("\r\n")}${below}\r${at}`)
    const key = yield* Queue.take(events).pipe(Effect.catch(() => fail("cancelled", "")))
    if (key === null) continue
    if (key.key === "tab" && complete !== undefined) {
      prompt = Prompt.complete(prompt, yield* complete(Prompt.beforeCursor(prompt)))
      continue
    }
    const [next, end] = Prompt.press(prompt, key)
    prompt = next
    if (end === null) continue
    const why = end === "leave" ? null : yield* check(Prompt.textOf(prompt))
    prompt = { ...prompt, why }
    if (why !== null) continue
    yield* terminal.write(`\r\x1b[J${encodeLine(Prompt.answered(prompt, size.cols, end === "enter"), colour)}`)
    return end === "enter" ? prompt : yield* fail("cancelled", "")
  }
}, Effect.scoped)

export const askChoice = <A>(
  message: string,
  choices: ReadonlyArray<{ readonly title: string; readonly value: A; readonly key?: string }>
) =>
  Effect.map(
    ask(Prompt.start(message, { choices }), () => Effect.succeed(null)),
    ({ marked }) => choices[marked]!.value
  )

export const askYes = (message: string) =>
  askChoice(message, [
    { title: "no", value: false, key: "n" },
    { title: "yes", value: true, key: "y" }
  ])

/** Asks for a text. `given`: the default for an empty entry; `complete`: the completions of Tab. */
export const askText = <E = never, R = never>(
  message: string,
  given = "",
  check: (text: string) => Effect.Effect<string | null, E, R> = () => Effect.succeed(null),
  complete?: Completing<R>
) => Effect.map(ask(Prompt.start(message, { given }), check, complete), Prompt.textOf)
