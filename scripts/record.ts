// Records a version of a CLI anew, in the box, against a model on loopback: a hosted session with hooks and one without,
// each with its truth, and what it prints without a terminal. For a version that is new, or for one whose recordings
// are to be made again. The tests over recordings take what it has written; what they then say is what the version
// does otherwise. Versions are installed into the cache of the real CLIs, never into the project.
//
//     npm run record -- claude@2.1.329 codex@0.169.0
//
// Writes   test/recordings/CLI-older/VERSION-drift[-nohooks].cast
//          test/fixtures/headless/CLI/versions/VERSION/*.ndjson
import { spawnSync } from "node:child_process"
import { copyFileSync, existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join, relative, resolve } from "node:path"
import { setsOf } from "../test/support/recordings/recordings.ts"
import { installVersion } from "./cli-versions.mjs"

const root = resolve(import.meta.dirname, "..")
const longest = 600_000

const put = (from: string, to: string): void => {
  mkdirSync(join(to, ".."), { recursive: true })
  copyFileSync(from, to)
  process.stdout.write(`${relative(root, to)}\n`)
}

/** A hosted session of the version, with its truth; as `npm run drift` has it, whose matrix is printed too. */
const hosted = (cli: string, version: string, folder: string): boolean => {
  const done = spawnSync(process.execPath, [join(root, "scripts/drift.ts"), `${cli}@${version}`], {
    cwd: root,
    env: { ...process.env, LEAP_DRIFT_KEEP: folder },
    stdio: ["ignore", "inherit", "inherit"]
  })
  for (const name of readdirSync(folder).filter((name) => name.endsWith(".cast")))
    put(
      join(folder, name),
      join(root, "test/recordings", `${cli}-older`, name.replace(`${cli}-${version}`, `${version}-drift`))
    )
  return done.status === 0
}

/** What the version prints without a terminal. */
const headless = (cli: string, version: string, programs: string, folder: string): boolean => {
  const task = `LEAP_DRIFT=${JSON.stringify({ cli, fixtures: folder })}`
  const config = ["run", "--config", "test/real/drift/vitest.config.ts", "--root", ".", "test/real/drift/headless.ts"]
  const done = spawnSync(join(root, "test/real/box"), ["env", task, "vitest", ...config], {
    cwd: root,
    env: { ...process.env, BOX_PATH: programs, LEAP_REAL_CLIS: "1", LEAP_COUNTS: "/dev/null" },
    encoding: "utf8",
    timeout: longest
  })
  if (done.status !== 0) {
    process.stderr.write(`${cli} ${version} without a terminal: ${done.stdout}${done.stderr}`)
    return false
  }
  const to = join(root, "test/fixtures/headless", cli, "versions", version)
  rmSync(to, { recursive: true, force: true })
  for (const name of readdirSync(folder)) put(join(folder, name), join(to, name))
  return true
}

const wanted = process.argv.slice(2).map((word) => /^([a-z]+)@([\w.-]+)$/.exec(word)?.slice(1, 3) ?? [word, ""])
const wrong = wanted.find(([cli = "", version]) => !(cli in setsOf) || version === "")
if (wrong !== undefined || wanted.length === 0) {
  const known = Object.keys(setsOf).join(", ")
  process.stderr.write(`npm run record -- CLI@VERSION …; ${wrong?.join("@") ?? "none"} will not do (${known})\n`)
  process.exit(2)
}
for (const [cli = "", version = ""] of wanted) {
  const programs = installVersion(cli, version)
  const folder = mkdtempSync(join(tmpdir(), "leap-record-"))
  try {
    if (programs === null || !existsSync(programs)) process.exitCode = 1
    else {
      const [sessions, prints] = [join(folder, "sessions"), join(folder, "prints")]
      for (const one of [sessions, prints]) mkdirSync(one)
      const both = [hosted(cli, version, sessions), headless(cli, version, programs, prints)]
      if (both.includes(false)) process.exitCode = 1
    }
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}
process.stdout.write("now: vitest run test/recordings.test.ts test/domain/cli/headless/cli, and npm run score\n")
