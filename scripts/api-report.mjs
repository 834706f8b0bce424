// Writes what the library exports to api/exports.txt, a line for each name: a change of the interface shows in review. The
// same with signatures and what comments say goes to pages in dist/api, for those who want to read it.
//
//   npm run api
import fs from "node:fs"
import os from "node:os"
import path from "node:path"
import { exportsIn, keptReport } from "./api/reports.mjs"
import { emitDeclarations } from "./pack/declarations.mjs"
import { entries } from "./pack/manifest.mjs"

const root = path.dirname(import.meta.dirname)
const out = fs.mkdtempSync(path.join(os.tmpdir(), "leap-api-"))
const write = (file, text) => {
  fs.mkdirSync(path.dirname(file), { recursive: true })
  fs.writeFileSync(file, text)
  process.stdout.write(`${path.relative(root, file)}  ${text.split("\n").length} lines\n`)
}
try {
  emitDeclarations(root, out, entries)
  const { pages, report } = exportsIn(root, out)
  write(keptReport(root), report)
  for (const { name, text } of pages) write(path.join(root, "dist/api", `${name}.md`), text)
} finally {
  fs.rmSync(out, { recursive: true, force: true })
}
