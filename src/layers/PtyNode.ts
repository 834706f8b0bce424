import { type Cause, Clock, Deferred, Effect, Layer, Queue, Semaphore, Stream } from "effect"
import * as fs from "node:fs"
import * as os from "node:os"
import * as path from "node:path"
import type { IPty, IPtyForkOptions } from "node-pty"
import type { ExitStatus } from "../domain/Session.ts"
import { Pty, type PtyHandle, type PtyOptions, PtySpawnError } from "../services/Pty.ts"

/** How long a process group may take to end by itself after a hang-up, and to be gone after a kill. */
export const hangupPatience = 2000
export const killPatience = 2000
const pollMs = 20
/** Between two attempts to write to a child that does not read. */
const longestPause = 16

/** What node-pty's terminal has beyond its types: the descriptor, which does not block, and the socket that reads it. */
interface Inner {
  readonly _socket: { destroy: (cause?: Error) => unknown }
  readonly fd: number
}

const signalNames: ReadonlyMap<number, string> = new Map(Object.entries(os.constants.signals).map(([name, number]) => [number, name]))

/** Why a command cannot be started, or the file that it resolves to. node-pty itself would only tell by an exit code. */
const resolve = ({ command, cwd, env }: PtyOptions): { readonly file: string } | { readonly why: string } => {
  try {
    if (!fs.statSync(cwd).isDirectory()) return { why: `its working directory ${cwd} is not a directory` }
    fs.accessSync(cwd, fs.constants.X_OK)
  } catch (cause) {
    return {
      why: (cause as NodeJS.ErrnoException).code === "ENOENT"
        ? `its working directory ${cwd} does not exist`
        : `its working directory ${cwd} cannot be entered (${(cause as NodeJS.ErrnoException).code})`
    }
  }
  const runnable = (file: string): "yes" | "no" | "absent" => {
    try {
      if (!fs.statSync(file).isFile()) return "no"
      fs.accessSync(file, fs.constants.X_OK)
      return "yes"
    } catch (cause) {
      return (cause as NodeJS.ErrnoException).code === "EACCES" ? "no" : "absent"
    }
  }
  if (command.includes("/")) {
    const file = path.resolve(cwd, command)
    switch (runnable(file)) {
      case "yes":
        return { file }
      case "no":
        return { why: `${file} is not an executable file (chmod +x makes it one)` }
      case "absent":
        return { why: `${file} does not exist` }
    }
  }
  let refused: string | undefined
  for (const dir of (env["PATH"] ?? "").split(path.delimiter)) {
    const file = path.resolve(cwd, dir, command)
    const found = runnable(file)
    if (found === "yes") return { file }
    if (found === "no") refused ??= file
  }
  return {
    why: refused === undefined
      ? "it is not on PATH; install it, or give its full path"
      : `${refused} is on PATH but not an executable file (chmod +x makes it one)`
  }
}

interface Addon {
  readonly spawn: (file: string, args: ReadonlyArray<string>, options: IPtyForkOptions) => IPty
}

const load = (command: string, addon: () => Promise<Addon>) =>
  Effect.tryPromise({
    try: addon,
    catch: (cause) =>
      new PtySpawnError({
        command,
        why: `the terminal addon node-pty does not load on ${process.platform}-${process.arch} (${
          cause instanceof Error ? cause.message.split("\n", 1)[0] : String(cause)
        }); reinstall leap's dependencies without omitting optional ones ('npm ci --include=optional')`
      })
  })

/** Sends a signal to a process group, or to the process alone when it has no group yet. False when there is neither. */
const signalGroup = (pid: number, signal: NodeJS.Signals | 0): boolean => {
  for (const target of [-pid, pid]) {
    try {
      process.kill(target, signal)
      return true
    } catch (cause) {
      if ((cause as NodeJS.ErrnoException).code === "EPERM") return true
    }
  }
  return false
}

/** Whether anything of a process group runs. A dead process that its parent has not fetched yet still takes signals, but is gone. */
const groupRuns = (pid: number): boolean => {
  if (!signalGroup(pid, 0)) return false
  let entries: ReadonlyArray<string>
  try {
    entries = fs.readdirSync("/proc").filter((entry) => /^\d+$/.test(entry))
  } catch {
    return true
  }
  if (entries.length === 0) return true
  return entries.some((entry) => {
    try {
      const stat = fs.readFileSync(`/proc/${entry}/stat`, "latin1")
      // the name in parentheses may hold anything, so the fields are counted from its end: state, parent, group
      const [state = "", , group] = stat.slice(stat.lastIndexOf(")") + 2).split(" ")
      return Number(group) === pid && !"ZX".includes(state)
    } catch {
      return false
    }
  })
}

const groupIsGone = (pid: number, patience: number): Effect.Effect<boolean> =>
  Effect.gen(function*() {
    const until = (yield* Clock.currentTimeMillis) + patience
    for (;;) {
      if (!groupRuns(pid)) return true
      if ((yield* Clock.currentTimeMillis) >= until) return false
      yield* Effect.sleep(pollMs)
    }
  })

/** Hang-up, then kill, until nothing of the group is left. */
const release = Effect.fn("Pty.release")(function*(child: Child) {
  if (child.gone()) return
  signalGroup(child.pid, "SIGHUP")
  if (!(yield* groupIsGone(child.pid, hangupPatience))) {
    signalGroup(child.pid, "SIGKILL")
    if (!(yield* groupIsGone(child.pid, killPatience))) {
      yield* Effect.logWarning(
        `processes of group ${child.pid} are still there after a kill; 'ps -o pid,stat,args -g ${child.pid}' shows them`
      )
    }
  }
  child.close()
})

interface Child {
  readonly pid: number
  /** The child has exited and left nothing of its group behind: its number may be another's by now. */
  readonly gone: () => boolean
  readonly close: () => void
  readonly handle: PtyHandle
}

const start = (options: PtyOptions, file: string, spawn: Addon["spawn"]): Child => {
  const pty = spawn(file, options.args, {
    cols: options.size.cols,
    rows: options.size.rows,
    cwd: options.cwd,
    env: { ...options.env },
    name: options.env["TERM"] ?? "xterm-256color",
    encoding: null
  })
  const { fd, _socket: socket } = pty as unknown as Inner
  const output = Queue.unbounded<Uint8Array, Cause.Done>()
  const queue = Effect.runSync(output)
  const exit = Deferred.makeUnsafe<ExitStatus>()
  let open = true
  let gone = false

  pty.onData((data) => {
    if (data.length > 0) Queue.offerUnsafe(queue, data)
  })
  // 200 ms after the child's exit node-pty destroys its socket, read out or not; a busy event loop would lose the rest.
  const destroy = socket.destroy.bind(socket)
  socket.destroy = (cause) => {
    if (open) drain(fd, (data) => Queue.offerUnsafe(queue, data))
    open = false
    return destroy(cause)
  }
  pty.onExit(({ exitCode, signal }) => {
    open = false
    gone = !signalGroup(pty.pid, 0)
    Queue.endUnsafe(queue)
    Deferred.doneUnsafe(
      exit,
      Effect.succeed(
        signal === undefined || signal === 0
          ? { code: exitCode, signal: null }
          : { code: null, signal: signalNames.get(signal) ?? `signal ${signal}` }
      )
    )
  })

  // node-pty's own write spins on the event loop until the child has read all; a child that reads nothing would stop leap.
  const writing = Semaphore.makeUnsafe(1)
  const writeAll = (data: Uint8Array): Effect.Effect<void> =>
    Effect.gen(function*() {
      let at = 0
      let pause = 1
      while (open && at < data.length) {
        const written = writeSome(fd, data, at)
        at += written
        if (at >= data.length) return
        pause = written > 0 ? 1 : Math.min(pause * 2, longestPause)
        yield* Effect.sleep(pause)
      }
    })

  return {
    pid: pty.pid,
    gone: () => gone,
    close: () => {
      socket.destroy()
    },
    handle: {
      pid: pty.pid,
      output: Stream.fromQueue(queue),
      write: (data) => writing.withPermits(1)(writeAll(data)),
      resize: ({ cols, rows }) =>
        Effect.sync(() => {
          // the descriptor is another file's once the terminal is closed
          if (!open || !(cols > 0) || !(rows > 0)) return
          try {
            pty.resize(Math.min(cols, 0xffff), Math.min(rows, 0xffff))
          } catch {
            // closing at this very moment: there is nothing left to resize
          }
        }),
      signal: (name) => Effect.sync(() => void (gone || signalGroup(pty.pid, name))),
      exit: Deferred.await(exit)
    }
  }
}

/** Writes what the kernel takes now: how many bytes, 0 for none. */
const writeSome = (fd: number, data: Uint8Array, from: number): number => {
  try {
    return fs.writeSync(fd, data, from, data.length - from)
  } catch (cause) {
    // any other fault means that the child is gone, which its exit tells: the rest is for nobody
    return (cause as NodeJS.ErrnoException).code === "EAGAIN" ? 0 : data.length - from
  }
}

/** Reads what the kernel still holds; the descriptor does not block. */
const drain = (fd: number, take: (data: Uint8Array) => void): void => {
  for (;;) {
    try {
      const buffer = Buffer.allocUnsafe(65536)
      const length = fs.readSync(fd, buffer)
      if (length === 0) return
      take(buffer.subarray(0, length))
    } catch {
      return
    }
  }
}

const spawn = (addon: () => Promise<Addon>) =>
  Effect.fn("Pty.spawn")(function*(options: PtyOptions) {
    const found = yield* Effect.sync(() => resolve(options))
    if ("why" in found) return yield* new PtySpawnError({ command: options.command, why: found.why })
    const nodePty = yield* load(options.command, addon)
    const child = yield* Effect.acquireRelease(
      Effect.try({
        try: () => start(options, found.file, nodePty.spawn),
        catch: (cause) =>
          new PtySpawnError({
            command: options.command,
            why: `the pseudo-terminal could not be opened (${cause instanceof Error ? cause.message : String(cause)})`
          })
      }),
      release
    )
    return child.handle
  })

/** Pseudo-terminals of an addon that is loaded when the first is needed. */
export const layerWith = (addon: () => Promise<Addon>): Layer.Layer<Pty> => Layer.succeed(Pty, { spawn: spawn(addon) })

export const layer: Layer.Layer<Pty> = layerWith(() => import("node-pty"))
