import { assert, describe } from "@effect/vitest"
import { Effect, Layer } from "effect"
import * as fs from "node:fs"
import * as os from "node:os"
import * as path from "node:path"
import * as CliVersionsNode from "../../../src/layers/system/CliVersionsNode.ts"
import * as FileLockSqlite from "../../../src/layers/files/FileLockSqlite.ts"
import * as PathsXdg from "../../../src/layers/files/PathsXdg.ts"
import * as SharedFileNode from "../../../src/layers/files/SharedFileNode.ts"
import { CliVersions } from "../../../src/services/CliVersions.ts"
import { alive, eventually } from "../../support/processes/Room.ts"
import { live } from "../../support/run/effects.ts"

const place = Effect.gen(function* () {
  const dir = yield* Effect.acquireRelease(
    Effect.sync(() => fs.mkdtempSync(path.join(os.tmpdir(), "leap-versions-"))),
    (dir) => Effect.sync(() => fs.rmSync(dir, { recursive: true, force: true }))
  )
  const versions = yield* CliVersions.pipe(
    Effect.provide(
      CliVersionsNode.layer.pipe(
        Layer.provide([
          PathsXdg.layerFrom({ LEAP_HOME: path.join(dir, "leap") }),
          SharedFileNode.layer.pipe(Layer.provide(FileLockSqlite.layer))
        ])
      ),
      { local: true }
    )
  )
  const program = (name: string, script: string) => {
    const file = path.join(dir, name)
    fs.writeFileSync(file, `#!/bin/sh\necho "$@" >> "${dir}/asked"\n${script}\n`, { mode: 0o755 })
    return file
  }
  const asked = () =>
    fs.existsSync(path.join(dir, "asked")) ? fs.readFileSync(path.join(dir, "asked"), "utf8").trim().split("\n") : []
  const ask = (program: string, args: ReadonlyArray<string> = ["--version"]) =>
    versions.lookUp({ program, args, env: { PATH: process.env["PATH"] ?? "" } })
  return { dir, program, asked, ask, versions }
})

describe("a CLI's version", () => {
  live("is what its program says, asked once for as long as the file stays the same", function* () {
    const { ask, asked, program } = yield* place
    const file = program("cli", "echo 'cli 1.2.3 (of today)'")
    assert.strictEqual(yield* ask(file), "1.2.3")
    assert.strictEqual(yield* ask(file), "1.2.3")
    assert.deepStrictEqual(asked(), ["--version"])
    assert.strictEqual(yield* ask(file, ["version", "-v"]), "1.2.3")
    assert.deepStrictEqual(asked(), ["--version", "version -v"])
    program("cli", "echo 'cli 1.2.4-rc.1 (of tomorrow)' >&2")
    assert.strictEqual(yield* ask(file), "1.2.4-rc.1")
    assert.strictEqual(asked().length, 3)
  })

  live("is asked for again on request: behind a wrapper the program may have changed", function* () {
    const { dir, program, versions } = yield* place
    fs.writeFileSync(path.join(dir, "behind"), "1.0.0")
    const file = program("wrapper", `cat "${dir}/behind"`)
    const query = { program: file, args: ["--version"], env: { PATH: process.env["PATH"] ?? "" } }
    assert.strictEqual(yield* versions.lookUp(query), "1.0.0")
    fs.writeFileSync(path.join(dir, "behind"), "2.0.0")
    assert.strictEqual(yield* versions.lookUp(query), "1.0.0")
    assert.strictEqual(yield* versions.lookUp(query, { fresh: true }), "2.0.0")
    assert.strictEqual(yield* versions.lookUp(query), "2.0.0")
  })

  live("has flags, those that its help names; a program without help has none that anybody knows", function* () {
    const { asked, program, versions } = yield* place
    const env = { PATH: process.env["PATH"] ?? "" }
    const helps = program("helps", "echo 'Options:  -h, --help  --no-daemon'")
    assert.deepStrictEqual([...((yield* versions.flags({ program: helps, env })) ?? [])], ["--help", "--no-daemon"])
    assert.deepStrictEqual(asked(), ["--help"])
    assert.isNull(yield* versions.flags({ program: program("mute", "exit 1"), env }))
  })

  live("is unknown of a program that is not there, cannot run or says none, and that is asked again", function* () {
    const { ask, asked, dir, program } = yield* place
    assert.isNull(yield* ask(path.join(dir, "none")))
    const broken = path.join(dir, "broken")
    fs.writeFileSync(broken, "#!/no/such/interpreter\n", { mode: 0o755 })
    assert.isNull(yield* ask(broken))
    const mute = program("mute", "echo hello; exit 3")
    assert.isNull(yield* ask(mute))
    assert.isNull(yield* ask(mute))
    assert.strictEqual(asked().length, 2)
  })

  live("is not waited for longer than some seconds, and nothing of the program is left", function* () {
    const { ask, dir, program } = yield* place
    const hangs = program("hangs", `echo 3.1.4; sleep 300 & echo $! > "${dir}/pid"; wait`)
    assert.strictEqual(yield* ask(hangs), "3.1.4")
    const pid = Number(fs.readFileSync(path.join(dir, "pid"), "utf8"))
    yield* eventually(() => !alive(pid), "its child ends too")
  })

  live("is known although something of the program lives on", function* () {
    const { ask, dir, program } = yield* place
    const leaves = program("leaves", `sleep 300 & echo $! > "${dir}/pid"; echo v5.6`)
    assert.strictEqual(yield* ask(leaves), "5.6")
    const pid = Number(fs.readFileSync(path.join(dir, "pid"), "utf8"))
    yield* eventually(() => !alive(pid), "what it left ends too")
  })
})
