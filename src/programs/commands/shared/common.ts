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

export const wordArgument = (name: string, description: string) =>
  Argument.String(name).pipe(Argument.withDescription(description))

export const tagArgument = wordArgument("tag", "The session's name").pipe(Argument.withSchema(Tag))

/** Another session than the one that a command is about, or one that may be left out. */
export const optionalTag = (description: string) =>
  wordArgument("tag", description).pipe(Argument.withSchema(Tag), Argument.optional)

export const jsonFlag = toggle("json", "Print one JSON document")

export const textFlag = (name: string, description: string) =>
  Flag.String(name).pipe(Flag.withDescription(description), Flag.optional)

export const choiceFlag = <const Words extends ReadonlyArray<string>>(
  name: string,
  words: Words,
  description: string
) => Flag.Literals(name, words).pipe(Flag.withDescription(description), Flag.optional)

/** A text flag that may be repeated. */
export const textFlags = (name: string, description: string) =>
  Flag.String(name).pipe(Flag.withDescription(description), Flag.atLeast(0))

export const tagFlag = (name: string, description: string) =>
  Flag.String(name).pipe(Flag.withDescription(description), Flag.withSchema(Tag), Flag.optional)

/** `what`: the kind of number, for the error. */
export const aboveZero = (what: string) =>
  Flag.filter(
    (given: number) => given > 0,
    () => `expected ${what} above 0`
  )

export const countFlag = (name: string, description: string, what = "a number") =>
  Flag.Int(name).pipe(Flag.withDescription(description), aboveZero(what))

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
