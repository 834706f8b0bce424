import type { Held } from "./growth.ts"
import { Effect, Exit, Option, Cause } from "effect"
import { spawn } from "node:child_process"
import * as fs from "node:fs"
import * as path from "node:path"
import type { SessionStatus } from "../../src/domain/words/session/Session.ts"
import type { HostClient } from "../../src/services/ControlSocket.ts"
import { doubtOf } from "../../src/domain/engine/queue/Leftovers.ts"
import { alive, eventually, kill, makeRoom } from "../support/processes/Room.ts"
import type { CallOutcome, Entry, Heard } from "./ledger.ts"

/** Ends every process whose environment names the room, as soon as its standard input ends: also if the test is killed. */
const reaper = `
const fs = require("node:fs")
const mark = "LEAP_HOME=" + process.argv[1] + "\\0"
const left = () => fs.readdirSync("/proc").filter((pid) => {
  try { return /^\\d+$/.test(pid) && fs.readFileSync("/proc/" + pid + "/environ", "latin1").includes(mark) } catch { return false }
})
const reap = (rounds) => {
  const pids = left()
  for (const pid of pids) try { process.kill(Number(pid), "SIGKILL") } catch {}
  if (pids.length > 0 && rounds > 0) setTimeout(reap, 25, rounds - 1)
}
process.stdin.resume().on("end", () => reap(400))
`

/**
 * Loaded into hosts and CLIs. At SIGUSR2 a host writes what its heap holds after a collection; a CLI reads and draws
 * nothing for so many milliseconds as its file says, as one that computes: one that is stopped is continued by leap.
 */
const probe = (dir: string) => `
const fs = require("node:fs")
process.on("SIGUSR2", () => {
  if (process.argv.includes("__demo-cli")) {
    const span = Number(fs.readFileSync(${JSON.stringify(dir)} + "/busy-" + process.pid, "utf8"))
    return void Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, span)
  }
  require("node:v8").setFlagsFromString("--expose-gc")
  const gc = require("node:vm").runInNewContext("gc")
  gc(); gc()
  const { heapUsed, rss, external, arrayBuffers, heapTotal } = process.memoryUsage()
  const file = ${JSON.stringify(dir)} + "/" + process.pid
  // an immediate is what is being done, and gone with this turn of the loop
  const resources = process.getActiveResourcesInfo().filter((what) => what !== "Immediate")
  fs.writeFileSync(file + ".part", JSON.stringify({ heapUsed, rss, external, arrayBuffers, heapTotal, resources }))
  fs.renameSync(file + ".part", file)
})
`

/** A process that belongs to a room. */
export interface RoomProcess {
  readonly pid: number
  readonly command: string
}

/** All living processes whose environment names this LEAP_HOME. */
export const processesOf = (home: string): ReadonlyArray<RoomProcess> =>
  fs.readdirSync("/proc").flatMap((name) => {
    if (!/^\d+$/.test(name)) return []
    try {
      if (!fs.readFileSync(`/proc/${name}/environ`, "latin1").includes(`LEAP_HOME=${home}\0`)) return []
      const command = fs.readFileSync(`/proc/${name}/cmdline`, "latin1").replaceAll("\0", " ")
      return [{ pid: Number(name), command: command.slice(0, 160) }]
    } catch {
      return []
    }
  })

const outcomeOf = (cause: Cause.Cause<{ readonly _tag: string }>): CallOutcome =>
  Option.exists(Cause.findErrorOption(cause), ({ _tag }) => _tag === "RefusedError") ? "refused" : "unknown"

/** A room in which sessions are soaked: what is done in it is written down. */
export const makeSoakRoom = Effect.fn("makeSoakRoom")(function* () {
  const made = yield* makeRoom("0.3", { hosts: "apart" })
  const home = made.env["LEAP_HOME"]!
  yield* Effect.acquireRelease(
    Effect.sync(() =>
      spawn(process.execPath, ["-e", reaper, home], { stdio: ["pipe", "ignore", "ignore"], detached: true, env: {} })
    ),
    (child) =>
      Effect.callback<void>((resume) => {
        child.once("close", () => resume(Effect.void))
        child.stdin.end()
      })
  )
  const [tmp, probes, heardIn] = ["tmp", "probes", "heard"].map((name) => path.join(made.dir, name)) as [
    string,
    string,
    string
  ]
  for (const dir of [tmp, probes, heardIn]) fs.mkdirSync(dir)
  const probeFile = path.join(made.dir, "probe.cjs")
  fs.writeFileSync(probeFile, probe(probes))
  const room = { ...made, env: { ...made.env, TMPDIR: tmp } }

  const ledger: Array<Entry> = []
  const note = (entry: Entry) => void ledger.push(entry)
  const act = (tag: string, what: string) => note({ tag, do: "act", what })

  const heard = (tag: string): ReadonlyArray<Heard> => {
    const file = path.join(heardIn, tag)
    if (!fs.existsSync(file)) return []
    return fs
      .readFileSync(file, "utf8")
      .split("\n")
      .filter((line) => line !== "")
      .map((line) => JSON.parse(line) as Heard)
  }

  /** Calls a session's host, on a connection of its own. */
  const call = <A, E extends { readonly _tag: string }>(
    tag: string,
    use: (client: HostClient) => Effect.Effect<A, E>
  ) =>
    Effect.gen(function* () {
      const connected = yield* Effect.exit(Effect.timeout(room.connect(tag), "20 seconds"))
      if (Exit.isFailure(connected)) return { came: "absent" as CallOutcome, value: null }
      const answer = yield* Effect.exit(Effect.timeout(use(connected.value), "20 seconds"))
      return Exit.isSuccess(answer)
        ? { came: "done" as CallOutcome, value: answer.value }
        : { came: outcomeOf(answer.cause), value: null }
    }).pipe(Effect.scoped)

  /** Writes down what came of a call, also where the time is over before its answer is there. */
  const noted = <A extends { readonly came: CallOutcome }>(
    made: Effect.Effect<A>,
    entry: (came: CallOutcome) => Entry
  ) => Effect.onExit(made, (exit) => Effect.sync(() => note(entry(Exit.isSuccess(exit) ? exit.value.came : "unknown"))))

  const seen = new Map<string, string>()
  /** Writes down each receipt that has changed; gives all messages. */
  const audit = Effect.fn("audit")(function* (tag: string) {
    const { value } = yield* call(tag, (client) => client.Queue())
    if (value === null) return null
    for (const { id, outcome = null, status, text, why } of [...value.recent, ...value.queue]) {
      const state = JSON.stringify([status, text, outcome])
      if (seen.get(`${tag} ${id}`) === state) continue
      seen.set(`${tag} ${id}`, state)
      note({ tag, do: "receipt", id, text, status, why, outcome })
    }
    return value.queue
  })

  /** Lets go what a former host left; but what may have been sent only where the CLI has not heard it, as people do. */
  const release = Effect.fn("release")(function* (tag: string) {
    const queue = yield* audit(tag)
    for (const message of queue ?? []) {
      const { id, status, text } = message
      if (status !== "held") continue
      const isHeard =
        doubtOf(message) !== "" && heard(tag).some((line) => line.event === "submitted" && line.text === text)
      if (isHeard) {
        yield* noted(
          call(tag, (client) => client.QueueRemove({ id })),
          (came) => ({ tag, do: "remove", id, heard: true, came })
        )
      } else {
        const { came } = yield* call(tag, (client) => client.QueueRelease({ id }))
        act(tag, `release ${id} (${message.why}) ${came}`)
      }
    }
  })

  /** Starts a session, the first time or again, and lets go what was left. */
  const start = Effect.fn("start")(function* (tag: string) {
    const ran = yield* room.leap([tag, "--cli", "demo", "--detach"], "", {
      LEAP_DEMO_LOG: path.join(heardIn, tag),
      TMPDIR: tmp,
      NODE_OPTIONS: `--require=${probeFile}`
    })
    const isThere = ran.stderr.includes("runs already")
    act(tag, ran.code === 0 ? "start" : isThere ? "runs-already" : `start-failed (${ran.code}) ${ran.stderr.trim()}`)
    if (ran.code === 0) yield* release(tag)
    return ran.code === 0 || isThere
  })

  const status = (tag: string) =>
    Effect.map(
      call(tag, (client) => client.Status()),
      ({ value }) => value
    )

  /** What hosts hold now, each after a collection of its own. */
  const measure = Effect.fn("measure")(function* (host: SessionStatus) {
    const file = path.join(probes, String(host.hostPid))
    fs.rmSync(file, { force: true })
    kill(host.hostPid!, "SIGUSR2")
    yield* eventually(() => fs.existsSync(file) || !alive(host.hostPid!), `${host.tag}: its host tells its heap`)
    const { arrayBuffers, external, heapTotal, heapUsed, resources, rss } = JSON.parse(
      fs.readFileSync(file, "utf8")
    ) as Omit<Held, "fds">
    return { heapUsed, rss, external, arrayBuffers, heapTotal, resources, fds: openFiles(host.hostPid!) }
  })

  /** Keeps a CLI busy. */
  const busy = (pid: number, millis: number): void => {
    fs.writeFileSync(path.join(probes, `busy-${pid}`), String(millis))
    kill(pid, "SIGUSR2")
  }

  return { ...room, home, tmp, ledger, note, noted, act, heard, call, audit, release, start, status, measure, busy }
})

export type SoakRoom = Effect.Success<ReturnType<typeof makeSoakRoom>>

/** What a process has open, by kind. */
export const openFiles = (pid: number | "self"): ReadonlyArray<string> =>
  fs.readdirSync(`/proc/${pid}/fd`).flatMap((fd) => {
    try {
      return [fs.readlinkSync(`/proc/${pid}/fd/${fd}`).replace(/\[\d+\]/, "")]
    } catch {
      return []
    }
  })
