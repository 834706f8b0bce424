// What shells complete, as the parser of the commands describes itself.
import { Effect } from "effect"
import type { HelpDoc } from "effect/cli"
import type { CompletionCommand } from "../../src/domain/words/arguments/Completion.ts"
import { settingsList } from "../../src/domain/store/settings/settingsList.ts"
import { oneLine } from "../../src/domain/words/text/printable.ts"
import { registrations } from "../../src/layers/providers/ProvidersBuiltin.ts"
import { choicesOf, pageOf, purposeOf, typeOnPage } from "./commandPages.ts"
import { moduleOf } from "./moduleOf.ts"

/** As much as a shell shows beside a word. */
const short = (text: string): string => oneLine(text.split("\n")[0] ?? "", 60)

const flagOf = (flag: HelpDoc.FlagDoc) => ({
  names: [`--${flag.name}`, ...flag.aliases],
  values: typeOnPage(flag.type) === "" ? null : choicesOf(flag),
  text: short(purposeOf(flag))
})

const read = (words: ReadonlyArray<string>, text: string): Effect.Effect<CompletionCommand> =>
  Effect.gen(function* () {
    const page = yield* pageOf(words)
    const below = (page.subcommands ?? []).flatMap(({ commands }) => [...commands])
    return {
      name: words.at(-1) ?? "leap",
      text: short(text),
      flags: [...page.flags, ...(page.globalFlags ?? [])].map(flagOf),
      operands: (page.args ?? []).map(({ name, variadic }) => (variadic ? `${name.replace(/\.\.\.$/, "")}...` : name)),
      commands: yield* Effect.forEach(below, (one) => read([...words, one.name], one.description))
    }
  })

/** leap itself, with all commands below it. */
export const completionRoot: Effect.Effect<CompletionCommand> = read([], "")

/** The words that a setting can be; none where it is a text, a number, a list. */
const wordsOf = (takes: string): ReadonlyArray<string> => (takes.includes("|") ? takes.split("|") : [])

/** The text of completionTree.mts. */
export const completionTree: Effect.Effect<string> = Effect.map(completionRoot, (root) => {
  const clis = registrations.map(({ identity }) => ({ value: identity.id, text: identity.displayName }))
  const settings = settingsList().map(({ description, name, takes }) => ({
    value: name,
    text: short(description),
    takes: takes.endsWith(" or null") ? [...wordsOf(takes.slice(0, -8)), "null"] : wordsOf(takes)
  }))
  return moduleOf({ root, clis, settings })
})
