// Writes src/thin/helpPages.json, the help page of each command: `node scripts/help-pages.ts` after a change of commands
// or flags. Making them takes the parser, and for the first page all commands: five times what Node takes to start.
import * as NodeServices from "@effect/platform-node/NodeServices"
import { Effect, Layer, Stream } from "effect"
import { CliOutput } from "effect/cli"
import * as fs from "node:fs"
import * as path from "node:path"
import type { CompletionCommand } from "../src/domain/arguments/Completion.ts"
import type { HelpPage } from "../src/domain/arguments/helpText.ts"
import { builtIns, runCommandLine } from "../src/programs/cli.ts"
import { helpPage } from "../src/programs/commands/helpPresenter.ts"
import { Output } from "../src/services/Output.ts"
import { completionRoot } from "./completion-tree.ts"

export const file = path.join(import.meta.dirname, "../src/thin/helpPages.json")

/** What the whole program says in the help of these words. */
export const pageOf = (words: ReadonlyArray<string>): Effect.Effect<HelpPage> => {
  const found: Array<HelpPage> = []
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
    event._tag === "Help" ? Effect.sync(() => void found.push(helpPage(event))) : Effect.die(event._tag)
  const layers = Layer.mergeAll(
    NodeServices.layer,
    Layer.succeed(Output, output),
    CliOutput.layerPresenter({ present }),
    builtIns
  )
  // no command runs: its help is asked for
  const run = Effect.scoped(runCommandLine([...words, "--help"], "0")) as Effect.Effect<number, never, never>
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

/** The text of the file: each page under its command's words, as JSON of its own, since one is read of all. */
export const text: Effect.Effect<string> = Effect.gen(function* () {
  const pages = yield* Effect.forEach(yield* paths, (words) =>
    Effect.map(pageOf(words), (page) => [words.join(" "), JSON.stringify(page)] as const)
  )
  return `${JSON.stringify(Object.fromEntries(pages), null, 1)}\n`
})

if (import.meta.main) fs.writeFileSync(file, await Effect.runPromise(text))
