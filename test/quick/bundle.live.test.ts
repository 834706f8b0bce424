import { assert, describe, it } from "@effect/vitest"
import { spawnSync } from "node:child_process"
import * as fs from "node:fs"
import * as path from "node:path"
import * as vm from "node:vm"

const bundle = process.env["LEAP_TEST_BUNDLE"]

/** The files that one of them loads at its start, itself among them: of the bundle's own and of Node nothing else. */
const loadedBy = (entry: string, addons = false): ReadonlyArray<string> => {
  const dist = path.dirname(bundle ?? "")
  const loaded = new Set<string>()
  const load = (file: string): void => {
    if (loaded.has(file)) return
    loaded.add(file)
    const text = fs.readFileSync(path.join(dist, file), "utf8")
    // what a function asks for is loaded when that runs
    for (const [, source = ""] of text.matchAll(/(?<!=>)require\(["'`]([^"'`]+)["'`]\)/g)) {
      if (source.startsWith("./")) load(source.slice(2))
      else if (!addons) assert.match(source, /^node:/, file)
    }
  }
  load(entry)
  return [...loaded]
}

/** What a host loads in the end: its own start, and the parts that it imports then, but for other CLIs' and moves. */
function loadedByHost(): ReadonlyArray<string> {
  const dist = path.dirname(bundle ?? "")
  const started = loadedBy(startOf("runHostProcess"), true)
  const later = started.flatMap((file) =>
    [
      ...fs
        .readFileSync(path.join(dist, file), "utf8")
        .matchAll(/=>require\(["'`]\.\/((?:host|Provider|ScreenXterm|controlServer|recordDatabase|prices)-[^"'`]+)/g)
    ].map(([, name = ""]) => name)
  )
  return [...new Set([...started, ...later.flatMap((file) => loadedBy(file, true))])]
}

const sizeOf = (files: ReadonlyArray<string>): number =>
  files.reduce((sum, file) => sum + fs.statSync(path.join(path.dirname(bundle ?? ""), file)).size, 0)

/** The file that the bundle's start imports for what this runs. */
function startOf(name: string): string {
  const start = fs.readFileSync(bundle ?? "", "utf8")
  return (
    new RegExp(`\\{${name}:\\w+\\}=await Promise\\.resolve\\(\\)\\.then\\(\\(\\)=>require\\(["'\`]\\./([^"'\`]+)`).exec(
      start
    )?.[1] ?? assert.fail(`${name} is not started`)
  )
}

describe.skipIf(bundle === undefined)("all that is built", () => {
  it.each([
    ["12.22.12", true],
    ["18.20.8", true],
    ["20.20.2", true],
    ["22.18.0", true],
    ["22.19.0", false],
    ["24.0.0", false]
  ])("says which Node it needs before it loads anything: %s", (node, isOld) => {
    const { engines } = JSON.parse(fs.readFileSync(new URL("../../package.json", import.meta.url), "utf8")) as {
      engines: { node: string }
    }
    const said: Array<unknown> = []
    const old = {
      versions: { node },
      stderr: { write: (text: string) => said.push(text) },
      exit: (code: number) => {
        said.push(code)
        throw new Error("it goes no further")
      }
    }
    // a Node that is new enough is asked for more than is here, which ends it too
    assert.throws(() => vm.runInNewContext(fs.readFileSync(bundle ?? "", "utf8"), { process: old }))
    const least = engines.node.replace(/^>=(\d+\.\d+)\.0$/, "$1")
    assert.deepStrictEqual(said, isOld ? [`leap: Node ${least} or newer is needed, and this is Node ${node}\n`, 1] : [])
  })

  it("imports nothing: its parts are loaded with the code that was kept of them, which cannot", () => {
    const dist = path.dirname(bundle ?? "")
    for (const file of fs.readdirSync(dist).filter((file) => file.endsWith(".js"))) {
      const text = fs.readFileSync(path.join(dist, file), "utf8")
      assert.notMatch(text, /(?<![\w$.])import\(["'`]/, file)
      assert.notMatch(text, /[^\0-\x7f]/, file)
    }
  })
})

describe.skipIf(bundle === undefined)("a session's host, as it is built", () => {
  const dist = path.dirname(bundle ?? "")
  const host = bundle === undefined ? [] : loadedByHost()

  it("loads no HTTP, and nothing that only commands share", () => {
    assert.isAtLeast(host.length, 8)
    assert.notInclude(host, startOf("runQuick"), "the quick way's own")
    const commands = loadedBy(startOf("run"), true).filter((file) => !host.includes(file))
    assert.isAtLeast(sizeOf(commands), 150_000, commands.join())
    // the list of Node's modules has each to be looked up by who uses it
    for (const file of host.filter((file) => !file.startsWith("builtins-")))
      assert.notMatch(fs.readFileSync(path.join(dist, file), "utf8"), /node:https?["'`]/, file)
    assert.isBelow(sizeOf(host), 1_300_000, host.join())
  })

  it("loads what reads rules with the first rule only, with little more than that", () => {
    const text = host.map((file) => fs.readFileSync(path.join(dist, file), "utf8")).join("\n")
    const parts = [...text.matchAll(/=>require\(["'`]\.\/((?:decide|followWords)-[^"'`]+)/g)].map(
      ([, name = ""]) => name
    )
    assert.isAtLeast(new Set(parts).size, 2)
    const reading = [...new Set(parts.flatMap((file) => loadedBy(file, true)))].filter((file) => !host.includes(file))
    // what is known of programs grows with each of them; what reads it does not
    const [tables, code] = [true, false].map((are) => reading.filter((file) => /^programs-/.test(file) === are))
    assert.isAtLeast(code!.length, 2)
    assert.isBelow(sizeOf(code!), 190_000, code!.join())
    assert.strictEqual(tables!.length, 1)
    assert.isBelow(sizeOf(tables!), 60_000, tables!.join())
  })

  it("is all text of one byte a character: V8 keeps it in memory as long as the session lives", () => {
    for (const file of host) assert.notMatch(fs.readFileSync(path.join(dist, file), "utf8"), /[^\0-\xff]/, file)
  })
})

describe.skipIf(bundle === undefined)("the quick way, as it is built", () => {
  it("loads nothing but what Node has in itself", () => {
    const loaded = [...new Set(["leap.js", startOf("runQuick")].flatMap((file) => loadedBy(file)))]
    assert.isAtLeast(loaded.length, 2)
    assert.isBelow(sizeOf(loaded), 62_000, loaded.join())
  })

  it("reads what waits in an ended session's queue with little more", () => {
    const [file = "", ...others] = fs
      .readdirSync(path.dirname(bundle ?? ""))
      .filter((file) => /^storedQueue-.*\.js$/.test(file))
    assert.deepStrictEqual(others, [])
    const quick = new Set(loadedBy(startOf("runQuick")))
    const loaded = loadedBy(file).filter((file) => !quick.has(file))
    assert.include(loaded, file)
    assert.isBelow(sizeOf(loaded), 15_000, loaded.join())
  })

  it.each(["audit", "calls", "record"])("loads little more for what only some commands need: %s", (name) => {
    const dist = path.dirname(bundle ?? "")
    const quick = startOf("runQuick")
    const parts = [...fs.readFileSync(path.join(dist, quick), "utf8").matchAll(/=>require\(["'`]\.\/([^"'`]+)/g)]
    const file = parts.map(([, part = ""]) => part).find((part) => part.startsWith(`${name}-`)) ?? ""
    const loaded = loadedBy(file).filter((one) => !loadedBy(quick).includes(one))
    assert.include(loaded, file)
    assert.isBelow(sizeOf(loaded), 40_000, loaded.join())
  })

  it("completes with that, the words of all commands, and no more", () => {
    const files = fs.readdirSync(path.dirname(bundle ?? ""))
    const completing = files.filter((file) => /^complete-.*\.js$/.test(file))
    assert.lengthOf(completing, 1)
    const loaded = loadedBy(completing[0] ?? "")
    assert.isBelow(sizeOf(loaded), 110_000, loaded.join())
  })
})

describe.skipIf(bundle === undefined)("any other command, as it is built", () => {
  it("loads of Node what it uses, and opens no standard input that it does not read", () => {
    const told = 'process.on("exit", () => console.error(JSON.stringify(process.moduleLoadList)))'
    const env = { ...process.env, NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(told)}` }
    const input = fs.openSync(import.meta.filename, "r")
    const ran = spawnSync(process.execPath, [bundle ?? "", "completions", "bash"], {
      env,
      stdio: [input, "ignore", "pipe"],
      encoding: "utf8"
    })
    fs.closeSync(input)
    assert.strictEqual(ran.status, 0, ran.stderr)
    const loaded = new Set(JSON.parse(ran.stderr) as ReadonlyArray<string>)
    assert.isTrue(loaded.has("NativeModule stream"))
    for (const name of [
      "child_process",
      "crypto",
      "http",
      "internal/fs/promises",
      "internal/fs/streams",
      "internal/readline/interface",
      "module",
      "sqlite"
    ])
      assert.isFalse(loaded.has(`NativeModule ${name}`), name)
  })
})
