// The package.json of the published package, made from the clone's: what only the clone needs is not in it.

const entry = (name) => ({ types: `./dist/types/src/${name}.d.ts`, default: `./dist/${name}.js` })

/** The library's entries, by the files of src that they are. */
export const entries = ["index", "host", "testing", "testingSuite"]

/** What programs that use the library install themselves, so that there is one of each. The command has its own. */
const peers = ["effect", "@effect/platform-node", "@effect/vitest"]

/** A version to stand in a range: later ones of the same major too. */
const compatible = (version) => `^${version}`

/** `bundled`: dependencies that are in the package's own files. */
export const manifestOf = (own, bundled) => {
  const versions = { ...own.devDependencies, ...own.dependencies }
  const kept = Object.entries(own.dependencies).filter(([name]) => !peers.includes(name) && !bundled.includes(name))
  return {
    name: "leap",
    // it is on no registry, where others have this name: who installs it does so from its file
    private: true,
    version: own.version,
    description: own.description,
    keywords: ["ai", "agents", "cli", "pty", "claude", "codex", "gemini", "copilot", "opencode", "effect"],
    license: own.license,
    type: "module",
    engines: own.engines,
    os: ["linux", "darwin"],
    bin: { leap: "bin/leap.cjs" },
    exports: {
      ".": entry("index"),
      "./host": entry("host"),
      "./testing": entry("testing"),
      "./testing/suite": entry("testingSuite"),
      "./package.json": "./package.json",
      "./settings.schema.json": "./settings.schema.json",
      "./events.schema.json": "./events.schema.json"
    },
    sideEffects: false,
    dependencies: Object.fromEntries(kept),
    peerDependencies: Object.fromEntries(peers.map((name) => [name, compatible(versions[name])])),
    // Who installs the command alone needs none of them.
    peerDependenciesMeta: Object.fromEntries(peers.map((name) => [name, { optional: true }]))
  }
}
