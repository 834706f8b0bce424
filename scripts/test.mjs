// `npm test`: types, lint and format beside the tests. Those that start processes mostly wait, so those that compute run
// beside them, in a run of their own with a worker a core: each more worker compiles the same code once more, and costs a
// quarter of it all. What the others say comes whole, when they end.
import { spawn } from "node:child_process"
import { appendFileSync, existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"

// the workers load the same modules over and over: compiled once, also for the next run
process.env.NODE_COMPILE_CACHE ??= join(import.meta.dirname, "../node_modules/.cache/compiled")

const own = mkdtempSync(join(tmpdir(), "leap-test-"))
const counts = join(own, "counts")
const rows = join(own, "rows")
const gather = process.env.LEAP_COUNTS
Object.assign(process.env, { LEAP_COUNTS: counts, LEAP_ROWS: rows })

const npm = process.env.npm_execpath ?? "npm"
const [program, ...prefix] = npm.endsWith(".js") ? [process.execPath, npm] : [npm]

/** The exit code and, where it is kept, the output of a program. */
const run = (command, args, kept) =>
  new Promise((resolve) => {
    const child = spawn(command, args, { stdio: kept ? ["ignore", "pipe", "pipe"] : "inherit" })
    let output = ""
    child.stdout?.on("data", (data) => (output += data))
    child.stderr?.on("data", (data) => (output += data))
    child.on("error", (error) => resolve({ code: 1, output: `${error.message}\n` }))
    child.on("close", (code) => resolve({ code: code ?? 1, output }))
  })

/** The lines that a run's reporters have left. */
const linesOf = (file) =>
  existsSync(file)
    ? readFileSync(file, "utf8")
        .split("\n")
        .filter((line) => line !== "")
    : []

const named = process.argv.slice(2)
const tests = (project) => ["run", "--project", project, "--passWithNoTests", ...named]

// what lint finds by types takes longer than all else it finds: `npm run check`, and CI, have that too
const checked = run(program, [...prefix, "run", "check:quick"], true)
const computed = run("vitest", tests("pure"), true)
const waited = run("vitest", tests("live"), false)
const [check, pure, live] = [await checked, await computed, await waited]
process.stdout.write(pure.output)
process.stdout.write(check.code === 0 ? "types, lint and format: nothing to say\n" : check.output)
if (check.code !== 0) process.stderr.write("npm test: types, lint or format failed, as told above\n")

// rows of the predecessor's scenarios, where both runs were of all tests
const shown = linesOf(rows).map((line) => JSON.parse(line))
let missing = []
if (shown.length === 2) {
  const { rowsInTitles } = await import("../test/predecessors/support/providerRows.ts")
  const all = new Set(shown.flat())
  missing = rowsInTitles.filter((row) => !all.has(row))
  if (missing.length > 0)
    process.stderr.write(
      `no test that passed names these rows of the predecessor's provider scenarios: ${missing.join(", ")}\n`
    )
}

// the run's last line is the tests' count
const total = { passed: 0, failed: 0, skipped: 0 }
for (const line of linesOf(counts))
  for (const [, number, what] of line.matchAll(/(\d+) (passed|failed|skipped)/g)) total[what] += Number(number)
const line = `${total.passed} passed, ${total.failed} failed${total.skipped > 0 ? `, ${total.skipped} skipped` : ""}\n`
if (gather === undefined) process.stdout.write(line)
else appendFileSync(gather, line)
rmSync(own, { recursive: true, force: true })
process.exitCode = live.code || pure.code || check.code || (missing.length > 0 ? 1 : 0)
