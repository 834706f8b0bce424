// Installs the real CLIs that leap is tested with, pinned by test/real/clis/package-lock.json, into a cache of their
// own ($LEAP_CLI_CACHE, or ~/.cache/leap/clis), and prints the folder of their programs. Does nothing when they are
// installed. The older versions that are tested too are installed beside them (scripts/cli-versions.mjs).
import { spawnSync } from "node:child_process"
import { createHash } from "node:crypto"
import { copyFileSync, existsSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync } from "node:fs"
import { join, resolve } from "node:path"
import { cache, installVersion, older, others } from "./cli-versions.mjs"

const wanted = resolve(import.meta.dirname, "../test/real/clis")
const files = ["package.json", "package-lock.json", ".npmrc"]
const hash = createHash("sha256")
  .update(readFileSync(join(wanted, "package-lock.json")))
  .digest("hex")
  .slice(0, 12)
const folder = join(cache, `${process.platform}-${process.arch}-${hash}`)

if (!existsSync(folder)) {
  mkdirSync(cache, { recursive: true })
  const staging = mkdtempSync(join(cache, ".installing-"))
  try {
    for (const file of files) copyFileSync(join(wanted, file), join(staging, file))
    process.stderr.write(`installing the real CLIs into ${folder}\n`)
    // Their install scripts must run: they put the native program in place. Not `npm ci`: it refuses a lock without
    // every platform's optional package, and not every registry has all of them.
    const done = spawnSync("npm", ["install", "--no-save", "--no-ignore-scripts", "--loglevel=error"], {
      cwd: staging,
      // standard output is the folder's name alone; npm writes there how many packages it added
      stdio: ["ignore", 2, "inherit"]
    })
    if (done.status !== 0)
      throw new Error(
        `could not install the real CLIs: npm install ended with ${done.status ?? done.signal ?? done.error}`
      )
    try {
      renameSync(staging, folder)
    } catch (error) {
      // Another run was faster; its installation serves as well.
      if (!existsSync(folder)) throw error
    }
  } catch (error) {
    process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`)
    process.exitCode = 1
  } finally {
    rmSync(staging, { recursive: true, force: true })
  }
}
if (process.exitCode === undefined) {
  try {
    for (const [cli, versions] of Object.entries({ ...older, ...others }))
      for (const version of versions) installVersion(cli, version)
  } catch (error) {
    process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`)
    process.exitCode = 1
  }
}
if (process.exitCode === undefined) process.stdout.write(`${join(folder, "node_modules/.bin")}\n`)
