// The help page of each command. Making them takes the parser, and for the first page all commands: five times what Node takes to start.
import * as NodeServices from "@effect/platform-node/NodeServices"
import { Effect, Layer, Stream } from "effect"
import { CliOutput } from "effect/cli"
import type { CompletionCommand } from "../../src/domain/words/arguments/Completion.ts"
import type { FirstPage, HelpPage } from "../../src/domain/words/arguments/helpText.ts"
import { allCommands } from "../../src/domain/words/arguments/helpWords.ts"
import { builtIns, runCommandLine } from "../../src/programs/cli.ts"
import { helpPage, ListsAll } from "../../src/programs/commands/shared/helpPresenter.ts"
import { Output } from "../../src/services/Output.ts"
import { completionRoot } from "./completionTree.ts"

/** What the whole program says in the help of these words; of `--all`, in that of all commands. */
export const pageOf = (words: ReadonlyArray<string>): Effect.Effect<HelpPage | FirstPage> => {
  const found: Array<HelpPage | FirstPage> = []
  const output = Output.of({
    isTerminal: false,
    inputIsTerminal: false,
    errorIsTerminal: false,
    outputClosed: Effect.never,
    colour: false,
    columns: Effect.succeed(80),
    line: (text) => Effect.die(text),
    raw: (text) => Effect.die(text),
    note: (text) => Effect.die(text),
    stdin: Effect.succeed(""),
    piped: Effect.succeed(""),
    stdinText: Stream.empty
  })
  const present: CliOutput.Presenter["present"] = (event) =>
    event._tag === "Help"
      ? Effect.map(ListsAll, (listsAll) => void found.push(helpPage(event, listsAll)))
      : Effect.die(event._tag)
  const layers = Layer.mergeAll(
    NodeServices.layer,
    Layer.succeed(Output, output),
    CliOutput.layerPresenter({ present }),
    builtIns
  )
  // no command runs: its help is asked for
  const line = words[0] === allCommands ? ["help", ...words] : [...words, "--help"]
  const run = Effect.scoped(runCommandLine(line, "0")) as Effect.Effect<number, never, never>
  return run.pipe(
    Effect.provide(layers),
    Effect.flatMap((code) => {
      const [page, ...others] = found
      return code === 0 && page !== undefined && others.length === 0
        ? Effect.succeed(page)
        : Effect.die(`leap ${words.join(" ")} --help ended with ${code}`)
    })
  )
}

/** The words of all commands, by their help: none for leap itself. */
export const paths: Effect.Effect<ReadonlyArray<ReadonlyArray<string>>> = Effect.map(completionRoot, (root) => {
  const below = (command: CompletionCommand, words: ReadonlyArray<string>): ReadonlyArray<ReadonlyArray<string>> => [
    words,
    ...command.commands.flatMap((one) => below(one, [...words, one.name]))
  ]
  return below(root, [])
})

/** The text of helpPages.json: each page under its command's words, as JSON of its own, since one is read of all. */
export const helpPages: Effect.Effect<string> = Effect.gen(function* () {
  const pages = yield* Effect.forEach([...(yield* paths), [allCommands]], (words) =>
    Effect.map(pageOf(words), (page) => [words.join(" "), JSON.stringify(page)] as const)
  )
  return `${JSON.stringify(Object.fromEntries(pages), null, 1)}\n`
})
