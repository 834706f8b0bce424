import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { spawn, spawnSync } from "node:child_process"
import * as fs from "node:fs"
import * as os from "node:os"
import * as path from "node:path"
import { fileURLToPath } from "node:url"
import { patience, testPatience } from "../../../support/run/patience.ts"

const oneTurn = fileURLToPath(new URL("../../../support/headless/oneTurn.ts", import.meta.url))

const isGone = (pid: number): boolean => {
  try {
    return /^\d+ \(.*\) [ZX]/.test(fs.readFileSync(`/proc/${pid}/stat`, "utf8"))
  } catch {
    return true
  }
}

/** The pids of the run's processes, once they are there: the CLI and what it has put into other sessions. */
const pidsIn = Effect.fnUntraced(function* (dir: string) {
  const file = path.join(dir, "pid")
  while (!fs.existsSync(file)) yield* Effect.sleep(20)
  return fs.readFileSync(file, "utf8").split(" ").map(Number)
})

/**
 * A run in a process of its own, in a directory of its own. `through`: the program that becomes it, and begins in that
 * directory.
 */
const running = (...through: ReadonlyArray<string>) =>
  Effect.acquireRelease(
    Effect.sync(() => {
      const dir = fs.mkdtempSync(path.join(os.tmpdir(), "leap-watch-"))
      const [program, ...args] = [...through, process.execPath, oneTurn, "clings", "500"]
      const child = spawn(program, args, { cwd: dir, stdio: "ignore" })
      return { dir, child }
    }),
    ({ child, dir }) =>
      Effect.sync(() => {
        child.kill("SIGKILL")
        fs.rmSync(dir, { recursive: true, force: true })
      })
  )

/**
 * Runs a program in a mount namespace without /proc, where a `ps` of the directory's tells of processes, but slowly: leap
 * is killed before it has an answer.
 */
const withoutProc = [
  "unshare",
  "-rm",
  "sh",
  "-ec",
  `mkdir kept bin
cat >bin/ps <<END
#!/bin/sh
sleep 2
for one in $PWD/kept/[0-9]*; do
  read -r line <\\$one/stat || continue
  set -- \\\${line%% *} \\\${line##*\\) }
  [ \\$2 = Z ] || echo "\\$1 \\$3 \\$4 -1 ?? Sat Nov 21 15:46:00 2026 x"
done 2>/dev/null
END
chmod +x bin/ps
mount --rbind /proc kept
mount -t tmpfs tmpfs /proc
PATH=$PWD/bin:$PATH exec "$@"`,
  "sh"
] as const
const canMount = spawnSync("unshare", ["-rm", "true"]).status === 0

const groupOf = (pid: number): string | undefined =>
  / \S \d+ (\d+) /.exec(fs.readFileSync(`/proc/${pid}/stat`, "latin1"))?.[1]

/** The watches of this run that stand by. */
const watchesOf = (mark: string): ReadonlyArray<number> =>
  fs
    .readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name))
    .filter((pid) => {
      try {
        const args = fs.readFileSync(`/proc/${pid}/cmdline`, "utf8").split("\0")
        return args.includes("leap-watch") && args.includes(mark)
      } catch {
        return false
      }
    })
    .map(Number)

const markOf = (pid: number): string =>
  fs
    .readFileSync(`/proc/${pid}/environ`, "utf8")
    .split("\0")
    .find((variable) => variable.startsWith("LEAP_RUN="))!

/** Kills a run that has begun, and waits until the watch is over; gives those of its processes that live then. */
const killRun = Effect.fnUntraced(function* (
  { child, dir }: Effect.Success<ReturnType<typeof running>>,
  ends: (pids: ReadonlyArray<number>) => ReadonlyArray<number> = (pids) => pids
) {
  const pids = yield* pidsIn(dir)
  const mark = markOf(pids[0]!)
  assert.lengthOf(pids, 4)
  assert.lengthOf(pids.filter(isGone), 0)
  assert.lengthOf(watchesOf(mark), 1)
  const ending = ends(pids)
  yield* Effect.addFinalizer(() =>
    Effect.sync(() => {
      for (const pid of pids) if (!isGone(pid)) process.kill(pid, "SIGKILL")
    })
  )
  child.kill("SIGKILL")
  const isOver = () => ending.every(isGone) && watchesOf(mark).length === 0
  yield* Effect.gen(function* () {
    while (!isOver()) yield* Effect.sleep(20)
  }).pipe(Effect.timeoutOption(patience))
  assert.isTrue(isOver())
  return pids.filter((pid) => !isGone(pid))
})

describe.skipIf(!fs.existsSync("/proc/self/environ"))("what a run has started", () => {
  it.live(
    "ends when leap is killed, although none of it heeds a signal, wherever it has gone; then the watch ends too",
    () =>
      running().pipe(
        Effect.flatMap((run) => killRun(run)),
        Effect.scoped
      ),
    testPatience
  )

  it.live.skipIf(!canMount)(
    "without /proc ends where it is in the run's process group, and there alone",
    () =>
      Effect.gen(function* () {
        const inGroup = (pids: ReadonlyArray<number>) => pids.filter((pid) => groupOf(pid) === groupOf(pids[0]!))
        const left = yield* killRun(yield* running(...withoutProc), inGroup)
        assert.isAbove(left.length, 0)
      }).pipe(Effect.scoped),
    testPatience
  )
})
