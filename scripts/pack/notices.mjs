// The licences of what is bundled: their texts have to come along.
import fs from "node:fs"
import path from "node:path"
import { isPermissive } from "./licences.mjs"

const packageOf = (id) => {
  let dir = path.dirname(id)
  // a folder of a package may have a package.json that only says how its files are read
  for (;;) {
    const file = path.join(dir, "package.json")
    if (fs.existsSync(file)) {
      const known = JSON.parse(fs.readFileSync(file, "utf8"))
      if (known.name !== undefined && known.version !== undefined) return { dir, ...known }
    }
    dir = path.dirname(dir)
  }
}

/** The packages that these modules are from, by name. */
export const packagesOf = (ids) => {
  const packages = new Map()
  for (const id of ids) {
    const known = packageOf(id.replace(/^\0/, "").replace(/\?.*$/, ""))
    packages.set(known.name, known)
  }
  return [...packages.values()].sort((a, b) => (a.name < b.name ? -1 : 1))
}

/** One section for each package. Throws for one whose licence asks for more than that. */
export const noticesOf = (packages) =>
  packages
    .map(({ dir, license, name, version }) => {
      if (!isPermissive(license))
        throw new Error(`${name} is bundled, and its licence (${license ?? "none"}) is not one that leap ships under`)
      const file = fs.readdirSync(dir).find((entry) => /^licen[cs]e(\.(md|txt))?$/i.test(entry))
      const text = file === undefined ? "" : `\n\n${fs.readFileSync(path.join(dir, file), "utf8").trim()}`
      return `${name} ${version} (${license})${text}\n`
    })
    .join(`\n${"-".repeat(80)}\n\n`)
