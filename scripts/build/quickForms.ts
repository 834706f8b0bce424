// The forms of the command lines that are read without the parser, made from what the parser says of itself, and the
// calls that may be made again where no answer came.
import { Effect } from "effect"
import type { HelpDoc } from "effect/cli"
import type { FlagForm, QuickForm } from "../../src/domain/words/arguments/QuickCommand.ts"
import { callNames } from "../../src/domain/surfaces/operations/calls.ts"
import { repeats } from "../../src/domain/surfaces/operations/operations.ts"
import { callCommands } from "../../src/domain/surfaces/operations/callCommands.ts"
import { choicesOf, pageOf, typeOnPage } from "./commandPages.ts"

/**
 * The quick commands by their words, with the supported flags; null for all flags. Any other flag needs the whole
 * program.
 */
const quickNames: Readonly<Record<string, ReadonlyArray<string> | null>> = {
  status: ["json"],
  "queue show": null,
  screen: null,
  last: null,
  wait: ["until", "timeout", "json"],
  keys: ["force"],
  mode: ["auto-send", "churn", "night", "json"],
  send: ["json", "front", "force"],
  log: null,
  report: null,
  audit: null,
  ...Object.fromEntries(
    callCommands.map(({ flags = [], json, name, sessions }) => [
      name,
      [...flags.map((flag) => flag.name), ...(sessions === "one" && json !== true ? [] : ["json"])]
    ])
  )
}

const valueOf = (flag: HelpDoc.FlagDoc): FlagForm => {
  const type = typeOnPage(flag.type)
  if (type === "") return "toggle"
  const choices = choicesOf(flag)
  if (choices.length > 0) return choices
  return type === "integer" || type === "number" ? type : "text"
}

const formOf = ({ args = [], flags }: HelpDoc.HelpDoc, known: ReadonlyArray<string> | null): QuickForm => ({
  least: args.filter(({ required }) => required).length,
  most: args.some(({ variadic }) => variadic) ? null : args.length,
  flags: Object.fromEntries(
    flags.filter(({ name }) => known?.includes(name) !== false).map((flag) => [`--${flag.name}`, valueOf(flag)])
  )
})

/** The text of quickForms.json. */
export const quickForms: Effect.Effect<string> = Effect.gen(function* () {
  const forms = yield* Effect.forEach(Object.entries(quickNames), ([name, known]) =>
    Effect.map(pageOf(name.split(" ")), (page) => [name, formOf(page, known)] as const)
  )
  const repeated = callNames.filter(repeats)
  return `${JSON.stringify({ commands: Object.fromEntries(forms), repeats: repeated })}\n`
})
