// Writes what the library exports, with its signatures, to the files of api: a change of the interface shows in review.
// With what its comments say, to the pages of docs/api: for those who use it.
//
//   npm run api
import fs from "node:fs"
import path from "node:path"
import { exportsNow } from "./api/reports.mjs"

const root = path.dirname(import.meta.dirname)
const { pages, reports } = exportsNow(root)
for (const { file, text } of [...reports, ...pages]) {
  fs.mkdirSync(path.dirname(file), { recursive: true })
  fs.writeFileSync(file, text)
  process.stdout.write(`${path.relative(root, file)}  ${text.split("\n").length} lines\n`)
}
