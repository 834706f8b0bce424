// Measures a move of a session and `mv` and `cp`, alternately, on one disk and across two. To run it alone: node
// scripts/bench/relocation.ts [megabytes] [directory on one disk] [directory on another]
import { Effect, Layer } from "effect"
import { spawnSync } from "node:child_process"
import * as fs from "node:fs"
import { join } from "node:path"
import { performance } from "node:perf_hooks"
import { relocation } from "../../src/domain/providers/claude/Relocation.ts"
import type { Plan } from "../../src/domain/store/relocation/Plan.ts"
import * as FileLockSqlite from "../../src/layers/files/FileLockSqlite.ts"
import * as OpenFilesNode from "../../src/layers/system/OpenFilesNode.ts"
import * as RelocationFilesNode from "../../src/layers/relocator/RelocationFilesNode.ts"
import { make } from "../../src/layers/relocator/RelocatorJournal.ts"
import { median, type Row, table } from "./table.ts"

const rounds = 3
const treeFiles = 1000
const sessionId = "bench-session"
const registries = { apply: () => Effect.void, revert: () => Effect.void }
const services = Layer.mergeAll(RelocationFilesNode.layer, OpenFilesNode.layer, FileLockSqlite.layer)

const sh = (command: string, ...args: ReadonlyArray<string>): void => {
  const { status, stderr } = spawnSync("sh", ["-c", command, "sh", ...args], { encoding: "utf8" })
  if (status !== 0) throw new Error(`${command}: ${stderr}`)
}

const timed = async (work: () => unknown): Promise<number> => {
  const begun = performance.now()
  await work()
  return performance.now() - begun
}

/** Moves by leap; fails when anything was left behind. */
const leapMove = async (plan: Plan, state: string): Promise<void> => {
  const moved = await Effect.runPromise(
    Effect.flatMap(make({ directory: join(state, "relocations"), ensure: Effect.void }), (engine) =>
      engine.move(plan, registries)
    ).pipe(Effect.provide(services))
  )
  if (moved.pending !== null || moved.leftovers.length > 0) throw new Error(JSON.stringify(moved))
}

const fill = (file: string, megabytes: number): void => {
  const descriptor = fs.openSync(file, "w")
  const block = Buffer.alloc(1 << 20, `${JSON.stringify({ type: "user", text: "x".repeat(1000) })}\n`)
  for (let i = 0; i < megabytes; i++) fs.writeSync(descriptor, block)
  fs.fsyncSync(descriptor)
  fs.closeSync(descriptor)
}

/** A session at one place, created again for each measurement, and the plan to move it to another. */
interface Case {
  readonly what: string
  readonly prepare: () => void
  readonly plan: Plan
  readonly others: ReadonlyArray<readonly [name: string, command: string]>
}

/** How many megabytes may be written below a directory; a disk in memory uses memory. */
const roomIn = (directory: string): number => {
  const { bavail, bsize } = fs.statfsSync(directory)
  const free = (bavail * bsize) / (1 << 20)
  const available = /^MemAvailable:\s+(\d+) kB$/m.exec(
    directory.startsWith("/dev/shm") ? fs.readFileSync("/proc/meminfo", "utf8") : ""
  )?.[1]
  return available === undefined ? free : Math.min(free, Number(available) / 1024 / 2)
}

/** Why the moves cannot be measured here, or null. */
const obstacle = (megabytes: number, first: string, second: string): string | null => {
  // room for a copy on the session's own disk, and some for other users of the disk
  for (const [directory, wanted] of [
    [first, 2 * megabytes + 256],
    [second, megabytes + 256]
  ] as const) {
    if (!fs.existsSync(directory)) return `there is no ${directory}`
    const free = Math.floor(roomIn(directory))
    if (free < wanted) return `${directory} has room for ${free} MB, and ${wanted} MB are needed`
  }
  return fs.statSync(first).dev === fs.statSync(second).dev ? `${first} and ${second} are on one disk` : null
}

/**
 * Measures moves of a large session and of one with many files; without room for them it measures none and prints why.
 */
export const benchRelocation = async (
  megabytes = 1024,
  first = "/var/tmp",
  second = "/dev/shm"
): Promise<ReadonlyArray<Row>> => {
  const why = obstacle(megabytes, first, second)
  if (why !== null) {
    process.stderr.write(`moves of sessions are not measured: ${why}\n`)
    return []
  }
  const here = fs.mkdtempSync(join(first, "leap-bench-move-"))
  const there = fs.mkdtempSync(join(second, "leap-bench-move-"))
  const clear = () => {
    fs.rmSync(here, { recursive: true, force: true })
    fs.rmSync(there, { recursive: true, force: true })
  }
  const interrupted = (signal: NodeJS.Signals) => {
    clear()
    process.exit(signal === "SIGINT" ? 130 : 143)
  }
  process.once("SIGINT", interrupted).once("SIGTERM", interrupted)
  try {
    const planTo = (root: string): Plan => {
      const plan = relocation({ home: here, sessionId, from: "/a", to: "/b" })
      return { ...plan, pieces: plan.pieces.map((piece) => ({ ...piece, to: piece.to.replace(here, root) })) }
    }
    const large = () => fill(`${here}/projects/-a/${sessionId}.jsonl`, megabytes)
    const many = () => {
      fill(`${here}/projects/-a/${sessionId}.jsonl`, 1)
      for (let i = 0; i < treeFiles; i++) {
        const directory = `${here}/projects/-a/${sessionId}/d${i % 50}`
        fs.mkdirSync(directory, { recursive: true })
        fs.writeFileSync(`${directory}/f${i}`, `${i}`)
      }
    }
    const mv = 'mv "$1"* "$2"'
    const plain = [
      ["mv", mv],
      ["mv, then sync", `${mv} && sync -f "$2"`],
      ["cp -a", 'cp -a "$1"* "$2"']
    ] as const
    const cases: ReadonlyArray<Case> = [
      { what: `${megabytes} MB, one disk`, prepare: large, plan: planTo(here), others: plain },
      { what: `${megabytes} MB, across disks`, prepare: large, plan: planTo(there), others: plain },
      { what: `${treeFiles} files, one disk`, prepare: many, plan: planTo(here), others: plain },
      { what: `${treeFiles} files, across disks`, prepare: many, plan: planTo(there), others: plain }
    ]
    const rows: Array<Row> = []
    for (const { others, plan, prepare, what } of cases) {
      const samples = new Map<string, Array<number>>()
      const target = plan.pieces[0]?.to.replace(/[^/]+$/, "") ?? ""
      const ways: ReadonlyArray<readonly [string, () => unknown]> = [
        ["leap", () => leapMove(plan, here)],
        ...others.map(
          ([name, command]) =>
            [
              name,
              () => {
                fs.mkdirSync(target, { recursive: true })
                sh(command, `${here}/projects/-a/${sessionId}`, target)
              }
            ] as const
        )
      ]
      // The first round fills caches.
      for (let round = -1; round < rounds; round++) {
        for (const [name, work] of ways) {
          for (const directory of [here, there]) {
            fs.rmSync(`${directory}/projects`, { recursive: true, force: true })
            fs.mkdirSync(`${directory}/projects`)
          }
          fs.mkdirSync(`${here}/projects/-a`)
          prepare()
          sh('sync -f "$1"; sync -f "$2"', here, there)
          const took = await timed(work)
          if (round >= 0) samples.set(name, [...(samples.get(name) ?? []), took])
        }
      }
      for (const [name] of others) {
        rows.push({
          what: `move, ${what}`,
          unit: "ms",
          leap: median(samples.get("leap") ?? []),
          base: { what: name, value: median(samples.get(name) ?? []) }
        })
      }
    }
    return rows
  } finally {
    clear()
    process.off("SIGINT", interrupted).off("SIGTERM", interrupted)
  }
}

if (process.argv[1] === import.meta.filename) {
  const [megabytes, first, second] = process.argv.slice(2)
  const rows = await benchRelocation(megabytes === undefined ? undefined : Number(megabytes), first, second)
  if (rows.length > 0) process.stdout.write(`${table(rows)}\n`)
}
