import { assert, describe, it } from "@effect/vitest"
import * as fs from "node:fs"
import * as path from "node:path"
import { isForTools, isPermissive, licenceProblems, type LockedPackage } from "../../scripts/pack/licences.mjs"

const root = path.join(import.meta.dirname, "../..")
const json = (file: string): unknown => JSON.parse(fs.readFileSync(file, "utf8"))
const licenceOf = (place: string) => {
  const file = path.join(root, place, "package.json")
  return fs.existsSync(file) ? (json(file) as { readonly license?: string }).license : undefined
}

describe("the licences of dependencies", () => {
  it("ask for nothing but a notice where they come with leap, and keep to themselves where they are tools", () => {
    const { packages } = json(path.join(root, "package-lock.json")) as {
      readonly packages: Readonly<Record<string, LockedPackage>>
    }
    assert.isAbove(Object.keys(packages).length, 100)
    assert.deepStrictEqual(licenceProblems(packages, licenceOf), [])
  })

  it("are read as expressions", () => {
    assert.isTrue(isPermissive("(MIT OR GPL-3.0-only)"))
    assert.isTrue(isPermissive("MIT AND ISC"))
    assert.isFalse(isPermissive("MIT AND GPL-3.0-only"))
    assert.isFalse(isPermissive("MPL-2.0"))
    assert.isFalse(isPermissive("SEE LICENSE IN LICENSE"))
    assert.isFalse(isPermissive(undefined))
    assert.isTrue(isForTools("MPL-2.0"))
    assert.isFalse(isForTools("AGPL-3.0-only"))
  })

  it("are told where they are others, are missing, or are a tool's that became part of leap", () => {
    const packages = {
      "": {},
      "node_modules/fine": { license: "MIT" },
      "node_modules/strict": { license: "GPL-3.0-only" },
      "node_modules/a/node_modules/@b/silent": {},
      "node_modules/told": {},
      "node_modules/tool": { license: "MPL-2.0", dev: true },
      "node_modules/moved": { license: "MPL-2.0" },
      "node_modules/elsewhere": { dev: true, optional: true }
    }
    assert.deepStrictEqual(
      licenceProblems(packages, (place) => (place === "node_modules/told" ? "ISC" : undefined)),
      ["strict: GPL-3.0-only", "@b/silent: no licence", "moved: MPL-2.0"]
    )
  })
})
