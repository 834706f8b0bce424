import { spawnSync } from "node:child_process"
import * as pty from "node-pty"
import { median, quantile, type Row } from "./table.ts"
import { bundle, type World } from "./world.ts"

const keys = 300
const floodBytes = 32 * 1024 * 1024
const floods = 3

/** A terminal that runs the stand-in itself, or leap's viewer of it. */
export class Screen {
  private recent = ""
  private readonly waiting: Array<{ readonly what: string; readonly resolve: () => void }> = []
  bytes = 0
  readonly child: pty.IPty

  constructor(world: World, command: string, args: ReadonlyArray<string>) {
    const place = { name: "xterm-256color", cols: 120, rows: 40, env: { ...world.env }, cwd: world.env["HOME"] ?? "/" }
    this.child = pty.spawn(command, args, { ...place, encoding: null })
    this.child.onData((data) => {
      this.bytes += data.length
      // The expected texts are short and plain: searching the end of the output is enough.
      this.recent = (this.recent + Buffer.from(data.subarray(-4000)).toString("latin1")).slice(-4000)
      for (const [index, { resolve, what }] of this.waiting.entries()) {
        if (!this.recent.includes(what)) continue
        this.waiting.splice(index, 1)
        resolve()
        return
      }
    })
  }

  close(): void {
    try {
      process.kill(this.child.pid, "SIGKILL")
    } catch {
      // Gone already.
    }
  }

  /** Types a text; resolves with the milliseconds until the expected text appears. */
  type(text: string, until: string): Promise<number> {
    this.recent = ""
    const shown = this.waitFor(until)
    this.child.write(Buffer.from(text))
    return shown
  }

  /** The milliseconds until the text appears. */
  waitFor(what: string): Promise<number> {
    const from = performance.now()
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => reject(new Error(`${JSON.stringify(what)} did not come within 60 s`)), 60_000)
      this.waiting.push({
        what,
        resolve: () => {
          clearTimeout(timer)
          resolve(performance.now() - from)
        }
      })
    })
  }
}

/**
 * The stand-in in a bare terminal, and the same program hosted by leap with a viewer attached; both are up and
 * answering.
 */
const both = async (world: World, tag: string, mode: string) => {
  world.leap(tag, "--cli", "claude", "--detach", "--", mode)
  const bare = new Screen(world, world.standIn, [mode])
  const hosted = new Screen(world, process.execPath, [bundle, "attach", tag])
  await Promise.all([bare.waitFor("stand-in-is-up"), hosted.waitFor("stand-in-is-up")])
  return { bare, hosted }
}

const close = (world: World, tag: string, ...screens: ReadonlyArray<Screen>) => {
  world.leap("stop", tag, "--force")
  for (const screen of screens) screen.close()
}

const hasTmux = spawnSync("tmux", ["-V"]).status === 0

/**
 * Measures the time from a key to its echo with the same program under tmux, alternately: in an attached terminal, and
 * in a message that is written over its screen. Nothing where there is no tmux.
 */
const benchBesideTmux = async (world: World): Promise<ReadonlyArray<Row>> => {
  if (!hasTmux) return []
  const { bare, hosted } = await both(world, "bench-keys", "bench-echo")
  bare.close()
  const server = ["-L", `leap-bench-${process.pid}`]
  const tmux = new Screen(world, "tmux", [...server, "-f", "/dev/null", "new-session", world.standIn, "bench-echo"])
  await tmux.waitFor("stand-in-is-up")
  const took = { attached: [] as Array<number>, tmux: [] as Array<number>, over: [] as Array<number> }
  // the last letters of the alphabet: neither the rows that are drawn nor control sequences have them
  const letterOf = (key: number) => "QVWXYZ"[(key + 60) % 6] ?? "Q"
  for (let key = -20; key < keys; key++) {
    const letter = letterOf(key)
    const beside = await tmux.type(letter, letter)
    const attached = await hosted.type(letter, letter)
    if (key < 0) continue
    took.tmux.push(beside)
    took.attached.push(attached)
  }
  await hosted.type("^^", "Enter queues")
  for (let key = -20; key < keys; key++) {
    const over = await hosted.type(letterOf(key), letterOf(key))
    await hosted.type("\x7f", "Enter queues")
    if (key >= 0) took.over.push(over)
  }
  await hosted.type("\x1b", "\x1b[")
  spawnSync("tmux", [...server, "kill-server"])
  close(world, "bench-keys", hosted, tmux)
  const row = (what: string, of: (values: ReadonlyArray<number>) => number, leap: ReadonlyArray<number>): Row => ({
    what,
    unit: "ms",
    leap: of(leap),
    base: { what: "the same program under tmux", value: of(took.tmux) }
  })
  const late = (values: ReadonlyArray<number>) => quantile(values, 0.99)
  return [
    row("key to echo, attached, median", median, took.attached),
    row("key to echo, attached, 99 %", late, took.attached),
    row("key to echo in a message over the screen, median", median, took.over),
    row("key to echo in a message over the screen, 99 %", late, took.over)
  ]
}

/**
 * Measures the time from a key to its echo, and the throughput of output; alternately with the same program in a bare
 * terminal.
 */
export const benchTerminal = async (world: World): Promise<ReadonlyArray<Row>> => {
  const besideTmux = await benchBesideTmux(world)
  const echo = await both(world, "bench-echo", "bench-echo")
  const took = { bare: [] as Array<number>, hosted: [] as Array<number> }
  for (let key = -20; key < keys; key++) {
    const letter = String.fromCharCode(97 + ((key + 26) % 26))
    const bare = await echo.bare.type(letter, letter)
    const hosted = await echo.hosted.type(letter, letter)
    if (key < 0) continue
    took.bare.push(bare)
    took.hosted.push(hosted)
  }
  close(world, "bench-echo", echo.bare, echo.hosted)

  const flood = await both(world, "bench-flood", `bench-flood-${floodBytes}`)
  const speed = { bare: [] as Array<number>, hosted: [] as Array<number> }
  for (let round = 0; round < floods; round++) {
    for (const name of ["bare", "hosted"] as const) {
      const screen = flood[name]
      const before = screen.bytes
      const ms = await screen.type("f", "end-of-flood")
      if (screen.bytes - before < floodBytes)
        throw new Error(`${name}: ${floodBytes - (screen.bytes - before)} bytes did not come through`)
      speed[name].push(floodBytes / 1024 / 1024 / (ms / 1000))
    }
  }
  close(world, "bench-flood", flood.bare, flood.hosted)

  const bare = "the same program in a bare PTY"
  return [
    ...besideTmux,
    {
      what: "key to echo through host and attach, median",
      unit: "ms",
      leap: median(took.hosted),
      base: { what: bare, value: median(took.bare) }
    },
    {
      what: "key to echo through host and attach, 99 %",
      unit: "ms",
      leap: quantile(took.hosted, 0.99),
      base: { what: bare, value: quantile(took.bare, 0.99) }
    },
    {
      what: "output through host and attach",
      unit: "MB/s",
      leap: median(speed.hosted),
      base: { what: bare, value: median(speed.bare) }
    }
  ]
}
