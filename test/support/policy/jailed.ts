import { type SpawnSyncOptions, spawnSync } from "node:child_process"
import * as fs from "node:fs"
import * as path from "node:path"

/**
 * Runs the command lines of `lines.json` in its directory one after the other, in a home and a project that are the same
 * for each of them, and writes to `runs.json` what each has done. It is started in a jail, with all else read-only.
 */
const [place = ""] = process.argv.slice(2)
const at = (...names: ReadonlyArray<string>) => path.join(place, ...names)
const read = (name: string) => JSON.parse(fs.readFileSync(at(name), "utf8")) as ReadonlyArray<string>
const lines = read("lines.json")
const secrets = read("secrets.json").map((name) => at("home", name))
const mark = at("mark")

/** The first read of a file whose time of reading is older than its content sets it. */
const [old, written] = [new Date(1_000_000_000_000), new Date(1_100_000_000_000)]

const stateOf = (top: string): ReadonlyMap<string, string> => {
  const found = new Map<string, string>()
  const visit = (file: string): void => {
    const stat = fs.lstatSync(file)
    // git writes down anew what it has looked at
    if (/\/\.git\/index(?:\.lock)?$/.test(file)) return
    if (!stat.isDirectory()) return void found.set(file, `${stat.mode} ${stat.ino} ${stat.size} ${stat.mtimeMs}`)
    found.set(file, `${stat.mode}`)
    for (const name of fs.readdirSync(file)) visit(`${file}/${name}`)
  }
  visit(top)
  return found
}

/** Puts these back as they were, what holds others first. */
const restore = (files: ReadonlyArray<string>): void => {
  for (const file of files.toSorted()) {
    const from = file.replace(at("home"), at("template"))
    fs.rmSync(file, { recursive: true, force: true })
    if (fs.existsSync(from))
      fs.cpSync(from, file, { recursive: true, preserveTimestamps: true, verbatimSymlinks: true })
  }
}
const age = (): void => {
  for (const file of secrets) fs.utimesSync(file, old, written)
}

const options: SpawnSyncOptions & { readonly detached: boolean } = {
  cwd: at("home", "p"),
  encoding: "utf8",
  timeout: 3_000,
  killSignal: "SIGKILL",
  detached: true,
  maxBuffer: 50_000_000,
  stdio: "ignore",
  env: JSON.parse(fs.readFileSync(at("env.json"), "utf8")) as Record<string, string>
}

restore([at("home")])
age()
let before = stateOf(at("home"))
const runs = lines.map((line) => {
  age()
  const { error, pid, status } = spawnSync("/bin/bash", ["--norc", "--noprofile", "-c", line], options)
  // what it has left in the background
  try {
    process.kill(-pid, "SIGKILL")
  } catch {
    // nothing
  }
  const ran = fs.existsSync(mark) ? fs.readFileSync(mark, "utf8").trim().split("\n") : []
  fs.rmSync(mark, { force: true })
  const opened = secrets.filter((file) => !fs.existsSync(file) || fs.statSync(file).atimeMs !== old.getTime())
  const after = stateOf(at("home"))
  const changed = [...new Set([...before.keys(), ...after.keys()])].filter(
    (file) => before.get(file) !== after.get(file)
  )
  if (changed.length > 0) {
    restore(changed)
    age()
    before = stateOf(at("home"))
  }
  const relative = (files: ReadonlyArray<string>) => files.map((file) => path.relative(at("home"), file))
  return { ran, opened: relative(opened), changed: relative(changed), status, late: error !== undefined }
})
fs.writeFileSync(at("runs.json"), JSON.stringify(runs))
