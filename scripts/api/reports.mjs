import fs from "node:fs"
import os from "node:os"
import path from "node:path"
import { emitDeclarations } from "../pack/declarations.mjs"
import { entries } from "../pack/manifest.mjs"
import { pageOf, reportOf } from "./report.mjs"

/** By what a program imports an entry as. */
const importedAs = { index: "leap", host: "leap/host", testing: "leap/testing", testingSuite: "leap/testing/suite" }

/** What the compiler declares of the library, read by the paths of its modules, while `use` runs. */
const declared = (root, more, use) => {
  const out = fs.mkdtempSync(path.join(os.tmpdir(), "leap-api-"))
  try {
    emitDeclarations(root, out, entries, more)
    const read = (file) => {
      const declarations = file.replace(/\.ts$/, ".d.ts")
      return path.isAbsolute(file) && fs.existsSync(declarations) ? fs.readFileSync(declarations, "utf8") : null
    }
    return use(read, out)
  } finally {
    fs.rmSync(out, { recursive: true, force: true })
  }
}

const each = (folder, ending, make) =>
  entries.map((entry) => {
    const name = importedAs[entry]
    return { file: path.join(folder, `${name.replaceAll("/", "-")}${ending}`), text: make(entry, name) }
  })

const by = "Made by 'npm run api', held to it by test/scripts/apiReport.live.test.ts."

/** The reports of the library as it is now: their files, and what is to be in them. */
export const reportsNow = (root) =>
  declared(root, { removeComments: true }, (read, out) =>
    each(path.join(root, "api"), ".txt", (entry, name) => {
      const text = reportOf(path.join(out, "src", `${entry}.ts`), read)
      return `# What \`${name}\` exports. ${by}\n\n${text}`
    })
  )

/** The comment with which a file begins and that is about the whole of it: what follows is no declaration. */
const begins = /^(\/\*\*[\s\S]*?\*\/)\n(?:\n|import )/

/** The pages about the library, for its users: the same names with what their comments say. */
export const pagesNow = (root) =>
  declared(root, {}, (read, out) => {
    const aboutOf = (file) => {
      const source = path.join(root, path.relative(out, file))
      return fs.existsSync(source) ? (begins.exec(fs.readFileSync(source, "utf8"))?.[1] ?? null) : null
    }
    return each(path.join(root, "docs/api"), ".md", (entry, name) => {
      const text = pageOf(`\`${name}\``, path.join(out, "src", `${entry}.ts`), read, aboutOf)
      return `<!-- ${by} -->\n\n${text}`
    })
  })
