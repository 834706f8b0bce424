// Writes what the library exports, with its signatures, to the files of api: a change of the interface shows in review.
//
//   npm run api
import fs from "node:fs"
import path from "node:path"
import { reportsNow } from "./api/reports.mjs"

const root = path.dirname(import.meta.dirname)
fs.mkdirSync(path.join(root, "api"), { recursive: true })
for (const { file, text } of reportsNow(root)) {
  fs.writeFileSync(file, text)
  process.stdout.write(`${path.relative(root, file)}  ${text.split("\n## ").length - 1} names\n`)
}
