import { Context, Effect, Option } from "effect"
import { CliOutput } from "effect/cli"
import type { FirstPage, HelpPage } from "../../../domain/words/arguments/helpText.ts"
import { commandGroups } from "../../../domain/words/session/commandGroups.ts"
import type { Output } from "../../../services/Output.ts"
import { typeOnPage } from "./toggle.ts"

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

export const ListsAll = Context.Reference<boolean>("leap/ListsAll", { defaultValue: () => false })

/** A help page: leap's first one, that of all commands (`listsAll`), or a command's with its own flags. */
export const helpPage = (
  { commandPath, helpDoc }: CliOutput.Presenter.Help,
  listsAll: boolean
): HelpPage | FirstPage => {
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

/**
 * Requested help goes to standard output. A line without its required subcommand gets the same help on standard error.
 * Any other wrong line gets only its error message.
 */
export const presenter = (output: Output["Service"]): CliOutput.Presenter => ({
  present: (event) => {
    switch (event._tag) {
      case "InvalidInvocation":
        return Effect.void
      case "Help":
        return Effect.gen(function* () {
          const { helpColumns, helpText } = yield* Effect.promise(
            () => import("../../../domain/words/arguments/helpText.ts")
          )
          const isAsked = event.reason === "Requested"
          const isTerminal = isAsked ? output.isTerminal : output.errorIsTerminal && output.isTerminal
          const columns = helpColumns(isTerminal ? yield* output.columns : null)
          const text = helpText(helpPage(event, yield* ListsAll), { colour: isTerminal && output.colour, columns })
          yield* isAsked ? output.line(text) : output.note(text)
        })
      case "Version":
        return output.line(
          CliOutput.defaultFormatter({ colors: output.colour }).formatVersion(event.name, event.version)
        )
    }
  }
})
