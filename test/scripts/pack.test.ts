import { assert, describe, it } from "@effect/vitest"
import { spawnSync } from "node:child_process"
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

describe("the folder of the sources", () => {
  const { scripts } = JSON.parse(readFileSync(join(root, "package.json"), "utf8")) as {
    readonly scripts: Readonly<Record<string, string>>
  }
  // npm runs this script also before one that is called "pack"
  const prepack = (command: string) =>
    spawnSync("sh", ["-c", scripts["prepack"] ?? "exit 9"], { env: { npm_command: command } }).status

  it("is never packed as it is, but packs the package", () => {
    assert.deepStrictEqual(["pack", "publish", "run-script", "run"].map(prepack), [1, 1, 0, 0])
  })
})
