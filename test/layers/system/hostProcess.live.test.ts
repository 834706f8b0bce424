import { assert, describe } from "@effect/vitest"
import { Effect, Fiber, Layer } from "effect"
import { execFileSync, spawnSync } from "node:child_process"
import * as fs from "node:fs"
import * as os from "node:os"
import * as path from "node:path"
import { beginHost, type HostProcess, spawnHost, takeHost } from "../../../src/layers/system/hostProcess.ts"
import * as HostLauncherNode from "../../../src/layers/system/HostLauncherNode.ts"
import * as SystemNode from "../../../src/layers/system/SystemNode.ts"
import { HostLauncher } from "../../../src/services/HostLauncher.ts"
import { eventually } from "../../support/processes/Room.ts"
import { live } from "../../support/run/effects.ts"

/** A program that says which variables and arguments it got, then echoes its input until that ends. */
const stand = Effect.acquireRelease(
  Effect.sync(() => {
    const dir = fs.mkdtempSync(path.join(os.tmpdir(), "leap-host-process-"))
    const program = path.join(dir, "host")
    fs.writeFileSync(program, `#!/bin/sh\n: > "${dir}/up.$$"\necho "$NAME $*"\ncat\n: > "${dir}/over.$$"\n`)
    fs.chmodSync(program, 0o755)
    const has = (name: string) => fs.existsSync(path.join(dir, name))
    return { dir, has, command: (name: string) => ({ self: [program, "own"], env: { ...environment, NAME: name } }) }
  }),
  ({ dir }) => Effect.sync(() => fs.rmSync(dir, { recursive: true, force: true }))
)
const environment = { PATH: process.env["PATH"] ?? "" }

/** Its parent, which this is, knows that it has ended; 0 is no process's number. */
const isReaped = (pid: number): boolean => {
  try {
    process.kill(pid, 0)
    return false
  } catch {
    return true
  }
}
const exitOf = (host: HostProcess) =>
  Effect.promise(() => new Promise<void>((done) => host.once("close", () => done())))
const said = (host: HostProcess) => {
  let text = ""
  host.stdout.setEncoding("utf8").on("data", (data: string) => (text += data))
  return () => text
}

describe("a host's process", () => {
  live("says that something else is in its log's place, and waits for nobody to read it", function* () {
    const { dir } = yield* stand
    const log = path.join(dir, "host.log")
    execFileSync("mkfifo", [log])
    const spec = { tag: "x", cli: "demo", cwd: "/", args: [], cols: 80, rows: 24, waitForViewer: false }
    const input = JSON.stringify({ spec, log })
    const host = spawnSync(process.execPath, ["src/bin.ts", "__host"], { input, encoding: "utf8", timeout: 20_000 })
    assert.include(host.stdout, `its log ${log} cannot be written: it is a named pipe`)
  })

  live("is ended where the start that waits for it is interrupted", function* () {
    const { command, has } = yield* stand
    const { env, self } = command("one")
    fs.writeFileSync(
      self[0]!,
      `#!/bin/sh\ncd "\${0%/*}"\ntrap 'sleep 0.2; : > over.told; exit' TERM\n: > up.waits\nwhile :; do sleep 0.05; done\n`
    )
    const launcher = HostLauncherNode.layer.pipe(Layer.provide(SystemNode.layerWith({ version: "0", self, env })))
    const spec = { tag: "x", cli: "demo", cwd: "/", args: [], cols: 80, rows: 24, waitForViewer: false }
    const starting = yield* HostLauncher.use(({ start }) => start(spec, "/dev/null")).pipe(
      Effect.provide(launcher),
      Effect.forkChild
    )
    yield* eventually(() => has("up.waits"), "it runs")
    yield* Fiber.interrupt(starting)
    // whoever starts another one at once would still meet it
    assert.isTrue(has("over.told"), "it has ended")
  })

  live("that was begun is the one that is taken, with all that it said", function* () {
    const { command, has } = yield* stand
    beginHost(command("one"))
    const begun = yield* Effect.sync(() => takeHost(command("one")))
    yield* eventually(() => has(`up.${begun.pid}`), "it runs")
    const text = said(begun)
    begun.stdin.end("an order")
    yield* exitOf(begun)
    assert.strictEqual(text(), "one own __host\nan order")
    // it is given once
    const next = takeHost(command("one"))
    assert.notStrictEqual(next.pid, begun.pid)
    next.stdin.end()
    yield* exitOf(next)
  })

  live("that was begun for another environment, or for nothing, reads the end and is gone", function* () {
    const { command, dir, has } = yield* stand
    const overs = () => fs.readdirSync(dir).filter((name) => name.startsWith("over."))
    beginHost(command("one"))
    const other = takeHost(command("two"))
    yield* eventually(() => overs().length === 1, "the one that was begun is over")
    assert.isFalse(has(`over.${other.pid}`))
    beginHost(command("one"))
    // another is begun
    beginHost(command("one"))
    yield* eventually(() => overs().length === 2, "the first is over")
    const last = takeHost(command("one"))
    for (const host of [other, last]) {
      host.stdin.end()
      yield* exitOf(host)
    }
    assert.strictEqual(overs().length, 4)
  })

  live("that has ended meanwhile is started anew where it is taken; one that cannot be says so", function* () {
    const { command, dir } = yield* stand
    const { self } = command("")
    const first = path.join(dir, "first")
    fs.writeFileSync(self[0]!, `#!/bin/sh\n[ -e "${first}" ] && exec cat\necho $$ > "${first}"\n`)
    beginHost(command("one"))
    yield* eventually(
      () => fs.existsSync(first) && isReaped(Number(fs.readFileSync(first, "utf8"))),
      "the first is over"
    )
    const taken = takeHost(command("one"))
    const text = said(taken)
    taken.stdin.end("an order")
    yield* exitOf(taken)
    assert.strictEqual(text(), "an order")
    const missing = spawnHost({ self: [`${dir}/none`], env: environment })
    const error = yield* Effect.promise(() => new Promise<Error>((done) => missing.once("error", done)))
    assert.include(error.message, "ENOENT")
  })
})
