// Writes src/thin/completionTree.json, what shells complete: `node scripts/completion-tree.ts` after a change of commands
// or flags.
import * as NodeServices from "@effect/platform-node/NodeServices"
import { Effect, Layer, Option } from "effect"
import { CliConfig, CliOutput, Command, GlobalFlag, type HelpDoc } from "effect/cli"
import * as fs from "node:fs"
import * as path from "node:path"
import type { CompletionCommand } from "../src/domain/arguments/Completion.ts"
import { oneLine } from "../src/domain/text/printable.ts"
import { registrations } from "../src/layers/providers/ProvidersBuiltin.ts"
import { commandTree } from "../src/programs/cli.ts"
import { typeOnPage } from "../src/programs/commands/toggle.ts"

export const file = path.join(import.meta.dirname, "../src/thin/completionTree.json")

/** As much as a shell shows beside a word. */
const short = (text: string): string => oneLine(text.split("\n")[0] ?? "", 60)

/** The help page of a command, as the parser itself describes it. */
const pageOf = (words: ReadonlyArray<string>): Effect.Effect<HelpDoc.HelpDoc> => {
  let page: HelpDoc.HelpDoc | undefined
  const presenter = CliOutput.layerPresenter({
    present: (event) =>
      Effect.sync(() => {
        if (event._tag === "Help") page = event.helpDoc
      })
  })
  const config = CliConfig.layer({ builtIns: [GlobalFlag.Help] })
  // no command runs: its help is asked for
  const run = Effect.flatMap(commandTree, (root) => Command.runWith(root, { version: "" })([...words, "--help"]))
  return (run as Effect.Effect<void, unknown, never>).pipe(
    Effect.provide(Layer.mergeAll(NodeServices.layer, presenter, config)),
    Effect.orDie,
    Effect.flatMap(() => (page === undefined ? Effect.die(`no page of ${words.join(" ")}`) : Effect.succeed(page)))
  )
}

const flagOf = ({ aliases, description, name, type }: HelpDoc.FlagDoc) => {
  const text = Option.getOrElse(description, () => "")
  const choices = /\(choices: ([^)]*)\)/.exec(text)?.[1]?.split(", ") ?? []
  return {
    names: [`--${name}`, ...aliases],
    values: typeOnPage(type) === "" ? null : choices,
    text: short(text.replace(/ ?\(choices: [^)]*\)/, ""))
  }
}

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

/** The text of the file. */
export const text: Effect.Effect<string> = Effect.map(completionRoot, (root) => {
  const clis = registrations.map(({ identity }) => ({ value: identity.id, text: identity.displayName }))
  return `${JSON.stringify({ root, clis }, null, 1)}\n`
})

if (import.meta.main) fs.writeFileSync(file, await Effect.runPromise(text))
