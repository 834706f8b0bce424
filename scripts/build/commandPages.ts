// What the parser of the commands says of each itself.
import * as NodeServices from "@effect/platform-node/NodeServices"
import { Effect, Layer, Option } from "effect"
import { CliConfig, CliOutput, Command, GlobalFlag, type HelpDoc } from "effect/cli"
import { commandTree } from "../../src/programs/cli.ts"

/** The help page of a command, as the parser itself describes it. */
export const pageOf = (words: ReadonlyArray<string>): Effect.Effect<HelpDoc.HelpDoc> => {
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

const choices = / ?\(choices: ([^)]*)\)/

const textOf = ({ description }: HelpDoc.FlagDoc): string => Option.getOrElse(description, () => "")

/** The words that a flag can have for its value; none where it has any, or no value. */
export const choicesOf = (flag: HelpDoc.FlagDoc): ReadonlyArray<string> =>
  choices.exec(textOf(flag))?.[1]?.split(", ") ?? []

/** What a flag is for, without its choices. */
export const purposeOf = (flag: HelpDoc.FlagDoc): string => textOf(flag).replace(choices, "")

/** The type on a help page: none for a toggle, and "choice" where the description lists the values. */
export const typeOnPage = (type: string): string =>
  type === "[=boolean]" || type === "boolean" ? "" : /^<.*\|.*>$/.test(type) ? "choice" : type
