import fs from "node:fs"
import path from "node:path"

/** What was recorded, and what only declares the types of a script beside it. */
const isLeftOut = (name) => /^test\/(?:recordings|fixtures)\//.test(name) || /\.d\.m?ts$/.test(name)

/** The project's own code: each file by its name, with its text. */
export const filesOf = (root) =>
  ["src", "scripts", "test", "examples"]
    .flatMap((folder) =>
      fs
        .readdirSync(path.join(root, folder), { recursive: true, withFileTypes: true })
        .filter((entry) => entry.isFile() && /\.(?:ts|mts|tsx|mjs)$/.test(entry.name))
        .map((entry) => path.relative(root, path.join(entry.parentPath, entry.name)))
    )
    .filter((name) => !isLeftOut(name))
    .sort()
    .map((name) => [name, fs.readFileSync(path.join(root, name), "utf8")])
