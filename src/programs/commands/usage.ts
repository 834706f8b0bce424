import { Effect, Option } from "effect"
import { Command, Flag } from "effect/cli"
import { oneLine, printable } from "../../domain/words/text/printable.ts"
import { table } from "../../domain/words/wording/StateLine.ts"
import { findPrice, type ModelPrice, type Rates } from "../../domain/cli/usage/Prices.ts"
import { formatTokens } from "../../domain/words/wording/Format.ts"
import { Output } from "../../services/Output.ts"
import { Prices } from "../../services/Prices.ts"
import { fail } from "../exit.ts"
import { countFlag, jsonFlag, print, tagArgument, textFlag } from "./shared/common.ts"
import { requireStatus } from "../client/statuses.ts"
import type { SessionStatus } from "../../domain/words/session/Session.ts"
import { Providers } from "../../services/Providers.ts"
import { typedHistory } from "../starting/typedHistory.ts"

/** Only the end of a longer file is read, if its entries are lines. */
const limit = 32 << 20

/** The prompts typed into a session's CLI in its directory, oldest first; also for an ended session. */
const inputHistory = Effect.fn("inputHistory")(function* (
  session: Pick<SessionStatus, "cli" | "cwd" | "displayName" | "tag">
) {
  const provider = yield* (yield* Providers).get(session.cli)
  if (provider.history === null)
    return yield* fail("failed", `${session.displayName} keeps no history of what was typed that leap can read`)
  return yield* typedHistory(provider, session.cwd, limit)
})

export const history = Command.make(
  "history",
  {
    tag: tagArgument,
    last: countFlag("last", "Only the last N").pipe(Flag.optional),
    json: jsonFlag
  },
  Effect.fn(function* ({ json, last, tag }) {
    const prompts = yield* inputHistory(yield* requireStatus(tag))
    const selected = Option.isNone(last) ? prompts : prompts.slice(-last.value)
    yield* print(json, { schema: 1, tag, prompts: selected }, () =>
      selected.map((prompt) => printable(prompt).replaceAll("\n", "\n  ")).join("\n")
    )
  })
).pipe(Command.withDescription("What was typed into the session's CLI in its directory, oldest first"))

/** Dollars per million tokens. */
const million = (rate: number | undefined): number | null =>
  rate === undefined ? null : Number((rate * 1e6).toPrecision(10))

const ratesOf = (rates: Rates) => ({
  input: million(rates.input),
  output: million(rates.output),
  cacheRead: million(rates.cacheRead),
  cacheWrite: million(rates.cacheWrite),
  cacheWriteLong: million(rates.cacheWriteLong),
  reasoning: million(rates.reasoning)
})

const document = (model: string, { rates, source, tiers, window }: ModelPrice) => ({
  model,
  source,
  window,
  ...ratesOf(rates),
  tiers: tiers.map(({ above, rates }) => ({ above, ...ratesOf(rates) }))
})

const row = (model: string, { rates, source, tiers, window }: ModelPrice): ReadonlyArray<string> => {
  const cell = (rate: number | undefined): string => (rate === undefined ? "-" : String(million(rate)))
  const more = tiers
    .map(({ above, rates }) => `above ${formatTokens(above)}: ${cell(rates.input)}/${cell(rates.output)}`)
    .join(", ")
  return [
    oneLine(model, 60),
    cell(rates.input),
    cell(rates.output),
    cell(rates.cacheRead),
    cell(rates.cacheWrite),
    window === null ? "-" : formatTokens(window),
    source,
    more
  ]
}

export const prices = Command.make(
  "prices",
  {
    model: textFlag("model", "Only the entry that counts for this model"),
    json: jsonFlag
  },
  Effect.fn(function* ({ json, model }) {
    const output = yield* Output
    const { file, shipped, table: all, warning } = yield* (yield* Prices).read
    const found = Option.isNone(model) ? null : findPrice(all, model.value)
    if (Option.isSome(model) && found === null) {
      return yield* fail(
        "notFound",
        `no price of '${model.value}' is known; a file named by "prices" in the settings can tell it`
      )
    }
    const entries =
      found === null
        ? [...all].toSorted(([a], [b]) => (a < b ? -1 : 1))
        : [...all].filter(([, price]) => price === found)
    if (warning !== null) yield* output.note(`leap: ${warning}`)
    yield* print(
      json,
      { schema: 1, shipped, file, warning, models: entries.map(([name, price]) => document(name, price)) },
      () =>
        table([
          ["MODEL", "INPUT", "OUTPUT", "CACHE READ", "CACHE WRITE", "WINDOW", "FROM", ""],
          ...entries.map(([name, price]) => row(name, price))
        ]) +
        `\n\nUS dollars for a million tokens. From leap: looked up ${shipped ?? "at an unknown time"}.` +
        (file === null ? "" : ` From file: ${file}`)
    )
  })
).pipe(Command.withDescription("What models cost, and where the prices are from"))
