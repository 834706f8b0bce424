// The help page of each command. Making them takes the parser, and for the first page all commands: five times what Node takes to start.
import * as NodeServices from "@effect/platform-node/NodeServices"
import { Effect, Layer, Option, Stream } from "effect"
import { CliOutput } from "effect/cli"
import type { CompletionCommand } from "../../src/domain/words/arguments/Completion.ts"
import type { FirstPage, HelpPage } from "../../src/domain/words/arguments/helpText.ts"
import { allCommands } from "../../src/domain/words/arguments/helpWords.ts"
import { builtIns, runCommandLine } from "../../src/programs/cli.ts"
import { commandGroups } from "../../src/domain/words/session/commandGroups.ts"
import { Output } from "../../src/services/Output.ts"
import { typeOnPage } from "./commandPages.ts"
import { completionRoot } from "./completionTree.ts"

/** Flags of every command, which only the page of all commands lists. */
const onlyOnAllPage: ReadonlySet<string> = new Set(["completions", "log-level", "version"])

const firstLine = (text: string): string => text.split("\n")[0] ?? ""

type Doc = CliOutput.Presenter.Help["helpDoc"]
type Rows = HelpPage["lists"][number][1]

const flagRows = (flags: Doc["flags"]): Rows =>
  flags.map(({ aliases, description, name, type }) => [
    [`--${name}`, ...aliases].join(", "),
    typeOnPage(type),
    Option.getOrElse(description, () => "")
  ])

const argumentRows = (args: NonNullable<Doc["args"]>): Rows =>
  args.map(({ description, name, required, type, variadic }) => [
    `${name}${variadic ? "..." : ""}`,
    type,
    `${Option.getOrElse(description, () => "")}${required ? "" : " (optional)"}`
  ])

type Listed = NonNullable<Doc["subcommands"]>
type ListedCommand = Listed[number]["commands"][number]

const commandRows = (commands: ReadonlyArray<ListedCommand>): Rows =>
  commands.map(({ description, name }) => [name, "", firstLine(description)] as const)

const daily: ReadonlySet<string> = new Set(commandGroups.flatMap(({ daily }) => [...daily]))

/** Leap's first page: the everyday commands by purpose. */
const firstPage = ({ description, subcommands = [] }: Doc): FirstPage => ({
  description: firstLine(description),
  forms: [
    ["leap", "all sessions on one screen"],
    ["leap <tag> [--cli NAME] [-- ARGS…]", "start a session, or show its screen"],
    ["leap <command> --help", "a command's flags"]
  ],
  groups: subcommands.flatMap(({ commands, group }): FirstPage["groups"] => {
    const rows = commands
      .filter(({ name }) => daily.has(name))
      .map(({ description, name, shortDescription }) => [name, shortDescription ?? firstLine(description)] as const)
    return rows.length === 0 ? [] : [[group ?? "", rows]]
  }),
  more: [
    ["leap help --all", "all commands"],
    ["leap help docs", "the documents"]
  ]
})

const allPage = ({ description, globalFlags = [], subcommands = [], usage }: Doc): HelpPage => ({
  description,
  usage: [usage],
  lists: [
    ...subcommands.map(({ commands, group }) => [(group ?? "").toUpperCase(), commandRows(commands)] as const),
    ["GLOBAL FLAGS", flagRows(globalFlags)]
  ]
})

/** A help page in leap's own terms: its main form first, and on a command's page that command's own flags. */
const helpPage = ({ commandPath, helpDoc }: CliOutput.Presenter.Help, listsAll: boolean): HelpPage | FirstPage => {
  if (commandPath.length <= 1) return listsAll ? allPage(helpDoc) : firstPage(helpDoc)
  const { args = [], description, flags, globalFlags = [], subcommands = [], usage } = helpDoc
  const lists: HelpPage["lists"] = [
    ["ARGUMENTS", argumentRows(args)],
    ["FLAGS", flagRows(flags)],
    ["GLOBAL FLAGS", flagRows(globalFlags.filter(({ name }) => !onlyOnAllPage.has(name)))],
    ["SUBCOMMANDS", commandRows(subcommands.flatMap(({ commands }) => commands))]
  ]
  return { description, usage: [usage], lists: lists.filter(([, rows]) => rows.length > 0) }
}

/** What the whole program says in the help of these words; of `--all`, in that of all commands. */
export const pageOf = (words: ReadonlyArray<string>): Effect.Effect<HelpPage | FirstPage> => {
  const found: Array<HelpPage | FirstPage> = []
  const output = Output.of({
    isTerminal: false,
    inputIsTerminal: false,
    errorIsTerminal: false,
    outputClosed: Effect.never,
    sharedWith: Effect.succeed(null),
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
      ? Effect.sync(() => void found.push(helpPage(event, words[0] === allCommands)))
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
