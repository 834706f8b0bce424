import { Effect, Option } from "effect"
import { CliOutput } from "effect/cli"
import type { HelpPage } from "../../domain/arguments/helpText.ts"
import type { Output } from "../../services/Output.ts"
import { typeOnPage } from "./toggle.ts"

/** Flags of every command that a page does not repeat; the first page has them. */
const onlyOnFirstPage: ReadonlySet<string> = new Set(["completions", "log-level", "version"])

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

const commandRows = (groups: NonNullable<Doc["subcommands"]>): Rows =>
  groups.flatMap(({ commands }) => commands.map(({ description, name }) => [name, "", firstLine(description)] as const))

/** A help page in leap's own terms: its main form first, and on a command's page that command's own flags. */
export const helpPage = ({ commandPath, helpDoc }: CliOutput.Presenter.Help): HelpPage => {
  const isFirst = commandPath.length <= 1
  const { args = [], description, flags, globalFlags = [], subcommands = [], usage } = helpDoc
  const lists: HelpPage["lists"] = [
    ["ARGUMENTS", argumentRows(args)],
    ["FLAGS", flagRows(flags)],
    ["GLOBAL FLAGS", flagRows(globalFlags.filter(({ name }) => isFirst || !onlyOnFirstPage.has(name)))],
    ["SUBCOMMANDS", commandRows(subcommands)]
  ]
  return {
    description,
    usage: isFirst ? ["leap <tag> [--cli NAME] [-- ARGS…]    start a session, or join it", usage] : [usage],
    lists: lists.filter(([, rows]) => rows.length > 0)
  }
}

/**
 * Help that was requested goes to standard output, and fails where that takes nothing; a command line that lacks the
 * command's own command gets the same on standard error, and a wrong one its one line and no more.
 */
export const presenter = (output: Output["Service"]): CliOutput.Presenter => ({
  present: (event) => {
    switch (event._tag) {
      case "InvalidInvocation":
        return Effect.void
      case "Help":
        return Effect.gen(function* () {
          const { helpColumns, helpText } = yield* Effect.promise(() => import("../../domain/arguments/helpText.ts"))
          const isAsked = event.reason === "Requested"
          const isTerminal = isAsked ? output.isTerminal : output.errorIsTerminal && output.isTerminal
          const columns = helpColumns(isTerminal ? yield* output.columns : null)
          const text = helpText(helpPage(event), { colour: isTerminal && output.colour, columns })
          yield* isAsked ? output.line(text) : output.note(text)
        })
      case "Version":
        return output.line(
          CliOutput.defaultFormatter({ colors: output.colour }).formatVersion(event.name, event.version)
        )
    }
  }
})
