// Says where code was copied: what is not in scripts/duplicates/known.json is one place too many.
//
//   npm run duplicates               fails for a copy that is new, and for one that is gone and still noted
//   npm run duplicates -- --fewer    notes those that are gone; what is new is not noted, but mended
//   npm run duplicates -- --all      every copy that there is, the longest first
import fs from "node:fs"
import path from "node:path"
import { byPair, findDuplicates, problemsOf } from "./duplicates/find.mjs"
import { filesOf } from "./duplicates/files.mjs"

const root = path.dirname(import.meta.dirname)
const file = path.join(root, "scripts/duplicates/known.json")
const files = filesOf(root)
const found = await findDuplicates(files)
const known = JSON.parse(fs.readFileSync(file, "utf8"))
const now = byPair(found)

if (process.argv.includes("--all")) {
  for (const { lines, places } of found.sort((a, b) => b.lines - a.lines))
    process.stdout.write(`${lines}  ${places.map(({ file, line }) => `${file}:${line}`).join("  ")}\n`)
} else if (process.argv.includes("--fewer")) {
  const fewer = Object.entries(known).flatMap(([pair, lines]) =>
    now[pair] === undefined ? [] : [[pair, Math.min(lines, now[pair])]]
  )
  fs.writeFileSync(file, `${JSON.stringify(Object.fromEntries(fewer), null, 1)}\n`)
}
const problems = problemsOf(found, JSON.parse(fs.readFileSync(file, "utf8")))
for (const problem of problems) process.stderr.write(`${problem}\n`)
const total = Object.values(now).reduce((sum, lines) => sum + lines, 0)
process.stdout.write(`${files.length} files, ${total} lines that stand twice, in ${found.length} places\n`)
process.exitCode = problems.length === 0 ? 0 : 1
