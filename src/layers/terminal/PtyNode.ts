import { Deferred, Effect, Layer, Semaphore, Queue, Stream } from "effect"
import * as fs from "node:fs"
import * as os from "node:os"
import type { ExitStatus } from "../../domain/words/session/Session.ts"
import type { ProcessKey } from "../../domain/store/hookSpool/HookOrigin.ts"
import { ProcessTable } from "../../services/ProcessTable.ts"
import { Pty, type PtyHandle, type PtyOptions, PtySpawnError } from "../../services/Pty.ts"
import { gather, gatherLimit } from "./gather.ts"
import { makeOutlet } from "./outlet.ts"
import { type AddonTerminal, ptyInternals } from "./ptyInternals.ts"
import { System } from "../../services/System.ts"
import { errorTextOf } from "../../domain/words/reading/Fields.ts"

const listeners = new Set<() => void>()
const tellAll = (): void => {
  for (const listener of listeners) listener()
}

const listen = (listener: () => void): (() => void) => {
  // One listener for all, because Node warns about many.
  if (listeners.size === 0) process.on("SIGCHLD", tellAll)
  listeners.add(listener)
  return () => {
    listeners.delete(listener)
    if (listeners.size === 0) process.off("SIGCHLD", tellAll)
  }
}

/** A child of this process was stopped, was continued, or has ended. */
const childSignals: Stream.Stream<void> = Stream.callback<void>(
  (queue) =>
    Effect.acquireRelease(
      Effect.sync(() => listen(() => void Queue.offerUnsafe(queue, undefined))),
      (off) => Effect.sync(off)
    ),
  { bufferSize: 1, strategy: "sliding" }
)

/** Milliseconds that a process group may take to end after a hang-up. */
export const hangupPatience = 2000
/** Milliseconds that a process group may take to end after a kill. */
export const killPatience = 2000
/** The longest pause between two attempts to write to a child that does not read, in milliseconds. */
const longestPause = 16

const signalNames: ReadonlyMap<number, string> = new Map(
  Object.entries(os.constants.signals).map(([name, number]) => [number, name])
)

/** Why a program cannot be started in this directory, or null. node-pty would only give an exit code. */
const directoryProblem = (cwd: string): string | null => {
  try {
    if (!fs.statSync(cwd).isDirectory()) return `its working directory ${cwd} is not a directory`
    fs.accessSync(cwd, fs.constants.X_OK)
    return null
  } catch (cause) {
    return (cause as NodeJS.ErrnoException).code === "ENOENT"
      ? `its working directory ${cwd} does not exist`
      : `its working directory ${cwd} cannot be entered (${(cause as NodeJS.ErrnoException).code})`
  }
}

/** The part of node-pty that leap uses; its own types are incomplete. */
interface Addon {
  readonly spawn: (
    file: string,
    args: ReadonlyArray<string>,
    options: {
      readonly name: string
      readonly cols: number
      readonly rows: number
      readonly cwd: string
      readonly env: Record<string, string>
      /** null: data is bytes. */
      readonly encoding: null
    }
  ) => AddonTerminal
}

/** The addon has binaries for Linux with glibc, not with musl (Alpine). */
const runsOnMusl = (): boolean => {
  if (process.platform !== "linux") return false
  const { header } = process.report.getReport() as { readonly header: { readonly glibcVersionRuntime?: string } }
  return header.glibcVersionRuntime === undefined
}

const loading = (addon: () => Promise<Addon>, isMusl: () => boolean) => (command: string) =>
  Effect.tryPromise({
    try: addon,
    catch: (cause) =>
      new PtySpawnError({
        command,
        why:
          `the terminal addon node-pty does not load on ${process.platform}-${process.arch} ` +
          `(${cause instanceof Error ? cause.message.split("\n", 1)[0] : String(cause)}); ` +
          (isMusl()
            ? "it has no binary for musl, on which Alpine Linux stands: run leap on a Linux with glibc, as Debian is"
            : "reinstall leap without omitting optional dependencies ('npm install --include=optional')")
      })
  })

interface Child {
  readonly leader: ProcessKey
  readonly close: () => void
  readonly handle: PtyHandle
}

/** Sends the group a hang-up, and a kill if something is left of it. */
const release = (table: ProcessTable["Service"]) =>
  Effect.fn("Pty.release")(function* ({ close, leader }: Child) {
    const { left } = yield* table.end({ _tag: "Group", leader, mark: null }, [
      { signal: "SIGHUP", patience: hangupPatience },
      { signal: "SIGKILL", patience: killPatience }
    ])
    if (left.length > 0) {
      yield* Effect.logWarning(
        `processes of group ${leader.pid} are still there after a kill; ` +
          `'ps -o pid,stat,args -g ${leader.pid}' shows them`
      )
    }
    close()
  })

const start = (
  options: PtyOptions,
  file: string,
  spawn: Addon["spawn"]
): Pick<Child, "close"> & { readonly handle: Omit<PtyHandle, "signal" | "resume" | "stirs"> } => {
  const pty = spawn(file, options.args, {
    cols: options.size.cols,
    rows: options.size.rows,
    cwd: options.cwd,
    env: { ...options.env },
    name: options.env["TERM"] ?? "xterm-256color",
    encoding: null
  })
  const { fd, socket } = ptyInternals(pty)
  const output = makeOutlet()
  const exit = Deferred.makeUnsafe<ExitStatus>()
  let open = true

  const { add, flush } = gather(output.give)
  // The stream's remaining data comes before the kernel's.
  pty.onData((data) => add(data.length < burstSize || socket.readableLength > 0 ? data : readMore(fd, data)))
  // 200 ms after the child's exit node-pty destroys its socket, even if not all output was read; with a busy event loop
  // the rest would be lost.
  const destroy = socket.destroy.bind(socket)
  socket.destroy = (cause) => {
    if (open) for (let data = readMore(fd, none); data.length > 0; data = readMore(fd, none)) add(data)
    open = false
    return destroy(cause)
  }
  pty.onExit(({ exitCode, signal }) => {
    open = false
    flush()
    output.end()
    Deferred.doneUnsafe(
      exit,
      Effect.succeed(
        signal === undefined || signal === 0
          ? { code: exitCode, signal: null }
          : { code: null, signal: signalNames.get(signal) ?? `signal ${signal}` }
      )
    )
  })

  // node-pty's own write spins on the event loop until the child has read everything; a child that does not read would
  // block leap.
  const writing = Semaphore.makeUnsafe(1)
  let underWay = 0
  const writeAll = (data: Uint8Array): Effect.Effect<void> =>
    Effect.gen(function* () {
      let offset = 0
      let pause = 1
      while (open && offset < data.length) {
        const written = writeSome(fd, data, offset)
        offset += written
        if (offset >= data.length) return
        pause = written > 0 ? 1 : Math.min(pause * 2, longestPause)
        yield* Effect.sleep(pause)
      }
    })

  return {
    close: () => {
      socket.destroy()
    },
    handle: {
      pid: pty.pid,
      follow: output.follow,
      write: (data) =>
        Effect.acquireUseRelease(
          Effect.sync(() => void underWay++),
          () => writing.withPermits(1)(writeAll(data)),
          () => Effect.sync(() => void underWay--)
        ),
      // Data for a child that has ended is dropped.
      writeNow: (data) => (underWay > 0 ? 0 : open ? writeSome(fd, data, 0) : data.length),
      resize: ({ cols, rows }) =>
        Effect.sync(() => {
          // After the terminal is closed the descriptor may belong to another file.
          if (!open || !(cols > 0) || !(rows > 0)) return
          try {
            pty.resize(Math.min(cols, 0xffff), Math.min(rows, 0xffff))
          } catch {
            // The terminal is being closed: there is nothing left to resize.
          }
        }),
      exit: Deferred.await(exit)
    }
  }
}

/** Writes as much as the kernel takes now; returns the number of bytes, which may be 0. */
const writeSome = (fd: number, data: Uint8Array, from: number): number => {
  try {
    return fs.writeSync(fd, data, from, data.length - from)
  } catch (cause) {
    // Any other error means that the child is gone, which its exit reports: the rest is dropped.
    return (cause as NodeJS.ErrnoException).code === "EAGAIN" ? 0 : data.length - from
  }
}

/** A terminal gives at most 4 KB at a time: after this much there is probably more. */
const burstSize = 1024
let room: Buffer | null = null
const none = new Uint8Array()

/** Returns these bytes and the kernel's further ones, up to {@link gatherLimit}. The descriptor does not block. */
const readMore = (fd: number, before: Uint8Array): Uint8Array => {
  if (before.length >= gatherLimit) return before
  const into = (room ??= Buffer.allocUnsafeSlow(gatherLimit))
  into.set(before)
  let size = before.length
  try {
    // A turn of the event loop for each 4 KB takes longer than reading them.
    while (size < into.length) {
      const length = fs.readSync(fd, into, size, into.length - size, null)
      if (length === 0) break
      size += length
    }
  } catch {
    // There is nothing more now, or ever; the stream finds out which.
  }
  const read = into.subarray(0, size)
  // Output that is kept for long should not hold much more memory than it needs.
  if (size * 2 < into.length) return Buffer.from(read)
  room = null
  return read
}

const spawn = (
  load: (command: string) => Effect.Effect<Addon, PtySpawnError>,
  system: System["Service"],
  table: ProcessTable["Service"]
) =>
  Effect.fn("Pty.spawn")(function* (options: PtyOptions) {
    const { command, cwd, env } = options
    const failed = (why: string) => new PtySpawnError({ command, why })
    const problem = yield* Effect.sync(() => directoryProblem(cwd))
    if (problem !== null) return yield* failed(problem)
    const file = yield* Effect.mapError(system.which(command, env, cwd), ({ why }) => failed(why))
    const nodePty = yield* load(command)
    const acquire = Effect.gen(function* () {
      const { close, handle } = yield* Effect.try({
        try: () => start(options, file, nodePty.spawn),
        catch: (cause) => failed(`the pseudo-terminal could not be opened (${errorTextOf(cause)})`)
      })
      const [record] = yield* table.ancestry(handle.pid)
      const leader: ProcessKey = { pid: handle.pid, birth: record?.birth ?? null }
      const signal: PtyHandle["signal"] = (name) => Effect.asVoid(table.signalGroup(leader, name))
      return { leader, close, handle: { ...handle, signal, stirs: childSignals, resume: table.resume(leader) } }
    })
    return (yield* Effect.acquireRelease(acquire, release(table))).handle
  })

/** Why an addon cannot be loaded, and what helps; null if it can. */
export const problemOf = (addon: () => Promise<Addon>, isMusl = runsOnMusl): Effect.Effect<string | null> =>
  Effect.match(loading(addon, isMusl)(""), { onFailure: ({ why }) => why, onSuccess: () => null })

/** As {@link problemOf}, for node-pty. */
export const problem = problemOf(() => import("node-pty"))

/** Pseudo-terminals of an addon that is loaded at the first spawn. */
export const layerWith = (
  addon: () => Promise<Addon>,
  isMusl = runsOnMusl
): Layer.Layer<Pty, never, System | ProcessTable> =>
  Layer.effect(
    Pty,
    Effect.gen(function* () {
      return Pty.of({ spawn: spawn(loading(addon, isMusl), yield* System, yield* ProcessTable) })
    })
  )

/** Pseudo-terminals by node-pty, which is loaded with the first of them. */
export const layer: Layer.Layer<Pty, never, System | ProcessTable> = layerWith(() => import("node-pty"))
