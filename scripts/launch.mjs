#!/usr/bin/env node
// Runs leap from its checkout: installs from the lockfile and builds when something is missing or stale, then hands
// over to leap under the pinned Node. Needs nothing but Node 12.17, so its syntax and its imports stay that old.
//
//   node scripts/launch.mjs <leap arguments>
//   node scripts/launch.mjs --run <script of package.json> [arguments]
//   node scripts/launch.mjs --ensure            install and build only
//   node scripts/launch.mjs --leap [arguments]  every argument is leap's, whatever it is called
import { spawn, spawnSync } from "child_process"
import { createHash } from "crypto"
import fs from "fs"
import os from "os"
import path from "path"
import { fileURLToPath } from "url"

const root = path.dirname(path.dirname(fileURLToPath(import.meta.url)))
const at = (...parts) => path.join(root, ...parts)
const bin = at("node_modules", ".bin")
const pinned = path.join(bin, "node")
const bundle = at("dist", "leap.js")
const installStamp = at("node_modules", ".leap-installed.json")
const buildStamp = at("dist", ".built.json")
const lockFile = at("dist", ".launch.lock")
const oldestNode = [22, 19]
const oldestNpm = 7
/** The npm that is fetched where the machine's own is older still. */
const newerNpm = "11.19.1"
/** How long chunks of earlier builds are kept, because a running leap may still load them. */
const keepChunksMs = 7 * 24 * 3600 * 1000

class LaunchError extends Error {}
const note = (text) => process.stderr.write(`leap: ${text}\n`)
const hash = (data) => createHash("sha256").update(data).digest("hex")
const sleep = (ms) => new Promise((resolve) => setTimeout(resolve, ms))

const readJson = (file) => {
  try {
    return JSON.parse(fs.readFileSync(file, "utf8"))
  } catch {
    return null
  }
}

const writeWhole = (file, data) => {
  const part = `${file}.${process.pid}`
  fs.writeFileSync(part, data)
  fs.renameSync(part, file)
}

// ---- what is there ----------------------------------------------------------------------------------------------

const platform = `${process.platform}-${process.arch}`
const lockHash = () => hash(fs.readFileSync(at("package-lock.json")))

/** An installation by npm itself counts too: every package of the lockfile is there, in the locked version. */
const npmInstalledTheLockfile = () => {
  const wanted = readJson(at("package-lock.json"))
  const found = readJson(at("node_modules", ".package-lock.json"))
  if (!wanted || !found || !wanted.packages || !found.packages) return false
  return Object.keys(wanted.packages).every((name) => {
    if (name === "") return true
    const want = wanted.packages[name]
    const have = found.packages[name]
    if (have) return have.version === want.version && have.integrity === want.integrity && fs.existsSync(at(name))
    return want.optional === true && !isForHere(want)
  })
}

/** Optional packages for other platforms, and what only those need, may be missing. */
const isForHere = (entry) =>
  entry.os !== undefined &&
  [].concat(entry.os).includes(process.platform) &&
  [].concat(entry.cpu || process.arch).includes(process.arch) &&
  (!entry.libc || [].concat(entry.libc).includes(libc()))

let knownLibc
const libc = () => {
  if (knownLibc === undefined) {
    const isGlibc = process.report && process.report.getReport().header.glibcVersionRuntime
    knownLibc = process.platform !== "linux" ? null : isGlibc ? "glibc" : "musl"
  }
  return knownLibc
}

const isInstalled = () => {
  const stamp = readJson(installStamp)
  const lock = lockHash()
  if (stamp && stamp.lock === lock && stamp.platform === platform) return true
  if (stamp && stamp.platform !== platform) return false
  if (!npmInstalledTheLockfile()) return false
  stampInstallation()
  return true
}

const stampInstallation = () =>
  writeWhole(installStamp, JSON.stringify({ lock: lockHash(), platform, pinned: runs(pinned) }))

const runs = (node) => spawnSync(node, ["--version"], { stdio: "ignore" }).status === 0

const isNewEnough = (version) => {
  const parts = version.split(".").map(Number)
  return parts[0] > oldestNode[0] || (parts[0] === oldestNode[0] && parts[1] >= oldestNode[1])
}

/** The Node that runs leap: the pinned one or, where none is pinned for this platform, the machine's own. */
const findNode = () => {
  const stamp = readJson(installStamp)
  if (stamp && stamp.pinned && fs.existsSync(pinned)) return pinned
  if (isNewEnough(process.versions.node)) return process.execPath
  throw new LaunchError(
    `there is no pinned Node for ${platform}, and this one (${process.versions.node}) is older than ${oldestNode.join(".")}: install a newer Node`
  )
}

const sourceFiles = () => {
  const files = []
  const walk = (dir) => {
    for (const entry of fs.readdirSync(at(dir), { withFileTypes: true })) {
      if (entry.isDirectory()) walk(`${dir}/${entry.name}`)
      else files.push(`${dir}/${entry.name}`)
    }
  }
  for (const dir of ["src", "hooks", "scripts/build"]) if (fs.existsSync(at(dir))) walk(dir)
  return files.concat("rolldown.config.mjs", "package.json", "package-lock.json").sort((a, b) => (a < b ? -1 : 1))
}

/** Compares the sources by size and time (cheap), and by content when those differ from the last build's. */
const isBuilt = () => {
  const built = readJson(buildStamp)
  if (!built || !fs.existsSync(bundle)) return false
  const files = sourceFiles()
  const times = timesOf(files)
  if (built.times === times) return true
  if (built.content !== contentOf(files)) return false
  try {
    writeWhole(buildStamp, JSON.stringify(Object.assign({}, built, { times })))
  } catch {
    // only time is lost where that cannot be noted
  }
  return true
}

const timesOf = (files) =>
  hash(
    files
      .map((file) => {
        const stat = fs.statSync(at(file))
        return `${file} ${stat.size} ${stat.mtimeMs}`
      })
      .join("\n")
  )

const contentOf = (files) => hash(files.map((file) => `${file} ${hash(fs.readFileSync(at(file)))}`).join("\n"))

// ---- one launch at a time changes it ----------------------------------------------------------------------------

/**
 * The kernel's start time of a process, so that a reused pid is not mistaken for the owner; null where it is unknown.
 */
const startedAt = (pid) => {
  try {
    const stat = fs.readFileSync(`/proc/${pid}/stat`, "utf8")
    return stat.slice(stat.lastIndexOf(")") + 2).split(" ")[19]
  } catch {
    return null
  }
}

const isAlive = (pid) => {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return error.code === "EPERM"
  }
}

/**
 * The lock's owner is gone; a lock from another machine (a shared checkout) is stale when it was not touched for a
 * minute.
 */
const isStale = (file) => {
  let age
  try {
    age = Date.now() - fs.statSync(file).mtimeMs
  } catch {
    return false
  }
  const owner = readJson(file)
  if (!owner || owner.host !== os.hostname()) return age > 60000
  return ![owner].concat(owner.worker || []).some(isRunning)
}

const isRunning = (it) => isAlive(it.pid) && (it.started === null || it.started === startedAt(it.pid))
const identity = (pid) => ({ pid, started: startedAt(pid) })
const owned = (more) => JSON.stringify(Object.assign({ host: os.hostname() }, identity(process.pid), more))

/** Creates the file with its whole content or not at all, and never overwrites one. */
const createOwned = (file) => {
  const part = `${file}.${process.pid}`
  fs.writeFileSync(part, owned({}))
  try {
    fs.linkSync(part, file)
    return true
  } catch (error) {
    if (error.code === "EEXIST") return false
    throw error
  } finally {
    fs.unlinkSync(part)
  }
}

const remove = (file) => {
  try {
    fs.unlinkSync(file)
  } catch (error) {
    if (error.code !== "ENOENT") throw error
  }
}

/**
 * Removes the lock of an owner that is gone. A second lock, held briefly, keeps two launches from removing each
 * other's.
 */
const breakStale = () => {
  const guard = `${lockFile}.guard`
  if (!createOwned(guard)) {
    if (isStale(guard)) remove(guard)
    return
  }
  try {
    if (isStale(lockFile)) remove(lockFile)
  } finally {
    remove(guard)
  }
}

const withLock = async (body) => {
  try {
    fs.mkdirSync(path.dirname(lockFile), { recursive: true })
    fs.accessSync(path.dirname(lockFile), fs.constants.W_OK)
  } catch (error) {
    throw new LaunchError(
      `this clone is to be installed or built first, and ${path.dirname(lockFile)} cannot be written ` +
        `(${error.code}): run 'npm run build' in ${root} as the user who owns it`
    )
  }
  const deadline = Date.now() + 15 * 60 * 1000
  for (let announced = false; !createOwned(lockFile);) {
    if (isStale(lockFile)) breakStale()
    else if (Date.now() > deadline) {
      throw new LaunchError(`another launch has held ${lockFile} for 15 minutes: end it, or remove that file`)
    } else {
      const owner = readJson(lockFile)
      if (!announced && owner) {
        note(`waiting for another launch (process ${owner.pid}) that installs or builds`)
        announced = true
      }
      await sleep(100)
    }
  }
  const beat = setInterval(() => fs.utimes(lockFile, new Date(), new Date(), () => {}), 10000)
  try {
    return await body()
  } finally {
    clearInterval(beat)
    remove(lockFile)
  }
}

// ---- install and build ------------------------------------------------------------------------------------------

/** npm or the build, while it runs: a signal that ends the launch ends this process first. */
let child = null

const collect = (command, args, env) =>
  new Promise((resolve) => {
    let text = ""
    child = spawn(command, args, { cwd: root, env, stdio: ["ignore", "pipe", "pipe"] })
    const add = (data) => (text += data)
    child.stdout.on("data", add)
    child.stderr.on("data", add)
    child.on("error", (error) => resolve({ code: 1, text: error.message }))
    // When this launch is killed, npm or the build may go on for a while: the lock lives as long as they do.
    if (child.pid !== undefined) writeWhole(lockFile, owned({ worker: [identity(child.pid)] }))
    child.on("close", (code, signal) => {
      child = null
      resolve({ code: code === null ? signal : code, text })
    })
  })

/** The lock stays until npm or the build is gone, so that no other launch starts one at the same time. */
const endOnSignal = (signal) => {
  const end = () => {
    const owner = readJson(lockFile)
    if (owner && owner.pid === process.pid && owner.host === os.hostname()) remove(lockFile)
    process.exit(128 + os.constants.signals[signal])
  }
  if (!child) end()
  child.kill(signal)
  child.on("close", end)
  setTimeout(end, 5000)
}

/** The npm that runs this script, or the one on PATH. */
const npmCommand = () => {
  const cli = process.env.npm_execpath
  return cli && /npm-cli\.[cm]?js$/.test(cli) && fs.existsSync(cli) ? [process.execPath, cli] : ["npm"]
}

/** Where npm cannot read this lockfile, fetches the pinned Node and an npm that can, into a folder of the build. */
const bootstrapNpm = async (npm) => {
  const dir = at("dist", "bootstrap")
  const node = path.join(dir, "node_modules", ".bin", "node")
  const cli = path.join(dir, "node_modules", "npm", "bin", "npm-cli.js")
  if (!fs.existsSync(cli)) {
    fs.mkdirSync(dir, { recursive: true })
    fs.writeFileSync(path.join(dir, "package.json"), '{"private":true}')
    const version = readJson(at("package-lock.json")).packages[`node_modules/node-${platform}`]
    if (!version) throw new LaunchError(`this npm is older than ${oldestNpm}: install a newer Node`)
    const wanted = [`node-${platform}@${version.version}`, `npm@${newerNpm}`]
    const done = await collect(
      npm[0],
      npm
        .slice(1)
        .concat("install", "--prefix", dir, "--no-package-lock", "--ignore-scripts", "--no-audit", "--no-fund", wanted),
      process.env
    )
    if (done.code !== 0) throw installFailed(done)
  }
  return [node, cli]
}

const installFailed = (done) => {
  const lines = done.text.split("\n").map((line) => line.replace(/^npm (ERR!|error) ?/i, "").trim())
  const why =
    lines.find((line) => /^(code|network|notsup|errno) /.test(line)) || lines.find((line) => line !== "") || "no output"
  return new LaunchError(
    `could not install the dependencies: npm ended with ${done.code} (${why}). It needs the package registry once; then run this again`
  )
}

const install = async () => {
  note("installing dependencies from the lockfile (npm ci)")
  let npm = npmCommand()
  const npmVersion = spawnSync(npm[0], npm.slice(1).concat("--version"), { encoding: "utf8", cwd: os.tmpdir() })
  if (npmVersion.error) throw new LaunchError("npm was not found on PATH: install Node with npm")
  if (parseInt(npmVersion.stdout, 10) < oldestNpm) npm = await bootstrapNpm(npm)
  remove(installStamp)
  // No dependency needs an install script, so none is run, whatever npm's settings.
  const args = [
    "ci",
    "--ignore-scripts",
    "--include=dev",
    "--include=optional",
    "--no-audit",
    "--no-fund",
    "--loglevel=error"
  ]
  const done = await collect(npm[0], npm.slice(1).concat(args), process.env)
  if (done.code !== 0) throw installFailed(done)
  stampInstallation()
}

/** Builds beside the bundle in use and moves the files into place, the entry last: a running leap never loads a mix. */
const build = async (node) => {
  note("building")
  const files = sourceFiles()
  const stamp = { times: timesOf(files), content: contentOf(files) }
  const staging = at("dist", ".building")
  clear(staging)
  const done = await collect(
    node,
    [
      at("node_modules", "rolldown", "bin", "cli.mjs"),
      "-c",
      "rolldown.config.mjs",
      "-d",
      staging,
      "--logLevel",
      "warn"
    ],
    Object.assign(withPath(node), { NO_COLOR: "1" })
  )
  if (done.code !== 0)
    throw new LaunchError(`could not build dist/leap.js (rolldown ended with ${done.code}):\n${done.text.trim()}`)
  const made = fs.readdirSync(staging)
  for (const file of made) if (file !== "leap.js") fs.renameSync(path.join(staging, file), at("dist", file))
  fs.renameSync(path.join(staging, "leap.js"), bundle)
  clear(staging)
  for (const file of fs.readdirSync(at("dist"))) {
    if (/\.js$/.test(file) && !made.includes(file) && Date.now() - fs.statSync(at("dist", file)).mtimeMs > keepChunksMs)
      remove(at("dist", file))
  }
  writeWhole(buildStamp, JSON.stringify(stamp))
}

const clear = (dir) => {
  if (!fs.existsSync(dir)) return
  for (const file of fs.readdirSync(dir)) fs.unlinkSync(path.join(dir, file))
  fs.rmdirSync(dir)
}

/** Makes sure that leap can run; returns the Node to run it under. */
const ensure = async () => {
  if (!isInstalled()) await withLock(async () => isInstalled() || install())
  const node = findNode()
  if (!isBuilt()) await withLock(async () => isBuilt() || build(node))
  return node
}

// ---- hand over --------------------------------------------------------------------------------------------------

const withPath = (node) =>
  Object.assign({}, process.env, {
    PATH: [path.dirname(node), bin, process.env.PATH].filter(Boolean).join(path.delimiter)
  })

/**
 * Replaces this process by the command where Node can; else runs it as a child, forwards signals, and ends as it ends.
 */
const become = (command, args, env) => {
  if (process.execve) {
    // Node's warning that this call is experimental would reach the user's terminal.
    process.removeAllListeners("warning")
    process.emitWarning = () => {}
    process.execve(command, [command].concat(args), env)
  }
  const running = spawn(command, args, { stdio: "inherit", env })
  // A terminal sends these to the whole foreground group, so the command gets them anyway.
  const fromTerminal =
    process.stdin.isTTY || process.stdout.isTTY || process.stderr.isTTY ? ["SIGINT", "SIGQUIT", "SIGHUP"] : []
  for (const signal of ["SIGINT", "SIGQUIT", "SIGTERM", "SIGHUP", "SIGUSR1", "SIGUSR2"]) {
    process.removeAllListeners(signal)
    process.on(signal, () => fromTerminal.includes(signal) || running.kill(signal))
  }
  running.on("error", (error) => fail(new LaunchError(`could not run ${command}: ${error.message}`)))
  running.on("exit", (code, signal) => {
    if (signal === null) process.exit(code)
    process.removeAllListeners(signal)
    process.kill(process.pid, signal)
  })
}

const quote = (arg) => (/^[\w@%+=:,./-]+$/.test(arg) ? arg : `'${arg.replace(/'/g, "'\\''")}'`)

const fail = (error) => {
  if (error instanceof LaunchError) note(error.message)
  else process.stderr.write(`${error.stack}\n`)
  process.exit(1)
}

const main = async (args) => {
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) process.on(signal, endOnSignal)
  if (args[0] === "--run") {
    const scripts = readJson(at("package.json")).scripts
    const line = scripts[args[1]]
    if (!line)
      throw new LaunchError(`package.json has no script '${args[1] || ""}'; it has: ${Object.keys(scripts).join(", ")}`)
    const node = await ensure()
    process.chdir(root)
    return become("/bin/sh", ["-c", [line].concat(args.slice(2).map(quote)).join(" ")], withPath(node))
  }
  const node = await ensure()
  if (args[0] !== "--ensure") become(node, [bundle].concat(args[0] === "--leap" ? args.slice(1) : args), process.env)
}

main(process.argv.slice(2)).catch(fail)
