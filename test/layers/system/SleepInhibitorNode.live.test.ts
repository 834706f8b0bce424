import { assert, describe } from "@effect/vitest"
import { Effect, Fiber } from "effect"
import { spawn } from "node:child_process"
import * as fs from "node:fs"
import * as os from "node:os"
import * as path from "node:path"
import * as SleepInhibitorNode from "../../../src/layers/system/SleepInhibitorNode.ts"
import { SleepInhibitor } from "../../../src/services/SleepInhibitor.ts"
import { alive, eventually } from "../../support/processes/Room.ts"
import { live } from "../../support/run/effects.ts"

/** A folder with a program that says how it was called, and then does this. */
const folderWith = Effect.fnUntraced(function* (name: string, script: string) {
  const dir = yield* Effect.acquireRelease(
    Effect.sync(() => fs.mkdtempSync(path.join(os.tmpdir(), "leap-awake-"))),
    (dir) => Effect.sync(() => fs.rmSync(dir, { recursive: true, force: true }))
  )
  fs.writeFileSync(path.join(dir, name), `#!/bin/sh\necho $$ >"${dir}/pid"\necho "$*" >"${dir}/called"\n${script}\n`, {
    mode: 0o755
  })
  const read = (file: string) => fs.readFileSync(path.join(dir, file), "utf8").trim()
  return {
    dir,
    env: { PATH: `${dir}:${process.env["PATH"]}` },
    isCalled: () => fs.existsSync(path.join(dir, "called")) && read("called") !== "",
    called: () => read("called"),
    pid: () => Number(read("pid"))
  }
})
/** As systemd-inhibit does: it runs its command, which is what keeps the lock. */
const inhibits = 'shift 4; exec "$@"'
const holding = (env: Readonly<Record<string, string>>, platform: string) =>
  Effect.flatMap(SleepInhibitor, ({ hold }) => hold("session one works")).pipe(
    Effect.provide(SleepInhibitorNode.layerFrom(env, platform))
  )

describe("what keeps a machine awake", () => {
  live("is the system's own program, until it is not wanted any more", function* () {
    for (const [platform, name, script, called] of [
      ["linux", "systemd-inhibit", inhibits, "--what=idle:sleep --who=leap --why=session one works --mode=block cat"],
      ["darwin", "caffeinate", "exec sleep 60", `-i -w ${process.pid}`]
    ] as const) {
      const folder = yield* folderWith(name, script)
      const fiber = yield* Effect.forkScoped(holding(folder.env, platform))
      yield* eventually(folder.isCalled, `${name} is called`)
      assert.strictEqual(folder.called(), called)
      assert.isTrue(alive(folder.pid()))
      yield* Fiber.interrupt(fiber)
      yield* eventually(() => !alive(folder.pid()), `${name} has ended`)
    }
  })

  live("ends with the process that wanted it, however that ends", function* () {
    const folder = yield* folderWith("systemd-inhibit", inhibits)
    const module = new URL("../../../src/layers/system/SleepInhibitorNode.ts", import.meta.url).href
    const service = new URL("../../../src/services/SleepInhibitor.ts", import.meta.url).href
    const child = spawn(
      process.execPath,
      [
        "--input-type=module",
        "--eval",
        `import { Effect } from "effect"
         import { layer } from ${JSON.stringify(module)}
         import { SleepInhibitor } from ${JSON.stringify(service)}
         Effect.runFork(Effect.flatMap(SleepInhibitor, ({ hold }) => hold("x")).pipe(Effect.provide(layer)))`
      ],
      { env: folder.env, stdio: "ignore", cwd: path.join(import.meta.dirname, "../../..") }
    )
    yield* Effect.addFinalizer(() => Effect.sync(() => child.kill("SIGKILL")))
    yield* eventually(folder.isCalled, "it is called")
    assert.isTrue(alive(folder.pid()))
    child.kill("SIGKILL")
    yield* eventually(() => !alive(folder.pid()), "it has ended too")
  })

  live("is said to be missing, or what it says of its failure", function* () {
    const missing = yield* Effect.flip(holding({ PATH: "/nowhere" }, "linux"))
    assert.strictEqual(missing.message, "this machine is not kept from sleeping: systemd-inhibit is not installed")
    const denied = yield* folderWith("systemd-inhibit", "echo 'Failed to inhibit: Access denied' >&2; exit 1")
    assert.strictEqual(
      (yield* Effect.flip(holding(denied.env, "linux"))).message,
      "this machine is not kept from sleeping: systemd-inhibit ended: Failed to inhibit: Access denied"
    )
  })
})
