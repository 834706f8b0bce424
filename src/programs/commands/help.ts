import { Effect } from "effect"
import { Argument, Command } from "effect/cli"
import { oneLine } from "../../domain/words/text/printable.ts"
import { pageText, pageTitle, wrapPage } from "../../domain/words/arguments/helpPage.ts"
import { table } from "../../domain/words/wording/StateLine.ts"
import { HelpPages } from "../../services/HelpPages.ts"
import { Output } from "../../services/Output.ts"
import { fail } from "../exit.ts"
import { toggle, wordArgument } from "./shared/common.ts"

/** An optional word before a page's name, needed if a command has the same name. */
const before = "docs"

const fewestColumns = 20

export const help = Command.make(
  "help",
  {
    // `parseCommandLine` handles a line with this flag alone
    all: toggle("all", "List all commands, by their purpose"),
    words: wordArgument(
      "page",
      "A command, for its flags; a page of the documents, to read it ('docs <page>' where a command has that name " +
        "too); 'docs' lists the pages"
    ).pipe(Argument.variadic())
  },
  Effect.fn(function* ({ all, words }) {
    if (all) return yield* fail("usage", "--all lists the commands, and takes no page: 'leap help --all'")
    const output = yield* Output
    const pages = yield* (yield* HelpPages).all
    const [name, ...more] = words[0] === before ? words.slice(1) : words
    if (name === undefined) return yield* output.line(table([...pages].map(([page, text]) => [page, pageTitle(text)])))
    const page = more.length === 0 ? pages.get(name) : undefined
    if (page === undefined) {
      const what = oneLine([name, ...more].join(" "), 60)
      return yield* fail(
        "usage",
        `'${what}' is neither a command nor a page; there are ${[...pages.keys()].join(", ")}`
      )
    }
    const text = pageText(page)
    yield* output.line(output.isTerminal ? wrapPage(text, Math.max(fewestColumns, yield* output.columns)) : text)
  })
).pipe(Command.withDescription("A command's flags, or a page of the documents; 'leap help docs' lists those"))
