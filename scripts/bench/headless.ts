import * as NodeServices from "@effect/platform-node/NodeServices"
import { Effect, Layer, Stream } from "effect"
import { spawn } from "node:child_process"
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { performance } from "node:perf_hooks"
import { splitLines, noLines } from "../../src/domain/words/text/ByteLines.ts"
import * as SystemNode from "../../src/layers/system/SystemNode.ts"
import * as ProcessTableNode from "../../src/layers/system/ProcessTableNode.ts"
import * as AgentProvidersConfigured from "../../src/layers/headless/AgentProvidersConfigured.ts"
import { AgentProviders, type AgentProviderShape } from "../../src/services/AgentProvider.ts"
import { System } from "../../src/services/System.ts"
import { Prices } from "../../src/services/Prices.ts"
import { median, type Row } from "./table.ts"
import { bundle, timeOf } from "./world.ts"

const fixtures = join(import.meta.dirname, "../../test/fixtures/headless/claude")
const rounds = 15
const streamRounds = 3
const megabyte = 1 << 20

/**
 * The generator's output: what it prints first, what it repeats, and what it prints last. A recorded run whose tool
 * output was made longer.
 */
const recorded = () => {
  const lines = readFileSync(join(fixtures, "tool-use.ndjson"), "utf8").trimEnd().split("\n")
  const begins = lines.findIndex((line) => line.includes('"subtype":"init"')) + 1
  const ends = lines.length - 1
  const pieces = readFileSync(join(fixtures, "partial-messages.ndjson"), "utf8").trimEnd().split("\n").slice(begins, -1)
  const middle = lines
    .slice(begins, ends)
    .map((line) => line.replace("README.md\\napp.js", "README.md\\\\napp.js ".repeat(1_000)))
  const text = (parts: ReadonlyArray<string>) => parts.map((line) => `${line}\n`).join("")
  return { first: text(lines.slice(0, begins)), again: text([...pieces, ...middle]), last: text(lines.slice(ends)) }
}

/** A CLI that prints this many megabytes of a recorded run. */
const generator = (dir: string) => `#!${process.execPath}
const { readFileSync, writeSync } = require("node:fs")
const read = (name) => readFileSync(${JSON.stringify(dir)} + "/" + name)
const again = Buffer.concat(Array.from({ length: 20 }, () => read("again")))
const write = (bytes) => { for (let at = 0; at < bytes.length;) { try { at += writeSync(1, bytes, at) } catch (error) { if (error.code !== "EAGAIN") throw error } } }
write(read("first"))
for (let left = Number(process.env.BENCH_MEGABYTES) * ${megabyte}; left > 0; left -= again.length) write(again)
write(read("last"))
`

interface Place {
  readonly env: Readonly<Record<string, string>>
  /** The same with a CLI that prints this many megabytes. */
  readonly streaming: (megabytes: number) => Readonly<Record<string, string>>
  readonly cli: string
  readonly generator: string
  readonly close: () => void
}

const makePlace = (): Place => {
  const dir = mkdtempSync(join(tmpdir(), "leap-bench-headless-"))
  const program = (folder: string, text: string) => {
    mkdirSync(join(dir, folder))
    writeFileSync(join(dir, folder, "claude"), text)
    chmodSync(join(dir, folder, "claude"), 0o755)
    return join(dir, folder, "claude")
  }
  for (const [name, text] of Object.entries(recorded())) writeFileSync(join(dir, name), text)
  const cli = program("bin", `#!/bin/sh\ncat > /dev/null\nexec cat '${join(fixtures, "tool-use.ndjson")}'\n`)
  const printing = program("stream", generator(dir))
  const env = (bin: string) => ({
    HOME: dir,
    LEAP_HOME: join(dir, "leap"),
    PATH: `${join(dir, bin)}:${process.env["PATH"] ?? ""}`,
    LANG: "C.UTF-8"
  })
  return {
    env: env("bin"),
    streaming: (megabytes) => ({ ...env("stream"), BENCH_MEGABYTES: String(megabytes) }),
    cli,
    generator: printing,
    close: () => rmSync(dir, { recursive: true, force: true })
  }
}

const agentIn = (env: Readonly<Record<string, string>>): Promise<AgentProviderShape> => {
  const system = Layer.effect(
    System,
    Effect.map(System, (it) => System.of({ ...it, env, cwd: tmpdir() }))
  ).pipe(Layer.provide(SystemNode.layerWith({ version: "0", self: [] })))
  const prices = Layer.succeed(Prices, {
    read: Effect.succeed({ table: new Map(), shipped: null, file: null, warning: null })
  })
  return Effect.runPromise(
    AgentProviders.use((it) => it.get("claude")).pipe(
      Effect.provide(
        AgentProvidersConfigured.layerOf().pipe(
          Layer.provide([system, prices, NodeServices.layer, ProcessTableNode.layer])
        )
      )
    )
  )
}

const timed = async (run: () => Promise<unknown>): Promise<number> => {
  const from = performance.now()
  await run()
  return performance.now() - from
}

/** The least that a program without leap would do: start the CLI, read all output, and parse each line. */
const bare = (command: string, env: Readonly<Record<string, string>>): Promise<void> =>
  new Promise((resolve, reject) => {
    const child = spawn(command, [], { env, stdio: ["pipe", "pipe", "ignore"], detached: true })
    let lines = noLines
    child.stdout.on("data", (piece: Buffer) => {
      const [rest, whole] = splitLines(lines, piece)
      lines = rest
      for (const line of whole) if (line._tag === "Line") JSON.parse(line.text)
    })
    child.on("error", reject)
    child.on("close", (code) => (code === 0 ? resolve() : reject(new Error(`it ended with ${code}`))))
    child.stdin.end("hello")
  })

/** Measures two functions alternately; medians in milliseconds. */
const inTurns = async (count: number, leap: () => Promise<number>, base: () => Promise<number>) => {
  const times = { leap: [] as Array<number>, base: [] as Array<number> }
  for (let round = -1; round < count; round++) {
    const one = { leap: await leap(), base: await base() }
    // the first round fills caches
    if (round < 0) continue
    times.leap.push(one.leap)
    times.base.push(one.base)
  }
  return { leap: median(times.leap), base: median(times.base) }
}

/** The peak memory of a `leap exec` while its CLI prints this many megabytes, in megabytes; the run must succeed. */
const peakOf = (place: Place, megabytes: number): Promise<number> =>
  new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [bundle, "exec", "--provider", "claude", "hello"], {
      env: place.streaming(megabytes),
      stdio: ["ignore", "ignore", "inherit"]
    })
    let peak = 0
    const sampler = setInterval(() => {
      try {
        peak = Math.max(
          peak,
          Number(/VmHWM:\s+(\d+) kB/.exec(readFileSync(`/proc/${child.pid}/status`, "utf8"))?.[1] ?? 0) / 1024
        )
      } catch {
        // it has just ended
      }
    }, 20)
    child.on("error", reject)
    child.on("close", (code) => {
      clearInterval(sampler)
      if (code === 0 && peak > 0) resolve(peak)
      else reject(new Error(`leap exec ended with ${code} after ${megabytes} MB`))
    })
  })

/** Measures what running a CLI through leap without a terminal costs. */
export const benchHeadless = async (): Promise<ReadonlyArray<Row>> => {
  const place = makePlace()
  try {
    const command = await inTurns(
      rounds,
      () => timeOf(place.env, process.execPath, [bundle, "exec", "--provider", "claude", "hello"]),
      () => timeOf(place.env, place.cli, ["-p", "hello"])
    )
    const agent = await agentIn(place.env)
    const within = await inTurns(
      rounds,
      () => timed(() => Effect.runPromise(Stream.runDrain(agent.execute("hello", {})))),
      () => timed(() => bare(place.cli, place.env))
    )
    const size = 100
    const streaming = place.streaming(size)
    const reader = await agentIn(streaming)
    const stream = await inTurns(
      streamRounds,
      () => timed(() => Effect.runPromise(Stream.runDrain(reader.execute("hello", {})))),
      () => timed(() => bare(place.generator, streaming))
    )
    const small = await peakOf(place, 1)
    const large = await peakOf(place, 1_024)
    const rate = (ms: number) => (size / ms) * 1_000
    return [
      {
        what: "leap exec, start to end, of a CLI that answers at once",
        unit: "ms",
        leap: command.leap,
        base: { what: "the CLI itself", value: command.base }
      },
      {
        what: "the same turn from a program: AgentProvider.execute",
        unit: "ms",
        leap: within.leap,
        base: { what: "spawn, read, JSON.parse", value: within.base }
      },
      {
        what: "a long stream of events, read as it comes",
        unit: "MB/s",
        leap: rate(stream.leap),
        base: { what: "spawn, read, JSON.parse", value: rate(stream.base) }
      },
      {
        what: "most memory of leap exec, of 1 GB of events",
        unit: "MB",
        leap: large,
        base: { what: "of 1 MB of events", value: small }
      }
    ]
  } finally {
    place.close()
  }
}
