import { spawnSync } from "node:child_process"
import { existsSync, mkdirSync, mkdtempSync, renameSync, rmSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { cache, folderOf } from "../cli-versions.mjs"

/** A program on the npm registry, at one version. */
export interface Package {
  /** What its folder in the cache is called. */
  readonly name: string
  readonly version: string
  /** What npm is to install; the first is the program. */
  readonly specs: ReadonlyArray<string>
  /** The packages whose install scripts are to run: what else is native they do without. */
  readonly built: ReadonlyArray<string>
}

const npm = (folder: string, args: ReadonlyArray<string>): void => {
  const done = spawnSync("npm", [...args, "--loglevel=error"], {
    cwd: folder,
    stdio: ["ignore", "pipe", "pipe"],
    encoding: "utf8",
    timeout: 300_000
  })
  if (done.status !== 0) {
    const last = `${done.stdout ?? ""}${done.stderr ?? ""}`.split("\n").filter((line) => /npm error \S/.test(line))
    throw new Error(last[0] ?? `npm ${args[0]} ended with ${done.status ?? done.signal ?? String(done.error)}`)
  }
}

/**
 * Installs a package into the cache of the real CLIs, outside of the project, unless it is there; gives the folder of
 * its modules. Throws where it cannot be installed.
 */
export const installed = ({ built, name, specs, version }: Package): string => {
  const folder = folderOf(name, version)
  const modules = join(folder, "node_modules")
  if (existsSync(folder)) return modules
  mkdirSync(cache, { recursive: true })
  const staging = mkdtempSync(join(cache, ".installing-"))
  try {
    writeFileSync(join(staging, "package.json"), JSON.stringify({ private: true }))
    writeFileSync(join(staging, ".npmrc"), "audit=false\nfund=false\nupdate-notifier=false\n")
    process.stderr.write(`installing ${specs[0]}\n`)
    npm(staging, ["install", "--no-save", "--ignore-scripts", ...specs])
    if (built.length > 0) npm(staging, ["rebuild", "--no-ignore-scripts", ...built])
    try {
      renameSync(staging, folder)
    } catch (error) {
      // another run was faster; its installation serves as well
      if (!existsSync(folder)) throw error
    }
    return modules
  } finally {
    rmSync(staging, { recursive: true, force: true })
  }
}
