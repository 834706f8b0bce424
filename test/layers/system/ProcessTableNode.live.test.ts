import { assert, describe } from "@effect/vitest"
import { Effect } from "effect"
import { spawn, spawnSync } from "node:child_process"
import * as fs from "node:fs"
import * as ProcessTableNode from "../../../src/layers/system/ProcessTableNode.ts"
import { ProcessTable } from "../../../src/services/ProcessTable.ts"
import { eventually } from "../../support/processes/Room.ts"
import { lookingAgain } from "../../support/run/patience.ts"
import { liveWith } from "../../support/run/effects.ts"
import { each } from "../../support/data/fields.ts"

const hasPs = spawnSync("ps", ["-o", "pid=", "-p", String(process.pid)]).status === 0
const hasProc = fs.existsSync("/proc/self/stat")
const sources = [
  ...(hasProc ? [["/proc", ProcessTableNode.layerProc] as const] : []),
  ...(hasPs ? [["ps", ProcessTableNode.layerPs] as const] : []),
  ["this system's way", ProcessTableNode.layer] as const
]

describe.each(sources)("the process table from %s", (_, layer) => {
  liveWith(layer)("knows a process and its ancestors", function* () {
    const { ancestry } = yield* ProcessTable
    const line = yield* ancestry(process.pid)
    assert.strictEqual(line[0]?.pid, process.pid)
    assert.strictEqual(line[0]?.parent, process.ppid)
    assert.strictEqual(line[1]?.pid, process.ppid)
    for (const [i, record] of line.slice(1).entries()) assert.strictEqual(line[i]?.parent, record.pid)
    assert.deepStrictEqual(yield* ancestry(2 ** 30), [])
  })

  liveWith(layer)("tells a process from another with its pid, and one that has ended", function* () {
    const { ancestry, isAlive, isStopped } = yield* ProcessTable
    const child = spawn("cat", { stdio: ["pipe", "ignore", "ignore"] })
    const pid = child.pid ?? 0
    const record = (yield* ancestry(pid))[0]
    assert.strictEqual(record?.name, "cat")
    assert.strictEqual(record?.parent, process.pid)
    const birth = record?.birth ?? ""
    assert.isAbove(birth.length, 0)
    assert.isTrue(yield* isAlive({ pid, birth }))
    assert.isTrue(yield* isAlive({ pid, birth: null }))
    assert.isFalse(yield* isAlive({ pid, birth: "another" }))
    // what is stopped lives, and the system may tell
    assert.isFalse(yield* isStopped(pid))
    child.kill("SIGSTOP")
    if (hasProc) yield* eventually(() => Effect.runSync(isStopped(pid)), "it is stopped")
    assert.isTrue(yield* isAlive({ pid, birth }))
    child.kill("SIGCONT")
    yield* eventually(() => !Effect.runSync(isStopped(pid)), "it goes on")
    const ended = new Promise((resolve) => child.once("exit", resolve))
    child.stdin.end()
    yield* Effect.promise(() => ended)
    assert.isFalse(yield* isAlive({ pid, birth }))
    // one whose parent does not take note of its end
    if (!hasProc) return
    const careless = yield* Effect.acquireRelease(
      Effect.sync(() => spawn("sh", ["-c", "exec 3<&0; cat <&3 & echo $!; exec sleep 600"])),
      (its) => Effect.sync(() => its.kill("SIGKILL"))
    )
    const told = yield* Effect.promise(() => new Promise((resolve) => careless.stdout.once("data", resolve)))
    const key = { pid: Number(String(told)), birth: null }
    // a shell takes note of an end: the child ends only when its parent is none any more
    yield* Effect.repeat(ancestry(careless.pid ?? 0), {
      until: ([its]) => its?.name === "sleep",
      schedule: lookingAgain(20)
    })
    careless.stdin.end()
    yield* Effect.repeat(isAlive(key), { until: (alive) => !alive, schedule: lookingAgain(20) })
    assert.isFalse(yield* isAlive(key))
    assert.strictEqual((yield* ancestry(key.pid))[0]?.pid, key.pid)
  })

  liveWith(layer)("finds a process with all that descends from it, and signals that very one", function* () {
    const { family, signal } = yield* ProcessTable
    const child = spawn("sh", ["-c", "setsid sleep 600 & echo $!; wait"], {
      stdio: ["ignore", "pipe", "ignore"],
      env: { ...process.env, LEAP_TEST_MARK: String(process.pid) }
    })
    const sleeper = yield* Effect.promise(
      () =>
        new Promise<number>((resolve) =>
          child.stdout.once("data", (piece: Buffer) => resolve(Number(piece.toString())))
        )
    )
    const pid = child.pid ?? 0
    const both = yield* family(pid, "LEAP_TEST_MARK", "another")
    assert.sameMembers(each(both, "pid"), [pid, sleeper])
    const ended = new Promise((resolve) => child.once("exit", resolve))
    const [first] = both.filter((it) => it.pid === pid)
    assert.isFalse(yield* signal({ pid, birth: "another" }, "SIGKILL"))
    assert.isTrue(yield* signal(first ?? { pid, birth: null }, "SIGKILL"))
    yield* Effect.promise(() => ended)
    assert.isFalse(yield* signal({ pid, birth: first?.birth ?? null }, 0))
    // an orphan is known by its mark alone, where the system shows that
    const orphans = yield* family(null, "LEAP_TEST_MARK", String(process.pid))
    assert.deepStrictEqual(each(orphans, "pid"), layer === ProcessTableNode.layerPs ? [] : [sleeper])
    for (const it of both) yield* signal(it, "SIGKILL")
  })
})
