// The thorough run: what depends on the machine, the clock, chance, others' programs, or takes long. Each job has processes
// of its own and its own verdict; one that fails stops none. It ends with a table, and leaves the same as JSON, and what
// each job printed, in `.thorough/<time>`. Nothing of it stands in the way of a landing; what is red is to be mended.
//
//     npm run thorough                       all jobs
//     npm run thorough laws faults           these
//     npm run thorough real claude           tests with real CLIs, of this CLI alone
//
// LEAP_SEED: the first seed (fresh otherwise; it is said at the start). LEAP_ROUNDS: how many seeds `laws` tries.
import { spawnSync } from "node:child_process"
import { appendFileSync, existsSync, globSync, mkdirSync, readFileSync, writeFileSync } from "node:fs"
import { availableParallelism } from "node:os"
import { join, relative } from "node:path"
import { runSteps, tell } from "./run/steps.mjs"

const root = join(import.meta.dirname, "..")
process.chdir(root)
process.env.NODE_COMPILE_CACHE ??= join(root, "node_modules/.cache/compiled")
const cores = availableParallelism()
const first = Number(process.env.LEAP_SEED ?? Date.now() % 1_000_000_000)
const rounds = Number(process.env.LEAP_ROUNDS ?? 5)
const clis = ["claude", "codex", "gemini", "copilot", "opencode", "cursor"]
const words = process.argv.slice(2)
const wantedClis = words.filter((word) => clis.includes(word))

/** The files of tests in which `pattern` stands. */
const filesWith = (pattern) => globSync("test/**/*.test.ts").filter((file) => pattern.test(readFileSync(file, "utf8")))

// ---- laws -------------------------------------------------------------------------------------------------------

const knownFile = join(root, "test/counterexamples.json")
const readKnown = () => JSON.parse(readFileSync(knownFile, "utf8"))

/** A law that failed on fresh data is written down; the gate tries it on that data from then on. */
const writeDown = (failures, seed) => {
  const known = readKnown()
  const notes = []
  for (const { file, message, test } of failures) {
    if (test === null) continue
    const of = known.filter((one) => one.file === file && one.test === test)
    if (of.some((one) => one.open !== undefined)) notes.push(`known: LEAP_SEED=${seed} ${file}: ${test}`)
    else if (message.includes("Replay: ")) {
      known.push({ file, test, seed, open: (/^Failure: (.*)/m.exec(message)?.[1] ?? "").slice(0, 200) })
      notes.push(`NEW counterexample, now in test/counterexamples.json: LEAP_SEED=${seed} ${file}: ${test}`)
    } else notes.push(`not a law, and red: LEAP_SEED=${seed} ${file}: ${test}`)
  }
  writeFileSync(knownFile, `${JSON.stringify(known, null, 2)}\n`)
  return notes
}

const laws = async ({ command }) => {
  const notes = []
  const lawFiles = filesWith(/\.prop\(|runsOf|checkEffect/).filter((file) => !/\.(live|thorough)\.test\.ts$/.test(file))
  for (let round = 0; round < rounds; round++) {
    // The whole pure suite first, then its laws alone, which is where another seed says more.
    const { code, failures } = await command(["vitest", "run", "--project", "pure", ...(round === 0 ? [] : lawFiles)], {
      env: { LEAP_SEED: String(first + round) }
    })
    notes.push(...writeDown(failures, first + round))
    if (code !== 0 && failures.length === 0)
      notes.push(`LEAP_SEED=${first + round}: it ended with ${code}, no test failed`)
  }
  return { ok: notes.length === 0, notes }
}

// ---- the other jobs ---------------------------------------------------------------------------------------------

const thorough = { LEAP_THOROUGH: "1", LEAP_SEED: String(first) }

const once =
  (words, env = {}) =>
  async ({ command }) => ({ ok: (await command(typeof words === "function" ? words() : words, { env })).code === 0 })

/** What no other job runs. */
const isOwn = (file) => !/\/soak\/|policy\/(?:shells|programs)/.test(file)

/** test/e2e/limitEnds.thorough.test.ts sets the clock of what it runs; without this it is skipped. */
const installFaketime = () => {
  if (spawnSync("faketime", ["--version"]).error === undefined || process.getuid?.() !== 0) return
  const quiet = { stdio: "ignore", env: { ...process.env, DEBIAN_FRONTEND: "noninteractive" } }
  spawnSync("apt-get", ["-qq", "update"], quiet)
  if (spawnSync("apt-get", ["-qq", "install", "-y", "faketime"], quiet).status !== 0)
    process.stdout.write("faketime could not be installed: what needs it is skipped\n")
}

const faults = once(() => {
  installFaketime()
  const projects = ["live", "thorough", "pure"].flatMap((project) => ["--project", project])
  const files = [...filesWith(/run\/thorough/), ...globSync("test/**/*.thorough.test.ts")].filter(isOwn)
  return ["vitest", "run", ...projects, "test/invariants", ...new Set(files)]
}, thorough)

/** Fresh lines, split over the cores: each has its own seed and its share of the lines. */
const shells = async ({ command }) => {
  const lines = String(Math.ceil(Number(process.env.LEAP_SHELL_LINES ?? 100_000) / cores))
  const files = [
    "test/domain/policy/shellsAllowed.thorough.test.ts",
    "test/domain/policy/shellsDenied.thorough.test.ts",
    "test/domain/policy/programs.thorough.test.ts"
  ]
  const ends = await Promise.all(
    Array.from({ length: cores }, (_, core) =>
      command(["vitest", "run", "--project", "thorough", "--maxWorkers", "1", ...files], {
        env: { ...thorough, LEAP_SEED: String(first + core), LEAP_SHELL_LINES: lines }
      })
    )
  )
  return { ok: ends.every(({ code }) => code === 0) }
}

/** Real CLIs, in a network of their own that has loopback and nothing else. */
const boxed = (...args) => [
  "sh",
  "-c",
  'BOX_PATH=$(node scripts/real-clis.mjs) && export BOX_PATH && exec test/real/box "$@"',
  "sh",
  "vitest",
  "run",
  ...args
]

/** What a figure was in the last runs, and is now: a row in a file, and a word where it is far from their median. */
const figures = async ({ command }) => {
  const out = join(place, "figures.json")
  const ran = await command(["sh", "-c", `node scripts/bench.ts --json > '${out}'`])
  if (ran.code !== 0) return { ok: false }
  const rows = JSON.parse(readFileSync(out, "utf8"))
  const file = join(root, ".thorough/figures.ndjson")
  const earlier = existsSync(file)
    ? readFileSync(file, "utf8")
        .split("\n")
        .filter((line) => line !== "")
        .map((line) => JSON.parse(line).rows)
        .slice(-10)
    : []
  /** How much worse than what stands beside it; of what is better when it is more, the other way round. */
  const ratioOf = ({ base, leap, unit }) =>
    base === null || base.value === 0 || leap === 0 ? null : /\/s$/.test(unit) ? base.value / leap : leap / base.value
  const notes = []
  for (const row of rows) {
    const ratio = ratioOf(row)
    const before = earlier
      .flatMap((its) => its.filter(({ what }) => what === row.what).map(ratioOf))
      .filter((its) => its !== null)
      .toSorted((a, b) => a - b)
    const median = before[Math.floor(before.length / 2)]
    if (ratio !== null && before.length >= 3 && ratio > 1.25 * median)
      notes.push(`${row.what}: ${ratio.toFixed(2)}, the median of ${before.length} was ${median.toFixed(2)}`)
  }
  appendFileSync(file, `${JSON.stringify({ at: new Date().toISOString(), rows })}\n`)
  return { ok: notes.length === 0, notes }
}

const jobs = [
  { name: "laws", limit: 3_600, run: laws },
  { name: "faults", limit: 7_200, run: faults },
  { name: "shells", limit: 7_200, run: shells },
  { name: "soak", limit: 2_400, run: once(["vitest", "run", "--project", "thorough", "test/soak"], thorough) },
  {
    name: "weather",
    limit: 3 * 3_600 + 600,
    run: once(boxed("test/weather"), { ...thorough, LEAP_REAL_CLIS: "1" })
  },
  {
    name: "real",
    limit: 7_200,
    run: once(boxed("test/real", ...(wantedClis.length > 0 ? ["-t", wantedClis.join("|")] : [])), {
      ...thorough,
      LEAP_REAL_CLIS: "1"
    })
  },
  { name: "browser", limit: 1_200, run: once(["node", "scripts/browser.mjs"]) },
  { name: "drift", limit: 7_200, run: once(["node", "scripts/drift.ts", ...wantedClis]) },
  { name: "figures", limit: 3_600, run: figures },
  { name: "package", limit: 900, run: once(["node", "scripts/test-package.mjs"]) },
  { name: "bare", limit: 1_800, run: once(["node", "scripts/bare-root.mjs"]) }
]

const names = jobs.map(({ name }) => name)
const unknown = words.filter((word) => !names.includes(word) && !clis.includes(word))
if (unknown.length > 0) {
  process.stderr.write(
    `there is no job ${unknown.join(", ")}; there are ${names.join(", ")}, and the CLIs ${clis.join(", ")}\n`
  )
  process.exit(2)
}
const wanted = words.filter((word) => names.includes(word))
const isChosen = (name) => wanted.length === 0 || wanted.includes(name)
const chosen = jobs.filter(({ name }) => isChosen(name))
const place = join(root, ".thorough", new Date().toISOString().replaceAll(/[:.]/g, "-"))
mkdirSync(place, { recursive: true })
process.stdout.write(`seed: ${first} (the same again: LEAP_SEED=${first}); what jobs print: ${relative(root, place)}\n`)

const run = await runSteps(
  chosen.map((job) => ({
    ...job,
    again: `LEAP_SEED=${first} npm run thorough ${[job.name, ...wantedClis].join(" ")}`,
    keep: join(place, `${job.name}.log`)
  }))
)
const left = jobs
  .filter(({ name }) => !isChosen(name))
  .map(({ name }) => ({ name, ok: true, seconds: 0, skipped: "skipped: not asked for" }))
const table = [...left, ...run.results].map(({ name, ok, seconds, skipped, counts, notes, again, load }) => ({
  name,
  ok,
  seconds,
  ...(skipped === undefined ? { counts, notes, load, again } : { skipped })
}))
writeFileSync(join(place, "table.json"), `${JSON.stringify({ seed: first, jobs: table }, null, 2)}\n`)
tell(run, left)
process.exitCode = run.ok ? 0 : 1
