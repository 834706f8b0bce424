// Runs steps one after the other, each in processes of its own and within its limit of time; one that `isBeside` begins
// with the one before it. All of them run, also where one before failed; what a step printed is shown where it failed; a
// table and the lines that repeat what failed come last.
import { spawn } from "node:child_process"
import { closeSync, existsSync, mkdtempSync, openSync, readFileSync, rmSync, writeSync } from "node:fs"
import { loadavg, tmpdir } from "node:os"
import { join } from "node:path"

const seconds = (ms) => (ms / 1000).toFixed(1)
// A report that is larger than a pipe holds is written to its end before the process may exit.
const say = (text) => {
  let left = Buffer.from(text)
  while (left.length > 0) {
    try {
      left = left.subarray(writeSync(1, left))
    } catch (error) {
      if (error.code !== "EAGAIN") throw error
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 5)
    }
  }
}

const readLines = (file) =>
  existsSync(file)
    ? readFileSync(file, "utf8")
        .split("\n")
        .filter((line) => line !== "")
    : []

/** The process groups of the commands that run, ended with this process. */
const running = new Set()
const endGroup = (pid) => {
  try {
    process.kill(-pid, "SIGKILL")
  } catch {
    // it has ended
  }
}
const endAll = () => running.forEach(endGroup)
for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) {
  process.on(signal, () => {
    endAll()
    process.exit(130)
  })
}

/** Runs a command in a process group of its own, its output in a file; gives how it ended, and null for a time-out. */
const runCommand = ([command, ...args], { env, file, limit }) =>
  new Promise((resolve) => {
    const output = openSync(file, "a")
    const child = spawn(command, args, { env, detached: true, stdio: ["ignore", output, output] })
    let isLate = false
    const bound = setTimeout(() => {
      isLate = true
      if (child.pid !== undefined) endGroup(child.pid)
    }, limit * 1000)
    const end = (code) => {
      clearTimeout(bound)
      closeSync(output)
      if (child.pid !== undefined) {
        // what a command started and left behind must not disturb the next one
        endGroup(child.pid)
        running.delete(child.pid)
      }
      resolve(isLate ? null : code)
    }
    if (child.pid !== undefined) running.add(child.pid)
    child.on("error", (error) => {
      writeSync(output, `${error.message}\n`)
      end(1)
    })
    child.on("close", (code) => end(code ?? 1))
  })

const noCounts = { passed: 0, failed: 0, skipped: 0 }
const countsIn = (lines) => {
  const sum = { ...noCounts }
  for (const line of lines)
    for (const [, number, what] of line.matchAll(/(\d+) (passed|failed|skipped)/g)) sum[what] += Number(number)
  return sum
}

/** `N passed, N failed[, N skipped]`. */
export const countLine = ({ failed, passed, skipped }) =>
  `${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ""}`

/**
 * A step: `name`; `limit` in seconds; `run`, which is given a function that runs a command (its words, its variables)
 * and tells how that ended (`code`, `counts`, `failures`; `aside`: what it prints is not shown), and gives whether the
 * step held and the lines to be told at the end (`notes`); `again`: the line that repeats the step alone; `keep`: the
 * file that what it prints stays in.
 */
const runStep = async (step, place) => {
  const began = Date.now()
  const file = step.keep ?? join(place, step.name)
  const counts = { ...noCounts }
  let runs = 0
  const command = async (words, { aside = false, counted = true, env = {} } = {}) => {
    const own = join(place, `${step.name}-${++runs}`)
    const left = step.limit - (Date.now() - began) / 1000
    const code = await runCommand(words, {
      file: aside ? `${own}-output` : file,
      limit: Math.max(1, left),
      env: { ...process.env, LEAP_COUNTS: `${own}-counts`, LEAP_FAILURES: `${own}-failures`, ...env }
    })
    const its = countsIn(readLines(`${own}-counts`))
    if (counted) for (const what of Object.keys(counts)) counts[what] += its[what]
    const failures = readLines(`${own}-failures`).map((line) => JSON.parse(line))
    return { code, counts: its, failures }
  }
  say(`── ${step.name}\n`)
  const ended = await step.run({ command, counts }).catch((error) => ({ ok: false, notes: [error.stack] }))
  const ms = Date.now() - began
  const isLate = ms >= step.limit * 1000
  const ok = ended.ok && !isLate
  const notes = [...(ended.notes ?? []), ...(isLate ? [`it did not end within ${step.limit} s`] : [])]
  const output = existsSync(file) ? readFileSync(file, "utf8") : ""
  if (!ok || process.env.LEAP_VERBOSE === "1") say(output)
  if (!ok && counts.failed === 0) counts.failed = 1
  // What counts no tests is one check.
  if (ok && counts.passed + counts.skipped === 0) counts.passed = 1
  say(`── ${step.name}: ${ok ? "ok" : "RED"}, ${seconds(ms)} s, ${countLine(counts)}\n`)
  for (const note of notes) say(`   ${note}\n`)
  const repeats = readLines(file).filter((line) => line.startsWith("again: "))
  return {
    name: step.name,
    ok,
    seconds: ms / 1000,
    counts,
    notes,
    load: loadavg()[0],
    repeats,
    again: step.again,
    output
  }
}

/** Runs the steps, tells of them, and gives their results and the sum of their tests. */
export const runSteps = async (steps) => {
  const place = mkdtempSync(join(tmpdir(), "leap-steps-"))
  const began = Date.now()
  const results = []
  try {
    for (let begun = 0; begun < steps.length;) {
      const more = steps.slice(begun + 1).findIndex(({ isBeside }) => isBeside !== true)
      const group = more === -1 ? steps.slice(begun) : steps.slice(begun, begun + 1 + more)
      results.push(...(await Promise.all(group.map((step) => runStep(step, place)))))
      begun += group.length
    }
  } finally {
    endAll()
    rmSync(place, { recursive: true, force: true })
  }
  const sum = { ...noCounts }
  for (const { counts } of results) for (const what of Object.keys(sum)) sum[what] += counts[what]
  return { results, sum, seconds: (Date.now() - began) / 1000, ok: results.every(({ ok }) => ok) }
}

/** The first lines of an output that say what is wrong, for the end of a long report; the whole stands above. */
const complaints = (output) =>
  output
    .replaceAll(/\x1b\[[0-9;]*m/g, "")
    .split("\n")
    .filter((line) => /\berror\b|^\s*x [a-z(]|^✗| FAIL |Error: |^Unused /i.test(line) && !line.startsWith("again: "))
    .map((line) => line.trim().slice(0, 240))
    .slice(0, 8)

/** A table of the steps and, for what failed, the lines that repeat it alone. The last line is the sum of the tests. */
export const tell = ({ results, seconds: all, sum }, before = []) => {
  const rows = [...before, ...results]
  const width = Math.max(...rows.map(({ name }) => name.length))
  say("\n")
  for (const { counts, name, ok, seconds: took, skipped } of rows)
    say(
      `${name.padEnd(width)}  ${skipped !== undefined ? "––––" : ok ? "ok  " : "RED "} ${took.toFixed(1).padStart(8)} s  ${skipped ?? (counts === undefined ? "" : countLine(counts))}\n`
    )
  const whole = before.reduce((total, { seconds: took }) => total + took, all)
  say(`${"".padEnd(width)}       ${whole.toFixed(1).padStart(8)} s\n`)
  for (const { notes, ok } of results) if (ok) for (const note of notes) say(`${note}\n`)
  for (const { again, name, notes, ok, output, repeats } of results) {
    if (ok) continue
    say(`RED: ${name}; alone: ${again}\n`)
    for (const line of [...notes, ...complaints(output), ...repeats]) say(`  ${line}\n`)
  }
  say(`${countLine(sum)}\n`)
}
