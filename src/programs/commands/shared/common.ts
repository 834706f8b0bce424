import { Effect, Option } from "effect"
import { Argument, Flag } from "effect/cli"
import { spanOf } from "../../../domain/words/reading/span.ts"
import { Tag } from "../../../domain/words/session/Tag.ts"
import { fail } from "../../exit.ts"
import { Output } from "../../../services/Output.ts"

/**
 * A boolean flag that takes no separate word as its value, unlike the parser's own: in `leap forget --worktree y` the
 * `y` is a session. `--worktree=false` switches it off.
 */
export const toggle = (name: string, description: string) =>
  Flag.Boolean(name).pipe(Flag.withOptionalValue("true"), Flag.withDescription(description), Flag.withDefault(false))

export const tagArgument = Argument.String("tag").pipe(
  Argument.withDescription("The session's name"),
  Argument.withSchema(Tag)
)

export const jsonFlag = toggle("json", "Print one JSON document")

/** A duration in seconds: a number, or a form like `90s`, `5m` or `1h30m`. */
export const secondsFlag = (name: string, description: string) =>
  Flag.String(name).pipe(
    Flag.withDescription(description),
    Flag.withMetavar("number"),
    Flag.filterMap(
      (text) => {
        const seconds = /^\d*\.?\d+$/.test(text) ? Number(text) : (spanOf(text) ?? 0) / 1_000
        return seconds > 0 ? Option.some(seconds) : Option.none()
      },
      () => "expected a number of seconds above 0, or 90s, 5m, 1h"
    ),
    Flag.optional
  )

export const timeoutFlag = secondsFlag("timeout", "Give up after this many seconds, or 5m, 1h (exit code 4)")

export const textOrStdin = Effect.fn("textOrStdin")(function* (argument: string) {
  if (argument !== "-") return argument
  return yield* (yield* Output).stdin
})

/** Fails with exit code 4 when `effect` takes longer than `seconds`. */
export const within =
  (seconds: Option.Option<number>, what: string) =>
  <A, E, R>(effect: Effect.Effect<A, E, R>) =>
    Option.match(seconds, {
      onNone: () => effect,
      onSome: (limit) =>
        Effect.timeoutOrElse(effect, {
          duration: limit * 1000,
          orElse: () => Effect.fail(fail("timedOut", `${what} within ${limit} seconds`))
        })
    })

export const print = Effect.fn("print")(function* (json: boolean, document: unknown, text: () => string) {
  const output = yield* Output
  const rendered = json ? JSON.stringify(document) : text()
  if (rendered !== "") yield* output.line(rendered)
})
