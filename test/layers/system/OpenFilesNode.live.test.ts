import { assert, it } from "@effect/vitest"
import { Effect } from "effect"
import { spawn } from "node:child_process"
import * as fs from "node:fs"
import * as os from "node:os"
import * as path from "node:path"
import * as OpenFilesNode from "../../../src/layers/system/OpenFilesNode.ts"
import { OpenFiles } from "../../../src/services/OpenFiles.ts"
import { patience } from "../../support/run/patience.ts"
import { liveWith } from "../../support/run/effects.ts"

const layers = { "/proc": OpenFilesNode.layerProc, lsof: OpenFilesNode.layerLsof() }
const has = (way: keyof typeof layers) =>
  way === "/proc"
    ? fs.existsSync("/proc/self/fd")
    : `${process.env["PATH"]}:/usr/sbin`.split(":").some((folder) => fs.existsSync(path.join(folder, "lsof")))

liveWith(OpenFilesNode.layerLsof("/nowhere"))("without /proc and lsof nobody knows", function* () {
  const { holders, workers } = yield* OpenFiles
  assert.isNull(yield* holders([{ dev: "0", ino: "0" }]))
  assert.isNull(yield* workers("/"))
})

it.live.each(["/proc", "lsof"] as const)(
  "by %s another process that has the file open is named, whatever it is called by now; this one is not",
  (way, { skip }) =>
    Effect.gen(function* () {
      if (!has(way)) return skip(`there is no ${way} here`)
      const directory = fs.mkdtempSync(path.join(os.tmpdir(), "leap-open-"))
      yield* Effect.addFinalizer(() => Effect.sync(() => fs.rmSync(directory, { recursive: true })))
      const file = path.join(directory, "a")
      fs.writeFileSync(file, "")
      const own = fs.openSync(file, "a")
      yield* Effect.addFinalizer(() => Effect.sync(() => fs.closeSync(own)))
      const { dev, ino } = fs.statSync(file, { bigint: true })
      const identity = { dev: String(dev), ino: String(ino) }
      const { holders } = yield* OpenFiles
      assert.deepStrictEqual(yield* holders([identity]), [])
      const child = spawn("sh", ["-c", 'exec 7>>"$1"; echo open; read end', "sh", file], {
        stdio: ["pipe", "pipe", "inherit"]
      })
      yield* Effect.callback<void>((resume) => {
        child.stdout.once("data", () => resume(Effect.void))
      }).pipe(Effect.timeout(patience))
      fs.renameSync(file, `${file}.moved`)
      assert.deepStrictEqual(yield* holders([{ dev: "0", ino: "0" }, identity]), [child.pid ?? 0])
      assert.deepStrictEqual(yield* holders([]), [])
      yield* Effect.callback<void>((resume) => {
        child.once("close", () => resume(Effect.void))
        child.stdin.end("\n")
      }).pipe(Effect.timeout(patience))
      assert.deepStrictEqual(yield* holders([identity]), [])
    }).pipe(Effect.scoped, Effect.provide(layers[way]))
)

it.live.each(["/proc", "lsof"] as const)(
  "by %s a process is named that works in the directory or below, whatever letters are in its name",
  (way, { skip }) =>
    Effect.gen(function* () {
      if (!has(way)) return skip(`there is no ${way} here`)
      const directory = fs.realpathSync(fs.mkdtempSync(path.join(os.tmpdir(), "leap-work-ä ")))
      yield* Effect.addFinalizer(() => Effect.sync(() => fs.rmSync(directory, { recursive: true })))
      const { workers } = yield* OpenFiles
      assert.deepStrictEqual(yield* workers(directory), [])
      const below = path.join(directory, "below")
      fs.mkdirSync(below)
      const child = yield* Effect.acquireRelease(
        Effect.sync(() => spawn("sleep", ["600"], { cwd: below, stdio: "ignore" })),
        (its) => Effect.sync(() => its.kill("SIGKILL"))
      )
      yield* Effect.callback<void>((resume) => void child.once("spawn", () => resume(Effect.void)))
      assert.deepStrictEqual(yield* workers(directory), [{ pid: child.pid ?? 0, name: "sleep" }])
      assert.deepStrictEqual(yield* workers(`${directory}/bel`), [])
    }).pipe(Effect.scoped, Effect.provide(layers[way]))
)
