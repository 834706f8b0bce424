import fs from "node:fs"
import os from "node:os"
import path from "node:path"
import { emitDeclarations } from "../pack/declarations.mjs"
import { entries } from "../pack/manifest.mjs"
import { reportOf } from "./report.mjs"

/** By what a program imports an entry as. */
const importedAs = { index: "leap", host: "leap/host", testing: "leap/testing", testingSuite: "leap/testing/suite" }

/** The reports of the library as it is now: their files, and what is to be in them. */
export const reportsNow = (root) => {
  const out = fs.mkdtempSync(path.join(os.tmpdir(), "leap-api-"))
  try {
    emitDeclarations(root, out, entries, { removeComments: true })
    const read = (file) => {
      const declarations = file.replace(/\.ts$/, ".d.ts")
      return path.isAbsolute(file) && fs.existsSync(declarations) ? fs.readFileSync(declarations, "utf8") : null
    }
    return entries.map((entry) => {
      const name = importedAs[entry]
      const head = `# What \`${name}\` exports. Made by 'npm run api', held to it by test/scripts/apiReport.live.test.ts.`
      const text = reportOf(path.join(out, "src", `${entry}.ts`), read)
      return { file: path.join(root, "api", `${name.replaceAll("/", "-")}.txt`), text: `${head}\n\n${text}` }
    })
  } finally {
    fs.rmSync(out, { recursive: true, force: true })
  }
}
