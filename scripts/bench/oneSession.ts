import { readdirSync, readFileSync } from "node:fs"
import { closing, hostedBy, type HostedSession, leftOut, type Manager, up } from "./managers.ts"
import { cpuSeconds, sleep } from "./process.ts"
import { terminal } from "./screen.ts"
import type { Row } from "./table.ts"
import type { World } from "./world.ts"

const streamSeconds = 10
/** Milliseconds after which what a start leaves behind has been collected. */
const settled = 8_000

/** leap's own session, in the form of the others'. */
const leap: Manager = {
  name: "leap",
  least: { says: "leap --version", program: "", args: [] },
  list: null,
  host: async (world, mode) => {
    const tag = `bench-one-${mode}`
    world.leap(tag, "--cli", "claude", "--detach", "--", mode)
    const { sessions } = JSON.parse(world.leap("status", tag, "--json")) as {
      readonly sessions: ReadonlyArray<{ readonly hostPid: number }>
    }
    const screen = terminal(world, process.execPath, [world.program, "attach", tag])
    const close = () => {
      world.leap("stop", tag, "--force")
      screen.close()
    }
    await closing(close, () => screen.waitFor(up))
    return { screen, keepers: sessions.map(({ hostPid }) => hostPid), close }
  }
}

const stat = (pid: number) => {
  const text = readFileSync(`/proc/${pid}/stat`, "utf8")
  const [, parent] = text.replace(/^.*\) /s, "").split(" ")
  return { parent: Number(parent), name: /\((.*)\)/s.exec(text)?.[1] ?? "" }
}

/** What the stand-in runs as. */
const standIn = new Set(["cat", "claude", "sleep"])

/** These processes and what they have started, without the stand-in. */
const family = (roots: ReadonlyArray<number>): ReadonlyArray<number> => {
  const all = readdirSync("/proc").flatMap((name) => {
    try {
      return /^\d+$/.test(name) ? [{ pid: Number(name), ...stat(Number(name)) }] : []
    } catch {
      return []
    }
  })
  const members = new Set(roots)
  for (let size = 0; size < members.size;) {
    size = members.size
    for (const { name, parent, pid } of all) if (members.has(parent) && !standIn.has(name)) members.add(pid)
  }
  return [...members]
}

const memory = (pids: ReadonlyArray<number>) => {
  const sum = (what: "Rss" | "Pss") =>
    pids.reduce((all, pid) => {
      const rollup = readFileSync(`/proc/${pid}/smaps_rollup`, "utf8")
      return all + Number(new RegExp(`^${what}:\\s+(\\d+) kB`, "m").exec(rollup)?.[1]) / 1024
    }, 0)
  return { rss: sum("Rss"), pss: sum("Pss"), processes: pids.length }
}

type Memory = ReturnType<typeof memory>

interface Figures {
  readonly attached: Memory
  /** Null where the session ends with its terminal. */
  readonly alone: Memory | null
}

const figuresOf = async ({ close, keepers, screen }: HostedSession): Promise<Figures> => {
  try {
    await sleep(settled)
    const attached = memory(family([...keepers, screen.pid]))
    if (keepers.length === 0) return { attached, alone: null }
    screen.close()
    await sleep(settled)
    return { attached, alone: memory(family(keepers)) }
  } finally {
    close()
  }
}

/** The share of a core that all processes of a session take while its CLI streams an answer to an attached terminal. */
const streaming = async ({ close, keepers, screen }: HostedSession): Promise<number> => {
  try {
    await screen.type("s", "jumps over")
    // the start must not count
    await sleep(3000)
    const its = family([...keepers, screen.pid])
    const spent = () => its.reduce((sum, pid) => sum + cpuSeconds(pid), 0)
    const from = { at: performance.now(), cpu: spent() }
    await sleep(streamSeconds * 1000)
    return ((spent() - from.cpu) / ((performance.now() - from.at) / 1000)) * 100
  } finally {
    close()
  }
}

/** Measures the processor's time of one streaming session, under leap and under what stands beside it. */
export const benchStreaming = async (world: World, managers: ReadonlyArray<Manager>): Promise<ReadonlyArray<Row>> => {
  const mode = "bench-stream"
  const own = await streaming(await leap.host(world, mode))
  const what = "one streaming session, attached: all its processes"
  const rows: Array<Row> = []
  for (const manager of managers) {
    const [session] = await hostedBy([manager], world, mode)
    if (session === undefined) continue
    try {
      const base = { what: manager.name, value: await streaming(session) }
      rows.push({ what, unit: "% of a core", leap: own, base })
    } catch (error) {
      leftOut(manager.name, error)
    }
  }
  return rows.length > 0 ? rows : [{ what, unit: "% of a core", leap: own, base: null }]
}

/** Measures the memory of all processes that one idle session takes, under leap and under what stands beside it. */
export const benchOneSession = async (world: World, managers: ReadonlyArray<Manager>): Promise<ReadonlyArray<Row>> => {
  const mode = "bench-echo"
  const own = await figuresOf(await leap.host(world, mode))
  const rows: Array<Row> = []
  const row = (what: string, kind: "rss" | "pss", ours: Memory, name: string, theirs: Memory): Row => ({
    what: `one idle session, ${what}: memory of all its processes${kind === "pss" ? " (PSS)" : ""}`,
    unit: "MB",
    leap: ours[kind],
    base: {
      what: `${name}; processes: ${ours.processes} of leap's, ${theirs.processes} of its`,
      value: theirs[kind]
    }
  })
  for (const manager of managers) {
    const [session] = await hostedBy([manager], world, mode)
    if (session === undefined) continue
    try {
      const { alone, attached } = await figuresOf(session)
      for (const kind of ["rss", "pss"] as const) {
        rows.push(row("attached", kind, own.attached, manager.name, attached))
        if (alone !== null && own.alone !== null)
          rows.push(row("nobody attached", kind, own.alone, manager.name, alone))
      }
    } catch (error) {
      leftOut(manager.name, error)
    }
  }
  return rows
}
