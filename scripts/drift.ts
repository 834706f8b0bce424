// Runs versions of the real CLIs under leap, in the box: four queued messages while a turn streams, a dialog, a turn that
// is interrupted, with hooks and without; records that, with the truth by the model's endpoint, and scores it; tries a
// deny rule of the user's own. Prints a matrix. Versions are installed into the cache of the real CLIs, never into the
// project.
//
//     npm run drift                            the versions below
//     npm run drift -- claude codex@0.155.0    all of claude's, and this one of codex's
//     npm run drift -- --told gemini           only with hooks, which takes half the time
//     npm run drift -- --older --for 240       one older version of each, with hooks, as far as it gets in 240 seconds
//
// LEAP_DRIFT_KEEP: a folder for the labelled recordings. LEAP_DRIFT_VERBOSE: what a failed run says goes to standard
// error.
import { Effect, Layer } from "effect"
import { spawnSync } from "node:child_process"
import { copyFileSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join, resolve } from "node:path"
import * as ProvidersBuiltin from "../src/layers/providers/ProvidersBuiltin.ts"
import * as ScreenXterm from "../src/layers/terminal/ScreenXterm.ts"
import { score, total } from "../test/support/recordings/score.ts"
import { installVersion } from "./cli-versions.mjs"
import { type Cells, type DriftResult, heading, type Judged, problems, row } from "./driftMatrix.ts"

/** An old one, ones between, and the one that leap's other tests run. */
const versions: Readonly<Record<string, ReadonlyArray<string>>> = {
  claude: ["2.0.77", "2.1.80", "2.1.200", "2.1.329"],
  codex: ["0.130.0", "0.155.0", "0.169.0"],
  copilot: ["1.0.30", "1.0.60", "1.0.102"],
  gemini: ["0.38.0", "0.51.0", "0.61.0"],
  opencode: ["1.14.41", "1.15.0", "1.18.33"]
}
/** The one of each that is tried where there is little time. */
const older: Readonly<Record<string, string>> = {
  codex: "0.130.0",
  claude: "2.0.77",
  gemini: "0.51.0",
  opencode: "1.15.0",
  copilot: "1.0.60"
}

const root = resolve(import.meta.dirname, "..")
const began = Date.now()
/** A run that takes longer has failed. */
const longest = 600_000
const live = Layer.mergeAll(ProvidersBuiltin.layer, ScreenXterm.layer)

/** A recording held against its labels, in both ways. */
const judge = async (recording: string): Promise<Judged | null> => {
  if (!existsSync(recording)) return null
  const text = readFileSync(recording, "utf8")
  const of = (noHooks: boolean) =>
    Effect.runPromise(Effect.provide(score(text, noHooks), live)).then((one) => total([one]))
  return { told: await of(false), untold: await of(true) }
}

/** What became of one run. */
const run = async (cli: string, version: string, programs: string, hooks: boolean, rules: boolean, limit: number) => {
  const folder = mkdtempSync(join(tmpdir(), "leap-drift-"))
  try {
    const result = join(folder, "result.json")
    const recording = join(folder, "drift.cast")
    const task = `LEAP_DRIFT=${JSON.stringify({ cli, hooks, rules, result, recording })}`
    const config = ["run", "--config", "test/real/drift/vitest.config.ts", "--root", ".", "test/real/drift/version.ts"]
    const done = spawnSync(join(root, "test/real/box"), ["env", task, "vitest", ...config], {
      cwd: root,
      env: { ...process.env, BOX_PATH: programs, LEAP_REAL_CLIS: "1", LEAP_COUNTS: "/dev/null" },
      encoding: "utf8",
      timeout: Math.min(longest, limit)
    })
    if (!existsSync(result) && done.error !== undefined && limit < longest)
      return { skipped: "no time was left", judged: null }
    const judged = await judge(recording)
    const keep = process.env["LEAP_DRIFT_KEEP"]
    if (keep !== undefined && judged !== null) {
      mkdirSync(keep, { recursive: true })
      copyFileSync(recording, join(keep, `${cli}-${version}${hooks ? "" : "-nohooks"}.cast`))
    }
    const told: DriftResult = existsSync(result)
      ? (JSON.parse(readFileSync(result, "utf8")) as DriftResult)
      : { why: `the run itself failed: ${`${done.stdout}${done.stderr}`.trim().split("\n").at(-1) ?? ""}` }
    if ((told.why ?? told.rules?.why) != null && process.env["LEAP_DRIFT_VERBOSE"] !== undefined)
      process.stderr.write(done.stderr)
    return { ...told, judged }
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

const argv = process.argv.slice(2)
const quick = argv.includes("--older")
const toldOnly = quick || argv.includes("--told")
const limit = argv.includes("--for") ? Number(argv[argv.indexOf("--for") + 1]) * 1000 : Infinity
const words = argv.filter((word, at) => !word.startsWith("--") && argv[at - 1] !== "--for")
const all = quick
  ? Object.entries(older)
  : Object.entries(versions).flatMap(([cli, list]) => list.map((version) => [cli, version] as const))
const wanted = words.flatMap((word) => {
  const [cli = "", version] = word.split("@")
  return (version === undefined ? (versions[cli] ?? []) : [version]).map((it) => [cli, it] as const)
})
const left = (): number => limit - (Date.now() - began)
/** Less time than this is not enough for a run. */
const least = 45_000

const notes: Array<string> = []
process.stdout.write(heading)
for (const [cli, version] of words.length > 0 ? wanted : all) {
  if (left() < least) {
    process.stdout.write(`| ${cli} | ${version} | no time was left | | | | |\n`)
    continue
  }
  const programs = installVersion(cli, version)
  if (programs === null) {
    process.stdout.write(`| ${cli} | ${version} | not on the registry | | | | |\n`)
    continue
  }
  const hooked = await run(cli, version, programs, true, !quick, left())
  // On a machine with other work a run may fail once for want of time: that is said, and it is run again.
  const again = quick && problems(hooked).length > 0 && left() > least
  const told = again ? await run(cli, version, programs, true, false, left()) : hooked
  // what was seen once, with no time left to see it again, is said and fails nothing
  const unconfirmed = quick && !again && problems(hooked).length > 0
  if (again || unconfirmed) process.stderr.write(`${cli} ${version} at its first try: ${problems(hooked).join("; ")}\n`)
  const cells: Cells = { told, untold: toldOnly ? null : await run(cli, version, programs, false, false, left()) }
  for (const [how, one] of Object.entries({ with: cells.told, without: cells.untold })) {
    if (one !== null && !unconfirmed)
      notes.push(...problems(one).map((why) => `${cli} ${version} ${how} hooks: ${why}`))
  }
  process.stdout.write(row(cli, version, cells))
}
for (const note of notes) process.stdout.write(`\n${note.slice(0, 400)}\n`)
process.exitCode = notes.length === 0 ? 0 : 1
