import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import * as fs from "node:fs"
import * as path from "node:path"
import { endsWell, eventually, makeRoom, startDemo } from "../support/processes/Room.ts"
import { isThorough } from "../support/run/thorough.ts"

/** Only Linux says these of another process. */
const measures = isThorough && fs.existsSync("/proc/self/smaps_rollup")

const megabytes = (pid: number): number =>
  Number(/^Rss:\s+(\d+)/m.exec(fs.readFileSync(`/proc/${pid}/smaps_rollup`, "utf8"))?.[1]) / 1024

/** How often a thread of it went to sleep, having been woken. */
const wakeUps = (pid: number): number =>
  fs.readdirSync(`/proc/${pid}/task`).reduce((sum, thread) => {
    const status = fs.readFileSync(`/proc/${pid}/task/${thread}/status`, "utf8")
    return sum + Number(/^voluntary_ctxt_switches:\s+(\d+)/m.exec(status)?.[1])
  }, 0)

describe("a host, all day", () => {
  it.live.runIf(measures)(
    "is woken by nothing while its CLI is still, and is there at once when somebody comes",
    () =>
      Effect.gen(function* () {
        const room = yield* makeRoom(undefined, { hosts: "apart" })
        const { hostPid } = yield* startDemo(room, "still")
        const client = yield* room.connect("still")
        yield* client.Send({ text: "hello", images: [], front: false, force: false })
        yield* room.until("still", (status) => status.queue.some(({ status }) => status === "done"), "done")
        // what becomes of the turn is recorded within some seconds
        yield* Effect.sleep("10 seconds")
        // on a machine that others keep busy that may last longer: what wakes a host for good does so each time
        const counts: Array<number> = []
        for (let round = 0; round < 3 && !counts.some((count) => count <= 12); round++) {
          const before = wakeUps(hostPid!)
          yield* Effect.sleep("20 seconds")
          counts.push(wakeUps(hostPid!) - before)
        }
        // V8 itself looks every 8 seconds whether it is time to collect; what checked the spool woke it forty times
        assert.isAtMost(Math.min(...counts), 12, String(counts))
        yield* endsWell(room.leap(["status", "still"]))
      }).pipe(Effect.scoped),
    150_000
  )

  it.live.runIf(measures)(
    "gives back what a flood of 200 MB took, when that is over",
    () =>
      Effect.gen(function* () {
        const room = yield* makeRoom(undefined, { hosts: "apart" })
        const [begin, done] = ["begin", "done"].map((name) => path.join(room.dir, name)) as [string, string]
        const line = "The quick brown fox jumps over the lazy dog, and the terminal shows each line of it as it comes."
        const script =
          `while [ ! -e '${begin}' ]; do sleep 0.1; done; ` +
          `yes '${line}' | head -c 200000000; : > '${done}'; exec sleep 1000`
        const started = yield* room.leap(["flood", "--cli", "generic", "--detach", "--", "sh", "-c", script])
        assert.strictEqual(started.code, 0, started.stderr)
        const status = yield* room.leap(["status", "flood", "--json"])
        const { hostPid } = JSON.parse(status.stdout).sessions[0] as { readonly hostPid: number }
        yield* Effect.sleep("3 seconds")
        const before = megabytes(hostPid)
        fs.writeFileSync(begin, "")
        // a slow machine takes longer than one wait
        for (let i = 0; i < 4 && !fs.existsSync(done); i++) yield* Effect.sleep("15 seconds")
        yield* eventually(() => fs.existsSync(done), "the flood is over")
        // the lines that can be scrolled back to stay, and V8's compilers, that had not been used before
        yield* eventually(() => megabytes(hostPid) < before + 40, "the memory is given back")
      }).pipe(Effect.scoped),
    150_000
  )
})
