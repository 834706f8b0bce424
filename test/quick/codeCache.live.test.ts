import { assert, describe, it } from "@effect/vitest"
import * as fs from "node:fs"
import { createRequire } from "node:module"
import * as os from "node:os"
import * as path from "node:path"
import * as v8 from "node:v8"
import { afterEach, beforeEach } from "vitest"
import { withKeptCode } from "../../src/quick/codeCache.ts"

let place = ""
let program = ""
const cacheHome = process.env["XDG_CACHE_HOME"]

// what V8 remembers of this process' own earlier starts would stand in for what was kept
v8.setFlagsFromString("--no-compilation-cache")

beforeEach(() => {
  place = fs.mkdtempSync(path.join(os.tmpdir(), "leap-code-"))
  program = path.join(place, "program")
  fs.mkdirSync(program)
  fs.writeFileSync(path.join(program, "package.json"), '{ "type": "commonjs" }')
  process.env["XDG_CACHE_HOME"] = path.join(place, "caches")
})

afterEach(() => {
  if (cacheHome === undefined) delete process.env["XDG_CACHE_HOME"]
  else process.env["XDG_CACHE_HOME"] = cacheHome
  fs.rmSync(place, { recursive: true, force: true })
})

const write = (name: string, text: string): void => fs.writeFileSync(path.join(program, name), text)

/** A new process' view of the program's parts. */
const start = (command?: string) =>
  withKeptCode(createRequire(path.join(program, "leap.js")), program, Date.now, command)

/** Loads this part as a first process does, which keeps its code, and gives what the part exports. */
const run = (name = "./part-1.js", command?: string): unknown => {
  const { keepCode, load } = start(command)
  const exported = load(name)
  keepCode()
  return exported
}

const code = (dir = path.join(program, ".code")): ReadonlyArray<string> =>
  fs.existsSync(dir) ? fs.readdirSync(dir) : []
const onlyCode = (): string => {
  assert.lengthOf(code(), 1)
  return path.join(program, ".code", code()[0] ?? "")
}

describe("the code of a program's parts", () => {
  it("is kept after the first start, and used at the next", () => {
    write("part-1.js", "const said = () => 'what it was'; module.exports = said()")
    assert.strictEqual(run(), "what it was")
    const before = fs.statSync(onlyCode()).ino
    // V8 knows a source by its length: only kept code can still say this
    write("part-1.js", "const said = () => 'what it is!'; module.exports = said()")
    assert.strictEqual(run(), "what it was")
    assert.strictEqual(fs.statSync(onlyCode()).ino, before)
  })

  it("of the quick way is kept for each command that it has: each calls other functions", () => {
    write("quick-1.js", "const said = () => 'what it was'; module.exports = said()")
    write("part-1.js", "const said = () => 'what it was'; module.exports = said()")
    for (const command of ["send", "stop", undefined]) {
      assert.strictEqual(run("./quick-1.js", command), "what it was")
      assert.strictEqual(run("./part-1.js", command), "what it was")
    }
    assert.lengthOf(code(), 3)
    write("quick-1.js", "const said = () => 'what it is!'; module.exports = said()")
    write("part-1.js", "const said = () => 'what it is!'; module.exports = said()")
    assert.strictEqual(run("./quick-1.js", "status"), "what it is!")
    for (const command of ["send", "stop", undefined]) assert.strictEqual(run("./quick-1.js", command), "what it was")
    assert.strictEqual(run("./part-1.js", "status"), "what it was")
  })

  it("is not used where it is damaged anywhere, and made anew", () => {
    const text = `module.exports = [${Array.from({ length: 300 }, (_, n) => `() => ${n}`).join()}].map((one) => one()).join()`
    write("part-1.js", text)
    const said = run()
    const whole = fs.readFileSync(onlyCode())
    for (let at = 1; at < whole.length; at += 1009) {
      const damaged = Buffer.from(whole)
      damaged[at] = (damaged[at] ?? 0) ^ 0x55
      fs.writeFileSync(onlyCode(), damaged)
      assert.strictEqual(run(), said)
      assert.strictEqual(fs.readFileSync(onlyCode()).length, whole.length)
    }
    for (const rest of [0, 1, 2, 64, whole.length / 2, whole.length - 1, whole.length - 2]) {
      fs.writeFileSync(onlyCode(), whole.subarray(0, rest))
      assert.strictEqual(run(), said)
    }
    fs.writeFileSync(onlyCode(), Buffer.alloc(whole.length))
    assert.strictEqual(run(), said)
    assert.isAbove(
      fs.readFileSync(onlyCode()).findIndex((byte) => byte !== 0),
      -1
    )
  })

  it("is not used where others could have written it", () => {
    write("part-1.js", "const said = () => 'what it was'; module.exports = said()")
    run()
    fs.chmodSync(onlyCode(), 0o666)
    write("part-1.js", "const said = () => 'what it is!'; module.exports = said()")
    assert.strictEqual(run(), "what it is!")
    assert.strictEqual(fs.statSync(onlyCode()).mode & 0o777, 0o644)
  })

  it("is among the user's caches where the program's folder takes nothing", () => {
    write("part-1.js", "const said = () => 'what it was'; module.exports = said()")
    // a file stands where the folder would be: nobody, not even root, can write there
    write(".code", "")
    assert.strictEqual(run(), "what it was")
    assert.lengthOf(code(path.join(place, "caches/leap/code", encodeURIComponent(program))), 1)
    write("part-1.js", "const said = () => 'what it is!'; module.exports = said()")
    assert.strictEqual(run(), "what it was")
  })

  it("is done without where no folder takes anything", () => {
    write("part-1.js", "module.exports = 1")
    write(".code", "")
    fs.writeFileSync(path.join(place, "caches"), "")
    assert.strictEqual(run(), 1)
    assert.strictEqual(run(), 1)
  })

  it("is forgotten when its part is gone, or nobody has made it for a month", () => {
    write("part-1.js", "module.exports = 1")
    write("part-2.js", "module.exports = 2")
    run()
    run("./part-2.js")
    assert.lengthOf(code(), 2)
    fs.rmSync(path.join(program, "part-1.js"))
    const old = new Date(Date.now() - 31 * 24 * 60 * 60 * 1000)
    const other = path.join(program, ".code", "part-2.js.v1.0.0-x64")
    fs.writeFileSync(other, "")
    fs.utimesSync(other, old, old)
    write("part-3.js", "module.exports = 3")
    run("./part-3.js")
    assert.deepStrictEqual(
      code()
        .map((name) => name.slice(0, 9))
        .toSorted(),
      ["part-2.js", "part-3.js"]
    )
    assert.isFalse(fs.existsSync(other))
  })

  it("gives parts that ask for each other the same instance, Node's where it has one, and the rest from Node", () => {
    write("one.js", "exports.name = 'one'; exports.two = () => require('./two.js')")
    write("two.js", "exports.one = require('./one.js'); exports.sep = require('node:path').sep; exports.at = __dirname")
    write("own.js", "exports.loaded = (globalThis.ownLoaded = (globalThis.ownLoaded ?? 0) + 1)")
    const own = createRequire(path.join(program, "leap.js"))
    own("./own.js")
    const { load } = withKeptCode(own, program, Date.now)
    const one = load("./one.js") as {
      readonly two: () => { readonly one: unknown; readonly sep: string; readonly at: string }
    }
    assert.strictEqual(one.two().one, one)
    assert.strictEqual(one.two().sep, path.sep)
    assert.strictEqual(one.two().at, program)
    assert.deepStrictEqual(load("./own.js"), { loaded: 1 })
  })
})
