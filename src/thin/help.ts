import pages from "./helpPages.json" with { type: "json" }
import { line, usesColour } from "./print.ts"

const style = new RegExp(`${String.fromCharCode(0x1b)}\\[[\\d;]*m`, "g")

/** Prints the help page of the command with these words; says whether there is one. */
export const help = (words: ReadonlyArray<string>): boolean => {
  const name = words.join(" ")
  if (!Object.hasOwn(pages, name)) return false
  const page = (pages as Readonly<Record<string, string>>)[name] ?? ""
  line(usesColour() ? page : page.replace(style, ""))
  return true
}
