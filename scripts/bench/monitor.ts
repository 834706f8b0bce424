import XtermHeadless from "@xterm/headless"
import * as pty from "node-pty"
import { join } from "node:path"
import { changesPerSecond, seconds, sessions, simulate } from "./simulated.ts"
import { median, quantile, type Row } from "./table.ts"
import { bundle, timeOf, type World } from "./world.ts"
import { cpuSeconds, residentMegabytes, sleep } from "./process.ts"

const size = { cols: 160, rows: 50 }

/** Measures the monitor over 200 simulated sessions that change ten times a second each, on a terminal of 160 by 50. */
export const benchMonitor = async (world: World): Promise<ReadonlyArray<Row>> => {
  const home = join(world.env["HOME"] ?? "", "monitor")
  const end = await simulate(home)
  // what it writes is what it has painted: the terminal behind it tells which change that is
  const terminal = new XtermHeadless.Terminal({ ...size, allowProposedApi: true })
  const rows = (): ReadonlyArray<string> =>
    Array.from({ length: size.rows }, (_, y) => terminal.buffer.active.getLine(y)?.translateToString(true) ?? "")
  let seen = new Set<string>()
  const delays: Array<number> = []
  const look = (at: number): void => {
    const stamps = new Set(rows().flatMap((row) => /\bat (\d{13})\b/.exec(row)?.[1] ?? []))
    for (const stamp of stamps) if (!seen.has(stamp)) delays.push(at - Number(stamp))
    seen = stamps
  }
  // as busy as the monitor's own start
  const nodes: Array<number> = []
  for (let i = 0; i < 5; i++) nodes.push(await timeOf(world.env, process.execPath, ["-e", "0"]))
  const started = performance.now()
  let firstFrame = 0
  let bytes = 0
  let frames = 0
  const monitor = pty.spawn(process.execPath, [bundle, "monitor"], {
    name: "xterm-256color",
    ...size,
    cwd: "/",
    env: { ...world.env, LEAP_HOME: home },
    encoding: null
  })
  try {
    monitor.onData((data) => {
      const [at, now] = [Date.now(), performance.now()]
      const text = Buffer.from(data).toString("latin1")
      bytes += data.length
      frames += text.split("\x1b[?2026h").length - 1
      terminal.write(Buffer.from(data), () => {
        // all rows of the list have a session
        if (firstFrame === 0 && rows().filter((row) => row.includes("session-")).length > size.rows / 2)
          firstFrame = now - started
        look(at)
      })
    })
    await sleep(5000)
    delays.length = 0
    const from = { at: performance.now(), cpu: cpuSeconds(monitor.pid), bytes, frames }
    await sleep(seconds * 1000)
    const passed = (performance.now() - from.at) / 1000
    const shown = Math.max(1, frames - from.frames)
    const what = `the monitor, ${sessions} sessions with ${changesPerSecond} changes a second each`
    return [
      { what, unit: "% of a core", leap: ((cpuSeconds(monitor.pid) - from.cpu) / passed) * 100, base: null },
      { what: "… its resident memory", unit: "MB", leap: residentMegabytes(monitor.pid), base: null },
      { what: "… what it writes for a frame", unit: "kB", leap: (bytes - from.bytes) / shown / 1000, base: null },
      { what: "… its frames", unit: "per second", leap: shown / passed, base: null },
      {
        what: "… from its start to its first full frame",
        unit: "ms",
        leap: firstFrame,
        base: { what: "node -e 0", value: median(nodes) }
      },
      { what: "… from a change to its paint, the median", unit: "ms", leap: quantile(delays, 0.5), base: null },
      { what: "… and 95 of 100", unit: "ms", leap: quantile(delays, 0.95), base: null }
    ]
  } finally {
    process.kill(monitor.pid, "SIGTERM")
    end()
    terminal.dispose()
  }
}
