import * as net from "node:net"
import * as pty from "node-pty"
import * as ChannelFrame from "../../src/domain/surfaces/attachChannel/ChannelFrame.ts"
import * as FrameStream from "../../src/domain/surfaces/attachChannel/FrameStream.ts"
import type { World } from "./world.ts"

/** Waits for texts in what comes; they are short and plain, so that searching the end of it is enough. */
class Watch {
  private recent = ""
  private readonly waiting: Array<{ readonly what: string; readonly resolve: () => void }> = []
  bytes = 0

  came(data: Uint8Array): void {
    this.bytes += data.length
    this.recent = (this.recent + Buffer.from(data.subarray(-4000)).toString("latin1")).slice(-4000)
    for (const [index, { resolve, what }] of this.waiting.entries()) {
      if (!this.recent.includes(what)) continue
      this.waiting.splice(index, 1)
      resolve()
      return
    }
  }

  forget(): void {
    this.recent = ""
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

/** Something that is typed into, and shows. */
export interface Screen {
  readonly bytes: () => number
  /** Types a text; resolves with the milliseconds until the expected text appears. */
  readonly type: (text: string, until: string) => Promise<number>
  /** The milliseconds until the text appears. */
  readonly waitFor: (what: string) => Promise<number>
  readonly close: () => void
}

/** A program in a terminal. */
export interface Terminal extends Screen {
  readonly pid: number
}

const over = (write: (data: Buffer) => void, watch: Watch, close: () => void): Screen => ({
  bytes: () => watch.bytes,
  type: (text, until) => {
    watch.forget()
    const shown = watch.waitFor(until)
    write(Buffer.from(text))
    return shown
  },
  waitFor: (what) => watch.waitFor(what),
  close
})

const size = { cols: 120, rows: 40 }

/** A terminal that runs a program. */
export const terminal = (world: World, command: string, args: ReadonlyArray<string>): Terminal => {
  const child = pty.spawn(command, args, {
    name: "xterm-256color",
    ...size,
    env: { ...world.env },
    cwd: world.env["HOME"] ?? "/",
    encoding: null
  })
  const watch = new Watch()
  child.onData((data) => watch.came(data))
  const close = () => {
    try {
      process.kill(child.pid, "SIGKILL")
    } catch {
      // Gone already.
    }
  }
  return { ...over((data) => child.write(data), watch, close), pid: child.pid }
}

/** The attach channel of a session's host, without any program of leap's on this side. */
export const hostEnd = async (world: World, tag: string): Promise<Screen> => {
  const connection = net.connect(world.socketOf(tag))
  const watch = new Watch()
  let state = FrameStream.frames
  const send = (frame: ChannelFrame.ChannelFrame) => connection.write(ChannelFrame.encode(frame))
  connection.on("data", (bytes) => {
    const read = ChannelFrame.read(state, bytes)
    state = read.state
    for (const frame of read.frames) {
      if (!("data" in frame)) continue
      watch.came(frame.data)
      send({ _tag: "Credit", bytes: frame.data.length })
    }
  })
  await new Promise((resolve, reject) => connection.once("connect", resolve).once("error", reject))
  connection.write(FrameStream.preamble)
  const request = { viewer: `bench-${process.pid}`, ...size, readOnly: false, programStatus: false, notices: false }
  send({ _tag: "Attach", request })
  return over(
    (data) => send({ _tag: "Input", data }),
    watch,
    () => connection.destroy()
  )
}
