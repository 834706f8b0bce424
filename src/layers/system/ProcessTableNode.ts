import { Clock, Effect, Layer } from "effect"
import * as fs from "node:fs"
import type { ProcessKey } from "../../domain/store/hookSpool/HookOrigin.ts"
import {
  familyOf,
  fromProcStat,
  fromPs,
  type ProcessRecord,
  psColumns
} from "../../domain/store/hookSpool/ProcessRecord.ts"
import {
  type EndStep,
  type LeftoverProcesses,
  type EnvironmentMark,
  ProcessTable
} from "../../services/ProcessTable.ts"
import { programEnd } from "./programEnd.ts"
import { isGone, send } from "./signals.ts"
import { isProcessStopped, procFile } from "./proc.ts"
import { procPids } from "./procPids.ts"

/** A bound that is deeper than any real chain of ancestors. */
const depthLimit = 64

/** Milliseconds between two checks whether processes have ended. */
const pollMs = 20

/** The queries to the system: one process, all of them, and those with a variable in their environment. */
interface Source {
  readonly lookup: (pid: number) => ProcessRecord | null
  readonly all: () => ReadonlyArray<ProcessRecord>
  readonly marked: (variable: string, value: string) => ReadonlyArray<number>
}

const ancestryOf = (pid: number, { lookup }: Source): ReadonlyArray<ProcessRecord> => {
  const ancestors: Array<ProcessRecord> = []
  for (let next = pid; next > 0 && ancestors.length < depthLimit;) {
    const record = lookup(next)
    if (record === null) break
    ancestors.push(record)
    next = record.parent
  }
  return ancestors
}

const statOf = (pid: number | string): ProcessRecord | null => fromProcStat(procFile(pid, "stat") ?? "")

/** A process of a group, and its descendants in the same group: a program may run behind a launcher. */
const groupFrom = (pid: number, group: number, depth = 8): ReadonlyArray<number> => {
  const record = statOf(pid)
  if (record === null || record.group !== group) return []
  const children = depth === 0 ? "" : (procFile(pid, `task/${pid}/children`) ?? "")
  const found = children.split(" ").filter((child) => child !== "")
  return [pid, ...found.flatMap((child) => groupFrom(Number(child), group, depth - 1))]
}

const stoppedByProc = (leader: number): ReadonlyArray<number> => groupFrom(leader, leader).filter(isProcessStopped)

const fromProc: Source = {
  lookup: statOf,
  all: () =>
    procPids().flatMap((pid) => {
      const record = statOf(pid)
      return record === null ? [] : [record]
    }),
  marked: (variable, value) => {
    const mark = `${variable}=${value}`
    return procPids()
      .filter((pid) => procFile(pid, "environ")?.split("\0").includes(mark))
      .map(Number)
  }
}

/** The output of `ps`; if it fails or hangs, the output up to then. */
const ps = (...args: ReadonlyArray<string>): Effect.Effect<string> =>
  Effect.suspend(() => {
    const env = { PATH: process.env["PATH"] ?? "/usr/bin:/bin", LC_ALL: "C" }
    const ended = programEnd("ps", args, { env, timeout: 2000, maxBuffer: 16 << 20 })
    return Effect.map(ended, ({ output }) => output.toString("utf8"))
  })

/** One `ps` for the whole table, where there is no /proc. */
const psSource: Effect.Effect<Source> = Effect.map(
  ps("-A", ...psColumns.flatMap((column) => ["-o", `${column}=`])),
  (output) => {
    const table = new Map<number, ProcessRecord>()
    for (const line of output.split("\n")) {
      const record = fromPs(line)
      if (record !== null) table.set(record.pid, record)
    }
    return { lookup: (pid) => table.get(pid) ?? null, all: () => [...table.values()], marked: () => [] }
  }
)

const isSame = (record: ProcessRecord | null, { birth }: ProcessKey): record is ProcessRecord =>
  record !== null && (birth === null || record.birth === null || record.birth === birth)

const lives = (record: ProcessRecord | null, key: ProcessKey): boolean => isSame(record, key) && !record.isZombie

const keyOf = ({ birth, pid }: ProcessRecord): ProcessKey => ({ pid, birth })

const sendTo = (key: ProcessKey, signal: NodeJS.Signals | 0, { lookup }: Source): boolean =>
  lives(lookup(key.pid), key) && send(key.pid, signal)

/**
 * A group keeps its number while one member lives, and no new process gets that number meanwhile. So it is still the
 * same group unless its leader's pid belongs to another process.
 */
const isSameGroup = (leader: ProcessKey, { lookup }: Source): boolean => {
  const now = lookup(leader.pid)
  return now === null || isSame(now, leader)
}

const sendToGroup = (leader: ProcessKey, signal: NodeJS.Signals, source: Source): boolean =>
  isSameGroup(leader, source) && (send(-leader.pid, signal) || sendTo(leader, signal, source))

/** The living members of a group, without the caller. One that has ended with its leader is told without the table. */
const inGroup = (leader: ProcessKey, source: Source): ReadonlyArray<ProcessKey> =>
  !isSameGroup(leader, source) || (source.lookup(leader.pid) === null && isGone(-leader.pid))
    ? []
    : source
        .all()
        .filter(
          ({ group, isZombie, pid }) => !isZombie && (group === leader.pid || pid === leader.pid) && pid !== process.pid
        )
        .map(keyOf)

const inFamily = (
  pid: number | null,
  { value, variable }: EnvironmentMark,
  { all, marked }: Source
): ReadonlyArray<ProcessKey> =>
  familyOf([...(pid === null ? [] : [pid]), ...marked(variable, value)], all())
    .filter(({ isZombie, pid }) => !isZombie && pid !== process.pid)
    .map(keyOf)

/** The leader as it is now, if it has the mark. */
const markedLeader = (leader: ProcessKey, { value, variable }: EnvironmentMark, source: Source): ProcessKey | null => {
  const now = source.lookup(leader.pid)
  return now !== null && isSame(now, leader) && source.marked(variable, value).includes(leader.pid) ? keyOf(now) : null
}

/** The leader where `ps` says that it is stopped, for systems without /proc. */
const stoppedByPs = (leader: number): Effect.Effect<ReadonlyArray<number>> =>
  Effect.map(ps("-o", "stat=", "-p", String(leader)), (output) => (/^\s*T/.test(output) ? [leader] : []))

const resume = (
  leader: ProcessKey,
  source: Effect.Effect<Source>,
  stopped: (leader: number) => Effect.Effect<ReadonlyArray<number>>
) =>
  Effect.gen(function* () {
    const now = yield* source
    if (!isSame(now.lookup(leader.pid), leader)) return false
    const found = yield* stopped(leader.pid)
    return found.map((pid) => send(pid, "SIGCONT")).includes(true)
  })

/** How the processes to end are found, how a signal is sent to them, and which of them still live. */
interface Termination {
  readonly found: (source: Source) => ReadonlyArray<ProcessKey>
  readonly deliver: (found: ReadonlyArray<ProcessKey>, signal: EndStep["signal"], source: Source) => void
  readonly remaining: (found: ReadonlyArray<ProcessKey>, source: Source) => ReadonlyArray<ProcessKey>
}

const terminationOf = (what: LeftoverProcesses): Termination => {
  if (what._tag === "Family") {
    const { known, mark } = what
    return {
      found: (source) => {
        const now = inFamily(null, mark, source)
        const gone = known.filter(({ pid }) => now.every((other) => other.pid !== pid))
        return [...gone.filter((key) => sendTo(key, 0, source)), ...now]
      },
      deliver: (found, signal, source) => {
        for (const key of found) sendTo(key, signal, source)
      },
      remaining: (found, source) => found.filter((key) => sendTo(key, 0, source))
    }
  }
  const { leader, mark } = what
  // once it was seen with the mark, it is identified by its start time
  let target = mark === null ? leader : null
  return {
    found: (source) => {
      if (target === null && mark !== null) target = markedLeader(leader, mark, source)
      return target === null ? [] : inGroup(target, source)
    },
    // the whole group at once, so that no child started meanwhile escapes
    deliver: (_found, signal, source) => {
      if (target !== null) sendToGroup(target, signal, source)
    },
    remaining: (_found, source) => (target === null ? [] : inGroup(target, source))
  }
}

const end = Effect.fn("ProcessTable.end")(function* (
  source: Effect.Effect<Source>,
  what: LeftoverProcesses,
  steps: ReadonlyArray<EndStep>
) {
  const termination = terminationOf(what)
  let found = false
  let left: ReadonlyArray<ProcessKey> = []
  for (const { patience, signal } of steps) {
    const before = yield* source
    left = termination.found(before)
    found ||= left.length > 0
    termination.deliver(left, signal, before)
    const until = (yield* Clock.currentTimeMillis) + patience
    for (;;) {
      left = termination.remaining(left, yield* source)
      if (left.length === 0) return { found, left }
      if ((yield* Clock.currentTimeMillis) >= until) break
      yield* Effect.sleep(pollMs)
    }
  }
  return { found, left }
})

const fromSource = (
  source: Effect.Effect<Source>,
  stopped: (leader: number) => Effect.Effect<ReadonlyArray<number>>
): ProcessTable["Service"] => ({
  ancestry: (pid) => Effect.map(source, (source) => ancestryOf(pid, source)),
  isStopped: (pid) => Effect.sync(() => isProcessStopped(pid)),
  isAlive: (key) => Effect.map(source, ({ lookup }) => lives(lookup(key.pid), key)),
  family: (pid, variable, value) => Effect.map(source, (source) => inFamily(pid, { variable, value }, source)),
  signal: (key, signal) => Effect.map(source, (source) => sendTo(key, signal, source)),
  signalGroup: (leader, signal) => Effect.map(source, (source) => sendToGroup(leader, signal, source)),
  resume: (leader) => resume(leader, source, stopped),
  end: (what, steps) => end(source, what, steps)
})

/** Processes as `/proc` shows them. */
export const layerProc: Layer.Layer<ProcessTable> = Layer.succeed(
  ProcessTable,
  fromSource(Effect.succeed(fromProc), (leader) => Effect.sync(() => stoppedByProc(leader)))
)

/** Processes as `ps` lists them. */
export const layerPs: Layer.Layer<ProcessTable> = Layer.succeed(ProcessTable, fromSource(psSource, stoppedByPs))

/** From /proc where there is one, else from `ps`. */
export const layer: Layer.Layer<ProcessTable> = Layer.unwrap(
  Effect.sync(() => (fs.existsSync("/proc/self/stat") ? layerProc : layerPs))
)
