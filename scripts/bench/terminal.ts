import * as pty from "node-pty"
import { median, quantile, type Row } from "./table.ts"
import { bundle, type World } from "./world.ts"

const keys = 300
const floodBytes = 32 * 1024 * 1024
const floods = 3

/** A terminal whose program is the stand-in itself, or leap's viewer of it. */
export class Screen {
  private seen = ""
  private readonly waiting: Array<{ readonly what: string; readonly found: () => void }> = []
  bytes = 0
  readonly child: pty.IPty

  constructor(world: World, command: string, args: ReadonlyArray<string>) {
    const place = { name: "xterm-256color", cols: 120, rows: 40, env: { ...world.env }, cwd: world.env["HOME"] ?? "/" }
    this.child = pty.spawn(command, args, { ...place, encoding: null })
    this.child.onData((data) => {
      this.bytes += data.length
      // What is looked for is short and plain: the end of the output is enough to find it in.
      this.seen = (this.seen + Buffer.from(data.subarray(-4000)).toString("latin1")).slice(-4000)
      for (const [at, { found, what }] of this.waiting.entries()) {
        if (!this.seen.includes(what)) continue
        this.waiting.splice(at, 1)
        found()
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

  /** Types, and gives the milliseconds until this is seen. */
  type(text: string, until: string): Promise<number> {
    this.seen = ""
    const seen = this.shows(until)
    this.child.write(Buffer.from(text))
    return seen
  }

  /** The milliseconds until this is seen. */
  shows(what: string): Promise<number> {
    const from = performance.now()
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => reject(new Error(`${JSON.stringify(what)} did not come within 60 s`)), 60_000)
      this.waiting.push({
        what,
        found: () => {
          clearTimeout(timer)
          resolve(performance.now() - from)
        }
      })
    })
  }
}

/** The bare stand-in in a terminal, and the same one hosted by leap with a viewer attached; both up and answering. */
const both = async (world: World, tag: string, mode: string) => {
  world.leap(tag, "--cli", "claude", "--detach", "--", mode)
  const bare = new Screen(world, world.standIn, [mode])
  const hosted = new Screen(world, process.execPath, [bundle, "attach", tag])
  await Promise.all([bare.shows("stand-in-is-up"), hosted.shows("stand-in-is-up")])
  return { bare, hosted }
}

const close = (world: World, tag: string, ...screens: ReadonlyArray<Screen>) => {
  world.leap("stop", tag, "--force")
  for (const screen of screens) screen.close()
}

/** From a key to its echo, and how fast output comes through; in turns with the same program in a bare terminal. */
export const benchTerminal = async (world: World): Promise<ReadonlyArray<Row>> => {
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
      if (screen.bytes - before < floodBytes) throw new Error(`${name}: ${floodBytes - (screen.bytes - before)} bytes did not come through`)
      speed[name].push(floodBytes / 1024 / 1024 / (ms / 1000))
    }
  }
  close(world, "bench-flood", flood.bare, flood.hosted)

  const bare = "the same program in a bare PTY"
  return [
    { what: "key to echo through host and attach, median", unit: "ms", leap: median(took.hosted), base: { what: bare, value: median(took.bare) } },
    { what: "key to echo through host and attach, 99 %", unit: "ms", leap: quantile(took.hosted, 0.99), base: { what: bare, value: quantile(took.bare, 0.99) } },
    { what: "output through host and attach", unit: "MB/s", leap: median(speed.hosted), base: { what: bare, value: median(speed.bare) } }
  ]
}
