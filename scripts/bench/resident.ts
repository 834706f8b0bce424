import { spawn } from "node:child_process"
import { existsSync, readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import type { Managers } from "./managers.ts"
import { benchOneSession, benchStreaming } from "./oneSession.ts"
import type { Row } from "./table.ts"
import type { World } from "./world.ts"
import { cpuSeconds, residentMegabytes, sleep } from "./process.ts"

const idleSeconds = 30
const floodMegabytes = 200
/** Megabytes in memory: `Rss` counts a page of a file in full for each process that has it, `Pss` its share. */
const megabytes = (pid: number, what: "Rss" | "Pss" | "Anonymous" = "Rss") =>
  Number(new RegExp(`^${what}:\\s+(\\d+) kB`, "m").exec(readFileSync(`/proc/${pid}/smaps_rollup`, "utf8"))?.[1]) / 1024

/** How often the process's threads have gone to sleep, that is, how often something had woken one. */
const wakeUps = (pid: number) =>
  readdirSync(`/proc/${pid}/task`).reduce((sum, thread) => {
    const status = readFileSync(`/proc/${pid}/task/${thread}/status`, "utf8")
    return sum + Number(/^voluntary_ctxt_switches:\s+(\d+)/m.exec(status)?.[1])
  }, 0)

interface Sessions {
  readonly sessions: ReadonlyArray<{ readonly hostPid: number }>
}

/** Megabytes that a host has in memory after a flood, when it has become still. */
const afterFlood = async (world: World): Promise<number> => {
  const mark = join(world.env["HOME"] ?? "", "flood")
  const line = "The quick brown fox jumps over the lazy dog, and the terminal shows each line of it as it comes."
  const flood = `yes '${line}' | head -c ${floodMegabytes}000000; : > '${mark}'; exec sleep 1000`
  world.leap("bench-flooded", "--cli", "generic", "--detach", "--", "sh", "-c", flood)
  try {
    while (!existsSync(mark)) await sleep(100)
    await sleep(6000)
    const { sessions } = JSON.parse(world.leap("status", "bench-flooded", "--json")) as Sessions
    return megabytes(sessions[0]?.hostPid ?? 0)
  } finally {
    world.leap("stop", "bench-flooded", "--force")
  }
}

/** Measures the memory and CPU time of an idle session's host and of a Node that does nothing. */
const benchHost = async (world: World): Promise<ReadonlyArray<Row>> => {
  world.leap("bench-idle", "--cli", "demo", "--detach")
  world.leap("wait", "bench-idle", "--until", "idle", "--timeout", "30")
  const { sessions } = JSON.parse(world.leap("status", "bench-idle", "--json")) as Sessions
  const host = sessions[0]?.hostPid ?? 0
  const empty = spawn(process.execPath, ["-e", "setInterval(() => {}, 1e9)"], { stdio: "ignore" })
  try {
    // what is left over from the start is no idling: V8 collects it for half a minute
    await sleep(40_000)
    const from = {
      at: performance.now(),
      host: cpuSeconds(host),
      empty: cpuSeconds(empty.pid ?? 0),
      woken: wakeUps(host)
    }
    await sleep(idleSeconds * 1000)
    const woken = wakeUps(host) - from.woken
    const seconds = (performance.now() - from.at) / 1000
    const share = (pid: number, before: number) => ((cpuSeconds(pid) - before) / seconds) * 100
    const base = "node, idle"
    const idle = { leap: share(host, from.host), base: { what: base, value: share(empty.pid ?? 0, from.empty) } }
    return [
      {
        what: "resident memory of a session's host",
        unit: "MB",
        leap: residentMegabytes(host),
        base: { what: base, value: residentMegabytes(empty.pid ?? 0) }
      },
      {
        what: "… of it and its share of the pages that others have too (PSS)",
        unit: "MB",
        leap: megabytes(host, "Pss"),
        base: { what: base, value: megabytes(empty.pid ?? 0, "Pss") }
      },
      {
        what: `… of one that has become still after ${floodMegabytes} MB of output`,
        unit: "MB",
        leap: await afterFlood(world),
        base: { what: base, value: megabytes(empty.pid ?? 0) }
      },
      { what: "wake-ups of an idle session's host", unit: "per minute", leap: (woken * 60) / seconds, base: null },
      { what: "an idle session's host", unit: "% of a core", ...idle }
    ]
  } finally {
    empty.kill()
    world.leap("stop", "bench-idle", "--force")
  }
}

/**
 * Measures what an idle session has in memory and how often it wakes, and what a streaming one takes: its host, and all
 * of it beside other programs.
 */
export const benchResident = async (world: World, managers: Managers): Promise<ReadonlyArray<Row>> => [
  ...(await benchHost(world)),
  ...(await benchOneSession(world, managers())),
  ...(await benchStreaming(world, managers()))
]
