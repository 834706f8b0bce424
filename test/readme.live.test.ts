import { assert, it } from "@effect/vitest"
import { spawnSync } from "node:child_process"
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"

const root = join(import.meta.dirname, "..")
const readme = readFileSync(join(root, "README.md"), "utf8")

// The other examples are compiled with the package, and run as examples/ are.
it("the documents' example of a headless turn runs as it stands", () => {
  const page = readFileSync(join(root, "docs/library.md"), "utf8")
  const [example = "", ...others] = [...page.matchAll(/```ts\n([\s\S]*?)```/g)]
    .map(([, example = ""]) => example)
    .filter((example) => example.includes("headless()"))
  assert.deepStrictEqual(others, [])
  // Inside the package, so that "leap" is this package.
  mkdirSync(join(root, ".leap"), { recursive: true })
  const dir = mkdtempSync(join(root, ".leap/example-"))
  const home = mkdtempSync(join(tmpdir(), "leap-readme-"))
  try {
    // a CLI that says what the real one has said
    writeFileSync(
      join(home, "claude"),
      `#!/bin/sh\ncat > /dev/null\ncat '${join(root, "test/fixtures/headless/claude/tool-use.ndjson")}'\n`,
      { mode: 0o755 }
    )
    writeFileSync(join(dir, "example.ts"), `${example}\nconsole.log("ran")\n`)
    const run = spawnSync(process.execPath, [join(dir, "example.ts")], {
      encoding: "utf8",
      env: { ...process.env, LEAP_HOME: home, PATH: `${home}:${process.env["PATH"] ?? ""}` }
    })
    assert.strictEqual(run.stdout, "Two files. 31733\nran\n", run.stderr)
  } finally {
    rmSync(dir, { recursive: true })
    rmSync(home, { recursive: true })
  }
})

it("every file, folder and script that README and AGENTS name is there", () => {
  const texts = [readme, readFileSync(join(root, "AGENTS.md"), "utf8")]
  const scripts = (JSON.parse(readFileSync(join(root, "package.json"), "utf8")) as { scripts: Record<string, string> })
    .scripts
  const named = texts.flatMap((text) => [...text.matchAll(/npm run ([\w:]+)/g)].map(([, name]) => name ?? ""))
  assert.isAbove(named.length, 5)
  for (const name of named) assert.property(scripts, name)
  const paths = texts.flatMap((text) =>
    [...text.matchAll(/`((?:src|test|scripts|hooks|\.ci)\/[\w./-]+)`/g)].map(([, path]) => path ?? "")
  )
  assert.isAbove(paths.length, 10)
  for (const path of paths) assert.isTrue(existsSync(join(root, path)), path)
})
