import { assert, describe, it } from "@effect/vitest"
import { readFileSync } from "node:fs"
import { join } from "node:path"
import { entries, manifestOf, type OwnManifest } from "../../scripts/pack/manifest.mjs"

const root = join(import.meta.dirname, "../..")
const own = JSON.parse(readFileSync(join(root, "package.json"), "utf8")) as OwnManifest

describe("the published package.json", () => {
  const bundled = Object.keys(own.dependencies).filter((name) => !/effect|^node-pty$/.test(name))
  const made = manifestOf(own, bundled)

  it("names the entries that a clone has, by the same paths", () => {
    const paths = Object.keys(made.exports).filter((path) => !path.endsWith(".json"))
    assert.deepStrictEqual(paths, Object.keys(own.exports))
    assert.deepStrictEqual(
      Object.values(own.exports),
      entries.map((name) => `./src/${name}.ts`)
    )
  })

  it("has the addon as its one dependency, and Effect as what its users bring", () => {
    assert.deepStrictEqual(Object.entries(made.dependencies), [["node-pty", own.dependencies["node-pty"]]])
    assert.deepStrictEqual(Object.keys(made.peerDependencies), ["effect", "@effect/platform-node", "@effect/vitest"])
    for (const name of Object.keys(made.peerDependencies)) assert.isTrue(made.peerDependenciesMeta[name]?.optional)
  })

  it("keeps a dependency that is not bundled", () => {
    assert.include(Object.keys(manifestOf(own, []).dependencies), "ajv")
  })
})
