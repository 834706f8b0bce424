import { assert, describe, it } from "@effect/vitest"
import { type ChildProcess, spawn } from "node:child_process"
import * as fs from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, beforeAll } from "vitest"
import { patience } from "../support/run/patience.ts"
import { rowsOf } from "../support/data/fields.ts"

const root = join(import.meta.dirname, "../..")
let trees = ""
beforeAll(() => {
  trees = fs.mkdtempSync(join(tmpdir(), "leap-launch-"))
})
afterAll(() => fs.rmSync(trees, { recursive: true, force: true }))

/** An `npm` that writes a line for each call, and "installs" a bundler that copies the sources. */
const fakeNpm = `
import fs from "node:fs"
import { join } from "node:path"
const [command] = process.argv.slice(2)
if (command === "--version") console.log("11.0.0")
else {
  fs.appendFileSync("calls", "npm " + process.argv.slice(2).join(" ") + "\\n")
  if (fs.existsSync("offline")) {
    console.error("npm error code ENOTFOUND\\nnpm error network request failed")
    process.exit(1)
  }
  fs.rmSync("node_modules", { recursive: true, force: true })
  for (let looks = 0; fs.existsSync("held") && looks < 6_000; looks++) await new Promise((done) => setTimeout(done, 10))
  fs.mkdirSync("node_modules/.bin", { recursive: true })
  fs.mkdirSync("node_modules/rolldown/bin", { recursive: true })
  fs.symlinkSync(process.execPath, "node_modules/.bin/node")
  fs.writeFileSync("node_modules/rolldown/bin/cli.mjs", \`
    import fs from "node:fs"
    fs.appendFileSync("calls", "build\\\\n")
    const out = process.argv[process.argv.indexOf("-d") + 1]
    fs.mkdirSync(out, { recursive: true })
    fs.copyFileSync("src/bin.ts", out + "/leap.js")
  \`)
}
`

const program = `
const [command, ...rest] = process.argv.slice(2)
if (command === "print") console.log(JSON.stringify(rest))
if (command === "exit") process.exit(Number(rest[0]))
if (command === "die") process.kill(process.pid, "SIGKILL")
if (command === "trap") {
  process.on("SIGTERM", () => { console.log("terminated"); process.exit(9) })
  setInterval(() => {}, 1000)
  console.log("ready")
}
`

let made = 0
const makeTree = () => {
  const tree = join(trees, String(++made))
  fs.mkdirSync(join(tree, "src"), { recursive: true })
  fs.mkdirSync(join(tree, "hooks"))
  fs.mkdirSync(join(tree, "scripts"))
  fs.mkdirSync(join(tree, "scripts/build"))
  fs.mkdirSync(join(tree, "bin"))
  fs.copyFileSync(join(root, "scripts/launch.mjs"), join(tree, "scripts/launch.mjs"))
  fs.copyFileSync(join(root, "bin/leap"), join(tree, "bin/leap"))
  fs.writeFileSync(join(tree, "src/bin.ts"), program)
  fs.writeFileSync(
    join(tree, "package.json"),
    JSON.stringify({ type: "module", scripts: { show: "node -p process.execPath; printf '%s\\n'" } })
  )
  fs.writeFileSync(join(tree, "package-lock.json"), JSON.stringify({ packages: { "": {} } }))
  fs.writeFileSync(join(tree, "rolldown.config.mjs"), "")
  fs.writeFileSync(join(tree, "npm-cli.mjs"), fakeNpm)
  return tree
}

/** One that was installed and built: the same for all that begin so. */
let built: Promise<string> | null = null
const makeBuilt = async () => {
  built ??= Promise.resolve(makeTree()).then(async (tree) => {
    const { code, err } = await launch(tree, "--ensure")
    assert.strictEqual(code, 0, err)
    return tree
  })
  const tree = join(trees, String(++made))
  fs.cpSync(await built, tree, { recursive: true, preserveTimestamps: true, verbatimSymlinks: true })
  return tree
}

interface Ended {
  readonly code: number | null
  readonly signal: string | null
  readonly out: string
  readonly err: string
}

const start = (
  tree: string,
  args: ReadonlyArray<string>,
  node: ReadonlyArray<string> = []
): ChildProcess & { readonly ended: Promise<Ended>; readonly waits: () => boolean } => {
  const child = spawn(process.execPath, [...node, join(tree, "scripts/launch.mjs"), ...args], {
    env: { ...process.env, npm_execpath: join(tree, "npm-cli.mjs") },
    stdio: ["ignore", "pipe", "pipe"]
  })
  let out = ""
  let err = ""
  child.stdout.on("data", (data) => (out += data))
  child.stderr.on("data", (data) => (err += data))
  const ended = new Promise<Ended>((resolve) =>
    child.on("close", (code, signal) => resolve({ code, signal, out, err }))
  )
  return Object.assign(child, { ended, waits: () => err.includes("waiting for another launch") })
}

const launch = (tree: string, ...args: ReadonlyArray<string>) => start(tree, args).ended

const calls = (tree: string) =>
  fs.existsSync(join(tree, "calls")) ? fs.readFileSync(join(tree, "calls"), "utf8").split("\n").filter(Boolean) : []
const whatWasDone = (tree: string) => calls(tree).map((line) => line.split(" ").slice(0, 2).join(" "))

const until = async (what: string, holds: () => boolean) => {
  const deadline = Date.now() + patience
  while (!holds()) {
    if (Date.now() > deadline) throw new Error(`waited in vain: ${what}`)
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
}

describe("launch", () => {
  it("installs and builds once, then starts what is there", async () => {
    const tree = makeTree()
    const first = await launch(tree, "print", "a b", "--version", "")
    assert.strictEqual(first.code, 0, first.err)
    assert.strictEqual(first.out, '["a b","--version",""]\n')
    assert.deepStrictEqual(first.err.trim().split("\n"), [
      "leap: installing dependencies from the lockfile (npm ci)",
      "leap: building"
    ])
    assert.deepStrictEqual(whatWasDone(tree), ["npm ci", "build"])
    const second = await launch(tree, "print")
    assert.deepStrictEqual([second.out, second.err], ["[]\n", ""])
    assert.strictEqual(calls(tree).length, 2)
  })

  it("runs no install script, and installs what the build needs whatever npm is set to", async () => {
    const tree = await makeBuilt()
    for (const flag of ["--ignore-scripts", "--include=dev", "--include=optional"]) assert.include(calls(tree)[0], flag)
  })

  it("builds anew when a source changes, is added or goes, not when it is only touched; installs when the lockfile changes", async () => {
    const tree = await makeBuilt()
    fs.utimesSync(join(tree, "src/bin.ts"), new Date(), new Date())
    await launch(tree, "--ensure")
    assert.deepStrictEqual(whatWasDone(tree), ["npm ci", "build"])
    fs.appendFileSync(join(tree, "src/bin.ts"), "// changed\n")
    await launch(tree, "--ensure")
    fs.writeFileSync(join(tree, "hooks/new.sh"), "")
    await launch(tree, "--ensure")
    fs.rmSync(join(tree, "hooks/new.sh"))
    await launch(tree, "--ensure")
    fs.writeFileSync(join(tree, "scripts/build/new.mjs"), "")
    await launch(tree, "--ensure")
    assert.deepStrictEqual(whatWasDone(tree), ["npm ci", "build", "build", "build", "build", "build"])
    fs.writeFileSync(
      join(tree, "package-lock.json"),
      JSON.stringify({ packages: { "": {}, "node_modules/new": { version: "1.0.0" } } })
    )
    fs.rmSync(join(tree, "node_modules"), { recursive: true })
    await launch(tree, "--ensure")
    assert.deepStrictEqual(whatWasDone(tree).slice(6), ["npm ci", "build"])
  })

  it("takes an installation that npm made for its own, and not one of other versions", async () => {
    const tree = await makeBuilt()
    const lock = (version: string) =>
      JSON.stringify({
        packages: {
          "": {},
          "node_modules/rolldown": { version, integrity: "x" },
          "node_modules/other": { version: "1.0.0", optional: true, os: ["aix"] }
        }
      })
    fs.writeFileSync(join(tree, "package-lock.json"), lock("1.0.0"))
    fs.writeFileSync(
      join(tree, "node_modules/.package-lock.json"),
      JSON.stringify({ packages: { "node_modules/rolldown": { version: "1.0.0", integrity: "x" } } })
    )
    fs.rmSync(join(tree, "node_modules/.leap-installed.json"))
    await launch(tree, "--ensure")
    assert.deepStrictEqual(whatWasDone(tree).filter((it) => it === "npm ci").length, 1)
    fs.writeFileSync(join(tree, "package-lock.json"), lock("2.0.0"))
    fs.rmSync(join(tree, "node_modules/.bin/node"))
    await launch(tree, "--ensure")
    assert.deepStrictEqual(whatWasDone(tree).filter((it) => it === "npm ci").length, 2)
  })

  it("several launches at once install and build once, and all of them run", async () => {
    const tree = makeTree()
    fs.writeFileSync(join(tree, "held"), "")
    const launches = [1, 2, 3, 4].map((n) => start(tree, ["print", String(n)]))
    await until("all but one wait", () => launches.filter(({ waits }) => waits()).length === 3)
    fs.rmSync(join(tree, "held"))
    const all = await Promise.all(launches.map(({ ended }) => ended))
    assert.deepStrictEqual(
      rowsOf(all, "code", "out"),
      [1, 2, 3, 4].map((n) => [0, `["${n}"]\n`])
    )
    assert.deepStrictEqual(whatWasDone(tree), ["npm ci", "build"])
  })

  it("a launch killed while it installs does not stop the next one", async () => {
    const tree = makeTree()
    fs.writeFileSync(join(tree, "held"), "")
    const killed = start(tree, ["print"])
    await until("the first launch installs", () => calls(tree).length === 1)
    killed.kill("SIGKILL")
    await killed.ended
    assert.isTrue(fs.existsSync(join(tree, "dist/.launch.lock")), "the dead launch has left its lock")
    const on = start(tree, ["print", "on"])
    await until("its npm, which lives on, is waited for", on.waits)
    fs.rmSync(join(tree, "held"))
    const next = await on.ended
    assert.deepStrictEqual([next.code, next.out], [0, '["on"]\n'], next.err)
    assert.isFalse(fs.existsSync(join(tree, "dist/.launch.lock")))
  })

  it("an install that fails is one line and exit 1, and the next launch tries again", async () => {
    const tree = makeTree()
    fs.writeFileSync(join(tree, "offline"), "")
    const failed = await launch(tree, "print")
    assert.strictEqual(failed.code, 1)
    assert.deepStrictEqual(failed.err.trim().split("\n").slice(1), [
      "leap: could not install the dependencies: npm ended with 1 (code ENOTFOUND). It needs the package registry once; then run this again"
    ])
    fs.rmSync(join(tree, "offline"))
    assert.strictEqual((await launch(tree, "print")).code, 0)
  })

  // A Node that cannot replace itself by another program runs leap as a child.
  const nodes: ReadonlyArray<readonly [string, ReadonlyArray<string>]> = [
    ["exec", []],
    ["spawn", ["--import", "data:text/javascript,delete process.execve"]]
  ]
  for (const [way, node] of nodes) {
    it(`passes on the exit code, and the signal that ended leap (${way})`, async () => {
      const tree = makeTree()
      assert.strictEqual((await start(tree, ["exit", "7"], node).ended).code, 7)
      assert.strictEqual((await start(tree, ["die"], node).ended).signal, "SIGKILL")
    })

    it(`passes signals to leap (${way})`, async () => {
      const tree = await makeBuilt()
      const running = start(tree, ["trap"], node)
      await new Promise<void>((resolve) => running.stdout?.once("data", () => resolve()))
      running.kill("SIGTERM")
      const { code, out } = await running.ended
      assert.deepStrictEqual([code, out], [9, "ready\nterminated\n"])
    })
  }

  it("--run runs a script of package.json under the pinned Node, arguments quoted", async () => {
    const tree = makeTree()
    const shown = await launch(tree, "--run", "show", "it's", "$HOME", "a  b")
    const [node, ...args] = shown.out.trim().split("\n")
    assert.strictEqual(fs.realpathSync(node ?? ""), fs.realpathSync(join(tree, "node_modules/.bin/node")))
    assert.deepStrictEqual(args, ["it's", "$HOME", "a  b"])
    const unknown = await launch(tree, "--run", "nothing")
    assert.deepStrictEqual(
      [unknown.code, unknown.err.trim()],
      [1, "leap: package.json has no script 'nothing'; it has: show"]
    )
  })

  it("bin/leap starts the build at once when it is fresh, and through the launcher when it is not; links are followed", async () => {
    const tree = await makeBuilt()
    const link = join(tree, "link")
    fs.symlinkSync("bin/leap", link)
    fs.chmodSync(join(tree, "bin/leap"), 0o755)
    const run = (...args: ReadonlyArray<string>) =>
      new Promise<string>((resolve) => {
        const child = spawn(link, args, {
          env: { ...process.env, npm_execpath: join(tree, "npm-cli.mjs") },
          stdio: ["ignore", "pipe", "pipe"]
        })
        let text = ""
        child.stdout.on("data", (data) => (text += data))
        child.stderr.on("data", (data) => (text += data))
        child.on("close", () => resolve(text))
      })
    assert.strictEqual(await run("print", "--run", "it's"), '["--run","it\'s"]\n')
    for (const source of ["src/bin.ts", "scripts/build/new.mjs"]) {
      fs.appendFileSync(join(tree, source), "// changed\n")
      assert.strictEqual(await run("print", "x"), 'leap: building\n["x"]\n', source)
    }
    fs.renameSync(join(tree, "scripts/launch.mjs"), join(tree, "scripts/gone.mjs"))
    assert.strictEqual(await run("print", "fresh"), '["fresh"]\n', "no launcher was needed")
  })
})
