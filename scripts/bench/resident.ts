import { spawn } from "node:child_process"
import type { Row } from "./table.ts"
import type { World } from "./world.ts"
import { cpuSeconds, residentMegabytes, sleep } from "./process.ts"

const idleSeconds = 10
/** Measures the memory and CPU time of an idle session's host and of a Node that does nothing. */
export const benchResident = async (world: World): Promise<ReadonlyArray<Row>> => {
  world.leap("bench-idle", "--cli", "demo", "--detach")
  world.leap("wait", "bench-idle", "--until", "idle", "--timeout", "30")
  const { sessions } = JSON.parse(world.leap("status", "bench-idle", "--json")) as {
    sessions: ReadonlyArray<{ hostPid: number }>
  }
  const host = sessions[0]?.hostPid ?? 0
  const empty = spawn(process.execPath, ["-e", "setInterval(() => {}, 1e9)"], { stdio: "ignore" })
  try {
    // Work left over from the start must not count as idling.
    await sleep(3000)
    const from = { at: performance.now(), host: cpuSeconds(host), empty: cpuSeconds(empty.pid ?? 0) }
    await sleep(idleSeconds * 1000)
    const seconds = (performance.now() - from.at) / 1000
    const share = (pid: number, before: number) => ((cpuSeconds(pid) - before) / seconds) * 100
    const base = "node, idle"
    return [
      {
        what: "resident memory of a session's host",
        unit: "MB",
        leap: residentMegabytes(host),
        base: { what: base, value: residentMegabytes(empty.pid ?? 0) }
      },
      {
        what: "an idle session's host",
        unit: "% of a core",
        leap: share(host, from.host),
        base: { what: base, value: share(empty.pid ?? 0, from.empty) }
      }
    ]
  } finally {
    empty.kill()
    world.leap("stop", "bench-idle", "--force")
  }
}
