import { assert, describe } from "@effect/vitest"
import { Effect, Option, Result } from "effect"
import { spawnSync } from "node:child_process"
import * as fs from "node:fs"
import * as net from "node:net"
import * as os from "node:os"
import * as path from "node:path"
import * as ControlSocketUnix from "../../../src/layers/control/ControlSocketUnix.ts"
import { ControlSocket } from "../../../src/services/ControlSocket.ts"
import { live } from "../../support/run/effects.ts"

const directory = Effect.acquireRelease(
  Effect.sync(() => fs.mkdtempSync(path.join(os.tmpdir(), "leap-socket-"))),
  (dir) => Effect.sync(() => fs.rmSync(dir, { recursive: true }))
)

/** Listens until the scope ends. */
const listening = (file: string) =>
  Effect.acquireRelease(
    Effect.callback<net.Server>((resume) => {
      const server: net.Server = net
        .createServer((socket) => socket.on("error", () => {}))
        .listen(file, () => resume(Effect.succeed(server)))
    }),
    (server) => Effect.callback<void>((resume) => void server.close(() => resume(Effect.void)))
  )

const connect = (file: string) =>
  Effect.gen(function* () {
    yield* (yield* ControlSocket).connect(file)
  }).pipe(Effect.scoped, Effect.result, Effect.provide(ControlSocketUnix.layer))

const attach = (file: string) =>
  Effect.gen(function* () {
    yield* (yield* ControlSocket).attach(file)
  }).pipe(Effect.scoped, Effect.result, Effect.provide(ControlSocketUnix.layer))

describe("whether a session's host lives", () => {
  live("it does while somebody listens; a plain file, no file, and a socket left behind are no host", function* () {
    const dir = yield* directory
    const at = (name: string) => path.join(dir, name)
    yield* listening(at("alive"))
    assert.isTrue(Result.isSuccess(yield* connect(at("alive"))))
    fs.writeFileSync(at("plain"), "")
    // killed, it cannot take its socket away
    spawnSync(process.execPath, [
      "-e",
      "require('net').createServer().listen(process.argv[1], () => process.kill(process.pid, 'SIGKILL'))",
      at("dead")
    ])
    assert.isTrue(fs.lstatSync(at("dead")).isSocket())
    fs.mkdirSync(at("directory"))
    for (const [name, why] of [
      ["plain", "something else is in its place"],
      ["directory", "something else is in its place"],
      ["missing", "there is none"],
      // of a host that lives, too: another one may have left it there
      ["dead", "nobody listens on it"]
    ] as const)
      for (const by of [connect, attach]) {
        const tried = yield* by(at(name))
        assert.deepInclude(tried, { _tag: "Failure" }, name)
        assert.deepInclude(Option.getOrThrow(Result.getFailure(tried)), { _tag: "NoHostError", why }, name)
      }
  })
})
