import * as fs from "node:fs"
import { tryOr } from "../../domain/words/reading/tryOr.ts"
import { fromProcStat } from "../../domain/store/hookSpool/ProcessRecord.ts"

/** A bound that is deeper than any real chain of ancestors. */
const depthLimit = 64

const entries = (path: string): ReadonlyArray<string> => tryOr(() => fs.readdirSync(path), [])

const read = (path: string): string => tryOr(() => fs.readFileSync(path, "latin1"), "")

const linkOf = (path: string): string => tryOr(() => fs.readlinkSync(path), "")

const lineage = (): ReadonlySet<number> => {
  const own = new Set<number>()
  for (let pid = process.pid; pid > 0 && own.size < depthLimit;) {
    own.add(pid)
    pid = fromProcStat(read(`/proc/${pid}/stat`))?.parent ?? 0
  }
  return own
}

/** The open files of a process; null if this process may not see them. A process that has ended has none. */
const descriptorsOf = (pid: string | number): ReadonlyArray<string> | null => {
  try {
    return fs.readdirSync(`/proc/${pid}/fd`)
  } catch (error) {
    return error instanceof Error && "code" in error && (error.code === "EACCES" || error.code === "EPERM") ? null : []
  }
}

/** The processes that have this pipe open in this way, and whether some of our session could not be examined. */
const holdersOf = (pipe: string, writes: boolean) => {
  const pids: Array<number> = []
  let isUnsure = false
  const session = fromProcStat(read("/proc/self/stat"))?.session
  for (const pid of entries("/proc")) {
    if (!/^\d+$/.test(pid)) continue
    const descriptors = descriptorsOf(pid)
    if (descriptors === null) {
      const stat = read(`/proc/${pid}/stat`)
      const record = fromProcStat(stat)
      if (record?.session === session && !record?.isZombie) isUnsure = true
    } else if (descriptors.some((descriptor) => holds(pid, descriptor, pipe, writes))) pids.push(Number(pid))
  }
  return { pids, isUnsure }
}

const holds = (pid: string | number, descriptor: string, pipe: string, writes: boolean): boolean =>
  linkOf(`/proc/${pid}/fd/${descriptor}`) === pipe && isWriter(pid, descriptor) === writes

/** The access mode in the octal flags of an open file; 0 is for reading only. */
const isWriter = (pid: string | number, descriptor: string): boolean =>
  (parseInt(/^flags:\s*(\d+)/m.exec(read(`/proc/${pid}/fdinfo/${descriptor}`))?.[1] ?? "0", 8) & 3) !== 0

/**
 * Whether a program of a pipeline writes into standard input: a process that is not an ancestor of this one. A pipe
 * left open by a parent, such as a supervisor, may never bring anything. Without /proc, none is found.
 */
export const hasPipelineWriter = (): boolean => {
  const pipe = linkOf("/proc/self/fd/0")
  if (!pipe.startsWith("pipe:")) return false
  const own = lineage()
  return holdersOf(pipe, true).pids.some((pid) => !own.has(pid))
}

const socketIsClosed = (): boolean => {
  try {
    fs.writeSync(1, new Uint8Array(1), 0, 0)
    return false
  } catch (error) {
    return error instanceof Error && "code" in error && error.code === "EPIPE"
  }
}

/**
 * Reports, without writing anything, whether the reader of standard output has gone since this was called; null if
 * unknowable. A pipe does not report this, so its readers are looked up in /proc. A reader that was invisible there at
 * first, as from within a container, never counts as gone.
 */
export const watchReader = (): (() => boolean) | null => {
  const kind = kindOf(1)
  if (kind === "socket") return socketIsClosed() ? null : socketIsClosed
  const pipe = linkOf("/proc/self/fd/1")
  if (kind !== "fifo" || !pipe.startsWith("pipe:")) return null
  const readers = (): ReadonlyArray<number> | null => {
    const { isUnsure, pids } = holdersOf(pipe, false)
    const others = pids.filter((pid) => pid !== process.pid)
    return others.length === 0 && isUnsure ? null : others
  }
  let known = readers() ?? []
  if (known.length === 0) return null
  const stillReads = (pid: number) =>
    (descriptorsOf(pid) ?? []).some((descriptor) => holds(pid, descriptor, pipe, false))
  return () => {
    if (known.some(stillReads)) return false
    const others = readers()
    known = others ?? known
    return others?.length === 0
  }
}

/** The pipe of standard output if another process can write to it, by /proc; `file` for a file; else null. */
export const sharedOutput = (): string | null => {
  const kind = kindOf(1)
  const pipe = linkOf("/proc/self/fd/1")
  if (kind !== "fifo" || !pipe.startsWith("pipe:")) return kind === "file" ? kind : null
  return holdersOf(pipe, true).pids.some((pid) => pid !== process.pid) ? pipe : null
}

const kindOf = (descriptor: number): "socket" | "fifo" | "file" | null => {
  try {
    const stat = fs.fstatSync(descriptor)
    return stat.isSocket() ? "socket" : stat.isFIFO() ? "fifo" : stat.isFile() ? "file" : null
  } catch {
    return null
  }
}
