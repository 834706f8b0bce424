// The gate (`.ci/run`): what a commit must hold to land, and nothing that depends on more than the commit. Every step
// runs; what failed is told at the end, with the line that repeats it alone. What depends on machine, clock, network,
// chance or others' programs is in the thorough run (scripts/thorough.mjs).
//
//     npm run gate                    all steps
//     npm run gate -- lint live       these
//     npm test                        all that needs no browser and no package
//     npm test -- test/domain/engine/queue   the tests in files with this in their names
//
// LEAP_SEED: what properties draw from (pinned otherwise). LEAP_VERBOSE=1: what steps print, also where they hold.
import { existsSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { runSteps, tell } from "./run/steps.mjs"
import { patternOf } from "../test/support/run/testName.ts"

const root = join(import.meta.dirname, "..")
process.chdir(root)
// The workers load the same modules over and over: compiled once, also for the next run.
process.env.NODE_COMPILE_CACHE ??= join(root, "node_modules/.cache/compiled")
const seed = process.env.LEAP_SEED ?? "leap"

const args = process.argv.slice(2)
const isTest = args[0] === "--test"
const words = args.filter((arg) => arg !== "--test")

/** Commands that all must end with 0; those behind one that failed run too. */
const commandsWith =
  (env, ...all) =>
  async ({ command }) => {
    let ok = true
    for (const words of all) if ((await command(words, { env })).code !== 0) ok = false
    return { ok }
  }
const commands = (...all) => commandsWith({}, ...all)

/** A program in Go frees no memory before it has so much: the linter spent a quarter of its time on that. */
const spends = { GOGC: "off", GOMEMLIMIT: "4GiB" }

/** Commands that take a core each, side by side; all must end with 0. */
const together =
  (...all) =>
  async ({ command }) => ({
    ok: (await Promise.all(all.map((words) => command(words)))).every(({ code }) => code === 0)
  })

const vitest = (project, named) => ["vitest", "run", "--project", project, "--passWithNoTests", ...named]

/** Each counterexample that is open on its own data, where it must fail still; those that were mended are in each run. */
const openCounterexamples = async (command) => {
  const known = JSON.parse(readFileSync(join(root, "test/counterexamples.json"), "utf8"))
  const notes = known.filter(({ file }) => !existsSync(file)).map(({ file }) => `a counterexample of no file: ${file}`)
  const open = known.filter((one) => one.open !== undefined)
  const onTheirData = async ([its, all]) => {
    const files = new Set(all.map(({ file }) => file))
    const pattern = all.map(({ test }) => patternOf(test)).join("|")
    const words = ["vitest", "run", "--project", "pure", "--maxWorkers", "1", ...files, "-t", pattern]
    const { code, failures } = await command(words, { aside: true, counted: false, env: { LEAP_SEED: String(its) } })
    if (code !== 0 && failures.length === 0) notes.push(`nothing is told of the tests of LEAP_SEED=${its}`)
    const fails = ({ file, test }) =>
      failures.some((one) => one.file === file && (one.test === null || one.test === test))
    for (const one of all)
      if (!fails(one))
        notes.push(`holds now: take "open" out of test/counterexamples.json: LEAP_SEED=${its} ${one.file}: ${one.test}`)
  }
  await Promise.all([...Map.groupBy(open, ({ seed: its }) => its)].map(onTheirData))
  return { ok: notes.length === 0, notes }
}

const pure =
  (named) =>
  async ({ command }) => {
    const all = await command(vitest("pure", named))
    if (named.length > 0) return { ok: all.code === 0 }
    const known = await openCounterexamples(command)
    return { ok: all.code === 0 && known.ok, notes: known.notes }
  }

/** Tests that start processes: what failed runs once more, alone; what passes then does not stop the gate, and is told. */
const twice = (run, again) => async (step) => {
  const first = await run(step)
  if (first.code === 0) return { ok: true }
  const { counts, failures } = first
  // What failed outside of a test, a promise that nobody took say, cannot be run again.
  if (first.code === null || failures.length === 0 || counts.failed > failures.length) return { ok: false }
  const second = await again(step, failures)
  if (second.code !== 0 || second.counts.passed === 0) return { ok: false }
  step.counts.passed += step.counts.failed
  step.counts.failed = 0
  const told = ({ file, load, message, test }) =>
    `flaky: ${file}: ${test} (passed when it ran again alone; load ${load.toFixed(1)} when it failed: ${message.split("\n")[0].slice(0, 200)})`
  return { ok: true, notes: failures.map(told) }
}

/** The line's arguments that run what failed, and that alone. */
const failed = (failures) => [
  ...new Set(failures.map(({ file }) => file)),
  ...(failures.some(({ test }) => test === null) ? [] : ["-t", failures.map(({ test }) => patternOf(test)).join("|")])
]

const alone = ["vitest", "run", "--project", "live", "--maxWorkers", "1", "--no-file-parallelism"]
const live = (named) =>
  twice(
    ({ command }) => command(vitest("live", named)),
    ({ command }, failures) => command([...alone, ...failed(failures)], { counted: false })
  )

const browser = ["node", "scripts/browser.mjs"]
const page = twice(
  ({ command }) => command(browser),
  ({ command }, failures) => command([...browser, ...failed(failures)], { counted: false })
)

const sources = ["src", "test", "scripts", "examples"]
const steps = [
  {
    name: "types",
    limit: 180,
    // Several checkers each work out the types that they share: on two cores one is twice as fast as the four of tsc's own.
    run: commands(["tsc", "--noEmit", "--checkers", "1"], ["tsc", "--noEmit", "-p", "src/page"])
  },
  // each of these takes one core
  { name: "unused", limit: 180, run: commands(["knip"]), isBeside: true },
  { name: "format", limit: 120, run: commands(["oxfmt", "--check", ...sources]), isBeside: true },
  { name: "copies", limit: 180, run: commands(["node", "scripts/duplicates.mjs"]), isBeside: true },
  // and this one mostly waits for npm
  {
    name: "package",
    limit: 300,
    run: commands(["node", "scripts/test-package.mjs", "--smoke"]),
    isBeside: true,
    isMore: true
  },
  { name: "lint", limit: 180, run: commandsWith(spends, ["oxlint", "--type-aware"]) },
  { name: "pure", limit: 480, run: pure([]) },
  { name: "live", limit: 900, run: live([]) },
  {
    name: "score",
    limit: 240,
    run: together(...["--hooks", "--no-hooks"].map((way) => ["node", "scripts/score.ts", way]))
  },
  { name: "page", limit: 420, run: page, isMore: true }
]

const names = steps.map(({ name }) => name)
const isFilter = isTest && words.length > 0 && !words.every((word) => names.includes(word))
const unknown = words.filter((word) => !names.includes(word))
if (!isFilter && unknown.length > 0) {
  process.stderr.write(`there is no step ${unknown.join(", ")}; there are ${names.join(", ")}\n`)
  process.exit(2)
}
const chosen = isFilter
  ? [
      { name: "pure", limit: 480, run: pure(words) },
      { name: "live", limit: 900, run: live(words) }
    ]
  : steps.filter(({ isMore, name }) => (words.length > 0 ? words.includes(name) : !isTest || isMore !== true))

process.stdout.write(`seed: ${seed}${process.env.LEAP_SEED === undefined ? " (another one: LEAP_SEED)" : ""}\n`)
const built = Number(process.env.LEAP_BUILD_SECONDS)
const before = Number.isFinite(built) && built > 0 ? [{ name: "build", ok: true, seconds: built }] : []
const run = await runSteps(chosen.map((step) => ({ ...step, again: `npm run gate -- ${step.name}` })))
tell(run, before)
process.exitCode = run.ok ? 0 : 1
