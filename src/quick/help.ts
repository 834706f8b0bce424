import { type FirstPage, helpColumns, type HelpPage, helpText } from "../domain/words/arguments/helpText.ts"
import pages from "#generated/helpPages.json" with { type: "json" }
import { isTerminal, line, usesColour } from "./print.ts"

export const help = (words: ReadonlyArray<string>): boolean => {
  const name = words.join(" ")
  if (!Object.hasOwn(pages, name)) return false
  const page = JSON.parse((pages as Readonly<Record<string, string>>)[name] ?? "") as HelpPage | FirstPage
  const columns = helpColumns(isTerminal() ? process.stdout.columns || 80 : null)
  line(helpText(page, { colour: usesColour(), columns }))
  return true
}
