import { readFileSync } from "node:fs"
import { median, type Row } from "./table.ts"
import { bundle, timeOf, type World } from "./world.ts"
import { cpuSeconds, sleep } from "./process.ts"

const counts = [1, 10, 50] as const
const idleSeconds = 10
const rounds = 11
/** What a process alone takes of memory: its own pages, and its share of those that others map too. */
const megabytes = (pid: number) =>
  Number(/^Pss:\s+(\d+) kB/m.exec(readFileSync(`/proc/${pid}/smaps_rollup`, "utf8"))?.[1]) / 1024

const sum = (values: ReadonlyArray<number>) => values.reduce((all, value) => all + value, 0)

/** Measures 1, 10 and 50 idle sessions of the demo CLI: their hosts' memory and CPU time, and what it takes to list them. */
export const benchFleet = async (world: World): Promise<ReadonlyArray<Row>> => {
  const rows: Array<Row> = []
  const tags: Array<string> = []
  try {
    for (const count of counts) {
      while (tags.length < count) {
        const tag = `bench-fleet-${tags.length}`
        world.leap(tag, "--cli", "demo", "--detach")
        tags.push(tag)
      }
      world.leap("wait", "bench-fleet-*", "--until", "idle", "--timeout", "60")
      await sleep(3000)
      const { sessions } = JSON.parse(world.leap("status", "--json")) as {
        sessions: ReadonlyArray<{ hostPid: number; tag: string }>
      }
      const hosts = sessions.filter(({ tag }) => tags.includes(tag)).map(({ hostPid }) => hostPid)
      const before = sum(hosts.map(cpuSeconds))
      await sleep(idleSeconds * 1000)
      const share = ((sum(hosts.map(cpuSeconds)) - before) / idleSeconds) * 100
      const memory = sum(hosts.map(megabytes)) / hosts.length
      const took = { status: [] as Array<number>, empty: [] as Array<number> }
      for (let round = -2; round < rounds; round++) {
        const empty = await timeOf(world.env, process.execPath, ["-e", "0"])
        const status = await timeOf(world.env, process.execPath, [bundle, "status"])
        if (round < 0) continue
        took.empty.push(empty)
        took.status.push(status)
      }
      const those = count === 1 ? "1 idle session" : `${count} idle sessions`
      rows.push(
        { what: `${those}: their hosts together`, unit: "% of a core", leap: share, base: null },
        { what: `${those}: a host's share of memory`, unit: "MB", leap: memory, base: null },
        {
          what: `${those}: leap status`,
          unit: "ms",
          leap: median(took.status),
          base: { what: "node -e 0", value: median(took.empty) }
        }
      )
    }
    return rows
  } finally {
    if (tags.length > 0) world.leap("stop", "bench-fleet-*", "--force")
  }
}
