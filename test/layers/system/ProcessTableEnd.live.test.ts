import { assert, describe } from "@effect/vitest"
import { Effect, Fiber } from "effect"
import { type ChildProcessByStdio, spawn, spawnSync } from "node:child_process"
import * as fs from "node:fs"
import type { Readable } from "node:stream"
import * as ProcessTableNode from "../../../src/layers/system/ProcessTableNode.ts"
import { type EndStep, ProcessTable } from "../../../src/services/ProcessTable.ts"
import { liveWith } from "../../support/run/effects.ts"
import { each } from "../../support/data/fields.ts"

const hasPs = spawnSync("ps", ["-o", "pid=", "-p", String(process.pid)]).status === 0
const hasProc = fs.existsSync("/proc/self/stat")
const sources = [
  ...(hasProc ? [["/proc", ProcessTableNode.layerProc] as const] : []),
  ...(hasPs ? [["ps", ProcessTableNode.layerPs] as const] : [])
]

/** Dead ones wait for their parent, and are gone all the same. */
const runs = (pid: number): boolean => {
  const state = spawnSync("sh", ["-c", hasProc ? `cut -d' ' -f3 /proc/${pid}/stat` : `ps -o stat= -p ${pid}`], {
    encoding: "utf8"
  }).stdout.trim()
  return state !== "" && !/^[ZX]/.test(state)
}

const patient: ReadonlyArray<EndStep> = [
  { signal: "SIGTERM", patience: 300 },
  { signal: "SIGKILL", patience: 5_000 }
]

let count = 0
const freshMark = () => ({ variable: "LEAP_TEST_END", value: `${process.pid}-${count++}` })

/**
 * A shell in a group of its own, its mark, and the pids it prints on its one line. What is left of it all ends with the
 * scope.
 */
const started = Effect.fnUntraced(function* (script: string, mark = freshMark()) {
  const child: ChildProcessByStdio<null, Readable, null> = yield* Effect.acquireRelease(
    Effect.sync(() =>
      spawn("sh", ["-c", script], {
        stdio: ["ignore", "pipe", "ignore"],
        detached: true,
        env: { ...process.env, [mark.variable]: mark.value }
      })
    ),
    (child) => Effect.sync(() => void child.kill("SIGKILL"))
  )
  const line = yield* Effect.callback<string>((resume) => {
    let text = ""
    child.stdout.on("data", (piece: Buffer) => {
      text += piece.toString()
      if (text.includes("\n")) resume(Effect.succeed(text))
    })
  })
  const pids = line.trim().split(" ").map(Number)
  yield* Effect.addFinalizer(() =>
    Effect.sync(() => {
      for (const pid of pids) if (runs(pid)) process.kill(pid, "SIGKILL")
    })
  )
  const table = yield* ProcessTable
  const [record] = yield* table.ancestry(child.pid ?? 0)
  return { child, leader: { pid: child.pid ?? 0, birth: record?.birth ?? null }, pids, mark }
})

const deaf = "trap '' HUP TERM; while :; do sleep 1; done"

describe.each(sources)("ending what was left behind, from %s", (source, layer) => {
  liveWith(layer)("ends a group to its last member, deaf ones too, and nobody outside of it", function* () {
    const table = yield* ProcessTable
    const { leader, pids } = yield* started(`(${deaf}) & echo "$! $(setsid sh -c 'sleep 60 >&- & echo $!')"; ${deaf}`)
    const [inside = 0, outside = 0] = pids
    assert.deepStrictEqual(yield* table.end({ _tag: "Group", leader, mark: null }, patient), {
      found: true,
      left: []
    })
    assert.deepStrictEqual([runs(leader.pid), runs(inside), runs(outside)], [false, false, true])
    // once more finds nobody
    assert.deepStrictEqual(yield* table.end({ _tag: "Group", leader, mark: null }, patient), {
      found: false,
      left: []
    })
  })

  liveWith(layer)("ends what is left of a group whose leader is gone", function* () {
    const table = yield* ProcessTable
    const { child, leader, pids } = yield* started("sleep 60 >&- & echo $!")
    if (child.exitCode === null)
      yield* Effect.callback<void>((resume) => void child.once("exit", () => resume(Effect.void)))
    assert.isTrue(runs(pids[0] ?? 0))
    assert.deepStrictEqual(yield* table.end({ _tag: "Group", leader, mark: null }, patient), {
      found: true,
      left: []
    })
    assert.isFalse(runs(pids[0] ?? 0))
  })

  liveWith(layer)("leaves alone who only has the number of the one that was meant", function* () {
    const table = yield* ProcessTable
    const { leader, mark } = yield* started("echo $$; exec sleep 60")
    const another = { pid: leader.pid, birth: "another" }
    assert.isFalse(yield* table.signalGroup(another, "SIGKILL"))
    for (const what of [
      { _tag: "Group", leader: another, mark: null },
      { _tag: "Group", leader: another, mark },
      { _tag: "Group", leader, mark: { ...mark, value: "another" } },
      { _tag: "Family", mark: { ...mark, value: "another" }, known: [another] }
    ] as const) {
      assert.deepStrictEqual(yield* table.end(what, patient), { found: false, left: [] }, JSON.stringify(what))
      assert.isTrue(runs(leader.pid))
    }
  })

  liveWith(layer)("ends a group by its leader's mark, where the system shows environments", function* () {
    const table = yield* ProcessTable
    const { leader, mark, pids } = yield* started(`(${deaf}) & echo $!; ${deaf}`)
    const ended = yield* table.end({ _tag: "Group", leader: { pid: leader.pid, birth: null }, mark }, patient)
    assert.deepStrictEqual(ended, { found: source === "/proc", left: [] })
    assert.deepStrictEqual([leader.pid, ...pids].map(runs), source === "/proc" ? [false, false] : [true, true])
    yield* table.end({ _tag: "Group", leader, mark: null }, patient)
  })

  liveWith(layer)(
    "ends a family in whatever sessions it is: the marked, their children, and those known from before",
    function* () {
      const table = yield* ProcessTable
      // one in a session of its own, one that hides its mark from all but the table
      const { leader, mark, pids } = yield* started(
        `setsid sh -c "${deaf}" >&- & echo "$! $(env -u LEAP_TEST_END setsid sh -c 'sleep 60 >&- & echo $!')"; sleep 60`
      )
      const [own = 0, unmarked = 0] = pids
      const known = (yield* table.family(leader.pid, mark.variable, mark.value)).concat(
        (yield* table.ancestry(unmarked)).slice(0, 1).map(({ birth, pid }) => ({ pid, birth }))
      )
      assert.deepStrictEqual(yield* table.end({ _tag: "Family", mark, known }, patient), { found: true, left: [] })
      assert.deepStrictEqual([leader.pid, own, unmarked].map(runs), [false, false, false])
    }
  )

  liveWith(layer)("asks before it kills: who heeds the first signal gets no second one", function* () {
    const table = yield* ProcessTable
    const { child, leader } = yield* started("trap 'exit 7' TERM; echo $$; while :; do sleep 0.1; done")
    const code = yield* Effect.forkScoped(
      Effect.callback<number | null>((resume) => void child.once("exit", (code) => resume(Effect.succeed(code))))
    )
    yield* table.end({ _tag: "Group", leader, mark: null }, [
      { signal: "SIGTERM", patience: 20_000 },
      { signal: "SIGKILL", patience: 1_000 }
    ])
    assert.strictEqual(yield* Fiber.join(code), 7)
  })

  liveWith(layer)("tells who is there still", function* () {
    const table = yield* ProcessTable
    const { leader } = yield* started(`trap '' TERM; echo $$; ${deaf}`)
    const ended = yield* table.end({ _tag: "Group", leader, mark: null }, [{ signal: "SIGTERM", patience: 100 }])
    assert.isTrue(ended.found)
    assert.include(each(ended.left, "pid"), leader.pid)
    yield* table.end({ _tag: "Group", leader, mark: null }, patient)
  })
})
