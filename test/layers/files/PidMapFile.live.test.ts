import { assert, describe, it } from "@effect/vitest"
import { Effect, Exit, Layer, Scope } from "effect"
import { type ChildProcess, execFileSync, spawn, spawnSync } from "node:child_process"
import * as fs from "node:fs"
import * as os from "node:os"
import * as path from "node:path"
import * as PathsXdg from "../../../src/layers/files/PathsXdg.ts"
import * as PidMapFile from "../../../src/layers/files/PidMapFile.ts"
import * as ProcessTableNode from "../../../src/layers/system/ProcessTableNode.ts"
import { PidMap } from "../../../src/services/PidMap.ts"
import { script as packaged, shells } from "../../support/wiring/hookScript.ts"
import { live, liveOfEach } from "../../support/run/effects.ts"

/** A leap of its own, its hook script where it installs it. */
const room = Effect.gen(function* () {
  const dir = yield* Effect.acquireRelease(
    Effect.sync(() => fs.mkdtempSync(path.join(os.tmpdir(), "leap-pids-"))),
    (dir) => Effect.sync(() => fs.rmSync(dir, { recursive: true, force: true }))
  )
  const script = path.join(dir, "hooks/leap-hook.sh")
  fs.mkdirSync(path.dirname(script))
  fs.copyFileSync(packaged, script)
  fs.chmodSync(script, 0o755)
  const spool = path.join(dir, "a spool with  blanks")
  fs.mkdirSync(spool)
  const layer = PidMapFile.layer.pipe(
    Layer.provide([PathsXdg.layerFrom({ LEAP_HOME: dir, HOME: dir }), ProcessTableNode.layer])
  )
  return {
    dir,
    script,
    spool,
    layer,
    pids: path.join(dir, "pids"),
    events: (where = spool) =>
      fs
        .readdirSync(where)
        .filter((name) => !name.startsWith("."))
        .map((name) => name.split(",")[0])
  }
})

/** Runs the script as a CLI does that strips the environment, `levels` shells below this process. */
const call = (
  script: string,
  event: string,
  options: {
    readonly levels?: number
    readonly shell?: ReadonlyArray<string>
    readonly env?: Readonly<Record<string, string>>
  } = {}
) => {
  const { env = {}, levels = 0, shell = ["sh"] } = options
  const wrap = Array.from({ length: levels }, () => ["sh", "-c", '"$@"; exit $?', "level"]).flat()
  const ran = spawnSync("env", [...wrap, ...shell, script, event, "{}"], {
    input: "{}",
    encoding: "utf8",
    env: { PATH: process.env["PATH"], ...env }
  })
  assert.deepStrictEqual([ran.status, ran.stdout, ran.stderr], [0, "{}\n", ""], event)
}

const birthOf = (pid: number) => {
  const stat = fs.readFileSync(`/proc/${pid}/stat`, "latin1")
  return stat.slice(stat.lastIndexOf(")") + 2).split(" ")[19]
}

describe.skipIf(!fs.existsSync("/proc/self/stat"))("the pid map", () => {
  live("names the processes of a session, as a host does that finds what an earlier one has left", function* () {
    const { layer, pids, spool } = yield* room
    fs.mkdirSync(pids)
    fs.writeFileSync(`${pids}/4711`, `leap-pid 1 99 ${spool}\n`)
    fs.writeFileSync(`${pids}/4712`, `leap-pid 1 99 ${spool}2\n`)
    fs.writeFileSync(`${pids}/4713`, "damaged")
    fs.writeFileSync(`${pids}/.4714.tmp`, `leap-pid 1 99 ${spool}\n`)
    const pidsOf = (where: string) =>
      Effect.provide(
        Effect.flatMap(PidMap, (map) => map.pidsOf(where)),
        layer
      )
    assert.deepStrictEqual(yield* pidsOf(spool), [4711])
    fs.rmSync(pids, { recursive: true })
    assert.deepStrictEqual(yield* pidsOf(spool), [])
  })

  liveOfEach(shells.map((shell) => [shell] as const))(
    "a hook without leap's environment finds its session by the processes above it (%s)",
    function* ([shell]) {
      const { events, layer, pids, script, spool } = yield* room
      yield* Effect.provide(
        Effect.flatMap(PidMap, (map) => map.register({ cliPid: process.pid, spool })),
        layer
      )
      assert.strictEqual(fs.statSync(pids).mode & 0o777, 0o700)
      call(script, "Direct", { shell })
      call(script, "Deep", { shell, levels: 8 })
      assert.sameMembers(events(), ["Direct", "Deep"])
      const gone = `${spool}.gone`
      fs.renameSync(spool, gone)
      call(script, "Closed", { shell })
      fs.renameSync(gone, spool)
      assert.notInclude(events(), "Closed")
      call(script, "TooDeep", { shell, levels: 12 })
      assert.notInclude(events(), "TooDeep")
    }
  )

  live("a LEAP_SIGNAL_DIR that is set wins, whatever it is", function* () {
    const { dir, events, layer, script, spool } = yield* room
    yield* Effect.provide(
      Effect.flatMap(PidMap, (map) => map.register({ cliPid: process.pid, spool })),
      layer
    )
    const other = path.join(dir, "other")
    fs.mkdirSync(other)
    for (const [event, LEAP_SIGNAL_DIR] of [
      ["Named", other],
      ["Gone", path.join(dir, "gone")],
      ["Empty", ""]
    ] as const) {
      call(script, event, { env: { LEAP_SIGNAL_DIR } })
    }
    assert.deepStrictEqual(events(other), ["Named"])
    assert.deepStrictEqual(events(), [])
  })

  live("a pid that was given out again is another process; an entry that is not whole is none", function* () {
    const { events, pids, script, spool } = yield* room
    fs.mkdirSync(pids)
    const entry = path.join(pids, String(process.pid))
    const good = `leap-pid 1 ${birthOf(process.pid)} ${spool}\n`
    for (const wrong of [
      good.replace(/1 \d+ /, "1 1 "),
      good.replace("pid 1", "pid 2"),
      "",
      "\n",
      "leap-pid 1",
      good.replace(` ${spool}`, "")
    ]) {
      fs.writeFileSync(entry, wrong)
      call(script, "Wrong")
      assert.deepStrictEqual(events(), [], wrong)
    }
    fs.rmSync(entry)
    fs.mkdirSync(entry)
    call(script, "Directory")
    fs.rmdirSync(entry)
    fs.writeFileSync(entry, good)
    call(script, "Right")
    assert.deepStrictEqual(events(), ["Right"])
  })

  live("holds while its scope does, and forgets processes that are gone", function* () {
    const { layer, pids, spool } = yield* room
    fs.mkdirSync(pids)
    for (const [name, text] of [
      ["4194305", "leap-pid 1 5 /x\n"],
      [String(process.ppid), "leap-pid 1 5 /x\n"],
      ["junk", "?"]
    ] as const)
      fs.writeFileSync(path.join(pids, name), text)
    fs.writeFileSync(path.join(pids, "1"), `leap-pid 1 ${birthOf(1)} /another/session\n`)
    const scope = yield* Scope.make()
    const map = yield* Effect.provide(PidMap, layer)
    yield* Scope.provide(map.register({ cliPid: process.pid, spool }), scope)
    assert.sameMembers(fs.readdirSync(pids), ["1", String(process.pid)])
    const entry = path.join(pids, String(process.pid))
    assert.strictEqual(fs.readFileSync(entry, "utf8"), `leap-pid 1 ${birthOf(process.pid)} ${spool}\n`)
    assert.strictEqual(fs.statSync(entry).mode & 0o777, 0o600)
    yield* Scope.close(scope, Exit.void)
    assert.deepStrictEqual(fs.readdirSync(pids), ["1"])
  })

  live("a process that has ended is not registered", function* () {
    const { layer, pids, spool } = yield* room
    const child: ChildProcess = spawn("true")
    yield* Effect.callback<void>((resume) => void child.once("exit", () => resume(Effect.void)))
    yield* Effect.provide(
      Effect.flatMap(PidMap, (map) => map.register({ cliPid: child.pid ?? 0, spool })),
      layer
    )
    assert.isFalse(fs.existsSync(path.join(pids, String(child.pid))))
  })

  const canMount = spawnSync("unshare", ["-rm", "true"]).status === 0
  it.live.skipIf(!canMount)("on systems without /proc one ps tells", () =>
    Effect.gen(function* () {
      const { dir, events, pids, script, spool } = yield* room
      fs.mkdirSync(pids)
      // A table as ps prints it, with the script's own line of processes in it.
      fs.writeFileSync(
        path.join(dir, "ps"),
        `#!/bin/sh
echo called >>"${dir}/calls"
printf '    1     0 Sat Nov 21 15:45:59 2026\\nPID PPID broken\\n%5d     1 Sat Nov  7 01:02:03 2026\\n%5d %5d Sat Nov 21 15:46:00 2026\\n' 777 "$CALLER" 777
`,
        { mode: 0o755 }
      )
      fs.writeFileSync(path.join(pids, "777"), `leap-pid 1 Sat_Nov_7_01:02:03_2026 ${spool}\n`)
      fs.writeFileSync(path.join(pids, "778"), `leap-pid 1 Sat_Nov_7_01:02:03_2026 /nowhere\n`)
      const run = (event: string) =>
        execFileSync(
          "unshare",
          [
            "-rm",
            "sh",
            "-ec",
            `
          for ps in /bin/ps /usr/bin/ps; do [ ! -e "$ps" ] || mount --bind "$1/ps" "$ps"; done
          mount -t tmpfs tmpfs /proc
          export CALLER=$$
          echo '{}' | sh "$2" "$3" '{}'; :`,
            "sh",
            dir,
            script,
            event
          ],
          { encoding: "utf8", env: { PATH: process.env["PATH"] } }
        )
      assert.strictEqual(run("ByPs"), "{}\n")
      assert.deepStrictEqual(events(), ["ByPs"])
      assert.strictEqual(fs.readFileSync(path.join(dir, "calls"), "utf8"), "called\n")
      fs.writeFileSync(path.join(pids, "777"), `leap-pid 1 Sat_Nov_7_01:02:04_2026 ${spool}\n`)
      assert.strictEqual(run("Reused"), "{}\n")
      assert.deepStrictEqual(events(), ["ByPs"])
    })
  )
})
