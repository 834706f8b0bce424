import { assert, it } from "@effect/vitest"
import { spawnSync } from "node:child_process"
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"

const root = join(import.meta.dirname, "..")
const readme = readFileSync(join(root, "README.md"), "utf8")

it("the README's library example runs as it stands", () => {
  const example = /```ts\n([\s\S]*?)```/.exec(readme)?.[1]
  assert.isDefined(example)
  // Inside the package, so that "leap" is this package.
  mkdirSync(join(root, "dist"), { recursive: true })
  const dir = mkdtempSync(join(root, "dist/example-"))
  const home = mkdtempSync(join(tmpdir(), "leap-readme-"))
  try {
    writeFileSync(join(dir, "example.ts"), `${example}\nconsole.log("ran")\n`)
    const run = spawnSync(process.execPath, [join(dir, "example.ts")], { encoding: "utf8", env: { ...process.env, LEAP_HOME: home } })
    assert.strictEqual(run.stdout, "ran\n", run.stderr)
  } finally {
    rmSync(dir, { recursive: true })
    rmSync(home, { recursive: true })
  }
})

it("every file, folder and script that README and AGENTS name is there", () => {
  const texts = [readme, readFileSync(join(root, "AGENTS.md"), "utf8")]
  const scripts = (JSON.parse(readFileSync(join(root, "package.json"), "utf8")) as { scripts: Record<string, string> }).scripts
  const named = texts.flatMap((text) => [...text.matchAll(/npm run ([\w:]+)/g)].map(([, name]) => name ?? ""))
  assert.isAbove(named.length, 5)
  for (const name of named) assert.property(scripts, name)
  const paths = texts.flatMap((text) => [...text.matchAll(/`((?:src|test|scripts|hooks|\.ci)\/[\w./-]+)`/g)].map(([, path]) => path ?? ""))
  assert.isAbove(paths.length, 10)
  for (const path of paths) assert.isTrue(existsSync(join(root, path)), path)
})
