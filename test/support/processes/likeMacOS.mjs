/**
 * Loaded before a program (`node --import`), makes Node look like Node on macOS as far as leap can tell: the platform's
 * name, no /proc, socket addresses of 103 bytes, a directory (LEAP_TEST_CASELESS) in which names have no case. It writes
 * the programs that are started to LEAP_TEST_STARTED, a JSON array a line, and finds none that only Linux has.
 */
import { ChildProcess } from "node:child_process"
import * as fsModule from "node:fs"
import { Module, syncBuiltinESMExports } from "node:module"
import { Server, Socket } from "node:net"
import { basename } from "node:path"

const fs = fsModule.default
Object.defineProperty(process, "platform", { value: "darwin" })

// node-pty has a binary for each system, and on macOS a helper
const resolve = Module._resolveFilename
Module._resolveFilename = function (request, ...rest) {
  const here = request.replace("node-pty-darwin-", "node-pty-linux-")
  return resolve.call(this, here.replace(/\/spawn-helper$/, "/pty.node"), ...rest)
}

const caseless = process.env.LEAP_TEST_CASELESS ?? "/nowhere"
const isIn = (path) => path.startsWith(`${caseless}/`)
const { existsSync, realpathSync } = fs
/** The path as the disk of a Mac has it: what is there in lower case is found in any, and new names stay as they are. */
const onDisk = (path) => {
  if (typeof path !== "string") return path
  if (path === "/proc" || path.startsWith("/proc/")) return `/no${path}`
  if (!isIn(path) || existsSync(path)) return path
  const lower = caseless + path.slice(caseless.length).toLowerCase()
  return existsSync(lower) ? lower : path
}

const two = new Set(["copyFile", "cp", "link", "rename"])
const wrapped = (name, given) => {
  const wrap = (path, ...rest) => {
    if (two.has(name)) rest[0] = onDisk(rest[0])
    return given(onDisk(path), ...rest)
  }
  return Object.assign(wrap, given)
}
const names =
  "access appendFile chmod copyFile cp exists link lstat mkdir mkdtemp open opendir readFile readdir readlink realpath " +
  "rename rm rmdir stat statfs truncate unlink utimes watch writeFile"
const { native } = realpathSync
for (const name of names.split(" ")) {
  for (const [object, key] of [
    [fs, name],
    [fs, `${name}Sync`],
    [fs.promises, name]
  ]) {
    if (typeof object[key] === "function") object[key] = wrapped(name, object[key].bind(object))
  }
}
// in JavaScript a path keeps the case in which it is spelled; the system's own knows better
const spelled = fs.realpathSync
fs.realpathSync = Object.assign(
  (path, ...rest) => {
    const real = spelled(path, ...rest)
    return isIn(path) && path.toLowerCase() === real.toLowerCase() ? path : real
  },
  { native: (path, ...rest) => native(onDisk(path), ...rest) }
)

const bounded = (given) =>
  function (...args) {
    const [first] = args
    const path = typeof first === "string" ? first : (first?.path ?? "")
    if (Buffer.byteLength(path) > 103) throw Object.assign(new Error(`EINVAL: ${path}`), { code: "EINVAL" })
    return given.apply(this, args)
  }
for (const [of, name] of [
  [Server.prototype, "listen"],
  [Socket.prototype, "connect"]
])
  of[name] = bounded(of[name])

const missing = new Set(
  "busctl dbus-send findmnt flock getent ionice loginctl notify-send setsid systemctl systemd-run taskset wl-paste xclip xdg-open".split(
    " "
  )
)
const spawn = ChildProcess.prototype.spawn
ChildProcess.prototype.spawn = function (options) {
  const started = process.env.LEAP_TEST_STARTED
  if (started !== undefined) fs.appendFileSync(started, `${JSON.stringify([options.file, ...options.args.slice(1)])}\n`)
  const file = missing.has(basename(options.file)) ? `/nowhere/${basename(options.file)}` : options.file
  return spawn.call(this, { ...options, file, cwd: onDisk(options.cwd) })
}
syncBuiltinESMExports()
