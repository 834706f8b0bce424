import fs from "node:fs"
import path from "node:path"
import { entries } from "../pack/manifest.mjs"
import { pageOf, reportOf } from "./report.mjs"

/** By what a program imports an entry as. */
const importedAs = { index: "leap", host: "leap/host", testing: "leap/testing", testingSuite: "leap/testing/suite" }

/** The comment with which a file begins and that is about the whole of it: what follows is no declaration. */
const begins = /^(\/\*\*[\s\S]*?\*\/)\n(?:\n|import )/

/** Where the report is kept. */
export const keptReport = (root) => path.join(root, "api/exports.txt")

/**
 * What the library exports, from what the compiler declared of it in the folder `out`. `report`: a line for each name,
 * for reviews; `pages`: the names with their signatures and what their comments say, by the name of the entry.
 */
export const exportsIn = (root, out) => {
  const read = (file) => {
    const declarations = file.replace(/\.ts$/, ".d.ts")
    if (!path.isAbsolute(file) || !fs.existsSync(declarations)) return null
    return fs.readFileSync(declarations, "utf8").replace(/\n\/\/# sourceMappingURL=.*\n?$/, "\n")
  }
  const aboutOf = (file) => {
    const source = path.join(root, path.relative(out, file))
    return fs.existsSync(source) ? (begins.exec(fs.readFileSync(source, "utf8"))?.[1] ?? null) : null
  }
  const each = entries.map((entry) => [importedAs[entry], path.join(out, "src", `${entry}.ts`)])
  return {
    report: [
      "# What the library exports, with a sum over each signature: written by 'npm run api', read in reviews",
      ...each.flatMap(([name, entry]) => ["", `# ${name}`, ...reportOf(entry, read)]),
      ""
    ].join("\n"),
    pages: each.map(([name, entry]) => ({
      name: name.replaceAll("/", "-"),
      text: pageOf(`\`${name}\``, entry, read, aboutOf)
    }))
  }
}
