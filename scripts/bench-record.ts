// What recording costs a host, and what reading a large record takes: `node scripts/bench-record.ts [ROWS]` (a million).
import { Effect } from "effect"
import { execFileSync } from "node:child_process"
import * as fs from "node:fs"
import * as os from "node:os"
import * as path from "node:path"
import { monitorEventLoopDelay } from "node:perf_hooks"
import { DatabaseSync } from "node:sqlite"
import { keepRecord } from "../src/quick/recordUpkeep.ts"
import { lifeOf, storeIn, turnRows } from "../test/support/data/recordStore.ts"

const wanted = Number(process.argv[2] ?? 1_000_000)
const home = fs.mkdtempSync(path.join(os.tmpdir(), "leap-bench-record-"))
const ms = (value: number): string => `${value < 10 ? value.toFixed(2) : Math.round(value)} ms`
const day = 86_400_000

/** Turns of sessions through ninety days: ten rows for each turn. */
const fill = (file: string): number => {
  const database = new DatabaseSync(file)
  const now = Date.now()
  const lives = 2_000
  const turns = Math.ceil(wanted / lives / 10)
  const insert = (table: string, columns: number) =>
    database.prepare(`INSERT INTO ${table} VALUES (${Array.from({ length: columns }, () => "?").join()})`)
  const [life, interval, turn] = [insert("lives", 13), insert("intervals", 8), insert("turns", 6)]
  const [message, decision, usage] = [insert("messages", 12), insert("decisions", 10), insert("usage", 13)]
  const text = database.prepare("INSERT INTO texts (key, life, at, kind, text) VALUES (?, ?, ?, ?, ?)")
  const words = "the quick brown fox writes a test and reads what it said about rhubarb custard in the parser".split(
    " "
  )
  let rows = 0
  for (let l = 1; l <= lives; l++) {
    database.exec("BEGIN")
    const id = 1_000_000 + l
    const since = now - Math.floor((90 * day * (lives - l + 1)) / lives)
    const step = Math.floor((90 * day) / lives / turns)
    const end = since + turns * step
    life.run(
      id,
      `tag-${l % 40}`,
      l % 3 === 0 ? "codex" : "claude",
      "claude",
      "/work",
      1,
      "0.1.0",
      since,
      end,
      end,
      0,
      null,
      `s${l}`
    )
    for (let t = 0; t < turns; t++) {
      const at = since + t * step
      const part = Math.floor(step / 4)
      for (const [k, state] of ["running", "needs_permission", "running", "idle"].entries())
        interval.run(
          id,
          4 * t + k,
          state,
          at + k * part,
          k === 3 ? at + step : at + (k + 1) * part,
          "hook",
          null,
          "terminal"
        )
      turn.run(id, t, at, at + 3 * part, "completed", `m${l}-${t}`)
      message.run(`m${l}-${t}`, id, at - 5, at - 3, at - 2, at - 1, at + 3 * part, "done", "completed", null, 40, 0)
      decision.run(id, 2 * t, at + part, "allow", "rule", "hook", "allow Bash(npm *)", "", "Bash", "Bash: npm test")
      usage.run(
        id,
        2 * t + 1,
        at + 3 * part,
        `s${l}`,
        "model",
        1_000 * t,
        5_000 * t,
        100 * t,
        300 * t,
        t / 50,
        1,
        1,
        t % 100
      )
      const say = (n: number) =>
        Array.from({ length: n }, (_, i) => words[(i * 7 + t * 3 + l) % words.length]).join(" ")
      text.run(`message m${l}-${t}`, id, at, "message", say(12))
      text.run(`answer ${id} ${t}`, id, at + 3 * part, "answer", `${say(80)} number${t}`)
      rows += 10
    }
    database.exec("COMMIT")
  }
  database.close()
  return rows
}

const program = Effect.gen(function* () {
  const store = yield* storeIn(home)
  yield* Effect.scoped(
    Effect.gen(function* () {
      const opening = performance.now()
      const writer = yield* store.open(lifeOf("bench"))
      console.log(`open a new record (with its schema)       ${ms(performance.now() - opening)}`)
      const delay = monitorEventLoopDelay({ resolution: 1 })
      const times: Array<number> = []
      delay.enable()
      for (let i = 0; i < 3_000; i++) {
        const rows = turnRows(i)
        const begun = performance.now()
        yield* writer.write(rows, 1)
        times.push(performance.now() - begun)
        if (i % 10 === 0) yield* Effect.sleep(1)
      }
      delay.disable()
      times.sort((a, b) => a - b)
      const at = (share: number) => ms(times[Math.floor(times.length * share)] ?? 0)
      console.log(
        `write a turn (7 rows, 1 transaction)      p50 ${at(0.5)}, p99 ${at(0.99)}, most ${ms(times.at(-1) ?? 0)}`
      )
      console.log(
        `its log by then                           ${(fs.statSync(`${store.file}-wal`).size / 1e6).toFixed(1)} MB`
      )
    })
  )
  const again = performance.now()
  yield* Effect.scoped(store.open(lifeOf("again")))
  console.log(`open an existing record                   ${ms(performance.now() - again)}`)

  const filling = performance.now()
  const rows = fill(store.file)
  console.log(
    `\n${rows} rows in ${ms(performance.now() - filling)}, ${(fs.statSync(store.file).size / 1e6).toFixed(0)} MB`
  )
  const leap = (...args: ReadonlyArray<string>) => {
    const begun = performance.now()
    const text = execFileSync(process.execPath, [path.join(import.meta.dirname, "../dist/leap.js"), ...args], {
      encoding: "utf8",
      env: { ...process.env, LEAP_HOME: home },
      maxBuffer: 1 << 30
    })
    console.log(`leap ${args.join(" ").padEnd(36)} ${ms(performance.now() - begun)} (${text.split("\n").length} lines)`)
  }
  leap("report")
  leap("report", "--since", "90d")
  leap("report", "--since", "90d", "--by", "cli", "--json")
  leap("report", "--since", "90d", "--by", "day")
  leap("log")
  leap("log", "tag-7", "--since", "90d")
  leap("log", "--search", "rhubarb number7")
  leap("doctor")
  const keeping = performance.now()
  keepRecord(store.file, 60, 65_536, Date.now())
  console.log(`forget a third of it (100,000 rows at once) ${ms(performance.now() - keeping)}`)
})

await Effect.runPromise(program).finally(() => fs.rmSync(home, { recursive: true, force: true }))
