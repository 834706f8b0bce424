import { mkdtempSync, readFileSync } from "node:fs"
import { join } from "node:path"
import type { Managers } from "./managers.ts"
import { median, type Row } from "./table.ts"
import { bundle, timeOf, makeWorld, type World } from "./world.ts"
import { cpuSeconds, sleep } from "./process.ts"

const counts = [1, 10, 50] as const
const idleSeconds = 10
const rounds = 11
/** What a process alone takes of memory: its own pages, and its share of those that others map too. */
const megabytes = (pid: number) =>
  Number(/^Pss:\s+(\d+) kB/m.exec(readFileSync(`/proc/${pid}/smaps_rollup`, "utf8"))?.[1]) / 1024

const named = (count: number) => (count === 1 ? "1 idle session" : `${count} idle sessions`)

const sum = (values: ReadonlyArray<number>) => values.reduce((all, value) => all + value, 0)

/** Fills these up to so many idle sessions of the demo CLI. */
const grow = (world: World, tags: Array<string>, count: number): void => {
  while (tags.length < count) {
    const tag = `bench-fleet-${tags.length}`
    world.leap(tag, "--cli", "demo", "--detach")
    tags.push(tag)
  }
  world.leap("wait", "bench-fleet-*", "--until", "idle", "--timeout", "60")
}

/** What the hosts of these take while nothing happens. */
const idle = async (world: World, tags: ReadonlyArray<string>): Promise<ReadonlyArray<Row>> => {
  const { sessions } = JSON.parse(world.leap("status", "--json")) as {
    sessions: ReadonlyArray<{ hostPid: number; tag: string }>
  }
  const hosts = sessions.filter(({ tag }) => tags.includes(tag)).map(({ hostPid }) => hostPid)
  const before = sum(hosts.map(cpuSeconds))
  await sleep(idleSeconds * 1000)
  const share = ((sum(hosts.map(cpuSeconds)) - before) / idleSeconds) * 100
  const memory = sum(hosts.map(megabytes)) / hosts.length
  const those = named(tags.length)
  return [
    { what: `${those}: their hosts together`, unit: "% of a core", leap: share, base: null },
    { what: `${those}: a host's share of memory`, unit: "MB", leap: memory, base: null }
  ]
}

/** What it takes to list these, and none. */
const listed = async (world: World, count: number): Promise<ReadonlyArray<Row>> => {
  const without = { ...world.env, LEAP_HOME: mkdtempSync(join(world.env["HOME"] ?? "", "no-sessions-")) }
  const took = { node: [] as Array<number>, none: [] as Array<number>, all: [] as Array<number> }
  for (let round = -2; round < rounds; round++) {
    const node = await timeOf(world.env, process.execPath, ["-e", "0"])
    const none = await timeOf(without, process.execPath, [bundle, "status"])
    const all = await timeOf(world.env, process.execPath, [bundle, "status"])
    if (round < 0) continue
    took.node.push(node)
    took.none.push(none)
    took.all.push(all)
  }
  const row = (base: string, value: ReadonlyArray<number>, what = ""): Row => ({
    what: `${named(count)}: leap status${what}`,
    unit: "ms",
    leap: median(took.all),
    base: { what: base, value: median(value) }
  })
  return [row("node -e 0", took.node), row("leap status where there is none", took.none, ", beside that of none")]
}

/**
 * Measures 1, 10 and 50 idle sessions of the demo CLI: their hosts' memory and CPU time, and what it takes to list
 * them; or only the last of the largest, which has a bound.
 */
export const benchFleet = async (
  _world: World,
  _managers: Managers,
  onlyBounded: boolean
): Promise<ReadonlyArray<Row>> => {
  const rows: Array<Row> = []
  const tags: Array<string> = []
  // of its own: what other figures have left behind would be listed too
  const world = makeWorld()
  try {
    for (const count of onlyBounded ? counts.slice(-1) : counts) {
      grow(world, tags, count)
      await sleep(3000)
      if (!onlyBounded) rows.push(...(await idle(world, tags)))
      rows.push(...(await listed(world, count)))
    }
    return rows
  } finally {
    if (tags.length > 0) world.leap("stop", "bench-fleet-*", "--force")
    world.close()
  }
}
