import { Effect, Layer } from "effect"
import { CliOutput } from "effect/cli"
import type { FirstPage, HelpPage } from "../../domain/words/arguments/helpText.ts"
import { allCommands } from "../../domain/words/arguments/helpWords.ts"
import { Output } from "../../services/Output.ts"

/** Loaded for a help page only. */
const load = Effect.promise(() =>
  Promise.all([
    import("../../domain/words/arguments/helpText.ts"),
    import("#generated/helpPages.json", { with: { type: "json" } })
  ])
)

/**
 * Prints the pages that the build made. Requested help goes to standard output. A line without its required subcommand
 * gets the same help on standard error. Any other wrong line gets only its error message.
 */
export const layer = (argv: ReadonlyArray<string>): Layer.Layer<never, never, Output> =>
  Layer.unwrap(
    Effect.map(Output, (output) =>
      CliOutput.layerPresenter({
        present: (event) => {
          switch (event._tag) {
            case "InvalidInvocation":
              return Effect.void
            case "Help":
              return Effect.gen(function* () {
                const [{ helpColumns, helpText }, { default: pages }] = yield* load
                const isAll = argv[0] === "help" && argv[1] === allCommands
                const name = (isAll ? allCommands : event.commandPath.slice(1).join(" ")) as keyof typeof pages
                const page = JSON.parse(pages[name]) as HelpPage | FirstPage
                const isAsked = event.reason === "Requested"
                const isTerminal = isAsked ? output.isTerminal : output.errorIsTerminal && output.isTerminal
                const columns = helpColumns(isTerminal ? yield* output.columns : null)
                const text = helpText(page, { colour: isTerminal && output.colour, columns })
                yield* isAsked ? output.line(text) : output.note(text)
              })
            case "Version":
              return output.line(
                CliOutput.defaultFormatter({ colors: output.colour }).formatVersion(event.name, event.version)
              )
          }
        }
      })
    )
  )
