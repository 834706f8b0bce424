import { Effect, Layer } from "effect"
import { execFile } from "node:child_process"
import * as fs from "node:fs"
import type { ProcessKey } from "../domain/HookOrigin.ts"
import { familyOf, fromProcStat, fromPs, type ProcessRecord, psColumns } from "../domain/ProcessRecord.ts"
import { ProcessTable } from "../services/ProcessTable.ts"

/** Deeper than any real line of processes; a bound all the same. */
const depthLimit = 64

/** What can be asked of the system: a process, all of them, and who has a variable in its environment. */
interface Source {
  readonly lookup: (pid: number) => ProcessRecord | null
  readonly all: () => ReadonlyArray<ProcessRecord>
  readonly marked: (variable: string, value: string) => ReadonlyArray<number>
}

const lineFrom = (pid: number, { lookup }: Source): ReadonlyArray<ProcessRecord> => {
  const line: Array<ProcessRecord> = []
  for (let next = pid; next > 0 && line.length < depthLimit;) {
    const record = lookup(next)
    if (record === null) break
    line.push(record)
    next = record.parent
  }
  return line
}

/** The kernel makes these files from memory: reading one does not wait for anything. Null: gone, or another user's. */
const proc = (pid: number | string, file: string): string | null => {
  try {
    return fs.readFileSync(`/proc/${pid}/${file}`, "latin1")
  } catch {
    return null
  }
}

/** Dead, and only not yet buried by its parent. */
const isZombie = (stat: string): boolean => /^\d+ \(.*\) [ZX]/s.test(stat)

const statOf = (pid: number | string): ProcessRecord | null => {
  const stat = proc(pid, "stat")
  return stat === null ? null : fromProcStat(stat)
}

const pids = (): ReadonlyArray<string> => fs.readdirSync("/proc").filter((name) => /^\d+$/.test(name))

const fromProc: Source = {
  lookup: statOf,
  all: () => pids().flatMap((pid) => {
    const stat = proc(pid, "stat")
    const record = stat === null || isZombie(stat) ? null : fromProcStat(stat)
    return record === null ? [] : [record]
  }),
  marked: (variable, value) => {
    const mark = `${variable}=${value}`
    return pids().filter((pid) => proc(pid, "environ")?.split("\0").includes(mark)).map(Number)
  }
}

/** One `ps` for the whole table, where there is no /proc. A `ps` that fails or hangs gives an empty table. */
const psSource: Effect.Effect<Source> = Effect.callback((resume) => {
  const child = execFile(
    "ps",
    ["-A", ...psColumns.flatMap((column) => ["-o", `${column}=`])],
    { env: { PATH: process.env["PATH"] ?? "/usr/bin:/bin", LC_ALL: "C" }, timeout: 2000, maxBuffer: 16 << 20 },
    (_error, stdout) => {
      const table = new Map<number, ProcessRecord>()
      for (const line of stdout.split("\n")) {
        const record = fromPs(line)
        if (record !== null) table.set(record.pid, record)
      }
      resume(Effect.succeed({ lookup: (pid) => table.get(pid) ?? null, all: () => [...table.values()], marked: () => [] }))
    }
  )
  return Effect.sync(() => child.kill())
})

const isSame = (record: ProcessRecord | null, { birth }: ProcessKey): boolean =>
  record !== null && (birth === null || record.birth === null || record.birth === birth)

const sent = (pid: number, signal: "SIGTERM" | "SIGKILL" | 0): boolean => {
  try {
    return process.kill(pid, signal)
  } catch {
    return false
  }
}

const fromSource = (source: Effect.Effect<Source>): ProcessTable["Service"] => ({
  ancestry: (pid) => Effect.map(source, (source) => lineFrom(pid, source)),
  isAlive: (key) => Effect.map(source, ({ lookup }) => isSame(lookup(key.pid), key)),
  family: (pid, variable, value) =>
    Effect.map(source, ({ all, marked }) => {
      const roots = [...pid === null ? [] : [pid], ...marked(variable, value)]
      return familyOf(roots, all()).filter((record) => record.pid !== process.pid).map(({ birth, pid }) => ({ pid, birth }))
    }),
  signal: (key, signal) =>
    Effect.map(source, ({ lookup }) => {
      if (!isSame(lookup(key.pid), key)) return false
      const stat = proc(key.pid, "stat")
      return (stat === null || !isZombie(stat)) && sent(key.pid, signal)
    })
})

/** From /proc. */
export const layerProc: Layer.Layer<ProcessTable> = Layer.succeed(ProcessTable, fromSource(Effect.succeed(fromProc)))

/** From `ps`. */
export const layerPs: Layer.Layer<ProcessTable> = Layer.succeed(ProcessTable, fromSource(psSource))

/** From /proc where there is one, else from `ps`. */
export const layer: Layer.Layer<ProcessTable> = Layer.unwrap(
  Effect.sync(() => fs.existsSync("/proc/self/stat") ? layerProc : layerPs)
)
