import { Effect, Layer } from "effect"
import { execFile } from "node:child_process"
import * as fs from "node:fs"
import { fromProcStat, fromPs, type ProcessRecord, psColumns } from "../domain/ProcessRecord.ts"
import { ProcessTable } from "../services/ProcessTable.ts"

/** Deeper than any real line of processes; a bound all the same. */
const depthLimit = 64

type Lookup = (pid: number) => ProcessRecord | null

const lineFrom = (pid: number, lookup: Lookup): ReadonlyArray<ProcessRecord> => {
  const line: Array<ProcessRecord> = []
  for (let next = pid; next > 0 && line.length < depthLimit;) {
    const record = lookup(next)
    if (record === null) break
    line.push(record)
    next = record.parent
  }
  return line
}

const procLookup: Lookup = (pid) => {
  try {
    // The kernel makes these files from memory: reading one does not wait for anything.
    return fromProcStat(fs.readFileSync(`/proc/${pid}/stat`, "latin1"))
  } catch {
    return null
  }
}

/** One `ps` for the whole table, where there is no /proc. A `ps` that fails or hangs gives an empty table. */
const psTable: Effect.Effect<Lookup> = Effect.callback((resume) => {
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
      resume(Effect.succeed((pid) => table.get(pid) ?? null))
    }
  )
  return Effect.sync(() => child.kill())
})

const fromTable = (table: Effect.Effect<Lookup>): ProcessTable["Service"] => ({
  ancestry: (pid) => Effect.map(table, (lookup) => lineFrom(pid, lookup)),
  isAlive: ({ birth, pid }) =>
    Effect.map(table, (lookup) => {
      const record = lookup(pid)
      return record !== null && (birth === null || record.birth === null || record.birth === birth)
    })
})

/** From /proc. */
export const layerProc: Layer.Layer<ProcessTable> = Layer.succeed(ProcessTable, fromTable(Effect.succeed(procLookup)))

/** From `ps`. */
export const layerPs: Layer.Layer<ProcessTable> = Layer.succeed(ProcessTable, fromTable(psTable))

/** From /proc where there is one, else from `ps`. */
export const layer: Layer.Layer<ProcessTable> = Layer.unwrap(
  Effect.sync(() => fs.existsSync("/proc/self/stat") ? layerProc : layerPs)
)
