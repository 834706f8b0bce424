import fs from "node:fs"
import os from "node:os"
import path from "node:path"
import { emitDeclarations } from "../pack/declarations.mjs"
import { entries } from "../pack/manifest.mjs"
import { pageOf, reportOf } from "./report.mjs"

/** By what a program imports an entry as. */
const importedAs = { index: "leap", host: "leap/host", testing: "leap/testing", testingSuite: "leap/testing/suite" }

/** What the compiler declares of the library: a folder, and how a module's declarations are read in it by the module's path. */
const declared = (root, use) => {
  const out = fs.mkdtempSync(path.join(os.tmpdir(), "leap-api-"))
  try {
    emitDeclarations(root, out, entries, {})
    const read = (file) => {
      const declarations = file.replace(/\.ts$/, ".d.ts")
      return path.isAbsolute(file) && fs.existsSync(declarations) ? fs.readFileSync(declarations, "utf8") : null
    }
    return use(read, out)
  } finally {
    fs.rmSync(out, { recursive: true, force: true })
  }
}

const comments = /^[ \t]*\/\*\*[\s\S]*?\*\/[ \t]*\n/gm
/** The same declarations without comments, and without the line breaks that the compiler makes beside those. */
const withoutComments = (read) => (file) =>
  read(file)
    ?.replaceAll(comments, "")
    .replaceAll(/ =\s*\n(?=[{|])/g, " = ")
    .replaceAll(/\n\s*(?=\| \{)/g, " ") ?? null

const each = (folder, ending, make) =>
  entries.map((entry) => {
    const name = importedAs[entry]
    return { file: path.join(folder, `${name.replaceAll("/", "-")}${ending}`), text: make(entry, name) }
  })

const by = "Made by 'npm run api', held to it by test/scripts/apiReport.live.test.ts."

/** The comment with which a file begins and that is about the whole of it: what follows is no declaration. */
const begins = /^(\/\*\*[\s\S]*?\*\/)\n(?:\n|import )/

/**
 * What is to be in the files about the library as it is now, each with its path. `reports`: what it exports, for
 * reviews; `pages`: the same names with what their comments say, for its users.
 */
export const exportsNow = (root) =>
  declared(root, (read, out) => {
    const entryOf = (entry) => path.join(out, "src", `${entry}.ts`)
    const aboutOf = (file) => {
      const source = path.join(root, path.relative(out, file))
      return fs.existsSync(source) ? (begins.exec(fs.readFileSync(source, "utf8"))?.[1] ?? null) : null
    }
    return {
      reports: each(path.join(root, "api"), ".txt", (entry, name) => {
        const text = reportOf(entryOf(entry), withoutComments(read))
        return `# What \`${name}\` exports. ${by}\n\n${text}`
      }),
      pages: each(path.join(root, "docs/api"), ".md", (entry, name) => {
        const text = pageOf(`\`${name}\``, entryOf(entry), read, aboutOf)
        return `<!-- ${by} -->\n\n${text}`
      })
    }
  })
