// Installs the real CLIs that leap is tested with, pinned by test/real/clis/package-lock.json, into a cache of their own
// ($LEAP_CLI_CACHE, or ~/.cache/leap/clis), and prints the folder of their programs. Does nothing when they are there.
import { spawnSync } from "node:child_process"
import { createHash } from "node:crypto"
import { copyFileSync, existsSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync } from "node:fs"
import { homedir } from "node:os"
import { join, resolve } from "node:path"

const wanted = resolve(import.meta.dirname, "../test/real/clis")
const files = ["package.json", "package-lock.json", ".npmrc"]
const cache = resolve(process.env.LEAP_CLI_CACHE || join(homedir(), ".cache/leap/clis"))
const hash = createHash("sha256").update(readFileSync(join(wanted, "package-lock.json"))).digest("hex").slice(0, 12)
const folder = join(cache, `${process.platform}-${process.arch}-${hash}`)

if (!existsSync(folder)) {
  mkdirSync(cache, { recursive: true })
  const staging = mkdtempSync(join(cache, ".installing-"))
  try {
    for (const file of files) copyFileSync(join(wanted, file), join(staging, file))
    process.stderr.write(`installing the real CLIs into ${folder}\n`)
    // Their install scripts are meant to run: they put the native program in its place.
    // Not `npm ci`: it refuses a lock without every platform's optional package, and not every registry has all of them.
    const done = spawnSync("npm", ["install", "--no-save", "--no-ignore-scripts", "--loglevel=error"], { cwd: staging, stdio: ["ignore", "inherit", "inherit"] })
    if (done.status !== 0) throw new Error(`could not install the real CLIs: npm install ended with ${done.status ?? done.signal ?? done.error}`)
    try {
      renameSync(staging, folder)
    } catch (error) {
      // Another run was faster; its installation is as good.
      if (!existsSync(folder)) throw error
    }
  } catch (error) {
    process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`)
    process.exitCode = 1
  } finally {
    rmSync(staging, { recursive: true, force: true })
  }
}
if (process.exitCode === undefined) process.stdout.write(`${join(folder, "node_modules/.bin")}\n`)
