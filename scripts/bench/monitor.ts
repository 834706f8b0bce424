import { Effect, Schedule, Stream } from "effect"
import * as pty from "node-pty"
import { mkdirSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { defaultModes, type SessionStatus } from "../../src/domain/session/Session.ts"
import * as ControlSocketUnix from "../../src/layers/system/ControlSocketUnix.ts"
import { ControlSocket } from "../../src/services/ControlSocket.ts"
import { protocolVersion } from "../../src/services/HostProtocol.ts"
import { HostRpc } from "../../src/services/HostRpc.ts"
import type { Row } from "./table.ts"
import { bundle, type World } from "./world.ts"
import { cpuSeconds, residentMegabytes, sleep } from "./process.ts"

const sessions = 200
const changesPerSecond = 10
const seconds = 10
const size = { cols: 160, rows: 50 }
const states = ["running", "idle", "needs_permission", "running", "churning"] as const

const statusOf = (tag: string, step: number): SessionStatus => ({
  tag,
  cli: "demo",
  baseCli: "demo",
  displayName: "leap demo",
  // one of a session's changes in ten is one of its state
  state: states[(Math.floor(step / 10) + tag.length) % states.length] ?? "idle",
  ready: false,
  dialog: false,
  reason: `step ${step}`,
  since: new Date(Date.now() - step * 100).toISOString(),
  pid: 1,
  hostPid: 1,
  cwd: "/",
  startedAt: "2026-01-01T00:00:00.000Z",
  attached: 0,
  message: `Reading file ${step}`,
  problem: null,
  background: [],
  queue: [],
  modes: defaultModes,
  sessionId: null,
  transcriptPath: null,
  context: { usedTokens: step * 10, window: 200_000, percent: step % 100 },
  cost: { usd: step / 100, estimated: false },
  lastMessage: "then run the tests",
  lastResponse: `Answer number ${step}. `.repeat(20),
  exit: null
})

/** A host that is none: it tells a status that changes all the time. */
const serve = (tag: string, socket: string) => {
  const changing = Stream.fromSchedule(Schedule.spaced(1000 / changesPerSecond)).pipe(
    Stream.map((step) => statusOf(tag, step))
  )
  const refused = Object.fromEntries([...HostRpc.requests.keys()].map((name) => [name, () => Effect.never]))
  const handlers = HostRpc.toLayer({
    ...refused,
    Hello: () =>
      Effect.succeed({ protocol: protocolVersion, version: "bench", tag, hostPid: process.pid, ended: false }),
    Watch: () => changing,
    Screen: () => Effect.succeed({ text: "a screen\n".repeat(20), cols: 80, rows: 24 }),
    Record: () => Stream.never
    // the monitor asks for no more than these
  } as unknown as Parameters<typeof HostRpc.toLayer>[0])
  return Effect.flatMap(ControlSocket, (sockets) => sockets.serve(socket)).pipe(Effect.provide(handlers as never))
}

/** Measures the monitor over 200 simulated sessions that change ten times a second each, on a terminal of 160 by 50. */
export const benchMonitor = async (world: World): Promise<ReadonlyArray<Row>> => {
  const home = join(world.env["HOME"] ?? "", "monitor")
  const tags = Array.from({ length: sessions }, (_, i) => `session-${i}`)
  const socketOf = (tag: string) => join(home, "sessions", tag, "host.sock")
  for (const tag of tags) {
    mkdirSync(join(home, "sessions", tag), { recursive: true, mode: 0o700 })
    writeFileSync(join(home, "sessions", tag, "status.json"), JSON.stringify({ schema: 1, session: statusOf(tag, 0) }))
  }
  const hosts = Effect.runFork(
    Effect.forEach(tags, (tag) => serve(tag, socketOf(tag)), { discard: true }).pipe(
      Effect.andThen(Effect.never),
      Effect.scoped,
      Effect.provide(ControlSocketUnix.layer)
    ) as Effect.Effect<never>
  )
  // all sockets are there
  await sleep(2000)
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
      const text = Buffer.from(data).toString("latin1")
      if (firstFrame === 0 && text.includes("session-")) firstFrame = performance.now() - started
      bytes += data.length
      frames += text.split("\x1b[?2026h").length - 1
    })
    await sleep(5000)
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
      { what: "… from its start to its first full frame", unit: "ms", leap: firstFrame, base: null }
    ]
  } finally {
    process.kill(monitor.pid, "SIGTERM")
    hosts.interruptUnsafe()
  }
}
